//! The stage of a round: variables and constraints of P1, §3.2.
//!
//! Variables are ordered as in the paper: the fluents of the state, nodes derived from them, an
//! action for each role, nodes derived from these, the fluents of the next state. An action is
//! legal; a fluent holds next if and only if its rules derive it.

use crate::draft::Draft;
use crate::groups::{Grouping, Place};
use crate::{EncodingLimits, NotEncoded, proof};
use constraint::{Defined, Model, Network, Signature, Variable};
use logic::{Evaluator, GroundProgram};

/// How large an encoding is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// How many variables there are.
    pub variables: usize,
    /// How many values the largest domain has.
    pub largest: usize,
    /// How many constraints there are.
    pub constraints: usize,
}

impl Size {
    /// The size of a model.
    pub(crate) fn of(model: &Model) -> Size {
        let domains = model.variables().map(|it| model.domain(it).len());
        Size {
            variables: model.len(),
            largest: domains.max().unwrap_or(0),
            constraints: model.constraints().len(),
        }
    }
}

/// A round of a game as a constraint network.
#[derive(Debug)]
pub struct Encoding {
    model: Model,
    pub(crate) network: Network,
    /// The model as definitions over fluents and actions, if it has that form.
    pub(crate) defined: Option<Defined>,
    pub(crate) grouping: Grouping,
    pub(crate) now: Vec<Variable>,
    pub(crate) actions: Vec<Variable>,
    pub(crate) next: Vec<Variable>,
}

impl Encoding {
    /// Encodes a game.
    pub fn new(evaluator: &Evaluator, limits: &EncodingLimits) -> Result<Encoding, NotEncoded> {
        let grouping = proof::proven(evaluator, limits)?;
        Encoding::with(evaluator.program(), grouping, limits)
    }

    fn with(
        program: &GroundProgram,
        grouping: Grouping,
        limits: &EncodingLimits,
    ) -> Result<Encoding, NotEncoded> {
        let mut draft = Draft::new(program, &grouping, limits)?;
        let next = draft.add_next(&grouping)?;
        let model = draft.definitions.model;
        let holds = |place: &Place| next[place.group].is(place.value);
        let watched: Vec<constraint::Literal> = grouping.places.iter().map(holds).collect();
        let signature = Signature {
            given: &draft.now,
            decisions: &draft.actions,
            watched: &watched,
            noted: &[],
        };
        Ok(Encoding {
            network: Network::new(&model)?,
            defined: Defined::new(&model, signature),
            model,
            grouping,
            now: draft.now,
            actions: draft.actions,
            next,
        })
    }

    /// The variables and constraints, with their names.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Which fluents are values of one variable.
    pub fn grouping(&self) -> &Grouping {
        &self.grouping
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        Size::of(&self.model)
    }
}
