//! `Reasons`: which given values make something true or false.
//!
//! Takes an assignment ([`Kept`]) and bits it shows; gives literals of given variables from which
//! the same bits follow, whatever the other given variables are, as long as the decisions are the
//! same. A definition that some literal of its body decides needs that literal alone; else it needs
//! the whole body. Among several that decide, one that is needed anyway is taken, then a decision,
//! which costs nothing, then an input, then the shortest body.

use super::kept::Kept;
use super::{Bodies, NONE};
use crate::domain::Value;
use crate::model::Variable;

/// A given variable has a value, or has it not.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cause {
    /// The variable.
    pub variable: Variable,
    /// The value.
    pub value: Value,
    /// Whether the variable has the value.
    pub holds: bool,
}

/// Working memory, and the reasons found so far.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    /// For each node, the question at which it was looked at last.
    marks: Vec<u32>,
    question: u32,
    waiting: Vec<u32>,
    causes: Vec<Cause>,
}

impl Reasons {
    /// Begins a new question.
    pub fn clear(&mut self) {
        self.causes.clear();
        self.question = match self.question.checked_add(1) {
            Some(next) => next,
            None => {
                self.marks.fill(0);
                1
            }
        };
    }

    /// The literals found, each once.
    pub fn causes(&self) -> &[Cause] {
        &self.causes
    }

    /// Adds why a watched literal has the truth it has.
    pub fn watched(&mut self, kept: &Kept<'_>, place: usize) {
        self.add(kept, kept.defined.bodies.shown[place]);
    }

    /// Adds why a noted literal has the truth it has.
    pub fn noted(&mut self, kept: &Kept<'_>, place: usize) {
        let first = kept.defined.watched * 64;
        self.add(kept, kept.defined.bodies.shown[first + place]);
    }

    /// Adds why a decision is allowed a value, or is not.
    pub fn allowed(&mut self, kept: &Kept<'_>, (decision, value): (usize, Value)) {
        let first = kept.defined.decisions[decision].word * 64;
        self.add(kept, kept.defined.bodies.shown[first + value as usize]);
    }

    fn add(&mut self, kept: &Kept<'_>, literal: u32) {
        if literal == NONE {
            return;
        }
        self.marks.resize(kept.defined.len(), 0);
        self.mark(literal >> 1);
        while let Some(node) = self.waiting.pop() {
            self.expand(kept, node as usize);
        }
    }

    fn mark(&mut self, node: u32) {
        let mark = &mut self.marks[node as usize];
        if *mark != self.question {
            *mark = self.question;
            self.waiting.push(node);
        }
    }

    /// Marks what a node follows from, or notes it if it is given.
    fn expand(&mut self, kept: &Kept<'_>, node: usize) {
        let bodies = &kept.defined.bodies;
        if let Some((variable, value)) = bodies.inputs[node] {
            if !bodies.decided[node] {
                self.causes.push(Cause {
                    variable,
                    value,
                    holds: kept.values[variable.index()] == value,
                });
            }
            return;
        }
        if kept.now.counts[node] == 0 {
            let body = bodies.starts[node] as usize..bodies.starts[node + 1] as usize;
            for place in body {
                self.mark(bodies.literals[place] >> 1);
            }
        } else if let Some(literal) = self.cheapest(kept, node) {
            self.mark(literal >> 1);
        }
    }

    /// The literal of a body that decides the node and costs least.
    fn cheapest(&self, kept: &Kept<'_>, node: usize) -> Option<u32> {
        let bodies = &kept.defined.bodies;
        let body = bodies.starts[node] as usize..bodies.starts[node + 1] as usize;
        let is_or = kept.defined.is_or[node];
        let body = bodies.literals[body].iter().copied();
        let decides = body.filter(|&it| holds(kept, it) == is_or);
        decides.min_by_key(|&it| self.cost(bodies, (it >> 1) as usize))
    }

    fn cost(&self, bodies: &Bodies, node: usize) -> u32 {
        if self.marks[node] == self.question || bodies.decided[node] {
            return 0;
        }
        match bodies.inputs[node] {
            Some(_) => 1,
            None => 2 + bodies.starts[node + 1] - bodies.starts[node],
        }
    }
}

/// Whether a literal holds.
fn holds(kept: &Kept<'_>, literal: u32) -> bool {
    let node = (literal >> 1) as usize;
    let truth = match kept.defined.bodies.inputs[node] {
        Some((variable, value)) => kept.values[variable.index()] == value,
        None => (kept.now.counts[node] > 0) == kept.defined.is_or[node],
    };
    truth != (literal & 1 == 1)
}
