//! What states are worth by playouts: of many at once in lanes, or one at a time.

use super::policy::{Advice, Ahead};
use super::{Batch, By, Estimate, Evaluate, Legal, Policy, Thread, Uniform, Values};
use game::{Bits, End, Game, Lanes, MoveId, Outcomes, Request, RoleId, Start, Tally};
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
            policy,
            roles: game.roles().len(),
        }
    }

    /// The same, with so many playouts for the states of a batch together.
    #[must_use]
    pub fn sharing(self, share: Option<u64>) -> Playouts<'g, P> {
        Playouts { share, ..self }
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
            decisive: self.policy.is_decisive(),
        })
    }

    /// Plays on from where the walk is. It is cut when time is over: rules may be slow.
    fn one(&mut self, thread: &mut Thread<'_>, state: &Bits) -> Estimate {
        // So few turns that the clock is looked at often.
        let turns_at_once = if self.policy.is_decisive() { 1 } else { 8 };
        self.look_ahead_by(thread);
        thread.walk.load(state);
        self.policy.begin();
        let mut turns = 0;
        let end = loop {
            let began = Instant::now();
            let (end, made) = self.some_turns(thread, turns_at_once);
            thread.clock.note_piece(began);
            turns += made;
            if end != End::Cut || thread.clock.is_late() || turns >= TURNS {
                break end;
            }
        };
        let values: Values = match end {
            End::Over => RoleId::all(self.roles)
                .map(|role| thread.walk.value(role))
                .collect(),
            End::Stuck | End::Cut => Values::from_elem(0.5, self.roles),
        };
        thread.playouts += 1;
        if end == End::Over {
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

    /// Makes ready to look ahead by the clock of a thread, if the policy wants that.
    fn look_ahead_by(&mut self, thread: &Thread<'_>) {
        if !self.policy.is_decisive() {
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
        let replies = self.policy.answers_threats();
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
mod tests {
    use super::*;
    use crate::Budget;
    use game::{Limits, MoveId, MoveTable, Weights};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// One role says yes or no, once; yes is worth everything.
    const RULES: &str = "(role r) (init start) (legal r yes) (legal r no)
        (<= (next (said ?m)) (does r ?m)) (<= terminal (not (true start)))
        (<= (goal r 100) (true (said yes))) (<= (goal r 0) (not (true (said yes))))";

    /// Learns the weight of a move from how it did.
    struct Learns(MoveTable<u8>);

    impl Policy for Learns {
        fn runs_in_lanes(&self) -> bool {
            true
        }

        fn weights(&self) -> Option<Weights<'_>> {
            let digits = 8;
            let table = &self.0;
            Some(Weights { table, digits })
        }

        fn wants_moves(&self) -> bool {
            true
        }

        fn pick(&mut self, legal: &Legal<'_, '_>, _: &mut Xoshiro256PlusPlus) -> Option<MoveId> {
            let moves = legal.moves().into_iter();
            moves.max_by_key(|&it| self.0[(legal.role(), it)])
        }

        fn learn(&mut self, estimate: &Estimate) {
            for (role, action, tally) in estimate.moves.iter().flat_map(MoveTable::iter) {
                let good = tally.playouts > 0 && tally.goals == 100 * tally.playouts;
                self.0[(role, action)] = if good { u8::MAX } else { 1 };
            }
        }
    }

    #[test]
    fn a_policy_learns_from_the_moves_that_were_played() {
        let game = Game::load(RULES, &Limits::default()).unwrap();
        let moves = game.moves(RoleId::new(0)).unwrap().len();
        let policy = Learns(MoveTable::new([moves], 1));
        let mut playouts = Playouts::new(&game, game.lanes(), policy).sharing(Some(4096));
        let budget = Budget::Iterations(1);
        let mut thread = Thread::new(&game, 1, &budget);
        let first = thread.walk.state().to_owned();
        let batch = Batch {
            states: &[&first],
            by: By::Lanes,
        };
        let mut out = Vec::new();
        for _ in 0..2 {
            playouts.evaluate(&mut thread, &batch, &mut out);
        }
        // Half of 4096 is met within 0.1 but for a chance below 1e-9; then 255 of 256.
        assert!((out[0].values[0] - 0.5).abs() < 0.1, "{}", out[0].values[0]);
        assert!(out[1].values[0] > 0.9, "{}", out[1].values[0]);
        let one = Batch {
            by: By::One,
            ..batch
        };
        playouts.evaluate(&mut thread, &one, &mut out);
        assert_eq!(out[2].values[0], 1.0);
    }
}
