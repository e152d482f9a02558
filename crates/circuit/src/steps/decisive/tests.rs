//! Where moves are found to win, they win; and how many wins are found.

#![allow(clippy::print_stdout, reason = "a test may say how much it found")]

use super::super::{Turn, tests};
use crate::circuit::Circuit;
use crate::kernel::plan::GatePlan;
use crate::kernel::{Code, Kernel};
use crate::lanes::kernels::Kernels;
use crate::lanes::random::Random;
use crate::lanes::word::{Lanewise, Word};
use crate::net::Wire;
use crate::steps::cycle::Cycle;
use crate::steps::{TurnOptions, TurnPlan, turn, view};
use std::sync::Arc;

/// Lanes of the tests.
const P: usize = 1;
/// How many turns each game is played.
const TURNS: usize = 130;
/// Games in which nearly all wins are found.
const MOST_FOUND: [&str; 10] = [
    "breakthrough",
    "connect-four",
    "connect-four-20x20",
    "knight-through",
    "majorities",
    "pentago",
    "quarto",
    "tic-tac-toe",
    "tictac-chess",
    "ttcc4",
];
const ALL: Word<P> = [u64::MAX; P];

/// A game in lanes, with all that is asked of it.
struct Table<'c> {
    circuit: &'c Circuit,
    view: Kernel<P>,
    next: Kernel<P>,
    points: Vec<Point>,
}

/// A point of the cycle.
struct Point {
    turn: Kernel<P>,
    random: usize,
    /// Where each move may be chosen.
    eligible: Kernel<P>,
    decides: bool,
}

/// Lanes in which a role could win at once, and those in which it is found to.
#[derive(Debug, Default)]
struct Shares {
    wins: u64,
    found: u64,
}

impl<'c> Table<'c> {
    fn new(circuit: &'c Arc<Circuit>) -> Table<'c> {
        let kernels = Kernels::<8>::new(circuit.clone(), Code::Native);
        let cycle = Cycle::new(circuit);
        let fluents = circuit.fluents.len();
        let point = |point| {
            let known = cycle.known(point, fluents);
            let plan = TurnPlan::new(circuit, &known, TurnOptions::default());
            let mut turn = Turn::new(circuit, &known);
            let picks = kernels.picks(Some(point));
            let eligible: Vec<Wire> = turn.eligible(picks, None).concat();
            let eligible = GatePlan::new(&turn.net, fluents, &eligible);
            Point {
                turn: Kernel::new(&plan.plan, Code::Native),
                random: plan.random,
                eligible: Kernel::new(&eligible, Code::Native),
                decides: !picks.is_empty(),
            }
        };
        Table {
            circuit,
            view: Kernel::new(&view(circuit), Code::Native),
            next: Kernel::new(&turn(circuit), Code::Native),
            points: (0..cycle.len()).map(point).collect(),
        }
    }

    /// Plays at random, and compares in each state what is found with what is there.
    fn compare(&self) -> Shares {
        let fluents = self.circuit.fluents.len();
        let mut random = Random::new(11);
        let start = self.circuit.initial.iter().map(|&it| Word::splat(it));
        let start: Vec<Word<P>> = start.collect();
        let mut state = start.clone();
        let mut ended = [0; P];
        let mut shares = Shares::default();
        for time in 0..TURNS {
            let point = &self.points[time % self.points.len()];
            if time % self.points.len() == 0 {
                for (state, start) in state.iter_mut().zip(&start) {
                    *state = state.without(ended).or(start.and(ended));
                }
                ended = [0; P];
            }
            let mut drawn = vec![[0; P]; point.random];
            random.fill(drawn.as_flattened_mut());
            let outputs = run(&point.turn, &[&state, &drawn]);
            ended = ended.or(outputs[0]).or(outputs[1]);
            if point.decides {
                self.check(point, &state, ALL.without(ended), &mut shares);
            }
            state.copy_from_slice(&outputs[2..][..fluents]);
        }
        shares
    }

    /// Checks one turn of lanes that play.
    fn check(&self, point: &Point, state: &[Word<P>], playing: Word<P>, shares: &mut Shares) {
        let eligible = run(&point.eligible, &[state]);
        let view = run(&self.view, &[state]);
        let moves: usize = self.circuit.moves.iter().map(Vec::len).sum();
        let legal = &view[1..=moves];
        let mut first = 0;
        for (role, moves) in self.circuit.moves.iter().enumerate() {
            let own = first..first + moves.len();
            first = own.end;
            let wins = self.wins(role, state, legal);
            let some = |words: &[Word<P>]| words.iter().fold([0; P], |any, &it| any.or(it));
            let (mut differs, mut fails) = ([0; P], [0; P]);
            for ((&eligible, &legal), &win) in eligible[own.clone()]
                .iter()
                .zip(&legal[own.clone()])
                .zip(&wins)
            {
                let eligible = eligible.and(playing);
                assert!(eligible.without(legal).is_none(), "eligible, but not legal");
                differs = differs.or(legal.and(playing).without(eligible));
                fails = fails.or(eligible.without(win));
            }
            assert!(differs.and(fails).is_none(), "found to win, but does not");
            assert!(differs.without(some(&eligible[own])).is_none(), "no move");
            let wins = some(&wins).and(playing);
            shares.wins += wins.count();
            shares.found += wins.without(fails).count();
        }
    }

    /// Where each move of a role wins at once and every other role has just one.
    fn wins(&self, role: usize, state: &[Word<P>], legal: &[Word<P>]) -> Vec<Word<P>> {
        let mut joint = legal.to_vec();
        let mut alone = ALL;
        let mut first = 0;
        let mut own = 0..0;
        for (number, moves) in self.circuit.moves.iter().enumerate() {
            let range = first..first + moves.len();
            first = range.end;
            if number == role {
                own = range;
                continue;
            }
            let (mut one, mut two) = ([0; P], [0; P]);
            for &legal in &legal[range] {
                two = two.or(one.and(legal));
                one = one.or(legal);
            }
            alone = alone.and(one).without(two);
        }
        let mut wins = vec![[0; P]; own.len()];
        for number in own.clone().filter(|&it| !legal[it].is_none()) {
            joint[own.clone()].fill([0; P]);
            joint[number] = ALL;
            let next = run(&self.next, &[state, &joint]);
            let view = run(&self.view, &[&next[..state.len()]]);
            let best = self.best(role, &view[1 + joint.len()..]);
            wins[number - own.start] = legal[number].and(alone).and(view[0]).and(best);
        }
        wins
    }

    /// Where a role gets the most it can, given all goals.
    fn best(&self, role: usize, goals: &[Word<P>]) -> Word<P> {
        let outputs = &self.circuit.outputs.goals;
        let before: usize = outputs[..role].iter().map(Vec::len).sum();
        let possible = (outputs[role].iter().zip(&goals[before..]))
            .filter(|((value, wire), _)| *value > 0 && *wire != Wire::FALSE);
        let best = possible.max_by_key(|((value, _), _)| *value);
        best.map_or([0; P], |(_, &goal)| goal)
    }
}

fn run(kernel: &Kernel<P>, inputs: &[&[Word<P>]]) -> Vec<Word<P>> {
    let mut memory = vec![[0; P]; kernel.slots()];
    let inputs = inputs.concat();
    memory[1..=inputs.len()].copy_from_slice(&inputs);
    kernel.run(&mut memory);
    memory[kernel.first_output()..].to_vec()
}

/// What is found wins, in all our games; and nearly all wins are found in those that are listed.
#[test]
fn what_is_found_wins() {
    let mut listed = 0;
    for sheet in tests::sheets() {
        let rules = std::fs::read(&sheet).expect("a sheet");
        let circuit = Arc::new(tests::circuit(rules).expect("a circuit"));
        let table = Table::new(&circuit);
        if table.points.iter().all(|it| !it.decides) {
            continue;
        }
        let shares = table.compare();
        let folder = sheet.parent().and_then(|it| it.file_name());
        let name = folder.map_or_else(String::new, |it| it.to_string_lossy().into_owned());
        let share = shares.found as f64 / shares.wins as f64;
        println!("{name}: {} of {}, {share:.3}", shares.found, shares.wins);
        if MOST_FOUND.contains(&&name[..]) {
            assert!(shares.wins > 100 && share > 0.97, "{name}: {share}");
            listed += 1;
        }
    }
    assert_eq!(listed, MOST_FOUND.len());
}
