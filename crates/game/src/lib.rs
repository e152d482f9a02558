//! What one may ask of a game, whichever engine answers.
//!
//! A [`Game`] is compiled rules: immutable, shared between threads. [`Game::load`] makes one of
//! text.
//!
//! | to | ask | on |
//! |---|---|---|
//! | go through matches, as players do | a [`Walk`], one a thread | ids |
//! | play out many states at once | [`Lanes`], where the game has them | ids |
//! | solve a round as a constraint network | [`Game::encoding`] | ids |
//! | look at one state and its text | [`Game::view`] and [`Game::next`], with a [`Scratch`] | terms |
//! | know what kind of game it is | [`Class`] | |
//! | know whether its rules are broken in a state | [`Game::defect`], [`Broken`] | terms |
//! | tell apart what a role can tell apart | [`Knowledge`] | ids |
//!
//! Ids are those of the ground program. A game without one, which only the interpreter plays, uses
//! the ids of terms instead, and packs a state as the list of its fluents.

mod ask;
mod class;
mod defect;
mod joints;
mod knowledge;
mod lanes;
mod load;
mod playout;
mod single;
mod vocabulary;
mod walk;

pub use ask::Unanswered;
pub use circuit::{Decisive, End, MoveTable, MoveTally, Outcomes, Request, Start, Tally, Weights};
use circuit::{NotBuilt, TooManyGates};
pub use class::{Class, ClassLimits, Feature, Information, Turns};
pub use defect::{Broken, Defect, Told, goal_value};
use encoding::{Ahead, Encoding, NotEncoded, TableLimits, Tables};
pub use joints::Joints;
pub use knowledge::{InfoSet, Knowledge};
use lanes::LaneEngine;
pub use lanes::Lanes;
pub use load::Refused;
pub use logic::{
    Bits, BitsBuf, Cancel, Exceeded, FluentId, GroundProgram, Literal, LoadStage, MoveId, NoAnswer,
    PerceptId, Progress, RoleId, Scratch, State, TermId, View,
};
use logic::{Evaluator, GroundLimits, Interpreter, Loading, NotGround};
use single::SingleEngine;
use std::sync::OnceLock;
use std::time::Instant;
use vocabulary::Vocabulary;
pub use walk::Walk;

/// What answers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The rules themselves: right, not fast.
    Interpreter,
    /// The ground program, node by node.
    Ground,
    /// One state by change propagation.
    Single,
    /// The circuit, all lanes at once, all asked the same and compared.
    Lanes,
}

/// What a game may cost to load, and who is told how far it has come.
#[derive(Clone, Debug)]
pub struct Limits<'p> {
    /// What a question to the interpreter may cost, and who may stop all of them.
    pub interpreter: logic::InterpreterLimits,
    /// What grounding may cost.
    pub ground: GroundLimits<'p>,
    /// How many gates a circuit may have.
    pub gates: usize,
    /// How large the constraint network of a round may be.
    pub encoding: encoding::EncodingLimits,
}

impl<'p> Default for Limits<'p> {
    fn default() -> Limits<'p> {
        Limits {
            interpreter: logic::InterpreterLimits::default(),
            ground: GroundLimits::default(),
            gates: 20_000_000,
            encoding: encoding::EncodingLimits::default(),
        }
    }
}

impl Limits<'_> {
    /// Loading begins now.
    fn begin(&self) -> Loading<'_> {
        Loading::new(&self.ground, &self.interpreter.cancel)
    }
}

/// Why a game does not have the engine asked for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoEngine {
    /// It cannot be grounded.
    #[error(transparent)]
    NotGround(#[from] NotGround),
    /// Its circuit is too large.
    #[error(transparent)]
    TooManyGates(#[from] TooManyGates),
    /// Loading exceeds a limit of time or memory, or was cancelled.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// The constraint network of a round is too large.
    #[error(transparent)]
    NotEncoded(#[from] NotEncoded),
}

impl From<NotBuilt> for NoEngine {
    fn from(reason: NotBuilt) -> NoEngine {
        match reason {
            NotBuilt::TooManyGates(reason) => reason.into(),
            NotBuilt::Exceeded(reason) => reason.into(),
        }
    }
}

/// Compiled rules.
#[derive(Debug)]
pub struct Game {
    /// The text of the rules.
    rules: Box<str>,
    interpreter: Interpreter,
    kind: Kind,
    /// The terms of ids; none without a ground program.
    words: Option<Vocabulary>,
    /// Why only the interpreter answers, if more was wanted.
    fallback: Option<NoEngine>,
    /// The role that is chance.
    chance: Option<RoleId>,
    /// The constraint network of a round, made when it is asked for.
    encoding: OnceLock<Result<Encoding, NotEncoded>>,
    /// The same with the end of the round.
    ahead: OnceLock<Result<Ahead, NotEncoded>>,
    /// The same with its relations in extension.
    tables: OnceLock<Result<Tables, NotEncoded>>,
    encoding_limits: encoding::EncodingLimits,
}

#[derive(Debug)]
enum Kind {
    Interpreter,
    Ground(Box<Evaluator>),
    Single(Box<SingleEngine>),
    Lanes(Box<LaneEngine>),
    Play(Box<Play>),
}

/// What players need: one state at a time for trees, many for playouts, and the ground program
/// for networks.
#[derive(Debug)]
struct Play {
    evaluator: Evaluator,
    single: SingleEngine,
    lanes: Option<LaneEngine>,
}

impl Play {
    fn new(ground: GroundProgram, gates: usize, loading: &Loading<'_>) -> Result<Play, Exceeded> {
        let single = SingleEngine::new(&ground, loading)?;
        let lanes = LaneEngine::new(&ground, gates, loading).ok();
        // Code is made now, not when a clock runs.
        lanes
            .iter()
            .for_each(|lanes| _ = lanes.simulator().step_gates());
        Ok(Play {
            single,
            lanes,
            evaluator: Evaluator::new(ground),
        })
    }
}

impl Game {
    /// The interpreter, to which engines are added.
    fn interpreted(program: &gdl::Program, limits: &Limits) -> Game {
        let interpreter = Interpreter::new(program, limits.interpreter.clone());
        Game {
            rules: program.tree().source().text().into(),
            chance: interpreter.rules().chance(),
            interpreter,
            kind: Kind::Interpreter,
            words: None,
            fallback: None,
            encoding: OnceLock::new(),
            ahead: OnceLock::new(),
            tables: OnceLock::new(),
            encoding_limits: limits.encoding,
        }
    }

    fn grounded(&self, limits: &Limits, loading: &Loading<'_>) -> Result<GroundProgram, NotGround> {
        let program = logic::ground_within(&self.interpreter, &limits.ground, loading)?;
        loading.report(LoadStage::Building);
        loading.keep(program.bytes());
        Ok(program)
    }

    /// Compiles a program for one engine.
    pub fn new(program: &gdl::Program, engine: Engine, limits: &Limits) -> Result<Game, NoEngine> {
        let mut game = Game::interpreted(program, limits);
        if engine == Engine::Interpreter {
            return Ok(game);
        }
        let loading = &limits.begin();
        let ground = game.grounded(limits, loading)?;
        game.words = Some(vocabulary(&ground));
        game.kind = match engine {
            Engine::Interpreter => Kind::Interpreter,
            Engine::Ground => Kind::Ground(Box::new(Evaluator::new(ground))),
            Engine::Single => Kind::Single(Box::new(SingleEngine::new(&ground, loading)?)),
            Engine::Lanes => {
                Kind::Lanes(Box::new(LaneEngine::new(&ground, limits.gates, loading)?))
            }
        };
        Ok(game)
    }

    /// Compiles a program for single questions: by the ground program if there is one, else by the
    /// interpreter; see [`Game::fallback`].
    pub fn best(program: &gdl::Program, limits: &Limits) -> Game {
        Game::new(program, Engine::Ground, limits).unwrap_or_else(|reason| Game {
            fallback: Some(reason),
            ..Game::interpreted(program, limits)
        })
    }

    /// Compiles a checked program for players: one state at a time by change propagation, playouts
    /// in lanes; by the interpreter where that cannot be, see [`Game::fallback`].
    pub fn of(program: &gdl::Program, limits: &Limits) -> Game {
        let mut game = Game::interpreted(program, limits);
        if let Err(reason) = game.compile(limits) {
            game.fallback = Some(reason);
        }
        game
    }

    /// Adds all that players use.
    fn compile(&mut self, limits: &Limits) -> Result<(), NoEngine> {
        let loading = limits.begin();
        let ground = self.grounded(limits, &loading)?;
        let words = vocabulary(&ground);
        self.kind = Kind::Play(Box::new(Play::new(ground, limits.gates, &loading)?));
        self.words = Some(words);
        Ok(())
    }

    /// Why only the interpreter plays the game, if it does and more was wanted.
    pub fn fallback(&self) -> Option<&NoEngine> {
        self.fallback.as_ref()
    }

    /// The text of the rules it was made of.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The names of the roles, in the order of their facts.
    pub fn roles(&self) -> &[TermId] {
        self.interpreter.rules().roles()
    }

    /// The roles, in order.
    pub fn role_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = RoleId> + ExactSizeIterator + Clone + use<> {
        RoleId::all(self.roles().len())
    }

    /// The roles that players play: all but chance.
    pub fn players(&self) -> impl DoubleEndedIterator<Item = RoleId> + Clone + use<> {
        let chance = self.chance;
        self.role_ids().filter(move |&role| chance != Some(role))
    }

    /// The role that is chance, if there is one: `random`, which nobody plays.
    pub fn chance(&self) -> Option<RoleId> {
        self.chance
    }

    /// Whether the rules say what roles see.
    pub fn has_percepts(&self) -> bool {
        self.interpreter.rules().has_percepts()
    }

    /// The word before a role and its move where every role sees all moves; see
    /// [`hides`](Game::hides).
    pub fn seen_moves(&self) -> Option<&str> {
        self.interpreter.rules().seen_moves()
    }

    /// Whether roles may not know the state: they are told what they see, and that is not
    /// every move.
    pub fn hides(&self) -> bool {
        self.has_percepts() && self.seen_moves().is_none()
    }

    /// A walk through the game, from the initial state.
    pub fn walk(&self) -> Walk<'_> {
        Walk::new(self, None)
    }

    /// The same with a deadline, see [`Walk::set_deadline`]: where only the interpreter plays, the
    /// initial state itself may take long.
    pub fn walk_until(&self, deadline: Instant) -> Walk<'_> {
        Walk::new(self, Some(deadline))
    }

    /// Playouts in lanes, if the game has them.
    pub fn lanes(&self) -> Option<Lanes<'_>> {
        self.simulator().map(Lanes::new)
    }

    /// How many words a packed state has; none if that differs from state to state.
    pub fn state_words(&self) -> Option<usize> {
        self.words.as_ref().map(Vocabulary::words)
    }

    /// The most that a role can get by the rules, from 0 to 1; 1 if that is not known.
    pub fn most(&self, role: RoleId) -> f32 {
        let propnet = self.propnet();
        propnet.map_or(1.0, |it| it.highest(role) as f32 / 100.0)
    }

    /// What two roles get together in every end, from 0 to 2, if the gates tell that it is always
    /// the same.
    pub fn constant_sum(&self, roles: [RoleId; 2]) -> Option<f32> {
        let circuit = self.simulator()?.circuit();
        let sum = circuit.constant_sum(roles)?;
        Some(sum as f32 / 100.0)
    }

    /// The ground program, if the game has one.
    pub fn ground(&self) -> Option<&GroundProgram> {
        self.evaluator().map(Evaluator::program)
    }

    /// The evaluator of the ground program, if the game has one.
    pub fn evaluator(&self) -> Option<&Evaluator> {
        match &self.kind {
            Kind::Ground(evaluator) => Some(evaluator),
            Kind::Play(play) => Some(&play.evaluator),
            Kind::Interpreter | Kind::Single(_) | Kind::Lanes(_) => None,
        }
    }

    /// The constraint network of a round, or why there is none; it is made when this is first
    /// asked, which may take seconds. None if the game keeps no ground program.
    pub fn encoding(&self) -> Option<Result<&Encoding, &NotEncoded>> {
        let evaluator = self.evaluator()?;
        let limits = &self.encoding_limits;
        let encoding = (self.encoding).get_or_init(|| Encoding::new(evaluator, limits));
        Some(encoding.as_ref())
    }

    /// The constraint network of a round if it was made already, or why there is none.
    pub fn encoding_so_far(&self) -> Option<Result<&Encoding, &NotEncoded>> {
        self.encoding.get().map(Result::as_ref)
    }

    /// The network of a round with the end and the goals of the state after it, made like
    /// [`Game::encoding`].
    pub fn ahead(&self) -> Option<Result<&Ahead, &NotEncoded>> {
        let encoding = match self.encoding()? {
            Ok(encoding) => encoding,
            Err(reason) => return Some(Err(reason)),
        };
        let program = self.evaluator()?.program();
        let ahead = || Ahead::new(program, encoding, &self.encoding_limits);
        Some(self.ahead.get_or_init(ahead).as_ref())
    }

    /// The network of a round with its end if it was made already, or why there is none.
    pub fn ahead_so_far(&self) -> Option<Result<&Ahead, &NotEncoded>> {
        self.ahead.get().map(Result::as_ref)
    }

    /// The network of a round with its relations in extension, made like [`Game::encoding`].
    pub fn tables(&self) -> Option<Result<&Tables, &NotEncoded>> {
        let encoding = match self.encoding()? {
            Ok(encoding) => encoding,
            Err(reason) => return Some(Err(reason)),
        };
        let tables = || Tables::new(encoding, &TableLimits::default());
        Some(self.tables.get_or_init(tables).as_ref())
    }

    /// The network of a round in extension if it was made already, or why there is none.
    pub fn tables_so_far(&self) -> Option<Result<&Tables, &NotEncoded>> {
        self.tables.get().map(Result::as_ref)
    }

    /// The circuit ready to run in lanes, if the game has one: for tools that show or measure
    /// engines.
    pub fn simulator(&self) -> Option<&circuit::Simulator> {
        match &self.kind {
            Kind::Lanes(engine) => Some(engine.simulator()),
            Kind::Play(play) => play.lanes.as_ref().map(LaneEngine::simulator),
            Kind::Interpreter | Kind::Ground(_) | Kind::Single(_) => None,
        }
    }

    /// The propositional network, if the game has one: for tools that show or measure engines.
    pub fn propnet(&self) -> Option<&circuit::Propnet> {
        match &self.kind {
            Kind::Single(engine) => Some(engine.propnet()),
            Kind::Play(play) => Some(play.single.propnet()),
            Kind::Interpreter | Kind::Ground(_) | Kind::Lanes(_) => None,
        }
    }
}

/// The vocabulary of a ground program.
fn vocabulary(program: &GroundProgram) -> Vocabulary {
    let terms = |role| {
        program
            .percepts(role)
            .iter()
            .map(|(term, _)| *term)
            .collect()
    };
    let moves: Vec<&[TermId]> = program.role_ids().map(|role| program.moves(role)).collect();
    let percepts: Vec<Vec<TermId>> = program.role_ids().map(terms).collect();
    Vocabulary::new(program.fluents(), &moves, &percepts)
}
