//! A propositional network of counting gates: what a [`super::Single`] propagates changes through.
//!
//! Every fluent, move and gate has a *slot*: a counter and a bit. The counter of a gate is the
//! number of its literals that hold minus the number of all, so the gate holds if the counter is
//! not negative; that of an input is 0 or −1. The bit means:
//!
//! - fluents and nodes of recursions: whether it holds;
//! - gates: whether it changed and its users are not updated yet;
//! - *ports* (legal moves, the end, next fluents, inputs of recursions): whether it holds, or
//!   does not if the port is negated. No gate uses a port, so a port has no fan.
//!
//! Invariants: slots are in the order of [`Propnet::sections`], and in each section in the order
//! of its phases; a gate's slot comes after its inputs; bits of another kind start at a new word.
//! Slots of goals and percepts are in no fan.

use super::guards::GuardGroup;
use super::layout::Layout;
use super::recursion::Recursion;
use logic::{Bits, BitsBuf, Exceeded, GroundProgram, Literal, Loading, RoleId, TermId};
use std::ops::Range;

/// The users of a slot: a part of `Propnet::targets`.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Fan {
    pub(crate) start: u32,
    /// From here on those that use its negation.
    pub(crate) negative: u32,
    pub(crate) end: u32,
}

/// A part of a section, evaluated after those before it.
#[derive(Clone, Debug)]
pub(crate) enum Phase {
    /// Gates: the words of their slots.
    Gates(Range<usize>),
    /// A recursion, by its number.
    Recursion(usize),
}

/// A ground program as counting gates: immutable, to be shared between threads.
#[derive(Debug)]
pub struct Propnet {
    pub(crate) fluents: Vec<TermId>,
    /// The initial state.
    pub(crate) initial: BitsBuf,
    pub(crate) moves: Vec<Vec<TermId>>,
    /// The slot of each role's first move.
    pub(crate) first_moves: Vec<u32>,
    /// Counters and bits where no input holds, before propagation.
    pub(crate) counts: Vec<i32>,
    pub(crate) bits: Vec<u64>,
    pub(crate) fans: Vec<Fan>,
    pub(crate) targets: Vec<u32>,
    /// The phases of the state, the turn, goals and percepts.
    pub(crate) sections: [Vec<Phase>; 4],
    pub(crate) recursions: Vec<Recursion>,
    /// Where the literals of each slot that is evaluated on demand start.
    pub(crate) bodies: Vec<u32>,
    pub(crate) literals: Vec<Literal>,
    /// The first slot that is evaluated on demand.
    pub(crate) first_cold: usize,
    /// The first port of each role's moves.
    pub(crate) legal: Vec<usize>,
    pub(crate) groups: Vec<Vec<GuardGroup>>,
    /// The slot of the end's port.
    pub(crate) terminal: usize,
    /// The words of the ports of the fluents.
    pub(crate) next: Range<usize>,
    pub(crate) goals: Vec<Vec<Goal>>,
    pub(crate) percepts: Vec<Vec<TermId>>,
    /// For each percept of a role the literal that decides it.
    pub(crate) percept_literals: Vec<Vec<Literal>>,
}

/// A goal that a role may have.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Goal {
    pub(crate) term: TermId,
    pub(crate) value: u32,
    pub(crate) literal: Literal,
}

impl Propnet {
    /// The propnet of a ground program.
    pub fn new(program: &GroundProgram) -> Propnet {
        let built = Propnet::within(program, &Loading::unlimited());
        built.expect("loading without limits exceeds none")
    }

    /// The propnet, built as a stage of loading.
    pub fn within(program: &GroundProgram, loading: &Loading<'_>) -> Result<Propnet, Exceeded> {
        let propnet = Layout::new(program, loading)?.propnet(program.terms());
        debug_assert!(propnet.is_valid());
        Ok(propnet)
    }

    /// How many roles there are.
    pub fn roles(&self) -> usize {
        self.moves.len()
    }

    /// The ids of the roles, in order.
    pub fn role_ids(&self) -> impl DoubleEndedIterator<Item = RoleId> + ExactSizeIterator + Clone {
        RoleId::all(self.roles())
    }

    /// The highest goal of a role in the rules; 0 if it has none.
    pub fn highest(&self, role: RoleId) -> u32 {
        let values = self.goals[role.index()].iter().map(|goal| goal.value);
        values.max().unwrap_or(0)
    }

    /// The fluents, in the order of the ground program.
    pub fn fluents(&self) -> &[TermId] {
        &self.fluents
    }

    /// The initial state.
    pub fn initial(&self) -> &Bits {
        &self.initial
    }

    /// The moves of a role, in the order of the ground program.
    pub fn moves(&self, role: RoleId) -> &[TermId] {
        &self.moves[role.index()]
    }

    /// The percepts of a role, in the order of the ground program.
    pub fn percepts(&self, role: RoleId) -> &[TermId] {
        &self.percepts[role.index()]
    }

    /// How many slots there are: inputs, gates and ports.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are no slots.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How many targets all fans have together.
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
        forward && backward && self.next.len() == self.initial.words().len()
    }
}
