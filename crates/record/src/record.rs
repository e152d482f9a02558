//! What happened in a match.

use game::{Broken, Game, State, TermId, Unanswered};
use players::{Decision, Failure, Refusal};
use std::time::Duration;

/// What a player did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It did not answer in time.
    Late,
    /// Its move was not legal.
    Illegal(TermId),
    /// What it said is no legal move.
    NoMove(String),
    /// It cannot be reached.
    Unreachable,
    /// It broke down.
    Crashed,
    /// It does not play such games.
    Refused(String),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Fault {
        match failure {
            Failure::Late => Fault::Late,
            Failure::Unreachable => Fault::Unreachable,
            Failure::NoMove(text) => Fault::NoMove(text),
        }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Fault {
        match refusal {
            Refusal::Silent(failure) => failure.into(),
            Refusal::Unfit { .. } | Refusal::Unhelped { .. } => Fault::Refused(refusal.to_string()),
        }
    }
}

/// One turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// The state before.
    pub state: State,
    /// The move of each role.
    pub joint: Vec<TermId>,
    /// For each role what it did wrong, if anything.
    pub faults: Vec<Option<Fault>>,
    /// For each role what it said.
    pub decisions: Vec<Option<Decision>>,
    /// For each role how much later than its clock its move came, and was taken all the same.
    pub delays: Vec<Duration>,
}

/// Moves that came later than their clocks, and were taken all the same.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Delays {
    /// How many.
    pub moves: usize,
    /// By how much the slowest.
    pub longest: Duration,
}

/// A match from the first state to the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The turns.
    pub rounds: Vec<Round>,
    /// The last state.
    pub last: State,
    /// For each role its goal in the last state; none where the game is broken.
    pub goals: Vec<Option<i64>>,
    /// Whether the match came to an end as the rules say: it may have been stopped, or the game
    /// is broken.
    pub completed: bool,
    /// What is wrong with the game, if anything: why the match has no result.
    pub broken: Option<Broken>,
    /// For each role what it did wrong before the first turn, if anything.
    pub starts: Vec<Option<Fault>>,
}

/// Where a record and the rules differ.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Difference {
    /// A state is not the one that follows.
    #[error("turn {turn}: the state is not what the rules say")]
    State {
        /// The number of the turn, from 1.
        turn: usize,
    },
    /// A move is not legal.
    #[error("turn {turn}: the move of role {role} is not legal")]
    Move {
        /// The number of the turn, from 1.
        turn: usize,
        /// The number of the role, from 1.
        role: usize,
    },
    /// A move that is said to be illegal is legal.
    #[error("turn {turn}: the move that role {role} is blamed for is legal")]
    Fault {
        /// The number of the turn, from 1.
        turn: usize,
        /// The number of the role, from 1.
        role: usize,
    },
    /// The match did not end where it is said to.
    #[error("the match does not end where the record does")]
    End,
    /// The goals are others.
    #[error("the goals are not what the rules say")]
    Goals,
    /// The rules give no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

impl Record {
    /// How many faults there were.
    pub fn faults(&self) -> usize {
        let rounds = self.rounds.iter().flat_map(|round| &round.faults);
        rounds.filter(|fault| fault.is_some()).count()
    }

    /// The moves that came later than their clocks; none if all came in time.
    pub fn delays(&self) -> Option<Delays> {
        let delays = self.rounds.iter().flat_map(|round| &round.delays);
        let delays = delays.filter(|delay| !delay.is_zero());
        let (moves, longest) = delays.fold((0, Duration::ZERO), |(moves, longest), &delay| {
            (moves + 1, longest.max(delay))
        });
        (moves > 0).then_some(Delays { moves, longest })
    }

    /// Plays the match again and compares everything.
    pub fn replay(&self, game: &Game) -> Result<(), Difference> {
        let scratch = &mut game.scratch();
        let mut state = game.initial(scratch)?;
        for (round, turn) in self.rounds.iter().zip(1..) {
            if state != round.state {
                return Err(Difference::State { turn });
            }
            let view = game.view(scratch, &state)?;
            if view.terminal {
                return Err(Difference::End);
            }
            let illegal = (view.legal.iter().zip(&round.joint))
                .position(|(legal, action)| !legal.contains(action));
            if let Some(role) = illegal {
                return Err(Difference::Move {
                    turn,
                    role: role + 1,
                });
            }
            let blamed = (view.legal.iter().zip(&round.faults)).position(|(legal, fault)| {
                matches!(fault, Some(Fault::Illegal(action)) if legal.contains(action))
            });
            if let Some(role) = blamed {
                return Err(Difference::Fault {
                    turn,
                    role: role + 1,
                });
            }
            (state, _) = game.next(scratch, &state, &round.joint)?;
        }
        if state != self.last {
            let turn = self.rounds.len() + 1;
            return Err(Difference::State { turn });
        }
        let view = game.view(scratch, &state)?;
        let broken = game.defect(&view).is_some();
        if (view.terminal && !broken) != self.completed {
            return Err(Difference::End);
        }
        if broken {
            return match self.goals.iter().all(Option::is_none) {
                true => Ok(()),
                false => Err(Difference::Goals),
            };
        }
        // Other hosts say nothing of goals if a match was aborted.
        let silent = !self.completed && self.goals.is_empty();
        let goals = view.goals.iter().map(|goals| goal(scratch, goals));
        match silent || goals.eq(self.goals.iter().copied()) {
            true => Ok(()),
            false => Err(Difference::Goals),
        }
    }
}

/// The value of a role's only goal.
pub fn goal(scratch: &game::Scratch, goals: &[TermId]) -> Option<i64> {
    match goals {
        [goal] => scratch.terms().name(*goal).parse().ok(),
        _ => None,
    }
}
