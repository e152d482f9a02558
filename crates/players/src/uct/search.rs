//! Select, expand, play out, back up; prove.

use super::Options;
use super::tree::{Arms, Node, NodeId, Tree, Values};
use circuit::{Network, Simulator, Single, Start, Tally};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A longer way down is cut: states may come back.
const DEEPEST: usize = 1000;
/// Playouts are cut after so many turns.
pub(super) const TURNS: u64 = 5000;

/// What a search works with.
pub(super) struct Search<'g> {
    pub(super) tree: &'g mut Tree,
    pub(super) options: &'g Options,
    pub(super) single: Single<'g>,
    simulator: Option<&'g Simulator>,
    pub(super) roles: usize,
    /// The number of the role that is chance, if there is one.
    chance: Option<usize>,
    pub(super) random: Xoshiro256PlusPlus,
    pub(super) playouts: u64,
}

/// How playouts are made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Many at once.
    Lanes,
    /// One at a time.
    One,
}

/// A way down the tree: nodes, and the arm of each role.
type Path = Vec<(NodeId, Box<[u16]>)>;

/// Where a way down came to.
enum Reached {
    /// What the roles get is known.
    Known(Values),
    /// Playouts have to tell.
    Open(Box<[u64]>),
}

impl<'g> Search<'g> {
    pub(super) fn new(
        tree: &'g mut Tree,
        options: &'g Options,
        (network, simulator): (&'g Network, Option<&'g Simulator>),
        chance: Option<usize>,
        seed: u64,
    ) -> Search<'g> {
        Search {
            tree,
            options,
            single: Single::new(network),
            simulator,
            roles: network.roles(),
            chance,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            playouts: 0,
        }
    }

    /// The node of a state.
    pub(super) fn root(&mut self, state: &[u64]) -> NodeId {
        self.single.load(state);
        self.tree.enter(&mut self.single, self.roles).0
    }

    /// Goes down some times, or once if not by lanes, plays out from where that leads, and
    /// takes note.
    pub(super) fn iterate(&mut self, root: NodeId, by: By) {
        let mut open: Vec<(Path, Box<[u64]>)> = Vec::new();
        let ways = if by == By::Lanes {
            self.options.batch
        } else {
            1
        };
        for _ in 0..ways {
            let (path, reached) = self.descend(root);
            match reached {
                Reached::Known(values) => self.back_up(&path, &values),
                Reached::Open(state) => open.push((path, state)),
            }
            if self.tree.node(root).proven.is_some() {
                break;
            }
        }
        if let (Some(role), Some((_, state))) = (self.solo(), open.first()) {
            self.try_line(state, role);
        }
        let values = self.play_out(&open, by);
        for ((path, _), values) in open.iter().zip(values) {
            self.back_up(path, &values);
        }
    }

    /// The only role, if there is one and no chance.
    fn solo(&self) -> Option<usize> {
        (self.roles == 1 && self.chance.is_none()).then_some(0)
    }

    /// Selects moves down to a state that is new, or known.
    fn descend(&mut self, root: NodeId) -> (Path, Reached) {
        let mut path: Path = Vec::new();
        let mut node = root;
        loop {
            self.tree.node_mut(node).visits += 1;
            if let Some(values) = &self.tree.node(node).proven {
                return (path, Reached::Known(values.clone()));
            }
            if path.len() >= DEEPEST {
                return (path, Reached::Open(self.tree.node(node).state.clone()));
            }
            let arms = self.select(node);
            for (of_role, &arm) in self.tree.node_mut(node).arms.iter_mut().zip(&arms) {
                of_role.visits[usize::from(arm)] += 1;
            }
            let key = self.tree.node(node).key(&arms);
            path.push((node, arms));
            match self.tree.node(node).child(key) {
                Some(child) => node = child,
                None => return self.expand(path, key),
            }
        }
    }

    /// Makes the last joint move of a path, whose state was not reached from there before.
    fn expand(&mut self, path: Path, key: u64) -> (Path, Reached) {
        let (parent, arms) = path.last().expect("a path ends with a joint move");
        let node = self.tree.node(*parent);
        let joint = node.arms.iter().zip(arms);
        let joint: Vec<u32> = joint.map(|(it, &arm)| it.moves[usize::from(arm)]).collect();
        self.single.load(&node.state);
        self.single.play(&joint);
        if self.tree.is_full() && self.tree.find(self.single.state()).is_none() {
            return (path, Reached::Open(self.single.state().into()));
        }
        let (child, _) = self.tree.enter(&mut self.single, self.roles);
        self.tree.link(*parent, key, child);
        let reached = match &self.tree.node(child).proven {
            Some(values) => Reached::Known(values.clone()),
            None => Reached::Open(self.tree.node(child).state.clone()),
        };
        (path, reached)
    }

    /// An arm for each role: by confidence bounds, or at random for chance.
    fn select(&mut self, node: NodeId) -> Box<[u16]> {
        let tree = &*self.tree;
        let node = tree.node(node);
        let chooser = only_chooser(node, self.chance);
        let mut arms = vec![0; self.roles];
        for (role, (of_role, chosen)) in node.arms.iter().zip(&mut arms).enumerate() {
            let count = of_role.moves.len();
            if count == 1 {
                continue;
            }
            *chosen = if self.chance == Some(role) {
                (self.random.next_u64() % count as u64) as u16
            } else {
                let start = (self.random.next_u64() % count as u64) as usize;
                let is_open = |arm: usize| {
                    chooser != Some(role) || proven_arm(tree, node, role, arm).is_none()
                };
                best_arm(
                    of_role,
                    node.visits,
                    self.options.exploration,
                    start,
                    is_open,
                )
            };
        }
        arms.into()
    }

    /// The mean of playouts from each state.
    fn play_out(&mut self, open: &[(Path, Box<[u64]>)], by: By) -> Vec<Values> {
        if open.is_empty() {
            return Vec::new();
        }
        let seed = self.random.next_u64();
        let tallies: Vec<Tally> = match self.simulator {
            Some(simulator) if by == By::Lanes => {
                let lanes = self.options.playouts.unwrap_or(simulator.lanes() as u64);
                let playouts = (lanes / open.len() as u64).max(1);
                let mut starts = Vec::with_capacity(open.len());
                for (_, state) in open {
                    starts.push(Start { state, playouts });
                }
                simulator.playouts(&starts, TURNS, seed)
            }
            _ => open
                .iter()
                .map(|(_, state)| self.one_playout(state))
                .collect(),
        };
        let mut values = Vec::with_capacity(tallies.len());
        for tally in &tallies {
            self.playouts += tally.ended();
            values.push(mean(tally, self.roles));
        }
        values
    }

    fn one_playout(&mut self, state: &[u64]) -> Tally {
        self.single.load(state);
        let (end, turns) = self.single.playout(&mut self.random, TURNS);
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

    /// Takes note of values on the way back up, and of what they prove.
    fn back_up(&mut self, path: &Path, values: &Values) {
        let mut values = values.clone();
        let mut proving = true;
        for (node, arms) in path.iter().rev() {
            if proving && self.tree.node(*node).proven.is_none() {
                let proven = prove(self.tree, *node, self.chance);
                proving = proven.is_some();
                self.tree.node_mut(*node).proven = proven;
            }
            if let Some(known) = &self.tree.node(*node).proven {
                values.clone_from(known);
            }
            let node = self.tree.node_mut(*node);
            for ((of_role, &arm), value) in node.arms.iter_mut().zip(arms).zip(&*values) {
                of_role.sums[usize::from(arm)] += value;
            }
        }
    }
}

/// The mean of each role's goals, from 0 to 1; one half if no match came to an end.
fn mean(tally: &Tally, roles: usize) -> Values {
    let means = tally.means();
    let value = |role: usize| {
        means
            .get(role)
            .map_or(0.5, |(mean, _)| (*mean / 100.0) as f32)
    };
    (0..roles).map(value).collect()
}

/// The arm with the highest upper bound; those never tried come first. Ties fall to the first
/// from `start` on.
fn best_arm(
    arms: &Arms,
    visits: u32,
    exploration: f32,
    start: usize,
    is_open: impl Fn(usize) -> bool,
) -> u16 {
    let log = (visits.max(1) as f32).ln();
    let count = arms.moves.len();
    let mut best = (f32::NEG_INFINITY, start);
    for arm in (0..count).map(|offset| (start + offset) % count) {
        if !is_open(arm) {
            continue;
        }
        let bound = match arms.visits[arm] {
            0 => f32::INFINITY,
            tried => arms.mean(arm) + exploration * (log / tried as f32).sqrt(),
        };
        if bound > best.0 {
            best = (bound, arm);
        }
    }
    best.1 as u16
}

/// The only role that chooses in a state, if chance does not.
pub(super) fn only_chooser(node: &Node, chance: Option<usize>) -> Option<usize> {
    let several = |role: &usize| node.arms[*role].moves.len() > 1;
    let mut choosing = (0..node.arms.len()).filter(several);
    let first = choosing.next()?;
    (choosing.next().is_none() && chance != Some(first)).then_some(first)
}

/// What is proven of an arm, where only this role chooses.
pub(super) fn proven_arm<'t>(
    tree: &'t Tree,
    node: &Node,
    role: usize,
    arm: usize,
) -> Option<&'t Values> {
    let mut arms = vec![0; node.arms.len()];
    arms[role] = arm as u16;
    let child = node.child(node.key(&arms))?;
    tree.node(child).proven.as_ref()
}

/// What the roles get in a state, if its children prove it: the best for the one that
/// chooses, the average where chance does.
pub(super) fn prove(tree: &Tree, node: NodeId, chance: Option<usize>) -> Option<Values> {
    let node = tree.node(node);
    let choosing: Vec<usize> = (0..node.arms.len())
        .filter(|&role| node.arms[role].moves.len() > 1)
        .collect();
    let children = |role: usize| {
        let arms = 0..node.arms[role].moves.len();
        arms.map(move |arm| proven_arm(tree, node, role, arm))
    };
    match choosing[..] {
        [] => proven_arm(tree, node, 0, 0).cloned(),
        [role] if chance == Some(role) => {
            let all: Vec<&Values> = children(role).collect::<Option<_>>()?;
            let mean = |of: usize| all.iter().map(|it| it[of]).sum::<f32>() / all.len() as f32;
            Some((0..node.arms.len()).map(mean).collect())
        }
        [role] => {
            let mut best: Option<&Values> = None;
            let mut all = true;
            for child in children(role) {
                all &= child.is_some();
                let better = |it: &&Values| best.is_none_or(|best| it[role] > best[role]);
                best = child.filter(better).or(best);
            }
            best.filter(|best| all || best[role] >= 1.0).cloned()
        }
        _ => None,
    }
}
