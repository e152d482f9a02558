//! The record of a match as ggp.org has it: JSON.

use crate::{Fault, Key, Record, Round};
use game::{Game, Scratch, State, TermId};
use serde::{Deserialize, Serialize, Serializer};
use std::time::Duration;

/// How a person is called among the players.
pub const PERSON: &str = "person";

/// A match, in the words of the format. Other hosts leave out what they please.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MatchFile {
    match_id: String,
    random_token: String,
    pub(crate) start_time: u64,
    #[serde(rename = "gameMetaURL")]
    game_meta_url: String,
    game_name: String,
    pub(crate) game_role_names: Vec<String>,
    pub(crate) is_completed: bool,
    pub(crate) is_aborted: bool,
    pub(crate) states: Vec<String>,
    moves: Vec<Vec<String>>,
    pub(crate) state_times: Vec<u64>,
    pub(crate) errors: Vec<Vec<String>>,
    pub(crate) goal_values: Vec<Option<i64>>,
    #[serde(serialize_with = "plain")]
    preview_clock: f64,
    #[serde(serialize_with = "plain")]
    pub(crate) start_clock: f64,
    #[serde(serialize_with = "plain")]
    pub(crate) play_clock: f64,
    pub(crate) player_names_from_host: Vec<String>,
    pub(crate) is_player_human: Vec<bool>,
    tournament_name_from_host: String,
    scrambled: bool,
    /// What is wrong with the game, if that ended the match.
    #[serde(rename = "x-ludexBroken", skip_serializing_if = "Option::is_none")]
    pub(crate) broken: Option<String>,
    /// What was given as GAME, for `ludex replay`.
    #[serde(rename = "x-ludexGame")]
    pub game: String,
    /// The seed of chance and of the players.
    #[serde(rename = "x-ludexSeed")]
    pub seed: u64,
}

/// What a record does not say itself.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    /// What was given as GAME.
    pub game: String,
    /// The name of each role's player.
    pub players: Vec<String>,
    /// The seed of chance and of the players.
    pub seed: u64,
    /// The id of the match; made up if not given.
    pub id: Option<String>,
    /// Whether remote players got the rules with other words.
    pub scrambled: bool,
    /// The time before the first turn.
    pub start_clock: Duration,
    /// The time for each turn.
    pub play_clock: Duration,
    /// The time to look at the rules before the match, if there was any.
    pub preview_clock: Option<Duration>,
    /// When each state was reached, in milliseconds since 1970.
    pub times: Vec<u64>,
}

/// Why a file is no record of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRecord {
    /// The numbers of states and joint moves do not fit together.
    #[error("there are {states} states and {joints} joint moves")]
    Length {
        /// How many states there are.
        states: usize,
        /// How many joint moves there are.
        joints: usize,
    },
    /// A state is not written as a list.
    #[error("no list of facts: {0}")]
    NoFacts(String),
    /// A joint move has not one move for each role.
    #[error("a joint move lacks a role")]
    Joint,
    /// A list has not one entry for each role or state.
    #[error("`{what}` has {found} entries, not {expected}")]
    Count {
        /// The list.
        what: &'static str,
        /// How many entries it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A text is not a list of ground terms.
    #[error("cannot be read: {0}")]
    Terms(String),
}

impl BadRecord {
    /// Checks how many entries a list has.
    pub fn check(what: &'static str, found: usize, expected: usize) -> Result<(), BadRecord> {
        match found == expected {
            true => Ok(()),
            false => Err(BadRecord::Count {
                what,
                found,
                expected,
            }),
        }
    }
}

impl MatchFile {
    /// The record of a match, as the file has it.
    pub fn new(game: &Game, record: &Record, said: &Circumstances) -> MatchFile {
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
            preview_clock: said.preview_clock.map_or(-1.0, |it| it.as_secs_f64()),
            start_clock: said.start_clock.as_secs_f64(),
            play_clock: said.play_clock.as_secs_f64(),
            player_names_from_host: said.players.clone(),
            is_player_human: said.players.iter().map(|name| name == PERSON).collect(),
            tournament_name_from_host: String::new(),
            scrambled: said.scrambled,
            broken: record.broken.as_ref().map(|it| it.summary(game)),
            game: said.game.clone(),
            seed: said.seed,
        }
    }

    /// The record as JSON, signed if there is a key.
    pub fn text(&self, key: Option<&Key>) -> Result<String, serde_json::Error> {
        let mut record = serde_json::to_value(self)?;
        if let (Some(key), Some(record)) = (key, record.as_object_mut()) {
            key.sign(record);
        }
        serde_json::to_string_pretty(&record)
    }

    /// What happened, in terms of the game.
    pub fn record(&self, game: &Game, scratch: &mut Scratch) -> Result<Record, BadRecord> {
        let (states, joints) = (self.states.len(), self.moves.len());
        let (Some(last), true) = (self.states.last(), states == joints + 1) else {
            return Err(BadRecord::Length { states, joints });
        };
        let roles = game.roles().len();
        let mut errors = self.errors.iter();
        let mut faults = |scratch: &mut Scratch| -> Vec<Option<Fault>> {
            let said = errors.next().into_iter().flatten();
            let faults = said.map(|it| fault(game, scratch, it));
            faults.chain(std::iter::repeat(None)).take(roles).collect()
        };
        let starts = faults(scratch);
        let mut rounds = Vec::new();
        for (before, joint) in self.states.iter().zip(&self.moves) {
            let state = state(game, scratch, before)?;
            let joint = terms(game, scratch, &joint.join("\n"))?;
            if joint.len() != roles {
                return Err(BadRecord::Joint);
            }
            rounds.push(Round {
                faults: faults(scratch),
                decisions: vec![None; joint.len()],
                delays: vec![Duration::ZERO; joint.len()],
                state,
                joint,
            });
        }
        Ok(Record {
            rounds,
            last: state(game, scratch, last)?,
            goals: self.goal_values.clone(),
            completed: self.is_completed,
            broken: None,
            starts,
        })
    }
}

/// The fault that an error stands for; none if it is not known.
fn fault(game: &Game, scratch: &mut Scratch, error: &str) -> Option<Fault> {
    let said = error.strip_prefix("IL").map(str::trim);
    match (error, said) {
        ("TO", _) => Some(Fault::Late),
        ("CE", _) => Some(Fault::Crashed),
        (_, Some(said)) => Some(match terms(game, scratch, said).as_deref() {
            Ok(&[action]) => Fault::Illegal(action),
            _ => Fault::NoMove(shown(said)),
        }),
        _ => None,
    }
}

/// The beginning of a text from elsewhere, without what controls a terminal.
pub(crate) fn shown(text: &str) -> String {
    const SHOWN: usize = 100;
    let tame = |it: char| if it.is_control() { ' ' } else { it };
    let mut shown: String = text.chars().take(SHOWN).map(tame).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Seconds as other hosts write them: without a point if they are whole.
fn plain<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match seconds.fract() {
        0.0 => serializer.serialize_i64(*seconds as i64),
        _ => serializer.serialize_f64(*seconds),
    }
}

/// What a match is called that began at a time.
pub fn id(milliseconds: u64, seed: u64) -> String {
    format!("ludex.{milliseconds}.{seed}")
}

/// The state that a list of facts is.
fn state(game: &Game, scratch: &mut Scratch, text: &str) -> Result<State, BadRecord> {
    let inside = text.trim();
    let inside = inside.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let inside = inside.ok_or_else(|| BadRecord::NoFacts(shown(text)))?;
    Ok(State::new(terms(game, scratch, inside)?))
}

/// The ground terms of a text.
pub fn terms(game: &Game, scratch: &mut Scratch, text: &str) -> Result<Vec<TermId>, BadRecord> {
    let syntax = Some(gdl::Syntax::Prefix);
    let tree = gdl::read(text.into(), syntax, &gdl::ReadLimits::default());
    let terms: Option<Vec<TermId>> = tree.forms().map(|form| game.term(scratch, form)).collect();
    terms.ok_or_else(|| BadRecord::Terms(shown(text)))
}
