//! A belief on a small game: two coins are hidden, and a later percept tells of one of them.

use super::*;
use game::Limits;
use rand_core::SeedableRng;
use std::time::Duration;

/// Chance tosses two coins, one after the other, and you do nothing but look: after the second
/// toss you see whether they are alike, at the end the first one.
const COINS: &str = "
    (role you) (role random)
    (init (turn 1)) (after 1 2) (after 2 3) (after 3 4)
    (<= (legal you wait) (true (turn ?t)))
    (<= (legal random (toss heads)) (true (turn ?t)))
    (<= (legal random (toss tails)) (true (turn ?t)))
    (<= (next (turn ?u)) (true (turn ?t)) (after ?t ?u))
    (<= (next (first ?s)) (true (turn 1)) (does random (toss ?s)))
    (<= (next (second ?s)) (true (turn 2)) (does random (toss ?s)))
    (<= (next (first ?s)) (true (first ?s)))
    (<= (next (second ?s)) (true (second ?s)))
    (<= (sees you alike) (true (turn 2)) (true (first ?s)) (does random (toss ?s)))
    (<= (sees you (shown ?s)) (true (turn 3)) (true (first ?s)))
    (<= terminal (true (turn 4)))
    (goal you 50) (goal random 0)";

fn game() -> Game {
    Game::load(COINS, &Limits::default()).unwrap()
}

fn interpreted() -> Game {
    let tree = gdl::read(COINS.into(), None, &gdl::ReadLimits::default());
    let program = gdl::check(tree, &gdl::Policy::lenient()).program.unwrap();
    Game::new(&program, game::Engine::Interpreter, &Limits::default()).unwrap()
}

struct Watching<'g> {
    game: &'g Game,
    belief: Belief,
    random: Xoshiro256PlusPlus,
}

const YOU: RoleId = RoleId::new(0);

impl<'g> Watching<'g> {
    fn new(game: &'g Game) -> Watching<'g> {
        Watching {
            belief: Belief::new(game, YOU),
            random: Xoshiro256PlusPlus::seed_from_u64(1),
            game,
        }
    }

    fn see(&mut self, percepts: &[&str]) -> Fit {
        let ids = percepts.iter().map(|text| percept(self.game, text));
        let mut percepts: Vec<PerceptId> = ids.collect();
        percepts.sort_unstable();
        let own = self.game.walk().legal(YOU)[0];
        let seen = Seen {
            own: Some(own),
            percepts,
        };
        let until = Instant::now() + Duration::from_secs(60);
        (self.belief).observe(self.game, seen, (&mut self.random, until))
    }

    /// The texts of the states of all matches.
    fn states(&self) -> Vec<String> {
        let scratch = self.game.scratch();
        let texts = self.belief.lines.iter().map(|line| {
            let state = self.game.unpacked(line.last());
            let mut texts: Vec<String> = state
                .fluents()
                .iter()
                .map(|&it| scratch.terms().text(it))
                .filter(|it| !it.contains("turn"))
                .collect();
            texts.sort();
            texts.join(" ")
        });
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        texts
    }
}

fn percept(game: &Game, text: &str) -> PerceptId {
    let tree = gdl::read(text.into(), None, &gdl::ReadLimits::default());
    let mut scratch = game.scratch();
    let form = tree.forms().next().unwrap();
    let term = game.term(&mut scratch, form).unwrap();
    game.percept_id(YOU, term).unwrap()
}

#[test]
fn all_that_fits_is_kept_until_a_percept_decides() {
    for game in [game(), interpreted()] {
        let mut watching = Watching::new(&game);
        assert_eq!(watching.see(&[]), Fit::Exact);
        assert_eq!(watching.states(), ["(first heads)", "(first tails)"]);
        assert_eq!(watching.see(&["alike"]), Fit::Exact);
        let alike = [
            "(first heads) (second heads)",
            "(first tails) (second tails)",
        ];
        assert_eq!(watching.states(), alike);
        assert_eq!(watching.see(&["(shown tails)"]), Fit::Exact);
        assert_eq!(watching.states(), ["(first tails) (second tails)"]);
        let state = watching.belief.sample(&mut watching.random.clone());
        assert_eq!(state, watching.belief.best());
    }
}

#[test]
fn a_percept_that_contradicts_the_matches_at_hand_changes_what_was_long_ago() {
    let game = game();
    let mut watching = Watching::new(&game);
    watching.see(&[]);
    watching.see(&["alike"]);
    // As if only one match had been kept, and it was the wrong one.
    let heads = |line: &Line| {
        let state = game.unpacked(line.last());
        let scratch = game.scratch();
        let mut texts = state.fluents().iter().map(|&it| scratch.terms().text(it));
        texts.any(|it| it == "(first heads)")
    };
    watching.belief.lines.retain(heads);
    assert_eq!(watching.belief.len(), 1);
    assert_eq!(watching.see(&["(shown tails)"]), Fit::Exact);
    let states = watching.states();
    let right = |it: &String| it.contains("(first tails) (second tails)");
    assert!(!states.is_empty() && states.iter().all(right), "{states:?}");
}

#[test]
fn what_cannot_be_is_answered_by_what_fits_best() {
    let game = game();
    let mut watching = Watching::new(&game);
    watching.see(&[]);
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(2);
    let seen = Seen {
        own: None,
        percepts: vec![percept(&game, "(shown tails)")],
    };
    let fit = (watching.belief).observe(&game, seen, (random, Instant::now()));
    assert_eq!(fit, Fit::Near);
    assert!(!watching.belief.is_empty());
    let scratch = game.scratch();
    let state = game.unpacked(watching.belief.best());
    let mut texts = state.fluents().iter().map(|&it| scratch.terms().text(it));
    assert!(texts.any(|it| it == "(turn 3)"));
}
