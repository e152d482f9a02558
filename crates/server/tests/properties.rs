//! Property tests on random requests: noise, and texts made of the pieces of requests.

#[path = "properties/mod.rs"]
mod properties;

use proptest::prelude::*;

/// Pieces of requests and messages, and some that do not belong there.
const PIECES: &[&str] = &[
    "POST / HTTP/1.1\r\n",
    "POST / HTTP/1.0\n",
    "GET /(info) HTTP/1.0\r\n",
    "GET /%28info%29 HTTP/1.1\r\n",
    "OPTIONS * HTTP/1.1\r\n",
    "Content-Length: 6\r\n",
    "content-length: 5\r\n",
    "Content-Length: +6\r\n",
    "Content-Length: 300\r\n",
    "Content-Length: 18446744073709551615\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: gzip\r\n",
    "Connection: keep-alive\r\n",
    "Expect: 100-continue\r\n",
    "X: y\r\n",
    "\r\n",
    "\n",
    "6\r\n(info)\r\n",
    "3;a=b\r\n(é\r\n",
    "0\r\n\r\n",
    "ffffffffffffffff\r\n",
    "(info)",
    "( PLAY m NIL )",
    "(PLAY m 1 noop ((see a) b))",
    "(START m x ((role x)) 1 1)",
    "(STOP m",
    "é",
    "\0",
    "(",
    ")",
    " ",
];

fn requests() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..20);
    pieces.prop_map(|pieces| pieces.concat().into_bytes())
}

fn noise() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..2000)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wire_never_panics(bytes in prop_oneof![8 => requests(), 1 => noise()]) {
        properties::wire_never_panics(&bytes);
    }
}
