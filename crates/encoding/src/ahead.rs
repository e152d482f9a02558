//! `Ahead`: the stage of a round with the end and the goals of the state after it.
//!
//! It has the variables of [`Encoding`] in the same places, and after `{f_{t+1}}` what `terminal`
//! and `goal` need, derived from these. So a joint move decides whether the match is over and what
//! each role gets: this is the network in which thresholds are asked for. [`Scout`](crate::Scout)
//! asks.

use crate::definitions::Truth;
use crate::draft::Draft;
use crate::groups::Place;
use crate::stage::Encoding;
use crate::{EncodingLimits, NotEncoded, Size};
use constraint::{Defined, Literal, Signature};
use logic::{GroundProgram, RoleId};

/// The truth of something in the next state: known, or a noted literal by its place.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bit {
    Constant(bool),
    Noted(usize),
}

/// A round with its end, made ready.
#[derive(Debug)]
pub struct Ahead {
    pub(crate) defined: Defined,
    /// Whether the match is over then.
    pub(crate) over: Bit,
    /// For each role its goals, from 0 to 1, and whether it has them.
    pub(crate) goals: Vec<Vec<(f32, Bit)>>,
    size: Size,
}

impl Ahead {
    /// Encodes a round of a game with its end, given the round without.
    pub fn new(
        program: &GroundProgram,
        encoding: &Encoding,
        limits: &EncodingLimits,
    ) -> Result<Ahead, NotEncoded> {
        let grouping = &encoding.grouping;
        let mut draft = Draft::new(program, grouping, limits)?;
        let now = draft.now.clone();
        debug_assert_eq!((&now, &draft.actions), (&encoding.now, &encoding.actions));
        let next = draft.add_next(grouping)?;
        draft.enter_end(grouping, &next)?;
        let mut noted = Vec::new();
        let over = bit(draft.truth(program.terminal()), &mut noted);
        let of_role = |role: RoleId| {
            let goals = program.goals(role).iter();
            let value = |text: &str| text.parse().unwrap_or(0.0f32) / 100.0;
            let goals = goals.map(|&(term, literal)| {
                let truth = draft.truth(literal);
                (value(program.terms().name(term)), bit(truth, &mut noted))
            });
            goals.collect()
        };
        let goals = program.role_ids().map(of_role).collect();
        let holds = |place: &Place| next[place.group].is(place.value);
        let watched: Vec<Literal> = grouping.places.iter().map(holds).collect();
        let model = &draft.definitions.model;
        let signature = Signature {
            given: &now,
            decisions: &draft.actions,
            watched: &watched,
            noted: &noted,
        };
        Ok(Ahead {
            defined: Defined::new(model, signature).ok_or(NotEncoded::NotDefined)?,
            over,
            goals,
            size: Size::of(model),
        })
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        self.size
    }
}

/// The bit of a truth, which is noted if it is no constant.
fn bit(truth: Truth, noted: &mut Vec<Literal>) -> Bit {
    match truth {
        Truth::Constant(value) => Bit::Constant(value),
        Truth::Literal(literal) => {
            noted.push(literal);
            Bit::Noted(noted.len() - 1)
        }
    }
}
