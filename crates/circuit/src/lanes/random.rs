//! Random words: many generators of xoshiro256++ side by side, so that vectors make them.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How many generators there are.
const STREAMS: usize = 32;

/// The states of all generators: word by word, in rows.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    a: [u64; STREAMS],
    b: [u64; STREAMS],
    c: [u64; STREAMS],
    d: [u64; STREAMS],
}

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        let mut seeds = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut row = || std::array::from_fn(|_| seeds.next_u64());
        Random {
            a: row(),
            b: row(),
            c: row(),
            d: row(),
        }
    }

    /// Fills words with random bits.
    #[inline(always)]
    pub(crate) fn fill(&mut self, words: &mut [u64]) {
        let (whole, rest) = words.as_chunks_mut();
        for words in whole {
            self.draw(words);
        }
        if !rest.is_empty() {
            let mut drawn = [0; STREAMS];
            self.draw(&mut drawn);
            rest.copy_from_slice(&drawn[..rest.len()]);
        }
    }

    /// One number of each generator. A plain loop over rows: compilers make vectors of it.
    #[inline(always)]
    fn draw(&mut self, drawn: &mut [u64; STREAMS]) {
        for (stream, drawn) in drawn.iter_mut().enumerate() {
            let (a, b) = (self.a[stream], self.b[stream]);
            let (c, d) = (self.c[stream] ^ a, self.d[stream] ^ b);
            *drawn = a.wrapping_add(d ^ b).rotate_left(23).wrapping_add(a);
            self.a[stream] = a ^ d;
            self.b[stream] = b ^ c;
            self.c[stream] = c ^ (b << 17);
            self.d[stream] = d.rotate_left(45);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stream_is_xoshiro() {
        let mut random = Random::new(3);
        let mut seed = [0; 32];
        let state = [random.a[5], random.b[5], random.c[5], random.d[5]];
        for (bytes, word) in seed.chunks_mut(8).zip(state) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        let mut one = Xoshiro256PlusPlus::from_seed(seed);
        let mut words = [0; 4 * STREAMS];
        random.fill(&mut words);
        for drawn in words.chunks(STREAMS) {
            assert_eq!(drawn[5], one.next_u64());
        }
    }
}
