//! Playouts that learn, and playouts that are cut early. Seeds are fixed.

use super::*;
use crate::Budget;
use crate::kit::policy::tests::{chi_square, threshold};
use crate::kit::policy::{Knowledge, PolicySettings, Wanted};
use game::{Decisive, Limits, MoveId, MoveTable, Weights};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

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

/// One role adds a point or not, five times; the sum is its goal at any time, and twice that at
/// the end. The other has a goal only then.
const SCORES: &str = "(role r) (role s) (init (at 0)) (init (sum 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (worth 0 0 0) (worth 1 10 20) (worth 2 20 40) (worth 3 30 60) (worth 4 40 80)
    (worth 5 50 100)
    (legal r add) (legal r keep) (legal s noop)
    (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
    (<= (next (sum ?m)) (does r add) (true (sum ?n)) (succ ?n ?m))
    (<= (next (sum ?n)) (does r keep) (true (sum ?n)))
    (<= terminal (true (at 5)))
    (<= (goal r ?now) (true (sum ?n)) (worth ?n ?now ?end) (not terminal))
    (<= (goal r ?end) (true (sum ?n)) (worth ?n ?now ?end) terminal)
    (<= (goal s 0) terminal)";

/// How often single playouts of a policy with a cutoff brought the first role each tenth.
fn tenths(game: &Game, policy: Box<dyn Policy>, cutoff: Option<u64>) -> ([u64; 11], Estimate) {
    let playouts = Playouts::new(game, game.lanes(), policy);
    let mut playouts = playouts.cutting(cutoff);
    assert!(cutoff.is_none() || playouts.lanes().is_none());
    let mut thread = Thread::new(game, 1, &Budget::Iterations(1));
    let first = thread.walk.state().to_owned();
    let states = &[&*first; 3200][..];
    let (mut counts, mut out) = ([0; 11], Vec::new());
    let by = By::One;
    playouts.evaluate(&mut thread, &Batch { states, by }, &mut out);
    for one in &out {
        counts[(10.0 * one.values[0]).round() as usize] += 1;
    }
    (counts, out.swap_remove(0))
}

/// Sums are distributed by Pascal's triangle, at the cut as at the end.
#[test]
fn a_playout_that_is_cut_brings_the_goals_of_its_state() {
    let game = Game::load(SCORES, &Limits::default()).unwrap();
    let shared = Arc::new(Knowledge::new(&game));
    let rows: [&[f64]; 3] = [&[1.0, 1.0], &[1.0, 2.0, 1.0], &[1.0, 3.0, 3.0, 1.0]];
    for name in ["uniform", "lgr2"] {
        for (row, turns) in rows.iter().zip(1..) {
            let policy = PolicySettings::named(name, Wanted::Is(Decisive::No));
            let policy = policy.make(&game, &shared, false);
            let (counts, first) = tenths(&game, policy, Some(turns));
            let (reached, rest) = counts.split_at(row.len());
            assert_eq!(rest.iter().sum::<u64>(), 0, "{name}, {turns}: {counts:?}");
            if name == "uniform" {
                assert!(
                    chi_square(reached, row) < threshold(row.len()),
                    "{counts:?}"
                );
            }
            assert_eq!(first.values[1], 0.5, "it has no goal there");
            assert_eq!(first.highest[0], 0.0, "nothing was reached");
        }
    }
    for cutoff in [Some(5), Some(6), None] {
        let (counts, first) = tenths(&game, Box::new(Uniform), cutoff);
        let sums: Vec<u64> = counts.into_iter().step_by(2).collect();
        let row = [1.0, 5.0, 10.0, 10.0, 5.0, 1.0];
        assert!(chi_square(&sums, &row) < threshold(6), "{counts:?}");
        assert_eq!((first.values[1], first.highest[0]), (0.0, first.values[0]));
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
