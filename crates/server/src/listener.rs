//! Accepts connections and answers each request on them.
//!
//! One thread reads and writes for all; what takes long is done elsewhere. A peer that is slow,
//! silent or talks too much costs one of a bounded number of connections, for a bounded time.

use crate::http::{self, Bad, Limits, reply};
use std::collections::BTreeMap;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
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

/// The connections that are being read from, oldest first.
#[derive(Default)]
struct Readers {
    tasks: Mutex<BTreeMap<u64, AbortHandle>>,
}

impl Readers {
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, AbortHandle>> {
        self.tasks.lock().expect("nobody panics with it")
    }

    fn leave(&self, number: u64) {
        self.lock().remove(&number);
    }
}

/// Leaves the readers when it is dropped, however the connection ends.
struct Reading<'r> {
    readers: &'r Readers,
    number: u64,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        self.readers.leave(self.number);
    }
}

/// Accepts connections for ever.
pub(crate) async fn serve(
    listener: TcpListener,
    answers: Arc<dyn Answers>,
    limits: Limits,
) -> io::Result<()> {
    let readers = Arc::new(Readers::default());
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
        let (answers, shared) = (Arc::clone(&answers), Arc::clone(&readers));
        let task = tokio::spawn(async move {
            let reading = Reading {
                readers: &shared,
                number,
            };
            connection(stream, &*answers, (&limits, reading)).await;
        });
        let mut tasks = readers.lock();
        if !task.is_finished() {
            tasks.insert(number, task.abort_handle());
        }
        if tasks.len() > limits.connections
            && let Some((_, oldest)) = tasks.pop_first()
        {
            oldest.abort();
        }
    }
}

/// Answers requests until the peer has no more.
async fn connection(
    mut stream: TcpStream,
    answers: &dyn Answers,
    (limits, reading): (&Limits, Reading<'_>),
) {
    // Most requests are short, and read at once.
    let mut buffer = Vec::with_capacity(1 << 10);
    let _reading = reading;
    loop {
        let read = http::read(&mut stream, &mut buffer, limits);
        let (bytes, stays) = match timeout(limits.arrival, read).await {
            Ok(Ok(Some(request))) => {
                let arrived = Instant::now();
                let text = match request.message {
                    Some(message) => answers.answer(message, arrived).await,
                    None => String::new(),
                };
                (reply("200 OK", &text, request.stays), request.stays)
            }
            Ok(Ok(None) | Err(Bad::Gone(_))) => return,
            Ok(Err(bad)) => (reply(&bad.to_string(), "", false), false),
            Err(_) => (reply("408 Request Timeout", "", false), false),
        };
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
        if !stays {
            return close(stream).await;
        }
    }
}

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
