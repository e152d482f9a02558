//! The facts of one state, straight from the rules.
//!
//! Questions are answered top-down, as logic programs are: a call is a predicate with some
//! arguments known, its answers are kept in a table, and a recursive call is evaluated
//! again until it has no new answers. Negation needs a complete table. This is the oracle: every
//! other reasoner is tested against it.
//!
//! A question ends early for one of four reasons: it took too many steps, its scratch needs too much
//! memory, the deadline of the scratch is over, or the interpreter was cancelled. Then the scratch
//! forgets its tables and can be asked again. Steps and memory are counted, so these two ends are the
//! same on every machine.

mod solver;
mod tables;

use crate::progress::Cancel;
use crate::rules::Rules;
use crate::terms::{Name, TermId, Terms};
use gdl::{Keyword, Program};
pub(crate) use solver::{Bindings, Solver, Trail, undo};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tables::AnswerTables;
pub(crate) use tables::{Arguments, Tuple};

/// Limits of one question, and who may stop all of them.
#[derive(Clone, Debug)]
pub struct InterpreterLimits {
    /// Most steps of one question about a state.
    pub steps: u64,
    /// Most ground terms.
    pub terms: usize,
    /// Most characters of one ground term.
    pub characters: usize,
    /// Most bytes of one [`Scratch`]: terms, tables and the calls under way.
    pub memory: usize,
    /// Stops every question, those under way and those to come.
    pub cancel: Cancel,
}

impl Default for InterpreterLimits {
    fn default() -> InterpreterLimits {
        InterpreterLimits {
            steps: 200_000_000,
            terms: 10_000_000,
            characters: 1 << 16,
            memory: 512 << 20,
            cancel: Cancel::default(),
        }
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// It took more steps than the limit.
    #[error("a question took more than {limit} steps")]
    TooManySteps {
        /// The limit.
        limit: u64,
    },
    /// There were more terms than the limit.
    #[error("the rules make more than {limit} terms")]
    TooManyTerms {
        /// The limit.
        limit: usize,
    },
    /// A term had more characters than the limit.
    #[error("the rules make a term of more than {limit} characters")]
    TermTooLong {
        /// The limit.
        limit: usize,
    },
    /// It needed more memory than the limit.
    #[error("a question needs more than {} MB of memory", .limit >> 20)]
    TooMuchMemory {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The deadline of the scratch is over.
    #[error("a question was not answered in time")]
    TooLate,
    /// The interpreter was cancelled.
    #[error("the question was cancelled")]
    Cancelled,
    /// A relation depends on its own negation.
    #[error("`{predicate}` depends on its own negation")]
    Unstratified {
        /// The relation.
        predicate: String,
    },
    /// A rule gives no value to a variable of its head.
    #[error("a rule for `{predicate}` leaves a variable without a value")]
    Unbound {
        /// The relation.
        predicate: String,
    },
}

/// The rules of a game, ready to answer questions.
#[derive(Debug)]
pub struct Interpreter {
    rules: Rules,
    limits: InterpreterLimits,
    /// Terms of all states seen so far; every scratch keeps its own copy.
    terms: Mutex<Terms>,
}

/// The fluents that are true now, in the order of their ids.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(Box<[TermId]>);

impl State {
    /// A state of these fluents.
    pub fn new(mut fluents: Vec<TermId>) -> State {
        fluents.sort_unstable();
        fluents.dedup();
        State(fluents.into())
    }

    /// The fluents, in the order of their ids.
    pub fn fluents(&self) -> &[TermId] {
        &self.0
    }
}

/// What follows from a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Whether the match is over.
    pub terminal: bool,
    /// The legal moves of each role, in the order of their ids.
    pub legal: Vec<Vec<TermId>>,
    /// The goals of each role: one in a terminal state, if the game is well formed.
    pub goals: Vec<Vec<TermId>>,
}

/// The working memory of one thread.
#[derive(Debug)]
pub struct Scratch {
    terms: Terms,
    tables: AnswerTables,
    state: Option<State>,
    deadline: Option<Instant>,
}

impl Interpreter {
    /// The interpreter of a program.
    pub fn new(program: &Program, limits: InterpreterLimits) -> Interpreter {
        let rules = Rules::new(program);
        let terms = Mutex::new(rules.terms().clone());
        Interpreter {
            rules,
            limits,
            terms,
        }
    }

    /// What stops all questions.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.limits.cancel
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Working memory for one thread.
    pub fn scratch(&self) -> Scratch {
        let terms = self
            .terms
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        Scratch {
            terms,
            tables: AnswerTables::default(),
            state: None,
            deadline: None,
        }
    }

    /// The initial state.
    pub fn initial(&self, scratch: &mut Scratch) -> Result<State, NoAnswer> {
        let init = self.rules.keyword(Keyword::Init);
        let fluents = Solver::new(self, scratch, None, &[]).ask(init, &[None])?;
        Ok(State::new(fluents))
    }

    /// The fluents that `base` declares; none if the rules have no `base`.
    pub fn declared_fluents(&self, scratch: &mut Scratch) -> Result<Vec<TermId>, NoAnswer> {
        let base = self.rules.keyword(Keyword::Base);
        Solver::new(self, scratch, None, &[]).ask(base, &[None])
    }

    /// The moves that `input` declares for a role; none if the rules have no `input`.
    pub fn declared_moves(
        &self,
        scratch: &mut Scratch,
        role: TermId,
    ) -> Result<Vec<TermId>, NoAnswer> {
        let input = self.rules.keyword(Keyword::Input);
        Solver::new(self, scratch, None, &[]).ask(input, &[Some(role), None])
    }

    /// What follows from a state.
    pub fn view(&self, scratch: &mut Scratch, state: &State) -> Result<View, NoAnswer> {
        let mut solver = Solver::new(self, scratch, Some(state), &[]);
        let terminal = solver.holds(self.rules.keyword(Keyword::Terminal), &[])?;
        let mut by_role = |keyword| {
            let predicate = self.rules.keyword(keyword);
            let roles = self.rules.roles().iter();
            let answers = roles.map(|&role| solver.ask(predicate, &[Some(role), None]));
            answers.collect::<Result<Vec<_>, _>>()
        };
        let (legal, goals) = (by_role(Keyword::Legal)?, by_role(Keyword::Goal)?);
        Ok(View {
            terminal,
            legal,
            goals,
        })
    }

    /// The state after a joint move, one move for each role.
    pub fn next(
        &self,
        scratch: &mut Scratch,
        state: &State,
        joint: &[TermId],
    ) -> Result<State, NoAnswer> {
        let next = self.rules.keyword(Keyword::Next);
        let fluents = Solver::new(self, scratch, Some(state), joint).ask(next, &[None])?;
        Ok(State::new(fluents))
    }

    /// The percepts of each role after a joint move, in the order of their ids.
    pub fn percepts(
        &self,
        scratch: &mut Scratch,
        state: &State,
        joint: &[TermId],
    ) -> Result<Vec<Vec<TermId>>, NoAnswer> {
        let sees = self.rules.keyword(Keyword::Sees);
        let mut solver = Solver::new(self, scratch, Some(state), joint);
        let roles = self.rules.roles().iter();
        roles
            .map(|&role| solver.ask(sees, &[Some(role), None]))
            .collect()
    }
}

impl Scratch {
    /// Questions that are not answered by this time fail with [`NoAnswer::TooLate`]; none removes
    /// the deadline.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// How many bytes it holds, about.
    pub(crate) fn bytes(&self) -> usize {
        self.terms.bytes() + self.tables.bytes()
    }

    /// Drops all that was found out about states, with the memory it took.
    fn forget(&mut self) {
        self.tables = AnswerTables::default();
        self.state = None;
    }

    /// The terms of every state that this scratch has seen.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The term of a form, for moves and fluents read from text.
    pub fn term(&mut self, interpreter: &Interpreter, form: gdl::Node<'_>) -> Option<TermId> {
        let name = form.tree().text(form.head()?);
        let arguments = form
            .arguments()
            .map(|argument| self.term(interpreter, argument));
        let arguments = arguments.collect::<Option<Vec<TermId>>>()?;
        let mut shared = interpreter
            .terms
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let name = shared.intern_name(name);
        let term = shared.intern(name, &arguments);
        self.terms.catch_up(&shared);
        Some(term)
    }

    /// The term with this name and these arguments, interned if it is new.
    fn intern(
        &mut self,
        interpreter: &Interpreter,
        name: Name,
        arguments: &[TermId],
    ) -> Result<TermId, NoAnswer> {
        if let Some(term) = self.terms.find(name, arguments) {
            return Ok(term);
        }
        let limit = interpreter.limits.characters;
        if self.terms.length_of(name, arguments) > limit {
            return Err(NoAnswer::TermTooLong { limit });
        }
        let limit = interpreter.limits.terms;
        let mut shared = interpreter
            .terms
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if shared.len() >= limit {
            return Err(NoAnswer::TooManyTerms { limit });
        }
        let term = shared.intern(name, arguments);
        self.terms.catch_up(&shared);
        Ok(term)
    }
}
