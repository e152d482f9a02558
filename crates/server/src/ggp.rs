//! The GGP protocol over HTTP: messages in, replies out.
//!
//! A message is the body of a `POST` to any path, or stands in the path of a `GET`. Browsers ask
//! first with `OPTIONS`.

use crate::http::{Framing, Method, Request, Response, Status};
use crate::router::{Answer, Handler, Router};
use percent_encoding::percent_decode_str;
use std::future::Future;
use std::time::Instant;

/// Replies to messages.
pub(crate) trait Answers: Send + Sync + 'static {
    /// The reply to a message that arrived at a time.
    fn answer(&self, message: String, arrived: Instant) -> impl Future<Output = String> + Send;
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
            let reply = match message(&request) {
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
fn message(request: &Request) -> Option<String> {
    match request.method {
        Method::Options => None,
        // The query belongs to the message: variables begin with `?`.
        Method::Get => Some(from_target(&request.target)),
        _ => Some(String::from_utf8_lossy(&request.body).into_owned()),
    }
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
            message(&Request {
                method,
                target: target.to_string(),
                headers: Vec::new(),
                body: b"(ping)".to_vec(),
            })
        };
        assert_eq!(of(Method::Post, "/any").unwrap(), "(ping)");
        assert_eq!(of(Method::Get, "/(+info%20)").unwrap(), "( info )");
        assert_eq!(of(Method::Get, "(a+?x)").unwrap(), "(a ?x)");
        assert_eq!(of(Method::Options, "/"), None);
    }
}
