//! The tree: states that were reached, and what came of each move.
//!
//! A state is there once, however it was reached. What is known of a move is kept with the
//! state it is made in, so that it does not matter how the state after it is reached.
//!
//! Everything lies in a few long rows, of which a node has a piece each: no node is allocated
//! by itself, and how much memory the tree takes is known.

mod proof;

use crate::sampler::Sampler;
use circuit::Single;
use foldhash::fast::FixedState;
use game::Game;
use hashbrown::{HashMap, HashTable};
use std::hash::BuildHasher;
use std::mem::size_of;

/// A node by its number.
pub(crate) type NodeId = u32;

/// Who decides what comes after a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// The match is over, or cannot go on.
    Over,
    /// Every role has one move.
    Nobody,
    /// One role.
    Role(usize),
    /// Chance, of which this is the role.
    Chance(usize),
    /// More than one.
    Several,
    /// That is not known yet: the state is, its moves are not.
    Open,
}

#[derive(Clone, Debug)]
struct Node {
    visits: u32,
    who: Who,
    /// How many turns the way to what is proven has.
    turns: u32,
}

/// A move in a state.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    /// The number of the move.
    pub(crate) number: u32,
    pub(crate) visits: u32,
    /// The sum of what the role got.
    pub(crate) sum: f32,
    child: u32,
}

/// Bounds as near as this are the same: sums and means are rounded.
pub(crate) const NEAR: f32 = 1e-5;
/// When there are this many states, room is made for many more at once.
const FEW: usize = 1 << 15;
/// For how many, at the most.
const ROOM: usize = 4 << 20;
/// No state after a move is known yet.
const NO_CHILD: u32 = u32::MAX >> 1;
/// What comes after the move is proven, or proven to be no better than another.
const CLOSED: u32 = 1 << 31;

impl Arm {
    fn new(number: u32) -> Arm {
        Arm {
            number,
            visits: 0,
            sum: 0.0,
            child: NO_CHILD,
        }
    }

    /// What the move has brought on the average.
    pub(crate) fn mean(&self) -> f32 {
        self.sum / self.visits.max(1) as f32
    }

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

/// A state that may become a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fresh {
    pub(crate) state: Vec<u64>,
    /// The moves of all roles, and for each role where they end; none if the match is over.
    moves: Vec<u32>,
    ends: Vec<u32>,
    /// What the roles get, if the match is over.
    pub(crate) values: Vec<f32>,
    pub(crate) over: bool,
}

impl Fresh {
    /// Takes the state that a simulator is in.
    pub(crate) fn take(&mut self, single: &mut Single<'_>, roles: usize) {
        self.state.clear();
        self.state.extend_from_slice(single.state());
        self.over = single.terminal();
        self.take_moves(roles, |role| single.legal(role));
        self.values.clear();
        if self.over {
            let value = |role| single.goal(role).unwrap_or(0) as f32 / 100.0;
            self.values.extend((0..roles).map(value));
        }
    }

    /// Takes the moves of each role, unless the match is over.
    pub(crate) fn take_moves<M: Iterator<Item = u32>>(
        &mut self,
        roles: usize,
        legal: impl Fn(usize) -> M,
    ) {
        self.moves.clear();
        self.ends.clear();
        for role in 0..roles {
            if !self.over {
                let before = self.moves.len();
                self.moves.extend(legal(role));
                // Rules may leave a role without a move: nobody can go on from there.
                self.over = self.moves.len() == before;
            }
            self.ends.push(self.moves.len() as u32);
        }
        if self.over {
            self.moves.clear();
            self.ends.fill(0);
        }
    }

    /// The moves of a role.
    pub(crate) fn moves(&self, role: usize) -> &[u32] {
        let from = if role == 0 { 0 } else { self.ends[role - 1] };
        &self.moves[from as usize..self.ends[role] as usize]
    }

    /// Who decides what comes next, given which role is chance.
    pub(crate) fn who(&self, chance: Option<usize>) -> Who {
        let mut choosing = (0..self.ends.len()).filter(|&role| self.moves(role).len() > 1);
        match (choosing.next(), choosing.next()) {
            _ if self.over => Who::Over,
            (None, _) => Who::Nobody,
            (Some(role), None) if chance == Some(role) => Who::Chance(role),
            (Some(role), None) => Who::Role(role),
            (Some(_), Some(_)) => Who::Several,
        }
    }
}

/// What all states of a game have in common, and how large a tree of them may become.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    words: usize,
    /// The role that is chance.
    chance: Option<usize>,
    /// The most that each role can get.
    pub(crate) most: Vec<f32>,
    /// What two roles get together, if that is always the same.
    pub(crate) sum: Option<Sum>,
    /// How many bytes it may take.
    memory: usize,
    /// How many numbers a search keeps with each node.
    notes: usize,
}

/// Two roles, and what they get together in every end.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Sum {
    pub(crate) roles: [usize; 2],
    pub(crate) sum: f32,
}

impl Shape {
    /// The shape of a game's states, for a tree of so many bytes whose search keeps so many
    /// numbers with each node.
    pub(crate) fn new(game: &Game, memory: usize, notes: usize) -> Shape {
        let network = game.network();
        let most = |role| network.map_or(1.0, |it| it.highest(role) as f32 / 100.0);
        Shape {
            words: network.map_or(0, |network| network.initial().len()),
            chance: game.chance(),
            most: (0..game.roles().len()).map(most).collect(),
            sum: constant_sum(game),
            memory,
            notes,
        }
    }
}

impl Shape {
    /// About how many bytes a node takes, without its moves.
    fn node_bytes(&self) -> usize {
        let numbers = 3 * self.most.len() + 1 + self.notes;
        size_of::<Node>() + 8 * self.words + 4 * numbers + 8
    }
}

/// What two players share, if the gates tell that it is always the same.
fn constant_sum(game: &Game) -> Option<Sum> {
    let chance = game.chance();
    let players = (0..game.roles().len()).filter(|&role| chance != Some(role));
    let roles: [usize; 2] = players.collect::<Vec<_>>().try_into().ok()?;
    let sum = game.simulator()?.circuit().constant_sum(roles)?;
    Some(Sum {
        roles,
        sum: sum as f32 / 100.0,
    })
}

/// Nodes by number and by state.
#[derive(Debug)]
pub(crate) struct Tree {
    shape: Shape,
    roles: usize,
    nodes: Vec<Node>,
    /// Of each node: its state; where the arms of each role begin, and where the last end;
    /// what each role gets at least, and at most, if all play best.
    states: Vec<u64>,
    places: Vec<u32>,
    low: Vec<f32>,
    high: Vec<f32>,
    arms: Vec<Arm>,
    /// What a search keeps with each node.
    notes: Vec<f32>,
    by_state: HashTable<NodeId>,
    /// The states after joint moves where several roles choose, by the numbers of these.
    joint: HashMap<NodeId, Vec<(u64, NodeId)>, FixedState>,
    joints: usize,
}

impl Tree {
    /// An empty tree.
    pub(crate) fn new(shape: Shape) -> Tree {
        Tree {
            roles: shape.most.len(),
            shape,
            nodes: Vec::new(),
            states: Vec::new(),
            places: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
            arms: Vec::new(),
            notes: Vec::new(),
            by_state: HashTable::new(),
            joint: HashMap::default(),
            joints: 0,
        }
    }

    /// Starts over; returns what there was.
    pub(crate) fn renew(&mut self) -> Tree {
        let fresh = Tree::new(self.shape.clone());
        std::mem::replace(self, fresh)
    }

    /// Whether a role is chance.
    pub(crate) fn is_chance(&self, role: usize) -> bool {
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
        let arms = self.arms.len() * size_of::<Arm>();
        let joints = 2 * self.joints * size_of::<(u64, NodeId)>();
        self.nodes.len() * self.shape.node_bytes() + arms + joints
    }

    /// Whether no more nodes may be added.
    pub(crate) fn is_full(&self) -> bool {
        self.bytes() >= self.shape.memory || self.nodes.len() >= NO_CHILD as usize
    }

    pub(crate) fn who(&self, node: NodeId) -> Who {
        self.nodes[node as usize].who
    }

    /// How many turns the way to what is proven has. Along a best way it grows less with each:
    /// who follows it does not go round in circles.
    pub(crate) fn turns(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].turns
    }

    pub(crate) fn set_turns(&mut self, node: NodeId, turns: u32) {
        self.nodes[node as usize].turns = turns;
    }

    pub(crate) fn visits(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].visits
    }

    pub(crate) fn visit(&mut self, node: NodeId) {
        let visits = &mut self.nodes[node as usize].visits;
        *visits = visits.saturating_add(1);
    }

    pub(crate) fn state(&self, node: NodeId) -> &[u64] {
        &self.states[node as usize * self.shape.words..][..self.shape.words]
    }

    /// What each role gets at least, and at most, if all play best.
    pub(crate) fn bounds(&self, node: NodeId) -> (&[f32], &[f32]) {
        let first = node as usize * self.roles;
        (
            &self.low[first..][..self.roles],
            &self.high[first..][..self.roles],
        )
    }

    /// What the roles get if all play best, if that is proven.
    pub(crate) fn proven(&self, node: NodeId) -> Option<&[f32]> {
        let (low, high) = self.bounds(node);
        let near = |(low, high): (&f32, &f32)| high - low < NEAR;
        low.iter().zip(high).all(near).then_some(low)
    }

    /// Narrows what a role gets down; returns whether that is news.
    pub(crate) fn narrow(&mut self, node: NodeId, role: usize, (low, high): (f32, f32)) -> bool {
        let place = node as usize * self.roles + role;
        let news = low > self.low[place] + NEAR || high < self.high[place] - NEAR;
        self.low[place] = self.low[place].max(low);
        self.high[place] = self.high[place].min(high);
        news
    }

    fn place(&self, node: NodeId, role: usize) -> std::ops::Range<usize> {
        let place = node as usize * (self.roles + 1) + role;
        self.places[place] as usize..self.places[place + 1] as usize
    }

    /// The moves of a role; none if the match is over.
    pub(crate) fn arms(&self, node: NodeId, role: usize) -> &[Arm] {
        &self.arms[self.place(node, role)]
    }

    pub(crate) fn arm_mut(&mut self, node: NodeId, role: usize, arm: u32) -> &mut Arm {
        let place = self.place(node, role).start + arm as usize;
        &mut self.arms[place]
    }

    /// The number of a joint move, given by the number of each role's arm.
    fn key(&self, node: NodeId, arms: &[u32]) -> u64 {
        (0..self.roles).fold(0, |key, role| {
            let count = self.place(node, role).len() as u64;
            key.wrapping_mul(count).wrapping_add(u64::from(arms[role]))
        })
    }

    /// The role whose arm alone decides what comes next, and that arm.
    fn deciding(&self, node: NodeId, arms: &[u32]) -> Option<(usize, u32)> {
        match self.who(node) {
            Who::Role(role) | Who::Chance(role) => Some((role, arms[role])),
            Who::Nobody => Some((0, 0)),
            Who::Several | Who::Over | Who::Open => None,
        }
    }

    /// The state after a joint move, given by the arm of each role, if it is known.
    pub(crate) fn child(&self, node: NodeId, arms: &[u32]) -> Option<NodeId> {
        match self.deciding(node, arms) {
            Some((role, arm)) => self.arms(node, role)[arm as usize].child(),
            None => {
                let children = self.joint.get(&node)?;
                let key = self.key(node, arms);
                let place = children.binary_search_by_key(&key, |child| child.0);
                place.ok().map(|place| children[place].1)
            }
        }
    }

    /// Says which state comes after a joint move.
    pub(crate) fn link(&mut self, node: NodeId, arms: &[u32], child: NodeId) {
        if let Some((role, arm)) = self.deciding(node, arms) {
            let arm = self.arm_mut(node, role, arm);
            arm.child = arm.child & CLOSED | child;
            return;
        }
        let key = self.key(node, arms);
        let children = self.joint.entry(node).or_default();
        if let Err(place) = children.binary_search_by_key(&key, |child| child.0) {
            children.insert(place, (key, child));
            self.joints += 1;
        }
    }

    /// Says that a move needs no more visits.
    pub(crate) fn close(&mut self, node: NodeId, role: usize, arm: u32) {
        self.arm_mut(node, role, arm).child |= CLOSED;
    }

    /// What a role gets if another gets so much, and they share a constant sum.
    pub(crate) fn other_share(&self, role: usize, other: usize, value: f32) -> Option<f32> {
        let shared = self.shape.sum?;
        let both = shared.roles == [role, other] || shared.roles == [other, role];
        both.then_some(shared.sum - value)
    }

    /// The most that a role can get.
    pub(crate) fn most(&self, role: usize) -> f32 {
        self.shape.most[role]
    }

    pub(crate) fn find(&self, state: &[u64]) -> Option<NodeId> {
        let hash = FixedState::default().hash_one(state);
        let same = |&node: &NodeId| self.state(node) == state;
        self.by_state.find(hash, same).copied()
    }

    /// The node of a state, which is made if there is none.
    pub(crate) fn enter(&mut self, fresh: &Fresh) -> NodeId {
        if let Some(node) = self.find(&fresh.state) {
            return node;
        }
        let place = self.arms.len() as u32;
        self.places.push(place);
        self.places.extend(fresh.ends.iter().map(|end| place + end));
        self.arms
            .extend(fresh.moves.iter().map(|&number| Arm::new(number)));
        if fresh.over {
            self.low.extend_from_slice(&fresh.values);
            self.high.extend_from_slice(&fresh.values);
        } else {
            self.low.extend(std::iter::repeat_n(0.0, self.roles));
            self.high.extend_from_slice(&self.shape.most);
        }
        self.add(
            &fresh.state,
            Node {
                visits: 0,
                who: fresh.who(self.shape.chance),
                turns: 0,
            },
        )
    }

    /// The node of a state, which is made, without its moves, if there is none.
    pub(crate) fn enter_open(&mut self, state: &[u64]) -> NodeId {
        if let Some(node) = self.find(state) {
            return node;
        }
        let place = self.arms.len() as u32;
        (self.places).extend(std::iter::repeat_n(place, self.roles + 1));
        self.low.extend(std::iter::repeat_n(0.0, self.roles));
        self.high.extend_from_slice(&self.shape.most);
        let node = Node {
            visits: 0,
            who: Who::Open,
            turns: 0,
        };
        self.add(state, node)
    }

    /// Says which moves there are in a state of which that was not known.
    pub(crate) fn open(&mut self, node: NodeId, fresh: &Fresh) {
        debug_assert_eq!(self.who(node), Who::Open);
        let place = self.arms.len() as u32;
        let places = std::iter::once(place).chain(fresh.ends.iter().map(|end| place + end));
        let first = node as usize * (self.roles + 1);
        for (place, value) in self.places[first..].iter_mut().zip(places) {
            *place = value;
        }
        self.arms
            .extend(fresh.moves.iter().map(|&number| Arm::new(number)));
        if fresh.over {
            self.settle(node, &fresh.values);
        }
        self.nodes[node as usize].who = fresh.who(self.shape.chance);
    }

    /// Says what the roles get in a state in which the match is over.
    pub(crate) fn settle(&mut self, node: NodeId, values: &[f32]) {
        self.nodes[node as usize].who = Who::Over;
        let first = node as usize * self.roles;
        self.low[first..][..self.roles].copy_from_slice(values);
        self.high[first..][..self.roles].copy_from_slice(values);
    }

    /// What the search keeps with a node.
    pub(crate) fn notes(&self, node: NodeId) -> &[f32] {
        let notes = self.shape.notes;
        &self.notes[node as usize * notes..][..notes]
    }

    pub(crate) fn notes_mut(&mut self, node: NodeId) -> &mut [f32] {
        let notes = self.shape.notes;
        &mut self.notes[node as usize * notes..][..notes]
    }

    fn add(&mut self, state: &[u64], node: Node) -> NodeId {
        let number = self.nodes.len() as NodeId;
        self.nodes.push(node);
        self.states.extend_from_slice(state);
        self.notes
            .extend(std::iter::repeat_n(0.0, self.shape.notes));
        let (states, words) = (&self.states, self.shape.words);
        let hash = |node: &NodeId| {
            FixedState::default().hash_one(&states[*node as usize * words..][..words])
        };
        if number as usize == FEW {
            // From here on as large as it may become, or nearly: to make it larger takes long
            // when it is large already, and a turn may end meanwhile.
            let all = (self.shape.memory / self.shape.node_bytes()).min(ROOM);
            self.by_state.reserve(all.saturating_sub(FEW), hash);
        }
        self.by_state.insert_unique(hash(&number), number, hash);
        number
    }

    /// The node of a state to search from, in a tree that has room for more. What cannot be
    /// reached from it goes, if there is time to look for that; else everything.
    pub(crate) fn root(&mut self, state: &[u64], sampler: &mut Sampler<'_>) -> NodeId {
        let known = self.find(state);
        if let Some(root) = known.filter(|&root| self.proven(root).is_some()) {
            return root;
        }
        if self.bytes() > self.shape.memory / 4 * 3 {
            match known.filter(|_| sampler.has_time_for(self.bytes())) {
                Some(root) => self.keep(root),
                None => {
                    let old = self.renew();
                    // That takes its time, too.
                    std::thread::spawn(move || drop(old));
                }
            }
        }
        sampler.single.load(state);
        let mut fresh = Fresh::default();
        fresh.take(&mut sampler.single, self.roles);
        self.enter(&fresh)
    }

    /// Forgets what cannot be reached from a node.
    fn keep(&mut self, root: NodeId) {
        let (numbers, order) = self.reached(root);
        let renumbered = |child: NodeId| numbers[child as usize];
        let mut kept = Tree::new(self.shape.clone());
        for &node in &order {
            let first = self.place(node, 0).start as u32;
            let shift = kept.arms.len() as u32;
            for role in 0..=self.roles {
                let place = self.places[node as usize * (self.roles + 1) + role];
                kept.places.push(place - first + shift);
            }
            for role in 0..self.roles {
                kept.arms
                    .extend(self.arms(node, role).iter().map(|arm| Arm {
                        child: arm.child & CLOSED | arm.child().map_or(NO_CHILD, renumbered),
                        ..arm.clone()
                    }));
            }
            let (low, high) = self.bounds(node);
            kept.low.extend_from_slice(low);
            kept.high.extend_from_slice(high);
            let number = kept.add(self.state(node), self.nodes[node as usize].clone());
            kept.notes_mut(number).copy_from_slice(self.notes(node));
            if let Some(children) = self.joint.get(&node) {
                let children = children.iter().map(|&(key, it)| (key, renumbered(it)));
                kept.joint.insert(number, children.collect());
                kept.joints += kept.joint[&number].len();
            }
        }
        *self = kept;
    }

    /// The nodes that can be reached from one, and the place of each among them.
    fn reached(&self, root: NodeId) -> (Vec<NodeId>, Vec<NodeId>) {
        let mut numbers = vec![NO_CHILD; self.nodes.len()];
        let mut order = vec![root];
        numbers[root as usize] = 0;
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            let places = self.place(node, 0).start..self.place(node, self.roles - 1).end;
            let arms = self.arms[places].iter().filter_map(Arm::child);
            let joint = self.joint.get(&node).into_iter().flatten();
            for child in arms.chain(joint.map(|child| child.1)) {
                if numbers[child as usize] == NO_CHILD {
                    numbers[child as usize] = order.len() as NodeId;
                    order.push(child);
                }
            }
            next += 1;
        }
        (numbers, order)
    }
}
