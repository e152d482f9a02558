//! A thread of a search: the first one divides its time between deepening and nested search, the
//! others make nested searches with random numbers of their own. All look for one best line.

use super::goals::Goals;
use super::ida::Ida;
use super::line::Best;
use super::nested::Nested;
use super::playing::Means;
use crate::kit::crew::{self, Spent};
use crate::kit::{By, Playouts, Thread};
use game::Bits;
use std::sync::MutexGuard;
use std::time::{Duration, Instant};

/// What threads of a search share.
#[derive(Copy, Clone)]
pub(super) struct Shared<'s> {
    pub(super) goals: &'s Goals,
    pub(super) best: &'s Best,
    pub(super) root: &'s Bits,
    /// Which part of the first thread's time is for deepening.
    pub(super) deepening: f32,
    /// Whether time counts, or iterations.
    pub(super) is_timed: bool,
}

/// One thread's working memory.
pub(super) struct Worker<'s> {
    pub(super) shared: Shared<'s>,
    pub(super) thread: Thread<'s>,
    pub(super) playouts: Playouts<'s>,
    pub(super) searches: Searches<'s>,
    /// What each search had so far: in time, and in iterations.
    spent: Spent,
    counts: (u64, u64),
}

/// The searches of a thread: those of the first one go on in the next turn.
pub(super) enum Searches<'s> {
    First(Option<MutexGuard<'s, Ida>>, MutexGuard<'s, Nested>),
    Other(Nested),
}

impl<'s> Worker<'s> {
    pub(super) fn new(
        shared: Shared<'s>,
        (thread, playouts): (Thread<'s>, Playouts<'s>),
        searches: Searches<'s>,
    ) -> Worker<'s> {
        Worker {
            shared,
            thread,
            playouts,
            searches,
            spent: Spent::default(),
            counts: (0, 0),
        }
    }

    /// Whether deepening had less than its share so far.
    fn is_deepening(&self) -> bool {
        let share = f64::from(self.shared.deepening);
        match self.shared.is_timed {
            true => {
                let (one, other) = (self.spent.states, self.spent.evaluation);
                one.as_secs_f64() <= share * (one + other).as_secs_f64()
            }
            false => self.counts.0 as f64 <= share * (self.counts.0 + self.counts.1) as f64,
        }
    }
}

impl<'s> crew::Worker<'s> for Worker<'s> {
    fn thread(&mut self) -> &mut Thread<'s> {
        &mut self.thread
    }

    fn iterate(&mut self, by: By) -> bool {
        let began = Instant::now();
        let is_deepening = self.is_deepening();
        let mut means = Means {
            thread: &mut self.thread,
            playouts: &mut self.playouts,
            by,
            goals: self.shared.goals,
            best: self.shared.best,
            root: self.shared.root,
        };
        let (deepened, count) = match &mut self.searches {
            Searches::First(Some(ida), _) if is_deepening && !ida.is_over() => {
                ida.search(&mut means);
                (&mut self.spent.states, &mut self.counts.0)
            }
            Searches::First(_, nested) => {
                nested.search(&mut means);
                (&mut self.spent.evaluation, &mut self.counts.1)
            }
            Searches::Other(nested) => {
                nested.search(&mut means);
                (&mut self.spent.evaluation, &mut self.counts.1)
            }
        };
        *deepened += began.elapsed().max(Duration::from_nanos(1));
        *count += 1;
        self.shared.best.is_settled()
    }

    fn spent(&self) -> Spent {
        self.spent
    }
}
