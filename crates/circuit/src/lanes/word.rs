//! One bit a lane: words of `P` parts of 64 lanes each.

/// One bit for each of `64 * P` lanes.
pub(crate) type Word<const P: usize> = [u64; P];

/// What is done to words outside of kernels.
pub(crate) trait Lanewise: Sized {
    fn splat(bit: bool) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// The lanes that are not in the other.
    fn without(self, other: Self) -> Self;
    fn count(&self) -> u64;
    fn is_none(&self) -> bool;
    fn lane(&self, lane: usize) -> bool;
    fn set(&mut self, lane: usize);
    /// The lanes that are among the lowest `count` set ones.
    fn lowest(self, count: u64) -> Self;
    /// The numbers of the lanes.
    fn lanes(self) -> impl Iterator<Item = usize>;
}

impl<const P: usize> Lanewise for Word<P> {
    #[inline(always)]
    fn splat(bit: bool) -> Word<P> {
        [0u64.wrapping_sub(u64::from(bit)); P]
    }

    #[inline(always)]
    fn and(self, other: Word<P>) -> Word<P> {
        std::array::from_fn(|part| self[part] & other[part])
    }

    #[inline(always)]
    fn or(self, other: Word<P>) -> Word<P> {
        std::array::from_fn(|part| self[part] | other[part])
    }

    #[inline(always)]
    fn without(self, other: Word<P>) -> Word<P> {
        std::array::from_fn(|part| self[part] & !other[part])
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        self.iter().map(|part| u64::from(part.count_ones())).sum()
    }

    #[inline(always)]
    fn is_none(&self) -> bool {
        self.iter().fold(0, |any, part| any | part) == 0
    }

    #[inline(always)]
    fn lane(&self, lane: usize) -> bool {
        self[lane / 64] >> (lane % 64) & 1 == 1
    }

    #[inline(always)]
    fn set(&mut self, lane: usize) {
        self[lane / 64] |= 1 << (lane % 64);
    }

    #[inline(always)]
    fn lowest(self, count: u64) -> Word<P> {
        if count >= self.count() {
            return self;
        }
        let mut kept = [0; P];
        for lane in self.lanes().take(count as usize) {
            kept.set(lane);
        }
        kept
    }

    #[inline(always)]
    fn lanes(self) -> impl Iterator<Item = usize> {
        self.into_iter().enumerate().flat_map(|(part, mut bits)| {
            std::iter::from_fn(move || {
                let lane = (bits != 0).then(|| 64 * part + bits.trailing_zeros() as usize);
                bits &= bits.wrapping_sub(1);
                lane
            })
        })
    }
}
