//! `ludex lab library`: what random play tells of our own games, and whether it is well formed.
//!
//! Takes names of games and gives a table, JSON, or the section `[random]` of their `game.toml`
//! (`random.rs`). Well formed means: in every state that is no end every role has a move, every
//! match ends, and at the end every role that is not chance has exactly one goal.

mod random;

use crate::args::Library;
use crate::games::{self, OurGame};
use crate::progress::Spinner;
use crate::{Outcome, table};
use anstream::stdout;
use anyhow::{Context, Result, bail};
use circuit::{End, Network, Simulator, Single, Start, Tally};
use game::Game;
use gdl::{Policy, Source};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// Longer matches are cut: no game of ours has a tenth of it.
const MAX_TURNS: u64 = 100_000;
/// Playouts come in so many parts, which differ as much as chance has it: so the error of the
/// mean of turns is known.
const PARTS: u64 = 100;
/// Matches played one by one, each asked for its goals: lanes sum goals up, and a goal of 0 is as
/// good as none there.
const SAMPLE: u64 = 300;

/// What was found of one game.
#[derive(Serialize)]
struct Figures {
    game: &'static str,
    /// Those that somebody plays, which are not chance.
    roles: Vec<String>,
    #[serde(flatten)]
    speed: Speed,
    #[serde(flatten)]
    means: Means,
    #[serde(flatten)]
    problems: Problems,
}

#[derive(Serialize)]
struct Speed {
    load_seconds: f64,
    gates: usize,
    playouts_per_second: f64,
    states_per_second: f64,
}

/// What random play tells; goals are in the order of the roles.
#[derive(Serialize)]
struct Means {
    playouts: u64,
    turns: f64,
    turns_error: f64,
    goals: Vec<f64>,
    goals_error: Vec<f64>,
}

/// What is not well formed.
#[derive(Default, Serialize)]
struct Problems {
    /// Matches in which a role had no legal move.
    stuck: u64,
    /// Matches that did not end.
    cut: u64,
    /// Ends at which a role had no goal, or several.
    goals_wrong: u64,
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
    fn count(&self) -> u64 {
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

pub(crate) fn run(arguments: &Library) -> Result<Outcome> {
    let games = chosen(&arguments.games)?;
    let mut all = Vec::new();
    for game in games {
        let figures = measure(game, arguments).with_context(|| game.name.to_string())?;
        if let Some(folder) = &arguments.update {
            random::update(&folder.join(game.name).join("game.toml"), &figures.means)?;
        }
        all.push(figures);
    }
    match arguments.json {
        true => {
            serde_json::to_writer_pretty(stdout(), &all)?;
            writeln!(stdout())?;
        }
        false => stdout().write_all(text(&all).as_bytes())?,
    }
    Ok(match all.iter().all(|it| it.problems.count() == 0) {
        true => Outcome::Fine,
        false => Outcome::Refused,
    })
}

/// The games of these names; all if there are none.
fn chosen(names: &[String]) -> Result<Vec<OurGame>> {
    if names.is_empty() {
        return Ok(games::all());
    }
    let found = names.iter().map(|name| match games::find(name) {
        Some(game) => Ok(game),
        None => bail!("{name} is no game of ours; {}", games::advice(name)),
    });
    found.collect()
}

fn measure(game: OurGame, arguments: &Library) -> Result<Figures> {
    let began = Instant::now();
    let loaded = load(game, arguments.quiet)?;
    let load_seconds = began.elapsed().as_secs_f64();
    let _spinner = Spinner::doing("playing at random", game.name, arguments.quiet);
    let simulator = loaded.simulator().context("its circuit is too large")?;
    let network = loaded.network().context("it has no network")?;
    let began = Instant::now();
    let parts = play(simulator, arguments);
    let seconds = began.elapsed().as_secs_f64();
    let (numbers, roles) = roles(&loaded);
    let means = means(&parts, &numbers);
    let mut problems = sample(network, &numbers, arguments.seed);
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

/// From the text of the rules to a game that can be played.
fn load(game: OurGame, quiet: bool) -> Result<Game> {
    let spinner = Spinner::new(game.name, quiet);
    let source = Source::from_bytes(game.rules().to_vec());
    let tree = gdl::read(source, None, &gdl::Limits::default());
    let Some(program) = gdl::check(tree, &Policy::lenient()).program else {
        bail!("the rules were refused");
    };
    let (loaded, reason) = Game::for_play(&program, &spinner.limits());
    match reason {
        Some(reason) => bail!("only the interpreter plays it: {reason}"),
        None => Ok(loaded),
    }
}

/// The roles that somebody plays: their numbers and names.
fn roles(game: &Game) -> (Vec<usize>, Vec<String>) {
    let scratch = game.scratch();
    let names = game.roles().iter().map(|&role| scratch.terms().text(role));
    let chance = game.chance();
    let played = names.enumerate();
    played.filter(|(number, _)| chance != Some(*number)).unzip()
}

/// Plays in lanes, in parts.
fn play(simulator: &Simulator, arguments: &Library) -> Vec<Tally> {
    let state = &simulator.initial();
    let share = |part: u64| (arguments.playouts + part) / PARTS;
    let starts = (0..PARTS).map(|part| Start {
        state,
        playouts: share(part),
    });
    let starts: Vec<Start<'_>> = starts.filter(|it| it.playouts > 0).collect();
    simulator.playouts(&starts, MAX_TURNS, arguments.seed)
}

/// What the parts tell together of these roles.
fn means(parts: &[Tally], roles: &[usize]) -> Means {
    let mut total = parts[0].clone();
    parts[1..].iter().for_each(|part| total.add(part));
    let all = total.means();
    let of_roles = roles.iter().filter_map(|&role| all.get(role));
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

/// What is not well formed in some matches that are played one by one.
fn sample(network: &Network, roles: &[usize], seed: u64) -> Problems {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut single = Single::new(network);
    let mut problems = Problems::default();
    for _ in 0..SAMPLE {
        single.load(network.initial());
        match single.playout(&mut random, MAX_TURNS).0 {
            End::Stuck => problems.stuck += 1,
            End::Cut => problems.cut += 1,
            End::Over => {
                let right = (roles.iter()).all(|&role| single.goals(role).count() == 1);
                problems.goals_wrong += u64::from(!right);
            }
        }
    }
    problems
}

/// The table, and a line about all games.
fn text(all: &[Figures]) -> String {
    let head = [
        "game",
        "load s",
        "gates",
        "playouts/s",
        "states/s",
        "turns",
        "goals",
        "problems",
    ];
    let rows: Vec<[String; 8]> = all.iter().map(Figures::row).collect();
    let table = table::text(&head.map(str::to_string), &rows);
    let seconds = |it: &Figures| it.speed.load_seconds;
    let slowest = all
        .iter()
        .max_by(|left, right| seconds(left).total_cmp(&seconds(right)));
    let slowest = slowest.map_or_else(String::new, |it| {
        format!("; slowest to load: {}, {:.2} s", it.game, seconds(it))
    });
    let problems: u64 = all.iter().map(|it| it.problems.count()).sum();
    let games = if all.len() == 1 { "game" } else { "games" };
    format!(
        "{table}\n{} {games}{slowest}; problems: {problems}\n",
        all.len()
    )
}
