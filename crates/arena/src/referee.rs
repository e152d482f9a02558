//! Runs a match.

use crate::clocks::Clocks;
use crate::record::{Fault, Record, Round, goal};
use crate::seat::{Seated, Silence, Told};
use game::{Game, Scratch, State, TermId, Unanswered, View};
use players::{Decision, Player};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// Longer matches are given up.
const MAX_TURNS: usize = 10_000;

/// What is played, and how.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The game.
    pub game: Arc<Game>,
    /// The clocks.
    pub clocks: Clocks,
    /// The seed of chance, and of moves put in the place of others.
    pub seed: u64,
}

impl Setup {
    /// Whether a role is chance, which the referee plays.
    pub fn is_chance(&self, role: usize) -> bool {
        self.game.chance() == Some(role)
    }
}

/// Something to show while a match runs.
pub enum Event<'e> {
    /// A state, before players choose.
    State(&'e State),
    /// A turn was made.
    Round(&'e Round),
}

/// Plays a match. There is a player for each role but chance, in the order of the roles.
pub fn play(
    setup: &Setup,
    players: Vec<Option<Box<dyn Player>>>,
    show: &mut dyn FnMut(&Event<'_>),
) -> Result<Record, Unanswered> {
    let mut referee = Referee {
        scratch: setup.game.scratch(),
        random: Xoshiro256PlusPlus::seed_from_u64(setup.seed),
        seats: players.into_iter().map(|it| it.map(Seated::new)).collect(),
        refusals: Vec::new(),
        setup,
    };
    referee.start();
    referee.run(show)
}

struct Referee<'s> {
    setup: &'s Setup,
    scratch: Scratch,
    random: Xoshiro256PlusPlus,
    seats: Vec<Option<Seated>>,
    refusals: Vec<Option<String>>,
}

impl Referee<'_> {
    /// Lets all players prepare at the same time. Who refuses leaves the seat.
    fn start(&mut self) {
        let allowance = self.setup.clocks.start();
        for seat in self.seats.iter_mut().flatten() {
            seat.ask_start(&allowance);
        }
        for seat in &mut self.seats {
            let started = seat.as_mut().map(|seat| seat.started(allowance.late));
            let refusal = match started {
                Some(Ok(refusal)) => refusal.map(|refusal| refusal.to_string()),
                // Who is late may be in time for the first turn.
                None | Some(Err(_)) => None,
            };
            if refusal.is_some() {
                *seat = None;
            }
            self.refusals.push(refusal);
        }
    }

    fn run(mut self, show: &mut dyn FnMut(&Event<'_>)) -> Result<Record, Unanswered> {
        let game = Arc::clone(&self.setup.game);
        let mut state = game.initial(&mut self.scratch)?;
        let mut rounds: Vec<Round> = Vec::new();
        let mut percepts = vec![Vec::new(); self.seats.len()];
        loop {
            let view = game.view(&mut self.scratch, &state)?;
            show(&Event::State(&state));
            let stuck = view.legal.iter().any(Vec::is_empty);
            if view.terminal || stuck || rounds.len() == MAX_TURNS {
                let goals = view.goals.iter().map(|goals| goal(&self.scratch, goals));
                return Ok(Record {
                    rounds,
                    last: state,
                    goals: goals.collect(),
                    completed: view.terminal,
                    refusals: self.refusals,
                });
            }
            let before = rounds.last().map(|round| &round.joint[..]);
            let round = self.round(state, &view, before, percepts);
            (state, percepts) = game.next(&mut self.scratch, &round.state, &round.joint)?;
            show(&Event::Round(&round));
            rounds.push(round);
        }
    }

    /// Asks all players at the same time, and puts legal moves where there are none.
    fn round(
        &mut self,
        state: State,
        view: &View,
        before: Option<&[TermId]>,
        percepts: Vec<Vec<TermId>>,
    ) -> Round {
        let hidden = self.setup.game.has_percepts();
        let allowance = self.setup.clocks.play();
        for ((seat, legal), percepts) in self.seats.iter_mut().zip(&view.legal).zip(percepts) {
            if let Some(seat) = seat {
                let told = Told {
                    state: (!hidden).then(|| state.clone()),
                    legal: legal.clone(),
                    joint: before.filter(|_| !hidden).map(<[TermId]>::to_vec),
                    percepts,
                };
                seat.ask_choice(told, &allowance);
            }
        }
        let mut round = Round {
            state,
            joint: Vec::new(),
            faults: Vec::new(),
            decisions: Vec::new(),
        };
        for (role, legal) in view.legal.iter().enumerate() {
            let choice = self.seats[role]
                .as_mut()
                .map(|seat| seat.choice(allowance.late));
            let (decision, fault) = match choice {
                Some(Ok(decision)) => judged(decision, legal),
                Some(Err(Silence::Late)) => (None, Some(Fault::Late)),
                Some(Err(Silence::Crashed)) => (None, Some(Fault::Crashed)),
                None => (None, self.refusals[role].clone().map(Fault::Refused)),
            };
            let action = match (&decision, &fault) {
                (Some(decision), None) => decision.action,
                _ => legal[self.random.next_u64() as usize % legal.len()],
            };
            round.joint.push(action);
            round.faults.push(fault);
            round.decisions.push(decision);
        }
        round
    }
}

/// A decision, and whether it is a fault.
fn judged(decision: Decision, legal: &[TermId]) -> (Option<Decision>, Option<Fault>) {
    match legal.contains(&decision.action) {
        true => (Some(decision), None),
        false => (Some(decision), Some(Fault::Illegal(decision.action))),
    }
}
