//! A player that checks whether it is asked as the contract says, for tests of whoever runs
//! matches: the referee, the network player, the terminal.

use crate::kit::crew::Work;
use crate::{Budget, Decision, Ending, Failure, Observation, Player, Refusal};
use game::MoveId;
use std::sync::{Arc, Mutex, PoisonError};

/// What a player was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// To start.
    Start,
    /// To observe a turn.
    Observe {
        /// How many turns were made before.
        turn: usize,
        /// The move that was made for it.
        own: Option<MoveId>,
        /// Whether the match is over for it: no move is legal.
        over: bool,
    },
    /// To choose; the answer.
    Choose(MoveId),
    /// To think ahead.
    Ponder,
    /// The match is over.
    Finish(Ending),
}

/// What the witnesses of a match were asked, in order.
#[derive(Clone, Debug, Default)]
pub struct Testimony(Arc<Mutex<Vec<Asked>>>);

/// A player that notes what it is asked, and plays as another.
pub struct Witness {
    player: Box<dyn Player>,
    testimony: Testimony,
}

impl Testimony {
    fn add(&self, asked: Asked) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(asked);
    }

    /// What was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.clone()
    }

    /// Checks the order of one match against the contract; returns the first breach.
    pub fn breach(&self) -> Option<String> {
        let asked = self.asked();
        let mut turn: Option<usize> = None;
        let mut chosen = None;
        let mut over = false;
        for (place, it) in asked.iter().enumerate() {
            let breach = match it {
                Asked::Start => place > 0,
                _ if place == 0 => true,
                Asked::Observe {
                    turn: next,
                    own,
                    over: ends,
                } => {
                    // The next turn; or one that was chosen in before, if turns were taken back.
                    let follows = turn.is_none_or(|last| *next <= last + 1);
                    let again = turn == Some(*next) && chosen.is_none();
                    let first = *next == 0 && own.is_some();
                    let foreign = *next > 0 && own.is_none();
                    let legal = turn.is_some_and(|last| *next == last + 1) && chosen.is_none();
                    (turn, chosen) = (Some(*next), None);
                    let late = over;
                    over = *ends;
                    !follows || again || first || foreign || legal || late
                }
                Asked::Choose(action) => {
                    chosen = Some(*action);
                    turn.is_none() || over
                }
                Asked::Ponder => over,
                Asked::Finish(Ending::Completed) => place + 1 != asked.len() || !over,
                Asked::Finish(Ending::Abandoned) => place + 1 != asked.len(),
            };
            if breach {
                return Some(format!("{it:?} at {place} of {asked:?}"));
            }
        }
        None
    }
}

impl Witness {
    /// Watches how a player is asked.
    pub fn new(player: Box<dyn Player>, testimony: Testimony) -> Witness {
        Witness { player, testimony }
    }
}

impl Player for Witness {
    fn start(&mut self, budget: &Budget) -> Result<(), Refusal> {
        self.testimony.add(Asked::Start);
        self.player.start(budget)
    }

    fn observe(&mut self, seen: &Observation<'_>) {
        self.testimony.add(Asked::Observe {
            turn: seen.turn,
            own: seen.own,
            over: seen.legal.is_empty(),
        });
        self.player.observe(seen);
    }

    fn choose(&mut self, budget: &Budget) -> Result<Decision, Failure> {
        let decision = self.player.choose(budget)?;
        self.testimony.add(Asked::Choose(decision.action));
        Ok(decision)
    }

    fn ponder(&mut self, budget: &Budget) -> bool {
        self.testimony.add(Asked::Ponder);
        self.player.ponder(budget)
    }

    fn make_ready(&mut self) {
        self.player.make_ready();
    }

    fn work(&self) -> Work {
        self.player.work()
    }

    fn is_elsewhere(&self) -> bool {
        self.player.is_elsewhere()
    }

    fn finish(&mut self, ending: Ending) {
        self.testimony.add(Asked::Finish(ending));
        self.player.finish(ending);
    }
}
