//! Which ways to win are worth the gates that find them.

use super::run::Runner;
use super::{Pick, Sample, Win};
use crate::kernel::plan::GatePlan;
use crate::lanes::word::Lanewise;
use crate::net::{Net, Node, Wire};
use crate::steps::Turn;
use std::cmp::Reverse;
use std::collections::HashSet;

/// One per cent more gates must find wins in one of this many states at least.
const RAREST: usize = 10_000;

/// A way to win, as far as it matters for the price.
struct Offer {
    pick: Pick,
    wire: Wire,
    /// In so many states of the samples it wins.
    wins: usize,
}

/// Gates to be spent, and on what.
pub(crate) struct Funds<'s, const P: usize> {
    /// How many there are in a plain turn, and how many more there may be.
    pub(crate) plain: usize,
    pub(crate) more: usize,
    pub(crate) samples: &'s [Sample<P>],
}

impl<const P: usize> Funds<'_, P> {
    /// Whether wins in so many states of the samples are worth so many gates.
    pub(super) fn are_worth(&self, wins: usize, gates: usize) -> bool {
        let states = self.samples.iter().map(|it| it.playing.count());
        let states = states.sum::<u64>() as usize;
        wins * RAREST * self.plain >= states * gates * 100
    }

    /// Those of a role's wins that are worth their gates, the cheapest for what they win first.
    pub(super) fn buy(&self, turn: &mut Turn<'_>, wins: &[Win]) -> Vec<Pick> {
        // A gate for each move that is not to be done where another one wins.
        let moves = turn.circuit.outputs.legal[wins[0].pick.role].len();
        let mut purse = Purse::new(turn, self.more.saturating_sub(moves));
        let mut offers: Vec<Offer> = wins.iter().map(|win| turn.offer(win)).collect();
        let states = self.count_wins(turn, &mut offers);
        offers.retain(|offer| offer.wins > 0);
        // States for a gate, in thousandths.
        let price = |offer: &Offer| {
            let cost = purse.cost(&turn.net, offer.wire).len() + 1;
            Reverse(1000 * offer.wins / cost)
        };
        offers.sort_by_cached_key(price);
        let before = purse.left;
        offers.retain(|offer| {
            let cost = purse.cost(&turn.net, offer.wire);
            self.are_worth(offer.wins, cost.len() + 1) && purse.pay(cost)
        });
        let spent = moves + before - purse.left;
        match self.are_worth(states, spent) {
            true => offers.iter().map(|offer| offer.pick).collect(),
            false => Vec::new(),
        }
    }

    /// In how many states of the samples each wire of a turn holds.
    pub(super) fn count(&self, turn: &Turn<'_>, wires: &[Wire]) -> Vec<usize> {
        let plan = GatePlan::new(&turn.net, turn.circuit.fluents.len(), wires);
        let mut runner = Runner::<P>::new(&plan);
        let mut counts = vec![0; wires.len()];
        for Sample { state, playing } in self.samples {
            let outputs = runner.run(&[state]);
            for (count, output) in counts.iter_mut().zip(outputs) {
                *count += output.and(*playing).count() as usize;
            }
        }
        counts
    }

    /// Counts in how many states of the samples each offer wins, and any. States in which all legal
    /// moves win do not count.
    fn count_wins(&self, turn: &Turn<'_>, offers: &mut [Offer]) -> usize {
        let role = offers[0].pick.role;
        let legal = turn.circuit.outputs.legal[role].iter();
        let legal: Vec<Wire> = legal.map(|&it| turn.copies.of(it)).collect();
        let wires: Vec<Wire> = offers.iter().map(|offer| offer.wire).collect();
        let plan = [&wires[..], &legal[..]].concat();
        let plan = GatePlan::new(&turn.net, turn.circuit.fluents.len(), &plan);
        let mut runner = Runner::<P>::new(&plan);
        let mut states = 0;
        for Sample { state, playing } in self.samples {
            let (wins, rest) = runner.run(&[state]).split_at(wires.len());
            let mut others = rest[..legal.len()].to_vec();
            for (offer, win) in offers.iter().zip(wins) {
                let other = &mut others[offer.pick.number];
                *other = other.without(*win);
            }
            let differs = others.iter().fold([0; P], |any, it| any.or(*it));
            let differs = differs.and(*playing);
            for (offer, win) in offers.iter_mut().zip(wins) {
                offer.wins += win.and(differs).count() as usize;
            }
            let any = wins.iter().fold([0; P], |any, it| any.or(*it));
            states += any.and(differs).count() as usize;
        }
        states
    }
}

impl Turn<'_> {
    fn offer(&mut self, win: &Win) -> Offer {
        Offer {
            pick: win.pick,
            wire: self.wins_by(win),
            wins: 0,
        }
    }

    /// Where a move wins in a way that was found.
    pub(super) fn wins_by(&mut self, win: &Win) -> Wire {
        let Pick { role, number, .. } = win.pick;
        let gains = win.gains.iter().map(|it| self.net.and(it.by, it.given));
        let gains = gains.collect();
        let any = self.net.any(gains);
        let legal = self.copies.of(self.circuit.outputs.legal[role][number]);
        self.net.and(any, legal)
    }
}

/// Gates that may be spent.
pub(super) struct Purse {
    pub(super) left: usize,
    /// Nodes that are there anyway.
    paid: Vec<bool>,
}

impl Purse {
    pub(super) fn new(turn: &Turn<'_>, left: usize) -> Purse {
        let outputs = &turn.circuit.outputs;
        let wires = outputs.legal.iter().flatten().copied();
        let wires = wires.chain([turn.circuit.terminal()]);
        let paid = turn.net.cone(wires.map(|it| turn.copies.of(it)));
        Purse { left, paid }
    }

    /// Pays for some gates if they can be afforded.
    pub(super) fn pay(&mut self, gates: HashSet<usize>) -> bool {
        // One more joins them with other wins.
        let Some(left) = self.left.checked_sub(gates.len() + 1) else {
            return false;
        };
        self.left = left;
        for node in gates {
            self.paid.resize(self.paid.len().max(node + 1), false);
            self.paid[node] = true;
        }
        true
    }

    /// The gates that a wire needs beyond those that are there, as far as they can be afforded.
    pub(super) fn cost(&self, net: &Net, wire: Wire) -> HashSet<usize> {
        let mut cost = HashSet::new();
        let mut open = vec![wire.node()];
        while let Some(node) = open.pop() {
            if self.paid.get(node).is_some_and(|&it| it) || cost.len() > self.left {
                continue;
            }
            if let Node::And(a, b) | Node::Xor(a, b) = net.node(node)
                && cost.insert(node)
            {
                open.extend([a.node(), b.node()]);
            }
        }
        cost
    }
}
