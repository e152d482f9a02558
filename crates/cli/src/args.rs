//! What can be said on the command line.

mod author;
mod measure;
mod network;
mod values;

pub(crate) use author::New;
pub(crate) use measure::{
    Bench, Compare, Engine, Lab, Library, Lookahead, Perft, Propagation, Puzzles, Solve, Tactics,
    Verify,
};
pub(crate) use network::{Gdl2, Host, Level, Manager, NewKey, Server};
pub(crate) use values::{Seconds, Tolerance};

use crate::complete;
use clap::{Args, Parser, Subcommand, ValueEnum};
use game::Limits;
use std::path::{Path, PathBuf};
use values::{error, share, threads};

/// General Game Playing: give it the rules of any game.
///
/// Rules are GDL or GDL-II, in the prefix form `(<= terminal (true done))` or in the infix
/// form `terminal :- true(done).`, told apart by the text. A GAME is a rule sheet, or the name
/// of a built-in game (`ludex games` lists them); `-` reads standard input. A PLAYER is a name with
/// options, as in `uct:c=0.6,batch=32` (`ludex players` lists them).
///
/// To begin: `ludex play tic-tac-toe` plays a game, `ludex new` writes a rule sheet of your own.
#[derive(Parser)]
#[command(name = "ludex", version = crate::version::VERSION, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 fine, 1 rules refused, not formatted, a record that is wrong or games that \
                  differ, 2 misuse or unreadable files, 3 a game that does not fit the engine asked for, or a limit was reached, 4 results that are not to be trusted, 130 stopped."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Play(Play),
    Match(Match),
    Replay(Replay),
    Host(Host),
    Player(Server),
    Key(NewKey),
    Arena(Arena),
    /// List the players and their options
    Players,
    Games(Games),
    New(New),
    Check(Check),
    Fmt(Format),
    Convert(Convert),
    Explain(Explain),
    Show(Show),
    Verify(Verify),
    Compare(Compare),
    Perft(Perft),
    Solve(Solve),
    Bench(Bench),
    /// Make tables: of the source papers again, of the built-in games, and of what players do
    #[command(subcommand)]
    Lab(Lab),
    /// Help a player: orders on standard input, answers on standard output
    #[command(hide = true)]
    Worker,
    /// Print the script that completes commands, games and players in a shell
    ///
    /// For bash: `source <(ludex completions bash)` in ~/.bashrc. The script asks `ludex` itself, so
    /// it has to be on the path.
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write a page for each command
    Man {
        /// Write the pages into this folder
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
}

/// How to read rule sheets, and what loading them may cost.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Reading and loading rules")]
pub(crate) struct Reading {
    /// The syntax of the rule sheets
    #[arg(long, value_enum, default_value_t = Syntax::Auto)]
    pub(crate) syntax: Syntax,
    /// Refuse files larger than this many bytes
    #[arg(long, value_name = "N", default_value_t = 256 << 20)]
    pub(crate) max_bytes: u64,
    /// Refuse forms nested deeper than this; 2000 at most
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=gdl::ReadLimits::MAX_DEPTH as u64))]
    pub(crate) max_depth: u64,
    /// Refuse clauses with more names and parentheses than this
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_clause: usize,
    /// Report at most this many findings of each check and file
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_reports: u64,
    /// Stop compiling a game after this many seconds; then only the interpreter plays it
    #[arg(long, value_name = "S", default_value = "60")]
    pub(crate) load_seconds: Seconds,
    /// Stop compiling a game that needs more than this many megabytes
    #[arg(long, value_name = "MB", default_value_t = 4096,
          value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    pub(crate) load_memory: u64,
}

impl Reading {
    /// The limits of loading a game.
    pub(crate) fn limits<'p>(&self) -> Limits<'p> {
        let mut limits = Limits::default();
        limits.ground.seconds = self.load_seconds.0.as_secs_f64();
        limits.ground.memory = (self.load_memory << 20) as usize;
        limits
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Syntax {
    /// Whichever the text is in
    Auto,
    /// `(<= terminal (true done))`
    Prefix,
    /// `terminal :- true(done).`
    Infix,
}

impl Syntax {
    pub(crate) fn chosen(self) -> Option<gdl::Syntax> {
        match self {
            Syntax::Auto => None,
            Syntax::Prefix => Some(gdl::Syntax::Prefix),
            Syntax::Infix => Some(gdl::Syntax::Infix),
        }
    }
}

/// List the built-in games by class; their names can be used wherever a GAME is asked for.
#[derive(Args)]
pub(crate) struct Games {
    /// Print the list as one JSON array, with what is known of each game
    #[arg(long)]
    pub(crate) json: bool,
}

/// Check rule sheets and report every problem, with line and column.
///
/// A sheet is accepted unless a problem is an error. By default only what leaves rules without a
/// meaning is one, and oddities are warnings; `ludex explain` lists the checks with their levels.
///
/// With `--play` each game is also played: all its states if they are few, else random matches, one
/// by one, in lanes and by the rules themselves. That finds what no reader of rules can see: a role
/// without a legal move, matches that never end, ends without exactly one goal for each role, rules
/// that never apply. Each defect is told with its state and the joint moves that lead there.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        ludex check my-game.kif                  # the rules as they are written\n  \
        ludex check --play my-game.kif           # and as they are played\n  \
        ludex check --play 1000 --seconds 60 my-game.kif")]
pub(crate) struct Check {
    /// Rule sheets, or names of built-in games; `-` is standard input
    #[arg(required_unless_present = "play", value_name = "GAME", add = complete::games())]
    files: Vec<PathBuf>,
    /// Play each game, too: N random matches, 100 if no number is given, and a hundred times as many
    /// in lanes
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "100")]
    play: Option<String>,
    /// With --play: about how many seconds each game may take
    #[arg(long, value_name = "S", default_value = "10")]
    pub(crate) seconds: Seconds,
    /// With --play: give matches up after so many turns
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) turns: usize,
    /// With --play: the seed of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Make everything an error that the specification of GDL does not allow
    #[arg(long)]
    pub(crate) strict: bool,
    /// Make a check's findings errors, by code or name; `warnings` for all
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) deny: Vec<String>,
    /// Silence a check, by code or name
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,
    /// Print the diagnostics as one JSON array, for editors
    #[arg(long)]
    pub(crate) json: bool,
    /// Report errors only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

impl Check {
    /// How many matches of each game are wanted; none without `--play`.
    pub(crate) fn matches(&self) -> Option<u64> {
        // What follows `--play` and is no number is a sheet.
        self.play.as_ref().map(|it| it.parse().unwrap_or(100))
    }

    /// The sheets.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let first = self.play.iter().filter(|it| it.parse::<u64>().is_err());
        let first = first.map(|it| Path::new(it.as_str()));
        first.chain(self.files.iter().map(PathBuf::as_path))
    }
}

/// Format rule sheets in place, comments kept.
///
/// Sheets that cannot be read to the end are reported and left as they are. A sheet on
/// standard input is printed to standard output.
#[derive(Args)]
pub(crate) struct Format {
    /// Rule sheets; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; name the files that are not formatted, with exit code 1
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Print a rule sheet in the other syntax, comments kept.
#[derive(Args)]
pub(crate) struct Convert {
    /// A rule sheet, or the name of a built-in game; `-` is standard input
    #[arg(value_name = "GAME", add = complete::games())]
    pub(crate) file: PathBuf,
    /// The syntax to print; `auto` is the one that the sheet is not in
    #[arg(long, value_enum, value_name = "SYNTAX", default_value_t = Syntax::Auto)]
    pub(crate) to: Syntax,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Explain a diagnostic, with a bad and a good example.
///
/// Without a code, lists every check with its levels.
#[derive(Args)]
pub(crate) struct Explain {
    /// Code or name, such as G104 or keyword-arity
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

/// Show a game: its rules, its kind, a state, a match, or a stage of its compilation.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        ludex show sheet nim > mynim.kif            # the rules of a built-in game, to change\n  \
        ludex show game hex                         # what kind of game it is\n  \
        ludex show facts tic-tac-toe --after \"(mark 1 1) noop\" --board")]
pub(crate) struct Show {
    /// What to show
    #[arg(value_enum)]
    pub(crate) stage: Stage,
    /// A rule sheet, or the name of a built-in game; `-` is standard input
    #[arg(value_name = "GAME", add = complete::games())]
    pub(crate) file: PathBuf,
    /// For facts: joint moves to play first, each with a move for every role, as in
    /// "(mark 1 1) noop"
    #[arg(long, value_name = "MOVES", num_args = 1..)]
    pub(crate) after: Vec<String>,
    /// For facts: draw the state, as a board if its fluents make one
    #[arg(long)]
    pub(crate) board: bool,
    /// For scsp: show the network of the state after N random turns; for playthrough: stop after N
    /// turns, by default 60
    #[arg(long, value_name = "N")]
    pub(crate) turns: Option<usize>,
    /// For scsp: show the whole problem of T turns with its end, chance and goals, from the first
    /// state or from that after random turns, for `ludex solve FILE.scsp`
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) stages: Option<u64>,
    /// For scsp: how the relations of a turn are written; tables are printed however many there are
    #[arg(long, value_enum, default_value_t = Relations::Definitions)]
    pub(crate) encoding: Relations,
    /// For scsp and playthrough: the seed of the random turns, by default 1
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Relations {
    /// What rules derive is defined, by `and` and `or`
    Definitions,
    /// In extension, as the paper has them: tables of allowed tuples
    Tables,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// The text of the rules, comments included
    Sheet,
    /// Every form and name as it was read, with line and column
    Tree,
    /// Roles, relations and clauses after all checks, with negations moved to the conditions
    Program,
    /// The rules without variables, as far as they can apply, in the order of evaluation
    Ground,
    /// The rules as gates of two inputs, and how many of them a turn of a playout evaluates
    Circuit,
    /// A turn as a stochastic constraint network: its size, and the network if it is small
    Scsp,
    /// What kind of game it is, how large, which engines play it, how it starts
    Game,
    /// What holds in the first state, or after some joint moves
    Facts,
    /// A match of random moves: who did what in each turn, what was seen, what changed
    Playthrough,
}

/// Play against the machine, against each other, or alone where a game has one role.
///
/// Each turn shows the state and your legal moves. Type a move as you like: a number of the list,
/// the whole text `(move e 2 e 4)`, or `e2e4`, `e2-e4` or any other part that fits no other move.
/// What fits several moves is not played: they are listed. The list has no numbers where one could
/// be mistaken for a move, as `5` for `(drop 5)`. Tab completes. `hint` tells what a strong player
/// would do, `undo` takes your last move back, as often as you like, and `help` lists the other
/// commands. You have no clock. A game that hides its state shows you what your role sees.
///
/// Moves can be piped in, one a line. A line that is no move and no command then ends it all,
/// with exit code 2. Interrupted, it ends with exit code 130, and writes the record so far.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        ludex play tic-tac-toe                      # you are x, uct is o\n  \
        ludex play connect-four --as yellow --play-clock 5\n  \
        ludex play chess --vs person                # two at one terminal, one after the other\n  \
        ludex play monty-hall                       # you see what the candidate sees\n  \
        printf '5\\n1\\n' | ludex play tic-tac-toe --vs random")]
pub(crate) struct Play {
    /// A rule sheet, or the name of a built-in game
    #[arg(add = complete::games())]
    pub(crate) game: PathBuf,
    /// Your role; by default the first one
    #[arg(long = "as", value_name = "ROLE")]
    pub(crate) role: Option<String>,
    /// Who plays the other roles: one PLAYER for all, or one for each in the order of the roles; by
    /// default `mac-ucb`, `uct` in puzzles, or `random` where the game hides its state. `person` is
    /// another person at this terminal
    #[arg(long = "vs", value_name = "PLAYER", add = complete::seats())]
    pub(crate) opponents: Vec<String>,
    /// Seconds that players have before the first turn
    #[arg(long, value_name = "S", default_value = "2")]
    pub(crate) start_clock: Seconds,
    /// Seconds that players have for each turn, and hints
    #[arg(long, value_name = "S", default_value = "1")]
    pub(crate) play_clock: Seconds,
    #[command(flatten)]
    pub(crate) tolerance: Tolerance,
    /// The seed of chance and of the players
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Show the state and all moves even if the game hides them
    #[arg(long)]
    pub(crate) reveal: bool,
    /// Write the record of the match, in the format of ggp.org
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Play a match and show it.
///
/// There is one player for each role, in the order of the roles; chance is drawn and has no
/// seat. Without players, `mac-ucb` plays, `uct` in puzzles, or `random` where the game hides the
/// state. A player that is late by more than the tolerance, or whose move is not legal, gets a
/// legal move put in its place.
#[derive(Args)]
pub(crate) struct Match {
    /// A rule sheet, or the name of a built-in game
    #[arg(add = complete::games())]
    pub(crate) game: PathBuf,
    /// The players, one for each role, such as uct:c=0.6,batch=32; `ludex players` lists them
    #[arg(value_name = "PLAYER", add = complete::players())]
    pub(crate) players: Vec<String>,
    /// Seconds before the first turn
    #[arg(long, value_name = "S", default_value = "5")]
    pub(crate) start_clock: Seconds,
    /// Seconds for each turn
    #[arg(long, value_name = "S", default_value = "1")]
    pub(crate) play_clock: Seconds,
    #[command(flatten)]
    pub(crate) tolerance: Tolerance,
    /// Give players N iterations for each turn instead of seconds: the match can be repeated
    #[arg(long, value_name = "N", conflicts_with_all = ["start_clock", "play_clock"])]
    pub(crate) iterations: Option<u64>,
    /// The seed of chance and of the players
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Write the record of the match, in the format of ggp.org
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Keep what mac-ucb and fc-ucb prove about the game in a file of this folder, and use what is
    /// there: with --iterations, too, a match then depends on those before it
    #[arg(long, value_name = "FOLDER")]
    pub(crate) memory: Option<PathBuf>,
    /// Print the result only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Show a recorded match again, and verify it.
///
/// A record may come from anyone: without --game, it leads to one of our games by name, or to a
/// regular file beside the record or below the current folder. All it claims is held against the
/// rules: states, moves, goals, how it ended, times, and who is blamed for what.
///
/// Exit code 0 if the record agrees with the rules and its signature, if it has one, is right; 1 if
/// not.
#[derive(Args)]
pub(crate) struct Replay {
    /// The record
    pub(crate) file: PathBuf,
    /// The rule sheet, or the name of a built-in game; by default the one that the record names
    #[arg(long, value_name = "GAME", add = complete::games())]
    pub(crate) game: Option<PathBuf>,
    /// Only tell whether the record is right
    #[arg(long)]
    pub(crate) verify: bool,
    /// Refuse a record that is not signed with this key, given as its text or as a file that
    /// `ludex key` made
    #[arg(long, value_name = "KEY")]
    pub(crate) signed_by: Option<String>,
    /// Print the result only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Play many matches, and tell which player is better and how sure that is.
///
/// Every two players meet in every game, seats swapped in turn with the same seed; where there
/// are more than two seats, they are shared out in all ways. In a game for one, each plays on
/// its own. A player alone meets itself.
///
/// Every match is written to a file as soon as it ends. Started again, by the same build, with
/// the same games, players, clocks and seed, the command goes on where it was stopped or
/// killed; with more matches, it plays those that are missing. Interrupted, it says what is kept,
/// prints the table so far and ends with exit code 130.
///
/// The score of a match is a half and half the difference of goals: the first player's goal, if
/// goals sum up to 100. The interval is Wilson's at 95 %, matches with the same seed counted
/// as one. Ratings are Bradley and Terry's in the scale of Elo, draws half a win; behind ± is
/// their 95 %.
///
/// A player may be the address of a GGP player, as in http://localhost:9147: its time is the
/// clock and a second for the network. It plays one match at a time unless --threads says more.
#[derive(Args)]
pub(crate) struct Arena {
    /// Rule sheets, or names of built-in games
    #[arg(
        required_unless_present = "show",
        conflicts_with = "show",
        value_name = "GAME",
        add = complete::games()
    )]
    pub(crate) files: Vec<PathBuf>,
    /// The players, repeated or separated by commas, as in uct,uct:c=0.6,batch=32,random;
    /// `ludex players` lists them
    #[arg(
        long,
        required_unless_present = "show",
        conflicts_with = "show",
        value_name = "PLAYER",
        add = complete::players()
    )]
    pub(crate) players: Vec<String>,
    /// How many matches every two players play in each game. Matches come in pairs, seats swapped:
    /// an odd number is rounded up to the next even one. A player alone plays so many
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    pub(crate) matches: u32,
    /// Seconds for each turn
    #[arg(long, value_name = "S", default_value = "1")]
    pub(crate) clock: Seconds,
    /// Seconds before the first turn; by default as many as for each turn
    #[arg(long, value_name = "S")]
    pub(crate) start_clock: Option<Seconds>,
    #[command(flatten)]
    pub(crate) tolerance: Tolerance,
    /// The share of a player's moves that may be faults: with more, the table says that it is not
    /// to be trusted, and the exit code is 4
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = share)]
    pub(crate) faults_allowed: f64,
    /// Give players N iterations instead of seconds, for each turn and before the first one: then
    /// matches can be repeated exactly
    #[arg(long, value_name = "N", conflicts_with_all = ["clock", "start_clock"])]
    pub(crate) iterations: Option<u64>,
    /// How many matches to play at a time; by default one for each core. In a match one player
    /// thinks after the other. More matches than cores take time from each other
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<usize>,
    /// The seed from which the seeds of all matches are made
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop the matches of two players in a game as soon as it is known who is better, with at most
    /// this chance of being wrong, such as 0.05
    #[arg(long, value_name = "ERROR", value_parser = error)]
    pub(crate) stop_at: Option<f64>,
    /// Keep what mac-ucb and fc-ucb prove about each game in a file of this folder, and use what is
    /// there; all matches of a game share it. With --iterations, too, results then depend on the order
    /// in which matches end, which only --threads 1 makes the same again
    #[arg(long, value_name = "FOLDER", conflicts_with = "show")]
    pub(crate) memory: Option<PathBuf>,
    /// The file of results, of SQLite; several experiments may share it
    #[arg(long, value_name = "FILE", default_value = "arena.sqlite")]
    pub(crate) results: PathBuf,
    /// Play nothing: print the standings of the experiment of this number in the file, by default
    /// the last one
    #[arg(long, value_name = "NUMBER", num_args = 0..=1)]
    pub(crate) show: Option<Option<i64>>,
    /// Print the standings as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write all matches to this file, one line each
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw the scores over the course of the matches, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Show no progress on the terminal
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
}
