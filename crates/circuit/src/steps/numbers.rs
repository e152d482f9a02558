//! Numbers in every lane, as digits, and sums of them by gates.

use crate::net::{Net, Wire};
use std::collections::VecDeque;

/// A number in every lane.
#[derive(Clone, Debug, Default)]
pub(super) struct Number {
    /// The lowest first.
    pub(super) digits: Vec<Wire>,
    /// No lane has more.
    pub(super) most: u64,
}

impl Number {
    /// Digits that make no more than `most`: those of higher places are always 0.
    pub(super) fn new(mut digits: Vec<Wire>, most: u64) -> Number {
        digits.truncate(places(most));
        Number { digits, most }
    }

    pub(super) fn digit(&self, place: usize) -> Wire {
        self.digits.get(place).copied().unwrap_or(Wire::FALSE)
    }
}

/// How many digits a number has.
pub(super) fn places(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

/// The number of each lane, out of those of disjoint lanes.
pub(super) fn select(net: &mut Net, numbers: &[(&Number, Wire)]) -> Number {
    let most = numbers.iter().map(|(number, _)| number.most).max();
    let most = most.unwrap_or(0);
    let digit = |place: usize| {
        let digits = numbers
            .iter()
            .map(|&(number, mask)| net.and(number.digit(place), mask))
            .collect();
        net.any(digits)
    };
    Number::new((0..places(most)).map(digit).collect(), most)
}

/// The sum of some numbers: three digits of a place become one, and one of the next place.
pub(super) fn sum(net: &mut Net, numbers: &[Number]) -> Number {
    let most = numbers.iter().map(|number| number.most).sum();
    let mut sum = Vec::new();
    let mut carried = VecDeque::new();
    for place in 0..places(most) {
        let mut digits = std::mem::take(&mut carried);
        digits.extend(numbers.iter().filter_map(|number| number.digits.get(place)));
        while digits.len() > 1 {
            let three = [0; 3].map(|_| digits.pop_front().unwrap_or(Wire::FALSE));
            let (digit, carry) = full_add(net, three[0], three[1], three[2]);
            digits.push_back(digit);
            carried.push_back(carry);
        }
        sum.push(digits.pop_front().unwrap_or(Wire::FALSE));
    }
    Number::new(sum, most)
}

pub(super) fn add(net: &mut Net, left: &Number, right: &Number) -> Number {
    let most = left.most + right.most;
    let mut carry = Wire::FALSE;
    let mut sum = Vec::new();
    for place in 0..places(most) {
        let added = full_add(net, left.digit(place), right.digit(place), carry);
        sum.push(added.0);
        carry = added.1;
    }
    Number::new(sum, most)
}

/// The sum of three digits, and what is carried.
pub(super) fn full_add(net: &mut Net, a: Wire, b: Wire, c: Wire) -> (Wire, Wire) {
    let half = net.xor(a, b);
    let both = net.and(a, b);
    let more = net.and(half, c);
    (net.xor(half, c), net.or(both, more))
}
