//! One question: calls, clauses, conditions.

use super::tables::{AnswerStatus, Arguments, Call, TableId, Tuple};
use super::{Interpreter, NoAnswer, Scratch, State};
use crate::rules::{Clause, Condition, ConditionKind, Pattern, PredicateId, Rules, Volatility};
use crate::terms::{Name, TermId, Terms};
use gdl::Keyword;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::time::Instant;

/// Answers one question about a state and a joint move.
pub(crate) struct Solver<'q> {
    interpreter: &'q Interpreter,
    rules: &'q Rules,
    scratch: &'q mut Scratch,
    /// The state's fluents by name and number of arguments.
    fluents: HashMap<(Name, usize), Vec<TermId>>,
    all_fluents: &'q [TermId],
    joint: &'q [TermId],
    depth: usize,
    /// The lowest depth of an incomplete call seen since this was reset.
    lowest: usize,
    /// The current round of evaluation, and the latest one.
    round: u64,
    last_round: u64,
    /// Partial tables, in the order they were left.
    partial: Vec<TableId>,
    answers: u64,
    steps: u64,
    limit: u64,
    /// Work since the start, of which steps are a part.
    work: u64,
}

/// Values of a clause's variables.
pub(crate) type Bindings = SmallVec<[Option<TermId>; 12]>;
/// Bound variables, to be unbound on backtracking.
pub(crate) type Trail = SmallVec<[usize; 12]>;
type Todo<'q> = SmallVec<[&'q Condition; 12]>;

const NOWHERE: usize = usize::MAX;
/// How much work is done between two looks at the limits.
const LOOK: u64 = 1024;
/// Bytes of stack that a call inside a call takes, about.
const FRAME: usize = 2048;

impl<'q> Solver<'q> {
    /// A solver for a state, if given, and a joint move, if not empty. Tables of the same state
    /// are kept.
    pub(crate) fn new(
        interpreter: &'q Interpreter,
        scratch: &'q mut Scratch,
        state: Option<&'q State>,
        joint: &'q [TermId],
    ) -> Solver<'q> {
        let same = scratch.state.as_ref() == state;
        scratch.tables.forget(match same {
            true => Volatility::Turn,
            false => Volatility::State,
        });
        if !same {
            scratch.state = state.cloned();
        }
        let all_fluents = state.map_or(&[][..], State::fluents);
        let mut fluents: HashMap<(Name, usize), Vec<TermId>> = HashMap::new();
        for &fluent in all_fluents {
            let functor = scratch.terms.functor(fluent);
            fluents.entry(functor).or_default().push(fluent);
        }
        Solver {
            interpreter,
            rules: interpreter.rules(),
            scratch,
            fluents,
            all_fluents,
            joint,
            depth: 0,
            lowest: NOWHERE,
            round: 0,
            last_round: 0,
            partial: Vec::new(),
            answers: 0,
            steps: 0,
            limit: interpreter.limits.steps,
            work: 0,
        }
    }

    /// The values of the last argument for which a predicate holds, in the order of ids.
    pub(super) fn ask(
        &mut self,
        predicate: PredicateId,
        arguments: &[Option<TermId>],
    ) -> Result<Vec<TermId>, NoAnswer> {
        let table = self.question(predicate, Arguments::from_slice(arguments))?;
        let table = &self.scratch.tables.all[table as usize];
        let last = |index| *table.tuple(index).last().expect("there is an argument");
        let mut answers: Vec<TermId> = (0..table.count).map(last).collect();
        answers.sort_unstable();
        answers.dedup();
        Ok(answers)
    }

    /// All arguments for which a predicate holds, given the known ones; fails after `limit` steps.
    pub(crate) fn tuples(
        &mut self,
        predicate: PredicateId,
        arguments: Arguments,
        limit: u64,
    ) -> Result<Vec<Tuple>, NoAnswer> {
        self.limit = limit;
        let table = self.question(predicate, arguments)?;
        let table = &self.scratch.tables.all[table as usize];
        Ok((0..table.count)
            .map(|index| table.tuple(index).into())
            .collect())
    }

    /// How many bytes its scratch holds, about.
    pub(crate) fn bytes(&self) -> usize {
        self.scratch.bytes()
    }

    /// The terms known so far.
    pub(crate) fn terms(&self) -> &Terms {
        &self.scratch.terms
    }

    /// Whether a predicate holds of these arguments.
    pub(super) fn holds(
        &mut self,
        predicate: PredicateId,
        arguments: &[TermId],
    ) -> Result<bool, NoAnswer> {
        let arguments = arguments.iter().map(|&term| Some(term)).collect();
        let table = self.question(predicate, arguments)?;
        Ok(self.scratch.tables.all[table as usize].count > 0)
    }

    /// A top-level call. If it fails, incomplete tables remain, so all tables are dropped.
    fn question(
        &mut self,
        predicate: PredicateId,
        arguments: Arguments,
    ) -> Result<TableId, NoAnswer> {
        self.steps = 0;
        let table = self.look().and_then(|()| self.call(predicate, arguments));
        if table.is_err() {
            self.scratch.forget();
            self.partial.clear();
            (self.depth, self.lowest, self.round) = (0, NOWHERE, 0);
        }
        table
    }

    /// The table of a call: complete, unless the call depends on one that is being evaluated.
    fn call(&mut self, predicate: PredicateId, arguments: Arguments) -> Result<TableId, NoAnswer> {
        let volatility = self.rules.definition(predicate).volatility;
        let call = Call {
            predicate,
            arguments,
        };
        let known = self.scratch.tables.find(&call, volatility);
        let table = match known {
            Some(id) => match self.scratch.tables.all[id as usize].status {
                AnswerStatus::Complete => return Ok(id),
                AnswerStatus::Active(depth) => {
                    self.lowest = self.lowest.min(depth);
                    return Ok(id);
                }
                AnswerStatus::Partial { depth, round } if round == self.round => {
                    self.lowest = self.lowest.min(depth);
                    return Ok(id);
                }
                AnswerStatus::Partial { .. } => {
                    self.scratch.tables.all[id as usize].status = AnswerStatus::Active(self.depth);
                    id
                }
            },
            None => (self.scratch.tables).open(call.clone(), volatility, self.depth),
        };
        // Recursive rules recurse here, so the stack has to grow.
        stacker::maybe_grow(64 << 10, 4 << 20, || self.evaluate(&call, table))?;
        Ok(table)
    }

    /// Evaluates a call until it has all answers, or all that follow from the incomplete calls it
    /// depends on.
    fn evaluate(&mut self, call: &Call, table: TableId) -> Result<(), NoAnswer> {
        let depth = self.depth;
        let outer = std::mem::replace(&mut self.lowest, NOWHERE);
        let first_partial = self.partial.len();
        let outer_round = self.round;
        self.depth += 1;
        loop {
            let before = self.answers;
            self.clauses(call, table)?;
            let leads = self.lowest == depth;
            if !leads || self.answers == before {
                break;
            }
            // Calls below depend on this one, so their answers may yield more.
            self.last_round += 1;
            self.round = self.last_round;
            self.lowest = NOWHERE;
        }
        self.depth -= 1;
        self.round = outer_round;
        let status = &mut self.scratch.tables.all[table as usize].status;
        if self.lowest >= depth {
            *status = AnswerStatus::Complete;
            for id in self.partial.drain(first_partial..) {
                self.scratch.tables.all[id as usize].status = AnswerStatus::Complete;
            }
            self.lowest = outer;
        } else {
            *status = AnswerStatus::Partial {
                depth: self.lowest,
                round: self.round,
            };
            self.partial.push(table);
            self.lowest = self.lowest.min(outer);
        }
        Ok(())
    }

    fn clauses(&mut self, call: &Call, table: TableId) -> Result<(), NoAnswer> {
        let definition = self.rules.definition(call.predicate);
        match definition.keyword {
            Some(Keyword::True) => return self.state(call, table),
            Some(Keyword::Does) => return self.moves(call, table),
            _ => {}
        }
        let arity = definition.arity;
        if !definition.facts.is_empty() {
            for number in self.scratch.tables.facts(call, &definition.facts) {
                let start = number as usize * arity;
                self.answer(table, &definition.facts[start..start + arity]);
            }
        }
        for clause in &definition.clauses {
            self.clause(call, table, clause)?;
        }
        Ok(())
    }

    fn state(&mut self, call: &Call, table: TableId) -> Result<(), NoAnswer> {
        self.step()?;
        let wanted = call.arguments[0];
        for &fluent in self.all_fluents {
            if wanted.is_none_or(|wanted| wanted == fluent) {
                self.answer(table, &[fluent]);
            }
        }
        Ok(())
    }

    fn moves(&mut self, call: &Call, table: TableId) -> Result<(), NoAnswer> {
        self.step()?;
        let agrees = |known: Option<TermId>, term: TermId| known.is_none_or(|it| it == term);
        for (&role, &chosen) in self.rules.roles().iter().zip(self.joint) {
            if agrees(call.arguments[0], role) && agrees(call.arguments[1], chosen) {
                self.answer(table, &[role, chosen]);
            }
        }
        Ok(())
    }

    fn answer(&mut self, table: TableId, tuple: &[TermId]) {
        self.answers += u64::from(self.scratch.tables.add(table, tuple));
    }

    fn clause(&mut self, call: &Call, table: TableId, clause: &'q Clause) -> Result<(), NoAnswer> {
        let mut bindings: Bindings = SmallVec::from_elem(None, clause.variables);
        let mut trail = Trail::new();
        for (pattern, known) in clause.head.iter().zip(&call.arguments) {
            if let Some(term) = known
                && !self.matches(pattern, *term, &mut bindings, &mut trail)
            {
                return Ok(());
            }
        }
        let todo: Todo<'q> = clause.conditions.iter().collect();
        let head = Head {
            call,
            table,
            clause,
        };
        self.conditions(&head, &todo, &mut bindings)
    }

    /// Solves the remaining conditions, beginning with the first that can be decided.
    fn conditions(
        &mut self,
        head: &Head<'_, 'q>,
        todo: &[&'q Condition],
        bindings: &mut Bindings,
    ) -> Result<(), NoAnswer> {
        self.step()?;
        let ready = |condition: &&Condition| {
            condition
                .needs
                .iter()
                .all(|&variable| bindings[variable].is_some())
        };
        let Some(chosen) = todo
            .iter()
            .position(ready)
            .or((!todo.is_empty()).then_some(0))
        else {
            return self.conclude(head, bindings);
        };
        let mut rest: Todo<'q> = SmallVec::from_slice(todo);
        let condition = rest.remove(chosen);
        match &condition.kind {
            ConditionKind::Holds(predicate, patterns) => {
                self.holding(head, *predicate, patterns, &rest, bindings)
            }
            ConditionKind::Fails(predicate, patterns) => {
                match self.fails(*predicate, patterns, bindings)? {
                    true => self.conditions(head, &rest, bindings),
                    false => Ok(()),
                }
            }
            ConditionKind::Distinct(left, right) => {
                match self.build(left, bindings)? != self.build(right, bindings)? {
                    true => self.conditions(head, &rest, bindings),
                    false => Ok(()),
                }
            }
            ConditionKind::Same(left, right) => {
                match self.build(left, bindings)? == self.build(right, bindings)? {
                    true => self.conditions(head, &rest, bindings),
                    false => Ok(()),
                }
            }
            ConditionKind::Any(branches) => {
                for branch in branches {
                    let mut todo: Todo<'q> = branch.iter().collect();
                    todo.extend_from_slice(&rest);
                    self.conditions(head, &todo, bindings)?;
                }
                Ok(())
            }
        }
    }

    /// Solves a positive condition, once for each answer.
    fn holding(
        &mut self,
        head: &Head<'_, 'q>,
        predicate: PredicateId,
        patterns: &[Pattern],
        rest: &[&'q Condition],
        bindings: &mut Bindings,
    ) -> Result<(), NoAnswer> {
        let mut arguments = Arguments::new();
        for pattern in patterns {
            arguments.push(self.build(pattern, bindings)?);
        }
        if self.rules.definition(predicate).keyword == Some(Keyword::True) {
            return self.true_fluents(head, &patterns[0], arguments[0], rest, bindings);
        }
        let table = self.call(predicate, arguments.clone())?;
        let count = self.scratch.tables.all[table as usize].count;
        for index in 0..count {
            self.work()?;
            let mut trail = SmallVec::new();
            let agrees = (0..patterns.len()).all(|place| {
                let term = self.scratch.tables.all[table as usize].tuple(index)[place];
                arguments[place].is_some()
                    || self.matches(&patterns[place], term, bindings, &mut trail)
            });
            if agrees {
                self.conditions(head, rest, bindings)?;
            }
            undo(bindings, &trail);
        }
        Ok(())
    }

    /// `true`, which needs no table.
    fn true_fluents(
        &mut self,
        head: &Head<'_, 'q>,
        pattern: &Pattern,
        known: Option<TermId>,
        rest: &[&'q Condition],
        bindings: &mut Bindings,
    ) -> Result<(), NoAnswer> {
        if let Some(fluent) = known {
            return match self.all_fluents.binary_search(&fluent) {
                Ok(_) => self.conditions(head, rest, bindings),
                Err(_) => Ok(()),
            };
        }
        let candidates = match pattern {
            Pattern::Function(name, arguments) => {
                let functor = (*name, arguments.len());
                self.fluents.get(&functor).cloned().unwrap_or_default()
            }
            _ => self.all_fluents.to_vec(),
        };
        for fluent in candidates {
            self.work()?;
            let mut trail = SmallVec::new();
            if self.matches(pattern, fluent, bindings, &mut trail) {
                self.conditions(head, rest, bindings)?;
            }
            undo(bindings, &trail);
        }
        Ok(())
    }

    /// Whether no answer to a call agrees with the patterns.
    fn fails(
        &mut self,
        predicate: PredicateId,
        patterns: &[Pattern],
        bindings: &mut Bindings,
    ) -> Result<bool, NoAnswer> {
        let mut arguments = Arguments::new();
        for pattern in patterns {
            arguments.push(self.build(pattern, bindings)?);
        }
        let table = self.call(predicate, arguments)?;
        if self.scratch.tables.all[table as usize].status != AnswerStatus::Complete {
            let predicate = self.rules.definition(predicate).name.clone();
            return Err(NoAnswer::Unstratified { predicate });
        }
        for index in 0..self.scratch.tables.all[table as usize].count {
            self.work()?;
            let mut trail = SmallVec::new();
            let agrees = (0..patterns.len()).all(|place| {
                let term = self.scratch.tables.all[table as usize].tuple(index)[place];
                self.matches(&patterns[place], term, bindings, &mut trail)
            });
            undo(bindings, &trail);
            if agrees {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds the head as an answer, once all conditions hold.
    fn conclude(&mut self, head: &Head<'_, 'q>, bindings: &Bindings) -> Result<(), NoAnswer> {
        let mut tuple = SmallVec::<[TermId; 6]>::new();
        for (pattern, known) in head.clause.head.iter().zip(&head.call.arguments) {
            let term = match known {
                Some(term) => Some(*term),
                None => self.build(pattern, bindings)?,
            };
            let Some(term) = term else {
                let definition = self.rules.definition(head.call.predicate);
                let predicate = definition.name.clone();
                return Err(NoAnswer::Unbound { predicate });
            };
            tuple.push(term);
        }
        self.answer(head.table, &tuple);
        Ok(())
    }

    /// The ground term of a pattern, if all its variables have a value.
    pub(crate) fn build(
        &mut self,
        pattern: &Pattern,
        bindings: &Bindings,
    ) -> Result<Option<TermId>, NoAnswer> {
        Ok(match pattern {
            Pattern::Ground(term) => Some(*term),
            Pattern::Variable(variable) => bindings[*variable],
            Pattern::Function(name, patterns) => {
                let mut arguments = SmallVec::<[TermId; 8]>::new();
                for pattern in patterns {
                    match self.build(pattern, bindings)? {
                        Some(term) => arguments.push(term),
                        None => return Ok(None),
                    }
                }
                Some(self.scratch.intern(self.interpreter, *name, &arguments)?)
            }
        })
    }

    /// The ground term of a pattern, if it is known.
    pub(crate) fn find(&self, pattern: &Pattern, bindings: &Bindings) -> Option<TermId> {
        match pattern {
            Pattern::Ground(term) => Some(*term),
            Pattern::Variable(variable) => bindings[*variable],
            Pattern::Function(name, patterns) => {
                let arguments = patterns.iter().map(|pattern| self.find(pattern, bindings));
                let arguments = arguments.collect::<Option<SmallVec<[TermId; 8]>>>()?;
                self.scratch.terms.find(*name, &arguments)
            }
        }
    }

    /// Matches a pattern with a ground term; records the bound variables.
    pub(crate) fn matches(
        &self,
        pattern: &Pattern,
        term: TermId,
        bindings: &mut Bindings,
        trail: &mut Trail,
    ) -> bool {
        match pattern {
            Pattern::Ground(ground) => *ground == term,
            Pattern::Variable(variable) => match bindings[*variable] {
                Some(value) => value == term,
                None => {
                    bindings[*variable] = Some(term);
                    trail.push(*variable);
                    true
                }
            },
            Pattern::Function(name, patterns) => {
                let terms = &self.scratch.terms;
                let arguments = terms.arguments(term);
                terms.functor(term) == (*name, patterns.len())
                    && (patterns.iter().zip(arguments))
                        .all(|(pattern, &term)| self.matches(pattern, term, bindings, trail))
            }
        }
    }

    fn step(&mut self) -> Result<(), NoAnswer> {
        self.steps += 1;
        let limit = self.limit;
        match self.steps > limit {
            true => Err(NoAnswer::TooManySteps { limit }),
            false => self.work(),
        }
    }

    /// Counts work, and looks at the other limits at intervals.
    fn work(&mut self) -> Result<(), NoAnswer> {
        self.work += 1;
        match self.work.is_multiple_of(LOOK) {
            true => self.look(),
            false => Ok(()),
        }
    }

    /// Whether the question may go on.
    fn look(&self) -> Result<(), NoAnswer> {
        let limits = &self.interpreter.limits;
        if limits.cancel.is_cancelled() {
            return Err(NoAnswer::Cancelled);
        }
        if self.scratch.deadline.is_some_and(|it| it <= Instant::now()) {
            return Err(NoAnswer::TooLate);
        }
        match self.scratch.bytes() + self.depth * FRAME > limits.memory {
            true => Err(NoAnswer::TooMuchMemory {
                limit: limits.memory,
            }),
            false => Ok(()),
        }
    }
}

/// Unbinds variables.
pub(crate) fn undo(bindings: &mut Bindings, trail: &[usize]) {
    for &variable in trail {
        bindings[variable] = None;
    }
}

/// The call that a clause is evaluated for.
struct Head<'h, 'q> {
    call: &'h Call,
    table: TableId,
    clause: &'q Clause,
}
