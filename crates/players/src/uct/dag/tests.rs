//! Adapted means and counts against a slow reference: the definitions, written out, from a record
//! of all samples. Seeds are fixed.

use super::*;
use crate::kit::Clock;
use crate::tree::{Choice, Selector, Stop};
use crate::uct::search::{Adding, Way};
use crate::{Budget, tree};
use game::{BitsBuf, Game, Limits};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;

type Tree = tree::Tree<Means>;

/// As deep as options go.
const DEEPEST: u32 = 4;
const ROLES: usize = 2;
/// So small that part of the tree has to be forgotten.
const MEMORY: usize = 96 << 10;

/// Two roles raise one of three counters in turn: a state is reached in every order of its moves.
fn counters() -> Game {
    let rules = "(role one) (role two) (init (at a 0)) (init (at b 0)) (init (at c 0))
        (init (control one)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (succ 6 7) (succ 7 8) (<= (can ?c) (true (at ?c ?n)) (succ ?n ?m))
        (<= (legal ?r (raise ?c)) (true (control ?r)) (can ?c))
        (<= (legal one noop) (true (control two))) (<= (legal two noop) (true (control one)))
        (<= (next (at ?c ?m)) (does ?r (raise ?c)) (true (at ?c ?n)) (succ ?n ?m))
        (<= (raised ?c) (does ?r (raise ?c)))
        (<= (next (at ?c ?n)) (true (at ?c ?n)) (not (raised ?c)))
        (<= (next (control one)) (true (control two))) (<= (next (control two)) (true (control one)))
        (<= terminal (true (at a 8)) (true (at b 8)) (true (at c 8)))
        (<= (goal ?r 100) (true (control ?r))) (<= (goal one 0) (true (control two)))
        (<= (goal two 0) (true (control one)))";
    Game::load(rules, &Limits::default()).expect("rules are right")
}

/// What samples brought: how many, and their sum for each role.
type Sums = (f64, [f64; ROLES]);

/// All samples: those of each move, with the state after it, and those that ended in a state.
#[derive(Default)]
struct Record {
    moves: HashMap<BitsBuf, HashMap<u32, (Sums, BitsBuf)>>,
    ended: HashMap<BitsBuf, Sums>,
}

fn add(sums: &mut Sums, values: &[f32]) {
    sums.0 += 1.0;
    sums.1[0] += f64::from(values[0]);
    sums.1[1] += f64::from(values[1]);
}

impl Record {
    /// Notes a way that was backed up without anything proven.
    fn note(&mut self, tree: &Tree, way: &Way) {
        let end = way.path.end.expect("there is room");
        let mut after = end;
        for (node, arms) in way.path.upward() {
            let moves = self.moves.entry(tree.state(node).to_owned()).or_default();
            let arm = arms[deciding(tree, node).index()];
            let empty = || (Sums::default(), tree.state(after).to_owned());
            add(&mut moves.entry(arm).or_insert_with(empty).0, &way.values);
            after = node;
        }
        let ended = self.ended.entry(tree.state(end).to_owned()).or_default();
        add(ended, &way.values);
    }

    /// μ_d and n_d of a move.
    fn adapted(&self, (sums, after): &(Sums, BitsBuf), depth: u32) -> ([f64; ROLES], f64) {
        if depth == 0 {
            return (sums.1.map(|it| it / sums.0), sums.0);
        }
        let (mut weight, mut mean) = self.ended.get(after).copied().unwrap_or_default();
        let mut count = weight;
        for below in self.moves.get(after).into_iter().flat_map(HashMap::values) {
            let (means, visits) = self.adapted(below, depth - 1);
            weight += below.0.0;
            count += visits;
            for (sum, it) in mean.iter_mut().zip(means) {
                *sum += below.0.0 * it;
            }
        }
        (mean.map(|it| it / weight), count)
    }
}

fn deciding(tree: &Tree, node: NodeId) -> RoleId {
    match tree.who(node) {
        Who::Role(role) => role,
        Who::Nobody => RoleId::new(0),
        who => panic!("{who:?} does not come up"),
    }
}

/// Any arm, so that ways meet often.
struct Any;

impl Selector<Means, tree::Whole> for Any {
    fn select(&self, _: &Tree, _: &Path, choice: Choice) -> u32 {
        choice.start as u32
    }
}

/// Takes some ways at once, and backs them up with values that are drawn.
fn sample(
    (game, tree, root): (&Game, &mut Tree, NodeId),
    (dag, record): (Dag, &mut Record),
    random: &mut Xoshiro256PlusPlus,
) {
    let mut ways = vec![Way::default(); 3];
    for way in &mut ways {
        way.path.clear(ROLES);
        let stop = tree.descend(root, &mut way.path, &Any, random);
        assert!(matches!(stop, Stop::Edge(_)), "nothing is proven");
        way.note(tree, stop);
    }
    let mut walk = game.walk();
    for way in &mut ways {
        walk.load(&way.state);
        walk.play(&way.joint);
        way.fresh.take(&mut walk, ROLES);
        assert!(!way.fresh.over);
        let mut value = || (random.next_u64() >> 40) as f32 / (1u64 << 24) as f32;
        way.values = vec![value(), value()];
        let nodes = Some(dag);
        way.back_up(tree, Adding { nodes, open: true });
        record.note(tree, way);
    }
}

/// Compares all moves of all states that were tried, at all depths. Returns how many states have
/// several parents.
fn compare(tree: &Tree, record: &Record) -> usize {
    let mut shared = 0;
    for node in 0..tree.len() as NodeId {
        shared += usize::from(tree.parents(node).count() > 1);
        let role = deciding(tree, node);
        let mut parents = [0.0; DEEPEST as usize + 1];
        for (number, arm) in tree.arms(node, role).iter().enumerate() {
            let tried = record.moves.get(tree.state(node));
            let Some(known) = tried.and_then(|it| it.get(&(number as u32))) else {
                assert_eq!(arm.visits, 0);
                continue;
            };
            for depth in 0..=DEEPEST {
                let dag = Dag::new([depth; 3], ROLES);
                let (means, count) = record.adapted(known, depth);
                parents[depth as usize] += count;
                assert_eq!(f64::from(dag.arm_visits(tree, arm)), count, "depth {depth}");
                for role in RoleId::all(ROLES).filter(|&it| depth > 0 || it == role) {
                    let mean = f64::from(dag.mean(tree, arm, role));
                    assert!((mean - means[role.index()]).abs() < 1e-4, "depth {depth}");
                }
            }
        }
        for depth in 1..=DEEPEST {
            let dag = Dag::new([depth; 3], ROLES);
            let (start, who) = (0, tree.who(node));
            let choice = Choice {
                node,
                role,
                who,
                start,
            };
            let all = f64::from(dag.parent_visits(tree, choice));
            assert_eq!(all, parents[depth as usize]);
        }
    }
    shared
}

#[test]
fn results_reach_all_parents_as_the_definitions_say() {
    let game = counters();
    let dag = Dag::new([DEEPEST; 3], ROLES);
    let mut tree = Tree::new(dag.shape(Shape::new(&game, MEMORY)));
    let (mut record, mut random) = (Record::default(), Xoshiro256PlusPlus::seed_from_u64(1));
    let clock = Clock::new(&Budget::Iterations(1));
    let mut walk = game.walk();
    let mut forgotten = 0;
    for _ in 0..3 {
        let first = walk.state().to_owned();
        let before = tree.len();
        let root = tree.root(&first, (&game, &clock)).expect("there is time");
        forgotten += usize::from(tree.len() < before);
        compare(&tree, &record);
        while tree.bytes() <= MEMORY / 4 * 3 {
            sample((&game, &mut tree, root), (dag, &mut record), &mut random);
        }
        assert!(!tree.is_full());
        let shared = compare(&tree, &record);
        assert!(shared > 50, "{shared} of {} states", tree.len());
        let mut joint = Vec::new();
        assert!(walk.any_joint(&mut joint, &mut random));
        walk.play(&joint);
    }
    assert!(forgotten > 0, "nodes get other numbers");
}

#[test]
fn parents_are_kept_where_depths_need_them_and_within_the_memory() {
    let game = counters();
    let shape = |depths| Dag::new(depths, ROLES).shape(Shape::new(&game, 8 << 10));
    let bytes = |depths| {
        let mut tree = Tree::new(shape(depths));
        let clock = Clock::new(&Budget::Iterations(1));
        tree.root(game.walk().state(), (&game, &clock));
        tree.bytes()
    };
    assert_eq!(
        bytes([1, 0, 0]),
        bytes([0, 0, 0]),
        "sums of nodes are enough"
    );
    assert!(bytes([2, 0, 0]) > bytes([1, 1, 1]));
    let dag = Dag::new([2, 0, 0], ROLES);
    let mut tree = Tree::new(dag.shape(Shape::new(&game, 8 << 10)));
    let clock = Clock::new(&Budget::Iterations(1));
    let root = tree
        .root(game.walk().state(), (&game, &clock))
        .expect("there is time");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut largest = 0;
    for _ in 0..1000 {
        let mut way = Way::default();
        way.path.clear(ROLES);
        let stop = tree.descend(root, &mut way.path, &Any, &mut random);
        way.note(&tree, stop);
        let mut walk = game.walk();
        walk.load(&way.state);
        walk.play(&way.joint);
        way.fresh.take(&mut walk, ROLES);
        way.values = vec![0.5; ROLES];
        let nodes = Some(dag);
        way.back_up(&mut tree, Adding { nodes, open: true });
        largest = largest.max(tree.bytes());
    }
    // One node more than fits.
    assert!(tree.is_full() && largest < (8 << 10) + 512, "{largest}");
    let mean = |arm| dag.mean(&tree, arm, RoleId::new(0));
    assert!(
        tree.arms(root, RoleId::new(0))
            .iter()
            .all(|it| (mean(it) - 0.5).abs() < 1e-4)
    );
}
