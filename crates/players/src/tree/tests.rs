//! The tree and its proofs, on trees made by hand.

use super::*;
use crate::kit::path::Path;
use crate::kit::select::{Tried, Ucb};
use game::{BitsBuf, MoveId};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const ONE: RoleId = RoleId::new(0);
const OTHER: RoleId = RoleId::new(1);

type Plain = Tree<NoStats>;

/// Two roles that share 1, unless told otherwise.
fn shape() -> Shape {
    Shape {
        words: Some(1),
        chance: None,
        most: vec![1.0, 1.0],
        sum: Some(Sum {
            roles: [ONE, OTHER],
            sum: 1.0,
        }),
        memory: 1 << 20,
        numbers: 0,
        parents: false,
    }
}

fn state(number: u64) -> BitsBuf {
    vec![number].into()
}

/// A state in which the roles have so many moves.
fn open(number: u64, counts: [usize; 2]) -> Fresh {
    let mut fresh = Fresh {
        state: state(number),
        ..Fresh::default()
    };
    fresh.take_moves(2, |role, moves| {
        moves.extend(MoveId::all(counts[role.index()]));
    });
    fresh
}

/// A state in which the match is over.
fn over(number: u64, values: [f32; 2]) -> Fresh {
    let mut fresh = Fresh {
        state: state(number),
        over: true,
        values: values.to_vec(),
        ..Fresh::default()
    };
    fresh.take_moves(2, |_, _| {});
    fresh
}

/// Adds a state after the arm of a role in a node.
fn add<S: Stats>(
    tree: &mut Tree<S>,
    node: NodeId,
    (role, arm): (RoleId, u32),
    it: &Fresh,
) -> NodeId {
    let child = tree.enter(it);
    let mut arms = [0, 0];
    arms[role.index()] = arm;
    tree.link(node, &arms, child);
    child
}

/// More joint moves than there are numbers: each role still has its say.
#[test]
fn joint_moves_of_many_roles_lead_to_states_of_their_own() {
    const ROLES: usize = 70;
    let mut tree = Plain::new(Shape {
        most: vec![1.0; ROLES],
        sum: None,
        ..shape()
    });
    let mut fresh = open(1, [1, 1]);
    fresh.take_moves(ROLES, |_, moves| moves.extend(MoveId::all(2)));
    let root = tree.enter(&fresh);
    for role in 0..ROLES {
        let mut arms = [0; ROLES];
        assert_eq!(tree.child(root, &arms), None);
        arms[role] = 1;
        assert_eq!(tree.child(root, &arms), None, "role {role}");
        fresh.state = state(2 + role as u64);
        let child = tree.enter(&fresh);
        tree.link(root, &arms, child);
        assert_eq!(tree.child(root, &arms), Some(child));
    }
}

#[test]
fn a_state_is_there_once() {
    let mut tree = Plain::new(shape());
    let root = tree.enter(&open(1, [2, 1]));
    let child = add(&mut tree, root, (ONE, 0), &open(2, [1, 2]));
    assert_eq!(add(&mut tree, root, (ONE, 1), &open(2, [1, 2])), child);
    assert_eq!(tree.len(), 2);
    assert_eq!(tree.find(&state(2)), Some(child));
    assert_eq!(tree.find(&state(3)), None);
    assert_eq!(tree.who(root), Who::Role(ONE));
    assert_eq!(tree.who(child), Who::Role(OTHER));
    assert_eq!(tree.child(root, &[1, 0]), Some(child));
    assert_eq!(tree.state(child), &*state(2));
}

#[test]
fn joint_moves_of_several_roles_have_children_of_their_own() {
    let mut tree = Plain::new(shape());
    let root = tree.enter(&open(1, [2, 3]));
    assert_eq!(tree.who(root), Who::Several);
    let child = tree.enter_open(&state(2));
    tree.link(root, &[1, 2], child);
    assert_eq!(tree.child(root, &[1, 2]), Some(child));
    assert_eq!(tree.child(root, &[1, 1]), None);
    assert_eq!(tree.who(child), Who::Open);
    tree.open(child, &over(2, [1.0, 0.0]));
    assert_eq!(tree.who(child), Who::Over);
    assert_eq!(tree.proven(child), Some(&[1.0, 0.0][..]));
}

#[test]
fn keys_of_any_length_are_kept_where_states_differ_in_length() {
    let mut tree = Plain::new(Shape {
        words: None,
        ..shape()
    });
    let states: Vec<BitsBuf> = (0..20)
        .map(|it| (0..it).collect::<Vec<u64>>().into())
        .collect();
    let nodes: Vec<NodeId> = states.iter().map(|it| tree.enter_open(it)).collect();
    for (node, state) in nodes.iter().zip(&states) {
        assert_eq!(tree.state(*node), &**state);
        assert_eq!(tree.find(state), Some(*node));
    }
    let longer: BitsBuf = vec![7; 30].into();
    assert_eq!(tree.find(&longer), None);
}

/// States that differ in the low bit alone are one.
#[derive(Copy, Clone, Debug, Default)]
struct Halved;

impl Key for Halved {
    fn of<'k>(&self, state: &'k Bits, buffer: &'k mut BitsBuf) -> &'k Bits {
        buffer.copy_from(state);
        buffer.words_mut()[0] &= !1;
        buffer
    }
}

#[test]
fn a_key_decides_which_states_are_one() {
    let mut tree: Tree<NoStats, Halved> = Tree::new(shape());
    let node = tree.enter(&open(6, [2, 1]));
    assert_eq!(tree.enter_open(&state(7)), node);
    assert_eq!(tree.find(&state(7)), Some(node));
    assert_ne!(tree.enter_open(&state(8)), node);
}

#[test]
fn trimming_keeps_what_can_be_reached_and_nothing_else() {
    let mut tree = Plain::new(shape());
    let root = tree.enter(&open(1, [2, 1]));
    let kept = add(&mut tree, root, (ONE, 0), &open(2, [2, 2]));
    add(&mut tree, root, (ONE, 1), &over(3, [0.0, 1.0]));
    let end = tree.enter(&over(4, [1.0, 0.0]));
    tree.link(kept, &[1, 0], end);
    tree.arm_mut(kept, OTHER, 1).visits = 5;
    tree.keep(kept);
    assert_eq!(tree.len(), 2);
    assert_eq!((tree.find(&state(1)), tree.find(&state(3))), (None, None));
    let kept = tree.find(&state(2)).unwrap();
    let end = tree.find(&state(4)).unwrap();
    assert_eq!(tree.child(kept, &[1, 0]), Some(end));
    assert_eq!(tree.arms(kept, OTHER)[1].visits, 5);
    assert_eq!(tree.proven(end), Some(&[1.0, 0.0][..]));
}

#[test]
fn a_winning_move_proves_a_win_and_all_losing_moves_a_loss() {
    let mut tree = Plain::new(shape());
    let root = tree.enter(&open(1, [3, 1]));
    add(&mut tree, root, (ONE, 0), &over(2, [0.0, 1.0]));
    assert!(!tree.prove(root), "other moves may be better");
    assert!(tree.arms(root, ONE)[0].is_closed());
    add(&mut tree, root, (ONE, 2), &over(3, [1.0, 0.0]));
    assert!(tree.prove(root));
    assert_eq!(tree.proven(root), Some(&[1.0, 0.0][..]));
    assert_eq!(tree.best_proven(root, ONE), Some((1.0, 2)));

    let lost = tree.enter(&open(10, [2, 1]));
    add(&mut tree, lost, (ONE, 0), &over(11, [0.0, 1.0]));
    add(&mut tree, lost, (ONE, 1), &over(11, [0.0, 1.0]));
    tree.prove(lost);
    assert_eq!(tree.proven(lost), Some(&[0.0, 1.0][..]));
}

#[test]
fn bounds_of_one_are_those_of_the_other_where_they_share_a_sum() {
    let mut tree = Plain::new(shape());
    let root = tree.enter(&open(1, [2, 1]));
    add(&mut tree, root, (ONE, 0), &over(2, [0.5, 0.5]));
    tree.prove(root);
    assert_eq!(tree.bounds(root), (&[0.5, 0.0][..], &[1.0, 0.5][..]));
    let before = tree.enter(&open(3, [1, 2]));
    add(&mut tree, before, (OTHER, 0), &over(4, [0.4, 0.6]));
    tree.link(before, &[0, 1], root);
    tree.prove(before);
    assert!(
        tree.arms(before, OTHER)[1].is_closed(),
        "it gets 0.5 there at most"
    );
    assert_eq!(tree.proven(before), Some(&[0.4, 0.6][..]));

    let mut apart = Plain::new(Shape {
        sum: None,
        ..shape()
    });
    let root = apart.enter(&open(1, [2, 1]));
    add(&mut apart, root, (ONE, 0), &over(2, [0.5, 0.5]));
    apart.prove(root);
    assert_eq!(apart.bounds(root), (&[0.5, 0.0][..], &[1.0, 1.0][..]));
}

#[test]
fn chance_is_averaged() {
    let mut tree = Plain::new(Shape {
        chance: Some(OTHER),
        sum: None,
        most: vec![1.0, 0.0],
        ..shape()
    });
    let root = tree.enter(&open(1, [1, 2]));
    assert_eq!(tree.who(root), Who::Chance(OTHER));
    add(&mut tree, root, (OTHER, 0), &over(2, [1.0, 0.0]));
    tree.prove(root);
    assert_eq!(tree.bounds_of(root, ONE), (0.5, 1.0));
    add(&mut tree, root, (OTHER, 1), &over(3, [0.5, 0.0]));
    tree.prove(root);
    assert_eq!(tree.proven(root), Some(&[0.75, 0.0][..]));
}

/// A chain of forced moves to an end; returns its first node.
fn chain(tree: &mut Plain, first: u64, length: u64, values: [f32; 2]) -> NodeId {
    let mut child = tree.enter(&over(first + length, values));
    for number in (first..first + length).rev() {
        let node = tree.enter(&open(number, [1, 1]));
        tree.link(node, &[0, 0], child);
        tree.prove(node);
        child = node;
    }
    child
}

#[test]
fn a_win_is_taken_the_shortest_way_and_a_loss_the_longest() {
    for (values, best) in [([1.0, 0.0], 1), ([0.0, 1.0], 2), ([0.5, 0.5], 1)] {
        let mut tree = Plain::new(shape());
        let root = tree.enter(&open(1, [3, 1]));
        for (arm, length) in [(0, 3), (1, 1), (2, 5)] {
            let child = chain(&mut tree, 100 * (1 + u64::from(arm)), length, values);
            tree.link(root, &[arm, 0], child);
        }
        tree.prove(root);
        assert_eq!(tree.proven(root), Some(&values[..]));
        assert_eq!(
            tree.best_proven(root, ONE),
            Some((values[0], best)),
            "{values:?}"
        );
        let child = tree.child(root, &[best as u32, 0]).unwrap();
        assert_eq!(tree.turns(root), tree.turns(child) + 1);
    }
}

/// UCB1 on means.
#[derive(Copy, Clone, Debug)]
struct Means;

impl Stats for Means {
    type Arm = Mean;

    fn node_numbers(_: usize) -> usize {
        0
    }
}

impl<K: Key> Selector<Means, K> for Means {
    fn select(&self, tree: &Tree<Means, K>, _: &Path, choice: Choice) -> u32 {
        let node = choice.node;
        let ucb = Ucb::new(0.5, tree.visits(node), choice.start);
        let best = ucb.best(tree.arms(node, choice.role), |arm| {
            let (visits, value) = (arm.visits, arm.mean());
            (!arm.is_closed()).then_some(Tried { visits, value })
        });
        best.unwrap_or(choice.start) as u32
    }
}

#[test]
fn a_way_down_counts_visits_and_stops_where_the_tree_does() {
    let mut tree: Tree<Means> = Tree::new(shape());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let root = tree.enter(&open(1, [2, 1]));
    let mut path = Path::default();
    path.clear(2);
    assert_eq!(
        tree.descend(root, &mut path, &Means, &mut random),
        Stop::Edge(root)
    );
    let (node, arms) = path.last().unwrap();
    let tried = arms[0];
    assert_eq!((node, tree.visits(root)), (root, 1));
    assert_eq!(tree.arms(root, ONE)[tried as usize].visits, 1);
    let end = add(&mut tree, root, (ONE, tried), &over(2, [0.0, 1.0]));
    tree.prove(root);
    // The move that is proven to lose is closed, so the other is tried.
    path.clear(2);
    assert_eq!(
        tree.descend(root, &mut path, &Means, &mut random),
        Stop::Edge(root)
    );
    let other = path.last().unwrap().1[0];
    assert_eq!(other, 1 - tried);
    let open_end = tree.enter_open(&state(3));
    tree.link(root, &[other, 0], open_end);
    path.clear(2);
    let stop = tree.descend(root, &mut path, &Means, &mut random);
    assert_eq!((stop, path.end), (Stop::Open(open_end), Some(open_end)));
    path.clear(2);
    assert_eq!(
        tree.descend(end, &mut path, &Means, &mut random),
        Stop::Proven(end)
    );
}

#[test]
fn a_way_that_goes_round_is_cut() {
    let mut tree: Tree<Means> = Tree::new(shape());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let root = tree.enter(&open(1, [1, 1]));
    tree.link(root, &[0, 0], root);
    let mut path = Path::default();
    path.clear(2);
    assert_eq!(
        tree.descend(root, &mut path, &Means, &mut random),
        Stop::Deep(root)
    );
}

#[test]
fn a_way_that_is_taken_back_leaves_no_trace() {
    let mut tree: Tree<Means> = Tree::new(shape());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let root = tree.enter(&open(1, [2, 1]));
    let child = add(&mut tree, root, (ONE, 0), &open(2, [1, 3]));
    add(&mut tree, child, (OTHER, 1), &over(3, [0.5, 0.5]));
    let (mut paths, mut stops, mut seen) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..50 {
        seen.push(format!("{tree:?}"));
        let mut path = Path::default();
        path.clear(2);
        stops.push(tree.descend(root, &mut path, &Means, &mut random));
        paths.push(path);
    }
    let ends = |it: &Stop| matches!(it, Stop::Proven(_));
    assert!(stops.iter().any(ends) && !stops.iter().all(ends));
    while let (Some(path), Some(stop)) = (paths.pop(), stops.pop()) {
        tree.take_back(&path, stop);
        assert_eq!(Some(format!("{tree:?}")), seen.pop());
    }
}
