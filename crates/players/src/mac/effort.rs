//! How much look-ahead there is: as much as it yields.
//!
//! Sampling pays for look-ahead. For each kind of look there is an account: what sampling cost is
//! paid in by a rate, a look takes out what it cost, and none is made that the account cannot pay
//! for. The rate follows from what looks lately cost and from the samples they saved, down
//! to a trickle: where look-ahead never pays it rests, and wakes up when a look from the root, of
//! which there is one each turn, finds something.
//!
//! Costs are nanoseconds where time counts. With a counted budget they are decisions of a network,
//! so that the same comes out again.

/// What look-ahead may cost beside sampling, at the most, at first and at the least.
const MOST: f32 = 1.0;
const FIRST: f32 = 0.3;
const LEAST: f32 = 0.01;
/// How many samples an account may hold.
const FULL: f32 = 32.0;
/// How much one look counts in what looks lately cost and saved.
const LATELY: f32 = 1.0 / 64.0;
/// As many decisions of a network as a sample costs, where time does not count.
const DECISIONS: f32 = 16.0;

/// Nanoseconds that a decision is thought to take before any was made.
const NANOSECONDS: f32 = 500.0;

/// How deep to look.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// Whether moves end the match.
    Ends,
    /// What others can do then.
    Deep,
}

#[derive(Copy, Clone, Debug)]
struct Account {
    credit: f32,
    /// What looks lately cost and saved, on the average.
    cost: f32,
    saved: f32,
}

impl Account {
    /// What looks may cost beside sampling: as much as they save, within limits.
    fn rate(&self) -> f32 {
        if self.cost == 0.0 {
            return FIRST;
        }
        (FIRST * self.saved / self.cost).clamp(LEAST, MOST)
    }
}

/// What a look brought.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Gain {
    /// Moves that were removed, of so many.
    pub(super) removed: usize,
    pub(super) moves: usize,
    /// Whether that is because one of them brings everything.
    pub(super) won: bool,
}

impl Gain {
    /// How many samples that saves. The search would have tried half of the moves before it met one
    /// that brings everything, and after a move that is refuted half of the replies.
    fn samples(&self, depth: Depth) -> f32 {
        let half = self.moves as f32 / 2.0;
        let tried = match self.won {
            true => half,
            false => self.removed as f32,
        };
        match depth {
            Depth::Ends => tried,
            Depth::Deep => tried * (1.0 + half),
        }
    }
}

/// The accounts of both depths.
#[derive(Copy, Clone, Debug)]
pub(super) struct Effort {
    accounts: [Account; 2],
    /// What a sample costs, and a decision of a network.
    sample: f32,
    decision: f32,
    /// Whether costs are times.
    timed: bool,
    /// The rate, if it is fixed.
    fixed: Option<f32>,
}

impl Effort {
    /// Accounts with a share of the time for looks, if that is fixed.
    pub(super) fn new(share: Option<f32>) -> Effort {
        let account = Account {
            credit: 0.0,
            cost: 0.0,
            saved: 0.0,
        };
        Effort {
            accounts: [account; 2],
            sample: DECISIONS,
            decision: 1.0,
            timed: false,
            // Both accounts together get the share.
            fixed: share.map(|share| share / (1.0 - share).max(1e-3) / 2.0),
        }
    }

    /// Sampling so many states took so many nanoseconds; none if time does not count.
    pub(super) fn pay(&mut self, states: usize, nanoseconds: Option<f32>) {
        if states == 0 {
            return;
        }
        let cost = nanoseconds.unwrap_or(DECISIONS * states as f32);
        let each = cost / states as f32;
        match nanoseconds.is_some() && !self.timed {
            true => (self.timed, self.sample, self.decision) = (true, each, NANOSECONDS),
            false => self.sample += (each - self.sample) * LATELY,
        }
        for account in &mut self.accounts {
            let rate = self.fixed.unwrap_or_else(|| account.rate());
            account.credit = (account.credit + rate * cost).min(FULL * self.sample);
        }
    }

    /// Whether there is enough left to look so deep with about so many decisions.
    pub(super) fn allows(&self, depth: Depth, decisions: f32) -> bool {
        self.accounts[depth as usize].credit > self.decision * decisions
    }

    /// A look cost so much and brought something.
    pub(super) fn note(&mut self, depth: Depth, (cost, decisions): (f32, f32), gain: Gain) {
        if self.timed {
            let each = cost / decisions.max(1.0);
            self.decision += (each - self.decision) * LATELY;
        }
        let account = &mut self.accounts[depth as usize];
        account.credit -= cost;
        let saved = gain.samples(depth) * self.sample;
        if account.cost == 0.0 {
            // The benefit of the doubt: it is thought to pay at first.
            (account.cost, account.saved) = (cost, cost);
        }
        account.cost += (cost - account.cost) * LATELY;
        account.saved += (saved - account.saved) * LATELY;
    }

    /// Whether looks of a depth have lately paid.
    pub(super) fn pays(&self, depth: Depth) -> bool {
        let rate = || self.accounts[depth as usize].rate();
        self.fixed.unwrap_or_else(rate) > FIRST / 3.0
    }

    /// A look from the root removed moves: the same is likely below it.
    pub(super) fn wake(&mut self) {
        for account in &mut self.accounts {
            account.saved = account.saved.max(account.cost);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many looks in ten thousand iterations, every one of which removes as many of ten moves.
    fn looks(removed: usize) -> usize {
        let gain = Gain {
            removed,
            moves: 10,
            won: false,
        };
        let mut effort = Effort::new(None);
        let mut looks = 0;
        for _ in 0..10_000 {
            effort.pay(1, None);
            if effort.allows(Depth::Deep, 0.0) {
                effort.note(Depth::Deep, (100.0, 100.0), gain);
                looks += 1;
            }
        }
        looks
    }

    #[test]
    fn look_ahead_that_never_pays_rests() {
        assert!(looks(0) < 200, "{}", looks(0));
        assert!(looks(3) > 800, "{}", looks(3));
    }

    #[test]
    fn look_ahead_that_rests_wakes_up() {
        let mut effort = Effort::new(None);
        (0..400).for_each(|_| effort.note(Depth::Deep, (1.0, 1.0), Gain::default()));
        assert!(!effort.pays(Depth::Deep));
        effort.wake();
        assert!(effort.pays(Depth::Deep));
    }
}
