//! What can be said to the commands that speak to others.

use super::{Reading, Seconds, Tolerance};
use crate::complete;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What is only for players at addresses.
const ADDRESSES: &str = "Players at addresses";
/// What peers may do at most.
const LIMITS: &str = "Limits";

/// Host a match between players here, players over the network, and persons.
///
/// There is one seat for each role, in the order of the roles; chance is drawn and has no seat.
/// A SEAT is a PLAYER, the address of a GGP player such as http://localhost:9147, or `person` for
/// somebody at this terminal; several persons are asked one after the other. If an answer is late or
/// not legal, a random legal move takes its place, and the record says so. Players at addresses are
/// asked for their names first; one that does not answer then is asked again when the match starts.
///
/// Interrupted, it ends the match after the turn, tells the players, and writes the record.
#[derive(Args)]
pub(crate) struct Host {
    /// A rule sheet, or the name of a built-in game
    #[arg(add = complete::games())]
    pub(crate) game: PathBuf,
    /// Who plays: a PLAYER such as uct:c=0.6,batch=32, an address, or `person`
    #[arg(value_name = "SEAT", required = true, add = complete::seats())]
    pub(crate) seats: Vec<String>,
    /// Seconds before the first turn
    #[arg(long, value_name = "S", default_value = "10")]
    pub(crate) start_clock: Seconds,
    /// Seconds for each turn
    #[arg(long, value_name = "S", default_value = "5")]
    pub(crate) play_clock: Seconds,
    /// Send the rules to players at addresses this many seconds before the match
    #[arg(long, value_name = "S", conflicts_with = "dialect", help_heading = ADDRESSES)]
    pub(crate) preview_clock: Option<Seconds>,
    /// Seconds that answers of players at addresses may be late, as the network takes time
    #[arg(long, value_name = "S", default_value = "1", help_heading = ADDRESSES)]
    pub(crate) grace: Seconds,
    #[command(flatten)]
    pub(crate) tolerance: Tolerance,
    /// The seed of chance, of the players here, and of --scramble
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The id of the match; by default a new one
    #[arg(long, value_name = "ID", help_heading = ADDRESSES)]
    pub(crate) id: Option<String>,
    /// Send the rules with their words replaced by others
    #[arg(long, help_heading = ADDRESSES)]
    pub(crate) scramble: bool,
    /// The manager whose messages are imitated
    #[arg(long, value_enum, default_value_t = Manager::GgpBase, help_heading = ADDRESSES)]
    pub(crate) dialect: Manager,
    /// The form of PLAY messages in games with hidden information
    #[arg(long, value_enum, default_value_t = Gdl2::Numbered, help_heading = ADDRESSES)]
    pub(crate) gdl2: Gdl2,
    /// Write the record of the match, in the format of ggp.org
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Sign the record with the key in this file; `ludex key` makes one
    #[arg(long, value_name = "FILE", requires = "json")]
    pub(crate) key: Option<PathBuf>,
    /// Print the result only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// How much to log on standard error
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
    /// The game controller of Dresden: upper case, no INFO or PREVIEW, and the first legal move in
    /// the place of one that is wrong or missing
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
/// GDL-II, and thinks ahead while others choose. A move is sent the margin before its clock runs
/// out, counted from the arrival of the message.
#[derive(Args)]
pub(crate) struct Server {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 9147)]
    pub(crate) port: u16,
    /// The address to listen on; 0.0.0.0 to be reached from other machines
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) bind: std::net::IpAddr,
    /// Who plays, such as uct:c=0.6,batch=32; `ludex players` lists them
    #[arg(long, value_name = "PLAYER", default_value = "uct", add = complete::players())]
    pub(crate) player: String,
    /// The name that is told to managers
    #[arg(long, value_name = "NAME", default_value = "Ludex")]
    pub(crate) name: String,
    /// How many matches to play at a time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) matches: u64,
    /// Send an answer at the latest this many seconds before its clock runs out, or a fifth of the
    /// clock before if that is less
    #[arg(long, value_name = "S", default_value = "0.5")]
    pub(crate) margin: Seconds,
    /// Give a match up for a new one if its manager is silent this many seconds beyond its clocks
    #[arg(long, value_name = "S", default_value = "10")]
    pub(crate) patience: Seconds,
    /// How many threads a match may use; by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) threads: Option<u64>,
    /// The seed of the player
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write the messages of each match to a file in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// How much to log on standard error
    #[arg(long, value_enum, default_value_t = Level::Info)]
    pub(crate) log: Level,
    /// Refuse messages larger than this many bytes
    #[arg(long, value_name = "N", default_value_t = 16 << 20, help_heading = LIMITS)]
    pub(crate) max_bytes: usize,
    /// Refuse messages that take more seconds to arrive
    #[arg(long, value_name = "S", default_value = "10", help_heading = LIMITS)]
    pub(crate) max_arrival: Seconds,
    /// Refuse connections if more than this many are open
    #[arg(long, value_name = "N", default_value_t = 800, help_heading = LIMITS)]
    pub(crate) max_connections: usize,
    /// Refuse messages once all peers together have more than this many bytes in memory, or one
    /// address a quarter of it
    #[arg(long, value_name = "N", default_value_t = 256 << 20, help_heading = LIMITS)]
    pub(crate) max_memory: usize,
    /// Refuse matches with a clock of more than this many seconds
    #[arg(long, value_name = "S", default_value = "3600", help_heading = LIMITS)]
    pub(crate) max_clock: Seconds,
}

/// Make a key to sign records of matches with, and print its public part.
///
/// `ludex host --key FILE` signs with it; `ludex replay --signed-by FILE` tells whether a record was
/// signed with it. Keys are RSA keys of 2048 bits, in the format of ggp-base. The file holds the
/// private part: keep it to yourself.
#[derive(Args)]
pub(crate) struct NewKey {
    /// The file, which must not exist
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}
