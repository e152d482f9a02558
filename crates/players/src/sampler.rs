//! What states are worth by random playouts: of many at once in lanes, or one at a time.
//!
//! One thread's working memory. It knows when to be done, and how long what cannot be
//! interrupted takes, so that nothing begins that would be late.

use crate::Budget;
use crate::pace::By;
use circuit::{Network, Simulator, Single, Start, Tally};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

/// Playouts are cut after so many turns.
pub(crate) const TURNS: u64 = 5000;

/// One thread's working memory.
pub(crate) struct Sampler<'s> {
    pub(crate) simulator: Option<&'s Simulator>,
    pub(crate) single: Single<'s>,
    pub(crate) random: Xoshiro256PlusPlus,
    /// How many playouts were made.
    pub(crate) playouts: u64,
    roles: usize,
    /// When to be done, if time counts, and how long what cannot be interrupted takes.
    until: Option<Instant>,
    pub(crate) piece: Duration,
}

impl<'s> Sampler<'s> {
    pub(crate) fn new(
        (network, simulator): (&'s Network, Option<&'s Simulator>),
        seed: u64,
        budget: &Budget,
    ) -> Sampler<'s> {
        let until = match *budget {
            Budget::Until(until) => Some(until),
            Budget::Iterations(_) => None,
        };
        Sampler {
            simulator,
            single: Single::new(network),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            playouts: 0,
            roles: network.roles(),
            until,
            piece: Duration::ZERO,
        }
    }

    /// Plays out from each of some states: in lanes so many times together, or as often as
    /// there are lanes; else once each.
    pub(crate) fn tallies(
        &mut self,
        states: &[&[u64]],
        playouts: Option<u64>,
        by: By,
    ) -> Vec<Tally> {
        let tallies: Vec<Tally> = match (self.simulator, by) {
            (Some(simulator), By::Lanes) if !states.is_empty() => {
                let shares = match playouts {
                    Some(all) => vec![(all / states.len() as u64).max(1); states.len()],
                    None => simulator.shares(states.iter().copied()),
                };
                let starts = states.iter().zip(shares);
                let starts = starts.map(|(state, playouts)| Start { state, playouts });
                let starts: Vec<Start<'_>> = starts.collect();
                simulator.playouts(&starts, TURNS, self.random.next_u64())
            }
            _ => states.iter().map(|state| self.one_playout(state)).collect(),
        };
        self.playouts += tallies.iter().map(Tally::ended).sum::<u64>();
        tallies
    }

    /// What each role got on the average, from 0 to 1; one half if no match came to an end.
    pub(crate) fn values(&self, tally: &Tally) -> impl Iterator<Item = f32> + use<> {
        let means = tally.means();
        (0..self.roles).map(move |role| {
            let mean = means.get(role);
            mean.map_or(0.5, |(mean, _)| (*mean / 100.0) as f32)
        })
    }

    /// Whether there is no time for another piece of work, half as much again allowed for.
    pub(crate) fn is_late(&self) -> bool {
        let end = Instant::now() + self.piece.mul_f32(1.5);
        self.until.is_some_and(|until| end >= until)
    }

    /// Takes note of a piece of work. What was slow once is forgotten by and by.
    pub(crate) fn note_piece(&mut self, began: Instant) {
        self.piece = began.elapsed().max(self.piece.mul_f32(0.99));
    }

    /// Whether there is time to go through a tree of so many bytes, and enough left after it.
    pub(crate) fn has_time_for(&self, bytes: usize) -> bool {
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
        let mut tally = Tally::new(self.roles);
        tally.turns = turns;
        match end {
            circuit::End::Over => {
                tally.playouts = 1;
                for role in 0..self.roles {
                    tally.add_goals(role, self.single.goal(role).unwrap_or(0), 1);
                }
            }
            circuit::End::Stuck => tally.stuck = 1,
            circuit::End::Cut => tally.cut = 1,
        }
        tally
    }
}
