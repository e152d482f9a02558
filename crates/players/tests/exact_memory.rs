//! Solving keeps within its limits, whatever the rules ask for.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::of_text;
use game::Game;
use peak_alloc::PeakAlloc;
use players::exact::{SolveLimits, Unsolved, competitive, cooperative};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What solving may take, and what else it may take at the most.
const MEMORY_LIMIT: usize = 64 << 20;
const MARGIN: usize = 48 << 20;

/// A turn in which so many roles have so many moves each, and all get half.
fn crowd(roles: usize, moves: usize) -> Game {
    let of_role = |role: usize| {
        let legal = (0..moves).map(|it| format!("(legal r{role} m{it})"));
        let legal: String = legal.collect();
        format!("(role r{role}) {legal} (goal r{role} 50)")
    };
    let roles: String = (0..roles).map(of_role).collect();
    of_text(&format!(
        "{roles} (init start) (<= (next done) (true start)) (<= terminal (true done))"
    ))
}

/// A turn in which two roles guess each other's number: what they get has a constant sum and no
/// saddle.
fn guess(moves: usize) -> Game {
    let numbers: String = (0..moves).map(|it| format!("(number {it})")).collect();
    of_text(&format!(
        "{numbers} (role a) (role b) (init start) (<= (legal a ?n) (number ?n))
        (<= (legal b ?n) (number ?n)) (<= (next done) (true start)) (<= terminal (true done))
        (<= (next hit) (does a ?n) (does b ?n)) (<= (goal a 100) (true hit))
        (<= (goal b 0) (true hit)) (<= (goal a 0) (not (true hit)))
        (<= (goal b 100) (not (true hit)))"
    ))
}

/// Solves a game both ways within limits; says what stopped each.
fn stopped(game: &Game, limits: &SolveLimits) -> [Option<Unsolved>; 2] {
    // The network belongs to the game.
    assert!(game.encoding().unwrap().is_ok());
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let alone = competitive(game, limits).err();
    let together = cooperative(game, None, limits).err();
    let peak = MEMORY.peak_usage() - before;
    assert!(peak < limits.memory + MARGIN, "{peak} bytes");
    [alone, together]
}

/// One test, so that games are measured one after the other.
#[test]
fn solving_ends_within_its_limits() {
    let limits = SolveLimits {
        memory: MEMORY_LIMIT,
        nodes: 20_000_000,
        ..SolveLimits::default()
    };
    let memory = Some(Unsolved::Memory(MEMORY_LIMIT >> 20));
    for (roles, moves) in [(30, 3), (18, 3), (70, 2), (2, 3000)] {
        let ways = (moves as u128).checked_pow(roles).unwrap();
        let many = Unsolved::JointMoves {
            ways,
            memory: MEMORY_LIMIT >> 20,
        };
        let found = stopped(&crowd(roles as usize, moves), &limits);
        assert_eq!(found, [Some(many), memory.clone()], "{roles} roles");
    }
    assert_eq!(stopped(&crowd(10, 3), &limits), [None, None]);
    let few = SolveLimits {
        nodes: 1000,
        ..limits
    };
    let nodes = Some(Unsolved::Nodes(1000));
    assert_eq!(stopped(&crowd(10, 3), &few), [nodes.clone(), nodes]);
    assert_eq!(stopped(&guess(20), &limits), [None, None]);
    let (rows, columns) = (600, 600);
    let unmixed = Unsolved::Unmixed { rows, columns };
    assert_eq!(stopped(&guess(600), &limits)[0], Some(unmixed));
}
