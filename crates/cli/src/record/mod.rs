//! The record of a match as ggp.org has it: JSON.

mod signature;

pub(crate) use signature::{Key, Signed, public_key, signed};

use crate::args::Seconds;
use crate::input;
use anyhow::{Context, Result, ensure};
use arena::{Fault, Record, Round};
use game::{Game, Scratch, State, TermId};
use serde::{Deserialize, Serialize, Serializer};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// How a person is called among the players.
pub(crate) const PERSON: &str = "person";

/// A match, in the words of the format. Other hosts leave out what they please.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct MatchFile {
    match_id: String,
    random_token: String,
    start_time: u64,
    #[serde(rename = "gameMetaURL")]
    game_meta_url: String,
    game_name: String,
    game_role_names: Vec<String>,
    is_completed: bool,
    is_aborted: bool,
    states: Vec<String>,
    moves: Vec<Vec<String>>,
    state_times: Vec<u64>,
    errors: Vec<Vec<String>>,
    goal_values: Vec<Option<i64>>,
    #[serde(serialize_with = "plain")]
    preview_clock: f64,
    #[serde(serialize_with = "plain")]
    start_clock: f64,
    #[serde(serialize_with = "plain")]
    play_clock: f64,
    player_names_from_host: Vec<String>,
    is_player_human: Vec<bool>,
    tournament_name_from_host: String,
    scrambled: bool,
    /// What was given as GAME, for `ludex replay`.
    #[serde(rename = "x-ludexGame")]
    pub(crate) game: String,
    #[serde(rename = "x-ludexSeed")]
    pub(crate) seed: u64,
}

/// What a record does not say itself.
pub(crate) struct Circumstances {
    pub(crate) game: String,
    pub(crate) players: Vec<String>,
    pub(crate) seed: u64,
    /// What the match is called; made up if not given.
    pub(crate) id: Option<String>,
    pub(crate) scrambled: bool,
    /// Seconds.
    pub(crate) clocks: (f64, f64),
    /// Seconds to look at the rules before, if there were any.
    pub(crate) preview: Option<f64>,
    /// When each state was reached, in milliseconds since 1970.
    pub(crate) times: Vec<u64>,
}

impl Circumstances {
    /// A match that is not scrambled and has no name yet, of which no state was reached.
    pub(crate) fn new(
        game: String,
        players: Vec<String>,
        (seed, start, play): (u64, Seconds, Seconds),
    ) -> Circumstances {
        Circumstances {
            game,
            players,
            seed,
            id: None,
            scrambled: false,
            clocks: (start.0.as_secs_f64(), play.0.as_secs_f64()),
            preview: None,
            times: Vec::new(),
        }
    }
}

impl MatchFile {
    pub(crate) fn new(game: &Game, record: &Record, said: &Circumstances) -> MatchFile {
        let scratch = game.scratch();
        let text = |term: &TermId| scratch.terms().text(*term);
        let texts = |terms: &[TermId]| terms.iter().map(text).collect::<Vec<_>>();
        let state = |state: &State| format!("( {} )", texts(state.fluents()).join(" "));
        let states = record.rounds.iter().map(|round| &round.state);
        let errors = |faults: &Vec<Option<Fault>>| {
            let errors = faults.iter().map(|fault| match fault {
                None => String::new(),
                Some(Fault::Late) => "TO".to_string(),
                Some(Fault::Illegal(action)) => format!("IL {}", text(action)),
                Some(Fault::NoMove(said)) => format!("IL {said}"),
                Some(Fault::Crashed | Fault::Unreachable | Fault::Refused(_)) => "CE".to_string(),
            });
            errors.collect()
        };
        // As for states, there is one more than turns: what went wrong at the start.
        let faults =
            std::iter::once(&record.starts).chain(record.rounds.iter().map(|it| &it.faults));
        let start_time = said.times.first().copied().unwrap_or(0);
        MatchFile {
            match_id: said.id.clone().unwrap_or_else(|| id(start_time, said.seed)),
            random_token: format!("{:016x}", said.seed),
            start_time,
            game_meta_url: String::new(),
            game_name: said.game.clone(),
            game_role_names: texts(game.roles()),
            is_completed: record.completed,
            is_aborted: !record.completed,
            states: states.chain([&record.last]).map(state).collect(),
            moves: record.rounds.iter().map(|it| texts(&it.joint)).collect(),
            state_times: said.times.clone(),
            errors: faults.map(errors).collect(),
            goal_values: record.goals.clone(),
            preview_clock: said.preview.unwrap_or(-1.0),
            start_clock: said.clocks.0,
            play_clock: said.clocks.1,
            player_names_from_host: said.players.clone(),
            is_player_human: said.players.iter().map(|name| name == PERSON).collect(),
            tournament_name_from_host: String::new(),
            scrambled: said.scrambled,
            game: said.game.clone(),
            seed: said.seed,
        }
    }

    /// Writes the record to a file, signed if there is a key.
    pub(crate) fn write(&self, path: &Path, key: Option<&Key>) -> Result<()> {
        let mut record = serde_json::to_value(self)?;
        if let (Some(key), Some(record)) = (key, record.as_object_mut()) {
            key.sign(record);
        }
        input::replace(path, &serde_json::to_string_pretty(&record)?)
    }

    /// What happened, in terms of the game.
    pub(crate) fn record(&self, game: &Game, scratch: &mut Scratch) -> Result<Record> {
        ensure!(
            self.states.len() == self.moves.len() + 1,
            "there are {} states and {} joint moves",
            self.states.len(),
            self.moves.len()
        );
        let mut states = Vec::new();
        for text in &self.states {
            let inside = text.trim();
            let inside = inside.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
            let inside = inside.with_context(|| format!("no list of facts: {text}"))?;
            states.push(State::new(terms(game, scratch, inside)?));
        }
        let last = states.pop().context("there is no state")?;
        let mut rounds = Vec::new();
        for (state, joint) in states.into_iter().zip(&self.moves) {
            let joint = terms(game, scratch, &joint.join("\n"))?;
            ensure!(
                joint.len() == game.roles().len(),
                "a joint move lacks a role"
            );
            rounds.push(Round {
                faults: vec![None; joint.len()],
                decisions: vec![None; joint.len()],
                state,
                joint,
            });
        }
        Ok(Record {
            rounds,
            last,
            goals: self.goal_values.clone(),
            completed: self.is_completed,
            starts: Vec::new(),
        })
    }
}

/// Seconds as other hosts write them: without a point if they are whole.
fn plain<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match seconds.fract() {
        0.0 => serializer.serialize_i64(*seconds as i64),
        _ => serializer.serialize_f64(*seconds),
    }
}

/// What a match is called that began at a time.
pub(crate) fn id(milliseconds: u64, seed: u64) -> String {
    format!("ludex.{milliseconds}.{seed}")
}

/// The time, in milliseconds since 1970.
pub(crate) fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// The terms of a text.
pub(crate) fn terms(game: &Game, scratch: &mut Scratch, text: &str) -> Result<Vec<TermId>> {
    let syntax = Some(gdl::Syntax::Prefix);
    let tree = gdl::read(text.into(), syntax, &gdl::Limits::default());
    let terms: Option<Vec<TermId>> = tree.forms().map(|form| game.term(scratch, form)).collect();
    terms.with_context(|| format!("cannot be read: {text}"))
}
