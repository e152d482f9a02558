//! What can be said to the commands that speak to others.

use super::{Reading, Seconds, Tolerance};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Host a match between players here, somewhere else, and a person.
///
/// There is one seat for each role, in the order of the roles; chance is drawn and has no seat.
/// A SEAT is a player of the roster, the address of a GGP player such as http://localhost:9147,
/// or `person` for somebody at this terminal. Who is late, or whose move is not legal, gets a
/// random legal move put in its place, and the record says so. Players somewhere else are asked
/// for their names first; who is not there may still come.
///
/// Interrupted, it ends the match after the turn, tells the players, and writes the record.
#[derive(Args)]
pub(crate) struct Host {
    /// The rule sheet, or the name of one of our games
    pub(crate) game: PathBuf,
    /// Who plays: a player of the roster, an address, or `person`
    #[arg(value_name = "SEAT", required = true)]
    pub(crate) seats: Vec<String>,
    /// Seconds before the first turn
    #[arg(long, value_name = "S", default_value = "10")]
    pub(crate) start_clock: Seconds,
    /// Seconds for each turn
    #[arg(long, value_name = "S", default_value = "5")]
    pub(crate) play_clock: Seconds,
    /// Seconds for players somewhere else to look at the rules before the match; none if not given
    #[arg(long, value_name = "S", conflicts_with = "dialect")]
    pub(crate) preview_clock: Option<Seconds>,
    /// Seconds that an answer from somewhere else may come later than its clock, for the way
    #[arg(long, value_name = "S", default_value = "1")]
    pub(crate) grace: Seconds,
    #[command(flatten)]
    pub(crate) tolerance: Tolerance,
    /// The seed of chance, of the players here, and of scrambling
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// What the match is called; made up if not given
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Send the rules with other words in the place of theirs
    #[arg(long)]
    pub(crate) scramble: bool,
    /// As which manager players somewhere else are asked
    #[arg(long, value_enum, default_value_t = Manager::GgpBase)]
    pub(crate) dialect: Manager,
    /// How games with hidden information are told to players somewhere else
    #[arg(long, value_enum, default_value_t = Gdl2::Numbered)]
    pub(crate) gdl2: Gdl2,
    /// Write the record of the match, as ggp.org has it
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Sign the record with the key in this file; `ludex key` makes one
    #[arg(long, value_name = "FILE", requires = "json")]
    pub(crate) key: Option<PathBuf>,
    /// Print the result only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// What to log on standard error
    #[arg(long, value_enum, default_value_t = Level::Warn)]
    pub(crate) log: Level,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum Gdl2 {
    /// `(PLAY <id> (percept …))`, as of 2010
    Plain,
    /// `(PLAY <id> <turn> <move> (percept …))`, as of 2013
    Numbered,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum Manager {
    /// The reference server
    GgpBase,
    /// The game controller of Dresden: upper case, no questions before, and the first legal
    /// move in the place of one that is wrong or missing
    Dresden,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Nothing
    Off,
    /// What went wrong here
    Error,
    /// What peers do wrong
    Warn,
    /// Matches as they begin and end
    Info,
    /// Every message
    Debug,
}

/// Play over the network: answer any GGP manager.
///
/// Answers INFO, PREVIEW, START, PLAY, STOP and ABORT over HTTP, in GDL and both forms of
/// GDL-II, thinks while others do, and answers who asks meanwhile. A move is sent before its
/// clock is over, less the margin, counted from the arrival of the message.
#[derive(Args)]
pub(crate) struct Server {
    /// The port to listen at; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 9147)]
    pub(crate) port: u16,
    /// The address to listen at; 0.0.0.0 to be reached from other machines
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) bind: std::net::IpAddr,
    /// Who plays: `ludex players` lists them
    #[arg(long, value_name = "NAME", default_value = "uct")]
    pub(crate) player: String,
    /// What the player is called
    #[arg(long, value_name = "NAME", default_value = "Ludex")]
    pub(crate) name: String,
    /// How many matches to play at a time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) matches: u64,
    /// Seconds before the end of a clock at which an answer is sent at the latest; of short
    /// clocks a fifth at the most
    #[arg(long, value_name = "S", default_value = "0.5")]
    pub(crate) margin: Seconds,
    /// Seconds that a manager may be silent beyond its clocks before another may begin a match
    /// in its place
    #[arg(long, value_name = "S", default_value = "10")]
    pub(crate) patience: Seconds,
    /// How many threads a match may keep busy; all cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Option<u64>,
    /// The seed of the player
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write what is said in each match into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// What to log on standard error
    #[arg(long, value_enum, default_value_t = Level::Info)]
    pub(crate) log: Level,
    /// Refuse messages larger than this many bytes
    #[arg(long, value_name = "N", default_value_t = 16 << 20)]
    pub(crate) max_bytes: usize,
    /// Seconds a message may take to arrive
    #[arg(long, value_name = "S", default_value = "10")]
    pub(crate) max_arrival: Seconds,
    /// Connections that may be open
    #[arg(long, value_name = "N", default_value_t = 800)]
    pub(crate) max_connections: usize,
    /// Bytes that all peers together may have sent and that are still kept; one address may have
    /// a quarter
    #[arg(long, value_name = "N", default_value_t = 256 << 20)]
    pub(crate) max_memory: usize,
    /// Refuse matches with a longer clock than this many seconds
    #[arg(long, value_name = "S", default_value = "3600")]
    pub(crate) max_clock: Seconds,
}

/// Make a key to sign records of matches with, and print its public part.
///
/// `ludex host --key FILE` signs with it; `ludex replay --signed-by FILE` tells whether a record
/// was. Keys are of RSA with 2048 bits, in the form that ggp-base has. The file has the private
/// part in it: keep it to yourself.
#[derive(Args)]
pub(crate) struct NewKey {
    /// The file, which must not exist
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}
