//! All states of a small game, in the order of their distance from the first.

use super::seen::{Seen, Way};
use game::{BitsBuf, Broken, Defect, Game, MoveId, TermId};
use std::collections::HashMap;
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
    let mut walk = game.walk();
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
        if !seen.look(&mut walk, &way) || walk.terminal() {
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
    endless(seen, (&nodes, &mut edges), &stops);
    true
}

/// Finds the first state from which no end can be reached.
fn endless(
    seen: &mut Seen<'_>,
    (nodes, edges): (&[Node], &mut Vec<(usize, usize)>),
    stops: &[usize],
) {
    edges.sort_unstable();
    let mut ends = vec![false; nodes.len()];
    let mut open = stops.to_vec();
    stops.iter().for_each(|&it| ends[it] = true);
    while let Some(node) = open.pop() {
        let first = edges.partition_point(|&(to, _)| to < node);
        let before = edges[first..].iter().take_while(|&&(to, _)| to == node);
        for &(_, from) in before {
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
