//! Tactical puzzles: positions of our games in which few moves force a result, as proof search
//! tells, and which of them players solve.
//!
//! The suite is a text, a puzzle a line (`tactics/suite.txt`, built in): made by `make.rs`, checked
//! by `proof.rs`, asked by `ask.rs`. A player solves a puzzle if it chooses one of the right moves.

mod ask;
mod make;
mod proof;
mod words;

pub use ask::{Asking, Score, ask, table};
pub use proof::LONGEST;

use crate::load::{self, NotLoaded};
use crate::{Watch, limits};
use game::Game;
use players::{BadOption, Failure, Refusal};
use std::fmt;
use words::Words;

/// The puzzles that are built in.
const SUITE: &str = include_str!("../../tactics/suite.txt");

/// The games of the suite.
pub const GAMES: &[&str] = &[
    "awale",
    "breakthrough",
    "checkers",
    "connect-four",
    "connect-four-5x4",
    "dots-and-boxes-suicide",
    "hex",
    "othello",
    "pentago",
    "quarto",
    "reversi-suicide",
    "tic-tac-toe",
    "tictac-chess",
    "ttcc4",
];

/// What stands above the puzzles of a file.
const HEADER: &str = "\
# Tactical puzzles of our own games, made by `ludex lab tactics --make FILE` and proven by search.
# A line is a puzzle, its fields separated by tabs: the game; the role to move; the turns within
# which the right moves force a result; the goal that they force; what is known of the others
# (refuted: they bring less; slower: they do not force it within these turns); the right moves,
# separated by |; the joint moves that lead there, separated by ;.
";

/// What is known of moves that are not right.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// They are proven to bring less.
    Refuted,
    /// They do not force the result within these turns.
    Slower,
}

/// A position in which few moves force a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The name of the game.
    pub game: String,
    /// The role that is to move.
    pub role: String,
    /// The turns within which the result is forced.
    pub turns: usize,
    /// The goal that is forced.
    pub value: u32,
    /// What is known of the other moves.
    pub kind: Kind,
    /// The right moves.
    pub right: Vec<String>,
    /// The joint moves from the first state on.
    pub joints: Vec<String>,
}

/// What is wrong with a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPuzzle {
    /// A line cannot be read.
    #[error("line {0} is no puzzle")]
    Line(usize),
    /// A joint move is not legal.
    #[error("`{0}` is no legal joint move")]
    Illegal(String),
    /// There is no such role.
    #[error("there is no role `{0}`")]
    Role(String),
    /// Proof search finds something else.
    #[error("the proof does not hold")]
    Unproven,
}

/// Why players were not asked.
#[derive(Debug, thiserror::Error)]
pub enum NotAsked {
    /// There is no such game.
    #[error("there is no built-in game `{0}`")]
    Unknown(String),
    /// It cannot be played.
    #[error("{game}: {reason}")]
    NotLoaded {
        /// The game.
        game: String,
        /// The reason.
        reason: NotLoaded,
    },
    /// A puzzle is wrong.
    #[error("a puzzle of {game}: {reason}")]
    Puzzle {
        /// The game.
        game: String,
        /// What is wrong.
        reason: BadPuzzle,
    },
    /// There is no such player.
    #[error(transparent)]
    Option(#[from] BadOption),
    /// The player does not play the game.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// The player has no move.
    #[error("no move: {0}")]
    Failure(#[from] Failure),
}

/// The puzzles that are built in.
pub fn suite() -> Result<Vec<Puzzle>, BadPuzzle> {
    read(SUITE)
}

/// Makes so many puzzles of each game; the same for the same seed.
pub fn make(
    games: &[&str],
    (each, seed): (usize, u64),
    watch: &impl Watch,
) -> Result<Vec<Puzzle>, NotAsked> {
    let mut puzzles = Vec::new();
    for name in games {
        let game = load(name, watch)?;
        let _task = watch.begin("making puzzles", name);
        puzzles.append(&mut make::make((name, &game), each, seed));
    }
    Ok(puzzles)
}

/// Puzzles as the text of a file.
pub fn text(puzzles: &[Puzzle]) -> String {
    let lines: String = puzzles.iter().map(|it| format!("{it}\n")).collect();
    HEADER.to_string() + &lines
}

/// Reads the text of a file.
pub fn read(text: &str) -> Result<Vec<Puzzle>, BadPuzzle> {
    let lines = (1..).zip(text.lines());
    let lines = lines.filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    let puzzle = |(number, line)| puzzle(line).ok_or(BadPuzzle::Line(number));
    lines.map(puzzle).collect()
}

fn puzzle(line: &str) -> Option<Puzzle> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [game, role, turns, value, kind, right, joints] = fields[..] else {
        return None;
    };
    let list = |text: &str, by| text.split(by).map(String::from).collect();
    Some(Puzzle {
        game: game.to_string(),
        role: role.to_string(),
        turns: turns.parse().ok()?,
        value: value.parse().ok()?,
        kind: match kind {
            "refuted" => Kind::Refuted,
            "slower" => Kind::Slower,
            _ => return None,
        },
        right: list(right, " | "),
        joints: list(joints, " ; "),
    })
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Refuted => "refuted",
            Kind::Slower => "slower",
        };
        let (right, joints) = (self.right.join(" | "), self.joints.join(" ; "));
        let (turns, value) = (self.turns, self.value);
        let Puzzle { game, role, .. } = self;
        write!(
            f,
            "{game}\t{role}\t{turns}\t{value}\t{kind}\t{right}\t{joints}"
        )
    }
}

/// Proves all puzzles of one game again.
pub fn verify(puzzles: &[Puzzle], watch: &impl Watch) -> Result<(), NotAsked> {
    for puzzles in puzzles.chunk_by(|one, other| one.game == other.game) {
        let name = &puzzles[0].game;
        let game = load(name, watch)?;
        let wrong = |reason| NotAsked::Puzzle {
            game: name.clone(),
            reason,
        };
        puzzles
            .iter()
            .try_for_each(|it| prove(it, &game))
            .map_err(wrong)?;
    }
    Ok(())
}

fn prove(puzzle: &Puzzle, game: &Game) -> Result<(), BadPuzzle> {
    let words = Words::new(game);
    let (state, role) = words.position(puzzle)?;
    let verdict = proof::judge(game, (&state, role)).ok_or(BadPuzzle::Unproven)?;
    let right = verdict.right.iter().map(|&it| words.action(role, it));
    let right: Vec<String> = right.collect();
    let found = (right, verdict.value, verdict.turns, verdict.kind);
    let told = (
        puzzle.right.clone(),
        puzzle.value,
        puzzle.turns,
        puzzle.kind,
    );
    match found == told && 2 * verdict.right.len() <= verdict.moves {
        true => Ok(()),
        false => Err(BadPuzzle::Unproven),
    }
}

/// Loads a game of ours for players.
fn load(name: &str, watch: &impl Watch) -> Result<Game, NotAsked> {
    let game = library::find(name).ok_or_else(|| NotAsked::Unknown(name.to_string()))?;
    let task = watch.begin("reading", name);
    load::ours_for_play(game, &limits(&task)).map_err(|reason| NotAsked::NotLoaded {
        game: name.to_string(),
        reason,
    })
}
