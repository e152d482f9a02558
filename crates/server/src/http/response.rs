//! Responses, and refusals of requests that reach no handler.

use super::Method;
use std::borrow::Cow;
use std::fmt;

/// The status of a response: its code and reason.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Status(&'static str);

impl Status {
    /// The request succeeded.
    pub const OK: Status = Status("200 OK");
    /// The request is not HTTP.
    pub const BAD_REQUEST: Status = Status("400 Bad Request");
    /// There is no such page.
    pub const NOT_FOUND: Status = Status("404 Not Found");
    /// The path exists, but not for this method.
    pub const METHOD_NOT_ALLOWED: Status = Status("405 Method Not Allowed");
    /// The request did not arrive in time.
    pub const REQUEST_TIMEOUT: Status = Status("408 Request Timeout");
    /// The body exceeds its limit.
    pub const CONTENT_TOO_LARGE: Status = Status("413 Content Too Large");
    /// The head exceeds its limit.
    pub const HEAD_TOO_LARGE: Status = Status("431 Request Header Fields Too Large");
    /// The server has no memory left for the request.
    pub const UNAVAILABLE: Status = Status("503 Service Unavailable");
    /// The transfer encoding is not known.
    pub const NOT_IMPLEMENTED: Status = Status("501 Not Implemented");
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// Whether the request succeeded.
    pub status: Status,
    /// The media type of the body.
    pub content_type: &'static str,
    /// Headers besides type, length and connection, which are added when it is sent.
    pub headers: Vec<(&'static str, Cow<'static, str>)>,
    /// The body.
    pub body: Vec<u8>,
}

/// Lets any web page read the response: managers also run in browsers.
const CORS: [(&str, &str); 4] = [
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "POST, GET, OPTIONS"),
    (
        "Access-Control-Allow-Headers",
        "Content-Type, Sender, Receiver",
    ),
    ("Access-Control-Allow-Age", "86400"),
];

impl Response {
    /// A response without further headers.
    pub fn new(status: Status, content_type: &'static str, body: impl Into<Vec<u8>>) -> Response {
        Response {
            status,
            content_type,
            headers: Vec::new(),
            body: body.into(),
        }
    }

    /// A response as GGP managers expect it.
    pub(crate) fn acl(status: Status, text: String) -> Response {
        Response {
            headers: CORS.map(|(name, value)| (name, value.into())).to_vec(),
            ..Response::new(status, "text/acl", text)
        }
    }

    /// The bytes to be sent.
    pub(crate) fn to_bytes(&self, delivery: Delivery) -> Vec<u8> {
        let (version, connection) = match delivery.stays {
            true => ("1.1", "keep-alive"),
            false => ("1.0", "close"),
        };
        let (status, content_type, length) = (self.status, self.content_type, self.body.len());
        let mut head = format!(
            "HTTP/{version} {status}\r\nContent-type: {content_type}\r\nContent-length: {length}\r\n"
        );
        for (name, value) in &self.headers {
            debug_assert!(!value.contains(['\r', '\n']), "a header is one line");
            head.extend([name, ": ", value, "\r\n"]);
        }
        head.extend(["Connection: ", connection, "\r\n\r\n"]);
        let mut bytes = head.into_bytes();
        if delivery.has_body {
            bytes.extend_from_slice(&self.body);
        }
        bytes
    }
}

/// How a response is sent.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Delivery {
    /// Whether the connection stays open for more requests.
    pub(crate) stays: bool,
    /// Whether the body is sent; it is not in response to `HEAD`.
    pub(crate) has_body: bool,
}

/// Why a request reaches no handler.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error("the request is not HTTP")]
    Malformed,
    #[error("the body is too large")]
    TooLarge,
    #[error("the requests of all peers are too large together")]
    Crowded,
    #[error("the head is too large")]
    HeadTooLarge,
    #[error("the transfer encoding is not known")]
    Encoded,
    #[error("the request took too long to arrive")]
    Late,
    #[error("no route has this path")]
    NotFound,
    /// The path has routes, but only for the methods given.
    #[error("no route has this method")]
    Method(Vec<Method>),
    /// The peer is gone, and cannot be answered.
    #[error("the connection broke off")]
    Gone(#[from] std::io::Error),
}

impl Refused {
    /// The response, if the peer is still there. Its form is that of GGP, as the route may not
    /// be known yet.
    pub(crate) fn response(&self) -> Option<Response> {
        let status = match self {
            Refused::Malformed => Status::BAD_REQUEST,
            Refused::TooLarge => Status::CONTENT_TOO_LARGE,
            Refused::Crowded => Status::UNAVAILABLE,
            Refused::HeadTooLarge => Status::HEAD_TOO_LARGE,
            Refused::Encoded => Status::NOT_IMPLEMENTED,
            Refused::Late => Status::REQUEST_TIMEOUT,
            Refused::NotFound => Status::NOT_FOUND,
            Refused::Method(_) => Status::METHOD_NOT_ALLOWED,
            Refused::Gone(_) => return None,
        };
        let mut response = Response::acl(status, String::new());
        if let Refused::Method(allowed) = self {
            let names: Vec<&str> = allowed.iter().map(|it| it.name()).collect();
            response.headers.push(("Allow", names.join(", ").into()));
        }
        Some(response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ggp_peers_get_these_bytes() {
        let response = Response::acl(Status::OK, "ready".to_string());
        let delivery = Delivery {
            stays: false,
            has_body: true,
        };
        let wanted = "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: 5\r\n\
                      Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, \
                      OPTIONS\r\nAccess-Control-Allow-Headers: Content-Type, Sender, Receiver\r\n\
                      Access-Control-Allow-Age: 86400\r\nConnection: close\r\n\r\nready";
        let bytes = response.to_bytes(delivery);
        assert_eq!(String::from_utf8_lossy(&bytes), wanted);
        let stays = response.to_bytes(Delivery {
            stays: true,
            ..delivery
        });
        let wanted = wanted.replace("1.0", "1.1").replace("close", "keep-alive");
        assert_eq!(String::from_utf8_lossy(&stays), wanted);
    }

    #[test]
    fn a_head_has_the_length_of_the_body_it_leaves_out() {
        let page = Response::new(Status::OK, "text/html", "<p>");
        let bytes = page.to_bytes(Delivery {
            stays: true,
            has_body: false,
        });
        let wanted = "HTTP/1.1 200 OK\r\nContent-type: text/html\r\nContent-length: 3\r\n\
                      Connection: keep-alive\r\n\r\n";
        assert_eq!(String::from_utf8_lossy(&bytes), wanted);
    }
}
