//! Messages as bytes and back, and bytes that are no messages.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use cluster::{MOST_BYTES, Message, read_frame, write_frame};
use game::{BitsBuf, MoveId};
use players::ary::{Report, RootMove};
use players::kit::Estimate;
use players::{Answer, Begin, Limit, Order};
use proptest::prelude::*;
use std::io::{Cursor, ErrorKind};
use std::time::Duration;

fn state() -> impl Strategy<Value = BitsBuf> {
    proptest::collection::vec(any::<u64>(), 0..5).prop_map(BitsBuf::from)
}

fn limit() -> impl Strategy<Value = Limit> {
    prop_oneof![
        any::<u64>().prop_map(Limit::Iterations),
        (0..1_000_000_u64).prop_map(|it| Limit::Time(Duration::from_micros(it))),
    ]
}

fn order() -> impl Strategy<Value = Order> {
    let begin = (any::<String>(), any::<[u64; 2]>(), any::<[u32; 2]>());
    prop_oneof![
        begin.prop_map(|(rules, [fingerprint, seed], [role, threads])| {
            Order::Begin(Begin {
                options: "c=0.5".to_string(),
                rules,
                fingerprint,
                role,
                seed,
                threads,
            })
        }),
        (any::<u64>(), state(), limit(), any::<u32>()).prop_map(|(number, state, limit, most)| {
            Order::Search {
                number,
                state,
                limit,
                most,
            }
        }),
        (
            any::<u64>(),
            proptest::collection::vec(state(), 0..4),
            limit()
        )
            .prop_map(|(ticket, states, limit)| Order::Evaluate {
                ticket,
                states,
                limit,
            }),
    ]
}

fn report() -> impl Strategy<Value = Report> {
    let one = (any::<u32>(), any::<u64>(), -1e9..1e9, any::<bool>());
    let one = one.prop_map(|(action, visits, sum, closed)| RootMove {
        action: MoveId::new(action as usize),
        visits,
        sum,
        closed,
    });
    let moves = proptest::collection::vec(one, 0..5);
    let known = proptest::option::of((any::<u32>(), 0.0..1.0));
    (moves, known, any::<bool>(), any::<[u64; 2]>()).prop_map(
        |(moves, known, proven, [playouts, iterations])| Report {
            known: known.map(|it| (MoveId::new(it.0 as usize), it.1)),
            moves,
            proven,
            playouts,
            iterations,
        },
    )
}

fn estimate() -> impl Strategy<Value = Estimate> {
    let values = || proptest::collection::vec(0.0_f32..1.0, 0..4);
    (values(), values(), 0.0_f32..1e6, any::<bool>()).prop_map(|(values, highest, weight, over)| {
        Estimate {
            values: values.into(),
            highest: highest.into(),
            weight,
            over,
            moves: None,
        }
    })
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        (any::<u32>(), any::<String>())
            .prop_map(|(protocol, build)| Message::Hello { protocol, build }),
        Just(Message::Alive),
        order().prop_map(Message::Order),
        Just(Message::Answer(Answer::Ready)),
        any::<String>().prop_map(|it| Message::Answer(Answer::Refused(it))),
        (any::<u64>(), report())
            .prop_map(|(number, report)| Message::Answer(Answer::Found { number, report })),
        (any::<u64>(), proptest::collection::vec(estimate(), 0..4))
            .prop_map(|(ticket, estimates)| Message::Answer(Answer::Values { ticket, estimates })),
    ]
}

proptest! {
    #[test]
    fn messages_come_back(message in message()) {
        let bytes = message.bytes();
        prop_assert_eq!(&Message::read(&bytes), &Ok(message));
        // A part of a message, and one with more behind it, are none.
        for end in 0..bytes.len() {
            prop_assert!(Message::read(&bytes[..end]).is_err());
        }
        let longer = [&bytes[..], &[0]].concat();
        prop_assert!(Message::read(&longer).is_err());
    }

    #[test]
    fn bytes_never_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), kind in 0..9_usize) {
        if let Some(first) = bytes.first_mut() {
            *first = b"HLBSERNFV"[kind];
        }
        let _ = Message::read(&bytes);
        let _ = read_frame(&mut Cursor::new(bytes));
    }

    #[test]
    fn changed_messages_are_noticed(message in message(), place: usize, bit in 0..8_u8) {
        let mut frame = Vec::new();
        write_frame(&mut frame, &message.bytes()).unwrap();
        let place = place % frame.len();
        frame[place] ^= 1 << bit;
        let read = read_frame(&mut Cursor::new(&frame));
        prop_assert!(read.is_err() || read.unwrap() != Some(message.bytes()));
    }
}

#[test]
fn frames_end_between_messages_and_have_limits() {
    let mut stream = Vec::new();
    write_frame(&mut stream, b"one").unwrap();
    write_frame(&mut stream, b"").unwrap();
    let mut from = Cursor::new(&stream);
    assert_eq!(read_frame(&mut from).unwrap().as_deref(), Some(&b"one"[..]));
    assert_eq!(read_frame(&mut from).unwrap().as_deref(), Some(&b""[..]));
    assert_eq!(read_frame(&mut from).unwrap(), None);
    let cut = read_frame(&mut Cursor::new(&stream[..14])).unwrap_err();
    assert_eq!(cut.kind(), ErrorKind::UnexpectedEof);
    // What is announced is neither believed nor made room for.
    let huge = [u32::MAX.to_le_bytes(); 5].concat();
    let huge = read_frame(&mut Cursor::new(&huge)).unwrap_err();
    assert_eq!(huge.kind(), ErrorKind::InvalidData);
    let long = write_frame(&mut Vec::new(), &vec![0; MOST_BYTES + 1]);
    assert_eq!(long.unwrap_err().kind(), ErrorKind::InvalidInput);
}
