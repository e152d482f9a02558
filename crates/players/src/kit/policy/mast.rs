//! MAST and TO-MAST (Finnsson and Björnsson 2008, 2010): a move is worth what the playouts brought
//! in which its role made it, wherever that was. It is chosen by Gibbs, with e^(Q/τ).
//!
//! In lanes the worths become weights of a few binary digits, which are inputs of the gates that
//! choose. The mean of a role weighs [`EVEN`], so weights tell moves apart between a quarter and
//! about four times that. TO-MAST counts only moves made in the tree.

use super::knowledge::{Knowledge, Learned};
use super::{Legal, Policy, PolicySettings};
use crate::kit::Estimate;
use game::{Decisive, MoveId, MoveTable, RoleId, Weights};
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// Binary digits of a weight, the highest weight, and that of a move as good as the mean.
pub(super) const DIGITS: usize = 4;
const HIGHEST: f32 = 15.0;
const EVEN: f32 = 4.0;
/// So many playouts of the mean count beside those of a move.
const FEW: f32 = 50.0;
/// Weights are made anew after so many estimates.
const OFTEN: u32 = 32;

/// Which moves count.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Learns {
    /// Those of playouts, and those in the tree.
    All,
    /// Those in the tree.
    Tree,
    /// None: weights stay as they are (FAST).
    Nothing,
}

/// The policy of a thread.
pub(super) struct Mast {
    shared: Arc<Knowledge>,
    by: PolicySettings,
    learns: Learns,
    /// Whether somebody else wants moves to be counted.
    counts: bool,
    weights: MoveTable<u8>,
    estimates: u32,
}

impl Mast {
    pub(super) fn new(
        shared: &Arc<Knowledge>,
        by: PolicySettings,
        (learns, counts): (Learns, bool),
    ) -> Mast {
        Mast {
            weights: weigh(&shared.lock(), by.tau),
            shared: Arc::clone(shared),
            by,
            learns,
            counts,
            estimates: 0,
        }
    }
}

/// The weight of every move: in proportion to e^(Q/τ), within limits.
pub(super) fn weigh(learned: &Learned, tau: f32) -> MoveTable<u8> {
    let roles = RoleId::all(learned.moves.roles());
    let sizes = roles.clone().map(|role| learned.moves.of_role(role).len());
    let mut weights = MoveTable::new(sizes, EVEN as u8);
    for role in roles {
        let mean = learned.mean(role);
        let qualities = learned.moves.of_role(role);
        for (weight, quality) in weights.of_role_mut(role).iter_mut().zip(qualities) {
            let better = quality.mean((FEW, mean)) - mean;
            *weight = (EVEN * (better / tau).exp()).round().clamp(1.0, HIGHEST) as u8;
        }
    }
    weights
}

/// A legal move by weights.
pub(super) fn draw(
    weights: &MoveTable<u8>,
    legal: &Legal<'_, '_>,
    random: &mut Xoshiro256PlusPlus,
) -> Option<MoveId> {
    let (role, moves) = (legal.role(), legal.moves());
    let weight = |it: &MoveId| u64::from(weights[(role, *it)]);
    let all: u64 = moves.iter().map(weight).sum();
    let mut rank = random.next_u64() % all.max(1);
    moves.into_iter().find(|it| {
        let own = weight(it);
        let here = rank < own;
        rank = rank.saturating_sub(own);
        here
    })
}

impl Policy for Mast {
    fn runs_in_lanes(&self) -> bool {
        true
    }

    fn weights(&self) -> Option<Weights<'_>> {
        Some(Weights {
            table: &self.weights,
            digits: DIGITS,
        })
    }

    fn wants_moves(&self) -> bool {
        self.counts || self.learns == Learns::All
    }

    fn decisive(&self) -> Decisive {
        self.by.decisive()
    }

    fn pick(&mut self, legal: &Legal<'_, '_>, random: &mut Xoshiro256PlusPlus) -> Option<MoveId> {
        draw(&self.weights, legal, random)
    }

    fn learn(&mut self, estimate: &Estimate) {
        if let (Learns::All, Some(moves)) = (self.learns, &estimate.moves) {
            let mut learned = self.shared.lock();
            let qualities = learned.moves.values_mut().iter_mut();
            for (quality, tally) in qualities.zip(moves.values()) {
                quality.playouts += tally.playouts as f32;
                quality.sum += tally.goals as f32 / 100.0;
            }
        }
        self.estimates += 1;
        if self.learns != Learns::Nothing && self.estimates.is_multiple_of(OFTEN) {
            self.weights = weigh(&self.shared.lock(), self.by.tau);
        }
    }

    fn learn_moves(&mut self, moves: &[((RoleId, MoveId), f32)], playouts: f32) {
        let mut learned = self.shared.lock();
        for &(action, value) in moves {
            learned.moves[action].add(playouts, value);
        }
    }
}
