//! What a search says of the moves of its root, for whoever merges several searches.

use super::Uct;
use crate::ary::{Report, RootMove};
use crate::kit::crew::Work;
use crate::kit::decide::lock;
use crate::tree::Who;
use game::Bits;

impl Uct {
    /// The moves of a state that was searched, the `most` best; `since` is what was done before the
    /// search that is reported. None if the state is not in the tree.
    pub(crate) fn report(&self, state: &Bits, most: usize, since: Work) -> Option<Report> {
        let tree = lock(&self.tree);
        let root = tree.find(state)?;
        let role = self.seat.role;
        let arms = tree.arms(root, role);
        let known = match tree.who(root) == Who::Role(role) {
            true => tree.best_proven(root, role),
            false => None,
        };
        let mut report = Report {
            moves: (arms.iter())
                .map(|arm| RootMove {
                    action: arm.action,
                    visits: u64::from(arm.visits),
                    sum: f64::from(arm.stats.sum),
                    closed: arm.is_closed(),
                })
                .collect(),
            known: known.map(|(value, arm)| (arms[arm].action, f64::from(value))),
            proven: tree.proven(root).is_some(),
            playouts: self.work.playouts - since.playouts,
            iterations: self.work.iterations - since.iterations,
        };
        report.leave(most);
        Some(report)
    }
}
