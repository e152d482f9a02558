//! What can be said to the commands that measure, compare and solve.

use super::Reading;
use super::values::{Seconds, threads};
use crate::complete;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Compare an engine with recorded matches, state by state.
///
/// A trace is a file of JSON matches, one object each, gzipped or not: for every state what
/// is true, whether it is terminal, the legal moves, the joint move, percepts and goals, as
/// another program recorded them. Exit code 0 if all states agree, 1 at the first difference, 3 if
/// the game can only be played by the interpreter and another engine was asked for, if its
/// network is too large, or if a match takes more bytes than 64 MB or --max-bytes.
#[derive(Args)]
pub(crate) struct Verify {
    /// A rule sheet, or the name of a built-in game
    #[arg(long, value_name = "GAME", add = complete::games())]
    pub(crate) game: PathBuf,
    /// Files of recorded matches
    #[arg(required = true, value_name = "TRACE")]
    pub(crate) traces: Vec<PathBuf>,
    /// The engine to compare
    #[arg(long, value_enum, default_value_t = Engine::Interpreter)]
    pub(crate) engine: Engine,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Tell whether two rule sheets are the same game under different names.
///
/// Random matches are played in both at once. In each state both are over or neither, each legal
/// move of a role has one partner in the other sheet, and at the end each role gets the same.
/// A move is drawn in GAME, and its partner made in OTHER.
///
/// A map tells what is called what: a file of facts in the prefix syntax, in which variables stand
/// for any term, and one of their side alone for anything.
///
/// Exit code 0 if they agree everywhere, 1 at the first difference.
#[derive(Args)]
#[command(after_help = "Facts of a map, ours first:\n  \
        (role x xplayer)                          ; roles; if not given, in their order\n  \
        (word north n)                            ; a word, in moves without a rule and variables\n  \
        (word file 1 a)                           ; a word of a table that is asked for by name\n  \
        (move (put ?x ?y) (place (file ?x) ?y))   ; a move, and what its partner looks like\n  \
        (move (go ?a ?b) (move ?piece ?a ?b))     ; the partner is the one legal move that fits\n  \
        (move (put 1) push (role x) (true (on 2))) ; for our role; where this holds in OTHER\n  \
        (until (step 201))                        ; where this holds the match is cut\n  \
        (goals differ)                            ; they end together, and score otherwise")]
pub(crate) struct Compare {
    /// A rule sheet, or the name of a built-in game
    #[arg(add = complete::games())]
    pub(crate) game: PathBuf,
    /// The other rule sheet
    #[arg(add = complete::games())]
    pub(crate) other: PathBuf,
    /// What is called what
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,
    /// How many matches
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) matches: usize,
    /// The seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Cut matches after so many turns
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) turns: usize,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Answers from the rules as they are written: slow, and the measure of all others
    Interpreter,
    /// Evaluates the rules without variables
    Ground,
    /// Propagates what changes from one state to the next
    Single,
    /// Runs the rules as machine code, hundreds of states at once
    Lanes,
    /// Solves the constraint network of each state for its joint moves and next states
    Scsp,
}

impl Engine {
    pub(crate) fn chosen(self) -> lab::Engine {
        match self {
            Engine::Interpreter => lab::Engine::Interpreter,
            Engine::Ground => lab::Engine::Ground,
            Engine::Single => lab::Engine::Single,
            Engine::Lanes => lab::Engine::Lanes,
            Engine::Scsp => lab::Engine::Scsp,
        }
    }
}

/// Count the ways a match can begin: sequences of joint moves.
///
/// Prints for each number of turns up to the depth how many sequences of joint moves there
/// are, and how many of them end the match.
#[derive(Args)]
pub(crate) struct Perft {
    /// A rule sheet, or the name of a built-in game; `-` is standard input
    #[arg(value_name = "GAME", add = complete::games())]
    pub(crate) file: PathBuf,
    /// How many turns
    pub(crate) depth: usize,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Measure how fast games are played at random, or how fast a player searches.
#[derive(Args)]
pub(crate) struct Bench {
    /// Rule sheets, or names of built-in games
    #[arg(required = true, value_name = "GAME", add = complete::games())]
    pub(crate) files: Vec<PathBuf>,
    /// The engine that plays
    #[arg(long, value_enum, default_value_t = Engine::Lanes)]
    pub(crate) engine: Engine,
    /// Measure a player such as uct:batch=32 instead: how fast it searches from the first state,
    /// and what it spends its time on
    #[arg(long, value_name = "PLAYER", conflicts_with = "engine", add = complete::players())]
    pub(crate) player: Option<String>,
    /// How many threads play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub(crate) threads: usize,
    /// How many seconds to play each game
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    pub(crate) seconds: f64,
    /// The seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print the figures as one JSON array
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Subcommand)]
pub(crate) enum Lab {
    /// Tabulate the constraint networks of games: their sizes, and the seconds to build them
    Networks {
        /// Tabulate other forms of the networks instead: with the end and in extension, with what a
        /// state costs
        #[arg(long)]
        times: bool,
        /// Show no progress on the terminal
        #[arg(long, short)]
        quiet: bool,
    },
    Library(Library),
    Tactics(Tactics),
    Puzzles(Puzzles),
    Lookahead(Lookahead),
}

/// Count the tactical puzzles that players solve, or make new ones.
///
/// A puzzle is a position of a built-in game in which at most half of the moves force a result
/// within two to seven turns, as a proof search tells. A player solves it if it chooses one of
/// them, asked afresh with so many iterations, in one thread. Prints the share that each player
/// solves with each budget, a row a game.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        ludex lab tactics --players mac-ucb,uct --iterations 100,1000\n  \
        ludex lab tactics connect-four quarto --players mac-ucb:look=no\n  \
        ludex lab tactics --make crates/lab/tactics/suite.txt   # the built-in puzzles, again")]
pub(crate) struct Tactics {
    /// Names of built-in games; all that have puzzles if none is given
    #[arg(value_name = "GAME", add = complete::names())]
    pub(crate) games: Vec<String>,
    /// The players, repeated or separated by commas
    #[arg(long, value_name = "PLAYER", default_value = "mac-ucb,uct", add = complete::players())]
    pub(crate) players: Vec<String>,
    /// How many iterations players have: a column for each number
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "10,100,1000"
    )]
    pub(crate) iterations: Vec<u64>,
    /// Ask nobody: make puzzles, and write them into this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "iterations"])]
    pub(crate) make: Option<PathBuf>,
    /// With --make: how many puzzles of each game, at most
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) each: usize,
    /// The seed of the players, or of the matches from which puzzles are made
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Tabulate the games of one player that players solve.
///
/// Each player plays each game on its own. Prints the goal it got, whether that is the most there is,
/// and how long it thought, a row a game. A match that is solved takes no more time.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        ludex lab puzzles --players ida,nested,uct --start-clock 2 --clock 0.2\n  \
        ludex lab puzzles eight-queens ../shared/ggp-games/hanoi.kif --iterations 1000")]
pub(crate) struct Puzzles {
    /// Rule sheets, or names of built-in games; all built-in games of one player if none is given
    #[arg(value_name = "GAME", add = complete::games())]
    pub(crate) games: Vec<PathBuf>,
    /// The players, repeated or separated by commas
    #[arg(long, value_name = "PLAYER", default_value = "ida,nested,uct", add = complete::players())]
    pub(crate) players: Vec<String>,
    /// Seconds for each turn
    #[arg(long, value_name = "S", default_value = "0.2")]
    pub(crate) clock: Seconds,
    /// Seconds before the first turn
    #[arg(long, value_name = "S", default_value = "2")]
    pub(crate) start_clock: Seconds,
    /// Give players N iterations instead of seconds, for each turn, and ten times as many before the
    /// first one: then matches can be repeated exactly
    #[arg(long, value_name = "N", conflicts_with_all = ["clock", "start_clock"])]
    pub(crate) iterations: Option<u64>,
    /// How many threads a player may use; by default one for each core
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// Turns of a match that are played at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) turns: usize,
    /// The seed of the players
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl Puzzles {
    /// The clocks of each match.
    pub(crate) fn clocks(&self) -> arena::Clocks {
        match self.iterations {
            Some(play) => arena::Clocks::Iterations {
                start: play.saturating_mul(10),
                play,
            },
            None => arena::Clocks::Times {
                start: self.start_clock.0,
                play: self.clock.0,
            },
        }
    }
}

/// Tabulate what look-ahead by constraints does in matches of `mac-ucb` against itself.
///
/// Prints for each game how many states were solved and looked at, what that removed and taught,
/// and what it cost. Without games: those of the source paper, and five more.
#[derive(Args)]
pub(crate) struct Lookahead {
    /// Names of built-in games
    #[arg(value_name = "GAME", add = complete::names())]
    pub(crate) games: Vec<String>,
    /// The player on every seat
    #[arg(long, value_name = "PLAYER", default_value = "mac-ucb", add = complete::players())]
    pub(crate) player: String,
    /// Iterations of each player in each turn
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) iterations: u64,
    /// Turns of a match that are played at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) turns: usize,
    /// The seed of the players and of chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Tabulate the built-in games: how fast they load and play, and what random play tells of them.
///
/// Prints for each game the seconds from the text of its rules to a game that can be played, its
/// gates, playouts and states a second, and the means of turns and of each role's goal with
/// their standard errors. The last column tells what is not well formed: matches in which a
/// role had no move or that did not end, and ends at which a role had no goal or several.
///
/// Exit code 0 if all playouts were well formed, 1 if not.
#[derive(Args)]
pub(crate) struct Library {
    /// Names of built-in games; all if none is given
    #[arg(value_name = "GAME", add = complete::names())]
    pub(crate) games: Vec<String>,
    /// How many matches of each game
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) playouts: u64,
    /// The seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print the figures as one JSON array
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the figures into the last sections of the files DIR/GAME/game.toml
    #[arg(long, value_name = "DIR")]
    pub(crate) update: Option<PathBuf>,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Solve a game exactly, or a stochastic constraint network.
///
/// For a game: the goal, 0 to 100, that each role gets if each wants most for itself, and what they
/// do then. Two roles with a constant sum are solved by alpha-beta, others by max^n; over chance
/// the mean is taken, and moves made at the same time are mixed. With `--cooperative`: the goal that
/// all can reach together, as the source papers ask it, through the networks of its states.
///
/// A network file ends in `.scsp`: variables in order, decisions and chance; tables, clauses
/// and definitions that have to hold; utilities of players; a threshold. Prints a policy whose
/// least expected utility is greatest and reaches the threshold, or a solution if the network
/// has neither chance nor utilities.
///
/// Exit code 0 if there is an answer, 1 if no policy or solution exists, 3 if a limit was
/// reached first or the game cannot be solved: the reason is said.
#[derive(Args)]
pub(crate) struct Solve {
    /// A rule sheet, the name of a built-in game, or a network; `-` is a network on standard input
    #[arg(value_name = "GAME|FILE", add = complete::games())]
    pub(crate) file: PathBuf,
    /// For a game: find what all players can get together
    #[arg(long)]
    pub(crate) cooperative: bool,
    /// Find any policy that gives every player at least this: one number for all, or one for each.
    /// For a game these are goals, such as 50 or 30,40; for a network utilities, such as 1/2
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = threshold)]
    pub(crate) theta: Vec<f64>,
    /// For a network: print every solution; with chance, one feasible policy for each assignment of
    /// the decisions before it
    #[arg(long)]
    pub(crate) all: bool,
    /// For a network: print how many solutions or policies there are
    #[arg(long, conflicts_with_all = ["all", "dot"])]
    pub(crate) count: bool,
    /// Print policies for Graphviz
    #[arg(long)]
    pub(crate) dot: bool,
    /// For a game: how many turns of the policy to print
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) depth: usize,
    /// For a game: about how many megabytes its states may take
    #[arg(long, value_name = "MB", default_value_t = 2048,
          value_parser = megabytes)]
    pub(crate) memory: usize,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// For a network: how much is propagated after each value that is tried
    #[arg(long, value_enum, default_value_t = Propagation::Mac)]
    pub(crate) propagation: Propagation,
    /// For a network: simplify it first
    #[arg(long)]
    pub(crate) preprocess: bool,
    /// Try at most this many values, or joint moves of a game
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub(crate) max_nodes: u64,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Megabytes: at least one, and not more than a machine can count.
fn megabytes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=0xff_ffff) => Ok(count),
        _ => Err("expected megabytes from 1 to 16777215".to_string()),
    }
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum Propagation {
    /// Maintain arc consistency
    Mac,
    /// Check forward
    Fc,
}

/// A goal or a utility: a number from 0 to 100, decimal or a fraction.
fn threshold(text: &str) -> Result<f64, String> {
    let number = constraint::text::number(text).filter(|it| (0.0..=100.0).contains(it));
    number.ok_or_else(|| {
        "expected a goal from 0 to 100, such as 33 or 100/3, or a utility of a network from 0 to 1".to_string()
    })
}
