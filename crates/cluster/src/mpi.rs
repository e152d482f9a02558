//! Workers as ranks of MPI: `mpirun -n 8 ludex …`, also under `srun`. Rank 0 is the player, the
//! others help it.
//!
//! One thread of each process does all that MPI is asked: it takes what comes, and sends what others
//! give it. A message begins with the number of its session, so that an answer that is late for one
//! match is not taken for one of the next. A rank belongs to one session at a time; a player gets
//! those that are free.
//!
//! What MPI cannot do for us: when a rank dies, `mpirun` ends all of them. A rank that hangs is lost
//! like any worker, but may keep the others from being heard while something is sent to it, and
//! keeps the job from ending.

use crate::inbox::Inbox;
use crate::message::Message;
use crate::staff::Staff;
use crate::transport::{Event, Transport};
use crate::worker::Office;
use ::mpi::Threading;
use ::mpi::environment::Universe;
use ::mpi::traits::{Communicator, Destination, MatchedReceiveVec, Source};
use players::{Helpers, NoHelp, Recruiter};
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The session that ends a worker.
const END: u64 = u64::MAX;
/// How long the thread of MPI rests at the least and at the most while nothing comes.
const REST: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(2));
/// How often a busy worker gives a sign of life, and how long one that owes may be silent.
const BEAT: Duration = Duration::from_secs(1);
const SILENCE: Duration = Duration::from_secs(30);
/// What `mpirun`, `srun` and others say to those they start.
const STARTED: &[&str] = &[
    "OMPI_COMM_WORLD_SIZE",
    "PMIX_RANK",
    "PMI_RANK",
    "MV2_COMM_WORLD_SIZE",
];

/// A message to a rank, with its session before it; none ends the thread.
type Out = Option<(usize, Vec<u8>)>;

/// A message that came, and its rank.
type In = (usize, Vec<u8>);

/// This process among those of MPI.
pub struct Mpi {
    rank: usize,
    ranks: usize,
    build: String,
    desk: Arc<Desk>,
    out: Sender<Out>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// Where messages that came are put.
#[derive(Default)]
struct Desk {
    /// A worker's orders.
    inbox: Inbox,
    /// A master's sessions, and the ranks that are in none.
    sessions: Mutex<HashMap<u64, Sender<In>>>,
    free: Mutex<Vec<usize>>,
    last: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Mpi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mpi({} of {})", self.rank, self.ranks)
    }
}

impl Mpi {
    /// Joins the processes that were started together; none if this one was started alone.
    pub fn join(build: &str) -> Option<Arc<Mpi>> {
        if STARTED.iter().all(|it| std::env::var_os(it).is_none()) {
            return None;
        }
        let desk = Arc::new(Desk::default());
        let (out, outgoing) = channel();
        let (tell, told) = channel();
        let thread = thread::spawn({
            let desk = Arc::clone(&desk);
            move || {
                let joined = ::mpi::initialize_with_threading(Threading::Funneled);
                let Some((universe, _)) = joined else { return };
                let world = universe.world();
                let (rank, ranks) = (world.rank() as usize, world.size() as usize);
                if tell.send((rank, ranks)).is_ok() {
                    run(&universe, &outgoing, &|from, bytes| {
                        desk.take(rank, from, bytes)
                    });
                }
                drop(universe);
                if rank > 0 {
                    // Whatever it searches, nobody wants it any more.
                    std::process::exit(0);
                }
            }
        });
        let (rank, ranks) = told.recv().ok()?;
        *lock(&desk.free) = (1..ranks).rev().collect();
        Some(Arc::new(Mpi {
            rank,
            ranks,
            build: build.to_string(),
            desk,
            out,
            thread: Mutex::new(Some(thread)),
        }))
    }

    /// Whether this process is to help.
    pub fn is_worker(&self) -> bool {
        self.rank > 0
    }

    /// Helps until the master has ended.
    pub fn serve(&self) -> ! {
        let busy = AtomicU64::new(0);
        let send = |session, message: Vec<u8>| self.send(0, session, &message);
        thread::scope(|scope| {
            scope.spawn(|| {
                loop {
                    thread::sleep(BEAT);
                    match busy.load(Ordering::Relaxed) {
                        0 => {}
                        session => send(session, Message::Alive.bytes()),
                    }
                }
            });
            let office = Office {
                inbox: &self.desk.inbox,
                send: &send,
                busy: &busy,
                build: &self.build,
            };
            office.serve()
        })
    }

    /// The master ends: so do all workers.
    pub fn end(&self) {
        (1..self.ranks).for_each(|rank| self.send(rank, END, &[]));
        let _ = self.out.send(None);
        if let Some(thread) = lock(&self.thread).take() {
            let _ = thread.join();
        }
    }

    fn send(&self, to: usize, session: u64, message: &[u8]) {
        let mut bytes = session.to_le_bytes().to_vec();
        bytes.extend_from_slice(message);
        // The thread may have ended, and with it the process will.
        let _ = self.out.send(Some((to, bytes)));
    }
}

/// Does all that MPI is asked, until it is told to end.
fn run(
    universe: &Universe,
    outgoing: &Receiver<Out>,
    take: &dyn Fn(usize, &[u8]) -> ControlFlow<()>,
) {
    let world = universe.world();
    let mut rest = REST.0;
    loop {
        while let Some(probed) = world.any_process().immediate_matched_probe() {
            let (bytes, status) = probed.matched_receive_vec::<u8>();
            if take(status.source_rank() as usize, &bytes).is_break() {
                return;
            }
            rest = REST.0;
        }
        match outgoing.recv_timeout(rest) {
            Ok(Some((to, bytes))) => {
                world.process_at_rank(to as i32).send(&bytes[..]);
                rest = REST.0;
            }
            Ok(None) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => rest = (2 * rest).min(REST.1),
        }
    }
}

impl Desk {
    /// Puts a message where it belongs; breaks if it is the last.
    fn take(&self, rank: usize, from: usize, bytes: &[u8]) -> ControlFlow<()> {
        let Some((session, message)) = bytes.split_first_chunk() else {
            return ControlFlow::Continue(());
        };
        let session = u64::from_le_bytes(*session);
        if rank > 0 {
            if session == END {
                return ControlFlow::Break(());
            }
            self.inbox.put((session, message.to_vec()));
        } else if let Some(to) = lock(&self.sessions).get(&session) {
            let _ = to.send((from, message.to_vec()));
        }
        ControlFlow::Continue(())
    }
}

/// What starts helpers of a player at rank 0.
#[derive(Clone, Debug)]
pub struct Ranks(pub Arc<Mpi>);

impl Recruiter for Ranks {
    fn usual(&self) -> usize {
        self.0.ranks
    }

    fn recruit(&self, count: usize) -> Result<Box<dyn Helpers>, NoHelp> {
        let mpi = Arc::clone(&self.0);
        if count >= mpi.ranks {
            let ranks = mpi.ranks;
            return Err(NoHelp(format!(
                "MPI has started {ranks} processes, this one among them"
            )));
        }
        let mut free = lock(&mpi.desk.free);
        let left = free.len().saturating_sub(count);
        let ranks = free.split_off(left).into_iter().rev().map(Some).collect();
        drop(free);
        // Session 0 would be none, see `Office::busy`.
        let session = 1 + mpi.desk.last.fetch_add(1, Ordering::Relaxed);
        let (sender, events) = channel();
        lock(&mpi.desk.sessions).insert(session, sender);
        let build = mpi.build.clone();
        let transport = Session {
            mpi,
            session,
            ranks,
            events,
        };
        Ok(Box::new(Staff::new(transport, &build, SILENCE)))
    }
}

/// The ranks of one player in one match.
struct Session {
    mpi: Arc<Mpi>,
    session: u64,
    /// By worker; none once it is lost.
    ranks: Vec<Option<usize>>,
    events: Receiver<In>,
}

impl Transport for Session {
    fn count(&self) -> usize {
        self.ranks.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        if let Some(rank) = self.ranks[to] {
            self.mpi.send(rank, self.session, &message);
        }
    }

    fn receive(&mut self, until: Instant) -> Option<(usize, Event)> {
        let left = until.saturating_duration_since(Instant::now());
        let (rank, message) = self.events.recv_timeout(left).ok()?;
        let worker = self.ranks.iter().position(|&it| it == Some(rank))?;
        Some((worker, Event::Message(message)))
    }

    /// A rank that is lost helps nobody any more.
    fn close(&mut self, worker: usize) {
        self.ranks[worker] = None;
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        lock(&self.mpi.desk.sessions).remove(&self.session);
        let mut free = lock(&self.mpi.desk.free);
        free.extend(self.ranks.iter().rev().flatten());
    }
}
