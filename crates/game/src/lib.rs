//! What one may ask of a game, whichever engine answers.
//!
//! A [`Game`] is compiled rules: immutable, to be shared between threads. What a question
//! needs to be answered is in a [`Scratch`], one a thread.

mod class;
mod lanes;
mod playout;
mod single;

use circuit::TooManyGates;
pub use class::{Class, ClassLimits, Information, Turns};
use lanes::LaneEngine;
use logic::{Evaluator, GroundLimits, Interpreter, NoAnswer, NotGround};
pub use logic::{GroundProgram, Progress, Scratch, Stage, State, TermId, View};
use single::SingleEngine;

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
}

impl<'p> Default for Limits<'p> {
    fn default() -> Limits<'p> {
        Limits {
            interpreter: logic::Limits::default(),
            ground: GroundLimits::default(),
            gates: 20_000_000,
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
}

#[derive(Debug)]
enum Kind {
    Interpreter,
    Ground(Box<Evaluator>),
    Single(Box<SingleEngine>),
    Lanes(Box<LaneEngine>),
    /// What players need: one state at a time for trees, and many for playouts.
    Play(Box<SingleEngine>, Option<Box<LaneEngine>>),
}

impl Game {
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
            Engine::Ground => Kind::Ground(Box::new(Evaluator::new(ground()?))),
            Engine::Single => Kind::Single(Box::new(SingleEngine::new(&ground()?))),
            Engine::Lanes => Kind::Lanes(Box::new(LaneEngine::new(&ground()?, limits.gates)?)),
        };
        Ok(Game { interpreter, kind })
    }

    /// Compiles a program for the engine that answers single questions fastest: the ground
    /// program if there is one, else the interpreter, with the reason.
    pub fn best(program: &gdl::Program, limits: &Limits) -> (Game, Option<NoEngine>) {
        match Game::new(program, Engine::Ground, limits) {
            Ok(game) => (game, None),
            Err(reason) => {
                let interpreter = Interpreter::new(program, limits.interpreter);
                let kind = Kind::Interpreter;
                (Game { interpreter, kind }, Some(reason))
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
                let single = Box::new(SingleEngine::new(&ground));
                let lanes = LaneEngine::new(&ground, limits.gates).ok().map(Box::new);
                // Code is made now, not when a clock runs.
                lanes
                    .iter()
                    .for_each(|lanes| _ = lanes.simulator().step_gates());
                (Kind::Play(single, lanes), None)
            }
            Err(reason) => (Kind::Interpreter, Some(reason.into())),
        };
        (Game { interpreter, kind }, reason)
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

    /// The ground program, if the game has one.
    pub fn ground(&self) -> Option<&GroundProgram> {
        self.evaluator().map(Evaluator::program)
    }

    /// What answers from the ground program, if the game has one.
    pub fn evaluator(&self) -> Option<&Evaluator> {
        match &self.kind {
            Kind::Ground(evaluator) => Some(evaluator),
            Kind::Interpreter | Kind::Single(_) | Kind::Lanes(_) | Kind::Play(..) => None,
        }
    }

    /// The circuit ready to run in lanes, if the game has one.
    pub fn simulator(&self) -> Option<&circuit::Simulator> {
        match &self.kind {
            Kind::Lanes(engine) => Some(engine.simulator()),
            Kind::Play(_, lanes) => lanes.as_ref().map(|engine| engine.simulator()),
            Kind::Interpreter | Kind::Ground(_) | Kind::Single(_) => None,
        }
    }

    /// The network of counting gates, if the game has one.
    pub fn network(&self) -> Option<&circuit::Network> {
        match &self.kind {
            Kind::Single(engine) | Kind::Play(engine, _) => Some(engine.network()),
            Kind::Interpreter | Kind::Ground(_) | Kind::Lanes(_) => None,
        }
    }

    /// A state as the network and the simulator have it; none if the game has no network, or
    /// the state cannot be reached.
    pub fn packed(&self, state: &State) -> Option<Vec<u64>> {
        match &self.kind {
            Kind::Single(engine) | Kind::Play(engine, _) => engine.packed(state),
            Kind::Interpreter | Kind::Ground(_) | Kind::Lanes(_) => None,
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
            Kind::Ground(evaluator) => Ok(evaluator.initial()),
            Kind::Single(engine) | Kind::Play(engine, _) => Ok(engine.initial()),
            Kind::Lanes(engine) => Ok(engine.initial()),
        }
    }

    /// What follows from a state.
    pub fn view(&self, scratch: &mut Scratch, state: &State) -> Result<View, Unanswered> {
        match &self.kind {
            Kind::Interpreter => Ok(self.interpreter.view(scratch, state)?),
            Kind::Ground(evaluator) => evaluator.view(state).ok_or(Unanswered::Unreachable),
            Kind::Single(engine) | Kind::Play(engine, _) => engine.view(state),
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
            Kind::Ground(evaluator) => evaluator.next(state, joint).ok_or(Unanswered::Unreachable),
            Kind::Single(engine) | Kind::Play(engine, _) => engine.next(state, joint),
            Kind::Lanes(engine) => engine.next(state, joint),
        }
    }
}
