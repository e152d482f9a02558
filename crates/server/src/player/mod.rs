//! A player that managers ask for moves.
//!
//! Takes messages, gives replies. Every match has a thread of its own, which knows the game, and
//! its player another; here it is only decided who may have them, and what is said if they are not
//! in time. So who asks for information, or ends a match, is answered at once.
//!
//! | part | what it is |
//! |---|---|
//! | `table.rs` | a match as others see it |
//! | `sitting.rs`, `rules.rs`, `position.rs` | its thread; its rules; where it is, as far as is known |
//! | `thinker.rs` | the player, in a thread of its own |
//! | `diary.rs` | what was said, in files |

mod diary;
mod position;
mod rules;
mod sitting;
mod table;
mod thinker;

use crate::ggp::{self, Answers, Message};
use crate::message::{self, MessageKind, shorten};
use crate::{PeerLimits, Router};
use diary::Diary;
use players::{BadOption, Player, Seat};
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use table::{Event, Table};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout_at};

/// How long players think without looking up.
const SLICE: Duration = Duration::from_millis(250);

/// Makes a player of a name for a seat.
pub type Make = dyn Fn(&str, Seat) -> Result<Box<dyn Player>, BadOption> + Send + Sync;

/// How the player plays.
#[derive(Clone)]
pub struct Options {
    /// What it is called.
    pub name: String,
    /// Who plays, as the roster has it.
    pub player: String,
    /// What makes players; the roster, as a rule.
    pub make: Arc<Make>,
    /// How many matches it plays at a time.
    pub matches: usize,
    /// How long before the end of a clock an answer is sent at the latest; of short clocks a
    /// fifth at the most.
    pub margin: Duration,
    /// How much longer than its clock a manager may be silent before another may begin a match
    /// in its place.
    pub patience: Duration,
    /// How many threads a match may keep busy.
    pub threads: usize,
    /// What random choices are made of.
    pub seed: u64,
    /// A folder for what was said in each match.
    pub record: Option<PathBuf>,
    /// What peers may take.
    pub limits: PeerLimits,
    /// What a match may ask for.
    pub match_limits: MatchLimits,
}

/// What a match may ask for; more is refused.
#[derive(Copy, Clone, Debug)]
pub struct MatchLimits {
    /// The longest clock: so long may a match keep its place without a word.
    pub clock: Duration,
    /// Bytes of a PLAY or STOP message. Of a longer one only that a turn was made is noted.
    pub turn: usize,
    /// Bytes of the name of a match.
    pub id: usize,
}

impl Default for MatchLimits {
    fn default() -> MatchLimits {
        MatchLimits {
            clock: Duration::from_secs(3600),
            turn: 1 << 20,
            id: 256,
        }
    }
}

impl Options {
    /// When an answer is due at the latest.
    fn due(&self, arrived: Instant, clock: Duration) -> Instant {
        arrived + clock - self.margin.min(clock / 5)
    }
}

/// How many matches that were left, beyond those played at a time, may still be ending when
/// another begins.
const ENDING: usize = 2;
/// How long a START waits for matches to end, and how long an INFO.
const START_WAITS: Duration = Duration::from_secs(2);
const INFO_WAITS: Duration = Duration::from_millis(700);

/// All matches.
struct Desk {
    options: Arc<Options>,
    tables: Mutex<Tables>,
    diary: Diary,
}

/// The matches that are played, by their names, and those that were left and have not ended.
#[derive(Default)]
struct Tables {
    played: HashMap<String, Arc<Table>>,
    left: Vec<Arc<Table>>,
}

/// Answers messages that come in at a listener, for ever.
pub fn serve(listener: std::net::TcpListener, options: Options) -> io::Result<()> {
    let limits = options.limits;
    crate::serve(listener, router(options), limits)
}

/// A router whose every path is the player's; pages can be added beside it.
pub fn router(options: Options) -> Router {
    ggp::router(Desk {
        diary: Diary::new(options.record.clone()),
        options: Arc::new(options),
        tables: Mutex::default(),
    })
}

impl Tables {
    /// Takes a match from those that are played; it goes on until its threads have ended.
    fn remove(&mut self, id: &str) -> Option<Arc<Table>> {
        let table = self.played.remove(id)?;
        self.left.push(Arc::clone(&table));
        Some(table)
    }

    /// Ends matches that nobody goes on with.
    fn forget_stale(&mut self, now: Instant) {
        let stale = self.played.iter().filter(|it| it.1.is_stale(now));
        let stale: Vec<String> = stale.map(|it| it.0.clone()).collect();
        for id in stale {
            tracing::warn!(id, "the manager has gone");
            if let Some(table) = self.remove(&id) {
                table.leave();
            }
        }
    }

    /// Whether another match has a place among so many: those that nobody goes on with make room.
    fn has_place(&self, matches: usize) -> bool {
        let now = Instant::now();
        let kept = self.played.values().filter(|table| !table.is_stale(now));
        kept.count() < matches
    }

    /// Whether few matches that were left still hold threads and memory.
    fn has_settled(&mut self, matches: usize) -> bool {
        self.left.retain(|table| !table.has_ended());
        self.left.len() < matches + ENDING
    }
}

impl Answers for Desk {
    async fn answer(&self, message: Message, arrived: Instant) -> String {
        let limit = self.options.match_limits.id;
        let (kind, id) = match message::peek(&message.text) {
            Some((kind, id)) if id.is_none_or(|it| it.len() <= limit) => (kind, id),
            _ => {
                let (text, bytes) = (shorten(&message.text), message.text.len());
                tracing::warn!(text, bytes, "not a message");
                return "nil".to_string();
            }
        };
        let id = id.unwrap_or_default().to_string();
        self.noted((kind, &id, message), arrived).await
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().expect("no holder panics")
    }

    /// The reply to a message, which is noted if it is about a match.
    async fn noted(
        &self,
        (kind, id, message): (MessageKind, &str, Message),
        arrived: Instant,
    ) -> String {
        let about = matches!(
            kind,
            MessageKind::Start | MessageKind::Play | MessageKind::Stop | MessageKind::Abort
        );
        let noted = (about && self.diary.is_kept()).then(|| diary::excerpt(kind, &message.text));
        let reply = match kind {
            MessageKind::Info => self.info().await,
            MessageKind::Ping => "ready".to_string(),
            MessageKind::Preview => self.preview().await.to_string(),
            MessageKind::Start => self.start((id, message), arrived).await.to_string(),
            MessageKind::Play => self.play((id, message), arrived).await,
            MessageKind::Stop => self.stop(id, message).to_string(),
            MessageKind::Abort => self.abort(id).to_string(),
        };
        if about {
            let milliseconds = arrived.elapsed().as_millis() as u64;
            tracing::debug!(?kind, id, reply = shorten(&reply), milliseconds, "answered");
        }
        if let Some(message) = noted {
            self.diary.note(id, (message, reply.clone()), arrived);
        }
        reply
    }

    /// Whether another match can begin; waits some time for matches that were left to end.
    async fn has_room(&self, patience: Duration) -> bool {
        const PAUSE: Duration = Duration::from_millis(10);
        let matches = self.options.matches;
        let until = Instant::now() + patience;
        loop {
            if !self.lock().has_place(matches) {
                return false;
            }
            if self.lock().has_settled(matches) {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
            sleep(PAUSE).await;
        }
    }

    async fn info(&self) -> String {
        let status = match self.has_room(INFO_WAITS).await {
            true => "available",
            false => "busy",
        };
        let name = &self.options.name;
        format!("( ( name {name} ) ( status {status} ) ( species program ) )")
    }

    async fn preview(&self) -> &'static str {
        match self.has_room(INFO_WAITS).await {
            true => "ready",
            false => "busy",
        }
    }

    /// Begins a match.
    async fn start(&self, (id, message): (&str, Message), arrived: Instant) -> &'static str {
        // Who starts a match again has forgotten the first.
        if let Some(old) = self.lock().remove(id) {
            old.leave();
        }
        if !self.has_room(START_WAITS).await {
            return "busy";
        }
        let table = self.open(id);
        let (begun, has_begun) = oneshot::channel();
        let (ready, is_ready) = oneshot::channel();
        table.tell(Event::Begin {
            message,
            arrived,
            begun,
            ready,
        });
        let begun = match has_begun.await {
            Ok(clocks) => {
                table.expect(arrived + clocks.start + self.options.patience);
                table.set(clocks);
                let due = self.options.due(arrived, clocks.start);
                timeout_at(due.into(), is_ready).await
            }
            Err(gone) => Ok(Err(gone)),
        };
        match begun {
            Ok(Err(_)) => {
                tracing::warn!(id, "the match cannot be played");
                self.forget(id, &table);
                "nil"
            }
            // Who is not ready yet may be in time for the first turn.
            Ok(Ok(())) | Err(_) => "ready",
        }
    }

    /// Gives a match a place.
    fn open(&self, id: &str) -> Arc<Table> {
        let table = Table::open(id, &self.options);
        let mut tables = self.lock();
        tables.forget_stale(Instant::now());
        // Another of its name may have begun while it waited for room.
        if let Some(old) = tables.remove(id) {
            old.leave();
        }
        tables.played.insert(id.to_string(), Arc::clone(&table));
        table
    }

    /// Forgets a match that cannot be played, if no other of its name has begun meanwhile.
    fn forget(&self, id: &str, table: &Arc<Table>) {
        let mut tables = self.lock();
        if (tables.played.get(id)).is_some_and(|it| Arc::ptr_eq(it, table)) {
            tables.remove(id);
        }
    }

    /// Asks for a move.
    async fn play(&self, (id, message): (&str, Message), arrived: Instant) -> String {
        let Some(table) = self.lock().played.get(id).cloned() else {
            return "busy".to_string();
        };
        let clock = table.asked();
        table.expect(arrived + clock + self.options.patience);
        let due = self.options.due(arrived, clock);
        let (reply, replied) = oneshot::channel();
        table.tell(Event::Turn {
            message,
            due,
            reply,
        });
        let chosen = timeout_at(due.into(), replied).await;
        let chosen = chosen.ok().and_then(Result::ok).or_else(|| table.best());
        chosen.unwrap_or_else(|| "nil".to_string())
    }

    fn stop(&self, id: &str, message: Message) -> &'static str {
        if let Some(table) = self.lock().remove(id)
            && !table.tell(Event::Stop { message })
        {
            table.leave();
        }
        "done"
    }

    fn abort(&self, id: &str) -> &'static str {
        if let Some(table) = self.lock().remove(id) {
            tracing::info!(id, "aborted");
            table.leave();
        }
        "aborted"
    }
}
