//! Where a match is, as far as the player can know.

use super::belief::{Belief, Place};
use crate::message::{find, parts};
use game::{Game, Scratch, State, Stepper, TermId, Unanswered, View};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::time::Instant;

/// What happened in a turn, as the manager told.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The joint move, or what was seen of it.
    pub(super) told: Vec<String>,
    /// The move that was made for the player.
    pub(super) own: String,
}

/// Why a position is lost.
#[derive(Debug, thiserror::Error)]
pub(super) enum Lost {
    #[error("a joint move for {roles} roles was expected: ( {} )", told.join(" "))]
    Count { roles: usize, told: Vec<String> },
    #[error("`{0}` is no legal move here")]
    Move(String),
    #[error("nothing that could have happened fits what was seen")]
    Unseen,
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// A game, and where the match is.
pub(super) struct Position {
    pub(super) game: Arc<Game>,
    pub(super) scratch: Scratch,
    role: usize,
    known: Known,
    pub(super) percepts: Vec<TermId>,
    pub(super) joint: Option<Vec<TermId>>,
}

enum Known {
    State(State, View),
    /// What may have happened, and what follows from that.
    Belief(Belief, View),
}

impl Position {
    pub(super) fn new(game: Arc<Game>, role: usize) -> Result<Position, Lost> {
        let mut scratch = game.scratch();
        let state = game.initial(&mut scratch)?;
        let view = game.view(&mut scratch, &state)?;
        let known = match game.hides() {
            true => {
                let stepper = Stepper::new(&game, &mut scratch);
                Known::Belief(Belief::new(stepper.keep(state)), view)
            }
            false => Known::State(state, view),
        };
        Ok(Position {
            game,
            scratch,
            role,
            known,
            percepts: Vec::new(),
            joint: None,
        })
    }

    /// The state; none if the game hides it.
    pub(super) fn state(&self) -> Option<&State> {
        match &self.known {
            Known::State(state, _) => Some(state),
            Known::Belief(..) => None,
        }
    }

    fn view(&self) -> &View {
        match &self.known {
            Known::State(_, view) | Known::Belief(_, view) => view,
        }
    }

    /// The legal moves of the player.
    pub(super) fn legal(&self) -> &[TermId] {
        &self.view().legal[self.role]
    }

    pub(super) fn text(&self, term: TermId) -> String {
        self.scratch.terms().text(term)
    }

    /// Goes on by a turn, until a time at the latest if much has to be tried.
    pub(super) fn advance(
        &mut self,
        step: &Step,
        (random, until): (&mut Xoshiro256PlusPlus, Instant),
    ) -> Result<(), Lost> {
        match &mut self.known {
            Known::State(state, view) => {
                let told = match self.game.seen_moves() {
                    Some(name) => moves(&self.scratch, self.game.roles(), (name, &step.told)),
                    None => step.told.clone(),
                };
                let joint = joint(&self.scratch, view, &told)?;
                let (next, _) = self.game.next(&mut self.scratch, state, &joint)?;
                *view = self.game.view(&mut self.scratch, &next)?;
                *state = next;
                self.joint = Some(joint);
            }
            Known::Belief(belief, view) => {
                let mut place = Place {
                    stepper: Stepper::new(&self.game, &mut self.scratch),
                    role: self.role,
                    random,
                };
                let seen = belief.advance(&mut place, step, until);
                // Whether it fits or not, nothing better is known.
                let state = place.stepper.state(belief.best());
                *view = self.game.view(&mut self.scratch, &state)?;
                self.percepts = seen?;
            }
        }
        Ok(())
    }

    /// Uses time in which nobody waits to find out what may have happened; whether it is worth
    /// while to go on.
    pub(super) fn ponder(&mut self, random: &mut Xoshiro256PlusPlus, until: Instant) -> bool {
        let Known::Belief(belief, _) = &mut self.known else {
            return false;
        };
        let mut place = Place {
            stepper: Stepper::new(&self.game, &mut self.scratch),
            role: self.role,
            random,
        };
        belief.ponder(&mut place, until)
    }

    /// The goal of the player, if there is one.
    pub(super) fn goal(&self) -> Option<String> {
        match self.view().goals[self.role][..] {
            [goal] => Some(self.text(goal)),
            _ => None,
        }
    }

    /// The state after a move of the player, if nobody else can change it.
    pub(super) fn after(&mut self, action: TermId) -> Option<State> {
        let Known::State(state, view) = &self.known else {
            return None;
        };
        let others = view.legal.iter().enumerate();
        let mut joint = Vec::new();
        for (role, legal) in others {
            match legal[..] {
                _ if role == self.role => joint.push(action),
                [only] => joint.push(only),
                _ => return None,
            }
        }
        let next = self.game.next(&mut self.scratch, state, &joint);
        next.ok().map(|(state, _)| state)
    }
}

/// The moves of all roles, in their order, where they are seen as `(did role move)`.
fn moves(scratch: &Scratch, roles: &[TermId], (name, seen): (&str, &[String])) -> Vec<String> {
    let seen: Vec<Vec<&str>> = seen.iter().filter_map(|it| parts(it)).collect();
    let of = |role: &TermId| {
        let role = scratch.terms().text(*role);
        seen.iter().find_map(|parts| match parts[..] {
            [first, of, action] => {
                let fits = first.eq_ignore_ascii_case(name) && of.eq_ignore_ascii_case(&role);
                fits.then(|| action.to_string())
            }
            _ => None,
        })
    };
    roles.iter().filter_map(of).collect()
}

/// The legal moves of all roles that texts name.
fn joint(scratch: &Scratch, view: &View, told: &[String]) -> Result<Vec<TermId>, Lost> {
    if told.len() != view.legal.len() {
        return Err(Lost::Count {
            roles: view.legal.len(),
            told: told.to_vec(),
        });
    }
    let named = view.legal.iter().zip(told).map(|(legal, text)| {
        let found = find(scratch, legal, text);
        found.ok_or_else(|| Lost::Move(text.clone()))
    });
    named.collect()
}
