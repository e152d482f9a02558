//! Accepts connections and answers each request on them.
//!
//! One thread reads and writes for all; what takes long is done elsewhere. A peer that is slow,
//! silent or talks too much costs one of a bounded number of connections, for a bounded time.

use crate::http::{self, Bad, Limits, reply};
use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// What answers messages.
pub trait Answers: Send + Sync + 'static {
    /// The answer to a message that arrived at a time.
    fn answer(
        &self,
        message: String,
        arrived: Instant,
    ) -> Pin<Box<dyn Future<Output = String> + Send + '_>>;
}

/// The connections that are open, oldest first.
#[derive(Default)]
struct Open {
    connections: Mutex<BTreeMap<u64, Connection>>,
}

/// A connection, as others see it.
struct Connection {
    task: AbortHandle,
    /// Whether its request has been read, and an answer is due.
    is_owed: bool,
}

impl Open {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Connection>> {
        self.connections.lock().expect("nobody panics with it")
    }

    /// Takes a connection in; if there are too many, the oldest one goes that nobody owes an
    /// answer.
    fn enter(&self, number: u64, task: AbortHandle, most: usize) {
        let mut open = self.lock();
        if !task.is_finished() {
            let is_owed = false;
            open.insert(number, Connection { task, is_owed });
        }
        if open.len() > most {
            let idle = open.iter().find(|(_, it)| !it.is_owed);
            let goes = idle.or(open.iter().next()).map(|(&number, _)| number);
            if let Some(connection) = goes.and_then(|number| open.remove(&number)) {
                connection.task.abort();
            }
        }
    }

    fn set_owed(&self, number: u64, is_owed: bool) {
        if let Some(connection) = self.lock().get_mut(&number) {
            connection.is_owed = is_owed;
        }
    }
}

/// The place of a connection among the open ones, which it leaves however it ends.
struct Place<'o> {
    open: &'o Open,
    number: u64,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.open.lock().remove(&self.number);
    }
}

/// Accepts connections for ever.
pub(crate) async fn serve(
    listener: TcpListener,
    answers: Arc<dyn Answers>,
    limits: Limits,
) -> io::Result<()> {
    let open = Arc::new(Open::default());
    let mut number = 0;
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Too many files are open, perhaps: that passes.
                tracing::warn!(%error, "no connection");
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        number += 1;
        let (answers, shared) = (Arc::clone(&answers), Arc::clone(&open));
        let task = tokio::spawn(async move {
            let place = Place {
                open: &shared,
                number,
            };
            connection(stream, &*answers, (&limits, place)).await;
        });
        open.enter(number, task.abort_handle(), limits.connections);
    }
}

/// Answers requests until the peer has no more.
async fn connection(
    mut stream: TcpStream,
    answers: &dyn Answers,
    (limits, place): (&Limits, Place<'_>),
) {
    // Most requests are short, and read at once.
    let mut buffer = Vec::with_capacity(1 << 10);
    loop {
        let read = http::read(&mut stream, &mut buffer, limits);
        let (bytes, stays) = match timeout(limits.arrival, read).await {
            Ok(Ok(Some(request))) => {
                let arrived = Instant::now();
                place.open.set_owed(place.number, true);
                let text = match request.message {
                    Some(message) => answers.answer(message, arrived).await,
                    None => String::new(),
                };
                place.open.set_owed(place.number, false);
                (reply("200 OK", &text, request.stays), request.stays)
            }
            Ok(Ok(None) | Err(Bad::Gone(_))) => return,
            Ok(Err(bad)) => (reply(&bad.to_string(), "", false), false),
            Err(_) => (reply("408 Request Timeout", "", false), false),
        };
        if !stays {
            hold(&stream);
        }
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
        if !stays {
            return close(stream).await;
        }
    }
}

/// Lets an answer and the end of the connection go out as one packet: that is faster by half
/// for those who ask once.
#[cfg(target_os = "linux")]
fn hold(stream: &TcpStream) {
    let _ = socket2::SockRef::from(stream).set_tcp_cork(true);
}

#[cfg(not(target_os = "linux"))]
fn hold(_: &TcpStream) {}

/// Closes a connection so that what was sent arrives: what the peer still sends is read for a
/// while, else the system would break off.
async fn close(mut stream: TcpStream) {
    const PATIENCE: Duration = Duration::from_secs(1);
    if stream.shutdown().await.is_err() {
        return;
    }
    let mut rest = vec![0; 1 << 14];
    let drain = async { while matches!(stream.read(&mut rest).await, Ok(count) if count > 0) {} };
    let _ = timeout(PATIENCE, drain).await;
}
