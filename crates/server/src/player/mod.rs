//! A player that managers ask for moves.
//!
//! Takes messages, gives replies. Every match has a thread of its own, which knows the game and
//! thinks; here it is only decided who may have one, and what is said if the thread is not in
//! time. So who asks for information, or ends a match, is answered at once.

mod diary;
mod position;
mod table;

use crate::ggp::{self, Answers};
use crate::message::{self, MessageKind};
use crate::{PeerLimits, Router};
use diary::Diary;
use players::{BadOption, Player, Seat};
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use table::{Command, Table};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout_at};

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
}

impl Options {
    /// When an answer is due at the latest.
    fn due(&self, arrived: Instant, clock: Duration) -> Instant {
        arrived + clock - self.margin.min(clock / 5)
    }
}

/// How many threads of matches that were left may still be ending when another match begins,
/// and how long it is waited for them.
const ENDING: usize = 3;
const ENDS: Duration = Duration::from_secs(2);

/// All matches.
struct Desk {
    options: Arc<Options>,
    tables: Mutex<HashMap<String, Arc<Table>>>,
    diary: Diary,
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

impl Answers for Desk {
    async fn answer(&self, message: String, arrived: Instant) -> String {
        self.reply(message, arrived).await
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.tables.lock().expect("nobody panics with it")
    }

    async fn reply(&self, message: String, arrived: Instant) -> String {
        let Some((kind, id)) = message::peek(&message) else {
            tracing::warn!(bytes = message.len(), "not a message");
            return "nil".to_string();
        };
        let id = id.unwrap_or_default().to_string();
        let about = matches!(
            kind,
            MessageKind::Start | MessageKind::Play | MessageKind::Stop | MessageKind::Abort
        );
        let noted = (about && self.diary.is_kept()).then(|| message.clone());
        let reply = match kind {
            MessageKind::Info => self.info(),
            MessageKind::Ping => "ready".to_string(),
            MessageKind::Preview => self.preview().to_string(),
            MessageKind::Start => self.start((&id, message), arrived).await.to_string(),
            MessageKind::Play => self.play((&id, message), arrived).await,
            MessageKind::Stop => self.stop(&id, message).to_string(),
            MessageKind::Abort => self.abort(&id).to_string(),
        };
        if about {
            let milliseconds = arrived.elapsed().as_millis() as u64;
            tracing::debug!(?kind, id, reply, milliseconds, "answered");
        }
        if let Some(message) = noted {
            self.diary.note(&id, (message, reply.clone()), arrived);
        }
        reply
    }

    /// Whether another match can begin: those that nobody goes on with make room.
    fn has_room(&self) -> bool {
        let now = Instant::now();
        let tables = self.lock();
        let kept = tables.values().filter(|table| !table.is_stale(now)).count();
        kept < self.options.matches
    }

    /// Waits until most threads of matches that were left have ended; whether they have.
    async fn has_threads(&self) -> bool {
        const TRIES: u32 = 100;
        for _ in 0..TRIES {
            let threads = Arc::strong_count(&self.options) - 1;
            // Those of matches that go on are a thread each, and one that loads the game.
            if threads < self.lock().len() + self.options.matches + ENDING {
                return true;
            }
            sleep(ENDS / TRIES).await;
        }
        false
    }

    /// Ends matches that nobody goes on with.
    fn forget_stale(&self) {
        let now = Instant::now();
        self.lock().retain(|id, table| {
            let stays = !table.is_stale(now);
            if !stays {
                tracing::warn!(id, "the manager has gone");
                table.leave();
            }
            stays
        });
    }

    fn info(&self) -> String {
        let status = if self.has_room() { "available" } else { "busy" };
        let name = &self.options.name;
        format!("( ( name {name} ) ( status {status} ) ( species program ) )")
    }

    fn preview(&self) -> &'static str {
        if self.has_room() { "ready" } else { "busy" }
    }

    /// Begins a match.
    async fn start(&self, (id, message): (&str, String), arrived: Instant) -> &'static str {
        // Who starts a match again has forgotten the first.
        if let Some(old) = self.lock().remove(id) {
            old.leave();
        }
        // Another match may have begun while threads were waited for.
        if !self.has_room() || !self.has_threads().await || !self.has_room() {
            return "busy";
        }
        self.forget_stale();
        let (begun, has_begun) = oneshot::channel();
        let (ready, is_ready) = oneshot::channel();
        let table = Table::open(id, &self.options);
        self.lock().insert(id.to_string(), Arc::clone(&table));
        table.tell(Command::Begin {
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
                self.lock().remove(id);
                "nil"
            }
            // Who is not ready yet may be in time for the first turn.
            Ok(Ok(())) | Err(_) => "ready",
        }
    }

    /// Asks for a move.
    async fn play(&self, (id, message): (&str, String), arrived: Instant) -> String {
        let Some(table) = self.lock().get(id).cloned() else {
            return "busy".to_string();
        };
        let clock = table.asked();
        table.expect(arrived + clock + self.options.patience);
        let due = self.options.due(arrived, clock);
        let (reply, replied) = oneshot::channel();
        table.tell(Command::Turn {
            message,
            due,
            reply,
        });
        let chosen = timeout_at(due.into(), replied).await;
        let chosen = chosen.ok().and_then(Result::ok).or_else(|| table.best());
        chosen.unwrap_or_else(|| "nil".to_string())
    }

    fn stop(&self, id: &str, message: String) -> &'static str {
        if let Some(table) = self.lock().remove(id) {
            table.tell(Command::Stop { message });
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
