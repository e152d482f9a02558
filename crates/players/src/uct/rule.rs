//! Which arm is selected: UCB1, RAVE, GRAVE or UCD.
//!
//! - **UCB1**: mean + c·√(ln N / n).
//! - **RAVE** (Gelly and Silver 2007; CADIAPlayer 2010): the mean is mixed with what playouts below
//!   the node brought in which the role made the move at any time (AMAF), which counts
//!   β = √(k / (3n + k)); then as UCB1.
//! - **GRAVE** (Cazenave 2015): AMAF of the nearest node on the way whose table has at least `ref`
//!   playouts; β = m / (m + n + bias·m·n) with m playouts of AMAF and n of the move.
//! - **UCD** (Saffidine, Cazenave and Méhat 2012): states that are reached in several ways share
//!   what is known of them; the adapted mean and counts of `dag.rs`, each to a depth of its own, take
//!   the place of those of UCB1.
//!
//! A visit is a batch of playouts in lanes. The k of RAVE counts visits, as c does; GRAVE's m, n and
//! `ref` count playouts.

use super::amaf::Tables;
use super::dag::Dag;
use crate::kit::path::Path;
use crate::tree::{Arm, Choice, Key, Mean, Selector, Stats, Tree, Who};

/// Means of what moves brought. A node has its samples and their sums for each role.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Means;

impl Stats for Means {
    type Arm = Mean;

    fn node_numbers(roles: usize) -> usize {
        1 + roles
    }
}

/// How arms are compared.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Rule {
    Ucb,
    Rave { k: f32 },
    Grave { reference: f32, bias: f32 },
    Ucd { depths: [u32; 3] },
}

impl Rule {
    /// Whether tables of moves are needed.
    pub(super) fn needs_tables(self) -> bool {
        matches!(self, Rule::Rave { .. } | Rule::Grave { .. })
    }

    /// What nodes keep for UCD in a game of so many roles; none for the other rules.
    pub(super) fn dag(self, roles: usize) -> Option<Dag> {
        match self {
            Rule::Ucd { depths } => Some(Dag::new(depths, roles)),
            Rule::Ucb | Rule::Rave { .. } | Rule::Grave { .. } => None,
        }
    }
}

/// How a way goes down.
#[derive(Copy, Clone)]
pub(super) struct Selection<'t> {
    pub(super) rule: Rule,
    pub(super) exploration: f32,
    /// What an arm that was not tried is worth beyond the mean of its node; none if it comes first.
    pub(super) urgency: Option<f32>,
    pub(super) tables: Option<&'t Tables>,
}

impl<K: Key> Selector<Means, K> for Selection<'_> {
    /// By bounds, or at random for chance. Where the role alone decides, moves whose end is proven
    /// are left out.
    #[inline]
    fn select(&self, tree: &Tree<Means, K>, path: &Path, choice: Choice) -> u32 {
        if tree.is_chance(choice.role) {
            return choice.start as u32;
        }
        let best = match (self.rule, self.tables) {
            (Rule::Ucd { depths }, _) => {
                let dag = Dag::new(depths, tree.roles());
                let visits = dag.parent_visits(tree, choice);
                self.best(tree, choice, (visits, None), |arm| Seen {
                    visits: dag.arm_visits(tree, arm),
                    value: dag.mean(tree, arm, choice.role),
                    amaf: None,
                })
            }
            (Rule::Rave { .. } | Rule::Grave { .. }, Some(tables)) => {
                let reference = match self.rule {
                    Rule::Grave { reference, .. } => tables.reference(path, reference),
                    _ => tables.of(choice.node),
                };
                let visits = tree.visits(choice.node);
                self.best(tree, choice, (visits, Some(tables)), |arm| Seen {
                    visits: arm.visits,
                    value: arm.mean(),
                    amaf: reference.and_then(|it| it.amaf((choice.role, arm.action))),
                })
            }
            _ => {
                let visits = tree.visits(choice.node);
                self.best(tree, choice, (visits, None), |arm| Seen {
                    visits: arm.visits,
                    value: arm.mean(),
                    amaf: None,
                })
            }
        };
        best.unwrap_or(choice.start) as u32
    }
}

/// What is known of an arm.
#[derive(Copy, Clone)]
struct Seen {
    visits: u32,
    value: f32,
    /// Playouts in which the move was made later, and what they brought on the average.
    amaf: Option<(f32, f32)>,
}

impl Selection<'_> {
    /// The open arm with the highest bound; one never tried, of which nothing is known, comes first.
    #[inline]
    fn best<K: Key>(
        &self,
        tree: &Tree<Means, K>,
        choice: Choice,
        (visits, tables): (u32, Option<&Tables>),
        seen: impl Fn(&Arm<Mean>) -> Seen,
    ) -> Option<usize> {
        let Choice {
            role, who, start, ..
        } = choice;
        let alone = matches!(who, Who::Role(_));
        let arms = tree.arms(choice.node, role);
        let exploration = self.exploration * (visits.max(1) as f32).ln().sqrt();
        let first = self.urgency.map(|it| it + node_mean(arms));
        let playouts = tables.map_or(1.0, Tables::playouts_a_visit);
        let (mut best, mut highest) = (None, f32::NEG_INFINITY);
        for number in (start..arms.len()).chain(0..start) {
            let arm = &arms[number];
            if alone && arm.is_closed() {
                continue;
            }
            let seen = seen(arm);
            let value = match (seen.amaf, first) {
                (None, None) if seen.visits == 0 => return Some(number),
                (None, Some(first)) if seen.visits == 0 => first,
                _ => self.mixed(&seen, playouts),
            };
            let bound = value + exploration / (seen.visits.max(1) as f32).sqrt();
            if bound > highest {
                (best, highest) = (Some(number), bound);
            }
        }
        best
    }

    /// The mean of an arm, mixed with AMAF as the rule has it.
    #[inline]
    fn mixed(&self, seen: &Seen, playouts: f32) -> f32 {
        let Some((amaf_playouts, amaf)) = seen.amaf else {
            return seen.value;
        };
        let visits = seen.visits as f32;
        let share = match self.rule {
            Rule::Rave { k } => (k / (3.0 * visits + k)).sqrt(),
            Rule::Grave { bias, .. } => {
                let own = visits * playouts;
                amaf_playouts / (amaf_playouts + own + bias * amaf_playouts * own)
            }
            Rule::Ucb | Rule::Ucd { .. } => 0.0,
        };
        (1.0 - share) * seen.value + share * amaf
    }
}

/// The mean of all arms of a role.
fn node_mean(arms: &[Arm<Mean>]) -> f32 {
    let all = arms.iter().fold((0.0, 0), |all, arm| {
        (all.0 + arm.stats.sum, all.1 + arm.visits)
    });
    match all.1 {
        0 => 0.5,
        visits => all.0 / visits as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(rule: Rule) -> Selection<'static> {
        Selection {
            rule,
            exploration: 0.0,
            urgency: None,
            tables: None,
        }
    }

    /// The formulas of the papers, written out.
    #[test]
    fn amaf_counts_as_the_papers_say() {
        let seen = Seen {
            visits: 100,
            value: 0.4,
            amaf: Some((3000.0, 0.7)),
        };
        let rave = selection(Rule::Rave { k: 300.0 }).mixed(&seen, 32.0);
        let beta = (300.0f32 / (3.0 * 100.0 + 300.0)).sqrt();
        assert!((rave - ((1.0 - beta) * 0.4 + beta * 0.7)).abs() < 1e-6);
        let (reference, bias) = (50.0, 1e-3);
        let grave = selection(Rule::Grave { reference, bias }).mixed(&seen, 32.0);
        let (m, n) = (3000.0f32, 3200.0f32);
        let beta = m / (m + n + 1e-3 * m * n);
        assert!((grave - ((1.0 - beta) * 0.4 + beta * 0.7)).abs() < 1e-6);
        let alone = Seen { amaf: None, ..seen };
        assert_eq!(selection(Rule::Rave { k: 300.0 }).mixed(&alone, 32.0), 0.4);
    }
}
