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
//! Weights may be constants or inputs.

use crate::net::{Net, Wire};
use crate::steps::numbers::{Number, add, full_add, places, select, sum};

/// How many random bits are drawn beyond those the count needs.
const PRECISION: usize = 10;
/// From so many moves on there are groups.
const MANY: usize = 64;

/// A choice among some moves.
pub(crate) struct Choice {
    /// Where each move is done: exactly one wherever one is legal.
    pub(crate) done: Vec<Wire>,
    /// Where no move is legal.
    pub(crate) none: Wire,
}

/// A move to choose among.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) legal: Wire,
    /// The digits of its weight, the lowest first: a weight is at least 1.
    pub(crate) weight: Vec<Wire>,
}

impl Candidate {
    /// A move that weighs 1.
    pub(crate) fn even(legal: Wire) -> Candidate {
        Candidate {
            legal,
            weight: vec![Wire::TRUE],
        }
    }

    fn weight(&self) -> Number {
        Number::new(self.weight.clone(), highest(self.weight.len()))
    }

    /// The weight where the move is legal, 0 elsewhere.
    fn count(&self, net: &mut Net) -> Number {
        let digits = self.weight.iter().map(|&it| net.and(self.legal, it));
        Number::new(digits.collect(), highest(self.weight.len()))
    }
}

/// The highest number of so many binary digits.
fn highest(digits: usize) -> u64 {
    (1 << digits) - 1
}

/// How many random words a choice among so many moves needs at most, with weights of so many
/// digits.
pub(crate) fn most_random(moves: usize, digits: usize) -> usize {
    places(moves as u64 * highest(digits)) + PRECISION
}

/// Chooses a legal move with a chance in proportion to its weight. Random bits are inputs from
/// `random` on, which is moved past those that are used.
pub(crate) fn choose(net: &mut Net, moves: &[Candidate], random: &mut usize) -> Choice {
    let possible = |number: &usize| moves[*number].legal != Wire::FALSE;
    let leaves: Vec<usize> = (0..moves.len()).filter(possible).collect();
    let mut done = vec![Wire::FALSE; moves.len()];
    if let [only] = leaves[..] {
        done[only] = Wire::TRUE;
        return Choice {
            done,
            none: moves[only].legal.negated(),
        };
    }
    let possible: Vec<&Candidate> = leaves.iter().map(|&it| &moves[it]).collect();
    let groups: Vec<&[&Candidate]> = possible.chunks(group_size(possible.len())).collect();
    let sums = groups.iter().map(|group| weigh(net, group)).collect();
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

/// The weight of all legal moves of a group.
fn weigh(net: &mut Net, group: &[&Candidate]) -> Number {
    let weights: Vec<Number> = group.iter().map(|it| it.count(net)).collect();
    sum(net, &weights)
}

/// The lanes of each move, given those of its group and the rank in it.
fn within(
    net: &mut Net,
    groups: &[&[&Candidate]],
    masks: &[Wire],
    mut rank: Vec<Wire>,
) -> Vec<Wire> {
    let places = groups.iter().map(|group| group.len()).max().unwrap_or(0);
    let mut counts = Vec::with_capacity(places);
    for place in 0..places {
        // Weights are taken anew: that is less work than to keep those of legal moves.
        let here: Vec<(Number, Wire)> = (groups.iter().zip(masks))
            .filter_map(|(group, &mask)| {
                let it = group.get(place)?;
                Some((it.weight(), net.and(it.legal, mask)))
            })
            .collect();
        let here: Vec<(&Number, Wire)> = here.iter().map(|(it, mask)| (it, *mask)).collect();
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
    use crate::kernel::plan::GatePlan;
    use crate::kernel::portable::Portable;
    use crate::lanes::random::Random;
    use crate::lanes::word::Lanewise;

    /// Lanes of the tests.
    const P: usize = 8;
    type Word = [u64; P];

    /// A choice among so many moves, as gates over their legality, their weights and random
    /// words.
    struct Sampler {
        portable: Portable,
        memory: Vec<Word>,
        moves: usize,
        /// How many digits a weight has; all moves weigh 1 if none.
        digits: usize,
        inputs: usize,
        random: Random,
    }

    impl Sampler {
        fn new(moves: usize, digits: usize) -> Sampler {
            let mut net = Net::default();
            let candidates: Vec<Candidate> = (0..moves)
                .map(|number| {
                    let first = moves + number * digits;
                    let weight = (first..first + digits).map(|it| net.input(it)).collect();
                    let legal = net.input(number);
                    match digits {
                        0 => Candidate::even(legal),
                        _ => Candidate { legal, weight },
                    }
                })
                .collect();
            let mut inputs = moves * (1 + digits);
            let first = inputs;
            let choice = choose(&mut net, &candidates, &mut inputs);
            assert!(inputs - first <= most_random(moves, digits.max(1)));
            let outputs: Vec<Wire> = [choice.none].into_iter().chain(choice.done).collect();
            let portable = Portable::new(&GatePlan::new(&net, inputs, &outputs));
            Sampler {
                memory: vec![[0; P]; portable.slots()],
                portable,
                moves,
                digits,
                inputs,
                random: Random::new(7),
            }
        }

        /// Gives each move a weight in all lanes.
        fn weigh(&mut self, weights: &[u32]) {
            let words = &mut self.memory[1 + self.moves..];
            for (words, weight) in words.chunks_mut(self.digits).zip(weights) {
                for (place, word) in words.iter_mut().enumerate() {
                    *word = Word::splat(weight >> place & 1 == 1);
                }
            }
        }

        /// Where no move is legal, and where each is done.
        fn choose(&mut self, legal: &[Word]) -> (Word, Vec<Word>) {
            self.memory[1..=self.moves].copy_from_slice(legal);
            let first = 1 + self.moves * (1 + self.digits);
            let drawn = &mut self.memory[first..1 + self.inputs];
            self.random.fill(drawn.as_flattened_mut());
            self.portable.run(&mut self.memory);
            let outputs = &self.memory[1 + self.inputs..];
            (outputs[0], outputs[1..=self.moves].to_vec())
        }
    }

    #[test]
    fn exactly_one_legal_move_is_done_where_there_is_one() {
        for moves in [1, 2, 3, 7, 8, 20, 63, 64, 65, 100, 300] {
            let even = (0..6).map(|sparse| (Sampler::new(moves, 0), sparse));
            let weighted = (0..6).map(|sparse| (Sampler::new(moves, 3), sparse));
            for (mut sampler, sparse) in even.chain(weighted) {
                let weights: Vec<u32> = (0..moves as u32).map(|it| 1 + it % 7).collect();
                if sampler.digits > 0 {
                    sampler.weigh(&weights);
                }
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
                    let any = legal.iter().any(|word| word.lane(it));
                    assert_eq!(none.lane(it), !any);
                    let chosen: Vec<usize> =
                        (0..moves).filter(|&number| done[number].lane(it)).collect();
                    if any {
                        assert_eq!(chosen.len(), 1, "{moves} moves");
                        assert!(legal[chosen[0]].lane(it), "{moves} moves");
                    }
                }
            }
        }
    }

    /// Chi-square of what is done against what the weights of the legal moves promise. With k
    /// moves it has k - 1 degrees of freedom; the threshold is exceeded with a probability
    /// below 1e-9 in each case (Wilson-Hilferty), and the seed is fixed.
    fn is_proportional(sampler: &mut Sampler, weights: &[u32], legal: &[bool]) {
        const ROUNDS: usize = 400;
        let words: Vec<Word> = legal.iter().map(|&it| Word::splat(it)).collect();
        let mut counts = vec![0u64; weights.len()];
        for _ in 0..ROUNDS {
            let (_, done) = sampler.choose(&words);
            for (count, done) in counts.iter_mut().zip(done) {
                *count += done.count();
            }
        }
        let total: u32 = weights
            .iter()
            .zip(legal)
            .filter(|(_, legal)| **legal)
            .map(|(it, _)| it)
            .sum();
        let drawn = (ROUNDS * 64 * P) as f64;
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
        let mut sampler = Sampler::new(5, 0);
        for set in 1u32..32 {
            let legal: Vec<bool> = (0..5).map(|it| set >> it & 1 == 1).collect();
            is_proportional(&mut sampler, &[1; 5], &legal);
        }
        for moves in [9, 40, 100, 257] {
            let mut sampler = Sampler::new(moves, 0);
            is_proportional(&mut sampler, &vec![1; moves], &vec![true; moves]);
            let legal: Vec<bool> = (0..moves).map(|it| it % 7 == 3 || it % 5 == 0).collect();
            is_proportional(&mut sampler, &vec![1; moves], &legal);
        }
    }

    /// One choice after another by the same gates, with other weights.
    #[test]
    fn choices_follow_weights() {
        let check = |sampler: &mut Sampler, weights: &[u32], legal: &[bool]| {
            sampler.weigh(weights);
            is_proportional(sampler, weights, legal);
        };
        let mut sampler = Sampler::new(6, 5);
        for weight in [1, 8, 31] {
            check(&mut sampler, &[weight; 6], &[true; 6]);
        }
        check(&mut sampler, &[1, 2, 3, 4, 5, 6], &[true; 6]);
        let legal = [true, false, true, true, true, false];
        check(&mut sampler, &[5, 1, 7, 1, 1, 30], &legal);
        check(&mut sampler, &[31, 1, 1, 16, 15, 30], &[true; 6]);
        let mut sampler = Sampler::new(90, 6);
        let weights: Vec<u32> = (0..90).map(|it| 1 + it % 6).collect();
        check(&mut sampler, &weights, &[true; 90]);
        let weights: Vec<u32> = (0..90).map(|it| 1 + it * it % 63).collect();
        let legal: Vec<bool> = (0..90).map(|it| it % 7 == 3 || it % 5 == 0).collect();
        check(&mut sampler, &weights, &legal);
    }
}
