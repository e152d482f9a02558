//! Accepts connections and answers each request on them.
//!
//! One thread serves all peers; handlers do slow work in threads of their own. A slow, silent or
//! flooding peer costs one of a bounded number of connections, for a bounded time, and what all
//! peers send takes a bounded memory.

use crate::http::{Delivery, Memory, Method, PeerLimits, Reader, Refused, Request};
use crate::router::{Handler, Router};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio::time::timeout;

/// The open connections, oldest first.
#[derive(Default)]
struct Open {
    connections: Mutex<BTreeMap<u64, Connection>>,
}

/// An open connection.
struct Connection {
    task: AbortHandle,
    /// Whether a request has been read and not been answered.
    is_owed: bool,
}

impl Open {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Connection>> {
        self.connections.lock().expect("no holder panics")
    }

    /// Adds a connection; beyond the limit, the oldest idle one is closed.
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

/// The entry of a connection among the open ones; removed when it is dropped.
struct Place<'o> {
    open: &'o Open,
    number: u64,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.open.lock().remove(&self.number);
    }
}

/// Serves all peers of a listener, for ever.
pub fn serve(
    listener: std::net::TcpListener,
    router: Router,
    limits: PeerLimits,
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        accept(TcpListener::from_std(listener)?, Arc::new(router), limits).await
    })
}

/// Accepts connections, for ever.
async fn accept(listener: TcpListener, router: Arc<Router>, limits: PeerLimits) -> io::Result<()> {
    let open = Arc::new(Open::default());
    let memory = Memory::new(&limits);
    let mut number = 0;
    loop {
        let (stream, from) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // Such as too many open files, which passes.
                tracing::warn!(%error, "no connection");
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        number += 1;
        let (router, shared) = (Arc::clone(&router), Arc::clone(&open));
        let memory = Arc::clone(&memory);
        let task = tokio::spawn(async move {
            let peer = Peer {
                reader: Reader::new(stream, limits).sharing(memory, from.ip()),
                arrival: limits.arrival,
                router: &router,
                place: Place {
                    open: &shared,
                    number,
                },
            };
            peer.serve().await;
        });
        open.enter(number, task.abort_handle(), limits.connections);
    }
}

/// The peer at the other end of a connection.
struct Peer<'p> {
    reader: Reader<TcpStream>,
    arrival: Duration,
    router: &'p Router,
    place: Place<'p>,
}

/// A response, ready to be sent.
struct Reply {
    bytes: Vec<u8>,
    stays: bool,
}

/// A request that has been read.
struct Call<'p> {
    request: Request,
    handler: &'p dyn Handler,
    stays: bool,
}

impl<'p> Peer<'p> {
    /// Answers requests until the peer has no more.
    async fn serve(mut self) {
        while let Some(Reply { bytes, stays }) = self.reply().await {
            if !stays {
                cork(&self.reader.stream);
            }
            if self.reader.stream.write_all(&bytes).await.is_err() {
                return;
            }
            if !stays {
                let Peer { reader, place, .. } = self;
                // The peer may hold the connection for a while yet, but no memory.
                close(reader.into_stream()).await;
                return drop(place);
            }
        }
    }

    /// The reply to the next request; none if there is nobody to be answered.
    async fn reply(&mut self) -> Option<Reply> {
        match self.next().await {
            Ok(Some(call)) => Some(self.answer(call).await),
            Ok(None) => None,
            Err(refused) => refused.response().map(|response| Reply {
                bytes: response.to_bytes(Delivery {
                    stays: false,
                    has_body: true,
                }),
                stays: false,
            }),
        }
    }

    /// Reads the next request within its time; none if the peer has no more.
    async fn next(&mut self) -> Result<Option<Call<'p>>, Refused> {
        let (reader, router) = (&mut self.reader, self.router);
        let read = async {
            let Some(head) = reader.head().await? else {
                return Ok(None);
            };
            let handler = router.find(&head.request)?;
            let stays = head.stays;
            let request = reader.rest(head, handler.framing()).await?;
            Ok(Some(Call {
                request,
                handler,
                stays,
            }))
        };
        timeout(self.arrival, read)
            .await
            .unwrap_or(Err(Refused::Late))
    }

    async fn answer(&self, call: Call<'_>) -> Reply {
        let arrived = Instant::now();
        let delivery = Delivery {
            stays: call.stays,
            has_body: call.request.method != Method::Head,
        };
        self.place.open.set_owed(self.place.number, true);
        let response = call.handler.handle(call.request, arrived).await;
        self.place.open.set_owed(self.place.number, false);
        Reply {
            bytes: response.to_bytes(delivery),
            stays: call.stays,
        }
    }
}

/// Sends the response and the end of the connection as one packet: faster by half for peers that
/// ask once.
#[cfg(target_os = "linux")]
fn cork(stream: &TcpStream) {
    let _ = socket2::SockRef::from(stream).set_tcp_cork(true);
}

#[cfg(not(target_os = "linux"))]
fn cork(_: &TcpStream) {}

/// Closes a connection so that the response arrives: bytes that the peer still sends are read for
/// a while, as the system would reset the connection otherwise.
async fn close(mut stream: TcpStream) {
    const PATIENCE: Duration = Duration::from_secs(1);
    if stream.shutdown().await.is_err() {
        return;
    }
    let mut rest = vec![0; 1 << 14];
    let drain = async { while matches!(stream.read(&mut rest).await, Ok(count) if count > 0) {} };
    let _ = timeout(PATIENCE, drain).await;
}
