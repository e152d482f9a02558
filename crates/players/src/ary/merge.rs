//! What several searches of one state say of its moves → one move. Pure functions.
//!
//! | merge | each search reports | the move that is played |
//! |---|---|---|
//! | `sum` | all moves | the one with the most visits in all; its value is the sum of what it brought by that |
//! | `sum10` | its ten best | the same |
//! | `raw` | all moves | the one with the greatest mean of means, however many visits each is made of |
//! | `best` | its best | the one with the greatest mean |
//!
//! Proofs come before every merge. If one search has proven the state, its move is played; so is a
//! move that one search has proven to bring more than the estimates of all others. A move that one
//! search has closed is no candidate.

use game::MoveId;
use std::collections::BTreeMap;

/// A move of the root, as one search saw it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RootMove {
    /// The move.
    pub action: MoveId,
    /// How often it was tried.
    pub visits: u64,
    /// The sum of what it brought, from 0 to 1 each time.
    pub sum: f64,
    /// Whether it needs no more visits: what it brings is proven, or proven to be no better than
    /// another move.
    pub closed: bool,
}

impl RootMove {
    /// What it brought on the average.
    pub fn mean(&self) -> f64 {
        self.sum / self.visits.max(1) as f64
    }
}

/// What one search says of the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Its moves, the most visited first; closed ones last.
    pub moves: Vec<RootMove>,
    /// The best move of those whose value is proven, and that value.
    pub known: Option<(MoveId, f64)>,
    /// Whether the value of the root is proven: then `known` is its best move.
    pub proven: bool,
    /// How many playouts the search made, and how many iterations.
    pub playouts: u64,
    /// How many iterations.
    pub iterations: u64,
}

impl Report {
    /// Puts moves in their order, and leaves the first so many open ones. Closed moves stay: they
    /// say what is not to be played.
    pub(crate) fn leave(&mut self, most: usize) {
        let order = |it: &RootMove| (it.closed, std::cmp::Reverse(it.visits), it.action);
        self.moves.sort_by_key(order);
        let mut open = 0;
        self.moves.retain(|it| {
            open += usize::from(!it.closed);
            it.closed || open <= most
        });
    }

    /// The moves that are still to be decided on.
    fn open(&self) -> impl Iterator<Item = &RootMove> {
        self.moves.iter().filter(|it| !it.closed && it.visits > 0)
    }
}

/// How reports become one move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Merge {
    /// By the sums over all.
    Sum,
    /// By the sums over the ten best moves of each.
    Sum10,
    /// By the mean of means.
    Raw,
    /// By the best move of each.
    Best,
}

impl Merge {
    /// How many moves each search reports.
    pub fn most(self) -> usize {
        match self {
            Merge::Sum | Merge::Raw => u32::MAX as usize,
            Merge::Sum10 => 10,
            Merge::Best => 1,
        }
    }

    /// The move that comes of some reports; none if they say nothing.
    pub fn decide(self, reports: &[Report]) -> Option<Merged> {
        let proven = reports.iter().find(|it| it.proven && it.known.is_some());
        if let Some(known) = proven.and_then(|it| it.known) {
            return Some(Merged::known(known, true));
        }
        let closed = |action| {
            let mut moves = reports.iter().flat_map(|it| &it.moves);
            moves.any(|it| it.closed && it.action == action)
        };
        let tried = match self {
            Merge::Sum | Merge::Sum10 => sum(reports, closed),
            Merge::Raw => raw(reports, closed),
            Merge::Best => best(reports, closed),
        };
        let known = reports.iter().filter_map(|it| it.known);
        let known = known.reduce(|one, other| if other.1 > one.1 { other } else { one });
        match (tried, known) {
            (Some(tried), Some(known)) if known.1 > tried.value => {
                Some(Merged::known(known, false))
            }
            (Some(tried), _) => Some(tried),
            (None, known) => known.map(|it| Merged::known(it, false)),
        }
    }
}

/// A move that was decided on.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Merged {
    /// The move.
    pub action: MoveId,
    /// What it is worth.
    pub value: f64,
    /// Whether the value of the root is proven.
    pub proven: bool,
}

impl Merged {
    fn known((action, value): (MoveId, f64), proven: bool) -> Merged {
        Merged {
            action,
            value,
            proven,
        }
    }

    fn tried(action: MoveId, value: f64) -> Merged {
        Merged::known((action, value), false)
    }
}

/// The first of the greatest: moves come in the order of their ids.
fn greatest(all: impl Iterator<Item = (f64, Merged)>) -> Option<Merged> {
    let best = all.reduce(|one, other| if other.0 > one.0 { other } else { one });
    best.map(|(_, it)| it)
}

fn sum(reports: &[Report], closed: impl Fn(MoveId) -> bool) -> Option<Merged> {
    let mut sums: BTreeMap<MoveId, (u64, f64)> = BTreeMap::new();
    for it in reports.iter().flat_map(Report::open) {
        let sum = sums.entry(it.action).or_default();
        *sum = (sum.0 + it.visits, sum.1 + it.sum);
    }
    let open = sums.into_iter().filter(|it| !closed(it.0));
    greatest(open.map(|(action, (visits, sum))| {
        let merged = Merged::tried(action, sum / visits as f64);
        (visits as f64, merged)
    }))
}

fn raw(reports: &[Report], closed: impl Fn(MoveId) -> bool) -> Option<Merged> {
    let mut sums: BTreeMap<MoveId, (f64, f64)> = BTreeMap::new();
    for it in reports.iter().flat_map(Report::open) {
        let sum = sums.entry(it.action).or_default();
        *sum = (sum.0 + 1.0, sum.1 + it.mean());
    }
    let open = sums.into_iter().filter(|it| !closed(it.0));
    greatest(open.map(|(action, (count, sum))| {
        let mean = sum / count;
        (mean, Merged::tried(action, mean))
    }))
}

fn best(reports: &[Report], closed: impl Fn(MoveId) -> bool) -> Option<Merged> {
    let firsts = reports.iter().filter_map(|it| it.open().next());
    let open = firsts.filter(|it| !closed(it.action));
    greatest(open.map(|it| (it.mean(), Merged::tried(it.action, it.mean()))))
}
