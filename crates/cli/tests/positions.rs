//! Chess from other positions than the first: the published test positions, which are chosen for
//! castling, pins, en passant and promotion, and games that everyone knows.
//!
//! A position is the sheet with other `init` clauses and nothing else changed. The counts are those
//! of the Chess Programming Wiki, "Perft Results", where nothing else is said.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use game::{Engine, Game, Limits, Scratch, State, TermId, View};
use gdl::{Policy, Source};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The position 5 of the wiki, as it is there.
const FIFTH: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";

fn sheet() -> String {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    fs::read_to_string(games.join("chess/rules.kif")).unwrap()
}

/// The sheet with this position as the first.
fn sheet_of(fen: &str) -> String {
    let sheet = sheet();
    let mut kept = String::new();
    let mut keeps = true;
    for line in sheet.lines() {
        // Forms begin at the margin, as `ludex fmt` prints them; the lines after go with them.
        if !line.starts_with(' ') {
            keeps = !line.starts_with("(init ") && !line.starts_with("(<= (init ");
        }
        if keeps {
            kept += &format!("{line}\n");
        }
    }
    for fact in facts(fen) {
        kept += &format!("(init {fact})\n");
    }
    kept
}

/// What holds in a position: pieces from the eighth rank down, who moves, rights to castle, the
/// square behind a pawn that just went two, and turns without a capture or a move of a pawn. (The
/// number of the move at the end is no matter of the rules.)
fn facts(fen: &str) -> Vec<String> {
    let parts: Vec<&str> = fen.split(' ').collect();
    let mut facts = pieces(parts[0]);
    let player = if parts[1] == "w" { "white" } else { "black" };
    facts.push(format!("(control {player})"));
    for right in parts[2].chars().filter(|&it| it != '-') {
        let side = if "Kk".contains(right) {
            "short"
        } else {
            "long"
        };
        facts.push(format!("(right {} {side})", owner(right)));
    }
    if let Some(file) = parts[3].chars().next().filter(|&it| it != '-') {
        facts.push(format!("(enpassant {file})"));
    }
    let quiet: u32 = parts[4].parse().unwrap();
    facts.push(format!("(quietones {})", quiet % 10));
    facts.push(format!("(quiettens {})", quiet / 10));
    facts
}

fn pieces(board: &str) -> Vec<String> {
    let mut facts = Vec::new();
    for (rank, row) in (1..=8).rev().zip(board.split('/')) {
        let mut files = 'a'..='h';
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                files.nth(empty as usize - 1).unwrap();
                continue;
            }
            let file = files.next().unwrap();
            let (player, piece) = (owner(letter), kind(letter));
            facts.push(format!("(cell {file} {rank} {player} {piece})"));
        }
        assert_eq!(files.next(), None, "{row}");
    }
    facts
}

fn owner(letter: char) -> &'static str {
    if letter.is_uppercase() {
        "white"
    } else {
        "black"
    }
}

fn kind(letter: char) -> &'static str {
    match letter.to_ascii_lowercase() {
        'p' => "pawn",
        'n' => "knight",
        'b' => "bishop",
        'r' => "rook",
        'q' => "queen",
        'k' => "king",
        _ => panic!("{letter} is no piece"),
    }
}

/// Compares what `ludex perft` counts from a position with what is known of it.
fn compare(fen: &str, counts: &[u64]) {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), sheet_of(fen)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.arg("perft").arg(file.path());
    let output = command.arg(counts.len().to_string()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{fen}: {text}");
    // The first line is a heading, the second the position itself.
    let found = text.lines().skip(2).map(|line| {
        let count = line.split_whitespace().nth(1).unwrap();
        count.parse::<u64>().unwrap()
    });
    assert_eq!(found.collect::<Vec<_>>(), counts, "{fen}");
}

/// The first position too, so that it is not the reading of positions that hides a fault.
#[test]
fn the_first_position_is_the_sheet_s_own() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut line = Line::new(&sheet());
    let mut stated = facts(fen);
    stated.sort_unstable();
    assert_eq!(line.facts(), stated);
    assert_eq!(line.moves(), 20);
}

#[test]
fn kiwipete_has_castling_pins_and_en_passant() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    compare(fen, &[48, 2039]);
}

#[test]
fn in_position_3_en_passant_would_open_a_rank_to_the_king() {
    compare(
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2812],
    );
}

/// The same with the sides exchanged: what is a rule for one is one for the other.
#[test]
fn position_4_begins_in_check_and_promotes() {
    let white = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    let black = "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1";
    for fen in [white, black] {
        compare(fen, &[6, 264, 9467]);
    }
}

#[test]
fn position_5_promotes_with_a_capture() {
    compare(FIFTH, &[44, 1486]);
}

#[test]
fn position_6_is_a_quiet_middle_game() {
    let fen = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    compare(fen, &[46, 2079]);
}

/// From the page on perft of rocechess.ch.
#[test]
fn a_position_full_of_promotions() {
    compare("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", &[24, 496, 9483]);
}

/// N. Petrović, 1964: the most moves of any position that is known to be reachable.
#[test]
fn a_position_with_218_moves() {
    compare(
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        &[218],
    );
}

/// A game, move by move.
struct Line {
    game: Game,
    scratch: Scratch,
    state: State,
}

impl Line {
    fn new(sheet: &str) -> Line {
        let tree = gdl::read(Source::from(sheet), None, &gdl::ReadLimits::default());
        let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
        let game = Game::new(&program, Engine::Single, &Limits::default()).unwrap();
        let mut scratch = game.scratch();
        let state = game.initial(&mut scratch).unwrap();
        Line {
            game,
            scratch,
            state,
        }
    }

    fn view(&mut self) -> View {
        self.game.view(&mut self.scratch, &self.state).unwrap()
    }

    /// How many moves the player in turn has; the other has `noop` alone.
    fn moves(&mut self) -> usize {
        let legal = self.view().legal;
        legal.iter().map(Vec::len).max().unwrap()
    }

    fn texts(&self, terms: &[TermId]) -> Vec<String> {
        let terms = terms.iter().map(|&term| self.scratch.terms().text(term));
        let mut texts: Vec<String> = terms.collect();
        texts.sort_unstable();
        texts
    }

    fn facts(&self) -> Vec<String> {
        self.texts(self.state.fluents())
    }

    /// Plays a move written as programs write it, such as `e2e4`, or `b7a8q`, which promotes.
    fn play(&mut self, text: &str) {
        let letters: Vec<char> = text.chars().collect();
        let squares = format!(
            "{} {} {} {}",
            letters[0], letters[1], letters[2], letters[3]
        );
        let action = match letters.get(4) {
            Some(&letter) => format!("(promote {squares} {})", kind(letter)),
            None => format!("(move {squares})"),
        };
        let legal = self.view().legal;
        let named = |moves: &Vec<TermId>| {
            let is_it = |&&term: &&TermId| self.scratch.terms().text(term) == action;
            moves.iter().find(is_it).copied()
        };
        assert!(
            legal.iter().any(|it| named(it).is_some()),
            "{text} is illegal"
        );
        let joint = legal.iter().map(|it| named(it).unwrap_or(it[0]));
        let joint: Vec<TermId> = joint.collect();
        let next = self.game.next(&mut self.scratch, &self.state, &joint);
        (self.state, _) = next.unwrap();
    }

    /// The goals if the game is over.
    fn result(&mut self) -> Option<Vec<String>> {
        let view = self.view();
        let goals = view.goals.iter().map(|goals| self.texts(goals).concat());
        view.terminal.then(|| goals.collect())
    }
}

/// A game that comes to position 5 and goes on with a promotion, castling, and a pawn taken en
/// passant. The numbers of moves are those of `simulators/chess.py`, which makes every move and
/// looks whether the king is attacked.
#[test]
fn a_game_to_position_5_and_on() {
    let to = "e2e4 g8f6 d2d4 f6e4 f1c4 e7e5 d4e5 c7c6 e5e6 f8e7 g1e2 e4f2 e6d7 e8f8";
    let on = "d7c8n b7b5 e1g1 b5b4 a2a4 b4a3 c8e7 a3b2 f1f2 b2a1q";
    let counts_to = [20, 30, 22, 36, 27, 41, 35, 44, 38, 43, 39, 41, 4, 44];
    let counts_on = [41, 44, 41, 42, 39, 45, 35, 49, 35, 50];
    let mut line = Line::new(&sheet());
    follow(&mut line, to, &counts_to);
    let mut stated = facts(FIFTH);
    stated.sort_unstable();
    assert_eq!(line.facts(), stated);
    follow(&mut line, on, &counts_on);
}

/// Plays moves, and compares how many there are after each.
fn follow(line: &mut Line, moves: &str, counts: &[usize]) {
    let found = moves.split(' ').map(|text| {
        line.play(text);
        line.moves()
    });
    assert_eq!(found.collect::<Vec<_>>(), counts);
}

#[test]
fn the_shortest_mate_and_the_shortest_stalemate_are_ends() {
    // The fool's mate, and S. Loyd's stalemate of ten moves.
    let mate = "f2f3 e7e5 g2g4 d8h4";
    let stalemate = "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 \
                     c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6";
    for (moves, goals) in [(mate, ["0", "100"]), (stalemate, ["50", "50"])] {
        let mut line = Line::new(&sheet());
        for text in moves.split(' ') {
            assert_eq!(line.result(), None, "before {text}");
            line.play(text);
        }
        assert_eq!(line.result().unwrap(), goals);
    }
}
