//! Whether what two roles get always has the same sum: told by the gates, not by what was seen.
//!
//! In an end, a role has one goal exactly. If the same wire decides that one role gets `v` and
//! that the other gets `s - v`, for every `v`, then the sum is `s`. One pair of goals may be
//! decided by different wires: it is what is left where all others do not hold.

use crate::circuit::Circuit;
use crate::net::Wire;
use logic::RoleId;
use std::collections::BTreeMap;

impl Circuit {
    /// What the goals of two roles sum up to in every end, if the gates tell, and every end has
    /// one goal for each of them.
    pub fn constant_sum(&self, roles: [RoleId; 2]) -> Option<u32> {
        let of_role = |role: RoleId| {
            let goals = self.outputs.goals[role.index()].iter();
            let possible = goals.filter(|(_, wire)| *wire != Wire::FALSE);
            possible.copied().collect::<BTreeMap<u32, Wire>>()
        };
        let (first, second) = (of_role(roles[0]), of_role(roles[1]));
        let sum = (first.keys().next()?).checked_add(*second.keys().next_back()?)?;
        let mut strange = 0;
        for (&value, wire) in &first {
            let other = second.get(&sum.checked_sub(value)?)?;
            strange += usize::from(other != wire);
        }
        (first.len() == second.len() && strange <= 1).then_some(sum)
    }
}
