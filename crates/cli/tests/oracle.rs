//! The interpreter against clingo, a solver of logic programs that others wrote: along random
//! matches, every fact of every state. Left out, and said so, where there is no `clingo`
//! (Debian's package `gringo`, or `pip install clingo`).

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;
#[path = "oracle/translation.rs"]
mod translation;

use common::{shared, skipped};
use game::{Engine, Game, Limits, Scratch, State, TermId};
use gdl::{Keyword, Policy, Program, Source};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};
use translation::{sentence, term, translate};

const MATCHES: usize = 2;
/// Longer matches are cut.
const TURNS: usize = 30;

/// Public games: large ones, odd ones, some that are stratified only by instance.
const PUBLIC: &[&str] = &[
    "ggp-games/blocks2player.kif",
    "ggp-games/checkers.kif",
    "ggp-games/chess_200.kif",
    "ggp-games/futoshiki4.kif",
    "ggp-games/hexPie.kif",
    "ggp-games/majorities.kif",
    "ggp-games/nim1.kif",
    "ggp-games/pentago.kif",
    "ggp-games/queens16ug.kif",
    "ggp-games/ruleDepthLinear.kif",
    "ggp-games/ticTacToe.kif",
    "gdl2-games/MontyHall.gdl",
    "gdl2-games/backgammon.gdl",
    "gdl2-games/guess6.gdl",
    "gdl2-games/kriegtictactoe.gdl",
    "gdl2-games/latenttictactoe.gdl",
    "gdl2-games/mastermind.gdl",
    "gdl2-games/meier.gdl",
    "gdl2-games/vacuumcleaner_random_big.gdl",
];

#[test]
fn clingo_sees_what_the_interpreter_sees() {
    if Command::new("clingo").arg("--version").output().is_err() {
        skipped("the oracle: no clingo here");
        return;
    }
    for path in sheets() {
        let name = path.display().to_string();
        let tree = gdl::read(
            Source::from_bytes(fs::read(&path).unwrap()),
            None,
            &gdl::ReadLimits::default(),
        );
        let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
        let record = Record::new(&program);
        let text = translate(&program) + &record.facts;
        let found = clingo(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let [more, less] = [(&found, &record.expected), (&record.expected, &found)]
            .map(|(one, other)| one.difference(other).take(5).collect::<Vec<_>>());
        assert!(
            more.is_empty() && less.is_empty(),
            "{name}: clingo alone finds {more:?}, the interpreter alone {less:?}"
        );
    }
}

/// Our games, and the public ones if they are there.
fn sheets() -> Vec<PathBuf> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let entries = fs::read_dir(games).unwrap();
    let ours = entries.map(|entry| entry.unwrap().path().join("rules.kif"));
    let mut sheets: Vec<PathBuf> = ours.collect();
    sheets.sort();
    let public = PUBLIC.iter().map(|game| shared().join(game));
    let (found, missing): (Vec<_>, Vec<_>) = public.partition(|path| path.exists());
    if !missing.is_empty() {
        let count = missing.len();
        skipped(&format!(
            "{count} public games for the oracle (LUDEX_SHARED)"
        ));
    }
    sheets.extend(found);
    sheets
}

/// All facts that clingo derives; there has to be exactly one model.
fn clingo(program: &str) -> Result<BTreeSet<String>, String> {
    let mut child = Command::new("clingo")
        .args(["--models=2", "--verbose=0", "--warn=none"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Refused programs are not read to the end.
    let _ = child.stdin.take().unwrap().write_all(program.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    match text.lines().collect::<Vec<_>>()[..] {
        [model, "SATISFIABLE"] => Ok(model.split(' ').map(String::from).collect()),
        ref lines => Err(format!(
            "{} lines, not one model: {}",
            lines.len(),
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// Random matches: facts for clingo, and what the interpreter says of them.
struct Record {
    game: Game,
    scratch: Scratch,
    random: Xoshiro256PlusPlus,
    /// How many states were noted down; the number of the one at hand.
    states: usize,
    facts: String,
    expected: BTreeSet<String>,
}

impl Record {
    fn new(program: &Program) -> Record {
        let game = Game::new(program, Engine::Interpreter, &Limits::default()).unwrap();
        let mut record = Record {
            scratch: game.scratch(),
            game,
            random: Xoshiro256PlusPlus::seed_from_u64(11),
            states: 0,
            facts: String::new(),
            expected: BTreeSet::new(),
        };
        for _ in 0..MATCHES {
            record.play();
        }
        record
    }

    fn play(&mut self) {
        let mut state = self.game.initial(&mut self.scratch).unwrap();
        for &fluent in state.fluents() {
            let fluent = self.text(fluent);
            self.expected.insert(sentence(Keyword::Init, &[fluent]));
        }
        for _ in 0..TURNS {
            let joint = self.look(&state);
            let next = joint.map(|joint| self.turn(&state, &joint));
            self.states += 1;
            match next {
                Some(next) => state = next,
                None => break,
            }
        }
    }

    /// Notes down a state; gives a random joint move, if the match goes on.
    fn look(&mut self, state: &State) -> Option<Vec<TermId>> {
        self.facts += &format!("state({}).\n", self.states);
        for &fluent in state.fluents() {
            self.facts += &format!("{}.\n", self.sentence(Keyword::True, &[fluent]));
        }
        let view = self.game.view(&mut self.scratch, state).unwrap();
        if view.terminal {
            self.expect(Keyword::Terminal, &[]);
        }
        self.expect_of_roles(Keyword::Legal, &view.legal);
        self.expect_of_roles(Keyword::Goal, &view.goals);
        let goes_on = !view.terminal && !view.legal.iter().any(Vec::is_empty);
        let mut chosen = |legal: &Vec<TermId>| legal[self.random.next_u64() as usize % legal.len()];
        goes_on.then(|| view.legal.iter().map(&mut chosen).collect())
    }

    /// Notes down a joint move and what comes of it.
    fn turn(&mut self, state: &State, joint: &[TermId]) -> State {
        for (&role, &action) in self.game.roles().iter().zip(joint) {
            self.facts += &format!("{}.\n", self.sentence(Keyword::Does, &[role, action]));
        }
        let (next, percepts) = self.game.next(&mut self.scratch, state, joint).unwrap();
        for &fluent in next.fluents() {
            self.expect(Keyword::Next, &[fluent]);
        }
        self.expect_of_roles(Keyword::Sees, &percepts);
        next
    }

    fn expect_of_roles(&mut self, keyword: Keyword, by_role: &[Vec<TermId>]) {
        for (role, terms) in by_role.iter().enumerate() {
            for &term in terms {
                self.expect(keyword, &[self.game.roles()[role], term]);
            }
        }
    }

    fn expect(&mut self, keyword: Keyword, arguments: &[TermId]) {
        self.expected.insert(self.sentence(keyword, arguments));
    }

    /// A sentence about the state at hand.
    fn sentence(&self, keyword: Keyword, arguments: &[TermId]) -> String {
        let arguments = arguments.iter().map(|&argument| self.text(argument));
        let state = self.states.to_string();
        let arguments: Vec<String> = std::iter::once(state).chain(arguments).collect();
        sentence(keyword, &arguments)
    }

    fn text(&self, it: TermId) -> String {
        let terms = self.scratch.terms();
        let arguments = terms.arguments(it).iter().map(|&it| self.text(it));
        term(terms.name(it), &arguments.collect::<Vec<_>>())
    }
}
