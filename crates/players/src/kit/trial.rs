//! Which playouts foretell better: two policies play some quick matches against each other.
//!
//! Playouts that take wins at once, but do not prevent those of the other role, are better in some
//! games and worse in others, where a threat is answered by everyone but by random moves. Rules do
//! not tell which it is, so it is tried where lanes cannot answer threats (`policy/ready.rs`): each
//! side makes the move after which its playouts bring it most, one batch of them for all moves of a
//! state. Moves after which the other wins at once are known to both sides: else playouts
//! that take wins would be better by seeing them. Seats are swapped, and the first moves are drawn.

use super::TURNS;
use game::{BitsBuf, Decisive, Game, Lanes, MoveId, Request, RoleId, Start, Walk};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Instant;

/// Moves of a match that are drawn, so that matches differ.
const DRAWN: usize = 2;
/// A longer match is not played to its end.
const LONGEST: usize = 300;
/// Fewer matches tell nothing.
const FEW: u32 = 10;
/// What has to be scored, as looking one turn ahead gains more from it than a tree does. Trials of
/// 80 matches scored 0.88 in pentago, 0.75 in ttcc4 and in knight-through, 0.66 in tictac-chess, 0.58
/// in breakthrough, 0.48 in quarto and 0.32 in connect four; `mac-ucb` against itself without, with
/// 40 or 60 iterations, 85, 94, 67 (`uct`), 55, 45, 39 and 35 %. At 0.1 s it was 68 % in pentago, 80 in
/// ttcc4, but 35 in knight-through, so a score of 0.75 is not enough.
const CLEAR: f32 = 0.8;
/// Playouts of each move, at least.
const LEAST: u64 = 8;

/// How many matches there were, and the score of playouts that take wins at once against uniform
/// ones, from 0 to 1.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Score {
    pub(crate) matches: u32,
    pub(crate) sum: f32,
}

impl Score {
    /// Whether taking wins did so much better that a search of a tree is better by it, too.
    pub(crate) fn is_better(self) -> bool {
        self.matches >= FEW && self.sum > CLEAR * self.matches as f32
    }
}

/// Plays pairs of matches until a time, at most so many. Nothing is played where lanes find no wins,
/// or there are not two roles.
pub(crate) fn decisive(game: &Game, pairs: u64, until: Option<Instant>) -> Score {
    let mut score = Score::default();
    let Some(lanes) = game.lanes().filter(|it| it.decides()) else {
        return score;
    };
    if game.roles().len() != 2 || game.chance().is_some() {
        return score;
    }
    for pair in 0..pairs {
        for seat in 0..2 {
            let mut trial = Trial {
                lanes,
                walk: game.walk(),
                random: Xoshiro256PlusPlus::seed_from_u64(pair),
                deciding: RoleId::new(seat),
            };
            let Some(value) = trial.play(until) else {
                return score;
            };
            score.matches += 1;
            score.sum += value;
        }
    }
    score
}

/// One match.
struct Trial<'g> {
    lanes: Lanes<'g>,
    walk: Walk<'g>,
    random: Xoshiro256PlusPlus,
    /// The role whose playouts take wins.
    deciding: RoleId,
}

impl Trial<'_> {
    /// The score of the role whose playouts take wins; none if time is over, or the match too long.
    fn play(&mut self, until: Option<Instant>) -> Option<f32> {
        let mut joint = Vec::new();
        for turn in 0..LONGEST {
            if until.is_some_and(|until| Instant::now() >= until) {
                return None;
            }
            if self.walk.terminal() {
                let [own, other] = [self.deciding.index(), 1 - self.deciding.index()]
                    .map(|it| self.walk.value(RoleId::new(it)));
                return Some(0.5 + (own - other) / 2.0);
            }
            if !self.walk.any_joint(&mut joint, &mut self.random) {
                return None;
            }
            if turn >= DRAWN {
                self.improve(&mut joint);
            }
            self.walk.play(&joint);
        }
        None
    }

    /// Puts the best move of the role that has a choice into a joint move.
    fn improve(&mut self, joint: &mut [MoveId]) {
        let here = self.walk.state().to_owned();
        for role in [0, 1].map(RoleId::new) {
            let moves = self.walk.legal(role);
            if moves.len() > 1 {
                joint[role.index()] = self.best(&here, joint, (role, &moves));
                self.walk.load(&here);
            }
        }
    }

    /// Notes the states after which another wins at once: a tree sees that, whatever its playouts are.
    fn see_replies(&mut self, role: RoleId, states: &[BitsBuf], known: &mut [Option<f32>]) {
        let playouts = 1;
        let starts = states.iter().map(|state| Start { state, playouts });
        let starts: Vec<Start<'_>> = starts.collect();
        let made = self.lanes.playouts_with(&Request {
            starts: &starts,
            // The end is found when the next turn begins.
            turns: 2,
            seed: self.random.next_u64(),
            decisive: Decisive::Wins,
            ..Request::default()
        });
        for (known, tally) in known.iter_mut().zip(&made.tallies) {
            let lost = || {
                tally
                    .means()
                    .get(role.index())
                    .is_some_and(|it| it.0 == 0.0)
            };
            if known.is_none() && tally.ended() > 0 && lost() {
                *known = Some(0.0);
            }
        }
    }

    /// The move after which playouts bring a role most.
    fn best(
        &mut self,
        here: &BitsBuf,
        joint: &[MoveId],
        (role, moves): (RoleId, &[MoveId]),
    ) -> MoveId {
        let mut joint = joint.to_vec();
        let mut known: Vec<Option<f32>> = Vec::with_capacity(moves.len());
        let mut states = Vec::with_capacity(moves.len());
        for &action in moves {
            joint[role.index()] = action;
            self.walk.load(here);
            self.walk.play(&joint);
            known.push(self.walk.terminal().then(|| self.walk.value(role)));
            states.push(self.walk.state().to_owned());
        }
        self.see_replies(role, &states, &mut known);
        let playouts = (self.lanes.count() as u64 / moves.len() as u64).max(LEAST);
        let starts: Vec<Start<'_>> = states
            .iter()
            .map(|state| Start { state, playouts })
            .collect();
        let made = self.lanes.playouts_with(&Request {
            starts: &starts,
            turns: TURNS,
            seed: self.random.next_u64(),
            decisive: match role == self.deciding {
                true => Decisive::Wins,
                false => Decisive::No,
            },
            ..Request::default()
        });
        let value = |place: usize| {
            let mean = || {
                made.tallies[place]
                    .means()
                    .get(role.index())
                    .map(|it| it.0 as f32 / 100.0)
            };
            known[place].or_else(mean).unwrap_or(0.5)
        };
        let best = (0..moves.len()).max_by(|&a, &b| value(a).total_cmp(&value(b)));
        moves[best.unwrap_or(0)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Limits;

    /// Two roles take one or two of seven in turn; whoever takes the last one wins.
    const TAKE: &str = "(role a) (role b) (init (left 7)) (init (control a))
        (less 7 6) (less 6 5) (less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
        (<= (legal ?r one) (true (control ?r)))
        (<= (legal ?r two) (true (control ?r)) (not (true (left 1))))
        (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
        (<= (next (left ?m)) (does ?r one) (true (left ?n)) (less ?n ?m))
        (<= (next (left ?k)) (does ?r two) (true (left ?n)) (less ?n ?m) (less ?m ?k))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= terminal (true (left 0)))
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))))
        (<= (goal ?r 0) (true (control ?r)))";

    #[test]
    fn trials_can_be_repeated_and_end_in_time() {
        let game = Game::load(TAKE, &Limits::default()).expect("rules are right");
        let score = decisive(&game, 10, None);
        assert_eq!(score, decisive(&game, 10, None));
        if game.lanes().is_some_and(Lanes::decides) {
            assert_eq!(score.matches, 20);
        }
        assert_eq!(decisive(&game, 10, Some(Instant::now())).matches, 0);
        assert!(!Score::default().is_better());
    }
}
