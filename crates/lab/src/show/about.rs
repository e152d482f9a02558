//! What kind of game it is, how large, what plays it, how it starts.

use crate::load::{self, Engine};
use game::{Class, ClassLimits, End, Game, Limits, NoEngine, TermId, Unanswered};
use gdl::Program;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The matches that tell the class are always the same.
const SEED: u64 = 1;

/// Why a game cannot be described.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unknown {
    /// Not even the interpreter plays it.
    #[error(transparent)]
    NoEngine(#[from] NoEngine),
    /// The rules give no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// The lines about a game, without its title.
pub fn about(program: &Program, limits: &Limits) -> Result<Vec<String>, Unknown> {
    let engines = Engines::new(program, limits)?;
    let mut lines = vec![line("roles", &roles(program))];
    lines.push(line("class", &class(&engines.game)));
    lines.push(line("size", &size(&engines.game)));
    lines.push(line("engines", &engines.names.join(", ")));
    for (name, reason) in &engines.missing {
        lines.push(line(&format!("no {name}"), &reason.to_string()));
    }
    lines.push("first state".to_string());
    lines.extend(first(&engines.game)?);
    Ok(lines)
}

/// What can be told of a game in a sentence or two, for someone who is about to play it.
pub fn glimpse(game: &Game) -> Result<String, Unanswered> {
    let limits = ClassLimits {
        matches: 10,
        states: 500,
        seconds: 0.5,
    };
    let class = Class::of(game, SEED, &limits)?;
    let turns = match turns(game) {
        None => String::new(),
        Some((1, 1)) => " A match takes one turn.".to_string(),
        Some((least, most)) if least == most => format!(" Random matches took {least} turns."),
        Some((least, most)) => format!(" Random matches took {least} to {most} turns."),
    };
    let moves = game.ground().map(|it| it.inputs() - it.fluents().len());
    let moves = moves.map_or(String::new(), |count| {
        format!(" There are {count} moves in all.")
    });
    let mut class = class.to_string();
    if let Some(first) = class.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Ok(format!("{class}.{moves}{turns}"))
}

/// How many turns some random matches took at least and at most, where they are quickly played.
fn turns(game: &Game) -> Option<(u64, u64)> {
    const MATCHES: usize = 20;
    const TURNS: u64 = 1000;
    game.propnet()?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut walk = game.walk();
    let lengths = (0..MATCHES).filter_map(|_| {
        walk.restart();
        let (end, turns) = walk.playout(&mut random, TURNS);
        (end == End::Over).then_some(turns)
    });
    let lengths: Vec<u64> = lengths.collect();
    Some((*lengths.iter().min()?, *lengths.iter().max()?))
}

fn line(key: &str, text: &str) -> String {
    format!("{key:11}  {text}")
}

fn roles(program: &Program) -> String {
    let roles = program.roles().iter().map(|&role| program.text(role));
    roles.collect::<Vec<&str>>().join(", ")
}

fn class(game: &Game) -> String {
    match Class::of(game, SEED, &ClassLimits::default()) {
        Ok(class) => {
            let Class { ends, states, .. } = class;
            format!("{class} ({ends} ends, {states} states seen)")
        }
        Err(reason) => format!("not known: {reason}"),
    }
}

fn size(game: &Game) -> String {
    let Some(ground) = game.ground() else {
        return "not known without a ground program".to_string();
    };
    let (fluents, moves) = (
        ground.fluents().len(),
        ground.inputs() - ground.fluents().len(),
    );
    let (rules, literals) = ground.size();
    let derived = ground.len() - ground.inputs();
    format!(
        "{fluents} fluents, {moves} moves, {derived} derived nodes, {rules} rules, {literals} literals"
    )
}

fn first(game: &Game) -> Result<Vec<String>, Unanswered> {
    let mut scratch = game.scratch();
    let state = game.initial(&mut scratch)?;
    let text = |&fluent: &TermId| format!("  {}", scratch.terms().text(fluent));
    let mut fluents: Vec<String> = state.fluents().iter().map(text).collect();
    fluents.sort();
    Ok(fluents)
}

/// What plays a game, and what does not.
struct Engines {
    /// The game with its ground program, if it has one; else interpreted.
    game: Game,
    names: Vec<&'static str>,
    missing: Vec<(&'static str, NoEngine)>,
}

impl Engines {
    fn new(program: &Program, limits: &Limits) -> Result<Engines, NoEngine> {
        let mut engines = Engines {
            game: load::game(program, Engine::Interpreter, limits)?,
            names: Vec::new(),
            missing: Vec::new(),
        };
        for engine in Engine::ALL {
            match engines.load(program, engine, limits) {
                Ok(()) => engines.names.push(engine.name()),
                Err(reason) => engines.missing.push((engine.name(), reason)),
            }
        }
        Ok(engines)
    }

    /// Every engine but the interpreter needs the ground program: grounding that failed once
    /// is not tried again.
    fn load(&mut self, program: &Program, engine: Engine, limits: &Limits) -> Result<(), NoEngine> {
        let not_ground = self.missing.iter().map(|(_, reason)| reason);
        let mut not_ground = not_ground.filter(|it| matches!(it, NoEngine::NotGround(_)));
        if let Some(reason) = not_ground.next()
            && engine != Engine::Interpreter
        {
            return Err(reason.clone());
        }
        let game = load::game(program, engine, limits)?;
        if engine == Engine::Scsp
            && let Some(Err(reason)) = game.encoding()
        {
            return Err(reason.clone().into());
        }
        if game.ground().is_some() {
            self.game = game;
        }
        Ok(())
    }
}
