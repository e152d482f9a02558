//! Searches of puzzles, held against a search of all states: what they find with enough budget, what
//! they call proven, and that they find it again.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{Position, load, observe, of_text, player, solve};
use game::{Bits, BitsBuf, Game, Limits, MoveId, RoleId};
use players::{Budget, Decision};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const ROLE: RoleId = RoleId::new(0);
const SEARCHES: [&str; 3] = ["ida", "nested", "solo"];

/// Three lamps in a ring: a press changes its lamp and the next. Only an even number can be on, so
/// that not all can be lit; two of them are worth 60. States come back, and turns are counted.
const RING: &str = "(role r) (init (turn 1)) (init (on a)) (init (on b)) (lamp a) (lamp b) (lamp c)
    (ring a b) (ring b c) (ring c a) (<= (legal r (press ?l)) (lamp ?l)) (legal r stop)
    (<= (touched ?l) (does r (press ?l))) (<= (touched ?l) (does r (press ?k)) (ring ?k ?l))
    (<= (next (on ?l)) (true (on ?l)) (not (touched ?l)))
    (<= (next (on ?l)) (touched ?l) (not (true (on ?l))))
    (<= (next done) (does r stop))
    (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
    (<= (next (turn ?m)) (true (turn ?n)) (after ?n ?m))
    (<= off (lamp ?l) (not (true (on ?l))))
    (<= terminal (true done)) (<= terminal (true (turn 6)))
    (<= (goal r 100) (not off)) (<= (goal r 60) off (true (on b)) (true (on c)))
    (<= (goal r 10) off (not (both)))
    (<= (both) (true (on b)) (true (on c)))";

/// A token that goes round a circle of seven, without a limit, and may stop anywhere: the goal rises
/// with the place, and the most that the rules name is out of reach.
const CIRCLE: &str = "(role r) (init (at 0)) (legal r go) (legal r back) (legal r stop)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 0)
    (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m) (does r go))
    (<= (next (at ?m)) (true (at ?n)) (succ ?m ?n) (does r back))
    (<= (next (at ?n)) (true (at ?n)) (does r stop)) (<= (next over) (does r stop))
    (worth 0 0) (worth 1 10) (worth 2 20) (worth 3 70) (worth 4 20) (worth 5 10) (worth 6 5)
    (<= terminal (true over)) (<= (goal r ?g) (true (at ?n)) (worth ?n ?g) (not (true lost)))
    (<= (next lost) (true lost)) (<= (next lost) (true (at 9))) (<= (next (at 9)) (true lost))
    (<= (goal r 100) (true lost))";

fn own() -> Vec<(String, Arc<Game>)> {
    let texts = [("ring", RING), ("circle", CIRCLE)];
    let texts = texts.map(|(name, text)| (name.to_string(), Arc::new(of_text(text))));
    let ours = ["eight-queens", "nonogram-tetris"].map(|it| (it.to_string(), load(it)));
    texts.into_iter().chain(ours).collect()
}

/// Small puzzles of the public corpus, if it is there.
fn public() -> Vec<(String, Arc<Game>)> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("LUDEX_SHARED").map_or(beside, PathBuf::from);
    let names = [
        "buttons",
        "lightsOn",
        "maze",
        "hanoi",
        "duplicateStateSmall",
        "troublemaker01",
        "knightmove",
    ];
    let sheets = names.iter().filter_map(|name| {
        let rules = std::fs::read(shared.join(format!("ggp-games/{name}.kif"))).ok()?;
        let rules = gdl::Source::from_bytes(rules);
        let game = Game::load(rules, &Limits::default()).unwrap();
        Some((name.to_string(), Arc::new(game)))
    });
    sheets.collect()
}

/// What can be got from states, by looking at all that can be reached.
struct Exact<'g> {
    game: &'g Game,
    known: HashMap<BitsBuf, Option<f32>>,
}

impl Exact<'_> {
    const MOST_STATES: usize = 5_000;

    /// The best goal of all ends after a state, from 0 to 1; none if there are too many states.
    fn value(&mut self, state: &Bits) -> Option<f32> {
        if let Some(&value) = self.known.get(state) {
            return value;
        }
        let value = self.search(state);
        self.known.insert(state.to_owned(), value);
        value
    }

    fn search(&self, state: &Bits) -> Option<f32> {
        let mut walk = self.game.walk();
        let (mut seen, mut open) = (HashSet::new(), vec![state.to_owned()]);
        let mut best: f32 = 0.0;
        while let Some(state) = open.pop() {
            walk.load(&state);
            if walk.terminal() {
                best = best.max(walk.value(ROLE));
                continue;
            }
            for action in walk.legal(ROLE) {
                walk.load(&state);
                walk.play(&[action]);
                if seen.insert(walk.state().to_owned()) {
                    open.push(walk.state().to_owned());
                }
            }
            if seen.len() > Exact::MOST_STATES {
                return None;
            }
        }
        Some(best)
    }
}

/// The first state in which there is something to choose.
fn first_choice(game: &Game) -> BitsBuf {
    let mut walk = game.walk();
    while let [only] = walk.legal(ROLE)[..] {
        walk.play(&[only]);
    }
    walk.state().to_owned()
}

fn close(decision: &Decision, value: f32) -> bool {
    decision
        .value
        .is_some_and(|it| (it - f64::from(value)).abs() < 1e-6)
}

#[test]
fn enough_budget_finds_what_all_states_tell() {
    for (name, game) in own().into_iter().chain(public()) {
        let first = first_choice(&game);
        let mut exact = Exact {
            game: &game,
            known: HashMap::new(),
        };
        let Some(value) = exact.value(&first) else {
            continue;
        };
        for text in ["ida", "solo", "ida:lanes=no"] {
            let mut player = player(&game, 0, text);
            observe(&mut *player, (&game, ROLE), &first);
            let decision = player.choose(&Budget::Iterations(20_000)).unwrap();
            assert!(decision.proven, "{name} {text}");
            assert!(
                close(&decision, value),
                "{name} {text}: {decision:?}, {value}"
            );
        }
    }
}

#[test]
fn nested_search_finds_what_is_not_hidden_too_well() {
    for (name, text) in [
        ("eight-queens", "nested"),
        ("eight-queens", "nested:lanes=no"),
        ("eight-queens", "nested:level=2"),
        ("nonogram-tetris", "nested"),
    ] {
        solve(Position::after(name, &[]), text, 5000);
    }
}

/// Half of the moves are not those of the player, so that its lines are lost again and again.
#[test]
fn what_is_called_proven_is_true_wherever_the_match_goes() {
    for (name, game) in own().into_iter().chain(public()) {
        let mut exact = Exact {
            game: &game,
            known: HashMap::new(),
        };
        if exact.value(game.walk().state()).is_none() {
            continue;
        }
        for (seed, text) in SEARCHES.iter().cycle().take(9).enumerate() {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
            let mut player = player(&game, 0, text);
            let mut walk = game.walk();
            for _ in 0..60 {
                if walk.terminal() {
                    break;
                }
                let state = walk.state().to_owned();
                observe(&mut *player, (&game, ROLE), &state);
                let decision = player.choose(&Budget::Iterations(5)).unwrap();
                let value = exact.value(&state);
                let is_true = value.is_none_or(|value| close(&decision, value));
                assert!(
                    !decision.proven || is_true,
                    "{name} {text}: {decision:?}, {value:?}"
                );
                let legal = walk.legal(ROLE);
                assert!(legal.contains(&decision.action));
                let any = legal[(random.next_u64() % legal.len() as u64) as usize];
                let is_own = random.next_u64().is_multiple_of(2);
                walk.play(&[if is_own { decision.action } else { any }]);
            }
        }
    }
}

/// The moves of a match, and what was thought of them.
fn plays(game: &Arc<Game>, text: &str) -> Vec<(MoveId, Option<f64>, u64)> {
    let mut player = player(game, 0, text);
    player.start(&Budget::Iterations(40)).unwrap();
    let mut walk = game.walk();
    let mut made = Vec::new();
    while !walk.terminal() {
        observe(&mut *player, (game, ROLE), walk.state());
        let decision = player.choose(&Budget::Iterations(10)).unwrap();
        made.push((decision.action, decision.value, decision.playouts));
        walk.play(&[decision.action]);
    }
    made
}

#[test]
fn the_same_seed_and_count_give_the_same_match() {
    for name in ["nonogram-cube", "incredible"] {
        let game = load(name);
        for text in SEARCHES {
            assert_eq!(plays(&game, text), plays(&game, text), "{name} {text}");
        }
    }
}

#[test]
fn a_line_that_was_found_is_never_left_for_a_worse_one() {
    let game = load("incredible");
    for text in ["ida", "nested"] {
        let values: Vec<f64> = plays(&game, text).iter().filter_map(|it| it.1).collect();
        assert!(values.is_sorted(), "{text}: {values:?}");
    }
}

#[test]
fn other_games_are_refused_with_a_reason() {
    for (name, reason) in [
        ("tic-tac-toe", "more than one player"),
        ("monty-hall", "chance"),
    ] {
        let game = load(name);
        let role = game.players().next().unwrap().index();
        for text in SEARCHES {
            let refusal = player(&game, role, text).start(&Budget::Iterations(1));
            let refusal = refusal.unwrap_err().to_string();
            assert_eq!(refusal, format!("{text} cannot play games with {reason}"));
        }
    }
}
