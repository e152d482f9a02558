//! 512 states at once: one pass over the gates evaluates them all, one bit each.

use crate::choice::{Chooser, choose};
use crate::circuit::{Circuit, Gate, Wire};
use crate::clock::Clock;
use crate::tally::Tally;
use crate::word::{WIDTH, Word};
use multiversion::multiversion;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The phases of a circuit.
#[derive(Copy, Clone)]
enum Phase {
    State,
    Goals,
    Turn,
    Percepts,
}

/// Working memory for 512 states of a game.
#[derive(Debug)]
pub struct Lanes<'c> {
    circuit: &'c Circuit,
    values: Vec<Word>,
    /// Legal moves, or next fluents, while the values are written.
    buffer: Vec<Word>,
    chooser: Chooser,
    random: Xoshiro256PlusPlus,
}

/// What follows from one state, in all lanes alike: by number of role, move, goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// Whether the match is over.
    pub terminal: bool,
    /// For each role which moves are legal.
    pub legal: Vec<Vec<bool>>,
    /// For each role which goals it has.
    pub goals: Vec<Vec<bool>>,
}

impl<'c> Lanes<'c> {
    /// Working memory, with the seed of its random choices.
    pub fn new(circuit: &'c Circuit, seed: u64) -> Lanes<'c> {
        let nodes = circuit.first_gate() + circuit.gates.len();
        Lanes {
            circuit,
            values: vec![Word::NONE; nodes],
            buffer: Vec::new(),
            chooser: Chooser::default(),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// Plays so many matches at random from the first state, each at most `turns` long.
    pub fn playouts(&mut self, count: u64, turns: u64) -> Tally {
        let mut tally = Tally::new(self.circuit.roles());
        let mut active = Word::first(usize::try_from(count).unwrap_or(WIDTH).min(WIDTH));
        let mut waiting = count - active.count();
        let mut clock = Clock::new(turns);
        self.load(&self.circuit.initial);
        while !active.is_none() {
            self.evaluate(Phase::State);
            let over = self.wire(self.circuit.terminal) & active;
            if !over.is_none() {
                self.tally_goals(over, &mut tally);
            }
            let stuck = self.choose() & active & !over;
            let cut = clock.cut(active & !over & !stuck);
            let ended = over | stuck | cut;
            tally.stuck += stuck.count();
            tally.cut += cut.count();
            tally.turns += (active & !ended).count();
            let fresh = ended.lowest(waiting);
            waiting -= fresh.count();
            self.evaluate(Phase::Turn);
            self.advance(fresh);
            clock.tick(fresh);
            active = (active & !ended) | fresh;
        }
        tally
    }

    /// What follows from a state, given as which fluents hold; none if lanes disagree, which
    /// is a fault of the engine.
    pub fn view(&mut self, fluents: &[bool]) -> Option<Answers> {
        self.load(fluents);
        self.evaluate(Phase::State);
        self.evaluate(Phase::Goals);
        let goals = (self.circuit.goals.iter())
            .map(|goals| goals.iter().map(|&(_, wire)| self.uniform(wire)).collect());
        let legal = (self.circuit.legal.iter())
            .map(|wires| wires.iter().map(|&wire| self.uniform(wire)).collect());
        Some(Answers {
            terminal: self.uniform(self.circuit.terminal)?,
            legal: legal.collect::<Option<_>>()?,
            goals: goals.collect::<Option<_>>()?,
        })
    }

    /// The fluents after a joint move, by number of each role's move, and which percepts each
    /// role has; none if lanes disagree.
    pub fn next(
        &mut self,
        fluents: &[bool],
        joint: &[usize],
    ) -> Option<(Vec<bool>, Vec<Vec<bool>>)> {
        self.load(fluents);
        for (role, &chosen) in joint.iter().enumerate() {
            let first = self.circuit.first_move(role);
            for (number, value) in self.values[first..]
                .iter_mut()
                .enumerate()
                .take(self.circuit.legal[role].len())
            {
                *value = Word::splat(number == chosen);
            }
        }
        for phase in [Phase::State, Phase::Turn, Phase::Percepts] {
            self.evaluate(phase);
        }
        let next = self.circuit.next.iter().map(|&wire| self.uniform(wire));
        let percepts = (self.circuit.percepts.iter())
            .map(|seen| seen.iter().map(|&(_, wire)| self.uniform(wire)).collect());
        Some((
            next.collect::<Option<_>>()?,
            percepts.collect::<Option<_>>()?,
        ))
    }

    /// Puts one state into all lanes.
    fn load(&mut self, fluents: &[bool]) {
        for (value, &holds) in self.values[1..].iter_mut().zip(fluents) {
            *value = Word::splat(holds);
        }
    }

    /// Goes to the next states; lanes in `fresh` start over.
    fn advance(&mut self, fresh: Word) {
        read(&self.circuit.next, &self.values, &mut self.buffer);
        restart(
            &self.buffer,
            &self.circuit.initial,
            fresh,
            &mut self.values[1..],
        );
    }

    fn tally_goals(&mut self, over: Word, tally: &mut Tally) {
        self.evaluate(Phase::Goals);
        tally.playouts += over.count();
        for (role, goals) in self.circuit.goals.iter().enumerate() {
            for &(value, wire) in goals {
                tally.add_goals(role, value, (self.wire(wire) & over).count());
            }
        }
    }

    /// Chooses a legal move for each role and lane; returns the lanes in which a role has
    /// none.
    fn choose(&mut self) -> Word {
        let mut stuck = Word::NONE;
        for role in 0..self.circuit.roles() {
            read(&self.circuit.legal[role], &self.values, &mut self.buffer);
            let first = self.circuit.first_move(role);
            let done = &mut self.values[first..first + self.buffer.len()];
            stuck = stuck | choose(&mut self.chooser, &self.buffer, done, &mut self.random);
        }
        stuck
    }

    fn wire(&self, wire: Wire) -> Word {
        self.values[wire.node()] ^ Word::splat(wire.is_negated())
    }

    /// The value of a wire in all lanes, if they agree.
    fn uniform(&self, wire: Wire) -> Option<bool> {
        match self.wire(wire) {
            Word::ALL => Some(true),
            Word::NONE => Some(false),
            _ => None,
        }
    }

    fn evaluate(&mut self, phase: Phase) {
        let gates = self.circuit.phases()[phase as usize].clone();
        let first = self.circuit.first_gate() + gates.start;
        evaluate(&self.circuit.gates[gates], first, &mut self.values);
    }
}

/// Evaluates gates in order; the first has the given node.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "aarch64+neon"))]
fn evaluate(gates: &[Gate], first: usize, values: &mut [Word]) {
    for (number, &Gate(left, right)) in gates.iter().enumerate() {
        let (a, b) = (values[left.node()], values[right.node()]);
        let (a, b) = (
            a ^ Word::splat(left.is_negated()),
            b ^ Word::splat(right.is_negated()),
        );
        values[first + number] = a & b;
    }
}

/// Reads some wires.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "aarch64+neon"))]
fn read(wires: &[Wire], values: &[Word], into: &mut Vec<Word>) {
    into.clear();
    for &wire in wires {
        into.push(values[wire.node()] ^ Word::splat(wire.is_negated()));
    }
}

/// Writes the next fluents, or the first ones in the lanes that start over.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "aarch64+neon"))]
fn restart(next: &[Word], initial: &[bool], fresh: Word, fluents: &mut [Word]) {
    for ((fluent, &next), &first) in fluents.iter_mut().zip(next).zip(initial) {
        *fluent = (next & !fresh) | (Word::splat(first) & fresh);
    }
}
