//! What master and worker say, as bytes: a byte for the kind, and then its parts in order.

use crate::bytes::{Garbled, Reader, Writer};
use game::{BitsBuf, MoveId};
use players::ary::{Report, RootMove};
use players::kit::{Estimate, Values};
use players::{Answer, Begin, Limit, Order};
use std::time::Duration;

/// The number of this form of messages: it changes when the form does.
pub const PROTOCOL: u32 = 1;

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A worker says which form of messages it speaks, and which build it is.
    Hello {
        /// Its [`PROTOCOL`].
        protocol: u32,
        /// Its build.
        build: String,
    },
    /// A worker is busy, and alive.
    Alive,
    /// The master orders something.
    Order(Order),
    /// A worker answers.
    Answer(Answer),
}

/// The kinds, as their first byte.
mod kind {
    pub(super) const HELLO: u8 = b'H';
    pub(super) const ALIVE: u8 = b'L';
    pub(super) const BEGIN: u8 = b'B';
    pub(super) const SEARCH: u8 = b'S';
    pub(super) const EVALUATE: u8 = b'E';
    pub(super) const READY: u8 = b'R';
    pub(super) const REFUSED: u8 = b'N';
    pub(super) const FOUND: u8 = b'F';
    pub(super) const VALUES: u8 = b'V';
}

impl Message {
    /// The message as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut to = Writer::default();
        match self {
            Message::Hello { protocol, build } => {
                to.byte(kind::HELLO);
                to.u32(*protocol);
                to.text(build);
            }
            Message::Alive => to.byte(kind::ALIVE),
            Message::Order(order) => write_order(order, &mut to),
            Message::Answer(answer) => write_answer(answer, &mut to),
        }
        to.done()
    }

    /// The message that bytes are.
    pub fn read(bytes: &[u8]) -> Result<Message, Garbled> {
        let mut from = Reader::new(bytes);
        let message = match from.byte()? {
            kind::HELLO => Message::Hello {
                protocol: from.u32()?,
                build: from.text()?,
            },
            kind::ALIVE => Message::Alive,
            kind::BEGIN => Message::Order(Order::Begin(read_begin(&mut from)?)),
            kind::SEARCH => Message::Order(Order::Search {
                number: from.u64()?,
                state: read_state(&mut from)?,
                limit: read_limit(&mut from)?,
                most: from.u32()?,
            }),
            kind::EVALUATE => Message::Order(Order::Evaluate {
                ticket: from.u64()?,
                states: from.list(4, read_state)?,
                limit: read_limit(&mut from)?,
            }),
            kind::READY => Message::Answer(Answer::Ready),
            kind::REFUSED => Message::Answer(Answer::Refused(from.text()?)),
            kind::FOUND => Message::Answer(Answer::Found {
                number: from.u64()?,
                report: read_report(&mut from)?,
            }),
            kind::VALUES => Message::Answer(Answer::Values {
                ticket: from.u64()?,
                estimates: from.list(13, read_estimate)?,
            }),
            _ => return Err(Garbled("unknown kind")),
        };
        from.end()?;
        Ok(message)
    }
}

fn write_order(order: &Order, to: &mut Writer) {
    match order {
        Order::Begin(begin) => {
            to.byte(kind::BEGIN);
            to.text(&begin.rules);
            to.u64(begin.fingerprint);
            to.text(&begin.options);
            to.u32(begin.role);
            to.u64(begin.seed);
            to.u32(begin.threads);
        }
        Order::Search {
            number,
            state,
            limit,
            most,
        } => {
            to.byte(kind::SEARCH);
            to.u64(*number);
            write_state(state, to);
            write_limit(*limit, to);
            to.u32(*most);
        }
        Order::Evaluate {
            ticket,
            states,
            limit,
        } => {
            to.byte(kind::EVALUATE);
            to.u64(*ticket);
            to.length(states.len());
            states.iter().for_each(|it| write_state(it, to));
            write_limit(*limit, to);
        }
    }
}

fn write_answer(answer: &Answer, to: &mut Writer) {
    match answer {
        Answer::Ready => to.byte(kind::READY),
        Answer::Refused(reason) => {
            to.byte(kind::REFUSED);
            to.text(reason);
        }
        Answer::Found { number, report } => {
            to.byte(kind::FOUND);
            to.u64(*number);
            write_report(report, to);
        }
        Answer::Values { ticket, estimates } => {
            to.byte(kind::VALUES);
            to.u64(*ticket);
            to.length(estimates.len());
            estimates.iter().for_each(|it| write_estimate(it, to));
        }
    }
}

fn read_begin(from: &mut Reader<'_>) -> Result<Begin, Garbled> {
    Ok(Begin {
        rules: from.text()?,
        fingerprint: from.u64()?,
        options: from.text()?,
        role: from.u32()?,
        seed: from.u64()?,
        threads: from.u32()?,
    })
}

fn write_state(state: &BitsBuf, to: &mut Writer) {
    to.length(state.words().len());
    state.words().iter().for_each(|&it| to.u64(it));
}

fn read_state(from: &mut Reader<'_>) -> Result<BitsBuf, Garbled> {
    Ok(from.list(8, Reader::u64)?.into())
}

fn write_limit(limit: Limit, to: &mut Writer) {
    let (is_time, number) = match limit {
        Limit::Iterations(count) => (0, count),
        Limit::Time(time) => (1, time.as_micros().try_into().unwrap_or(u64::MAX)),
    };
    to.byte(is_time);
    to.u64(number);
}

/// Nobody thinks longer than this: a greater time could not be added to a clock.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

fn read_limit(from: &mut Reader<'_>) -> Result<Limit, Garbled> {
    let is_time = from.flag()?;
    let number = from.u64()?;
    match is_time {
        false => Ok(Limit::Iterations(number)),
        true => Ok(Limit::Time(Duration::from_micros(number).min(LONGEST))),
    }
}

fn write_report(report: &Report, to: &mut Writer) {
    to.length(report.moves.len());
    for it in &report.moves {
        to.u32(it.action.index() as u32);
        to.u64(it.visits);
        to.f64(it.sum);
        to.byte(u8::from(it.closed));
    }
    to.byte(u8::from(report.known.is_some()));
    if let Some((action, value)) = report.known {
        to.u32(action.index() as u32);
        to.f64(value);
    }
    to.byte(u8::from(report.proven));
    to.u64(report.playouts);
    to.u64(report.iterations);
}

fn read_report(from: &mut Reader<'_>) -> Result<Report, Garbled> {
    let moves = from.list(21, |from| {
        Ok(RootMove {
            action: MoveId::new(from.u32()? as usize),
            visits: from.u64()?,
            sum: from.f64()?,
            closed: from.flag()?,
        })
    })?;
    let known = match from.flag()? {
        true => Some((MoveId::new(from.u32()? as usize), from.f64()?)),
        false => None,
    };
    Ok(Report {
        moves,
        known,
        proven: from.flag()?,
        playouts: from.u64()?,
        iterations: from.u64()?,
    })
}

/// Moves that were counted stay where they were: nobody asks for them over a wire.
fn write_estimate(estimate: &Estimate, to: &mut Writer) {
    for values in [&estimate.values, &estimate.highest] {
        to.length(values.len());
        values.iter().for_each(|&it| to.f32(it));
    }
    to.f32(estimate.weight);
    to.byte(u8::from(estimate.over));
}

fn read_estimate(from: &mut Reader<'_>) -> Result<Estimate, Garbled> {
    let mut values = || -> Result<Values, Garbled> { Ok(from.list(4, Reader::f32)?.into()) };
    let (values, highest) = (values()?, values()?);
    Ok(Estimate {
        values,
        highest,
        weight: from.f32()?,
        over: from.flag()?,
        moves: None,
    })
}
