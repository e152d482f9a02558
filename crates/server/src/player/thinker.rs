//! The player of a match, in a thread of its own: whatever it does, the match goes on.
//!
//! It thinks in slices, so that it notices when a move is no longer wanted, and ahead while nobody
//! asks. A question that is no longer of use is asked all the same, without any time: players are
//! told every turn, and asked in every turn.

use super::SLICE;
use super::table::{Event, Link};
use game::{BitsBuf, MoveId, PerceptId};
use players::{Budget, Decision, Ending, Observation, Player};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long it thinks ahead without looking up.
const SHORT_SLICE: Duration = Duration::from_millis(50);
/// A player that owes more answers than this is not asked any more.
const OWED: usize = 100;

/// What the player says.
#[derive(Copy, Clone, Debug)]
pub(super) enum Thought {
    /// It can make use of no more time before the next turn, or refuses to play.
    Idle,
    /// Its answer to the question of a number, so far.
    Decided {
        number: u64,
        decision: Option<Decision>,
        is_last: bool,
    },
}

/// What the player is asked.
enum Question {
    Choose {
        number: u64,
        /// The turn, if it was not observed yet.
        seen: Option<Told>,
        until: Instant,
    },
    Finish {
        seen: Option<Told>,
        ending: Ending,
    },
}

/// An observation, owned.
pub(super) struct Told {
    turn: usize,
    state: Option<BitsBuf>,
    legal: Vec<MoveId>,
    joint: Option<Vec<MoveId>>,
    percepts: Vec<PerceptId>,
    own: Option<MoveId>,
}

impl From<Observation<'_>> for Told {
    fn from(seen: Observation<'_>) -> Told {
        Told {
            turn: seen.turn,
            state: seen.state.map(ToOwned::to_owned),
            legal: seen.legal.to_vec(),
            joint: seen.joint.map(<[MoveId]>::to_vec),
            percepts: seen.percepts.to_vec(),
            own: seen.own,
        }
    }
}

impl Told {
    fn observation(&self) -> Observation<'_> {
        Observation {
            turn: self.turn,
            state: self.state.as_deref(),
            legal: &self.legal,
            joint: self.joint.as_deref(),
            percepts: &self.percepts,
            own: self.own,
        }
    }
}

/// A player that thinks elsewhere.
pub(super) struct Thinker {
    questions: Sender<Question>,
    /// The number of the last question.
    number: Arc<AtomicU64>,
    /// How many questions were not answered.
    owed: usize,
}

impl Thinker {
    /// A thread for a player, which is made there, if one can be; it may think ahead before it is
    /// asked anything.
    pub(super) fn new(
        make: impl FnOnce() -> Option<Box<dyn Player>> + Send + 'static,
        link: Link,
        thinks_ahead: bool,
    ) -> Thinker {
        let (questions, inbox) = channel();
        let number = Arc::new(AtomicU64::new(0));
        let last = Arc::clone(&number);
        let think = move || match make() {
            Some(player) => Mind { player, link, last }.run(&inbox, thinks_ahead),
            None => link.send(Event::Thought(Thought::Idle)),
        };
        // Without a thread nobody hears the questions, which whoever asks notices.
        if let Err(error) = thread::Builder::new().spawn(think) {
            tracing::error!(%error, "no thread for the player");
        }
        Thinker {
            questions,
            number,
            owed: 0,
        }
    }

    /// Asks for a move in a turn; returns the number of the question. None if nobody is there,
    /// or has not answered for long.
    pub(super) fn ask(&mut self, seen: Option<Told>, until: Instant) -> Option<u64> {
        let number = self.interrupt();
        self.owed += 1;
        let question = Question::Choose {
            number,
            seen,
            until,
        };
        let is_sent = self.owed <= OWED && self.questions.send(question).is_ok();
        is_sent.then_some(number)
    }

    /// A question was answered.
    pub(super) fn answered(&mut self) {
        self.owed = self.owed.saturating_sub(1);
    }

    /// Tells the last turn, and how the match ended.
    pub(super) fn finish(&self, seen: Option<Told>, ending: Ending) {
        self.interrupt();
        let _ = self.questions.send(Question::Finish { seen, ending });
    }

    /// Another question follows: what was asked before is no longer of use.
    fn interrupt(&self) -> u64 {
        self.number.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// The thread of a player.
struct Mind {
    player: Box<dyn Player>,
    link: Link,
    last: Arc<AtomicU64>,
}

impl Mind {
    /// Answers questions, and thinks ahead between them.
    fn run(mut self, inbox: &Receiver<Question>, mut thinks_ahead: bool) {
        loop {
            let question = match inbox.try_recv() {
                Err(TryRecvError::Empty) if thinks_ahead && !self.link.is_left() => {
                    thinks_ahead = self.ponder();
                    continue;
                }
                Err(TryRecvError::Empty) => inbox.recv().ok(),
                received => received.ok(),
            };
            thinks_ahead = match question {
                Some(Question::Choose {
                    number,
                    seen,
                    until,
                }) => {
                    self.observe(seen);
                    self.choose(number, until)
                }
                Some(Question::Finish { seen, ending }) => {
                    self.observe(seen);
                    return self.player.finish(ending);
                }
                None => return self.player.finish(Ending::Abandoned),
            };
        }
    }

    fn observe(&mut self, seen: Option<Told>) {
        if let Some(seen) = seen {
            self.player.observe(&seen.observation());
        }
    }

    fn say(&self, thought: Thought) {
        self.link.send(Event::Thought(thought));
    }

    /// Thinks ahead for a while; whether more of that is of use.
    fn ponder(&mut self) -> bool {
        let budget = Budget::Until(Instant::now() + SHORT_SLICE);
        let goes_on = self.player.ponder(&budget);
        if !goes_on {
            self.say(Thought::Idle);
        }
        goes_on
    }

    /// Thinks in slices until a move is due, and says the best at the end of each; whether
    /// thinking ahead may be of use then.
    fn choose(&mut self, number: u64, until: Instant) -> bool {
        loop {
            let now = Instant::now();
            let is_wanted = self.last.load(Ordering::Relaxed) == number && !self.link.is_left();
            let slice = if is_wanted {
                until.min(now + SLICE)
            } else {
                now
            };
            let decision = self.player.choose(&Budget::Until(slice)).ok();
            let then = Instant::now();
            // A player that did not use the slice does not want more time.
            let is_last = !is_wanted
                || decision.is_none_or(|it| it.proven)
                || then >= until
                || then < now + SLICE / 2;
            self.say(Thought::Decided {
                number,
                decision,
                is_last,
            });
            if is_last {
                return decision.is_some_and(|it| !it.proven);
            }
        }
    }
}
