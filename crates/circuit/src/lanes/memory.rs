//! Words of memory that begin at a cache line.

/// A row of words, zero at first.
#[derive(Debug)]
pub(crate) struct Memory<const P: usize> {
    parts: Vec<u64>,
    /// How many words there are.
    len: usize,
}

/// A cache line has so many parts of 64 bits.
const LINE: usize = 8;

impl<const P: usize> Memory<P> {
    pub(crate) fn new(len: usize) -> Memory<P> {
        Memory {
            parts: vec![0; len * P + LINE],
            len,
        }
    }

    /// Makes it at least so long; what it holds stays.
    pub(crate) fn grow(&mut self, len: usize) {
        if len > self.len {
            let mut longer = Memory::new(len);
            longer.words()[..self.len].copy_from_slice(self.words());
            *self = longer;
        }
    }

    pub(crate) fn words(&mut self) -> &mut [[u64; P]] {
        let skip = self.parts.as_ptr().align_offset(8 * LINE).min(LINE);
        let parts = &mut self.parts[skip..skip + self.len * P];
        parts.as_chunks_mut().0
    }
}
