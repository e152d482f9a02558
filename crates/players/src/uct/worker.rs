//! A thread of a search: it goes down the tree some times, plays out from where that leads,
//! and takes note. The tree is locked on the way down and on the way up only.

use super::Options;
use super::search::{End, Rules, Way};
use super::tree::{NodeId, Tree};
use crate::Budget;
use circuit::{Network, Simulator, Single, Start, Tally};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Playouts are cut after so many turns.
pub(super) const TURNS: u64 = 5000;

/// What threads of a search share.
#[derive(Copy, Clone)]
pub(super) struct Shared<'s> {
    pub(super) tree: &'s Mutex<Tree>,
    pub(super) network: &'s Network,
    pub(super) simulator: Option<&'s Simulator>,
    pub(super) options: &'s Options,
    pub(super) rules: Rules,
    pub(super) most: &'s [f32],
    /// Whether there is one role, and no chance.
    pub(super) solo: bool,
}

impl<'s> Shared<'s> {
    pub(super) fn tree(&self) -> MutexGuard<'s, Tree> {
        let tree = self.tree.lock();
        tree.expect("no thread leaves the tree half changed")
    }
}

/// How playouts are made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Many at once.
    Lanes,
    /// One at a time.
    One,
}

/// One thread's working memory.
pub(super) struct Worker<'s> {
    pub(super) shared: Shared<'s>,
    pub(super) single: Single<'s>,
    pub(super) random: Xoshiro256PlusPlus,
    /// Kept from one iteration to the next, with what they have allocated.
    ways: Vec<Way>,
    pub(super) playouts: u64,
    /// When to be done, if time counts, and how long what cannot be interrupted takes.
    pub(super) until: Option<Instant>,
    pub(super) piece: Duration,
}

impl<'s> Worker<'s> {
    pub(super) fn new(shared: Shared<'s>, seed: u64, budget: &Budget) -> Worker<'s> {
        let until = match *budget {
            Budget::Until(until) => Some(until),
            Budget::Iterations(_) => None,
        };
        Worker {
            until,
            single: Single::new(shared.network),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            ways: vec![Way::default(); shared.options.batch],
            playouts: 0,
            piece: Duration::ZERO,
            shared,
        }
    }

    /// Goes down some times, or once if not by lanes, plays out from where that leads, and
    /// takes note. Returns whether the value of the root is proven.
    pub(super) fn iterate(&mut self, root: NodeId, by: By) -> bool {
        let count = match by {
            By::Lanes => self.ways.len(),
            By::One => 1,
        };
        let mut ways = std::mem::take(&mut self.ways);
        let open = self.descend(root, &mut ways[..count]);
        ways[..open].iter_mut().for_each(|way| self.expand(way));
        self.play_out(&mut ways[..open], by);
        let mut tree = self.shared.tree();
        for way in &mut ways[..open] {
            tree.back_up(way, &self.shared.rules);
        }
        self.ways = ways;
        tree.proven(root).is_some()
    }

    /// Takes ways down; those to what is known are done with, the others come first. Returns
    /// how many these are.
    fn descend(&mut self, root: NodeId, ways: &mut [Way]) -> usize {
        let rules = self.shared.rules;
        let mut tree = self.shared.tree();
        let mut open = 0;
        for _ in 0..ways.len() {
            if tree.proven(root).is_some() {
                break;
            }
            let way = &mut ways[open];
            tree.descend(root, way, (&rules, &mut self.random));
            match way.end {
                End::Known => tree.back_up(way, &rules),
                End::Node | End::Move => open += 1,
            }
        }
        open
    }

    /// Finds the state at the end of a way.
    fn expand(&mut self, way: &mut Way) {
        let began = Instant::now();
        self.single.load(&way.state);
        if way.end == End::Move {
            self.single.play(&way.joint);
        }
        way.fresh.take(&mut self.single, self.shared.most.len());
        self.note_piece(began);
    }

    /// Finds what the states at the end of ways are worth.
    fn play_out(&mut self, ways: &mut [Way], by: By) {
        let open: Vec<usize> = (0..ways.len()).filter(|&it| !ways[it].fresh.over).collect();
        let tallies = match (self.shared.simulator, by) {
            (Some(simulator), By::Lanes) if !open.is_empty() => {
                let states = || open.iter().map(|&way| &ways[way].fresh.state[..]);
                let shares = match self.shared.options.playouts {
                    Some(all) => vec![(all / open.len() as u64).max(1); open.len()],
                    None => simulator.shares(states()),
                };
                let starts = states().zip(shares);
                let starts = starts.map(|(state, playouts)| Start { state, playouts });
                let starts: Vec<Start<'_>> = starts.collect();
                simulator.playouts(&starts, TURNS, self.random.next_u64())
            }
            _ => (open
                .iter()
                .map(|&way| self.one_playout(&ways[way].fresh.state)))
            .collect(),
        };
        for (&way, tally) in open.iter().zip(&tallies) {
            self.playouts += tally.ended();
            self.note(&mut ways[way], tally);
        }
        for way in ways.iter_mut().filter(|way| way.fresh.over) {
            way.values.clone_from(&way.fresh.values);
        }
    }

    fn note(&mut self, way: &mut Way, tally: &Tally) {
        let means = tally.means();
        let roles = 0..self.shared.most.len();
        way.values.clear();
        // One half if no match came to an end.
        way.values.extend(roles.map(|role| {
            let mean = means.get(role);
            mean.map_or(0.5, |(mean, _)| (*mean / 100.0) as f32)
        }));
        let most = self.shared.most[0];
        if self.shared.solo && tally.playouts > 0 && tally.highest(0) as f32 / 100.0 >= most {
            self.follow(&way.fresh.state);
        }
    }

    /// Whether there is no time for another piece of work, half as much again allowed for.
    pub(super) fn is_late(&self) -> bool {
        let end = Instant::now() + self.piece.mul_f32(1.5);
        self.until.is_some_and(|until| end >= until)
    }

    /// Takes note of a piece of work. What was slow once is forgotten by and by.
    fn note_piece(&mut self, began: Instant) {
        self.piece = began.elapsed().max(self.piece.mul_f32(0.99));
    }

    /// Whether there is time to go through a tree of so many bytes, and enough left after it.
    pub(super) fn has_time_for(&self, bytes: usize) -> bool {
        // A gigabyte takes about a second.
        let needed = Duration::from_nanos(bytes as u64);
        let left = |until: Instant| until.saturating_duration_since(Instant::now());
        self.until.is_none_or(|until| left(until) > 4 * needed)
    }

    /// Plays on from where the simulator is. It is cut when time is over: rules may be slow.
    fn single_playout(&mut self) -> (circuit::End, u64) {
        const TURNS_AT_ONCE: u64 = 8;
        let mut all = 0;
        loop {
            let began = Instant::now();
            let (end, turns) = self.single.playout(&mut self.random, TURNS_AT_ONCE);
            self.note_piece(began);
            all += turns;
            if end != circuit::End::Cut || self.is_late() || all >= TURNS {
                return (end, all);
            }
        }
    }

    fn one_playout(&mut self, state: &[u64]) -> Tally {
        self.single.load(state);
        let (end, turns) = self.single_playout();
        let roles = self.shared.most.len();
        let mut tally = Tally::new(roles);
        tally.turns = turns;
        match end {
            circuit::End::Over => {
                tally.playouts = 1;
                for role in 0..roles {
                    tally.add_goals(role, self.single.goal(role).unwrap_or(0), 1);
                }
            }
            circuit::End::Stuck => tally.stuck = 1,
            circuit::End::Cut => tally.cut = 1,
        }
        tally
    }
}
