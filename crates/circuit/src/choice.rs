//! A uniformly random legal move in every lane at once, bit-sliced.
//!
//! The number of legal moves C of each lane is counted into words, one a binary digit. A
//! random number U of K bits a lane gives r = ⌊U·C / 2^K⌋, and the move before which r
//! others are legal is done. K is [`PRECISION`] more than the digits of C, so the chance of
//! a move is off by a factor of at most 2^-PRECISION.

use crate::word::Word;
use multiversion::multiversion;
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How many random bits are drawn beyond those the count needs.
const PRECISION: usize = 16;

/// Digits of a number in every lane, the lowest first.
type Digits = Vec<Word>;

/// Working memory for choices.
#[derive(Debug, Default)]
pub(crate) struct Chooser {
    count: Digits,
    rank: Digits,
}

/// Writes to `done` for each move the lanes that do it; returns the lanes that have no
/// legal move.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "aarch64+neon"))]
pub(crate) fn choose(
    chooser: &mut Chooser,
    legal: &[Word],
    done: &mut [Word],
    random: &mut Xoshiro256PlusPlus,
) -> Word {
    let Chooser { count, rank } = chooser;
    count_legal(legal, count);
    let some = any(count);
    rank.clear();
    if count.len() > 1 {
        draw(count, rank, random);
    }
    let mut waiting = some;
    for (&legal, done) in legal.iter().zip(done) {
        let here = legal & waiting & !any(rank);
        *done = here;
        waiting = waiting & !here;
        decrement(rank, legal & waiting);
    }
    !some
}

#[inline(always)]
fn any(digits: &[Word]) -> Word {
    digits.iter().fold(Word::NONE, |any, &digit| any | digit)
}

#[inline(always)]
fn count_legal(legal: &[Word], count: &mut Digits) {
    count.clear();
    for &word in legal {
        let mut carry = word;
        for digit in count.iter_mut() {
            let sum = *digit ^ carry;
            carry = *digit & carry;
            *digit = sum;
            if carry.is_none() {
                break;
            }
        }
        if !carry.is_none() {
            count.push(carry);
        }
    }
}

/// Sets the rank to ⌊U·C / 2^K⌋ for random U of K bits. The product is built from the lowest
/// bit of U upwards and shifted down each time: the digits that fall off are not needed.
#[inline(always)]
fn draw(count: &[Word], rank: &mut Digits, random: &mut Xoshiro256PlusPlus) {
    rank.resize(count.len(), Word::NONE);
    for _ in 0..count.len() + PRECISION {
        let drawn = Word(std::array::from_fn(|_| random.next_u64()));
        let mut carry = Word::NONE;
        for place in 0..count.len() {
            let addend = count[place] & drawn;
            let half = rank[place] ^ addend;
            let sum = half ^ carry;
            carry = (rank[place] & addend) | (half & carry);
            if place > 0 {
                rank[place - 1] = sum;
            }
        }
        rank[count.len() - 1] = carry;
    }
}

/// Takes one off in the given lanes.
#[inline(always)]
fn decrement(digits: &mut [Word], lanes: Word) {
    let mut borrow = lanes;
    for digit in digits {
        let before = *digit;
        *digit = before ^ borrow;
        borrow = borrow & !before;
        if borrow.is_none() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::WIDTH;
    use rand_core::SeedableRng;

    #[test]
    fn exactly_one_legal_move_is_done_where_there_is_one() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for moves in [1, 2, 3, 7, 8, 20, 100] {
            let word = |random: &mut Xoshiro256PlusPlus| {
                Word(std::array::from_fn(|_| {
                    random.next_u64() & random.next_u64()
                }))
            };
            let legal: Vec<Word> = (0..moves).map(|_| word(&mut random)).collect();
            let mut done = vec![Word::ALL; moves];
            let none = choose(&mut Chooser::default(), &legal, &mut done, &mut random);
            for lane in 0..WIDTH {
                let count = done.iter().filter(|word| word.lane(lane)).count();
                let any = legal.iter().any(|word| word.lane(lane));
                assert_eq!(none.lane(lane), !any);
                assert_eq!(count, usize::from(any));
                assert!((0..moves).all(|it| !done[it].lane(lane) || legal[it].lane(lane)));
            }
        }
    }

    /// Chi-square over each set of legal moves among five: the statistic of `k` moves has
    /// `k - 1` degrees of freedom and exceeds 50 with probability below 4e-10 for each; the
    /// seed is fixed besides.
    #[test]
    fn choices_are_uniform() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut chooser = Chooser::default();
        for set in 1u32..32 {
            let legal: Vec<Word> = (0..5).map(|it| Word::splat(set >> it & 1 == 1)).collect();
            let mut counts = [0u64; 5];
            let rounds = 200;
            for _ in 0..rounds {
                let mut done = [Word::NONE; 5];
                choose(&mut chooser, &legal, &mut done, &mut random);
                for (count, done) in counts.iter_mut().zip(done) {
                    *count += done.count();
                }
            }
            let expected = (rounds * WIDTH) as f64 / f64::from(set.count_ones());
            let chosen = (0..5).filter(|it| set >> it & 1 == 1);
            let square = chosen.map(|it| (counts[it] as f64 - expected).powi(2) / expected);
            let statistic: f64 = square.sum();
            assert!(statistic < 50.0, "set {set:05b}: {statistic}");
        }
    }
}
