//! Moves as people write them: in games everybody knows, and along matches of all our games.

use super::Choice;
use crate::person::words::Said;
use game::{Engine, Game, Limits, TermId};

fn spelt(moves: &[&str], pairs: &[(&str, &str)]) {
    let choice = Choice::new(moves);
    for (line, action) in pairs {
        assert_eq!(choice.chosen(line), *action, "{line}");
    }
}

fn is_ambiguous(choice: &Choice, line: &str) -> bool {
    matches!(choice.said(line), Said::Ambiguous(_))
}

#[test]
fn squares_are_written_as_on_the_board() {
    let chess = [
        "(move e 2 e 3)",
        "(move e 2 e 4)",
        "(move g 1 f 3)",
        "(promote a 7 a 8 queen)",
        "(promote a 7 a 8 rook)",
    ];
    spelt(
        &chess,
        &[
            ("e2e4", "(move e 2 e 4)"),
            ("E2-E4", "(move e 2 e 4)"),
            ("e2 e4", "(move e 2 e 4)"),
            ("move e2e4", "(move e 2 e 4)"),
            ("e4", "(move e 2 e 4)"),
            ("f3", "(move g 1 f 3)"),
            ("g", "(move g 1 f 3)"),
            ("a7a8q", "(promote a 7 a 8 queen)"),
            ("a7-a8=queen", "(promote a 7 a 8 queen)"),
            ("queen", "(promote a 7 a 8 queen)"),
            ("2", "(move e 2 e 4)"),
            ("e2e5", "Unknown"),
        ],
    );
    let choice = Choice::new(&chess);
    assert!(is_ambiguous(&choice, "e2") && is_ambiguous(&choice, "a7a8"));
    // The public sheets of chess and checkers name the piece.
    let pieces = [
        "(move pawn e 2 e 4)",
        "(move pawn e 2 e 3)",
        "(jump bk c 3 e 5)",
    ];
    spelt(
        &pieces,
        &[
            ("e2e4", pieces[0]),
            ("c3-e5", pieces[2]),
            ("Pawn e3", "Unknown"),
        ],
    );
    spelt(
        &["(place i 3)", "(place i 4)"],
        &[("I3", "(place i 3)"), ("4", "Unknown")],
    );
}

#[test]
fn numbers_of_the_list_are_not_taken_for_moves() {
    // Column 2 is full: the third of the list is (drop 4), and nobody can mean it by 3.
    let columns = Choice::new(&["(drop 1)", "(drop 3)", "(drop 4)"]);
    assert_eq!(
        columns.moves.list("", 80),
        "  (drop 1)\n  (drop 3)\n  (drop 4)\n"
    );
    assert_eq!(columns.chosen("3"), "(drop 3)");
    assert_eq!(columns.said("2"), Said::Unknown);
    // Nine squares have numbers of one digit, and are written in two.
    let squares = Choice::new(&["(mark 2 1)", "(mark 3 2)", "noop"]);
    assert_eq!(squares.chosen("2"), "(mark 3 2)");
    assert_eq!(squares.chosen("21"), "(mark 2 1)");
    assert_eq!(squares.chosen("2 1"), "(mark 2 1)");
    assert_eq!(squares.said("4"), Said::Unknown);
    // With ten moves the list has numbers of two digits: it goes without.
    let texts: Vec<String> = (1..=10).map(|row| format!("(place {row} 2)")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let rows = Choice::new(&texts);
    assert!(!rows.moves.is_numbered());
    assert_eq!(rows.chosen("10 2"), "(place 10 2)");
    assert_eq!(rows.chosen("102"), "(place 10 2)");
    assert_eq!(rows.chosen("12"), "(place 1 2)");
}

#[test]
fn different_moves_are_never_guessed_between() {
    let choice = Choice::new(&[
        "(go 1 12)",
        "(go 11 2)",
        "(go -1)",
        "(step 3 4)",
        "(jump 3 4)",
    ]);
    assert!(is_ambiguous(&choice, "112") && is_ambiguous(&choice, "3 4"));
    assert_eq!(choice.moves.list("j", 80), "  4  (jump 3 4)\n");
    for (line, action) in [
        ("1 12", "(go 1 12)"),
        ("11-2", "(go 11 2)"),
        ("step34", "(step 3 4)"),
        ("go -1", "(go -1)"),
    ] {
        assert_eq!(choice.chosen(line), action, "{line}");
    }
    // A sign is not left out.
    let signs = Choice::new(&["(go -1)", "(stay here)"]);
    assert_eq!(signs.said("go 1"), Said::Unknown);
    assert_eq!(signs.chosen("go-1"), "(go -1)");
    let both = Choice::new(&["(go -1)", "(go 1)"]);
    assert!(is_ambiguous(&both, "go-1"));
    assert_eq!(both.chosen("go -1"), "(go -1)");
}

#[test]
fn names_with_signs_are_written_without() {
    spelt(
        &["roll-on", "(set-aside worm)", "(set-aside 3)", "stop"],
        &[
            ("roll on", "roll-on"),
            ("rollon", "roll-on"),
            ("Worm", "(set-aside worm)"),
            ("3", "(set-aside 3)"),
            ("set aside w", "(set-aside worm)"),
        ],
    );
}

#[test]
fn commands_go_before_moves_whose_name_is_left_out() {
    let choice = Choice::new(&["(say hint)", "(say yes)"]);
    assert_eq!(choice.said("hint"), Said::Hint);
    assert_eq!(choice.chosen("say hint"), "(say hint)");
    assert_eq!(choice.chosen("yes"), "(say yes)");
}

#[test]
fn lines_without_a_name_are_completed_without_it() {
    let choice = Choice::new(&["(move e 2 e 3)", "(move e 2 e 4)", "(move d 2 d 4)"]);
    assert_eq!(choice.moves.completions("e2"), ["e2e3", "e2e4"]);
    assert_eq!(choice.moves.completions("d "), ["d 2 d 4"]);
    assert_eq!(choice.moves.completions("move d2"), ["move d 2 d 4"]);
    let gaps = Choice::new(&["(go 1 12)", "(go 11 2)"]);
    assert_eq!(gaps.moves.completions("1"), ["1 12", "11 2"]);
}

/// A move, every way it may be written, and whether others may be written so too.
fn spellings(text: &str) -> Vec<(String, bool)> {
    let bare = text.replace(['(', ')'], " ");
    let words: Vec<&str> = bare.split_whitespace().collect();
    let mut spellings = vec![
        (text.to_string(), false),
        (words.join(" "), false),
        (words.join(" ").to_uppercase(), false),
    ];
    if words.len() > 1 {
        let rest = &words[1..];
        spellings.extend([(rest.join(" "), true), (rest.join("-"), true)]);
        spellings.extend([(rest.concat(), true), (words.concat(), true)]);
    }
    spellings
}

/// No spelling of a legal move plays another one; gives how many were clear, of how many.
fn clear(choice: &Choice) -> (usize, usize) {
    let (mut clear, mut all) = (0, 0);
    for (action, text) in &choice.texts {
        for (line, may_be_several) in spellings(text) {
            let said = choice.said(&line);
            let is_it = said == Said::Move(*action);
            let several = matches!(said, Said::Ambiguous(_)) && may_be_several;
            assert!(is_it || several, "{text} as {line}: {said:?}");
            clear += usize::from(is_it);
            all += 1;
        }
    }
    (clear, all)
}

/// Along a match: how many spellings were clear, of how many.
fn along(name: &str, turns: usize) -> (usize, usize) {
    let rules = library::find(name).unwrap().rules().to_vec();
    let tree = gdl::read(
        gdl::Source::from_bytes(rules),
        None,
        &gdl::ReadLimits::default(),
    );
    let program = gdl::check(tree, &gdl::Policy::lenient()).program.unwrap();
    let game = Game::new(&program, Engine::Interpreter, &Limits::default()).unwrap();
    let mut scratch = game.scratch();
    let mut state = game.initial(&mut scratch).unwrap();
    let (mut found, mut all) = (0, 0);
    for turn in 0..turns {
        let view = game.view(&mut scratch, &state).unwrap();
        if view.terminal {
            break;
        }
        for legal in &view.legal {
            let (more, of) = clear(&Choice::of(&game, legal));
            (found, all) = (found + more, all + of);
        }
        let pick = |legal: &Vec<TermId>| legal[(7 * turn + 3) % legal.len()];
        let joint: Vec<TermId> = view.legal.iter().map(pick).collect();
        (state, _) = game.next(&mut scratch, &state, &joint).unwrap();
    }
    (found, all)
}

#[test]
fn no_spelling_of_a_move_of_our_games_plays_another() {
    for game in library::all() {
        let (clear, all) = along(game.name, 4);
        assert!(clear > 0 && clear <= all, "{}", game.name);
    }
}

#[test]
fn moves_on_a_board_are_always_clear_without_their_names() {
    let games = [
        "chess",
        "checkers",
        "connect-four",
        "hex",
        "othello",
        "tic-tac-toe",
    ];
    for name in games {
        let (clear, all) = along(name, 12);
        assert_eq!(clear, all, "{name}");
    }
}
