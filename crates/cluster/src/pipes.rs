//! Workers as child processes, over their standard input and output.
//!
//! Each child is in a process group of its own, so that an interrupt at the terminal does not end
//! it before its master. A child whose master is gone sees the end of its input and exits, also in
//! the middle of a search. One that was stopped is woken and hung up by the system then, as its group
//! is orphaned.
//!
//! A thread writes to each child and one reads from it, so that the master never waits for one that
//! hangs: what cannot be written soon closes it.

use crate::frame::{read_frame, write_frame};
use crate::inbox::Inbox;
use crate::message::Message;
use crate::staff::Staff;
use crate::transport::{Event, Transport};
use crate::worker::Office;
use players::{Helpers, NoHelp, Recruiter};
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How many messages may wait to be written to a worker, and to be heard from all.
const WAITING: usize = 64;
/// How often a busy worker gives a sign of life.
const BEAT: Duration = Duration::from_secs(1);
/// A worker has one session, as it has one master.
const ONLY: u64 = 1;
/// How long one that owes an answer may be silent, unless said otherwise.
const SILENCE: Duration = Duration::from_secs(30);

/// Starts workers on this machine.
#[derive(Clone, Debug)]
pub struct Pipes {
    program: PathBuf,
    arguments: Vec<OsString>,
    build: String,
    silence: Duration,
}

impl Pipes {
    /// Workers that are a program with some arguments, of this build.
    pub fn new(program: &Path, arguments: &[&str], build: &str) -> Pipes {
        Pipes {
            program: program.to_owned(),
            arguments: arguments.iter().map(Into::into).collect(),
            build: build.to_string(),
            silence: SILENCE,
        }
    }

    /// The same, where one that owes an answer may be silent for so long.
    #[must_use]
    pub fn with_silence(self, silence: Duration) -> Pipes {
        Pipes { silence, ..self }
    }

    fn start(&self, worker: usize, events: &SyncSender<(usize, Event)>) -> io::Result<Line> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let taken = child.stdin.take().zip(child.stdout.take());
        let (input, output) = taken.ok_or(ErrorKind::BrokenPipe)?;
        let (sender, orders) = sync_channel(WAITING);
        thread::spawn(move || write_all(input, &orders));
        let events = events.clone();
        thread::spawn(move || hear_all(output, worker, &events));
        Ok(Line {
            child,
            orders: Some(sender),
        })
    }
}

impl Recruiter for Pipes {
    fn usual(&self) -> usize {
        1
    }

    fn recruit(&self, count: usize) -> Result<Box<dyn Helpers>, NoHelp> {
        let (sender, events) = sync_channel(WAITING);
        let lines = (0..count).map(|worker| self.start(worker, &sender));
        let lines: io::Result<Vec<Line>> = lines.collect();
        let program = self.program.display();
        let lines = lines.map_err(|it| NoHelp(format!("cannot start {program}: {it}")))?;
        let transport = Children { lines, events };
        Ok(Box::new(Staff::new(transport, &self.build, self.silence)))
    }
}

/// A child and the way to it.
struct Line {
    child: Child,
    /// None once it is closed.
    orders: Option<SyncSender<Vec<u8>>>,
}

impl Line {
    fn end(&mut self) {
        self.orders = None;
        // It may have ended by itself; a stopped one can be killed, too.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.end();
    }
}

struct Children {
    lines: Vec<Line>,
    events: Receiver<(usize, Event)>,
}

impl Transport for Children {
    fn count(&self) -> usize {
        self.lines.len()
    }

    fn send(&mut self, to: usize, message: Vec<u8>) {
        let line = &mut self.lines[to];
        let sent = line.orders.as_ref().map(|it| it.try_send(message));
        if let Some(Err(_)) = sent {
            // Its output ends, and that is heard.
            line.end();
        }
    }

    fn receive(&mut self, until: Instant) -> Option<(usize, Event)> {
        let left = until.saturating_duration_since(Instant::now());
        match self.events.recv_timeout(left) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // All are gone, and that was told: there is nothing to wait for but the time.
                thread::sleep(left);
                None
            }
        }
    }

    fn close(&mut self, worker: usize) {
        self.lines[worker].end();
    }
}

/// Writes to a child until there is nothing more, or it takes no more.
fn write_all(mut to: impl Write, orders: &Receiver<Vec<u8>>) {
    while let Ok(message) = orders.recv() {
        if write_frame(&mut to, &message).is_err() {
            return;
        }
    }
}

/// Hears what a child sends until it ends.
fn hear_all(mut from: impl Read, worker: usize, events: &SyncSender<(usize, Event)>) {
    loop {
        let event = match read_frame(&mut from) {
            Ok(Some(message)) => Event::Message(message),
            Ok(None) => Event::Closed("it has ended".to_string()),
            Err(error) => Event::Closed(error.to_string()),
        };
        let is_end = matches!(event, Event::Closed(_));
        if events.send((worker, event)).is_err() || is_end {
            return;
        }
    }
}

/// Serves as a worker on standard input and output until the input ends.
pub fn serve_pipes(build: &str) -> ! {
    let (inbox, busy) = (Inbox::default(), AtomicU64::new(0));
    let send = |_, message: Vec<u8>| {
        if write_frame(&mut io::stdout().lock(), &message).is_err() {
            leave();
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut input = io::stdin().lock();
            while let Ok(Some(message)) = read_frame(&mut input) {
                inbox.put((ONLY, message));
            }
            leave();
        });
        scope.spawn(|| {
            loop {
                thread::sleep(BEAT);
                if busy.load(Ordering::Relaxed) == ONLY {
                    send(ONLY, Message::Alive.bytes());
                }
            }
        });
        let office = Office {
            inbox: &inbox,
            send: &send,
            busy: &busy,
            build,
        };
        office.serve()
    })
}

/// The master is gone: nobody wants what is being searched.
fn leave() -> ! {
    std::process::exit(0)
}
