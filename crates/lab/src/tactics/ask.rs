//! Which puzzles players solve, each asked afresh with a counted budget.

use super::words::Words;
use super::{NotAsked, Puzzle, load};
use crate::{Table, Watch};
use game::{Bits, Game, MoveId, RoleId};
use players::{Budget, Observation, Seat, roster};
use std::sync::Arc;

/// The players to ask, and their budgets.
#[derive(Clone, Debug)]
pub struct Asking {
    /// The players, with their options.
    pub players: Vec<String>,
    /// How many iterations each has for a position: each number is a column.
    pub iterations: Vec<u64>,
    /// The seed of the players.
    pub seed: u64,
}

impl Asking {
    /// Every player with every budget, in the order of columns.
    fn columns(&self) -> impl Iterator<Item = (&str, u64)> {
        let players = self.players.iter();
        players.flat_map(|it| self.iterations.iter().map(move |&count| (&it[..], count)))
    }
}

/// How many puzzles of a game were solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The game.
    pub game: String,
    /// How many there are.
    pub puzzles: usize,
    /// How many were solved, for each player and budget.
    pub solved: Vec<usize>,
}

/// Asks the players, game by game.
pub fn ask(
    puzzles: &[Puzzle],
    asking: &Asking,
    watch: &impl Watch,
) -> Result<Vec<Score>, NotAsked> {
    let of_a_game = puzzles.chunk_by(|one, other| one.game == other.game);
    of_a_game.map(|it| score(it, asking, watch)).collect()
}

fn score(puzzles: &[Puzzle], asking: &Asking, watch: &impl Watch) -> Result<Score, NotAsked> {
    let name = &puzzles[0].game;
    let game = Arc::new(load(name, watch)?);
    let _task = watch.begin("solving puzzles", name);
    let words = Words::new(&game);
    let mut solved = vec![0; asking.columns().count()];
    for puzzle in puzzles {
        let wrong = |reason| NotAsked::Puzzle {
            game: name.clone(),
            reason,
        };
        let (state, role) = words.position(puzzle).map_err(wrong)?;
        for (count, (player, iterations)) in solved.iter_mut().zip(asking.columns()) {
            let seat = Seat {
                game: Arc::clone(&game),
                role,
                seed: asking.seed,
                threads: 1,
                memory: None,
                helpers: None,
            };
            let action = choice(&game, (player, seat), (&state, iterations))?;
            *count += usize::from(puzzle.right.contains(&words.action(role, action)));
        }
    }
    Ok(Score {
        game: name.clone(),
        puzzles: puzzles.len(),
        solved,
    })
}

/// What a fresh player does in a state.
fn choice(
    game: &Game,
    (text, seat): (&str, Seat),
    (state, iterations): (&Bits, u64),
) -> Result<MoveId, NotAsked> {
    let legal = legal(game, seat.role, state);
    let mut player = roster::player(text, seat)?;
    player.start(&Budget::Iterations(1))?;
    player.observe(&Observation {
        turn: 0,
        state: Some(state),
        legal: &legal,
        joint: None,
        percepts: &[],
        own: None,
    });
    Ok(player.choose(&Budget::Iterations(iterations))?.action)
}

fn legal(game: &Game, role: RoleId, state: &Bits) -> Vec<MoveId> {
    let mut walk = game.walk();
    walk.load(state);
    walk.legal(role)
}

/// The shares of puzzles solved, a row a game, and of all.
pub fn table(scores: &[Score], asking: &Asking) -> Table {
    let columns = asking
        .columns()
        .map(|(player, count)| format!("{player} {count}"));
    let head = ["game", "puzzles"].map(String::from).into_iter();
    let mut rows: Vec<Vec<String>> = scores.iter().map(row).collect();
    let sum = |column: usize| scores.iter().map(|it| it.solved[column]).sum();
    let all = Score {
        game: "all".to_string(),
        puzzles: scores.iter().map(|it| it.puzzles).sum(),
        solved: (0..asking.columns().count()).map(sum).collect(),
    };
    rows.push(row(&all));
    Table {
        title: "Tactical puzzles: share solved by each player with so many iterations".to_string(),
        head: head.chain(columns).collect(),
        notes: Vec::new(),
        rows,
    }
}

fn row(score: &Score) -> Vec<String> {
    let Score {
        game,
        puzzles,
        solved,
    } = score;
    let share = |&it: &usize| format!("{:.0} %", 100.0 * it as f64 / (*puzzles).max(1) as f64);
    let first = [game.clone(), puzzles.to_string()].into_iter();
    first.chain(solved.iter().map(share)).collect()
}
