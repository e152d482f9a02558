//! Matches of all our games replay; whatever a player does, the match goes on.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use arena::referee::{Referee, Setup, Substitute, play, play_in_turn};
use arena::{Clocks, Difference, Fault, Patience, Record, Round};
use game::{Feature, Game, Limits, MoveId, RoleId, TermId};
use players::witness::{Asked, Testimony, Witness};
use players::{Budget, Decision, Failure, Observation, Player, Refusal, Seat, roster};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn setup(name: &str, clocks: Clocks) -> Setup {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let rules = fs::read_to_string(games.join(name).join("rules.kif")).unwrap();
    let game = Game::load(rules.as_str(), &Limits::default()).unwrap();
    Setup {
        game: Arc::new(game),
        clocks,
        patience: Patience {
            tolerance: Some(Duration::ZERO),
            ..Patience::default()
        },
        substitute: Substitute::default(),
        seed: 3,
    }
}

const COUNTED: Clocks = Clocks::Iterations { start: 2, play: 3 };

fn seated(setup: &Setup, text: &str) -> Vec<Option<Box<dyn Player>>> {
    let seat = |role| Seat {
        game: Arc::clone(&setup.game),
        role,
        seed: 5,
        threads: 1,
        memory: None,
        helpers: None,
    };
    let player = |role| roster::player(text, seat(role)).unwrap();
    let roles = setup.game.role_ids();
    roles
        .map(|role| (!setup.is_chance(role)).then(|| player(role)))
        .collect()
}

fn run(setup: &Setup, players: Vec<Option<Box<dyn Player>>>) -> Record {
    play(setup, players, &mut |_| {}).unwrap()
}

#[test]
fn every_game_is_played_and_replayed() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for folder in fs::read_dir(games).unwrap() {
        let name = folder.unwrap().file_name().into_string().unwrap();
        let setup = setup(&name, COUNTED);
        for text in ["random", "legal", "uct"] {
            if text == "uct" && setup.game.hides() {
                continue;
            }
            let record = run(&setup, seated(&setup, text));
            assert!(record.completed, "{name} {text}");
            assert_eq!(record.faults(), 0, "{name} {text}");
            assert!(record.goals.iter().all(Option::is_some), "{name} {text}");
            assert_eq!(record.replay(&setup.game), Ok(()), "{name} {text}");
            assert_eq!(run(&setup, seated(&setup, text)), record, "{name} {text}");
            let in_turn = play_in_turn(&setup, seated(&setup, text)).unwrap();
            assert_eq!(in_turn, record, "{name} {text}");
        }
    }
}

#[test]
fn a_record_that_was_changed_is_found_out() {
    let setup = setup("tic-tac-toe", COUNTED);
    let record = run(&setup, seated(&setup, "random"));
    let mut changed = record.clone();
    changed.goals[0] = changed.goals[0].map(|goal| goal + 1);
    assert_eq!(changed.replay(&setup.game), Err(Difference::Goals));
    let mut changed = record.clone();
    changed.rounds[1].joint = changed.rounds[0].joint.clone();
    let illegal = Difference::Move { turn: 2, role: 1 };
    assert_eq!(changed.replay(&setup.game), Err(illegal));
    let mut changed = record.clone();
    changed.rounds.pop();
    assert!(changed.replay(&setup.game).is_err());
}

/// A player that misbehaves.
enum Bad {
    Panics,
    /// Never answers, until the test is over.
    Hangs(Arc<AtomicBool>),
    /// Plays a move that is not legal, or no move at all.
    Cheats(MoveId),
    Refuses,
}

impl Player for Bad {
    fn start(&mut self, _: &Budget) -> Result<(), Refusal> {
        match self {
            Bad::Refuses => Err(Refusal::Unfit {
                player: "bad",
                feature: Feature::Chance,
            }),
            _ => Ok(()),
        }
    }

    fn observe(&mut self, _: &Observation<'_>) {}

    fn choose(&mut self, _: &Budget) -> Result<Decision, Failure> {
        Ok(match self {
            Bad::Panics => panic!("on purpose"),
            Bad::Hangs(over) => {
                while !over.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                Decision::plain(MoveId::new(0))
            }
            Bad::Cheats(action) => Decision::plain(*action),
            Bad::Refuses => unreachable!("it does not play"),
        })
    }
}

/// Plays tic-tac-toe against a bad player; returns the faults of the first turn.
fn against(bad: Bad, clocks: Clocks) -> Option<Fault> {
    let setup = setup("tic-tac-toe", clocks);
    let mut players = seated(&setup, "random");
    players[0] = Some(Box::new(bad));
    let record = run(&setup, players);
    assert!(record.completed);
    assert_eq!(record.replay(&setup.game), Ok(()));
    assert!(record.rounds.iter().all(|round| round.faults[1].is_none()));
    let faults: Vec<_> = record
        .rounds
        .iter()
        .map(|round| round.faults[0].clone())
        .collect();
    assert!(faults.iter().all(Option::is_some));
    faults[0].clone()
}

/// A player that takes twice its time for every move.
struct Slow {
    player: Box<dyn Player>,
}

impl Player for Slow {
    fn start(&mut self, budget: &Budget) -> Result<(), Refusal> {
        self.player.start(budget)
    }

    fn observe(&mut self, seen: &Observation<'_>) {
        self.player.observe(seen);
    }

    fn choose(&mut self, budget: &Budget) -> Result<Decision, Failure> {
        let (began, left) = (Instant::now(), budget.time_left().unwrap_or_default());
        while began.elapsed() < 2 * left {
            std::thread::yield_now();
        }
        self.player.choose(budget)
    }
}

/// A match of a slow player that is told to keep a clock of 20 ms.
fn slow(tolerance: Duration) -> Record {
    let time = Duration::from_millis(20);
    let clocks = Clocks::Times {
        start: time,
        play: time,
    };
    let patience = Patience {
        tolerance: Some(tolerance),
        ..Patience::default()
    };
    let setup = Setup {
        patience,
        ..setup("tic-tac-toe", clocks)
    };
    let mut players = seated(&setup, "legal");
    let player = players[0].take().unwrap();
    players[0] = Some(Box::new(Slow { player }));
    run(&setup, players)
}

#[test]
fn a_slow_player_here_is_waited_for_and_told_of() {
    let record = slow(Duration::from_secs(60));
    assert_eq!(record.faults(), 0);
    let delays = record.delays().unwrap();
    // The other player may be slow too, on a busy machine.
    assert!(delays.moves >= record.rounds.len(), "{delays:?}");
    assert!(record.rounds.iter().all(|it| !it.delays[0].is_zero()));
    assert!(delays.longest > Duration::from_millis(1), "{delays:?}");
    // Without tolerance it is late, as it would be elsewhere.
    let record = slow(Duration::ZERO);
    let late = |it: &Round| it.faults[0] == Some(Fault::Late);
    assert!(record.rounds.iter().all(late));
}

/// The fault of a bad player in its first turn; what it does later may be legal.
fn first_fault(bad: Bad) -> Option<Fault> {
    let setup = setup("tic-tac-toe", COUNTED);
    let mut players = seated(&setup, "random");
    players[0] = Some(Box::new(bad));
    let mut referee = Referee::new(&setup, players).unwrap();
    referee.round(None).unwrap().faults[0].clone()
}

#[test]
fn a_player_that_panics_has_crashed() {
    assert_eq!(against(Bad::Panics, COUNTED), Some(Fault::Crashed));
}

#[test]
fn a_player_that_does_not_answer_is_late() {
    let over = Arc::new(AtomicBool::new(false));
    let time = Duration::from_millis(50);
    let clocks = Clocks::Times {
        start: time,
        play: time,
    };
    let fault = against(Bad::Hangs(Arc::clone(&over)), clocks);
    over.store(true, Ordering::Relaxed);
    assert_eq!(fault, Some(Fault::Late));
}

#[test]
fn a_move_that_is_not_legal_is_replaced() {
    let game = setup("tic-tac-toe", COUNTED).game;
    // x waits when it is its turn.
    let role = RoleId::new(0);
    let scratch = game.scratch();
    let moves = game.moves(role).unwrap();
    let waits = |&it: &TermId| scratch.terms().text(it) == "noop";
    let wait = moves.iter().copied().find(waits).unwrap();
    let cheats = Bad::Cheats(game.move_id(role, wait).unwrap());
    assert_eq!(first_fault(cheats), Some(Fault::Illegal(wait)));
    let fault = first_fault(Bad::Cheats(MoveId::new(moves.len())));
    assert!(matches!(fault, Some(Fault::NoMove(_))), "{fault:?}");
}

#[test]
fn a_player_that_refuses_is_replaced() {
    let fault = against(Bad::Refuses, COUNTED);
    assert!(matches!(fault, Some(Fault::Refused(_))), "{fault:?}");
}

#[test]
fn turns_that_are_taken_back_can_be_made_again() {
    for name in ["tic-tac-toe", "monty-hall", "matching-pennies"] {
        let setup = setup(name, COUNTED);
        let whole = run(&setup, seated(&setup, "legal"));
        let mut referee = Referee::new(&setup, seated(&setup, "legal")).unwrap();
        let mut known = Vec::new();
        for round in &whole.rounds {
            known.push((referee.view().clone(), referee.percepts().to_vec()));
            // Chance would be drawn anew; its moves are given here.
            let chance = setup.game.chance();
            let given = chance.map(|role| (role, round.joint[role.index()]));
            referee.round(given).unwrap();
        }
        for (turns, (view, percepts)) in known.iter().enumerate().rev() {
            referee.back_to(turns).unwrap();
            assert_eq!(referee.state(), &whole.rounds[turns].state, "{name}");
            assert_eq!((referee.view(), referee.percepts()), (view, &percepts[..]));
            assert_eq!(referee.rounds().len(), turns);
        }
        while !referee.is_over() {
            referee.round(None).unwrap();
        }
        assert_eq!(referee.record().replay(&setup.game), Ok(()), "{name}");
    }
}

#[test]
fn a_move_that_is_given_is_played_and_judged() {
    let setup = setup("tic-tac-toe", COUNTED);
    let mut players = seated(&setup, "legal");
    players[0] = None;
    let mut referee = Referee::new(&setup, players).unwrap();
    let wanted = referee.view().legal[0][4];
    let round = referee.round(Some((RoleId::new(0), wanted))).unwrap();
    assert_eq!((round.joint[0], &round.faults[0]), (wanted, &None));
    let round = referee.round(Some((RoleId::new(0), wanted))).unwrap();
    assert_eq!(round.faults[0], Some(Fault::Illegal(wanted)));
}

/// Every player of every kind of game is asked as the contract says, whether the match ends,
/// is given up, or has turns taken back.
#[test]
fn the_referee_keeps_the_contract() {
    for name in ["tic-tac-toe", "monty-hall", "matching-pennies", "dice-race"] {
        for turns in [usize::MAX, 1] {
            let setup = setup(name, COUNTED);
            let testimony = Testimony::default();
            let first = setup.game.players().next().unwrap();
            let mut players = seated(&setup, "random");
            let player = players[first.index()].take().unwrap();
            let witness = Witness::new(player, testimony.clone());
            players[first.index()] = Some(Box::new(witness));
            let mut referee = Referee::new(&setup, players).unwrap();
            while !referee.is_over() && referee.rounds().len() < turns {
                referee.round(None).unwrap();
            }
            let made = referee.rounds().len();
            referee.back_to(made - 1).unwrap();
            referee.round(None).unwrap();
            let record = referee.record();
            assert_eq!(testimony.breach(), None, "{name}");
            let asked = testimony.asked();
            let observed = asked
                .iter()
                .filter(|it| matches!(it, Asked::Observe { .. }));
            // Every state once, the last among them; the turn that was taken back once more.
            assert_eq!(observed.count(), record.rounds.len() + 2, "{name}");
        }
    }
}
