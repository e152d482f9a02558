//! What the roles can get together: the question of the papers.
//!
//! A policy decides for all players, whatever chance does. For each state, what the policies
//! from there on bring the players is a set of vectors, of which those count that no other is
//! at least as good as for everyone. They follow from the states after it: of what players
//! choose, all; of what chance may do, every combination, averaged. Moves and states after them
//! are the solutions of the state's network.

use super::ends::Ends;
use super::plan::{Branch, Plan, PlanStep};
use super::points::{Next, Point, Points};
use super::spent::Spent;
use super::{Exact, SolveLimits, Unsolved, deeper, grounded};
use constraint::{Ending, Query, SearchLimits};
use encoding::Micro;
use game::{Bits, BitsBuf, Game, MoveId, RoleId, TermId, Walk};
use hashbrown::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Values as near as this are the same.
pub(super) const NEAR: f64 = 1e-9;
/// About how many bytes a choice of the players takes, and one outcome of it.
const CHOICE: usize = 256;
const OUTCOME: usize = 112;
/// The most a role can get is rounded.
const NEAR_MOST: f64 = 1e-6;

/// What all can get together.
#[derive(Clone, Debug, PartialEq)]
pub struct Together {
    /// A policy that brings everyone what was asked for; without that, one whose least value
    /// is greatest. None if there is no such policy.
    pub found: Option<Exact>,
    /// The largest number that every player can get at once.
    pub common: f64,
    /// How many states were looked at.
    pub states: usize,
}

/// Asks for a policy with which every player gets at least so much, one number a player.
pub fn cooperative(
    game: &Game,
    theta: Option<&[f64]>,
    limits: &SolveLimits,
) -> Result<Together, Unsolved> {
    grounded(game)?;
    let encoding = match game.encoding() {
        Some(Ok(encoding)) => encoding,
        Some(Err(reason)) => return Err(Unsolved::NoEngine(reason.to_string())),
        None => return Err(Unsolved::NoEngine("there is no ground program".to_string())),
    };
    let mut search = Search {
        game,
        micro: Micro::new(encoding),
        walk: game.walk(),
        chance: game.chance(),
        players: game.players().collect(),
        fronts: Vec::new(),
        by_state: HashMap::new(),
        path: HashSet::new(),
        spent: Spent::new(limits),
        ends: Ends::new(game),
        limits: *limits,
    };
    let first = search.walk.state().to_owned();
    let root = search.front(&first)?;
    let least = |point: &Point| point.values.iter().copied().fold(1.0, f64::min);
    let points = &search.fronts[root].points;
    let common = points.iter().map(least).fold(0.0, f64::max);
    let reaches = |point: &&Point| match theta {
        Some(theta) => point
            .values
            .iter()
            .zip(theta)
            .all(|(value, theta)| *value >= theta - NEAR),
        None => least(point) >= common - NEAR,
    };
    let found = points
        .iter()
        .position(|point| reaches(&point))
        .map(|point| {
            let mut plan = Plan::default();
            search.plan((root, point), 0, &mut plan);
            Exact {
                values: plan.steps[0].values.clone(),
                plan,
                states: search.fronts.len(),
            }
        });
    Ok(Together {
        found,
        common,
        states: search.fronts.len(),
    })
}

struct Search<'g> {
    game: &'g Game,
    micro: Micro<'g>,
    walk: Walk<'g>,
    chance: Option<RoleId>,
    players: Vec<RoleId>,
    fronts: Vec<Front>,
    by_state: HashMap<BitsBuf, usize>,
    path: HashSet<BitsBuf>,
    spent: Spent,
    ends: Ends<'g>,
    limits: SolveLimits,
}

/// What can be got from a state on.
#[derive(Debug, Default)]
struct Front {
    points: Vec<Point>,
    over: bool,
    /// Which roles have a choice, chance among them.
    choosing: Vec<bool>,
}

/// The joint moves of a state that differ in what chance does alone, with the states after.
type Outcomes = Vec<(Vec<MoveId>, BitsBuf)>;

impl Search<'_> {
    /// What can be got from a state on, by its place.
    fn front(&mut self, state: &Bits) -> Result<usize, Unsolved> {
        if let Some(&front) = self.by_state.get(state) {
            return Ok(front);
        }
        self.spent.fits(0)?;
        if self.path.len() >= self.limits.turns {
            return Err(Unsolved::Turns(self.limits.turns));
        }
        if !self.path.insert(state.to_owned()) {
            return Err(Unsolved::Circle);
        }
        self.walk.load(state);
        let front = match self.walk.terminal() {
            true => self.end()?,
            false => deeper(|| self.solve(state))?,
        };
        self.path.remove(state);
        let points = front.points.iter().map(Point::bytes).sum::<usize>();
        self.spent.take(128 + 8 * state.words().len() + points);
        self.fronts.push(front);
        self.by_state
            .insert(state.to_owned(), self.fronts.len() - 1);
        Ok(self.fronts.len() - 1)
    }

    /// What the players get where the match is over.
    fn end(&mut self) -> Result<Front, Unsolved> {
        self.ends.check(&mut self.walk)?;
        let walk = &mut self.walk;
        let value = |&role: &RoleId| f64::from(walk.goal(role).unwrap_or(0)) / 100.0;
        let values = self.players.iter().map(value).collect();
        Ok(Front {
            points: vec![Point::new(values)],
            over: true,
            choosing: Vec::new(),
        })
    }

    fn solve(&mut self, state: &Bits) -> Result<Front, Unsolved> {
        let (choices, held) = self.choices(state)?;
        let first = &choices[0][0].0;
        let joints = || choices.iter().flatten().map(|(joint, _)| joint);
        let chooses = |role: usize| joints().any(|joint| joint[role] != first[role]);
        let choosing = (0..first.len()).map(chooses).collect();
        let mut points = Points::default();
        for outcomes in &choices {
            self.spent.take(points.bytes());
            let fronts = self.fronts_of(outcomes);
            self.spent.give(points.bytes());
            for point in self.chosen(outcomes, &fronts?)?.into_all() {
                points.add(point, &mut self.spent)?;
            }
            if points.all().iter().any(|point| self.is_most(point)) {
                // Nobody can get more.
                break;
            }
        }
        self.spent.give(held);
        Ok(Front {
            points: points.into_all(),
            over: false,
            choosing,
        })
    }

    /// Whether every player gets the most it can get.
    fn is_most(&self, point: &Point) -> bool {
        let mut values = point.values.iter().zip(&self.players);
        values.all(|(value, &role)| *value >= f64::from(self.game.most(role)) - NEAR_MOST)
    }

    /// The solutions of a state's network, by what the players choose; and how many bytes they
    /// take, which are counted.
    fn choices(&mut self, state: &Bits) -> Result<(Vec<Outcomes>, usize), Unsolved> {
        self.micro.load(state).map_err(|_| Unsolved::Stuck)?;
        let mut places: HashMap<Vec<MoveId>, usize> = HashMap::new();
        let mut choices: Vec<Outcomes> = Vec::new();
        let joint_bytes = size_of::<MoveId>() * self.game.roles().len();
        let (mut held, mut full) = (0, Ok(()));
        let query = Query {
            limits: SearchLimits {
                nodes: Some(self.spent.nodes_left()),
                ..SearchLimits::default()
            },
            ..Query::default()
        };
        let report = self.micro.each(&query, |solution| {
            let mut chosen = solution.joint.to_vec();
            if let Some(chance) = self.chance {
                chosen[chance.index()] = MoveId::new(0);
            }
            let place = *places.entry(chosen).or_insert(choices.len());
            if place == choices.len() {
                choices.push(Vec::new());
                held += CHOICE + joint_bytes;
            }
            choices[place].push((solution.joint.to_vec(), solution.next.to_owned()));
            held += OUTCOME + joint_bytes + size_of_val(solution.next.words());
            full = self.spent.fits(held);
            match full.is_ok() {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        full?;
        if report.ending == Ending::Nodes {
            return Err(Unsolved::Nodes(self.limits.nodes));
        }
        self.spent.count(report.nodes)?;
        self.spent.take(held);
        match choices.is_empty() {
            true => Err(Unsolved::Stuck),
            false => Ok((choices, held)),
        }
    }

    /// What can be got after each outcome.
    fn fronts_of(&mut self, outcomes: &Outcomes) -> Result<Vec<usize>, Unsolved> {
        let states = outcomes.iter().map(|(_, state)| self.front(state));
        states.collect()
    }

    /// What a choice can bring: every combination of what is done after each move of chance.
    fn chosen(&mut self, outcomes: &Outcomes, fronts: &[usize]) -> Result<Points, Unsolved> {
        let share = 1.0 / outcomes.len() as f64;
        let mut points = Points::from(Point::new(vec![0.0; self.players.len()]));
        for ((joint, _), &front) in outcomes.iter().zip(fronts) {
            let held = points.bytes();
            self.spent.take(held);
            let mut more = Points::default();
            for before in points.all() {
                for (point, after) in self.fronts[front].points.iter().enumerate() {
                    let next = Next {
                        joint,
                        front,
                        point,
                    };
                    more.combine(before, (share, after), next, &mut self.spent)?;
                }
            }
            self.spent.give(held);
            points = more;
        }
        Ok(points)
    }

    /// Adds what a policy does from a point on to a plan; returns its place.
    fn plan(&self, (front, point): (usize, usize), depth: usize, plan: &mut Plan) -> usize {
        let Point { values, next } = &self.fronts[front].points[point];
        let mut all = vec![0.0; self.game.roles().len()];
        for (&role, &value) in self.players.iter().zip(values) {
            all[role.index()] = value;
        }
        let place = plan.add(PlanStep {
            values: all,
            over: self.fronts[front].over,
            branches: Vec::new(),
        });
        let choosing = &self.fronts[front].choosing;
        for (joint, front, point) in next.iter().filter(|_| depth < self.limits.depth) {
            if plan.steps.len() >= self.limits.steps {
                break;
            }
            let next_place = deeper(|| self.plan((*front, *point), depth + 1, plan));
            plan.steps[place].branches.push(Branch {
                joint: self.actions(joint),
                choosing: choosing.clone(),
                probability: 1.0 / next.len() as f64,
                next: next_place,
            });
        }
        place
    }

    /// The terms of a joint move.
    fn actions(&self, joint: &[MoveId]) -> Vec<TermId> {
        let roles = self.game.role_ids().zip(joint);
        roles
            .map(|(role, &it)| self.game.move_term(role, it))
            .collect()
    }
}
