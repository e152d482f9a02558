//! A network of counting gates: what a [`super::Single`] propagates changes through.
//!
//! Every fluent, move and gate has a *slot*: a counter, and a bit. The counter of a gate is
//! the number of its literals that hold minus the number of all, so that it holds if the
//! counter is not negative; that of an input is 0 or −1. What the bit says depends on where
//! the slot is:
//!
//! - fluents, and what recursions derive: whether it holds;
//! - gates: whether it changed and those that need it do not know yet;
//! - *ports* (what makes a move legal, the end, what makes a fluent hold next, what a
//!   recursion needs from outside): whether it holds, or does not if the port is negated.
//!   Nothing else asks for a port, so nothing has to be told.
//!
//! Invariants: slots are in the order of [`Network::sections`], and in each section in the
//! order of its stages; a gate's slot comes after those it asks for; what has bits of another
//! kind starts at a new word. Slots of goals and percepts are in nobody's fan.

use super::guards::Group;
use super::layout::Layout;
use super::recursion::Recursion;
use logic::{GroundProgram, Literal, TermId};
use std::ops::Range;

/// Whom a slot tells that it changed: a part of `Network::targets`.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Fan {
    pub(crate) start: u32,
    /// From here on those that need it not to hold.
    pub(crate) negative: u32,
    pub(crate) end: u32,
}

/// A part of a section, to be done after those before it.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    /// Gates: the words of their slots.
    Gates(Range<usize>),
    /// A recursion, by its number.
    Recursion(usize),
}

/// A ground program as counting gates: immutable, to be shared between threads.
#[derive(Debug)]
pub struct Network {
    pub(crate) fluents: Vec<TermId>,
    /// Which fluents hold first, packed.
    pub(crate) initial: Vec<u64>,
    pub(crate) moves: Vec<Vec<TermId>>,
    /// The slot of each role's first move.
    pub(crate) first_moves: Vec<u32>,
    /// Counters and bits where no input holds, before anything is propagated.
    pub(crate) counts: Vec<i32>,
    pub(crate) bits: Vec<u64>,
    pub(crate) fans: Vec<Fan>,
    pub(crate) targets: Vec<u32>,
    /// The stages of the state, the turn, goals and percepts.
    pub(crate) sections: [Vec<Stage>; 4],
    pub(crate) recursions: Vec<Recursion>,
    /// Where the literals of each slot that is evaluated on demand start.
    pub(crate) bodies: Vec<u32>,
    pub(crate) literals: Vec<Literal>,
    /// The first slot that is evaluated on demand.
    pub(crate) first_cold: usize,
    /// The first port of each role's moves.
    pub(crate) legal: Vec<usize>,
    pub(crate) groups: Vec<Vec<Group>>,
    /// The slot of the end's port.
    pub(crate) terminal: usize,
    /// The words of the ports of the fluents.
    pub(crate) next: Range<usize>,
    pub(crate) goals: Vec<Vec<Goal>>,
    pub(crate) percepts: Vec<Vec<(TermId, Literal)>>,
}

/// A goal that a role may have.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Goal {
    pub(crate) term: TermId,
    pub(crate) value: u32,
    pub(crate) literal: Literal,
}

impl Network {
    /// The network of a ground program.
    pub fn new(program: &GroundProgram) -> Network {
        let network = Layout::new(program).network(program.terms());
        debug_assert!(network.is_valid());
        network
    }

    /// How many roles there are.
    pub fn roles(&self) -> usize {
        self.moves.len()
    }

    /// The highest goal that the rules have for a role; 0 if there is none.
    pub fn highest(&self, role: usize) -> u32 {
        let values = self.goals[role].iter().map(|goal| goal.value);
        values.max().unwrap_or(0)
    }

    /// The fluents, as the program numbers them.
    pub fn fluents(&self) -> &[TermId] {
        &self.fluents
    }

    /// The first state, packed: bit `f % 64` of word `f / 64` for fluent `f`.
    pub fn initial(&self) -> &[u64] {
        &self.initial
    }

    /// The moves of each role: a move's number is its place here.
    pub fn moves(&self) -> &[Vec<TermId>] {
        &self.moves
    }

    /// How many slots there are: inputs, gates and ports.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there is nothing at all.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How many places there are where a gate is told of a change.
    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    fn is_valid(&self) -> bool {
        let forward = self.fans.iter().enumerate().all(|(slot, fan)| {
            let targets = &self.targets[fan.start as usize..fan.end as usize];
            fan.negative >= fan.start
                && targets
                    .iter()
                    .all(|&it| it as usize > slot && (it as usize) < self.first_cold)
        });
        let backward = self.bodies.windows(2).enumerate().all(|(number, body)| {
            let literals = &self.literals[body[0] as usize..body[1] as usize];
            let before = |it: &Literal| it.node().is_some_and(|it| it.0 < self.first_cold + number);
            literals.iter().all(before)
        });
        forward && backward && self.next.len() == self.initial.len()
    }
}
