//! Puzzles, games of one player without chance: which of them players solve, and how long that takes.

use crate::Table;
use arena::Clocks;
use game::{Bits, Game, MoveId, RoleId, Walk};
use players::{BadOption, Budget, Observation, Player, Seat, roster};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The only role.
const ROLE: RoleId = RoleId::new(0);

/// How matches are played.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The players, with their options.
    pub players: Vec<String>,
    /// How long they may think.
    pub clocks: Clocks,
    /// In how many threads, if it is time that counts.
    pub threads: usize,
    /// Turns that are played at most.
    pub turns: usize,
    /// The seed of the players.
    pub seed: u64,
}

/// What players got in a game.
#[derive(Clone, Debug)]
pub struct Figures {
    game: String,
    /// The highest goal by the rules.
    most: f64,
    /// For each player its match, or why there is none.
    matches: Vec<Result<Played, String>>,
}

/// A match of one player.
#[derive(Copy, Clone, Debug)]
struct Played {
    /// What it got; none if the match did not end.
    goal: Option<f64>,
    /// What it proved to be the most there is.
    proven: Option<f64>,
    /// How long it thought.
    spent: Duration,
    /// How much later than its clock the latest answer came.
    late: Duration,
}

/// Why a game was not played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlayed {
    /// There is no such player.
    #[error(transparent)]
    Option(#[from] BadOption),
    /// It is no puzzle.
    #[error("{0} is no puzzle: a puzzle has one player, no chance and no hidden information")]
    NoPuzzle(String),
}

/// The names of our own puzzles.
pub fn usual() -> Vec<&'static str> {
    let games = library::all().into_iter();
    let is_puzzle = |class: &str| class.starts_with("one player,");
    let puzzles = games.filter(|it| it.about().is_ok_and(|about| is_puzzle(&about.class)));
    puzzles.map(|it| it.name).collect()
}

/// Lets each player play a game on its own.
pub fn measure(title: &str, game: &Arc<Game>, settings: &Settings) -> Result<Figures, NotPlayed> {
    if game.roles().len() != 1 || game.chance().is_some() || game.hides() {
        return Err(NotPlayed::NoPuzzle(title.to_string()));
    }
    let mut matches = Vec::new();
    for text in &settings.players {
        let seat = Seat {
            game: Arc::clone(game),
            role: ROLE,
            seed: settings.seed,
            threads: settings.threads,
            memory: None,
            helpers: None,
        };
        matches.push(play(game, roster::player(text, seat)?, settings));
    }
    Ok(Figures {
        game: title.to_string(),
        most: f64::from(game.most(ROLE)) * 100.0,
        matches,
    })
}

/// A match that is being played.
struct Playing<'p> {
    player: Box<dyn Player>,
    settings: &'p Settings,
    /// Whether there were several moves in a turn before.
    has_chosen: bool,
    played: Played,
}

fn play(game: &Game, player: Box<dyn Player>, settings: &Settings) -> Result<Played, String> {
    let mut playing = Playing {
        player,
        settings,
        has_chosen: false,
        played: Played {
            goal: None,
            proven: None,
            spent: Duration::ZERO,
            late: Duration::ZERO,
        },
    };
    playing.start()?;
    let mut walk = game.walk();
    let mut before: Option<MoveId> = None;
    for turn in 0..settings.turns {
        if walk.terminal() {
            break;
        }
        let action = playing.choose(&walk, (turn, before))?;
        walk.play(&[action]);
        before = Some(action);
    }
    if walk.terminal() {
        playing.played.goal = Some(f64::from(walk.goal(ROLE).unwrap_or(0)));
    }
    Ok(playing.played)
}

impl Playing<'_> {
    fn start(&mut self) -> Result<(), String> {
        let budget = budget(self.settings.clocks, true);
        let began = Instant::now();
        let refused = self.player.start(&budget);
        self.note(began, &budget);
        refused.map_err(|it| it.to_string())
    }

    /// What the player does in a turn, after its move before.
    fn choose(
        &mut self,
        walk: &Walk<'_>,
        (turn, before): (usize, Option<MoveId>),
    ) -> Result<MoveId, String> {
        let legal = walk.legal(ROLE);
        if legal.is_empty() {
            return Err("no legal move".to_string());
        }
        let state: &Bits = walk.state();
        self.player.observe(&Observation {
            turn,
            state: Some(state),
            legal: &legal,
            joint: before.as_ref().map(std::slice::from_ref),
            percepts: &[],
            own: before,
        });
        let budget = budget(self.settings.clocks, false);
        let began = Instant::now();
        let decision = self.player.choose(&budget);
        self.note(began, &budget);
        let decision = decision.map_err(|it| it.to_string())?;
        // What is proven after a choice is the most that it left.
        if decision.proven && !self.has_chosen {
            self.played.proven = decision.value.map(|it| (100.0 * it).round());
        }
        self.has_chosen = self.has_chosen || legal.len() > 1;
        Ok(decision.action)
    }

    fn note(&mut self, began: Instant, budget: &Budget) {
        self.played.spent += began.elapsed();
        if let Budget::Until(until) = budget {
            let late = Instant::now().saturating_duration_since(*until);
            self.played.late = self.played.late.max(late);
        }
    }
}

/// What a player has before the first turn, or for each turn.
fn budget(clocks: Clocks, is_start: bool) -> Budget {
    match clocks {
        Clocks::Times { start, play } => {
            Budget::Until(Instant::now() + if is_start { start } else { play })
        }
        Clocks::Iterations { start, play } => {
            Budget::Iterations(if is_start { start } else { play })
        }
    }
}

impl Figures {
    /// The most there is to get: what somebody proved, or what the rules say.
    fn top(&self) -> f64 {
        let mut played = self.matches.iter().flatten();
        played.find_map(|it| it.proven).unwrap_or(self.most)
    }
}

/// The figures, a row a game, and those of all.
pub fn table(all: &[Figures], settings: &Settings) -> Table {
    let columns = settings.players.iter().flat_map(|player| {
        let columns = ["goal", "solved", "s"];
        columns.map(|column| format!("{player} {column}"))
    });
    let head = ["game", "most"].map(String::from).into_iter();
    let mut rows: Vec<Vec<String>> = all.iter().map(row).collect();
    rows.push(sums(all, settings.players.len()));
    let notes = [
        "goal: what the match ended with; solved: whether that is the most there is, by a proof of \
         one of the players or else by the rules; s: seconds of thinking. Last row: mean goals, \
         shares solved, and sums of seconds"
            .to_string(),
        late(all, settings),
    ];
    Table {
        title: format!("Puzzles: {}", clocks(settings.clocks)),
        head: head.chain(columns).collect(),
        notes: notes.into_iter().filter(|it| !it.is_empty()).collect(),
        rows,
    }
}

fn clocks(clocks: Clocks) -> String {
    match clocks {
        Clocks::Times { start, play } => format!(
            "{} s before the first turn, {} s for each turn",
            start.as_secs_f64(),
            play.as_secs_f64()
        ),
        Clocks::Iterations { start, play } => {
            format!("{start} iterations before the first turn, {play} for each turn")
        }
    }
}

/// How late the latest answer of each player came, if one did.
fn late(all: &[Figures], settings: &Settings) -> String {
    let latest = |player: usize| {
        let played = all.iter().filter_map(|it| it.matches[player].as_ref().ok());
        played.map(|it| it.late.as_millis()).max().unwrap_or(0)
    };
    let players = settings.players.iter().enumerate();
    let late = players.map(|(number, player)| (player, latest(number)));
    let late = late.filter(|it| it.1 > 0);
    let late: Vec<String> = late.map(|(player, it)| format!("{player} {it}")).collect();
    match late.is_empty() {
        true => String::new(),
        false => format!(
            "Milliseconds that the latest answer came after its clock: {}",
            late.join(", ")
        ),
    }
}

fn row(figures: &Figures) -> Vec<String> {
    let top = figures.top();
    let mut row = vec![figures.game.clone(), format!("{top:.0}")];
    for played in &figures.matches {
        row.extend(match played {
            Ok(played) => cells(played, top),
            Err(reason) => [reason.clone(), String::new(), String::new()],
        });
    }
    row
}

fn cells(played: &Played, top: f64) -> [String; 3] {
    let goal = played.goal.map(|it| format!("{it:.0}"));
    let solved = played.goal.is_some_and(|it| it >= top);
    [
        goal.unwrap_or_else(|| "–".to_string()),
        if solved { "yes" } else { "no" }.to_string(),
        format!("{:.2}", played.spent.as_secs_f64()),
    ]
}

/// The last row: means, shares and sums.
fn sums(all: &[Figures], players: usize) -> Vec<String> {
    let count = all.len().max(1) as f64;
    let tops: f64 = all.iter().map(Figures::top).sum();
    let mut row = vec![format!("all {}", all.len()), format!("{:.1}", tops / count)];
    for player in 0..players {
        let played = all.iter().filter_map(|it| {
            let played = it.matches[player].as_ref().ok()?;
            Some((it.top(), played))
        });
        let goals: f64 = played.clone().filter_map(|(_, it)| it.goal).sum();
        let is_solved = |&(top, it): &(f64, &Played)| it.goal.is_some_and(|goal| goal >= top);
        let solved = played.clone().filter(is_solved).count() as f64;
        let spent: Duration = played.map(|(_, it)| it.spent).sum();
        row.push(format!("{:.1}", goals / count));
        row.push(format!("{:.0} %", 100.0 * solved / count));
        row.push(format!("{:.1}", spent.as_secs_f64()));
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Limits;

    fn settings(players: &[&str]) -> Settings {
        Settings {
            players: players.iter().map(ToString::to_string).collect(),
            clocks: Clocks::Iterations {
                start: 2000,
                play: 10,
            },
            threads: 1,
            turns: 100,
            seed: 1,
        }
    }

    fn load(name: &str) -> Arc<Game> {
        let rules = library::find(name).unwrap().rules();
        let rules = gdl::Source::from_bytes(rules.to_vec());
        Arc::new(Game::load(rules, &Limits::default()).unwrap())
    }

    #[test]
    fn eight_queens_are_solved_by_those_who_search() {
        let settings = settings(&["ida", "nested", "legal"]);
        let game = load("eight-queens");
        let figures = measure("eight-queens", &game, &settings).unwrap();
        let solved = figures.matches.iter().map(|it| {
            let played = it.as_ref().unwrap();
            played.goal.unwrap() >= figures.top()
        });
        assert_eq!(solved.collect::<Vec<_>>(), [true, true, false]);
        let text = table(&[figures], &settings).text();
        assert!(text.contains("67 %") || text.contains("100 %"), "{text}");
    }

    #[test]
    fn other_games_are_refused_and_all_usual_games_are_not() {
        let game = load("tic-tac-toe");
        let refused = measure("tic-tac-toe", &game, &settings(&["ida"]));
        assert!(refused.unwrap_err().to_string().contains("no puzzle"));
        assert_eq!(usual().len(), 9);
    }
}
