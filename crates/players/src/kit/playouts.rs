//! What states are worth by playouts: of many at once in lanes, or one at a time.
//!
//! Playouts may be cut early (Finnsson 2012): after so many turns the goals of the state count as if
//! the match was over, one half for a role that has none there. That says something where goals vary
//! while matches go on and foretell the end, such as scores. Lanes tell goals of ends alone, so these
//! playouts run one at a time.

use super::policy::{Advice, Ahead};
use super::{Batch, By, Estimate, Evaluate, Legal, Policy, Thread, Uniform, Values};
use game::{Bits, Decisive, End, Game, Lanes, MoveId, Outcomes, Request, RoleId, Start, Tally};
use rand_core::Rng;
use std::time::Instant;

/// Playouts are cut after so many turns.
pub const TURNS: u64 = 5000;

/// Evaluation by playouts.
pub struct Playouts<'g, P = Uniform> {
    game: &'g Game,
    lanes: Option<Lanes<'g>>,
    /// How many playouts the states of a batch have together; as many as fill the lanes if none.
    share: Option<u64>,
    /// After how many turns playouts are cut early, if they are.
    cutoff: Option<u64>,
    policy: P,
    roles: usize,
    /// Made when the first playout by itself wants to look ahead.
    ahead: Option<Ahead<'g>>,
}

impl<'g> Playouts<'g> {
    /// Playouts that choose uniformly, in lanes if the game has them and they are wanted.
    pub fn uniform(game: &'g Game, lanes: bool) -> Playouts<'g> {
        Playouts::new(game, game.lanes().filter(|_| lanes), Uniform)
    }
}

impl<'g, P: Policy> Playouts<'g, P> {
    /// Playouts by a policy, in lanes if there are any and the policy allows it.
    pub fn new(game: &'g Game, lanes: Option<Lanes<'g>>, policy: P) -> Playouts<'g, P> {
        Playouts {
            game,
            ahead: None,
            lanes: lanes.filter(|_| policy.runs_in_lanes()),
            share: None,
            cutoff: None,
            policy,
            roles: game.roles().len(),
        }
    }

    /// The same, with so many playouts for the states of a batch together.
    #[must_use]
    pub fn sharing(self, share: Option<u64>) -> Playouts<'g, P> {
        Playouts { share, ..self }
    }

    /// The same, cut after so many turns if that is wanted; not in lanes then.
    #[must_use]
    pub fn cutting(self, cutoff: Option<u64>) -> Playouts<'g, P> {
        Playouts {
            lanes: self.lanes.filter(|_| cutoff.is_none()),
            cutoff,
            ..self
        }
    }

    /// How moves are chosen, to be changed between two batches.
    pub fn policy_mut(&mut self) -> &mut P {
        &mut self.policy
    }

    /// The lanes, if playouts run in lanes.
    pub fn lanes(&self) -> Option<Lanes<'g>> {
        self.lanes
    }

    /// Plays states out in lanes. It is broken off when time is over: matches may never end.
    fn in_lanes(&self, lanes: Lanes<'_>, states: &[&Bits], thread: &mut Thread<'_>) -> Outcomes {
        let shares = match self.share {
            Some(all) => vec![(all / states.len() as u64).max(1); states.len()],
            None => lanes.shares(states.iter().copied()),
        };
        let starts = states.iter().zip(shares);
        let starts: Vec<Start<'_>> = starts
            .map(|(state, playouts)| Start { state, playouts })
            .collect();
        lanes.playouts_with(&Request {
            starts: &starts,
            turns: TURNS,
            seed: thread.random.next_u64(),
            until: thread.clock.until(),
            weights: self.policy.weights(),
            counts: self.policy.wants_moves(),
            decisive: self.policy.decisive(),
        })
    }

    /// Plays a state out.
    fn one(&mut self, thread: &mut Thread<'_>, state: &Bits) -> Estimate {
        self.look_ahead_by(thread);
        thread.walk.load(state);
        self.policy.begin();
        let (end, turns) = self.play_on(thread);
        let early = end == End::Cut && self.cutoff.is_some_and(|most| turns >= most);
        let walk = &mut thread.walk;
        let value = |role| match end {
            End::Over => walk.value(role),
            End::Cut if early => walk.goal(role).map_or(0.5, |it| it as f32 / 100.0),
            End::Stuck | End::Cut => 0.5,
        };
        let values: Values = RoleId::all(self.roles).map(value).collect();
        thread.playouts += 1;
        if end == End::Over || early {
            self.policy.ended(&values);
        }
        Estimate {
            highest: match end {
                End::Over => values.clone(),
                End::Stuck | End::Cut => Values::from_elem(0.0, self.roles),
            },
            values,
            weight: 1.0,
            over: turns == 0 && end != End::Cut && !thread.walk.is_broken_off(),
            moves: None,
        }
    }

    /// Plays on from where the walk is; says how it ended, and after how many turns. It is cut when
    /// time is over: rules may be slow.
    fn play_on(&mut self, thread: &mut Thread<'_>) -> (End, u64) {
        // So few turns that the clock is looked at often.
        let at_once = if self.ahead.is_some() { 1 } else { 8 };
        let most = self.cutoff.map_or(TURNS, |it| it.min(TURNS));
        let mut turns = 0;
        loop {
            let began = Instant::now();
            let (end, made) = self.some_turns(thread, at_once.min(most - turns));
            thread.clock.note_piece(began);
            turns += made;
            if end == End::Cut && thread.walk.terminal() {
                return (End::Over, turns);
            }
            if end != End::Cut || thread.clock.is_late() || turns >= most {
                return (end, turns);
            }
        }
    }

    /// At most so many turns of a playout.
    fn some_turns(&mut self, thread: &mut Thread<'_>, turns: u64) -> (End, u64) {
        let plain = self.policy.runs_in_lanes() && self.policy.weights().is_none();
        if plain && self.ahead.is_none() {
            return thread.walk.playout(&mut thread.random, turns);
        }
        let mut joint = Vec::with_capacity(self.roles);
        for turn in 0..turns {
            if thread.walk.terminal() {
                return (End::Over, turn);
            }
            if !self.choose(thread, &mut joint) {
                return (End::Stuck, turn);
            }
            self.policy.played(thread.walk.state(), &joint);
            thread.walk.play(&joint);
        }
        (End::Cut, turns)
    }

    /// Makes ready to look ahead by the clock of a thread, if the policy wants that. Where there are
    /// lanes, what is played by itself only fills the rest of the time: it is plain.
    fn look_ahead_by(&mut self, thread: &Thread<'_>) {
        let decisive = self.policy.decisive() != Decisive::No;
        if !decisive || self.lanes.is_some() {
            self.ahead = None;
            return;
        }
        let (game, clock) = (self.game, &thread.clock);
        let ahead = self.ahead.get_or_insert_with(|| Ahead::new(game, clock));
        ahead.keep_to(clock);
    }

    /// Chooses a move for every role: one that wins at once if the policy is decisive, else as
    /// the policy has it; false if a role has none.
    fn choose(&mut self, thread: &mut Thread<'_>, joint: &mut Vec<MoveId>) -> bool {
        let Thread { walk, random, .. } = thread;
        let replies = self.policy.decisive() == Decisive::Both;
        let ahead = self.ahead.as_mut();
        let advice = ahead.and_then(|it| it.look(walk, replies, random));
        joint.clear();
        for role in RoleId::all(self.roles) {
            let avoided = advice.map_or(&[][..], |it| it.avoided(role));
            let legal = Legal::new(walk, role).avoiding(avoided);
            let win = advice.and_then(|it: Advice<'_>| it.win(role));
            match win.or_else(|| self.policy.pick(&legal, random)) {
                Some(action) => joint.push(action),
                None => return false,
            }
        }
        true
    }
}

impl<P: Policy> Evaluate for Playouts<'_, P> {
    fn evaluate(&mut self, thread: &mut Thread<'_>, batch: &Batch<'_>, out: &mut Vec<Estimate>) {
        let first = out.len();
        match (self.lanes, batch.by) {
            (Some(lanes), By::Lanes) if !batch.states.is_empty() => {
                let made = self.in_lanes(lanes, batch.states, thread);
                thread.playouts += made.tallies.iter().map(Tally::ended).sum::<u64>();
                out.extend(made.tallies.iter().map(|it| estimate(it, self.roles)));
                for (estimate, moves) in out[first..]
                    .iter_mut()
                    .zip(made.moves.into_iter().flatten())
                {
                    estimate.moves = Some(moves);
                }
            }
            _ => {
                for state in batch.states {
                    let one = self.one(thread, state);
                    out.push(one);
                }
            }
        }
        out[first..].iter().for_each(|it| self.policy.learn(it));
    }
}

/// What playouts say of a state: means of those that came to an end, one half if none did.
fn estimate(tally: &Tally, roles: usize) -> Estimate {
    let means = tally.means();
    let value = |role: RoleId| {
        means
            .get(role.index())
            .map_or(0.5, |it| (it.0 / 100.0) as f32)
    };
    let highest = |role: RoleId| tally.highest(role) as f32 / 100.0;
    Estimate {
        values: RoleId::all(roles).map(value).collect(),
        highest: RoleId::all(roles).map(highest).collect(),
        weight: tally.ended() as f32,
        over: tally.turns == 0 && tally.cut == 0 && tally.ended() > 0,
        moves: None,
    }
}

#[cfg(test)]
mod tests;
