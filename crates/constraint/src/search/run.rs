//! One search: a stack of frames, one for each variable that is being tried.
//!
//! Invariant: a frame with a value under trial has a level of its own in the store, so that
//! there are as many levels above the first as frames.

use super::order::Extent;
use super::report::{Ending, Report};
use super::{Candidates, Query};
use crate::domain::Value;
use crate::model::Variable;
use crate::propagate::Engine;
use crate::solver::Solver;
use std::ops::ControlFlow;

/// A variable whose values are tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    variable: u32,
    value: Value,
    /// Whether the subtree of a value had a solution, so that the value was kept.
    is_kept: bool,
    /// How many solutions there were before the value was tried.
    before: u64,
    extent: Extent,
}

/// What to do with solutions.
pub(crate) enum Task<'v> {
    Count,
    Visit(&'v mut dyn FnMut(&Solution<'_>) -> ControlFlow<()>),
}

/// A solution, as it is found.
#[derive(Debug)]
pub struct Solution<'s> {
    engine: &'s Engine<'s>,
    /// The one variable that is open in the store, and its value in this solution.
    last: Option<(u32, Value)>,
}

impl Solution<'_> {
    /// The value of a variable.
    pub fn value(&self, variable: Variable) -> Value {
        match self.last {
            Some((last, value)) if last == variable.0 => value,
            _ => {
                let first = self.engine.store.next(self.engine.slot(variable), 0);
                first.expect("in a solution every domain has a value")
            }
        }
    }

    /// The values of all variables.
    pub fn values(&self) -> Vec<Value> {
        let variables = self.engine.network.variables();
        variables.map(|variable| self.value(variable)).collect()
    }
}

/// Where the search goes next.
enum Direction {
    /// Choose a variable.
    Descend,
    /// Go on with the frame on top.
    Advance,
}

/// A search under way.
pub(super) struct Run<'r, 's, 'n, 'v> {
    solver: &'s mut Solver<'n>,
    query: &'r Query<'r>,
    task: Task<'v>,
    report: Report,
    base: usize,
    extent: Extent,
    /// How many frames there were when all wanted variables had a value.
    witness: Option<usize>,
    /// Whether a single open variable needs no propagation.
    is_exact: bool,
    /// How often the limits were checked.
    checks: u32,
}

impl<'r, 's, 'n, 'v> Run<'r, 's, 'n, 'v> {
    pub(super) fn new(
        solver: &'s mut Solver<'n>,
        query: &'r Query<'r>,
        task: Task<'v>,
    ) -> Run<'r, 's, 'n, 'v> {
        let report = Report {
            ending: Ending::Complete,
            solutions: 0,
            nodes: 0,
            failures: 0,
        };
        // A level of its own, so that removals at the top are undone at the end.
        let base = solver.level() + 1;
        let is_exact = solver.network().clauses.is_exact;
        let extent = Extent::default();
        Run {
            solver,
            query,
            task,
            report,
            base,
            extent,
            witness: None,
            is_exact,
            checks: 0,
        }
    }

    pub(super) fn run(mut self) -> Report {
        if self.solver.is_alive().is_err() {
            return self.report;
        }
        self.solver.engine.store.push();
        self.solver.scratch.frames.clear();
        let Solver {
            engine, scratch, ..
        } = &mut *self.solver;
        self.extent = scratch.candidates.start(engine, self.query.projection);
        if let ControlFlow::Break(ending) = self.steps() {
            self.report.ending = ending;
        }
        self.solver.pop_to(self.base - 1);
        self.report
    }

    fn steps(&mut self) -> ControlFlow<Ending> {
        let mut direction = Direction::Descend;
        loop {
            direction = match direction {
                Direction::Descend => self.descend()?,
                Direction::Advance => match self.frames().is_empty() {
                    true => return ControlFlow::Continue(()),
                    false => self.advance()?,
                },
            }
        }
    }

    fn frames(&mut self) -> &mut Vec<Frame> {
        &mut self.solver.scratch.frames
    }

    fn engine(&mut self) -> &mut Engine<'n> {
        &mut self.solver.engine
    }

    /// Chooses a variable, or reports a solution if all have a value.
    fn descend(&mut self) -> ControlFlow<Ending, Direction> {
        let Solver {
            engine, scratch, ..
        } = &mut *self.solver;
        let candidates: &mut Candidates = &mut scratch.candidates;
        let order = self.query.order;
        if let Some(variable) = candidates.wanted(engine, &mut self.extent, order) {
            if self.is_exact && self.extent.wanted == 1 && self.extent.others == 0 {
                return self.last(variable);
            }
            return ControlFlow::Continue(self.open(variable));
        }
        if let Some(variable) = candidates.other(engine, &mut self.extent, order) {
            let frames = scratch.frames.len();
            self.witness.get_or_insert(frames);
            if self.is_exact && self.extent.others == 1 {
                let value = engine
                    .store
                    .next(engine.network.slots[variable as usize], 0);
                let value = value.expect("an open domain has values");
                return self.found(Some((variable, value)));
            }
            return ControlFlow::Continue(self.open(variable));
        }
        self.found(None)
    }

    /// Reports each value of the only open variable as a solution.
    fn last(&mut self, variable: u32) -> ControlFlow<Ending, Direction> {
        let slot = self.engine().network.slots[variable as usize];
        if let (Task::Count, None) = (&self.task, self.query.limits.solutions) {
            let size = self.engine().store.size(slot);
            self.report.solutions += u64::from(size);
            self.report.nodes += u64::from(size);
            return ControlFlow::Continue(Direction::Advance);
        }
        let mut from = 0;
        while let Some(value) = self.engine().store.next(slot, from) {
            self.report.nodes += 1;
            self.tell(Some((variable, value)))?;
            from = value + 1;
        }
        ControlFlow::Continue(Direction::Advance)
    }

    fn open(&mut self, variable: u32) -> Direction {
        let slot = self.engine().network.slots[variable as usize];
        let first = self.engine().store.next(slot, 0);
        let value = first.expect("an open domain has values");
        let (before, extent) = (self.report.solutions, self.extent);
        self.frames().push(Frame {
            variable,
            value,
            is_kept: false,
            before,
            extent,
        });
        self.attempt()
    }

    /// Tries the value of the frame on top.
    fn attempt(&mut self) -> Direction {
        let before = self.report.solutions;
        self.report.nodes += 1;
        let frame = self.frames().last_mut().expect("there is a frame");
        frame.before = before;
        let (variable, value) = (Variable(frame.variable), frame.value);
        let engine = self.engine();
        engine.store.push();
        let outcome = engine
            .assign(variable, value)
            .and_then(|()| engine.propagate());
        if outcome.is_ok() {
            return Direction::Descend;
        }
        self.report.failures += 1;
        Direction::Advance
    }

    /// Undoes the value of the frame on top and goes to its next value.
    fn advance(&mut self) -> ControlFlow<Ending, Direction> {
        self.check()?;
        let depth = self.frames().len();
        let level = self.base + depth - 1;
        self.solver.pop_to(level);
        if self.witness.is_some_and(|it| it >= depth) {
            self.witness = None;
        }
        let solutions = self.report.solutions;
        let frame = self.frames()[depth - 1];
        self.extent = frame.extent;
        let variable = Variable(frame.variable);
        let is_barren = solutions == frame.before;
        if is_barren {
            let engine = self.engine();
            let removed = engine
                .remove(variable, frame.value)
                .and_then(|()| engine.propagate());
            if removed.is_err() {
                self.frames().pop();
                return ControlFlow::Continue(Direction::Advance);
            }
            if !frame.is_kept {
                self.frames().pop();
                return ControlFlow::Continue(Direction::Descend);
            }
        }
        let slot = self.engine().slot(variable);
        let next = self.engine().store.next(slot, frame.value + 1);
        let Some(value) = next else {
            self.frames().pop();
            return ControlFlow::Continue(Direction::Advance);
        };
        let frame = &mut self.frames()[depth - 1];
        frame.is_kept |= !is_barren;
        frame.value = value;
        ControlFlow::Continue(self.attempt())
    }

    /// Reports a solution, then backtracks to the last wanted variable, as each projection is
    /// reported once.
    fn found(&mut self, last: Option<(u32, Value)>) -> ControlFlow<Ending, Direction> {
        self.tell(last)?;
        if let Some(depth) = self.witness.take() {
            self.frames().truncate(depth);
            let level = self.base + depth;
            self.solver.pop_to(level);
        }
        ControlFlow::Continue(Direction::Advance)
    }

    fn tell(&mut self, last: Option<(u32, Value)>) -> ControlFlow<Ending> {
        self.report.solutions += 1;
        if let Task::Visit(visit) = &mut self.task {
            let engine = &self.solver.engine;
            if visit(&Solution { engine, last }).is_break() {
                return ControlFlow::Break(Ending::Enough);
            }
        }
        match self.query.limits.solutions {
            Some(limit) if self.report.solutions >= limit => ControlFlow::Break(Ending::Solutions),
            _ => ControlFlow::Continue(()),
        }
    }

    fn check(&mut self) -> ControlFlow<Ending> {
        let limits = &self.query.limits;
        if limits.nodes.is_some_and(|limit| self.report.nodes >= limit) {
            return ControlFlow::Break(Ending::Nodes);
        }
        self.checks = self.checks.wrapping_add(1);
        let is_due = self.checks.is_multiple_of(256);
        match limits.stop {
            Some(stop) if is_due && stop() => ControlFlow::Break(Ending::Stopped),
            _ => ControlFlow::Continue(()),
        }
    }
}
