//! What is known of the moves that are done: exactly one of each role. So what depends on
//! one role's move alone is a set of moves, and "any of most moves" is "none of the others".
//! If roles take turns, more follows: see [`super::turns`].

use std::collections::BTreeMap;
use std::ops::Range;

/// Which nodes are whose moves.
#[derive(Debug)]
pub(crate) struct Roles {
    /// The nodes of each role's moves, one range after the other.
    moves: Vec<Range<u32>>,
    fluents: usize,
    /// If roles take turns, what each does while it is another's.
    pub(crate) idle: Option<Vec<u32>>,
}

impl Roles {
    /// The moves of roles follow the fluents, so many for each.
    pub(crate) fn new(fluents: usize, moves: impl Iterator<Item = usize>) -> Roles {
        let mut first = fluents as u32;
        let ranges = moves.map(|count| {
            let range = first..first + count as u32;
            first = range.end;
            range
        });
        Roles {
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

/// The moves that a role may have done, in the shorter way to say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MoveSet {
    /// One of these.
    Only(Vec<u32>),
    /// None of these.
    Without(Vec<u32>),
}

impl MoveSet {
    /// The moves that are said, and whether they are those allowed.
    pub(crate) fn moves(&self) -> (&[u32], bool) {
        match self {
            MoveSet::Only(moves) => (moves, true),
            MoveSet::Without(moves) => (moves, false),
        }
    }

    /// All other moves.
    pub(crate) fn complement(&self) -> MoveSet {
        match self {
            MoveSet::Only(moves) => MoveSet::Without(moves.clone()),
            MoveSet::Without(moves) => MoveSet::Only(moves.clone()),
        }
    }

    /// Leaves only moves that are in another set too. Moves ruled out are collected in any
    /// order, with repetition: `settle` puts them right.
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

/// For some roles the moves they may have done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices(BTreeMap<usize, MoveSet>);

impl Choices {
    /// A role has done one of a set of moves.
    pub(crate) fn of(role: usize, set: MoveSet) -> Choices {
        Choices(BTreeMap::from([(role, set)]))
    }

    /// A role has done one move, or has not.
    pub(crate) fn one(role: usize, node: u32, done: bool) -> Choices {
        let set = match done {
            true => MoveSet::Only(vec![node]),
            false => MoveSet::Without(vec![node]),
        };
        Choices::of(role, set)
    }

    /// Leaves only what other choices allow too; to be settled in the end.
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

    /// Says each set in the shorter way.
    pub(crate) fn settle(&mut self, roles: &Roles) {
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

    /// How many literals about moves say this.
    pub(crate) fn size(&self) -> usize {
        self.0.values().map(|set| set.moves().0.len()).sum()
    }

    /// The roles that are restricted, and their moves.
    pub(crate) fn sets(&self) -> impl Iterator<Item = (usize, &MoveSet)> {
        self.0.iter().map(|(&role, set)| (role, set))
    }

    /// The opposite, if it can be said role by role.
    pub(crate) fn complement(&self, roles: &Roles) -> Option<Choices> {
        let mut sets = self.sets();
        match (sets.next(), sets.next()) {
            (Some((role, set)), None) => Some(Choices::of(role, set.complement())),
            _ => self.complement_by_turns(roles),
        }
    }

    /// If all roles may have been idle, what is allowed depends on the one that was not. So
    /// the opposite is that each was idle or did what was not allowed.
    fn complement_by_turns(&self, roles: &Roles) -> Option<Choices> {
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
