//! A player made of a search: follows the match, searches from the present state, and ahead while
//! others think.

use super::Clock;
use super::crew::Work;
use crate::{Budget, Decision, Ending, Failure, Observation, Player, Refusal, Seat, fits};
use game::{Bits, BitsBuf, Feature, MoveId};
use std::time::Instant;

/// A search from a state.
pub trait Search: Send {
    /// Where the player sits.
    fn seat(&self) -> &Seat;

    /// What was done in all searches so far.
    fn work(&self) -> Work {
        Work::default()
    }

    /// Finds the help it wants, or says why it does not play.
    fn enlist(&mut self, _budget: &Budget) -> Result<(), Refusal> {
        Ok(())
    }

    /// Begins what has to be ready when the first search begins.
    fn prepare(&mut self) {}

    /// Makes all of that at once.
    fn make_ready(&mut self) {}

    /// Searches from a state that is not over, as long as the budget lasts, and decides; none if
    /// there was no time for anything. Asked again, it goes on from what it found before.
    fn search(&mut self, state: &Bits, budget: &Budget) -> Option<Decision>;

    /// The match is over: what is to be remembered of it is put away.
    fn finish(&mut self) {}
}

/// The player that is made of a search.
pub struct Searching<S> {
    name: &'static str,
    cannot: &'static [Feature],
    search: S,
    /// The present state, and the player's legal moves in it.
    here: BitsBuf,
    legal: Vec<MoveId>,
    /// The state to think of while others think.
    ahead: Option<BitsBuf>,
    /// The share of each budget that is used.
    share: f64,
}

impl<S: Search> Searching<S> {
    /// A player with a name that cannot handle games with some features.
    pub fn new(name: &'static str, cannot: &'static [Feature], search: S) -> Searching<S> {
        Searching {
            name,
            cannot,
            search,
            here: BitsBuf::default(),
            legal: Vec::new(),
            ahead: None,
            share: 1.0,
        }
    }

    /// The same player, which uses only a share of its time or iterations.
    #[must_use]
    pub(crate) fn using(self, share: Option<f32>) -> Searching<S> {
        Searching {
            share: share.map_or(1.0, f64::from),
            ..self
        }
    }

    /// The part of a budget that is used.
    fn part(&self, budget: &Budget) -> Budget {
        match *budget {
            _ if self.share >= 1.0 => *budget,
            Budget::Until(until) => {
                let now = Instant::now();
                let left = until.saturating_duration_since(now);
                Budget::Until(now + left.mul_f64(self.share))
            }
            Budget::Iterations(count) => {
                Budget::Iterations(((count as f64 * self.share) as u64).max(1))
            }
        }
    }

    /// The state after a move of the player, or the present one if others choose as well, or if
    /// there is no time to find out.
    fn after(&self, action: MoveId, budget: &Budget) -> BitsBuf {
        let Seat { game, role, .. } = self.search.seat();
        let mut walk = Clock::new(budget).walk(game);
        walk.load(&self.here);
        let mut joint = Vec::new();
        for other in game.role_ids() {
            match walk.legal(other)[..] {
                _ if other == *role => joint.push(action),
                [only] => joint.push(only),
                _ => return self.here.clone(),
            }
        }
        walk.play(&joint);
        match walk.terminal() || walk.is_broken_off() {
            true => self.here.clone(),
            false => walk.state().to_owned(),
        }
    }
}

impl<S: Search> Player for Searching<S> {
    fn start(&mut self, budget: &Budget) -> Result<(), Refusal> {
        let game = &self.search.seat().game;
        fits(self.name, self.cannot, game)?;
        let walk = Clock::new(budget).walk(game);
        let first = (!walk.is_broken_off()).then(|| walk.state().to_owned());
        drop(walk);
        self.search.enlist(budget)?;
        self.search.prepare();
        if let Some(first) = &first {
            self.search.search(first, &self.part(budget));
        }
        self.ahead = first;
        Ok(())
    }

    fn make_ready(&mut self) {
        self.search.make_ready();
    }

    fn observe(&mut self, seen: &Observation<'_>) {
        let state = seen.state.expect("a game that hides the state is refused");
        self.here.copy_from(state);
        self.legal = seen.legal.to_vec();
        self.ahead = None;
    }

    fn choose(&mut self, budget: &Budget) -> Result<Decision, Failure> {
        let first = self.legal[0];
        let decision = match self.legal[..] {
            [_] => None,
            _ => self.search.search(&self.here, &self.part(budget)),
        };
        let decision = decision.filter(|it| self.legal.contains(&it.action));
        let decision = decision.unwrap_or_else(|| Decision::plain(first));
        self.ahead = Some(self.after(decision.action, budget));
        Ok(decision)
    }

    fn ponder(&mut self, budget: &Budget) -> bool {
        let Some(state) = self.ahead.take() else {
            return false;
        };
        let decision = self.search.search(&state, &self.part(budget));
        self.ahead = decision.filter(|it| !it.proven).map(|_| state);
        self.ahead.is_some()
    }

    fn work(&self) -> Work {
        self.search.work()
    }

    fn finish(&mut self, _: Ending) {
        self.search.finish();
    }
}
