//! `ludex player`: a player that managers ask over the network.

use crate::args::{Level, Server};
use crate::{Outcome, output, processes};
use anstream::stdout;
use anyhow::{Context, Result, ensure};
use game::{Game, RoleId};
use gdl::Source;
use players::{Seat, roster};
use server::PeerLimits;
use server::player::{self, MatchLimits, Options};
use std::io::Write;
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use tracing_subscriber::filter::LevelFilter;

pub(crate) fn run(arguments: &Server) -> Result<Outcome> {
    log(arguments.log);
    check(arguments)?;
    arguments
        .record
        .as_deref()
        .map(output::folder)
        .transpose()?;
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let options = Options {
        name: arguments.name.clone(),
        player: arguments.player.clone(),
        make: Arc::new(|text, seat| {
            let helpers = Some(processes::helpers());
            roster::player(text, Seat { helpers, ..seat })
        }),
        matches: arguments.matches as usize,
        margin: arguments.margin.0,
        patience: arguments.patience.0,
        threads: arguments.threads.map_or_else(cores, |it| it as usize),
        seed: arguments.seed,
        record: arguments.record.clone(),
        limits: PeerLimits {
            body: arguments.max_bytes,
            arrival: arguments.max_arrival.0,
            connections: arguments.max_connections,
            memory: arguments.max_memory,
            ..PeerLimits::default()
        },
        match_limits: MatchLimits {
            clock: arguments.max_clock.0,
            ..MatchLimits::default()
        },
    };
    let place = (arguments.bind, arguments.port);
    let listener = TcpListener::bind(place)
        .with_context(|| format!("cannot listen at {}:{}", place.0, place.1))?;
    // Whoever started it may wait for this line, and read the port from it.
    let (name, player) = (&arguments.name, &arguments.player);
    let at = listener.local_addr()?;
    writeln!(stdout(), "{name} ({player}) listens at http://{at}")?;
    stdout().flush()?;
    player::serve(listener, options)?;
    Ok(Outcome::Fine)
}

/// What is logged, on standard error.
pub(super) fn log(level: Level) {
    let level = match level {
        Level::Off => LevelFilter::OFF,
        Level::Error => LevelFilter::ERROR,
        Level::Warn => LevelFilter::WARN,
        Level::Info => LevelFilter::INFO,
        Level::Debug => LevelFilter::DEBUG,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
        .init();
}

/// Refuses names that no peer could read, and players that do not exist, before anyone asks.
fn check(arguments: &Server) -> Result<()> {
    let name = &arguments.name;
    let is_word = |it: char| it.is_ascii_alphanumeric() || "-_.".contains(it);
    ensure!(
        !name.is_empty() && name.chars().all(is_word),
        "the name `{name}` has to be of letters, digits, `-`, `_` and `.`"
    );
    let sheet = library::find("tic-tac-toe").context("tic-tac-toe is built in")?;
    let source = Source::from_bytes(sheet.rules().to_vec());
    let game = Game::load(source, &game::Limits::default())?;
    let seat = Seat {
        game: Arc::new(game),
        role: RoleId::new(0),
        seed: 0,
        threads: 1,
        memory: None,
        helpers: None,
    };
    roster::player(&arguments.player, seat)?;
    Ok(())
}
