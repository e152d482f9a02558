//! Conditions on the joint move as sets of moves: every role makes exactly one move, so "any of
//! most moves" is "none of the others". If roles take turns, more follows: see [`super::turns`].

use std::collections::BTreeMap;
use std::ops::Range;

/// The nodes of moves, role by role.
#[derive(Debug)]
pub(crate) struct MoveNodes {
    /// The nodes of each role's moves, one range after the other.
    moves: Vec<Range<u32>>,
    fluents: usize,
    /// If roles take turns, the node of each role's idle move.
    pub(crate) idle: Option<Vec<u32>>,
}

impl MoveNodes {
    /// The nodes of moves: after those of the fluents, with the given number for each role.
    pub(crate) fn new(fluents: usize, moves: impl Iterator<Item = usize>) -> MoveNodes {
        let mut first = fluents as u32;
        let ranges = moves.map(|count| {
            let range = first..first + count as u32;
            first = range.end;
            range
        });
        MoveNodes {
            moves: ranges.collect(),
            fluents,
            idle: None,
        }
    }

    /// How many nodes are fluents or moves.
    pub(crate) fn inputs(&self) -> usize {
        (self.moves.last()).map_or(self.fluents, |range| range.end as usize)
    }

    /// The nodes of a role's moves.
    pub(crate) fn moves(&self, role: usize) -> Range<u32> {
        self.moves[role].clone()
    }

    /// The role whose move a node is.
    pub(crate) fn of(&self, node: usize) -> Option<usize> {
        if !(self.fluents..self.inputs()).contains(&node) {
            return None;
        }
        Some(self.moves.partition_point(|it| it.end as usize <= node))
    }
}

/// A set of moves of one role, by its members or by its complement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MoveSet {
    /// One of these.
    Only(Vec<u32>),
    /// None of these.
    Without(Vec<u32>),
}

impl MoveSet {
    /// The listed moves, and whether they are the members.
    pub(crate) fn moves(&self) -> (&[u32], bool) {
        match self {
            MoveSet::Only(moves) => (moves, true),
            MoveSet::Without(moves) => (moves, false),
        }
    }

    /// The complement.
    pub(crate) fn complement(&self) -> MoveSet {
        match self {
            MoveSet::Only(moves) => MoveSet::Without(moves.clone()),
            MoveSet::Without(moves) => MoveSet::Only(moves.clone()),
        }
    }

    /// Intersects with another set. Excluded moves may end up unsorted and repeated until `settle`.
    fn restrict(&mut self, other: &MoveSet) {
        match (&mut *self, other) {
            (MoveSet::Without(moves), MoveSet::Without(more)) => moves.extend(more),
            (MoveSet::Only(moves), MoveSet::Only(more)) => moves.retain(|it| more.contains(it)),
            (MoveSet::Only(moves), MoveSet::Without(out)) => moves.retain(|it| !out.contains(it)),
            (MoveSet::Without(out), MoveSet::Only(moves)) => {
                let left = moves.iter().copied().filter(|it| !out.contains(it));
                *self = MoveSet::Only(left.collect());
            }
        }
    }

    fn settle(&mut self, all: Range<u32>) {
        let (MoveSet::Only(moves) | MoveSet::Without(moves)) = &mut *self;
        moves.sort_unstable();
        moves.dedup();
        if 2 * moves.len() > all.len() {
            let others = all.filter(|it| moves.binary_search(it).is_err()).collect();
            *self = match self {
                MoveSet::Only(_) => MoveSet::Without(others),
                MoveSet::Without(_) => MoveSet::Only(others),
            };
        }
    }
}

/// For some roles a set of moves, one of which is made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices(BTreeMap<usize, MoveSet>);

impl Choices {
    /// A role makes one of a set of moves.
    pub(crate) fn of(role: usize, set: MoveSet) -> Choices {
        Choices(BTreeMap::from([(role, set)]))
    }

    /// A role makes one move, or does not.
    pub(crate) fn one(role: usize, node: u32, done: bool) -> Choices {
        let set = match done {
            true => MoveSet::Only(vec![node]),
            false => MoveSet::Without(vec![node]),
        };
        Choices::of(role, set)
    }

    /// Intersects with other choices; to be settled in the end.
    pub(crate) fn restrict(&mut self, other: &Choices) {
        for (&role, set) in &other.0 {
            match self.0.get_mut(&role) {
                Some(present) => present.restrict(set),
                None => {
                    self.0.insert(role, set.clone());
                }
            }
        }
    }

    /// Sorts each set and lists the smaller of members and complement.
    pub(crate) fn settle(&mut self, roles: &MoveNodes) {
        for (&role, set) in &mut self.0 {
            set.settle(roles.moves(role));
        }
        self.0.retain(|_, set| *set != MoveSet::Without(Vec::new()));
    }

    /// Whether a role has no move left.
    pub(crate) fn is_impossible(&self) -> bool {
        let nothing = MoveSet::Only(Vec::new());
        self.0.values().any(|set| *set == nothing)
    }

    /// How many literals over moves express this.
    pub(crate) fn size(&self) -> usize {
        self.0.values().map(|set| set.moves().0.len()).sum()
    }

    /// The roles that are restricted, and their moves.
    pub(crate) fn sets(&self) -> impl Iterator<Item = (usize, &MoveSet)> {
        self.0.iter().map(|(&role, set)| (role, set))
    }

    /// The complement, if it is a set for each role.
    pub(crate) fn complement(&self, roles: &MoveNodes) -> Option<Choices> {
        let mut sets = self.sets();
        match (sets.next(), sets.next()) {
            (Some((role, set)), None) => Some(Choices::of(role, set.complement())),
            _ => self.complement_by_turns(roles),
        }
    }

    /// The complement where each set contains the idle move and exactly one role is not idle: each
    /// role is idle or makes a move outside its set.
    fn complement_by_turns(&self, roles: &MoveNodes) -> Option<Choices> {
        let mut opposite = Choices::default();
        for (role, &idle) in roles.idle.as_ref()?.iter().enumerate() {
            let set = match self.0.get(&role) {
                Some(MoveSet::Only(moves)) if moves.contains(&idle) => {
                    let others = moves.iter().copied().filter(|&it| it != idle);
                    MoveSet::Without(others.collect())
                }
                Some(MoveSet::Without(moves)) if !moves.contains(&idle) => {
                    MoveSet::Only(moves.iter().copied().chain([idle]).collect())
                }
                Some(_) => return None,
                None => MoveSet::Only(vec![idle]),
            };
            opposite.0.insert(role, set);
        }
        opposite.settle(roles);
        Some(opposite)
    }
}
