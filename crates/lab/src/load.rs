//! From rules to games, in one place; and the engines there are to choose from.

use game::{Game, Limits, NoEngine};
use gdl::{Policy, Program, Source};
use library::OurGame;

/// An engine that can be asked for by name.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Straight from the rules.
    Interpreter,
    /// From the rules without variables.
    Ground,
    /// By propagating what changes in one state.
    Single,
    /// From the circuit, many states at once.
    Lanes,
    /// By the constraint network of each state.
    Scsp,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 5] = [
        Engine::Interpreter,
        Engine::Ground,
        Engine::Single,
        Engine::Lanes,
        Engine::Scsp,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Interpreter => "interpreter",
            Engine::Ground => "ground",
            Engine::Single => "single",
            Engine::Lanes => "lanes",
            Engine::Scsp => "scsp",
        }
    }

    /// What answers questions about the game: networks are built from the ground program.
    pub fn of_game(self) -> game::Engine {
        match self {
            Engine::Interpreter => game::Engine::Interpreter,
            Engine::Ground | Engine::Scsp => game::Engine::Ground,
            Engine::Single => game::Engine::Single,
            Engine::Lanes => game::Engine::Lanes,
        }
    }
}

/// Why a game was not loaded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotLoaded {
    /// There are errors in its rules.
    #[error("the rules were refused")]
    Refused,
    /// It does not fit a fast engine.
    #[error("only the interpreter plays it: {0}")]
    Interpreted(NoEngine),
    /// It does not fit the engine asked for.
    #[error(transparent)]
    NoEngine(#[from] NoEngine),
    /// It is not played in lanes.
    #[error("its circuit is too large")]
    NoCircuit,
}

/// A game of ours that was not measured, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{game}: {reason}")]
pub struct Unmeasured {
    /// The game.
    pub game: &'static str,
    /// The reason.
    pub reason: NotLoaded,
}

/// Loads a game with an engine.
pub(crate) fn game(
    program: &Program,
    engine: Engine,
    limits: &Limits<'_>,
) -> Result<Game, NoEngine> {
    Game::new(program, engine.of_game(), limits)
}

/// Loads a game of ours with an engine.
pub(crate) fn ours(ours: OurGame, engine: Engine, limits: &Limits<'_>) -> Result<Game, NotLoaded> {
    Ok(game(&program(ours)?, engine, limits)?)
}

/// Loads a game of ours for players.
pub(crate) fn ours_for_play(ours: OurGame, limits: &Limits<'_>) -> Result<Game, NotLoaded> {
    let rules = Source::from_bytes(ours.rules().to_vec());
    let game = Game::load(rules, limits).map_err(|_| NotLoaded::Refused)?;
    match game.fallback() {
        Some(reason) => Err(NotLoaded::Interpreted(reason.clone())),
        None => Ok(game),
    }
}

/// Reads and checks the rules of a game of ours.
fn program(game: OurGame) -> Result<Program, NotLoaded> {
    let source = Source::from_bytes(game.rules().to_vec());
    let tree = gdl::read(source, None, &gdl::ReadLimits::default());
    let checked = gdl::check(tree, &Policy::lenient());
    checked.program.ok_or(NotLoaded::Refused)
}
