//! What random play tells of our own games, and whether it is well formed.
//!
//! Takes names of games and gives figures, a table, or the section `[random]` of their `game.toml`
//! (`section.rs`). Well formed means: in every state that is no end every role has a move, every
//! match ends, and at the end every role that is not chance has exactly one goal.

mod section;

pub use section::{NotLast, updated};

use crate::load::{self, NotLoaded, Unmeasured};
use crate::trial::{self, Trial};
use crate::{Table, Watch, limits};
use circuit::{Simulator, Start, Tally};
use game::{Defect, Game, RoleId};
use library::OurGame;
use serde::Serialize;
use std::time::Instant;

/// Longer matches are cut: no game of ours has a tenth of it.
const MAX_TURNS: u64 = 100_000;
/// Playouts come in so many parts, which differ as much as chance has it: so the error of the
/// mean of turns is known.
const PARTS: u64 = 100;
/// Matches played one by one, each state looked at: lanes sum goals up, and a goal of 0 is as good
/// as none there.
const SINGLE: u64 = 100;

/// What is played.
#[derive(Copy, Clone, Debug)]
pub struct Sample {
    /// How many matches of each game.
    pub playouts: u64,
    /// The seed of the random choices.
    pub seed: u64,
}

/// What was found of one game.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// The name of the game.
    pub game: &'static str,
    /// Those that somebody plays, which are not chance.
    pub roles: Vec<String>,
    /// How fast it loads and plays.
    #[serde(flatten)]
    pub speed: Speed,
    /// What random play tells.
    #[serde(flatten)]
    pub means: Means,
    /// What is not well formed.
    #[serde(flatten)]
    pub problems: Problems,
}

/// How fast a game loads and plays.
#[derive(Clone, Debug, Serialize)]
pub struct Speed {
    /// From the text of the rules to a game that can be played.
    pub load_seconds: f64,
    /// Gates of its circuit.
    pub gates: usize,
    /// Random matches in a second.
    pub playouts_per_second: f64,
    /// States in a second.
    pub states_per_second: f64,
}

/// What random play tells; goals are in the order of the roles.
#[derive(Clone, Debug, Serialize)]
pub struct Means {
    /// Matches that ended.
    pub playouts: u64,
    /// The mean number of turns.
    pub turns: f64,
    /// Its standard error.
    pub turns_error: f64,
    /// The mean goal of each role.
    pub goals: Vec<f64>,
    /// Their standard errors.
    pub goals_error: Vec<f64>,
}

/// What is not well formed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Problems {
    /// Matches in which a role had no legal move.
    pub stuck: u64,
    /// Matches that did not end.
    pub cut: u64,
    /// Ends at which a role had no goal, or several.
    pub goals_wrong: u64,
}

impl Figures {
    fn row(&self) -> [String; 8] {
        let Figures { speed, means, .. } = self;
        let goals = means.goals.iter().zip(&means.goals_error);
        let goals = goals.map(|(mean, error)| format!("{mean:.1} ±{error:.1}"));
        [
            self.game.to_string(),
            format!("{:.2}", speed.load_seconds),
            speed.gates.to_string(),
            format!("{:.0}", speed.playouts_per_second),
            format!("{:.0}", speed.states_per_second),
            format!("{:.2} ±{:.2}", means.turns, means.turns_error),
            goals.collect::<Vec<String>>().join(", "),
            self.problems.text(),
        ]
    }
}

impl Problems {
    /// How many there are.
    pub fn count(&self) -> u64 {
        self.stuck + self.cut + self.goals_wrong
    }

    fn text(&self) -> String {
        let counts = [
            (self.stuck, "without a move"),
            (self.cut, "without an end"),
            (self.goals_wrong, "without one goal each"),
        ];
        let counts = counts.iter().filter(|(count, _)| *count > 0);
        let said: Vec<String> = counts
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        match said.is_empty() {
            true => "none".to_string(),
            false => said.join(", "),
        }
    }
}

/// A name that no game of ours has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no built-in game `{name}`; {advice}")]
pub struct Unknown {
    name: String,
    advice: String,
}

/// The games of these names; all if there are none.
pub fn chosen(names: &[String]) -> Result<Vec<OurGame>, Unknown> {
    if names.is_empty() {
        return Ok(library::all());
    }
    let find = |name: &String| {
        library::find(name).ok_or_else(|| Unknown {
            name: name.clone(),
            advice: library::advice(name),
        })
    };
    names.iter().map(find).collect()
}

/// Loads a game and plays it at random.
pub fn measure(game: OurGame, sample: &Sample, watch: &impl Watch) -> Result<Figures, Unmeasured> {
    figures(game, sample, watch).map_err(|reason| Unmeasured {
        game: game.name,
        reason,
    })
}

fn figures(game: OurGame, sample: &Sample, watch: &impl Watch) -> Result<Figures, NotLoaded> {
    let began = Instant::now();
    let loaded = {
        let task = watch.begin("reading", game.name);
        load::ours_for_play(game, &limits(&task))?
    };
    let load_seconds = began.elapsed().as_secs_f64();
    let _task = watch.begin("playing at random", game.name);
    let simulator = loaded.simulator().ok_or(NotLoaded::NoCircuit)?;
    let began = Instant::now();
    let parts = play(simulator, sample);
    let seconds = began.elapsed().as_secs_f64();
    let (numbers, roles) = roles(&loaded);
    let means = means(&parts, &numbers);
    let mut problems = problems(&loaded, sample.seed);
    problems.stuck += parts.iter().map(|it| it.stuck).sum::<u64>();
    problems.cut += parts.iter().map(|it| it.cut).sum::<u64>();
    let playouts_per_second = means.playouts as f64 / seconds;
    let speed = Speed {
        load_seconds,
        gates: simulator.circuit().len(),
        playouts_per_second,
        states_per_second: playouts_per_second * (means.turns + 1.0),
    };
    Ok(Figures {
        game: game.name,
        roles,
        speed,
        means,
        problems,
    })
}

/// The roles that somebody plays: their numbers and names.
fn roles(game: &Game) -> (Vec<RoleId>, Vec<String>) {
    let scratch = game.scratch();
    let name = |role: RoleId| scratch.terms().text(game.roles()[role.index()]);
    game.players().map(|role| (role, name(role))).unzip()
}

/// Plays in lanes, in parts.
fn play(simulator: &Simulator, sample: &Sample) -> Vec<Tally> {
    let state = &simulator.initial();
    let share = |part: u64| (sample.playouts + part) / PARTS;
    let starts = (0..PARTS).map(|part| Start {
        state,
        playouts: share(part),
    });
    let starts: Vec<Start<'_>> = starts.filter(|it| it.playouts > 0).collect();
    simulator.playouts(&starts, MAX_TURNS, sample.seed)
}

/// What the parts tell together of these roles.
fn means(parts: &[Tally], roles: &[RoleId]) -> Means {
    let mut total = parts[0].clone();
    parts[1..].iter().for_each(|part| total.add(part));
    let all = total.means();
    let of_roles = roles.iter().filter_map(|role| all.get(role.index()));
    let (goals, goals_error) = of_roles.copied().unzip();
    Means {
        playouts: total.ended(),
        turns: total.turns as f64 / total.ended() as f64,
        turns_error: turns_error(parts),
        goals,
        goals_error,
    }
}

/// The standard error of the mean of turns, from how the means of the parts differ.
fn turns_error(parts: &[Tally]) -> f64 {
    let sum = |of: &dyn Fn(&Tally) -> f64| parts.iter().map(of).sum::<f64>();
    let ended = sum(&|it| it.ended() as f64);
    let mean = sum(&|it| it.turns as f64) / ended;
    let apart = |it: &Tally| (it.turns as f64 - mean * it.ended() as f64).powi(2);
    let count = parts.len() as f64;
    (sum(&apart) * count / (count - 1.0).max(1.0)).sqrt() / ended
}

/// What play tells that is not well formed.
fn problems(game: &Game, seed: u64) -> Problems {
    let settings = trial::Settings {
        matches: SINGLE,
        turns: MAX_TURNS as usize,
        seed,
        ..trial::Settings::default()
    };
    let trial = Trial::of(game, &settings);
    let mut problems = Problems {
        stuck: trial.stuck,
        cut: trial.cut,
        goals_wrong: 0,
    };
    for met in trial.met() {
        let kind = match met.broken.defect {
            Defect::NoMove(_) | Defect::Unanswered(_) => &mut problems.stuck,
            Defect::Endless { .. } | Defect::TooLong { .. } => &mut problems.cut,
            Defect::NoGoal(_) | Defect::SeveralGoals(..) | Defect::GoalValue(..) => {
                &mut problems.goals_wrong
            }
        };
        *kind += met.times;
    }
    problems
}

const HEAD: [&str; 8] = [
    "game",
    "load s",
    "gates",
    "playouts/s",
    "states/s",
    "turns",
    "goals",
    "problems",
];

/// The figures as a table, with a note about all games.
pub fn table(all: &[Figures]) -> Table {
    let seconds = |it: &Figures| it.speed.load_seconds;
    let slowest = all
        .iter()
        .max_by(|left, right| seconds(left).total_cmp(&seconds(right)));
    let slowest = slowest.map_or_else(String::new, |it| {
        format!("; slowest to load: {}, {:.2} s", it.game, seconds(it))
    });
    let problems: u64 = all.iter().map(|it| it.problems.count()).sum();
    let games = if all.len() == 1 { "game" } else { "games" };
    let note = format!("{} {games}{slowest}; problems: {problems}", all.len());
    Table {
        notes: vec![note],
        ..Table::new(HEAD, all.iter().map(Figures::row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn rock_paper_scissors_is_well_formed_and_over_after_a_turn() {
        let games = chosen(&["rock-paper-scissors".to_string()]).unwrap();
        let sample = Sample {
            playouts: 1000,
            seed: 1,
        };
        let figures = measure(games[0], &sample, &Silent).unwrap();
        assert_eq!((figures.means.playouts, figures.means.turns), (1000, 1.0));
        assert_eq!(figures.problems.count(), 0);
        let table = table(&[figures]);
        assert_eq!(table.rows.len(), 1);
        assert!(table.notes[0].starts_with("1 game; slowest to load: "));
    }
}
