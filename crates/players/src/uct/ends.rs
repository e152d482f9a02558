//! Moves that end the match: when a state is expanded its moves are tried, wins are taken and
//! losses closed before any playout.
//!
//! Trying all moves costs as much as some playouts, so it rests where moves hardly ever end the
//! match: then one state in [`RARELY`] is tried, until one is found. Where time counts it may take
//! a share of what playouts take: in small games playouts are so fast that trying all moves of all
//! states halves their number, and made connect four much worse (2 of 12 matches won at 0.1 s).

use crate::kit::Thread;
use crate::tree::{Fresh, NEAR, Who};
use game::{BitsBuf, MoveId, RoleId};
use std::time::{Duration, Instant};

/// A move that ends the match.
#[derive(Clone, Debug)]
pub(super) struct EndingMove {
    pub(super) arm: u32,
    pub(super) state: BitsBuf,
    pub(super) values: Vec<f32>,
    /// Whether it brings the role that makes it all there is to get.
    pub(super) won: bool,
}

/// One of so many states is tried where that hardly ever finds an end.
const RARELY: u64 = 16;
/// An end in so many states is enough to go on.
const ENOUGH: f32 = 1.0 / 32.0;
/// How much one state counts.
const LATELY: f32 = 1.0 / 256.0;
/// The share of the time of playouts that trying moves may take.
const SHARE: f32 = 0.1;
/// States with more moves are not tried.
const MOST: usize = 512;

/// Whether ends are looked for, and how often they were found lately.
#[derive(Copy, Clone, Debug)]
pub(super) struct Tests {
    wanted: bool,
    found: f32,
    states: u64,
    spent: Duration,
}

impl Tests {
    pub(super) fn new(wanted: bool) -> Tests {
        Tests {
            wanted,
            // The benefit of the doubt.
            found: 2.0 * ENOUGH,
            states: 0,
            spent: Duration::ZERO,
        }
    }

    /// Whether there is time for it beside playouts that took so long; always where iterations are
    /// counted.
    pub(super) fn has_time(&self, thread: &Thread<'_>, playouts: Duration) -> bool {
        thread.clock.until().is_none() || self.spent <= playouts.mul_f32(SHARE)
    }

    /// Finds the moves of a state that end the match, where one role decides. It stops at one that
    /// brings the role as much as `most` says.
    pub(super) fn find(
        &mut self,
        thread: &mut Thread<'_>,
        (fresh, who): (&Fresh, Who),
        most: &[f32],
        out: &mut Vec<EndingMove>,
    ) {
        out.clear();
        self.states += 1;
        let (Who::Role(role), true) = (who, self.wanted) else {
            return;
        };
        let rests = self.found < ENOUGH && !self.states.is_multiple_of(RARELY);
        let moves = fresh.moves(role);
        if rests || moves.len() > MOST {
            return;
        }
        let began = Instant::now();
        let roles = most.len();
        let all = RoleId::all(roles);
        let mut joint: Vec<MoveId> = all.clone().map(|it| fresh.moves(it)[0]).collect();
        for (arm, &action) in moves.iter().enumerate() {
            joint[role.index()] = action;
            let walk = &mut thread.walk;
            walk.load(&fresh.state);
            walk.play(&joint);
            if walk.is_broken_off() {
                break;
            }
            if !walk.terminal() {
                continue;
            }
            let values: Vec<f32> = all.clone().map(|it| walk.value(it)).collect();
            let won = values[role.index()] >= most[role.index()] - NEAR;
            out.push(EndingMove {
                arm: arm as u32,
                state: walk.state().to_owned(),
                values,
                won,
            });
            if won {
                break;
            }
        }
        self.spent += began.elapsed();
        let found = f32::from(u8::from(!out.is_empty()));
        // A state that was tried for all that were not.
        let counts = if self.found < ENOUGH {
            RARELY as f32
        } else {
            1.0
        };
        self.found += (found - self.found) * LATELY * counts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use game::{Game, Limits};

    /// One role takes what ends the match with nothing, a draw or a win, or goes on.
    const RULES: &str = "(role r) (init start) (legal r nothing) (legal r draw) (legal r win)
        (legal r wait) (<= (next (did ?m)) (does r ?m)) (<= (next start) (does r wait))
        (<= terminal (not (true start)))
        (<= (goal r 0) (not (true (did draw))) (not (true (did win))))
        (<= (goal r 50) (true (did draw))) (<= (goal r 100) (true (did win)))";

    fn found(wanted: bool) -> Vec<EndingMove> {
        let game = Game::load(RULES, &Limits::default()).expect("rules are right");
        let mut thread = Thread::new(&game, 1, &Budget::Iterations(1));
        let mut fresh = Fresh::default();
        fresh.take(&mut thread.walk, 1);
        let who = fresh.who(None);
        let mut ends = Vec::new();
        Tests::new(wanted).find(&mut thread, (&fresh, who), &[1.0], &mut ends);
        ends
    }

    #[test]
    fn moves_that_end_the_match_are_found_up_to_a_win() {
        let ends = found(true);
        let values: Vec<f32> = ends.iter().map(|it| it.values[0]).collect();
        assert_eq!(ends.iter().filter(|it| it.won).count(), 1);
        assert_eq!(values.last(), Some(&1.0), "it stops at the win");
        assert!(values.len() <= 3, "one move goes on: {values:?}");
        assert!(found(false).is_empty());
    }

    #[test]
    fn tests_rest_where_no_move_ends_the_match() {
        let rules = "(role r) (init (n 0)) (legal r a) (legal r b) (<= (next (n 1)) (true (n 0)))
            (<= (next (n 0)) (true (n 1))) (<= terminal (true (n 2))) (<= (next (n 2)) (true (n 2)))
            (goal r 0)";
        let game = Game::load(rules, &Limits::default()).expect("rules are right");
        let mut thread = Thread::new(&game, 1, &Budget::Iterations(1));
        let mut fresh = Fresh::default();
        fresh.take(&mut thread.walk, 1);
        let (who, mut ends) = (fresh.who(None), Vec::new());
        let mut tests = Tests::new(true);
        for _ in 0..1000 {
            tests.find(&mut thread, (&fresh, who), &[1.0], &mut ends);
        }
        assert!(ends.is_empty() && tests.found < ENOUGH);
    }
}
