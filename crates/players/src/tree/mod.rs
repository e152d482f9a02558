//! The tree: states that were reached, and statistics of each move.
//!
//! A state is there once, however it was reached. Statistics of a move are kept with the state it
//! is made in, so that it does not matter how the state after it is reached.
//!
//! Everything lies in a few long rows, of which a node has a piece each: no node is allocated
//! by itself, and how much memory the tree takes is known.
//!
//! | file | what it holds |
//! |---|---|
//! | `shape.rs`, `key.rs` | what a tree knows of its game; what makes two states one node |
//! | `fresh.rs`, `grow.rs` | a state that may become a node; nodes are made |
//! | `descend.rs` | the way down |
//! | `proof.rs` | bounds, and what they prove |
//! | `parents.rs` | the parents of nodes, where a search asks for them |
//! | `trim.rs` | what cannot be reached any more is forgotten |

mod descend;
mod fresh;
mod grow;
mod key;
mod parents;
mod proof;
mod shape;
#[cfg(test)]
mod tests;
mod trim;

pub(crate) use descend::{Choice, Selector, Stop};
pub(crate) use fresh::{Fresh, Who};
pub(crate) use key::{Key, Whole};
use parents::Parents;
#[cfg(test)]
use shape::Sum;
pub(crate) use shape::{Bounds, Shape};

use foldhash::fast::FixedState;
use game::{Bits, MoveId, RoleId};
use hashbrown::{HashMap, HashTable};
use std::fmt::Debug;
use std::mem::size_of;

/// A node by its number.
pub(crate) type NodeId = u32;

/// What a search keeps with moves and states, beside visits.
pub(crate) trait Stats: Clone + Send + Sync {
    /// With a move of a role.
    type Arm: Copy + Clone + Debug + Default + Send + Sync;

    /// How many numbers with each node, in a game of so many roles.
    fn node_numbers(roles: usize) -> usize;
}

/// No statistics: for solvers.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct NoStats;

impl Stats for NoStats {
    type Arm = ();

    fn node_numbers(_: usize) -> usize {
        0
    }
}

#[derive(Clone, Debug)]
struct Node {
    visits: u32,
    who: Who,
    /// How many turns the way to the proven end has.
    turns: u32,
}

/// A move in a state.
#[derive(Clone, Debug)]
pub(crate) struct Arm<A> {
    /// The move.
    pub(crate) action: MoveId,
    pub(crate) visits: u32,
    /// What the search keeps with it.
    pub(crate) stats: A,
    child: u32,
}

/// Bounds as near as this are the same: sums and means are rounded.
pub(crate) const NEAR: f32 = 1e-5;
/// No state after a move is known yet.
const NO_CHILD: u32 = u32::MAX >> 1;
/// What comes after the move is proven, or proven to be no better than another.
const CLOSED: u32 = 1 << 31;

impl<A: Default> Arm<A> {
    fn new(action: MoveId) -> Arm<A> {
        Arm {
            action,
            visits: 0,
            stats: A::default(),
            child: NO_CHILD,
        }
    }
}

impl<A> Arm<A> {
    /// Whether it needs no more visits: what comes after it is proven, or proven to be no
    /// better than what another move brings.
    pub(crate) fn is_closed(&self) -> bool {
        self.child & CLOSED != 0
    }

    /// The state after it, if it alone decides.
    pub(crate) fn child(&self) -> Option<NodeId> {
        let child = self.child & !CLOSED;
        (child != NO_CHILD).then_some(child)
    }
}

/// The sum of what a move brought its role.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Mean {
    pub(crate) sum: f32,
}

impl Arm<Mean> {
    /// What the move has brought on the average.
    pub(crate) fn mean(&self) -> f32 {
        self.stats.sum / self.visits.max(1) as f32
    }
}

/// Nodes by number and by key.
#[derive(Debug)]
pub(crate) struct Tree<S: Stats, K: Key = Whole> {
    pub(crate) shape: Shape,
    key: K,
    roles: usize,
    /// How many numbers are kept with each node.
    numbers_per_node: usize,
    nodes: Vec<Node>,
    /// Of each node: its key; where the arms of each role begin, and where the last end;
    /// what each role gets at least, and at most, if all play best.
    keys: Vec<u64>,
    /// Where the key of each node ends, where keys differ in length.
    key_ends: Vec<usize>,
    places: Vec<u32>,
    low: Vec<f32>,
    high: Vec<f32>,
    arms: Vec<Arm<S::Arm>>,
    numbers: Vec<f32>,
    by_key: HashTable<NodeId>,
    /// The states after joint moves where several roles choose, by the numbers of these.
    joint: HashMap<NodeId, Vec<(u64, NodeId)>, FixedState>,
    joints: usize,
    /// None if the search does not ask for them.
    parents: Option<Parents>,
    /// How often nodes got other numbers.
    generation: u64,
}

impl<S: Stats, K: Key> Tree<S, K> {
    /// An empty tree.
    pub(crate) fn new(shape: Shape) -> Tree<S, K> {
        Tree::with_key(shape, K::default())
    }

    fn with_key(shape: Shape, key: K) -> Tree<S, K> {
        Tree {
            roles: shape.roles(),
            numbers_per_node: S::node_numbers(shape.roles()) + shape.numbers,
            parents: shape.parents.then(Parents::default),
            shape,
            key,
            nodes: Vec::new(),
            keys: Vec::new(),
            key_ends: Vec::new(),
            places: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
            arms: Vec::new(),
            numbers: Vec::new(),
            by_key: HashTable::new(),
            joint: HashMap::default(),
            joints: 0,
            generation: 0,
        }
    }

    /// A number that changes when nodes get other numbers.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether a role is chance.
    pub(crate) fn is_chance(&self, role: RoleId) -> bool {
        self.shape.chance == Some(role)
    }

    pub(crate) fn roles(&self) -> usize {
        self.roles
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let arms = self.arms.len() * size_of::<Arm<S::Arm>>();
        let joints = 2 * self.joints * size_of::<(u64, NodeId)>();
        let keys = 8 * (self.keys.len() + self.key_ends.len());
        let parents = self.parents.as_ref().map_or(0, Parents::bytes);
        self.nodes.len() * self.node_bytes() + keys + arms + joints + parents
    }

    /// About how many bytes a node takes, without its key and its moves.
    fn node_bytes(&self) -> usize {
        let numbers = 3 * self.roles + 1 + self.numbers_per_node;
        size_of::<Node>() + 4 * numbers + 8
    }

    /// Whether no more nodes may be added.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes() >= self.shape.memory || self.nodes.len() >= NO_CHILD as usize
    }

    pub(crate) fn who(&self, node: NodeId) -> Who {
        self.nodes[node as usize].who
    }

    /// Distance to the proven end; strictly decreasing along best play, so following it
    /// terminates.
    pub(crate) fn turns(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].turns
    }

    pub(crate) fn visits(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].visits
    }

    pub(crate) fn visit(&mut self, node: NodeId) {
        let visits = &mut self.nodes[node as usize].visits;
        *visits = visits.saturating_add(1);
    }

    fn unvisit(&mut self, node: NodeId) {
        let visits = &mut self.nodes[node as usize].visits;
        *visits = visits.saturating_sub(1);
    }

    /// The state of a node, or the one that stands for it.
    #[inline]
    pub(crate) fn state(&self, node: NodeId) -> &Bits {
        let node = node as usize;
        Bits::new(match self.shape.words {
            Some(words) => &self.keys[node * words..][..words],
            None => {
                let start = node.checked_sub(1).map_or(0, |it| self.key_ends[it]);
                &self.keys[start..self.key_ends[node]]
            }
        })
    }

    fn place(&self, node: NodeId, role: usize) -> std::ops::Range<usize> {
        let place = node as usize * (self.roles + 1) + role;
        self.places[place] as usize..self.places[place + 1] as usize
    }

    /// The moves of a role; none if the match is over.
    pub(crate) fn arms(&self, node: NodeId, role: RoleId) -> &[Arm<S::Arm>] {
        &self.arms[self.place(node, role.index())]
    }

    pub(crate) fn arm_mut(&mut self, node: NodeId, role: RoleId, arm: u32) -> &mut Arm<S::Arm> {
        let place = self.place(node, role.index()).start + arm as usize;
        &mut self.arms[place]
    }

    /// The moves of a role, to be changed.
    pub(crate) fn arms_mut(&mut self, node: NodeId, role: RoleId) -> &mut [Arm<S::Arm>] {
        let place = self.place(node, role.index());
        &mut self.arms[place]
    }

    /// The moves that the arms of a joint move stand for.
    pub(crate) fn actions(&self, node: NodeId, arms: &[u32], joint: &mut Vec<MoveId>) {
        let roles = RoleId::all(self.roles).zip(arms);
        joint.clear();
        joint.extend(roles.map(|(role, &arm)| self.arms(node, role)[arm as usize].action));
    }

    /// The number of a joint move, given by the arm of each role. Factors are odd, so that of more
    /// joint moves than there are numbers none is lost to those of later roles.
    fn joint_number(&self, node: NodeId, arms: &[u32]) -> u64 {
        (0..self.roles).fold(0, |key: u64, role| {
            let count = self.place(node, role).len() as u64 | 1;
            key.wrapping_mul(count).wrapping_add(u64::from(arms[role]))
        })
    }

    /// The role whose arm alone decides what comes next, and that arm.
    fn deciding(&self, node: NodeId, arms: &[u32]) -> Option<(RoleId, u32)> {
        match self.who(node) {
            Who::Role(role) | Who::Chance(role) => Some((role, arms[role.index()])),
            Who::Nobody => Some((RoleId::new(0), 0)),
            Who::Several | Who::Over | Who::Open => None,
        }
    }

    /// The state after a joint move, given by the arm of each role, if it is known.
    pub(crate) fn child(&self, node: NodeId, arms: &[u32]) -> Option<NodeId> {
        match self.deciding(node, arms) {
            Some((role, arm)) => self.arms(node, role)[arm as usize].child(),
            None => {
                let children = self.joint.get(&node)?;
                let key = self.joint_number(node, arms);
                let place = children.binary_search_by_key(&key, |child| child.0);
                place.ok().map(|place| children[place].1)
            }
        }
    }

    /// The parents of a node, as far as there was room for them; none if the shape has none.
    pub(crate) fn parents(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.parents.iter().flat_map(move |all| all.of(node))
    }

    /// Says which state comes after a joint move.
    pub(crate) fn link(&mut self, node: NodeId, arms: &[u32], child: NodeId) {
        let room = self.parents.is_some() && !self.is_full();
        if let Some(parents) = self.parents.as_mut().filter(|_| room) {
            parents.add(child, node);
        }
        if let Some((role, arm)) = self.deciding(node, arms) {
            let arm = self.arm_mut(node, role, arm);
            arm.child = arm.child & CLOSED | child;
            return;
        }
        let key = self.joint_number(node, arms);
        let children = self.joint.entry(node).or_default();
        if let Err(place) = children.binary_search_by_key(&key, |child| child.0) {
            children.insert(place, (key, child));
            self.joints += 1;
        }
    }

    /// The most that a role can get.
    pub(crate) fn most(&self, role: RoleId) -> f32 {
        self.shape.most[role.index()]
    }

    /// What the search keeps with a node.
    pub(crate) fn numbers(&self, node: NodeId) -> &[f32] {
        let count = self.numbers_per_node;
        &self.numbers[node as usize * count..][..count]
    }

    pub(crate) fn numbers_mut(&mut self, node: NodeId) -> &mut [f32] {
        let count = self.numbers_per_node;
        &mut self.numbers[node as usize * count..][..count]
    }
}
