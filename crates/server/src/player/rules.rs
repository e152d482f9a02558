//! The rules of a match: read from its first message, and loaded while the match goes on.

use super::Options;
use super::table::{Clocks, Event, Link};
use crate::message::{self, shorten};
use game::{Cancel, Engine, Game, Limits, LoadStage, Progress, RoleId};
use gdl::{Policy, Program, Source, Syntax};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unplayable {
    #[error("the message is malformed")]
    Malformed,
    #[error("a clock of {} s is longer than the limit of {} s", .0.as_secs(), .1.as_secs())]
    Clock(Duration, Duration),
    #[error("rules are wrong: {0}")]
    Rules(String),
    #[error("there is no role `{0}`")]
    Role(String),
}

/// What is played: rules that were checked, a role, and the clocks.
pub(super) type Sheet = (Arc<Program>, RoleId, Clocks);

/// Reads what is to be played.
pub(super) fn read(message: &str, options: &Options) -> Result<Sheet, Unplayable> {
    let start = message::start(message).ok_or(Unplayable::Malformed)?;
    let clocks = Clocks {
        start: start.start_clock,
        play: start.play_clock,
    };
    let longest = clocks.start.max(clocks.play);
    if longest > options.match_limits.clock {
        return Err(Unplayable::Clock(longest, options.match_limits.clock));
    }
    let source = Source::from(start.rules);
    let tree = gdl::read(source, Some(Syntax::Prefix), &gdl::ReadLimits::default());
    let checked = gdl::check(tree, &Policy::lenient());
    let Some(program) = checked.program else {
        let first = checked.diagnostics.first();
        let problem = first.map_or(String::new(), |it| shorten(&it.message));
        return Err(Unplayable::Rules(problem));
    };
    let mut roles = program.roles().iter();
    let role = roles
        .position(|&it| program.text(it).eq_ignore_ascii_case(start.role))
        .ok_or_else(|| Unplayable::Role(shorten(start.role)))?;
    Ok((Arc::new(program), RoleId::new(role), clocks))
}

/// Ends loading when nobody wants the game any more.
#[derive(Debug)]
struct Wanted(Cancel);

impl Progress for Wanted {
    fn at(&self, _stage: LoadStage) {}

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// The usual limits, and that nothing goes on for a match that was left.
fn limits(link: &Link) -> Limits<'_> {
    let mut limits = Limits::default();
    limits.interpreter.cancel = Cancel::from(Arc::clone(&link.is_left));
    limits
}

/// The game as the rules themselves tell it.
pub(super) fn interpreted(program: &Program, link: &Link) -> Option<Game> {
    Game::new(program, Engine::Interpreter, &limits(link)).ok()
}

/// Loads the game in a thread of its own: rules may take long, or be made to.
pub(super) fn load(program: &Arc<Program>, link: Link) {
    let program = Arc::clone(program);
    let load = move || {
        let mut limits = limits(&link);
        let wanted = Wanted(limits.interpreter.cancel.clone());
        limits.ground.progress = Some(&wanted);
        let game = Game::of(&program, &limits);
        let game = match game.fallback() {
            _ if wanted.is_cancelled() => return,
            Some(reason) => {
                tracing::warn!(%reason, "played by the interpreter");
                None
            }
            None => Some(Arc::new(game)),
        };
        link.send(Event::Loaded(game));
    };
    // Without a thread it is never loaded, and moves are drawn.
    if let Err(error) = thread::Builder::new().spawn(load) {
        tracing::error!(%error, "no thread to load the game");
    }
}
