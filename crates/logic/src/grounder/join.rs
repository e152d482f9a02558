//! Relaxed reachability: every atom that can hold if negation is ignored, and every ground
//! instance of a rule that can derive it.
//!
//! Atoms are processed one by one. A new atom is matched with each condition it unifies with, and
//! the other conditions are joined with the atoms before it, so each instance is found exactly
//! once. An atom of `next` adds one of `true`, an atom of `legal` one of `does`.

use super::atoms::{AtomId, Atoms, IndexKey};
use super::extents::Extents;
use super::plan::{Access, JoinPlan, JoinStep, Key, plans};
use super::template::{Fixed, Sentence, Template, is_output, templates};
use super::{GroundLimits, NotGround};
use crate::interpreter::{
    Arguments, Bindings, Interpreter, NoAnswer, Scratch, Solver, Trail, Tuple, undo,
};
use crate::loading::Loading;
use crate::progress::LoadStage;
use crate::rules::{Pattern, PredicateId, Volatility};
use crate::terms::{Name, TermId};
use gdl::Keyword;
use smallvec::SmallVec;
use std::collections::{HashMap, HashSet};

/// A literal of a ground rule.
pub(super) type Literal = u32;

pub(super) fn literal(atom: AtomId, positive: bool) -> Literal {
    atom << 1 | u32::from(!positive)
}

/// Everything that can be derived.
pub(super) struct Reached {
    pub(super) atoms: Atoms,
    /// Heads of the ground rules.
    pub(super) heads: Vec<AtomId>,
    /// Where the body of each ground rule starts in `bodies`.
    pub(super) starts: Vec<u32>,
    pub(super) bodies: Vec<Literal>,
    pub(super) init: Vec<AtomId>,
    pub(super) added: Vec<String>,
    /// The clauses without an instance, in order.
    pub(super) idle: Vec<u32>,
}

pub(super) fn reach(
    interpreter: &Interpreter,
    scratch: &mut Scratch,
    (limits, loading): (&GroundLimits, &Loading<'_>),
) -> Result<Reached, NotGround> {
    let rules = interpreter.rules();
    let first = interpreter.initial(scratch)?;
    let templates = templates(rules, loading)?;
    let mut joiner = Joiner::new(interpreter, scratch, (&templates.all, limits, loading))?;
    joiner.facts()?;
    let truth = rules.keyword(Keyword::True);
    for &fluent in first.fluents() {
        let atom = joiner.derive(truth, &[fluent]);
        joiner.reached.init.push(atom);
    }
    joiner.run()?;
    let (mut reached, fired) = (joiner.reached, joiner.fired);
    let instances = templates.all.iter().zip(fired);
    let instances = instances.filter_map(|(it, fired)| it.origin.filter(|_| fired));
    let instances: HashSet<u32> = instances.collect();
    let idle = (templates.origins.iter()).filter(|it| !instances.contains(it));
    reached.idle = idle.copied().collect();
    reached.added = templates.added;
    Ok(reached)
}

/// The plans that a new atom triggers, by predicate and the functor of its last argument.
type Triggers = HashMap<(PredicateId, Option<(Name, usize)>), Vec<usize>>;

struct Joiner<'j> {
    interpreter: &'j Interpreter,
    solver: Solver<'j>,
    extents: Extents,
    templates: &'j [Template],
    plans: Vec<JoinPlan>,
    /// For each plan and step the index it uses, if any.
    indices: Vec<Vec<usize>>,
    triggers: Triggers,
    limits: &'j GroundLimits<'j>,
    loading: &'j Loading<'j>,
    work: u64,
    queue: Vec<AtomId>,
    reached: Reached,
    /// The atoms of the positive conditions of the instance at hand.
    chosen: Vec<AtomId>,
    /// For each template whether it has an instance.
    fired: Vec<bool>,
}

impl<'j> Joiner<'j> {
    fn new(
        interpreter: &'j Interpreter,
        scratch: &'j mut Scratch,
        (templates, limits, loading): (&'j [Template], &'j GroundLimits<'j>, &'j Loading<'j>),
    ) -> Result<Joiner<'j>, NotGround> {
        let mut reached = Reached {
            atoms: Atoms::default(),
            heads: Vec::new(),
            starts: Vec::new(),
            bodies: Vec::new(),
            init: Vec::new(),
            added: Vec::new(),
            idle: Vec::new(),
        };
        let callers = super::template::needing_callers(interpreter.rules());
        let mut all = Vec::new();
        let mut triggers = Triggers::new();
        for (number, template) in templates.iter().enumerate() {
            for plan in plans(number, template, (&callers, loading))? {
                if let Some(trigger) = plan.trigger {
                    let key = trigger_key(interpreter, &template.positive[trigger]);
                    triggers.entry(key).or_default().push(all.len());
                }
                all.push(plan);
            }
        }
        let indices = all.iter().map(|plan| {
            let steps = plan.steps.iter().map(|step| match step {
                JoinStep::Derived { access, .. } => reached.atoms.index(access),
                JoinStep::Fixed(_) => usize::MAX,
            });
            steps.collect()
        });
        let indices = indices.collect();
        Ok(Joiner {
            interpreter,
            solver: Solver::new(interpreter, scratch, None, &[]),
            extents: Extents::new(callers),
            templates,
            plans: all,
            indices,
            triggers,
            limits,
            loading,
            work: 0,
            queue: Vec::new(),
            reached,
            chosen: Vec::new(),
            fired: vec![false; templates.len()],
        })
    }

    /// Adds facts of derived relations, and the instances of rules without derived conditions.
    fn facts(&mut self) -> Result<(), NotGround> {
        let rules = self.interpreter.rules();
        for (number, definition) in (0..).zip(&rules.predicates) {
            if definition.volatility == Volatility::Game && !is_output(definition.keyword) {
                continue;
            }
            for fact in definition.facts.chunks_exact(definition.arity.max(1)) {
                let head = self.derive(PredicateId(number), fact);
                self.reached.heads.push(head);
                self.reached.starts.push(self.reached.bodies.len() as u32);
            }
        }
        for plan in 0..self.plans.len() {
            if self.plans[plan].trigger.is_none() {
                let template = &self.templates[self.plans[plan].template];
                let mut bindings = Bindings::from_elem(None, template.variables);
                self.chosen.clear();
                self.step(plan, 0, 0, &mut bindings)?;
            }
        }
        Ok(())
    }

    fn run(&mut self) -> Result<(), NotGround> {
        let rules = self.interpreter.rules();
        let [truth, next] = [Keyword::True, Keyword::Next].map(|it| rules.keyword(it));
        let [does, legal] = [Keyword::Does, Keyword::Legal].map(|it| rules.keyword(it));
        let mut time = 0;
        let mut at = 0;
        while let Some(&atom) = self.queue.get(at) {
            at += 1;
            self.reached.atoms.take_up(atom, time, self.solver.terms());
            let predicate = self.reached.atoms.predicate(atom);
            let arguments: SmallVec<[TermId; 4]> = self.reached.atoms.arguments(atom).into();
            if predicate == next {
                self.derive(truth, &arguments);
            } else if predicate == legal && rules.roles().contains(&arguments[0]) {
                self.derive(does, &arguments);
            }
            self.meet(atom, time)?;
            time += 1;
        }
        Ok(())
    }

    /// Matches a new atom with every condition it may unify with.
    fn meet(&mut self, atom: AtomId, time: u32) -> Result<(), NotGround> {
        let predicate = self.reached.atoms.predicate(atom);
        let last = self.reached.atoms.arguments(atom).last();
        let functor = last.map(|&last| self.solver.terms().functor(last));
        for key in [functor, None] {
            let Some(plans) = self.triggers.get(&(predicate, key)).cloned() else {
                continue;
            };
            for plan in plans {
                let template = &self.templates[self.plans[plan].template];
                let trigger = self.plans[plan]
                    .trigger
                    .expect("it is found by its trigger");
                let mut bindings = Bindings::from_elem(None, template.variables);
                let mut trail = Trail::new();
                if self.match_atom(&template.positive[trigger], atom, &mut bindings, &mut trail) {
                    self.chosen.clear();
                    self.chosen.push(atom);
                    self.step(plan, 0, time, &mut bindings)?;
                }
            }
            if functor.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        plan: usize,
        step: usize,
        time: u32,
        bindings: &mut Bindings,
    ) -> Result<(), NotGround> {
        let template = &self.templates[self.plans[plan].template];
        match self.plans[plan].steps.get(step) {
            None => {
                self.fired[self.plans[plan].template] = true;
                self.conclude(template, bindings)
            }
            Some(&JoinStep::Fixed(fixed)) => {
                self.fixed(plan, step, time, &template.fixed[fixed], bindings)
            }
            Some(JoinStep::Derived {
                condition,
                access,
                before,
            }) => {
                let (condition, before) = (*condition, *before);
                let sentence = &template.positive[condition];
                let Some(key) = key(&self.solver, sentence, access, bindings) else {
                    return Ok(());
                };
                let index = self.indices[plan][step];
                let count = self.reached.atoms.lookup(index, &key).len();
                for place in 0..count {
                    self.work()?;
                    let atom = self.reached.atoms.lookup(index, &key)[place];
                    if before && self.reached.atoms.taken[atom as usize] >= time {
                        break;
                    }
                    let mut trail = Trail::new();
                    if self.match_atom(sentence, atom, bindings, &mut trail) {
                        self.chosen.push(atom);
                        self.step(plan, step + 1, time, bindings)?;
                        self.chosen.pop();
                    }
                    undo(bindings, &trail);
                }
                Ok(())
            }
        }
    }

    /// Joins a condition that does not depend on the state.
    fn fixed(
        &mut self,
        plan: usize,
        step: usize,
        time: u32,
        fixed: &Fixed,
        bindings: &mut Bindings,
    ) -> Result<(), NotGround> {
        self.work()?;
        let goes_on = match fixed {
            Fixed::Distinct(left, right) => {
                self.build(left, bindings)? != self.build(right, bindings)?
            }
            Fixed::Same(left, right) => {
                self.build(left, bindings)? == self.build(right, bindings)?
            }
            Fixed::Fails(sentence) => self.answers(sentence, bindings)?.is_empty(),
            Fixed::Holds(sentence) => {
                for answer in self.answers(sentence, bindings)? {
                    let mut trail = Trail::new();
                    let agrees = (sentence.patterns.iter().zip(answer))
                        .all(|(pattern, term)| self.matches(pattern, term, bindings, &mut trail));
                    if agrees {
                        self.step(plan, step + 1, time, bindings)?;
                    }
                    undo(bindings, &trail);
                }
                false
            }
        };
        match goes_on {
            true => self.step(plan, step + 1, time, bindings),
            false => Ok(()),
        }
    }

    /// The answers to a sentence that does not depend on the state.
    fn answers(
        &mut self,
        sentence: &Sentence,
        bindings: &Bindings,
    ) -> Result<Vec<Tuple>, NotGround> {
        let mut arguments = Arguments::new();
        for pattern in &sentence.patterns {
            arguments.push(self.build(pattern, bindings)?);
        }
        Ok(self
            .extents
            .answers(&mut self.solver, sentence.predicate, arguments)?)
    }

    /// Records an instance whose conditions are all joined, and derives its head.
    fn conclude(&mut self, template: &Template, bindings: &Bindings) -> Result<(), NotGround> {
        self.work()?;
        let mut body: SmallVec<[Literal; 12]> = SmallVec::new();
        body.extend(self.chosen.iter().map(|&atom| literal(atom, true)));
        for sentence in &template.negative {
            let arguments = self.arguments(sentence, bindings)?;
            let atom = self.reached.atoms.intern(sentence.predicate, &arguments);
            body.push(literal(atom, false));
        }
        let arguments = self.arguments(&template.head, bindings)?;
        let head = self.derive(template.head.predicate, &arguments);
        body.sort_unstable();
        body.dedup();
        self.reached.heads.push(head);
        self.reached.starts.push(self.reached.bodies.len() as u32);
        self.reached.bodies.extend_from_slice(&body);
        Ok(())
    }

    fn arguments(
        &mut self,
        sentence: &Sentence,
        bindings: &Bindings,
    ) -> Result<SmallVec<[TermId; 6]>, NotGround> {
        let mut arguments = SmallVec::new();
        for pattern in &sentence.patterns {
            match self.build(pattern, bindings)? {
                Some(term) => arguments.push(term),
                None => {
                    let definition = self
                        .interpreter
                        .rules()
                        .predicates
                        .get(sentence.predicate.index());
                    let predicate = definition.map_or(String::new(), |it| it.name.clone());
                    return Err(NotGround::Unanswered(NoAnswer::Unbound { predicate }));
                }
            }
        }
        Ok(arguments)
    }

    fn derive(&mut self, predicate: PredicateId, arguments: &[TermId]) -> AtomId {
        let atom = self.reached.atoms.intern(predicate, arguments);
        if !std::mem::replace(&mut self.reached.atoms.derived[atom as usize], true) {
            self.queue.push(atom);
        }
        atom
    }

    fn build(
        &mut self,
        pattern: &Pattern,
        bindings: &Bindings,
    ) -> Result<Option<TermId>, NotGround> {
        Ok(self.solver.build(pattern, bindings)?)
    }

    fn match_atom(
        &self,
        sentence: &Sentence,
        atom: AtomId,
        bindings: &mut Bindings,
        trail: &mut Trail,
    ) -> bool {
        let arguments = self.reached.atoms.arguments(atom);
        let matched = (sentence.patterns.iter().zip(arguments))
            .all(|(pattern, &term)| self.matches(pattern, term, bindings, trail));
        if !matched {
            undo(bindings, trail);
            trail.clear();
        }
        matched
    }

    fn matches(
        &self,
        pattern: &Pattern,
        term: TermId,
        bindings: &mut Bindings,
        trail: &mut Trail,
    ) -> bool {
        self.solver.matches(pattern, term, bindings, trail)
    }

    /// Counts work and checks the limits at intervals.
    fn work(&mut self) -> Result<(), NotGround> {
        self.work += 1;
        if !self.work.is_multiple_of(1024) {
            return Ok(());
        }
        let GroundLimits {
            atoms, literals, ..
        } = *self.limits;
        self.loading.report(LoadStage::Grounding {
            atoms: self.reached.atoms.len(),
        });
        if self.reached.atoms.len() > atoms {
            return Err(NotGround::TooManyAtoms { limit: atoms });
        }
        if self.reached.bodies.len() > literals {
            return Err(NotGround::TooManyLiterals { limit: literals });
        }
        Ok(self.loading.check(self.bytes())?)
    }

    /// How many bytes it holds, about.
    fn bytes(&self) -> usize {
        let rules = 8 * self.reached.heads.capacity() + 4 * self.reached.bodies.capacity();
        self.reached.atoms.bytes() + rules + self.solver.bytes()
    }
}

fn trigger_key(
    interpreter: &Interpreter,
    sentence: &Sentence,
) -> (PredicateId, Option<(Name, usize)>) {
    let functor = match sentence.patterns.last() {
        Some(Pattern::Function(name, arguments)) => Some((*name, arguments.len())),
        Some(Pattern::Ground(term)) => Some(interpreter.rules().terms().functor(*term)),
        _ => None,
    };
    (sentence.predicate, functor)
}

/// The index key of a sentence; none if one of its terms does not exist.
fn key(
    solver: &Solver<'_>,
    sentence: &Sentence,
    access: &Access,
    bindings: &Bindings,
) -> Option<IndexKey> {
    let mut found = IndexKey::new();
    for key in &access.keys {
        let pattern = match *key {
            Key::Functor(..) => continue,
            Key::Whole(column) => &sentence.patterns[column as usize],
            Key::Part(column, part) => match &sentence.patterns[column as usize] {
                Pattern::Function(_, arguments) => &arguments[part as usize],
                _ => unreachable!("parts are keys of functions"),
            },
        };
        found.push(solver.find(pattern, bindings)?.index() as u32);
    }
    Some(found)
}
