//! The GGP protocol over HTTP: messages in, replies out.
//!
//! A message is the body of a `POST` to any path, or stands in the path of a `GET`. Browsers ask
//! first with `OPTIONS`.

use crate::http::{Framing, Hold, Method, Request, Response, Status};
use crate::router::{Answer, Handler, Router};
use percent_encoding::percent_decode_str;
use std::future::Future;
use std::time::Instant;

/// The text of a message, with the memory it takes of what peers share.
pub(crate) struct Message {
    pub(crate) text: String,
    hold: Hold,
}

impl Message {
    /// Drops the text; what is made of it takes the memory as long as this is kept.
    pub(crate) fn into_hold(self) -> Hold {
        self.hold
    }
}

/// Replies to messages.
pub(crate) trait Answers: Send + Sync + 'static {
    /// The reply to a message that arrived at a time.
    fn answer(&self, message: Message, arrived: Instant) -> impl Future<Output = String> + Send;
}

/// A router of the GGP protocol alone: every path is its own.
pub(crate) fn router(answers: impl Answers) -> Router {
    const METHODS: &[Method] = &[Method::Post, Method::Get, Method::Options];
    Router::default().under("", METHODS, Protocol(answers))
}

struct Protocol<A>(A);

impl<A: Answers> Handler for Protocol<A> {
    fn handle(&self, request: Request, arrived: Instant) -> Answer<'_> {
        Box::pin(async move {
            let reply = match message(request) {
                Some(message) => self.0.answer(message, arrived).await,
                None => String::new(),
            };
            Response::acl(Status::OK, reply)
        })
    }

    fn framing(&self) -> Framing {
        Framing::Message
    }
}

/// The message of a request; none for `OPTIONS`.
fn message(request: Request) -> Option<Message> {
    let text = match request.method {
        Method::Options => return None,
        // The query belongs to the message: variables begin with `?`.
        Method::Get => from_target(&request.target),
        _ => from_body(request.body),
    };
    let hold = request.hold;
    Some(Message { text, hold })
}

/// A message in a body; bytes that are no text become `?`, so that it takes no more memory.
fn from_body(body: Vec<u8>) -> String {
    String::from_utf8(body).unwrap_or_else(|error| {
        let body = error.as_bytes();
        let mut text = String::with_capacity(body.len());
        for chunk in body.utf8_chunks() {
            text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                text.push('?');
            }
        }
        text
    })
}

/// A message in the target of a request.
fn from_target(target: &str) -> String {
    let text = target.strip_prefix('/').unwrap_or(target).replace('+', " ");
    percent_decode_str(&text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stand_in_bodies_and_targets() {
        let of = |method, target: &str| {
            let message = message(Request {
                method,
                target: target.to_string(),
                headers: Vec::new(),
                body: b"(ping)".to_vec(),
                hold: Hold::default(),
            });
            message.map(|it| it.text)
        };
        assert_eq!(of(Method::Post, "/any").unwrap(), "(ping)");
        assert_eq!(of(Method::Get, "/(+info%20)").unwrap(), "( info )");
        assert_eq!(of(Method::Get, "(a+?x)").unwrap(), "(a ?x)");
        assert_eq!(of(Method::Options, "/"), None);
        assert_eq!(from_body(vec![b'a', 0xff, 0xfe, b'b']), "a??b");
    }
}
