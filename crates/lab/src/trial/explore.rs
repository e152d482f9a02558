//! All states of a small game, in the order of their distance from the first.

use super::seen::{Seen, Way};
use game::{BitsBuf, Broken, Defect, Game, MoveId, TermId};
use std::collections::{HashMap, HashSet};
use std::time::Instant;

/// A state that was reached.
struct Node {
    state: BitsBuf,
    /// The state it was reached from first, and the joint move; none for the first state.
    from: Option<(usize, Vec<MoveId>)>,
}

/// The way to a state.
struct WayTo<'n> {
    nodes: &'n [Node],
    last: usize,
}

impl Way for WayTo<'_> {
    fn moves(&self, game: &Game) -> Vec<Vec<TermId>> {
        let mut joints = Vec::new();
        let mut at = self.last;
        while let Some((from, joint)) = &self.nodes[at].from {
            joints.push(joint.clone());
            at = *from;
        }
        joints.reverse();
        joints.moves(game)
    }
}

/// Looks at all states; false if there are more than `limit` joint moves, or if it takes too long.
pub(super) fn explore(seen: &mut Seen<'_>, limit: usize, until: Instant) -> bool {
    let game = seen.game;
    let mut walk = game.walk_until(until);
    let mut nodes = vec![Node {
        state: walk.state().to_owned(),
        from: None,
    }];
    let mut numbers: HashMap<BitsBuf, usize> = HashMap::from([(nodes[0].state.clone(), 0)]);
    let mut edges: Vec<(usize, usize)> = Vec::new();
    // A defect is where a match stops: nobody can say that it should have ended later.
    let mut stops = Vec::new();
    let mut at = 0;
    while at < nodes.len() {
        if Instant::now() > until {
            return false;
        }
        walk.load(&nodes[at].state);
        let way = WayTo {
            nodes: &nodes,
            last: at,
        };
        let stops_here = !seen.look(&mut walk, &way) || walk.terminal();
        if walk.is_broken_off() {
            return false;
        }
        if stops_here {
            stops.push(at);
            at += 1;
            continue;
        }
        let legal: Vec<Vec<MoveId>> = game.role_ids().map(|role| walk.legal(role)).collect();
        let joints = game::Joints::new(&legal);
        let Some(joints) = joints.filter(|it| edges.len() + it.len() <= limit) else {
            return false;
        };
        for joint in joints {
            walk.load(&nodes[at].state);
            walk.play(&joint);
            let next = nodes.len();
            let number = *numbers.entry(walk.state().to_owned()).or_insert(next);
            if number == next {
                nodes.push(Node {
                    state: walk.state().to_owned(),
                    from: Some((at, joint)),
                });
            }
            edges.push((number, at));
        }
        at += 1;
    }
    edges.sort_unstable();
    endless(seen, (&nodes, &edges), &stops);
    if let Some(last) = circle(nodes.len(), &edges) {
        let way = WayTo {
            nodes: &nodes,
            last,
        };
        walk.load(&nodes[last].state);
        seen.comes_back(&walk, &way);
    }
    true
}

/// The states from which one turn leads to a state; `edges` lead from there, and are sorted.
fn before(edges: &[(usize, usize)], node: usize) -> impl Iterator<Item = usize> {
    let first = edges.partition_point(|&(to, _)| to < node);
    let before = edges[first..]
        .iter()
        .take_while(move |&&(to, _)| to == node);
    before.map(|&(_, from)| from)
}

/// A state to which a match can come back, if there is one.
fn circle(nodes: usize, edges: &[(usize, usize)]) -> Option<usize> {
    // States from which every way ends are taken away, last ones first.
    let mut ways = vec![0; nodes];
    edges.iter().for_each(|&(_, from)| ways[from] += 1);
    let mut open: Vec<usize> = (0..nodes).filter(|&it| ways[it] == 0).collect();
    while let Some(node) = open.pop() {
        for from in before(edges, node) {
            ways[from] -= 1;
            if ways[from] == 0 {
                open.push(from);
            }
        }
    }
    // From each state that is left a way leads to another of them.
    let onward = edges.iter().filter(|&&(to, _)| ways[to] > 0);
    let onward: HashMap<usize, usize> = onward.map(|&(to, from)| (from, to)).collect();
    let mut at = ways.iter().position(|&it| it > 0)?;
    let mut met = HashSet::new();
    while met.insert(at) {
        at = onward[&at];
    }
    Some(at)
}

/// Finds the first state from which no end can be reached.
fn endless(seen: &mut Seen<'_>, (nodes, edges): (&[Node], &[(usize, usize)]), stops: &[usize]) {
    let mut ends = vec![false; nodes.len()];
    let mut open = stops.to_vec();
    stops.iter().for_each(|&it| ends[it] = true);
    while let Some(node) = open.pop() {
        for from in before(edges, node) {
            if !std::mem::replace(&mut ends[from], true) {
                open.push(from);
            }
        }
    }
    let Some(first) = ends.iter().position(|ends| !ends) else {
        return;
    };
    let game = seen.game;
    let mut walk = game.walk();
    let states = game.endless(&mut walk, &nodes[first].state, edges.len());
    seen.meet(Broken {
        defect: Defect::Endless {
            states: states.unwrap_or(0),
        },
        state: game.unpacked(&nodes[first].state),
        moves: WayTo { nodes, last: first }.moves(game),
    });
}
