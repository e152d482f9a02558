//! What is remembered is true, is used, and comes back from a text as it was; a text that is not
//! whole or of another game is refused.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::{Budget, Decision, Ending, Observation, Player, Seat, roster};
use game::{Limits, RoleId, Walk};
use std::fs;
use std::path::Path;

const FIRST: RoleId = RoleId::new(0);

fn sheet(name: &str) -> String {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    fs::read_to_string(games.join(name).join("rules.kif")).unwrap()
}

fn load(rules: &str) -> Arc<Game> {
    Arc::new(Game::load(rules, &Limits::default()).unwrap())
}

fn player(text: &str, game: &Arc<Game>, memory: Option<&Arc<Memory>>) -> Box<dyn Player> {
    let seat = Seat {
        game: Arc::clone(game),
        role: FIRST,
        seed: 1,
        threads: 1,
        memory: memory.cloned(),
        helpers: None,
    };
    roster::player(text, seat).unwrap()
}

/// What a player chooses in the state of a walk.
fn choice(player: &mut dyn Player, walk: &Walk<'_>, iterations: u64) -> Decision {
    player.observe(&Observation {
        turn: 0,
        state: Some(walk.state()),
        legal: &walk.legal(FIRST),
        joint: None,
        percepts: &[],
        own: None,
    });
    player.choose(&Budget::Iterations(iterations)).unwrap()
}

/// Lets a player think about the first turn, and finish.
fn think(text: &str, game: &Arc<Game>, (memory, iterations): (&Arc<Memory>, u64)) -> Decision {
    let mut player = player(text, game, Some(memory));
    let decision = choice(&mut *player, &game.walk(), iterations);
    player.finish(Ending::Abandoned);
    decision
}

/// Tic-tac-toe, and a memory after it was thought about.
fn remembered(iterations: u64) -> (Arc<Game>, Arc<Memory>) {
    let game = load(&sheet("tic-tac-toe"));
    let memory = Arc::new(Memory::new(&game).unwrap());
    think("mac-ucb", &game, (&memory, iterations));
    assert!(!memory.is_empty() && !memory.nogoods.is_empty());
    (game, memory)
}

/// What the roles get if all play best, in a game in which roles move in turn.
fn solved(walk: &mut Walk<'_>, known: &mut HashMap<BitsBuf, Vec<f32>>) -> Vec<f32> {
    let state = walk.state().to_owned();
    if let Some(values) = known.get(&state) {
        return values.clone();
    }
    let roles = || RoleId::all(2);
    if walk.terminal() {
        return roles().map(|role| walk.value(role)).collect();
    }
    let legal: Vec<Vec<_>> = roles().map(|role| walk.legal(role)).collect();
    let deciding = usize::from(legal[1].len() > legal[0].len());
    let mut best: Option<Vec<f32>> = None;
    for &action in &legal[deciding] {
        let mut joint = vec![legal[0][0], legal[1][0]];
        joint[deciding] = action;
        walk.load(&state);
        walk.play(&joint);
        let values = solved(walk, known);
        if best
            .as_ref()
            .is_none_or(|it| values[deciding] > it[deciding])
        {
            best = Some(values);
        }
    }
    known.insert(state, best.clone().unwrap());
    best.unwrap()
}

#[test]
fn what_is_remembered_is_what_play_to_the_end_brings() {
    let mut states = 0;
    for (name, text) in [
        ("tic-tac-toe", "mac-ucb"),
        ("tic-tac-toe", "fc-ucb"),
        ("tic-tac-toe", "mac-ucb:solutions=3"),
        ("tic-tac-toe", "mac-ucb:look=no"),
        ("nim", "mac-ucb"),
        ("connect-four-4x4", "mac-ucb"),
    ] {
        let game = load(&sheet(name));
        let memory = Arc::new(Memory::new(&game).unwrap());
        // What the second player adds rests on what it recalls.
        think(text, &game, (&memory, 20));
        think(text, &game, (&memory, 2000));
        let (mut walk, mut known) = (game.walk(), HashMap::new());
        for (state, it) in &*memory.states.read().unwrap() {
            walk.load(state);
            assert!(!walk.terminal());
            let values = solved(&mut walk, &mut known);
            assert_eq!(it.values, values, "{name}, {text}: {state:?}");
            states += 1;
        }
    }
    assert!(states > 500, "{states}");
}

#[test]
fn a_second_match_needs_fewer_iterations() {
    for name in ["tic-tac-toe", "connect-four-4x4"] {
        let game = load(&sheet(name));
        let memory = Arc::new(Memory::new(&game).unwrap());
        let iterations = |memory: Option<&Arc<Memory>>| {
            let mut player = player("mac-ucb", &game, memory);
            let decision = choice(&mut *player, &game.walk(), 100_000);
            assert!(decision.proven, "{name}");
            player.finish(Ending::Abandoned);
            (decision.value, player.work().iterations)
        };
        let (value, without) = iterations(None);
        let (first, learning) = iterations(Some(&memory));
        let (second, with) = iterations(Some(&memory));
        assert_eq!((first, second), (value, value));
        assert_eq!(learning, without, "an empty memory changes nothing");
        assert!(with <= 1 && without > 10, "{name}: {with}, {without}");
    }
}

#[test]
fn a_match_that_is_remembered_is_played_to_the_end() {
    let (game, memory) = remembered(100_000);
    let mut player = player("mac-ucb", &game, Some(&memory));
    let mut walk = game.walk();
    while !walk.terminal() {
        let legal: Vec<Vec<_>> = RoleId::all(2).map(|role| walk.legal(role)).collect();
        // The opponent takes its last move, and a draw is the least to get.
        let mut joint = vec![legal[0][0], *legal[1].last().unwrap()];
        if legal[0].len() > 1 {
            let decision = choice(&mut *player, &walk, 50);
            assert!(legal[0].contains(&decision.action));
            joint[0] = decision.action;
        }
        walk.play(&joint);
    }
    assert!(walk.value(FIRST) >= 0.5);
}

#[test]
fn a_text_comes_back_as_it_was() {
    let (game, memory) = remembered(200);
    let text = memory.text();
    let again = Memory::read(&text, &game).unwrap();
    assert_eq!(again.text(), text);
    assert_eq!(again.len(), memory.len());
    assert_eq!(
        *again.states.read().unwrap(),
        *memory.states.read().unwrap()
    );
    let empty = Memory::new(&game).unwrap();
    assert!(Memory::read(&empty.text(), &game).unwrap().is_empty());
}

/// Why a text is refused.
fn flaw(text: &str, game: &Game) -> (usize, Flaw) {
    match Memory::read(text, game) {
        Err(BadMemory::Text { line, flaw }) => (line, flaw),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_text_that_was_cut_anywhere_is_refused() {
    let (game, memory) = remembered(20);
    let text = memory.text();
    for end in (0..text.len()).step_by(7).chain([text.len() - 1]) {
        assert!(Memory::read(&text[..end], &game).is_err(), "{end}");
        assert!(Memory::check(&text[..end]).is_err(), "{end}");
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (last, rest) = lines.split_last().unwrap();
    assert_eq!(flaw(&rest.concat(), &game), (rest.len(), Flaw::Cut));
    // A line is missing, and the last one is there.
    let short = lines[..rest.len() - 1].concat() + last;
    assert_eq!(flaw(&short, &game), (rest.len(), Flaw::Changed));
}

#[test]
fn a_text_that_was_changed_anywhere_is_refused() {
    let (game, memory) = remembered(20);
    let text = memory.text();
    for place in (0..text.len()).step_by(5).chain([text.len() - 1]) {
        let mut bytes = text.clone().into_bytes();
        bytes[place] ^= 1;
        let changed = String::from_utf8(bytes).unwrap();
        assert!(Memory::read(&changed, &game).is_err(), "{place}");
    }
    assert_eq!(
        flaw(&text.replace("memory 1", "memory 2"), &game),
        (1, Flaw::Version)
    );
    assert_eq!(flaw("", &game), (1, Flaw::Version));
    assert_eq!(flaw("(role x)\n", &game), (1, Flaw::Version));
}

/// A text with a right end.
fn sealed(text: &str, counts: (usize, usize)) -> String {
    format!("{text}{}\n", text::last_line(text, counts))
}

#[test]
fn entries_that_do_not_fit_are_refused() {
    let game = load(&sheet("tic-tac-toe"));
    let empty = Memory::new(&game).unwrap().text();
    let head: String = empty.split_inclusive('\n').take(2).collect();
    let words = game.state_words().unwrap();
    let state = format!("{head}state 1 1 0.5 0.5{}\n", " 0".repeat(words));
    assert_eq!(
        Memory::read(&sealed(&state, (1, 0)), &game).unwrap().len(),
        1
    );
    assert_eq!(flaw(&sealed(&state, (2, 0)), &game), (4, Flaw::Count));
    for entry in [
        "state 1 1 0.5 0.5",
        "state 1 1 0.5 nan 0",
        "nogood 0 7 1 1 0 0 0 0",
        "thought 1",
        "",
    ] {
        let text = sealed(&format!("{head}{entry}\n"), (1, 0));
        assert_eq!(flaw(&text, &game), (3, Flaw::Entry), "{entry}");
    }
}

#[test]
fn a_memory_of_other_rules_is_refused() {
    let (_, memory) = remembered(20);
    let text = memory.text();
    assert!(Memory::read(&text, &load(&sheet("tic-tac-toe"))).is_ok());
    assert_eq!(flaw(&text, &load(&sheet("nim"))), (2, Flaw::Game));
    // The same words, and another winner.
    let rules = "(role a) (role b) (init s) (legal a 1) (legal a 2) (legal b w)
        (<= (next (did ?m)) (does a ?m)) (<= terminal (not (true s)))
        (<= (goal a 100) (true (did 1))) (<= (goal a 0) (not (true (did 1)))) (goal b 0)";
    let other = rules.replace("(did 1)", "(did 2)");
    let text = Memory::new(&load(rules)).unwrap().text();
    assert!(Memory::read(&text, &load(rules)).is_ok());
    assert_eq!(flaw(&text, &load(&other)), (2, Flaw::Game));
}

#[test]
fn of_too_many_states_those_visited_most_stay() {
    let game = load(&sheet("tic-tac-toe"));
    let memory = Memory::with_limit(&game, 2).unwrap();
    let words = game.state_words().unwrap();
    let entry = |word: u64, visits| {
        let mut state = vec![0; words];
        state[0] = word;
        let values = vec![0.5, 0.5];
        let known = Known {
            values,
            turns: 1,
            visits,
        };
        (BitsBuf::from(state), known)
    };
    memory.add([entry(1, 5), entry(2, 7), entry(3, 6)]);
    memory.add([entry(4, 1), entry(2, 1)]);
    let kept: Vec<bool> = (1..5)
        .map(|word| memory.find(&entry(word, 0).0).is_some())
        .collect();
    assert_eq!(kept, [false, true, true, false]);
}

#[test]
fn without_a_ground_program_there_is_no_memory() {
    let rules = sheet("tic-tac-toe");
    let tree = gdl::read(rules.as_str().into(), None, &gdl::ReadLimits::default());
    let program = gdl::check(tree, &gdl::Policy::lenient()).program.unwrap();
    let game = Game::new(&program, game::Engine::Interpreter, &Limits::default()).unwrap();
    assert_eq!(Memory::new(&game).unwrap_err(), BadMemory::NoIds);
}
