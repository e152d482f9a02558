//! How much look-ahead there is: as much as it yields.
//!
//! Effort is counted in decisions of a network, so that a counted budget can be repeated. For each
//! depth there is an account: every state that is sampled pays in, a look takes out what it cost,
//! and none is made while the account is overdrawn. A look that removed moves raises what is paid
//! in, one that did not lowers it, down to a trickle: where look-ahead never pays it rests, and
//! wakes up when a look from the root, of which there is one each turn, finds something.

/// As many decisions as a removed move is worth: about what it would cost to sample it twice.
const WORTH: f32 = 256.0;
/// What a sampled state pays in, at the most and at the least.
const MOST: f32 = 128.0;
const LEAST: f32 = 1.0;
/// How much an account may hold.
const FULL: f32 = 4096.0;
/// How rates change after a look that paid, and after one that did not.
const UP: f32 = 1.25;
const DOWN: f32 = 0.97;

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
    rate: f32,
}

/// The accounts of both depths.
#[derive(Copy, Clone, Debug)]
pub(super) struct Effort {
    accounts: [Account; 2],
}

impl Default for Effort {
    fn default() -> Effort {
        let account = Account {
            credit: FULL,
            rate: MOST / 2.0,
        };
        Effort {
            accounts: [account; 2],
        }
    }
}

impl Effort {
    /// So many states were sampled.
    pub(super) fn pay(&mut self, states: usize) {
        for account in &mut self.accounts {
            account.credit = (account.credit + account.rate * states as f32).min(FULL);
        }
    }

    /// Whether there is anything left to look so deep with.
    pub(super) fn allows(&self, depth: Depth) -> bool {
        self.accounts[depth as usize].credit > 0.0
    }

    /// A look cost so many decisions and removed so many moves.
    pub(super) fn note(&mut self, depth: Depth, nodes: u64, removed: usize) {
        let account = &mut self.accounts[depth as usize];
        account.credit -= nodes as f32;
        account.rate = match removed as f32 * WORTH >= nodes as f32 {
            true => (account.rate * UP).min(MOST),
            false => (account.rate * DOWN).max(LEAST),
        };
    }

    /// A look from the root removed moves: the same is likely below it.
    pub(super) fn wake(&mut self) {
        for account in &mut self.accounts {
            account.rate = account.rate.max(MOST / 2.0);
            account.credit = account.credit.max(FULL / 4.0);
        }
    }
}
