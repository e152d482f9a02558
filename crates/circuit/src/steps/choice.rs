//! A random legal move in every lane, as gates.
//!
//! Moves are the leaves of a binary tree whose nodes count the legal moves below them, each
//! count a few binary digits. The root has the number C of legal moves. A random number U of
//! K bits gives the rank r = ⌊U·C / 2^K⌋ of the move to be done, and the way down to it is
//! found level by level: left if r is smaller than the count there, else right with the rest.
//! A lane is at one node of a level only, so one rank serves all nodes of a level.
//!
//! Many moves are put into groups of the same size, which are the leaves of that tree. The
//! moves of the group a lane has arrived at are brought to the same places for all groups,
//! and one small tree finds the place.
//!
//! K is [`PRECISION`] more than the digits of C, so the chance of a move is off by a factor
//! of at most 2^-PRECISION. With weights, counts are sums of weights.

use crate::net::{Net, Wire};
use std::collections::VecDeque;

/// How many random bits are drawn beyond those the count needs.
const PRECISION: usize = 10;
/// From so many moves on there are groups.
const MANY: usize = 64;

/// A number in every lane.
#[derive(Clone, Debug, Default)]
struct Number {
    /// The lowest first.
    digits: Vec<Wire>,
    /// No lane has more.
    most: u64,
}

impl Number {
    /// Digits that make no more than `most`: those of higher places are always 0.
    fn new(mut digits: Vec<Wire>, most: u64) -> Number {
        digits.truncate(places(most));
        Number { digits, most }
    }

    fn digit(&self, place: usize) -> Wire {
        self.digits.get(place).copied().unwrap_or(Wire::FALSE)
    }
}

/// How many digits a number has.
fn places(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

/// A choice among some moves.
pub(crate) struct Choice {
    /// Where each move is done: exactly one wherever one is legal.
    pub(crate) done: Vec<Wire>,
    /// Where no move is legal.
    pub(crate) none: Wire,
}

/// Chooses among moves, given where they are legal and their weights, at least 1 each. Random
/// bits are inputs from `random` on, which is moved past those that are used.
pub(crate) fn choose(net: &mut Net, legal: &[Wire], weights: &[u32], random: &mut usize) -> Choice {
    let mut leaves = Vec::new();
    let mut counts = Vec::new();
    for (number, (&legal, &weight)) in legal.iter().zip(weights).enumerate() {
        if legal != Wire::FALSE {
            leaves.push(number);
            counts.push(weighted(legal, weight));
        }
    }
    let mut done = vec![Wire::FALSE; legal.len()];
    if let [only] = leaves[..] {
        done[only] = Wire::TRUE;
        return Choice {
            done,
            none: legal[only].negated(),
        };
    }
    let groups: Vec<&[Number]> = counts.chunks(group_size(counts.len())).collect();
    let sums = groups.iter().map(|group| sum(net, group)).collect();
    let levels = count(net, sums);
    let total = &levels[levels.len() - 1][0];
    let mut rank = draw(net, total, random);
    let none = net.any(total.digits.clone()).negated();
    let masks = descend(net, &levels, &mut rank);
    let masks = match groups.iter().any(|group| group.len() > 1) {
        true => within(net, &groups, &masks, rank),
        false => masks,
    };
    for (mask, leaf) in masks.into_iter().zip(leaves) {
        done[leaf] = mask;
    }
    Choice { done, none }
}

/// How many moves make a group: about twice the square root, but 1 if there are few.
fn group_size(moves: usize) -> usize {
    match moves < MANY {
        true => 1,
        false => 1 << ((moves.ilog2() + 2) / 2),
    }
}

/// The lanes of each move, given those of its group and the rank in it.
fn within(net: &mut Net, groups: &[&[Number]], masks: &[Wire], mut rank: Vec<Wire>) -> Vec<Wire> {
    let places = groups.iter().map(|group| group.len()).max().unwrap_or(0);
    let mut counts = Vec::with_capacity(places);
    for place in 0..places {
        let here: Vec<(&Number, Wire)> = (groups.iter().zip(masks))
            .filter_map(|(group, &mask)| Some((group.get(place)?, mask)))
            .collect();
        counts.push(select(net, &here));
    }
    let levels = count(net, counts);
    let chosen = descend(net, &levels, &mut rank);
    let mut done = Vec::new();
    for (group, &mask) in groups.iter().zip(masks) {
        done.extend(
            chosen
                .iter()
                .take(group.len())
                .map(|&place| net.and(mask, place)),
        );
    }
    done
}

/// The number of each lane, out of those of disjoint lanes.
fn select(net: &mut Net, numbers: &[(&Number, Wire)]) -> Number {
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
fn sum(net: &mut Net, numbers: &[Number]) -> Number {
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

/// How many random words a choice among moves of these weights needs at most.
pub(crate) fn most_random(weights: &[u32]) -> usize {
    let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
    places(total) + PRECISION
}

fn weighted(legal: Wire, weight: u32) -> Number {
    let most = u64::from(weight);
    let digit = |place| {
        if most >> place & 1 == 1 {
            legal
        } else {
            Wire::FALSE
        }
    };
    Number::new((0..places(most)).map(digit).collect(), most)
}

/// The counts of all levels, from the leaves to the root; the last of an odd number is alone.
fn count(net: &mut Net, leaves: Vec<Number>) -> Vec<Vec<Number>> {
    let mut levels = vec![leaves];
    loop {
        let below = &levels[levels.len() - 1];
        if below.len() < 2 {
            break;
        }
        let pairs = below.chunks(2).map(|pair| match pair {
            [left, right] => add(net, left, right),
            _ => pair[0].clone(),
        });
        levels.push(pairs.collect());
    }
    if levels[0].is_empty() {
        levels[0].push(Number::default());
    }
    levels
}

fn add(net: &mut Net, left: &Number, right: &Number) -> Number {
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
fn full_add(net: &mut Net, a: Wire, b: Wire, c: Wire) -> (Wire, Wire) {
    let half = net.xor(a, b);
    let both = net.and(a, b);
    let more = net.and(half, c);
    (net.xor(half, c), net.or(both, more))
}

/// The rank: ⌊U·C / 2^K⌋ for random U of K bits. The product is built from the lowest bit of
/// U upwards and shifted down each time: the digits that fall off are not needed. Nor are
/// products of two low digits, which count for less than 2^-PRECISION together.
fn draw(net: &mut Net, count: &Number, random: &mut usize) -> Vec<Wire> {
    let most = count.most;
    let count = &count.digits;
    let mut rank = vec![Wire::FALSE; count.len()];
    let bits = count.len() + PRECISION;
    for bit in 0..bits {
        let drawn = net.input(*random);
        *random += 1;
        let mut carry = Wire::FALSE;
        for place in 0..count.len() {
            // The weight of this product is 2^(bit + place - bits).
            let counts = bit + place + 1 >= count.len();
            let addend = if counts {
                net.and(count[place], drawn)
            } else {
                Wire::FALSE
            };
            let sum;
            (sum, carry) = full_add(net, rank[place], addend, carry);
            if place > 0 {
                rank[place - 1] = sum;
            }
        }
        if let Some(highest) = rank.last_mut() {
            *highest = carry;
        }
    }
    rank.truncate(places(most.saturating_sub(1)));
    rank
}

/// The lanes that arrive at each leaf.
fn descend(net: &mut Net, levels: &[Vec<Number>], rank: &mut Vec<Wire>) -> Vec<Wire> {
    let mut masks = vec![Wire::TRUE];
    for level in levels.iter().rev().skip(1) {
        let most = level.iter().map(|number| number.most).max().unwrap_or(0);
        let below = match most {
            1 => split_single(net, level, &masks, rank.first().copied()),
            _ => split(net, level, &masks, rank),
        };
        rank.truncate(places(most.saturating_sub(1)));
        masks = below;
    }
    masks
}

/// Divides the lanes of each node among its children, where a rank has one digit: left where
/// that is legal and the rank is 0.
fn split_single(net: &mut Net, level: &[Number], masks: &[Wire], rank: Option<Wire>) -> Vec<Wire> {
    let first = rank.unwrap_or(Wire::FALSE).negated();
    let mut below = Vec::with_capacity(level.len());
    for (pair, &mask) in level.chunks(2).zip(masks) {
        if pair.len() < 2 {
            below.push(mask);
            continue;
        }
        let left = net.and(pair[0].digit(0), first);
        let left = net.and(mask, left);
        below.extend([left, net.and(mask, left.negated())]);
    }
    below
}

/// Divides the lanes of each node among its children, and takes the left count off the rank
/// where a lane goes right.
fn split(net: &mut Net, level: &[Number], masks: &[Wire], rank: &mut [Wire]) -> Vec<Wire> {
    let pairs = level
        .chunks(2)
        .zip(masks)
        .filter(|(pair, _)| pair.len() == 2);
    let left: Vec<(&Number, Wire)> = pairs.map(|(pair, &mask)| (&pair[0], mask)).collect();
    let counts = select(net, &left);
    let mut borrow = Wire::FALSE;
    let mut changes = Vec::with_capacity(rank.len());
    for (place, &digit) in rank.iter().enumerate() {
        let count = counts.digit(place);
        let change = net.xor(count, borrow);
        changes.push(change);
        // A digit is borrowed where the rank's is 0 and something is taken, or both are taken.
        let both = net.and(count, borrow);
        let either = net.and(change, digit.negated());
        borrow = net.or(both, either);
    }
    let left = borrow;
    for (digit, change) in rank.iter_mut().zip(changes) {
        let change = net.and(change, left.negated());
        *digit = net.xor(*digit, change);
    }
    let mut below = Vec::with_capacity(level.len());
    for (pair, &mask) in level.chunks(2).zip(masks) {
        match pair.len() {
            2 => below.extend([net.and(mask, left), net.and(mask, left.negated())]),
            _ => below.push(mask),
        }
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::plan::Plan;
    use crate::kernel::portable::Portable;
    use crate::lanes::random::Random;

    /// Lanes of the tests.
    const P: usize = 8;
    type Word = [u64; P];

    /// A choice among so many moves, as gates over their legality and random words.
    struct Sampler {
        portable: Portable,
        memory: Vec<Word>,
        moves: usize,
        inputs: usize,
        random: Random,
    }

    impl Sampler {
        fn new(weights: &[u32]) -> Sampler {
            let moves = weights.len();
            let mut net = Net::default();
            let legal: Vec<Wire> = (0..moves).map(|number| net.input(number)).collect();
            let mut inputs = moves;
            let choice = choose(&mut net, &legal, weights, &mut inputs);
            let outputs: Vec<Wire> = [choice.none].into_iter().chain(choice.done).collect();
            let portable = Portable::new(&Plan::new(&net, inputs, &outputs));
            Sampler {
                memory: vec![[0; P]; portable.slots()],
                portable,
                moves,
                inputs,
                random: Random::new(7),
            }
        }

        /// Where no move is legal, and where each is done.
        fn choose(&mut self, legal: &[Word]) -> (Word, Vec<Word>) {
            self.memory[1..=self.moves].copy_from_slice(legal);
            let drawn = &mut self.memory[1 + self.moves..1 + self.inputs];
            self.random.fill(drawn.as_flattened_mut());
            self.portable.run(&mut self.memory);
            let outputs = &self.memory[1 + self.inputs..];
            (outputs[0], outputs[1..=self.moves].to_vec())
        }
    }

    fn lane(word: &Word, lane: usize) -> bool {
        word[lane / 64] >> (lane % 64) & 1 == 1
    }

    #[test]
    fn exactly_one_legal_move_is_done_where_there_is_one() {
        for moves in [1, 2, 3, 7, 8, 20, 63, 64, 65, 100, 300] {
            let mut sampler = Sampler::new(&vec![1; moves]);
            for sparse in 0..6 {
                let mut random = Random::new(sparse);
                let mut legal = vec![[u64::MAX; P]; moves];
                for _ in 0..sparse {
                    let mut mask = vec![[0; P]; moves];
                    random.fill(mask.as_flattened_mut());
                    for (legal, mask) in
                        legal.as_flattened_mut().iter_mut().zip(mask.as_flattened())
                    {
                        *legal &= mask;
                    }
                }
                let (none, done) = sampler.choose(&legal);
                for it in 0..64 * P {
                    let any = legal.iter().any(|word| lane(word, it));
                    assert_eq!(lane(&none, it), !any);
                    let chosen: Vec<usize> = (0..moves)
                        .filter(|&number| lane(&done[number], it))
                        .collect();
                    if any {
                        assert_eq!(chosen.len(), 1, "{moves} moves");
                        assert!(lane(&legal[chosen[0]], it), "{moves} moves");
                    }
                }
            }
        }
    }

    /// Chi-square of what is done against what the weights of the legal moves promise. With k
    /// moves it has k - 1 degrees of freedom; what the threshold is exceeded with is below
    /// 1e-9 for each case (Wilson-Hilferty), and the seed is fixed besides.
    fn is_proportional(weights: &[u32], legal: &[bool], rounds: usize) {
        let words: Vec<Word> = legal
            .iter()
            .map(|&it| [0u64.wrapping_sub(u64::from(it)); P])
            .collect();
        let mut sampler = Sampler::new(weights);
        let mut counts = vec![0u64; weights.len()];
        for _ in 0..rounds {
            let (_, done) = sampler.choose(&words);
            for (count, done) in counts.iter_mut().zip(done) {
                *count += done
                    .iter()
                    .map(|part| u64::from(part.count_ones()))
                    .sum::<u64>();
            }
        }
        let total: u32 = weights
            .iter()
            .zip(legal)
            .filter(|(_, legal)| **legal)
            .map(|(it, _)| it)
            .sum();
        let drawn = (rounds * 64 * P) as f64;
        let mut statistic = 0.0;
        let mut moves = 0.0;
        for number in (0..weights.len()).filter(|&number| legal[number]) {
            let expected = drawn * f64::from(weights[number]) / f64::from(total);
            statistic += (counts[number] as f64 - expected).powi(2) / expected;
            moves += 1.0;
        }
        let freedom = f64::max(moves - 1.0, 1.0);
        let spread = 2.0 / (9.0 * freedom);
        let threshold = freedom * (1.0 - spread + 6.1 * f64::sqrt(spread)).powi(3);
        assert!(
            statistic < threshold,
            "{statistic} > {threshold}: {counts:?}"
        );
    }

    #[test]
    fn choices_are_uniform() {
        for set in 1u32..32 {
            let legal: Vec<bool> = (0..5).map(|it| set >> it & 1 == 1).collect();
            is_proportional(&[1; 5], &legal, 200);
        }
        for moves in [9, 40, 100, 257] {
            is_proportional(&vec![1; moves], &vec![true; moves], 400);
            let legal: Vec<bool> = (0..moves).map(|it| it % 7 == 3 || it % 5 == 0).collect();
            is_proportional(&vec![1; moves], &legal, 400);
        }
    }

    #[test]
    fn choices_follow_weights() {
        is_proportional(&[1, 2, 3, 4], &[true; 4], 400);
        is_proportional(
            &[5, 1, 7, 1, 1, 30],
            &[true, false, true, true, true, false],
            400,
        );
        let weights: Vec<u32> = (0..90).map(|it| 1 + it % 6).collect();
        is_proportional(&weights, &[true; 90], 400);
    }
}
