//! Engines against the interpreter, along matches of a sheet that may be wrong in any way.

use super::Draw;
use game::{Engine, Game, Limits, Scratch, State, TermId, View};
use gdl::Policy;

/// Small limits: most sheets are far below them, and what exceeds them ends soon.
const STEPS: u64 = 200_000;
const ATOMS: usize = 20_000;
const GATES: usize = 100_000;
/// How many matches are compared, of how many turns at most.
const MATCHES: usize = 2;
const TURNS: usize = 12;

/// What came of a sheet.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is refused when it is checked.
    Refused,
    /// It has no ground program within the limits.
    NotGround,
    /// The engines agree in so many states.
    Agree { states: usize },
}

/// Loads a sheet with all engines, and compares them along matches; panics if they differ.
pub fn engines_agree(sheet: &str, draw: &mut Draw<'_>) -> Outcome {
    let tree = gdl::read(sheet.into(), None, &gdl::ReadLimits::default());
    let Some(program) = gdl::check(tree, &Policy::lenient()).program else {
        return Outcome::Refused;
    };
    let mut limits = Limits::default();
    limits.interpreter.steps = STEPS;
    limits.interpreter.terms = ATOMS;
    limits.ground.atoms = ATOMS;
    limits.ground.literals = 10 * ATOMS;
    limits.gates = GATES;
    let load = |engine| Game::new(&program, engine, &limits);
    let Ok(oracle) = load(Engine::Interpreter) else {
        return Outcome::NotGround;
    };
    let engines = [Engine::Ground, Engine::Single, Engine::Lanes];
    let games = engines.into_iter().filter_map(|it| load(it).ok());
    let mut sides: Vec<Side> = games.map(Side::new).collect();
    if sides.is_empty() {
        return Outcome::NotGround;
    }
    let mut oracle = Side::new(oracle);
    let matches = (0..MATCHES).map(|_| compare(&mut oracle, &mut sides, draw));
    Outcome::Agree {
        states: matches.sum(),
    }
}

/// A game, and where a match of it is.
struct Side {
    game: Game,
    scratch: Scratch,
    state: State,
}

/// What is said of a state, in words: what holds, whether it is terminal, legal moves and goals.
type Said = (Vec<String>, bool, Vec<Vec<String>>, Vec<Vec<String>>);

impl Side {
    fn new(game: Game) -> Side {
        Side {
            scratch: game.scratch(),
            state: State::new(Vec::new()),
            game,
        }
    }

    fn texts(&self, terms: &[TermId]) -> Vec<String> {
        let texts = terms.iter().map(|&it| self.scratch.terms().text(it));
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        texts
    }

    fn all_texts(&self, lists: &[Vec<TermId>]) -> Vec<Vec<String>> {
        lists.iter().map(|it| self.texts(it)).collect()
    }

    /// Goes to the first state; none if the rules give no answer.
    fn restart(&mut self) -> Option<()> {
        self.state = self.game.initial(&mut self.scratch).ok()?;
        Some(())
    }

    fn look(&mut self) -> Option<(View, Said)> {
        let view = self.game.view(&mut self.scratch, &self.state).ok()?;
        let (legal, goals) = (self.all_texts(&view.legal), self.all_texts(&view.goals));
        let said = (
            self.texts(self.state.fluents()),
            view.terminal,
            legal,
            goals,
        );
        Some((view, said))
    }

    /// Makes a joint move; what the roles see.
    fn play(&mut self, joint: &[TermId]) -> Option<Vec<Vec<String>>> {
        let (next, seen) = self.game.next(&mut self.scratch, &self.state, joint).ok()?;
        self.state = next;
        Some(self.all_texts(&seen))
    }
}

/// Compares a match, until it ends or the interpreter has no answer; returns how many states were
/// compared.
fn compare(oracle: &mut Side, sides: &mut [Side], draw: &mut Draw<'_>) -> usize {
    if oracle.restart().is_none() {
        return 0;
    }
    for side in sides.iter_mut() {
        side.restart().expect("the interpreter knows a first state");
    }
    for states in 0..TURNS {
        let Some((view, expected)) = oracle.look() else {
            return states;
        };
        let mut views = Vec::new();
        for side in sides.iter_mut() {
            let (view, said) = side.look().expect("the interpreter has an answer");
            assert_eq!(said, expected);
            views.push(view);
        }
        if view.terminal || view.legal.iter().any(Vec::is_empty) {
            return states + 1;
        }
        let chosen: Vec<usize> = view.legal.iter().map(|it| draw(it.len())).collect();
        let Some(seen) = oracle.play(&joint(oracle, &view, (&expected.2, &chosen))) else {
            return states + 1;
        };
        for (side, view) in sides.iter_mut().zip(&views) {
            let made = side.play(&joint(side, view, (&expected.2, &chosen)));
            assert_eq!(made.as_ref(), Some(&seen));
        }
    }
    TURNS
}

/// The joint move of the texts chosen for each role.
fn joint(side: &Side, view: &View, (legal, chosen): (&[Vec<String>], &[usize])) -> Vec<TermId> {
    let terms = side.scratch.terms();
    let texts = legal.iter().zip(chosen).map(|(legal, &it)| &legal[it]);
    let of_role = |(moves, text): (&Vec<TermId>, &String)| {
        let same = moves.iter().copied().find(|&it| terms.text(it) == *text);
        same.expect("legal moves are the same")
    };
    view.legal.iter().zip(texts).map(of_role).collect()
}
