//! What each role gets if each wants most for itself.
//!
//! Depth first on the tree that the players search: states are there once, bounds go up as in
//! `tree/proof.rs`. Where two roles share a constant sum, which the gates tell, what cannot
//! matter is cut off (alpha-beta); else every role takes what is best for itself (max^n), the
//! first of moves that are as good. Chance is averaged. Where several choose at once, two who
//! share a sum mix their moves; others settle where nobody wants to depart alone.

use super::plan::{Branch, Plan, PlanStep};
use super::{Exact, SolveLimits, Unsolved, deeper, grounded, matrix};
use crate::tree::{Fresh, NEAR, NoStats, NodeId, Shape, Tree, Who};
use game::{Game, RoleId, Walk};
use hashbrown::{HashMap, HashSet};

/// Solves a game.
pub fn competitive(game: &Game, limits: &SolveLimits) -> Result<Exact, Unsolved> {
    grounded(game)?;
    let shape = Shape::new(game, limits.memory);
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
        limits: *limits,
        game,
    };
    let root = search.here();
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
    limits: SolveLimits,
}

impl Search<'_> {
    /// The node of the state that the walk is in.
    fn here(&mut self) -> NodeId {
        let mut fresh = Fresh::default();
        fresh.take(&mut self.walk, self.roles);
        self.tree.enter(&fresh)
    }

    /// The state after a joint move, given by the arm of each role.
    fn child(&mut self, node: NodeId, arms: &[u32]) -> Result<NodeId, Unsolved> {
        if let Some(child) = self.tree.child(node, arms) {
            return Ok(child);
        }
        if self.tree.is_full() {
            return Err(Unsolved::Memory(self.limits.memory >> 20));
        }
        let mut joint = Vec::new();
        self.tree.actions(node, arms, &mut joint);
        self.walk.load(self.tree.state(node));
        self.walk.play(&joint);
        let child = self.here();
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
        let mut pay = Vec::with_capacity(joint.places());
        for place in 0..joint.places() {
            let mut mean = vec![0.0; self.roles];
            for drawn in 0..joint.drawn {
                let child = self.child(node, &joint.arms(place, drawn))?;
                self.solve(child, WHOLE)?;
                for (mean, value) in mean.iter_mut().zip(self.values(child)) {
                    *mean += value / joint.drawn as f64;
                }
            }
            pay.push(mean);
        }
        let (values, mixes) = self.settle(&joint, &pay)?;
        for (role, value) in RoleId::all(self.roles).zip(values) {
            self.tree.narrow(node, role, (value as f32, value as f32));
        }
        self.mixes.insert(node, mixes);
        Ok(())
    }

    /// What roles that choose at once get, and with which probability they make each move.
    fn settle(
        &self,
        joint: &Joint,
        pay: &[Vec<f64>],
    ) -> Result<(Vec<f64>, Vec<Vec<f64>>), Unsolved> {
        let mut mixes: Vec<Vec<f64>> = (0..self.roles).map(|_| vec![1.0]).collect();
        if let Some(chance) = self.chance {
            mixes[chance.index()] = vec![1.0 / joint.drawn as f64; joint.drawn];
        }
        let places: Vec<usize> = joint.roles.iter().map(|role| role.index()).collect();
        if let &[first, second] = &places[..]
            && let Some(sum) = constant_sum(pay, [first, second])
        {
            let rows = pay.chunks_exact(joint.counts[1]);
            let rows = rows.map(|row| row.iter().map(|it| it[first]).collect());
            let (value, [one, other]) = matrix::mixed(&rows.collect::<Vec<_>>(), sum);
            // The others get what they get on the average of it.
            let weight = |place: usize| one[place / other.len()] * other[place % other.len()];
            let mean = |role: usize| (0..pay.len()).map(|it| weight(it) * pay[it][role]).sum();
            let mut values: Vec<f64> = (0..self.roles).map(mean).collect();
            (values[first], values[second]) = (value, sum - value);
            (mixes[first], mixes[second]) = (one, other);
            return Ok((values, mixes));
        }
        let chosen = |pay: &Vec<f64>| places.iter().map(|&role| pay[role]).collect();
        let of_roles: Vec<Vec<f64>> = pay.iter().map(chosen).collect();
        let place = matrix::equilibrium(&joint.counts, &of_roles);
        let place = place.ok_or(Unsolved::NoEquilibrium)?;
        for (role, arm) in joint.arms(place, 0).into_iter().enumerate() {
            if let Some(at) = places.iter().position(|&it| it == role) {
                mixes[role] = vec![0.0; joint.counts[at]];
                mixes[role][arm as usize] = 1.0;
            }
        }
        Ok((pay[place].clone(), mixes))
    }

    /// What may be chosen at once.
    fn joint(&self, node: NodeId) -> Joint {
        let count = |role: RoleId| self.tree.arms(node, role).len();
        let is_player = |role: &RoleId| self.chance != Some(*role) && count(*role) > 1;
        let roles: Vec<RoleId> = RoleId::all(self.roles).filter(is_player).collect();
        Joint {
            counts: roles.iter().map(|&role| count(role)).collect(),
            roles,
            chance: self.chance,
            drawn: self.chance.map_or(1, count),
            all: self.roles,
        }
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
            let next = self.plan(child, depth + 1, plan)?;
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
            Who::Several => Ok(self.mixed(node)),
        }
    }

    /// The joint moves that mixed strategies make.
    fn mixed(&self, node: NodeId) -> Vec<(Vec<u32>, f64)> {
        const RARE: f64 = 1e-9;
        let joint = self.joint(node);
        let mixes = &self.mixes[&node];
        let mut played = Vec::new();
        for place in 0..joint.places() {
            for drawn in 0..joint.drawn {
                let arms = joint.arms(place, drawn);
                let weight = |(role, &arm): (usize, &u32)| {
                    mixes[role].get(arm as usize).copied().unwrap_or(1.0)
                };
                let probability = arms.iter().enumerate().map(weight).product::<f64>();
                if probability > RARE {
                    played.push((arms, probability));
                }
            }
        }
        played
    }
}

/// What two roles get together, if it is the same whatever is chosen.
fn constant_sum(pay: &[Vec<f64>], [first, second]: [usize; 2]) -> Option<f64> {
    let sum = |it: &Vec<f64>| it[first] + it[second];
    let all = sum(&pay[0]);
    let same = |it: &Vec<f64>| (sum(it) - all).abs() < f64::from(NEAR);
    pay.iter().all(same).then_some(all)
}

/// What may be chosen at once: the roles that have a choice, of how many moves each; and how
/// many moves chance has.
struct Joint {
    roles: Vec<RoleId>,
    counts: Vec<usize>,
    chance: Option<RoleId>,
    drawn: usize,
    all: usize,
}

impl Joint {
    fn places(&self) -> usize {
        self.counts.iter().product()
    }

    /// The arms of a joint choice, and of what chance draws.
    fn arms(&self, place: usize, drawn: usize) -> Vec<u32> {
        let mut arms = vec![0; self.all];
        let mut rest = place;
        for (&role, &count) in self.roles.iter().zip(&self.counts).rev() {
            arms[role.index()] = (rest % count) as u32;
            rest /= count;
        }
        if let Some(chance) = self.chance {
            arms[chance.index()] = drawn as u32;
        }
        arms
    }
}
