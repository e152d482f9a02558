//! What the roles can get together: the question of the papers.
//!
//! A policy decides for all players, whatever chance does. For each state, what the policies
//! from there on bring the players is a set of vectors, of which those count that no other is
//! at least as good as for everyone. They follow from the states after it: of what players
//! choose, all; of what chance may do, every combination, averaged. Moves and states after them
//! are the solutions of the state's network.

use super::plan::{Branch, Plan, PlanStep};
use super::{Exact, SolveLimits, Unsolved, deeper, grounded};
use constraint::Query;
use encoding::Micro;
use game::{Bits, BitsBuf, Game, MoveId, RoleId, TermId, Walk};
use hashbrown::{HashMap, HashSet};
use std::ops::ControlFlow;

/// So many trade-offs there may be in one state.
const MOST_POINTS: usize = 10_000;
/// Values as near as this are the same.
const NEAR: f64 = 1e-9;
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
        bytes: 0,
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
    bytes: usize,
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

/// What a policy brings the players.
#[derive(Clone, Debug, Default)]
struct Point {
    values: Vec<f64>,
    /// What it does, and for each move of chance the front and the point that follow.
    next: Vec<(Vec<MoveId>, usize, usize)>,
}

/// The joint moves of a state that differ in what chance does alone, with the states after.
type Outcomes = Vec<(Vec<MoveId>, BitsBuf)>;

impl Search<'_> {
    /// What can be got from a state on, by its place.
    fn front(&mut self, state: &Bits) -> Result<usize, Unsolved> {
        if let Some(&front) = self.by_state.get(state) {
            return Ok(front);
        }
        if self.bytes >= self.limits.memory {
            return Err(Unsolved::Memory(self.limits.memory >> 20));
        }
        if self.path.len() >= self.limits.turns {
            return Err(Unsolved::Turns(self.limits.turns));
        }
        if !self.path.insert(state.to_owned()) {
            return Err(Unsolved::Circle);
        }
        self.walk.load(state);
        let front = match self.walk.terminal() {
            true => self.end(),
            false => deeper(|| self.solve(state))?,
        };
        self.path.remove(state);
        let point = |point: &Point| 64 + 8 * point.values.len() + 64 * point.next.len();
        self.bytes += 64 + 8 * state.words().len() + front.points.iter().map(point).sum::<usize>();
        self.fronts.push(front);
        self.by_state
            .insert(state.to_owned(), self.fronts.len() - 1);
        Ok(self.fronts.len() - 1)
    }

    /// What the players get where the match is over.
    fn end(&mut self) -> Front {
        let walk = &mut self.walk;
        let value = |&role: &RoleId| f64::from(walk.goal(role).unwrap_or(0)) / 100.0;
        let values = self.players.iter().map(value).collect();
        Front {
            points: vec![Point {
                values,
                next: Vec::new(),
            }],
            over: true,
            choosing: Vec::new(),
        }
    }

    fn solve(&mut self, state: &Bits) -> Result<Front, Unsolved> {
        let choices = self.choices(state)?;
        let first = &choices[0][0].0;
        let joints = || choices.iter().flatten().map(|(joint, _)| joint);
        let chooses = |role: usize| joints().any(|joint| joint[role] != first[role]);
        let choosing = (0..first.len()).map(chooses).collect();
        let mut points: Vec<Point> = Vec::new();
        for outcomes in choices {
            for point in self.chosen(&outcomes)? {
                add(&mut points, point)?;
            }
            let all = |point: &Point| {
                let values = point.values.iter().zip(&self.players);
                values
                    .into_iter()
                    .all(|(value, &role)| *value >= f64::from(self.game.most(role)) - NEAR_MOST)
            };
            if points.iter().any(all) {
                // Nobody can get more.
                break;
            }
        }
        Ok(Front {
            points,
            over: false,
            choosing,
        })
    }

    /// The solutions of a state's network, by what the players choose.
    fn choices(&mut self, state: &Bits) -> Result<Vec<Outcomes>, Unsolved> {
        self.micro.load(state).map_err(|_| Unsolved::Stuck)?;
        let mut places: HashMap<Vec<MoveId>, usize> = HashMap::new();
        let mut choices: Vec<Outcomes> = Vec::new();
        self.micro.each(&Query::default(), |solution| {
            let mut chosen = solution.joint.to_vec();
            if let Some(chance) = self.chance {
                chosen[chance.index()] = MoveId::new(0);
            }
            let place = *places.entry(chosen).or_insert(choices.len());
            if place == choices.len() {
                choices.push(Vec::new());
            }
            choices[place].push((solution.joint.to_vec(), solution.next.to_owned()));
            ControlFlow::Continue(())
        });
        match choices.is_empty() {
            true => Err(Unsolved::Stuck),
            false => Ok(choices),
        }
    }

    /// What a choice can bring: every combination of what is done after each move of chance.
    fn chosen(&mut self, outcomes: &Outcomes) -> Result<Vec<Point>, Unsolved> {
        let share = 1.0 / outcomes.len() as f64;
        let mut points = vec![Point {
            values: vec![0.0; self.players.len()],
            next: Vec::new(),
        }];
        for (joint, state) in outcomes {
            let front = self.front(state)?;
            let mut more = Vec::new();
            for before in &points {
                for (place, after) in self.fronts[front].points.iter().enumerate() {
                    let mut point = before.clone();
                    let values = point.values.iter_mut().zip(&after.values);
                    values.for_each(|(sum, value)| *sum += share * value);
                    point.next.push((joint.clone(), front, place));
                    add(&mut more, point)?;
                }
            }
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
            let next_place = self.plan((*front, *point), depth + 1, plan);
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

/// Adds a point unless another is at least as good for everyone; drops those it is better than.
fn add(points: &mut Vec<Point>, point: Point) -> Result<(), Unsolved> {
    let covers = |one: &Point, other: &Point| {
        let values = one.values.iter().zip(&other.values);
        values.into_iter().all(|(one, other)| *one >= other - NEAR)
    };
    if points.iter().any(|other| covers(other, &point)) {
        return Ok(());
    }
    points.retain(|other| !covers(&point, other));
    points.push(point);
    match points.len() > MOST_POINTS {
        true => Err(Unsolved::Points(MOST_POINTS)),
        false => Ok(()),
    }
}
