//! `Kept`: an assignment that is updated as given values and decisions change.
//!
//! Takes values, gives the truth of watched literals and which decisions are allowed. A node
//! counts the literals of its body that decide it. When a count leaves or reaches zero, the node
//! is queued; nodes change in their order, so each changes at most once. Nodes that depend on
//! decisions change only after the decisions are made.

use super::order::is_wrong;
use super::{Defined, NONE, Start};
use crate::domain::{Value, bits};
use crate::model::Variable;
use crate::search::{Ending, Report, SearchLimits};
use std::ops::{ControlFlow, Range};

/// The working memory of one caller.
#[derive(Clone, Debug)]
pub struct Kept<'d> {
    pub(super) defined: &'d Defined,
    pub(super) now: Start,
    /// The value of each given variable and decision, if it has one.
    pub(super) values: Vec<Value>,
    /// A bit for each node that has to change.
    waiting: Vec<u64>,
    /// The options of each decision.
    options: Vec<Options>,
}

/// The assignment of a [`Kept`] that was set aside, to go on from later.
#[derive(Clone, Debug)]
pub struct SetAside {
    now: Start,
    values: Vec<Value>,
    waiting: Vec<u64>,
    options: Vec<Options>,
}

/// The values that a decision is allowed.
#[derive(Clone, Debug, Default)]
struct Options {
    values: Vec<Value>,
    /// The place of the value that is decided next.
    next: usize,
}

impl<'d> Kept<'d> {
    /// Working memory; no variable has a value.
    pub fn new(defined: &'d Defined) -> Kept<'d> {
        Kept {
            now: defined.start.clone(),
            values: vec![NONE; defined.places.len()],
            waiting: vec![0; defined.is_or.len().div_ceil(64)],
            options: vec![Options::default(); defined.decisions.len()],
            defined,
        }
    }

    /// Sets the assignment aside.
    pub fn set_aside(self) -> SetAside {
        SetAside {
            now: self.now,
            values: self.values,
            waiting: self.waiting,
            options: self.options,
        }
    }

    /// Goes on from an assignment of the same model that was set aside.
    pub fn resume(defined: &'d Defined, aside: SetAside) -> Kept<'d> {
        debug_assert_eq!(aside.now.counts.len(), defined.start.counts.len());
        Kept {
            now: aside.now,
            values: aside.values,
            waiting: aside.waiting,
            options: aside.options,
            defined,
        }
    }

    /// Gives a value to a given variable or a decision.
    pub fn set(&mut self, variable: Variable, value: Value) {
        let old = std::mem::replace(&mut self.values[variable.index()], value);
        if old == value {
            return;
        }
        let place = self.defined.places[variable.index()];
        for (value, holds) in [(old, false), (value, true)] {
            if value != NONE {
                let node = self.defined.inputs[(place + value) as usize];
                if node != NONE {
                    self.change(node as usize, holds);
                }
            }
        }
    }

    /// Updates the nodes that follow from given variables alone.
    pub fn settle(&mut self) {
        self.settle_words(0..self.defined.late / 64);
    }

    /// Updates the nodes that depend on decisions. Returns whether every variable has exactly
    /// one value.
    pub fn settle_decisions(&mut self) -> bool {
        self.settle_words(self.defined.late / 64..self.waiting.len());
        self.now.wrong == 0
    }

    /// The truth of the watched literals, one bit each, then unused bits.
    pub fn watched(&self) -> &[u64] {
        &self.now.shown[..self.defined.words()]
    }

    /// The truth of a noted literal, by its place among them.
    pub fn notes(&self, place: usize) -> bool {
        let word = self.now.shown[self.defined.watched..self.defined.noted][place / 64];
        word >> (place % 64) & 1 == 1
    }

    /// The values that a decision is allowed, by its place among the decisions.
    pub fn allowed(&self, decision: usize) -> impl Iterator<Item = Value> + '_ {
        let words = self.words_of(decision).iter();
        let places = (0u32..).step_by(64);
        words
            .zip(places)
            .flat_map(|(&word, first)| bits(word).map(move |bit| first + bit))
    }

    /// Whether a decision is allowed a value.
    pub fn allows(&self, decision: usize, value: Value) -> bool {
        let word = self.words_of(decision)[value as usize / 64];
        word >> (value % 64) & 1 == 1
    }

    /// Whether every decision is allowed some value.
    pub fn is_open(&self) -> bool {
        let mut decisions = 0..self.defined.decisions.len();
        decisions.all(|it| self.words_of(it).iter().any(|&word| word != 0))
    }

    fn words_of(&self, decision: usize) -> &[u64] {
        let choice = &self.defined.decisions[decision];
        &self.now.shown[choice.word..][..choice.values.div_ceil(64) as usize]
    }

    /// Visits every allowed combination of decisions, with the assignment that follows from it.
    pub fn each(
        &mut self,
        limits: &SearchLimits<'_>,
        mut visit: impl FnMut(&Kept<'d>, &[Value]) -> ControlFlow<()>,
    ) -> Report {
        let mut report = Report {
            ending: Ending::Complete,
            solutions: 0,
            nodes: 0,
            failures: 0,
        };
        let mut options = std::mem::take(&mut self.options);
        for (decision, Options { values, next }) in options.iter_mut().enumerate() {
            values.clear();
            values.extend(self.allowed(decision));
            *next = 0;
        }
        let is_open = options.iter().all(|it| !it.values.is_empty());
        let mut joint: Vec<Value> = Vec::with_capacity(options.len());
        let mut goes_on = is_open;
        while goes_on {
            if let Some(ending) = limits.before(&report) {
                report.ending = ending;
                break;
            }
            joint.clear();
            joint.extend(options.iter().map(|it| it.values[it.next]));
            report.nodes += 1;
            if !self.decide(&joint) {
                report.failures += 1;
            } else {
                report.solutions += 1;
                if visit(self, &joint).is_break() {
                    report.ending = Ending::Enough;
                    break;
                }
                if limits.solutions == Some(report.solutions) {
                    report.ending = Ending::Solutions;
                    break;
                }
            }
            goes_on = advance(&mut options);
        }
        self.options = options;
        report
    }

    /// Gives a value to every decision. Returns whether every variable then has exactly one
    /// value.
    pub fn decide(&mut self, joint: &[Value]) -> bool {
        let defined = self.defined;
        for (choice, &value) in defined.decisions.iter().zip(joint) {
            self.set(choice.variable, value);
        }
        self.settle_decisions()
    }

    fn settle_words(&mut self, words: Range<usize>) {
        for word in words {
            while self.waiting[word] != 0 {
                let node = word * 64 + self.waiting[word].trailing_zeros() as usize;
                self.waiting[word] &= self.waiting[word] - 1;
                let holds = (self.now.counts[node] > 0) == self.defined.is_or[node];
                self.change(node, holds);
            }
        }
    }

    /// Updates the users of a node whose literal became true or false.
    #[inline]
    fn change(&mut self, node: usize, holds: bool) {
        let defined = self.defined;
        let (start, end) = (defined.starts[node], defined.starts[node + 1]);
        let middle = defined.watches[node];
        for &target in &defined.targets[start as usize..middle as usize] {
            let user = (target >> 1) as usize;
            let count = &mut self.now.counts[user];
            let changes = match (target & 1 == 1) == holds {
                true => {
                    *count += 1;
                    *count == 1
                }
                false => {
                    *count -= 1;
                    *count == 0
                }
            };
            self.waiting[user / 64] ^= u64::from(changes) << (user % 64);
        }
        for &place in &defined.targets[middle as usize..end as usize] {
            self.now.shown[place as usize / 64] ^= 1 << (place % 64);
        }
        let group = defined.groups[node] as usize;
        if let Some(held) = self.now.held.get_mut(group) {
            let exact = defined.exact[group];
            let before = is_wrong(*held, exact);
            *held = if holds { *held + 1 } else { *held - 1 };
            match (before, is_wrong(*held, exact)) {
                (false, true) => self.now.wrong += 1,
                (true, false) => self.now.wrong -= 1,
                _ => {}
            }
        }
    }
}

/// Goes to the next combination; false after the last. The last decision changes first.
fn advance(options: &mut [Options]) -> bool {
    for Options { values, next } in options.iter_mut().rev() {
        *next += 1;
        if *next < values.len() {
            return true;
        }
        *next = 0;
    }
    false
}
