//! All joint moves of a state, one after the other.

use crate::MoveId;

/// The joint moves that legal moves of each role make, the first role's changing fastest.
#[derive(Clone, Debug)]
pub struct Joints<'l> {
    legal: &'l [Vec<MoveId>],
    next: usize,
    count: usize,
}

impl<'l> Joints<'l> {
    /// The joint moves of these legal moves; none if they are more than can be counted.
    pub fn new(legal: &'l [Vec<MoveId>]) -> Option<Joints<'l>> {
        let mut counts = legal.iter().map(Vec::len);
        let count = match legal.iter().any(Vec::is_empty) {
            true => 0,
            false => counts.try_fold(1_usize, usize::checked_mul)?,
        };
        Some(Joints {
            legal,
            next: 0,
            count,
        })
    }
}

impl Iterator for Joints<'_> {
    type Item = Vec<MoveId>;

    fn next(&mut self) -> Option<Vec<MoveId>> {
        if self.next == self.count {
            return None;
        }
        let mut number = self.next;
        self.next += 1;
        let moves = self.legal.iter().map(|of_role| {
            let action = of_role[number % of_role.len()];
            number /= of_role.len();
            action
        });
        Some(moves.collect())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Joints<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(count: usize) -> Vec<MoveId> {
        MoveId::all(count).collect()
    }

    #[test]
    fn every_joint_move_comes_once() {
        let legal = [moves(2), moves(3)];
        let joints = Joints::new(&legal).expect("they are few");
        assert_eq!(joints.len(), 6);
        let all: std::collections::HashSet<Vec<MoveId>> = joints.collect();
        assert_eq!(all.len(), 6);
        let stuck = [moves(2), moves(0)];
        assert_eq!(Joints::new(&stuck).map(|it| it.len()), Some(0));
        let many = vec![moves(3); 60];
        assert!(Joints::new(&many).is_none());
    }
}
