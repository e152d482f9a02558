//! What one may ask of a game, whichever engine answers.
//!
//! A [`Game`] is compiled rules: immutable, to be shared between threads. What a question
//! needs to be answered is in a [`Scratch`], one a thread.

mod class;
mod lanes;
mod packing;
mod playout;
mod single;
mod stepper;

use circuit::TooManyGates;
pub use class::{Class, ClassLimits, Information, Turns};
use encoding::{Encoding, NotEncoded};
use lanes::LaneEngine;
use logic::{Evaluator, GroundLimits, Interpreter, NoAnswer, NotGround};
pub use logic::{GroundProgram, Progress, Scratch, Stage, State, TermId, View};
use packing::Packing;
use single::SingleEngine;
use std::sync::OnceLock;
pub use stepper::{Moment, Stepper};

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
#[derive(Copy, Clone, Debug)]
pub struct Limits<'p> {
    /// What a question to the interpreter may cost.
    pub interpreter: logic::Limits,
    /// What grounding may cost.
    pub ground: GroundLimits<'p>,
    /// How many gates a circuit may have.
    pub gates: usize,
    /// How large the constraint network of a round may be.
    pub encoding: encoding::Limits,
}

impl<'p> Default for Limits<'p> {
    fn default() -> Limits<'p> {
        Limits {
            interpreter: logic::Limits::default(),
            ground: GroundLimits::default(),
            gates: 20_000_000,
            encoding: encoding::Limits::default(),
        }
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
    /// The constraint network of a round is too large.
    #[error(transparent)]
    NotEncoded(#[from] NotEncoded),
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The rules give none.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// The state or the joint move cannot come up in this game.
    #[error("the state or the joint move cannot be reached")]
    Unreachable,
    /// The engine contradicts itself: a fault of ours.
    #[error("lanes that were asked the same disagree")]
    Disagreement,
}

/// Compiled rules.
#[derive(Debug)]
pub struct Game {
    interpreter: Interpreter,
    kind: Kind,
    /// The constraint network of a round, made when it is asked for.
    encoding: OnceLock<Result<Encoding, NotEncoded>>,
    encoding_limits: encoding::Limits,
}

#[derive(Debug)]
enum Kind {
    Interpreter,
    Ground(Box<Evaluator>, Packing),
    Single(Box<SingleEngine>),
    Lanes(Box<LaneEngine>),
    Play(Box<Play>),
}

/// What players need: one state at a time for trees, many for playouts, and what networks are
/// made of.
#[derive(Debug)]
struct Play {
    evaluator: Evaluator,
    single: SingleEngine,
    lanes: Option<LaneEngine>,
}

impl Play {
    fn new(ground: GroundProgram, gates: usize) -> Play {
        let lanes = LaneEngine::new(&ground, gates).ok();
        // Code is made now, not when a clock runs.
        lanes
            .iter()
            .for_each(|lanes| _ = lanes.simulator().step_gates());
        Play {
            single: SingleEngine::new(&ground),
            lanes,
            evaluator: Evaluator::new(ground),
        }
    }
}

impl Game {
    fn with(interpreter: Interpreter, kind: Kind, limits: &Limits) -> Game {
        Game {
            interpreter,
            kind,
            encoding: OnceLock::new(),
            encoding_limits: limits.encoding,
        }
    }

    /// Compiles a program for an engine.
    pub fn new(program: &gdl::Program, engine: Engine, limits: &Limits) -> Result<Game, NoEngine> {
        let interpreter = Interpreter::new(program, limits.interpreter);
        let ground = || -> Result<GroundProgram, NotGround> {
            let program = logic::ground(&interpreter, &limits.ground)?;
            limits.ground.report(Stage::Building);
            Ok(program)
        };
        let kind = match engine {
            Engine::Interpreter => Kind::Interpreter,
            Engine::Ground => {
                let ground = ground()?;
                let packing = Packing::new(ground.fluents());
                Kind::Ground(Box::new(Evaluator::new(ground)), packing)
            }
            Engine::Single => Kind::Single(Box::new(SingleEngine::new(&ground()?))),
            Engine::Lanes => Kind::Lanes(Box::new(LaneEngine::new(&ground()?, limits.gates)?)),
        };
        Ok(Game::with(interpreter, kind, limits))
    }

    /// Compiles a program for the engine that answers single questions fastest: the ground
    /// program if there is one, else the interpreter, with the reason.
    pub fn best(program: &gdl::Program, limits: &Limits) -> (Game, Option<NoEngine>) {
        match Game::new(program, Engine::Ground, limits) {
            Ok(game) => (game, None),
            Err(reason) => {
                let interpreter = Interpreter::new(program, limits.interpreter);
                let game = Game::with(interpreter, Kind::Interpreter, limits);
                (game, Some(reason))
            }
        }
    }

    /// Compiles a program for players: one state at a time by change propagation, playouts in
    /// lanes. If that cannot be, the interpreter answers, and the reason is given.
    pub fn for_play(program: &gdl::Program, limits: &Limits) -> (Game, Option<NoEngine>) {
        let interpreter = Interpreter::new(program, limits.interpreter);
        let (kind, reason) = match logic::ground(&interpreter, &limits.ground) {
            Ok(ground) => {
                limits.ground.report(Stage::Building);
                (Kind::Play(Box::new(Play::new(ground, limits.gates))), None)
            }
            Err(reason) => (Kind::Interpreter, Some(reason.into())),
        };
        (Game::with(interpreter, kind, limits), reason)
    }

    /// Working memory for one thread.
    pub fn scratch(&self) -> Scratch {
        self.interpreter.scratch()
    }

    /// The roles, in the order of their facts.
    pub fn roles(&self) -> &[TermId] {
        self.interpreter.rules().roles()
    }

    /// The number of the role that is chance, if there is one: `random`, which nobody plays.
    pub fn chance(&self) -> Option<usize> {
        let scratch = self.scratch();
        let is_chance = |&role: &TermId| scratch.terms().name(role).eq_ignore_ascii_case("random");
        self.roles().iter().position(is_chance)
    }

    /// Whether the rules say what roles see.
    pub fn has_percepts(&self) -> bool {
        self.interpreter.rules().has_percepts()
    }

    /// What stands before a role and its move where every role sees all of them; see
    /// [`hides`](Game::hides).
    pub fn seen_moves(&self) -> Option<&str> {
        self.interpreter.rules().seen_moves()
    }

    /// Whether roles may not know the state: they are told what they see, and that is not
    /// every move.
    pub fn hides(&self) -> bool {
        self.has_percepts() && self.seen_moves().is_none()
    }

    /// The ground program, if the game has one.
    pub fn ground(&self) -> Option<&GroundProgram> {
        self.evaluator().map(Evaluator::program)
    }

    /// What answers from the ground program, if the game has one.
    pub fn evaluator(&self) -> Option<&Evaluator> {
        match &self.kind {
            Kind::Ground(evaluator, _) => Some(evaluator),
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

    /// The circuit ready to run in lanes, if the game has one.
    pub fn simulator(&self) -> Option<&circuit::Simulator> {
        match &self.kind {
            Kind::Lanes(engine) => Some(engine.simulator()),
            Kind::Play(play) => play.lanes.as_ref().map(LaneEngine::simulator),
            Kind::Interpreter | Kind::Ground(..) | Kind::Single(_) => None,
        }
    }

    /// The network of counting gates, if the game has one.
    pub fn network(&self) -> Option<&circuit::Network> {
        self.single().map(SingleEngine::network)
    }

    fn single(&self) -> Option<&SingleEngine> {
        match &self.kind {
            Kind::Single(engine) => Some(engine),
            Kind::Play(play) => Some(&play.single),
            Kind::Interpreter | Kind::Ground(..) | Kind::Lanes(_) => None,
        }
    }

    /// A state as the network, the simulator and constraint networks have it; none if the game
    /// has no ground program, or the state cannot be reached.
    pub fn packed(&self, state: &State) -> Option<Vec<u64>> {
        self.packing()?.packed(state)
    }

    /// The state that bits stand for; none if the game has no ground program.
    pub fn unpacked(&self, state: &[u64]) -> Option<State> {
        Some(self.packing()?.unpacked(state))
    }

    fn packing(&self) -> Option<&Packing> {
        match &self.kind {
            Kind::Interpreter => None,
            Kind::Ground(_, packing) => Some(packing),
            Kind::Single(engine) => Some(&engine.packing),
            Kind::Lanes(engine) => Some(&engine.packing),
            Kind::Play(play) => Some(&play.single.packing),
        }
    }

    /// The term that a form names, as moves and fluents come in from outside.
    pub fn term(&self, scratch: &mut Scratch, form: gdl::Node<'_>) -> Option<TermId> {
        scratch.term(&self.interpreter, form)
    }

    /// The first state.
    pub fn initial(&self, scratch: &mut Scratch) -> Result<State, Unanswered> {
        match &self.kind {
            Kind::Interpreter => Ok(self.interpreter.initial(scratch)?),
            Kind::Ground(evaluator, _) => Ok(evaluator.initial()),
            Kind::Single(engine) => Ok(engine.initial()),
            Kind::Play(play) => Ok(play.single.initial()),
            Kind::Lanes(engine) => Ok(engine.initial()),
        }
    }

    /// What follows from a state.
    pub fn view(&self, scratch: &mut Scratch, state: &State) -> Result<View, Unanswered> {
        match &self.kind {
            Kind::Interpreter => Ok(self.interpreter.view(scratch, state)?),
            Kind::Ground(evaluator, _) => evaluator.view(state).ok_or(Unanswered::Unreachable),
            Kind::Single(engine) => engine.view(state),
            Kind::Play(play) => play.single.view(state),
            Kind::Lanes(engine) => engine.view(state),
        }
    }

    /// The state after a joint move, and what each role sees of it.
    pub fn next(
        &self,
        scratch: &mut Scratch,
        state: &State,
        joint: &[TermId],
    ) -> Result<(State, Vec<Vec<TermId>>), Unanswered> {
        match &self.kind {
            Kind::Interpreter => {
                let percepts = self.interpreter.percepts(scratch, state, joint)?;
                let next = self.interpreter.next(scratch, state, joint)?;
                Ok((next, percepts))
            }
            Kind::Ground(evaluator, _) => {
                evaluator.next(state, joint).ok_or(Unanswered::Unreachable)
            }
            Kind::Single(engine) => engine.next(state, joint),
            Kind::Play(play) => play.single.next(state, joint),
            Kind::Lanes(engine) => engine.next(state, joint),
        }
    }
}
