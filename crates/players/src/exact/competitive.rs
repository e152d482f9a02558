//! What each role gets if each wants most for itself.
//!
//! Depth first on the tree that the players search: states are there once, bounds go up as in
//! `tree/proof.rs`. Where two roles share a constant sum, which the gates tell, what cannot
//! matter is cut off (alpha-beta); else every role takes what is best for itself (max^n), the
//! first of moves that are as good. Chance is averaged. Where several choose at once, two who
//! share a sum mix their moves; others settle where nobody wants to depart alone.

use super::ends::Ends;
use super::joint::{Joint, Pay, advance, played};
use super::plan::{Branch, Plan, PlanStep};
use super::spent::Spent;
use super::{Exact, SolveLimits, Unsolved, deeper, grounded};
use crate::tree::{Fresh, NEAR, NoStats, NodeId, Shape, Tree, Who};
use game::{Game, RoleId, Walk};
use hashbrown::{HashMap, HashSet};

/// Solves a game.
pub fn competitive(game: &Game, limits: &SolveLimits) -> Result<Exact, Unsolved> {
    grounded(game)?;
    let ends = Ends::new(game);
    let mut shape = Shape::new(game, limits.memory);
    if !ends.are_even() {
        // What the engines say of goals cannot be trusted before an end was checked.
        shape.most.fill(1.0);
        shape.sum = None;
    }
    let moves = game
        .role_ids()
        .map(|role| game.moves(role).map_or(0, <[_]>::len));
    let mut search = Search {
        lead: shape.sum.map(|sum| sum.roles[0]),
        roles: shape.roles(),
        chance: game.chance(),
        tree: Tree::new(shape),
        walk: game.walk(),
        good: moves.map(|count| vec![0; count]).collect(),
        mixes: HashMap::new(),
        path: HashSet::new(),
        spent: Spent::new(limits),
        limits: *limits,
        ends,
        game,
    };
    let root = search.here()?;
    search.solve(root, WHOLE)?;
    let mut plan = Plan::default();
    search.plan(root, 0, &mut plan)?;
    Ok(Exact {
        values: search.values(root),
        plan,
        states: search.tree.len(),
    })
}

/// Nothing is cut off.
const WHOLE: (f32, f32) = (f32::NEG_INFINITY, f32::INFINITY);

struct Search<'g> {
    tree: Tree<NoStats>,
    walk: Walk<'g>,
    game: &'g Game,
    roles: usize,
    chance: Option<RoleId>,
    /// The role whose value windows are about, if two share a constant sum.
    lead: Option<RoleId>,
    /// How often a move of a role was good enough: such moves are looked at first.
    good: Vec<Vec<u32>>,
    /// With which probability each role makes each of its moves, where they are mixed.
    mixes: HashMap<NodeId, Vec<Vec<f64>>>,
    /// The states on the way.
    path: HashSet<NodeId>,
    /// Nodes that were tried; bytes that are not the tree's.
    spent: Spent,
    limits: SolveLimits,
    ends: Ends<'g>,
}

impl Search<'_> {
    /// The node of the state that the walk is in.
    fn here(&mut self) -> Result<NodeId, Unsolved> {
        let mut fresh = Fresh::default();
        fresh.take(&mut self.walk, self.roles);
        match self.walk.terminal() {
            true => self.ends.check(&mut self.walk)?,
            false if fresh.over => return Err(Unsolved::Stuck),
            false => {}
        }
        Ok(self.tree.enter(&fresh))
    }

    /// The state after a joint move, given by the arm of each role.
    fn child(&mut self, node: NodeId, arms: &[u32]) -> Result<NodeId, Unsolved> {
        self.spent.count(1)?;
        if let Some(child) = self.tree.child(node, arms) {
            return Ok(child);
        }
        self.spent.fits(self.tree.bytes())?;
        if self.tree.is_full() {
            return Err(Unsolved::Memory(self.limits.memory >> 20));
        }
        let mut joint = Vec::new();
        self.tree.actions(node, arms, &mut joint);
        self.walk.load(self.tree.state(node));
        self.walk.play(&joint);
        let child = self.here()?;
        self.tree.link(node, arms, child);
        Ok(child)
    }

    /// Proves what a state is worth, or that the leading role's value is outside a window.
    fn solve(&mut self, node: NodeId, window: (f32, f32)) -> Result<(), Unsolved> {
        if self.is_enough(node, window) {
            return Ok(());
        }
        if self.path.len() >= self.limits.turns {
            return Err(Unsolved::Turns(self.limits.turns));
        }
        if !self.path.insert(node) {
            return Err(Unsolved::Circle);
        }
        deeper(|| match self.tree.who(node) {
            // A state that is over is proven; one without moves is over, too.
            Who::Over | Who::Open => Err(Unsolved::Stuck),
            Who::Nobody => self.solve_arms(node, (RoleId::new(0), window)),
            Who::Role(role) => self.solve_arms(node, (role, window)),
            Who::Chance(role) => self.solve_arms(node, (role, WHOLE)),
            Who::Several => self.solve_joint(node),
        })?;
        self.path.remove(&node);
        Ok(())
    }

    /// Whether enough is known of a state.
    fn is_enough(&self, node: NodeId, (alpha, beta): (f32, f32)) -> bool {
        let outside = |lead: RoleId| {
            let (low, high) = self.tree.bounds_of(node, lead);
            low >= beta || high <= alpha
        };
        self.tree.proven(node).is_some() || self.lead.is_some_and(outside)
    }

    /// Where one role decides, or chance: move by move, the best of them first.
    fn solve_arms(
        &mut self,
        node: NodeId,
        (role, (alpha, beta)): (RoleId, (f32, f32)),
    ) -> Result<(), Unsolved> {
        let good = |arm: &u32| {
            let action = self.tree.arms(node, role)[*arm as usize].action;
            std::cmp::Reverse(self.good[role.index()][action.index()])
        };
        let mut order: Vec<u32> = (0..self.tree.arms(node, role).len() as u32).collect();
        order.sort_by_key(good);
        let mut arms = vec![0; self.roles];
        for arm in order {
            arms[role.index()] = arm;
            let child = self.child(node, &arms)?;
            let window = match self.lead {
                Some(lead) if self.chance != Some(role) => {
                    let (low, high) = self.tree.bounds_of(node, lead);
                    (alpha.max(low), beta.min(high))
                }
                _ => WHOLE,
            };
            self.solve(child, window)?;
            self.tree.prove(node);
            if self.is_enough(node, (alpha, beta)) {
                let action = self.tree.arms(node, role)[arm as usize].action;
                self.good[role.index()][action.index()] += 1;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Where several roles choose at once: everything that may come is solved.
    fn solve_joint(&mut self, node: NodeId) -> Result<(), Unsolved> {
        let joint = self.joint(node);
        let (ways, bytes) = (joint.ways(), joint.bytes());
        if self
            .spent
            .fits(bytes.saturating_add(self.tree.bytes()))
            .is_err()
        {
            let memory = self.limits.memory >> 20;
            return Err(Unsolved::JointMoves { ways, memory });
        }
        if ways > u128::from(self.spent.nodes_left()) {
            return Err(Unsolved::Nodes(self.limits.nodes));
        }
        self.spent.take(bytes);
        let settled = self.pay(node, &joint)?;
        let settled = joint.settle(&settled)?;
        self.spent.give(bytes);
        for (role, value) in RoleId::all(self.roles).zip(settled.values) {
            self.tree.narrow(node, role, (value as f32, value as f32));
        }
        let mix = |mix: &Vec<f64>| size_of::<Vec<f64>>() + size_of_val(&mix[..]);
        self.spent.take(settled.mixes.iter().map(mix).sum());
        self.mixes.insert(node, settled.mixes);
        Ok(())
    }

    /// What each choice of the players brings on the average of what chance does.
    fn pay(&mut self, node: NodeId, joint: &Joint) -> Result<Pay, Unsolved> {
        let places = joint.ways() as usize / joint.drawn();
        let mut pay = Pay::new(self.roles, vec![0.0; places * self.roles]);
        let mut arms = vec![0; self.roles];
        loop {
            let child = self.child(node, &arms)?;
            self.solve(child, WHOLE)?;
            let share = 1.0 / joint.drawn() as f64;
            let values = self.tree.bounds(child).0.iter();
            pay.add(
                joint.place(&arms),
                values.map(|&value| f64::from(value) * share),
            );
            let counts = RoleId::all(self.roles).map(|role| self.tree.arms(node, role).len());
            if !advance(&mut arms, counts) {
                return Ok(pay);
            }
        }
    }

    /// The joint moves of a state.
    fn joint(&self, node: NodeId) -> Joint {
        let counts = RoleId::all(self.roles).map(|role| self.tree.arms(node, role).len());
        Joint::new(counts.collect(), self.chance.map(RoleId::index))
    }

    fn values(&self, node: NodeId) -> Vec<f64> {
        let low = self.tree.bounds(node).0;
        low.iter().map(|&value| f64::from(value)).collect()
    }

    /// Adds what is done from a state on to a plan; returns its place.
    fn plan(&mut self, node: NodeId, depth: usize, plan: &mut Plan) -> Result<usize, Unsolved> {
        let step = PlanStep {
            values: self.values(node),
            over: self.tree.who(node) == Who::Over,
            branches: Vec::new(),
        };
        let place = plan.add(step);
        if depth >= self.limits.depth {
            return Ok(place);
        }
        for (arms, probability) in self.played(node)? {
            if plan.steps.len() >= self.limits.steps {
                break;
            }
            let child = self.child(node, &arms)?;
            self.solve(child, WHOLE)?;
            let next = deeper(|| self.plan(child, depth + 1, plan))?;
            let roles = RoleId::all(self.roles);
            let chooses = |role| self.tree.arms(node, role).len() > 1;
            let action = |(role, &arm): (RoleId, &u32)| {
                let action = self.tree.arms(node, role)[arm as usize].action;
                self.game.move_term(role, action)
            };
            plan.steps[place].branches.push(Branch {
                joint: roles.clone().zip(&arms).map(action).collect(),
                choosing: roles.map(chooses).collect(),
                probability,
                next,
            });
        }
        Ok(place)
    }

    /// The joint moves that are made in a state, by their arms, and how likely each is.
    fn played(&mut self, node: NodeId) -> Result<Vec<(Vec<u32>, f64)>, Unsolved> {
        let only = |role: RoleId, arm: u32| {
            let mut arms = vec![0; self.roles];
            arms[role.index()] = arm;
            arms
        };
        match self.tree.who(node) {
            Who::Over | Who::Open => Ok(Vec::new()),
            Who::Nobody => Ok(vec![(only(RoleId::new(0), 0), 1.0)]),
            Who::Chance(role) => {
                let count = self.tree.arms(node, role).len();
                let arms = (0..count as u32).map(|arm| (only(role, arm), 1.0 / count as f64));
                Ok(arms.collect())
            }
            Who::Role(role) => {
                let value = self.tree.bounds_of(node, role).0;
                for arm in 0..self.tree.arms(node, role).len() as u32 {
                    let mut arms = vec![0; self.roles];
                    arms[role.index()] = arm;
                    let child = self.child(node, &arms)?;
                    self.solve(child, WHOLE)?;
                    if self.tree.bounds_of(child, role).0 >= value - NEAR {
                        return Ok(vec![(arms, 1.0)]);
                    }
                }
                Ok(Vec::new())
            }
            Who::Several => {
                // Where nobody ever gets anything, nothing had to be solved.
                let mixes = self.mixes.get(&node).cloned();
                let mixes = mixes.unwrap_or_else(|| self.joint(node).any());
                Ok(played(&mixes, self.limits.steps))
            }
        }
    }
}
