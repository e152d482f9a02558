//! The best line of a puzzle so far: states with the moves made in them, up to an end. Threads share
//! it, and it is kept from turn to turn: what it brings is certain, as nobody else moves.

use crate::Decision;
use crate::kit::solo::without_circles;
use game::{Bits, BitsBuf, MoveId, RoleId, Walk};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The only role.
pub(super) const ROLE: RoleId = RoleId::new(0);

/// The best line so far.
#[derive(Debug)]
pub(super) struct Best {
    /// All there is to get by the rules.
    pub(super) most: f32,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    line: Option<Line>,
    /// Whether no other line brings more.
    is_proven: bool,
}

/// A line that ends the match.
#[derive(Debug)]
struct Line {
    value: f32,
    steps: Vec<(BitsBuf, MoveId)>,
}

impl Line {
    /// Whether another line is worth more. If nothing is got, a longer line leaves more time to find
    /// a better one.
    fn is_beaten(&self, value: f32, length: usize) -> bool {
        value > self.value || value == self.value && value == 0.0 && length > self.steps.len()
    }
}

impl Best {
    /// No line so far, in a game that brings this at most.
    pub(super) fn new(most: f32) -> Best {
        Best {
            most,
            held: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search begins: the line goes on from its root, or is forgotten if it does not pass there.
    /// Returns whether it does.
    pub(super) fn turn_to(&self, root: &Bits) -> bool {
        let mut held = self.lock();
        let steps = held.line.iter().flat_map(|it| &it.steps);
        let place = steps.clone().position(|(state, _)| **state == *root);
        match (place, &mut held.line) {
            (Some(place), Some(line)) => _ = line.steps.drain(..place),
            _ => *held = Held::default(),
        }
        place.is_some()
    }

    /// What the line brings, if there is one.
    pub(super) fn value(&self) -> Option<f32> {
        self.lock().line.as_ref().map(|it| it.value)
    }

    /// Whether a line with this value and length would take the place of the best one.
    pub(super) fn wants(&self, value: f32, length: usize) -> bool {
        let held = self.lock();
        let line = held.line.as_ref();
        line.is_none_or(|it| it.is_beaten(value, length))
    }

    /// Offers the moves of a line from a root, which is played again to see what it brings. Circles are
    /// left out: a playout may go round for thousands of turns.
    pub(super) fn offer(&self, walk: &mut Walk<'_>, root: &Bits, moves: &[MoveId]) {
        let mut steps = Vec::with_capacity(moves.len());
        walk.load(root);
        for &action in moves {
            steps.push((walk.state().to_owned(), action));
            walk.play(&[action]);
        }
        if !walk.terminal() || walk.is_broken_off() {
            return;
        }
        let value = walk.value(ROLE);
        let steps = without_circles(&steps);
        let mut held = self.lock();
        let line = held.line.as_ref();
        if line.is_none_or(|it| it.is_beaten(value, steps.len())) {
            held.line = Some(Line { value, steps });
        }
    }

    /// All lines were seen: none brings more than the best one.
    pub(super) fn prove(&self) {
        self.lock().is_proven = true;
    }

    /// Whether there is nothing left to find.
    pub(super) fn is_settled(&self) -> bool {
        let held = self.lock();
        held.is_proven || held.line.as_ref().is_some_and(|it| it.value >= self.most)
    }

    /// The first move of the line.
    pub(super) fn decision(&self, playouts: u64) -> Option<Decision> {
        let is_settled = self.is_settled();
        let held = self.lock();
        let line = held.line.as_ref()?;
        Some(Decision {
            action: line.steps.first()?.1,
            value: Some(f64::from(line.value)),
            proven: is_settled,
            playouts,
        })
    }
}
