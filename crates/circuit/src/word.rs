//! One bit for each of 512 lanes.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// How many 64-bit words make a [`Word`].
const PARTS: usize = 8;

/// How many lanes there are.
pub const WIDTH: usize = 64 * PARTS;

/// One bit a lane. Aligned so that the compiler can use the widest registers there are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Word(pub(crate) [u64; PARTS]);

impl Word {
    pub(crate) const NONE: Word = Word([0; PARTS]);
    pub(crate) const ALL: Word = Word([u64::MAX; PARTS]);

    /// All lanes, or none.
    #[inline(always)]
    pub(crate) fn splat(bit: bool) -> Word {
        if bit { Word::ALL } else { Word::NONE }
    }

    /// The first lanes, so many of them.
    pub(crate) fn first(count: usize) -> Word {
        let part = |part: usize| match count.saturating_sub(64 * part) {
            0 => 0,
            n @ 1..64 => (1 << n) - 1,
            _ => u64::MAX,
        };
        Word(std::array::from_fn(part))
    }

    #[inline(always)]
    pub(crate) fn count(self) -> u64 {
        self.0.iter().map(|part| u64::from(part.count_ones())).sum()
    }

    #[inline(always)]
    pub(crate) fn is_none(self) -> bool {
        self.0.iter().fold(0, |any, part| any | part) == 0
    }

    pub(crate) fn lane(self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// The lanes of `self` that are among the lowest `count` set ones.
    pub(crate) fn lowest(self, count: u64) -> Word {
        let mut left = count;
        let mut kept = Word::NONE;
        for (part, kept) in self.0.iter().zip(&mut kept.0) {
            let mut bits = *part;
            while bits != 0 && left > 0 {
                let lowest = bits & bits.wrapping_neg();
                *kept |= lowest;
                bits ^= lowest;
                left -= 1;
            }
        }
        kept
    }
}

macro_rules! bitwise {
    ($($name:ident $method:ident $assign:tt),*) => {$(
        impl $name for Word {
            type Output = Word;

            #[inline(always)]
            fn $method(mut self, other: Word) -> Word {
                for part in 0..PARTS {
                    self.0[part] $assign other.0[part];
                }
                self
            }
        }
    )*};
}
bitwise!(BitAnd bitand &=, BitOr bitor |=, BitXor bitxor ^=);

impl Not for Word {
    type Output = Word;

    #[inline(always)]
    fn not(self) -> Word {
        self ^ Word::ALL
    }
}
