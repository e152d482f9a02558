//! A match as others see it: how its thread is told something, and what is known of it at once.

use super::Options;
use super::sitting::Sitting;
use super::thinker::Thought;
use crate::ggp::Message;
use game::Game;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The clocks of a match.
#[derive(Copy, Clone, Debug)]
pub(super) struct Clocks {
    pub(super) start: Duration,
    pub(super) play: Duration,
}

/// What the thread of a match is told.
pub(super) enum Event {
    /// It begins.
    Begin {
        message: Message,
        arrived: Instant,
        /// Told the clocks, as soon as the rules are read.
        begun: oneshot::Sender<Clocks>,
        ready: oneshot::Sender<()>,
    },
    /// A move is wanted.
    Turn {
        message: Message,
        due: Instant,
        reply: oneshot::Sender<String>,
    },
    /// It is over.
    Stop { message: Message },
    /// Nobody wants moves any more.
    Left,
    /// The game as players need it; none if the interpreter plays it.
    Loaded(Option<Arc<Game>>),
    /// What the player says.
    Thought(Thought),
}

/// What every thread of a match has.
#[derive(Clone)]
pub(super) struct Link {
    events: Sender<Event>,
    pub(super) is_left: Arc<AtomicBool>,
    /// As long as a thread has this, the match has not ended.
    _alive: Arc<()>,
}

impl Link {
    /// Tells the thread of the match something.
    pub(super) fn send(&self, event: Event) {
        let _ = self.events.send(event);
    }

    /// Whether nobody wants moves any more.
    pub(super) fn is_left(&self) -> bool {
        self.is_left.load(Ordering::Relaxed)
    }
}

/// How many commands may wait for the thread of a match.
const QUEUE: usize = 8;

/// What others know of a match.
pub(super) struct Table {
    events: Sender<Event>,
    /// Whether nobody wants moves any more.
    is_left: Arc<AtomicBool>,
    known: Arc<Mutex<Known>>,
    /// Every thread of the match has this.
    alive: Weak<()>,
}

/// What the thread of a match and others both change.
#[derive(Default)]
pub(super) struct Known {
    clocks: Option<Clocks>,
    /// When the manager is expected to have spoken again; none while the match begins.
    expected: Option<Instant>,
    /// The best move so far, if one is asked for.
    pub(super) best: Option<String>,
    /// How many commands wait for the thread.
    pub(super) queued: usize,
}

pub(super) fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().expect("no holder panics")
}

impl Table {
    /// A thread for a match.
    pub(super) fn open(id: &str, options: &Arc<Options>) -> Arc<Table> {
        let (events, inbox) = channel();
        let is_left = Arc::new(AtomicBool::new(false));
        let known = Arc::new(Mutex::new(Known::default()));
        let alive = Arc::new(());
        let table = Table {
            events: events.clone(),
            is_left: Arc::clone(&is_left),
            known: Arc::clone(&known),
            alive: Arc::downgrade(&alive),
        };
        let link = Link {
            events,
            is_left,
            _alive: alive,
        };
        let sitting = Sitting::new(id, options, (link, known));
        // It ends with its match. If none can be made, nobody answers, which others notice.
        let spawned = thread::Builder::new().name("match".to_string());
        if let Err(error) = spawned.spawn(move || sitting.run(&inbox)) {
            tracing::error!(id, %error, "no thread");
        }
        Arc::new(table)
    }

    /// Passes a command on; false if too many wait already, or nobody is there.
    pub(super) fn tell(&self, command: Event) -> bool {
        let mut known = lock(&self.known);
        if known.queued >= QUEUE {
            return false;
        }
        known.queued += 1;
        drop(known);
        self.events.send(command).is_ok()
    }

    /// Nobody wants moves any more.
    pub(super) fn leave(&self) {
        self.is_left.store(true, Ordering::Relaxed);
        let _ = self.events.send(Event::Left);
    }

    /// Whether no thread of the match is left.
    pub(super) fn has_ended(&self) -> bool {
        self.alive.strong_count() == 0
    }

    /// The rules are read, and the clocks known.
    pub(super) fn set(&self, clocks: Clocks) {
        lock(&self.known).clocks = Some(clocks);
    }

    /// The manager should have spoken again by a time.
    pub(super) fn expect(&self, time: Instant) {
        lock(&self.known).expected = Some(time);
    }

    /// A move is asked for; returns the clock.
    pub(super) fn asked(&self) -> Duration {
        let mut known = lock(&self.known);
        known.best = None;
        known.clocks.map_or(Duration::ZERO, |clocks| clocks.play)
    }

    /// The best move so far.
    pub(super) fn best(&self) -> Option<String> {
        lock(&self.known).best.clone()
    }

    /// Whether the manager should have spoken again.
    pub(super) fn is_stale(&self, now: Instant) -> bool {
        let expected = lock(&self.known).expected;
        expected.is_some_and(|expected| now > expected)
    }
}
