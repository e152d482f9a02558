//! A thread of a search: it goes down the tree some times, plays out from where that leads,
//! and takes note. The tree is locked on the way down and on the way up only.

use super::search::{End, Way};
use crate::crew::{self, lock};
use crate::pace::By;
use crate::sampler::Sampler;
use crate::solo;
use crate::tree::{NodeId, Tree};
use circuit::Tally;
use std::sync::Mutex;
use std::time::Instant;

/// What threads of a search share.
#[derive(Copy, Clone)]
pub(super) struct Shared<'s> {
    pub(super) tree: &'s Mutex<Tree>,
    pub(super) most: &'s [f32],
    pub(super) exploration: f32,
    /// How many states are played out at once, and how often together.
    pub(super) batch: usize,
    pub(super) playouts: Option<u64>,
    /// Whether there is one role, and no chance.
    pub(super) solo: bool,
}

/// One thread's working memory.
pub(super) struct Worker<'s> {
    pub(super) shared: Shared<'s>,
    pub(super) sampler: Sampler<'s>,
    /// Kept from one iteration to the next, with what they have allocated.
    ways: Vec<Way>,
}

impl<'s> Worker<'s> {
    pub(super) fn new(shared: Shared<'s>, sampler: Sampler<'s>) -> Worker<'s> {
        Worker {
            sampler,
            ways: vec![Way::default(); shared.batch],
            shared,
        }
    }

    /// Takes ways down; those to what is known are done with, the others come first. Returns
    /// how many these are.
    fn descend(&mut self, root: NodeId, ways: &mut [Way]) -> usize {
        let exploration = self.shared.exploration;
        let mut tree = lock(self.shared.tree);
        let mut open = 0;
        for _ in 0..ways.len() {
            if tree.proven(root).is_some() {
                break;
            }
            let way = &mut ways[open];
            tree.descend(root, way, (exploration, &mut self.sampler.random));
            match way.end {
                End::Known => tree.back_up(way),
                End::Node | End::Move => open += 1,
            }
        }
        open
    }

    /// Finds the state at the end of a way.
    fn expand(&mut self, way: &mut Way) {
        let began = Instant::now();
        let single = &mut self.sampler.single;
        single.load(&way.state);
        if way.end == End::Move {
            single.play(&way.joint);
        }
        way.fresh.take(single, self.shared.most.len());
        self.sampler.note_piece(began);
    }

    /// Finds what the states at the end of ways are worth.
    fn play_out(&mut self, ways: &mut [Way], by: By) {
        let open: Vec<usize> = (0..ways.len()).filter(|&it| !ways[it].fresh.over).collect();
        let states: Vec<&[u64]> = (open.iter())
            .map(|&way| &ways[way].fresh.state[..])
            .collect();
        let tallies = (self.sampler).tallies(&states, self.shared.playouts, by);
        for (&way, tally) in open.iter().zip(&tallies) {
            self.note(&mut ways[way], tally);
        }
        for way in ways.iter_mut().filter(|way| way.fresh.over) {
            way.values.clone_from(&way.fresh.values);
        }
    }

    fn note(&mut self, way: &mut Way, tally: &Tally) {
        way.values.clear();
        way.values.extend(self.sampler.values(tally));
        let most = self.shared.most[0];
        if self.shared.solo
            && tally.playouts > 0
            && tally.highest(0) as f32 / 100.0 >= most
            && let Some(line) = solo::follow(&mut self.sampler, &way.fresh.state, most)
        {
            line.enter(&mut lock(self.shared.tree), &mut self.sampler.single);
        }
    }
}

impl<'s> crew::Worker<'s> for Worker<'s> {
    fn sampler(&mut self) -> &mut Sampler<'s> {
        &mut self.sampler
    }

    /// Goes down some times, or once if not by lanes, plays out from where that leads, and
    /// takes note.
    fn iterate(&mut self, root: NodeId, by: By) -> bool {
        let count = match by {
            By::Lanes => self.ways.len(),
            By::One => 1,
        };
        let mut ways = std::mem::take(&mut self.ways);
        let open = self.descend(root, &mut ways[..count]);
        ways[..open].iter_mut().for_each(|way| self.expand(way));
        self.play_out(&mut ways[..open], by);
        let mut tree = lock(self.shared.tree);
        for way in &mut ways[..open] {
            tree.back_up(way);
        }
        self.ways = ways;
        tree.proven(root).is_some()
    }
}
