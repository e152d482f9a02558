//! Numbers, texts and lists as bytes, in little endian. What is read is checked: a length never
//! makes more memory than the bytes that are there.

/// Bytes that are no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("garbled message: {0}")]
pub struct Garbled(pub &'static str);

/// Bytes being written.
#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn done(self) -> Vec<u8> {
        self.0
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(crate) fn u32(&mut self, number: u32) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(crate) fn f32(&mut self, number: f32) {
        self.u32(number.to_bits());
    }

    pub(crate) fn f64(&mut self, number: f64) {
        self.u64(number.to_bits());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    /// How many there are, before each of them is written.
    pub(crate) fn length(&mut self, length: usize) {
        self.u32(u32::try_from(length).expect("lists are shorter than a frame"));
    }
}

/// Bytes being read.
pub(crate) struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Reader<'b> {
        Reader(bytes)
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], Garbled> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Garbled("too short"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Garbled> {
        let taken = self.take(N)?;
        Ok(taken.try_into().expect("as many as were asked for"))
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Garbled> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn flag(&mut self) -> Result<bool, Garbled> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Garbled("neither yes nor no")),
        }
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Garbled> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Garbled> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(crate) fn f32(&mut self) -> Result<f32, Garbled> {
        let number = f32::from_bits(self.u32()?);
        let finite = number.is_finite().then_some(number);
        finite.ok_or(Garbled("no finite number"))
    }

    pub(crate) fn f64(&mut self) -> Result<f64, Garbled> {
        let number = f64::from_bits(self.u64()?);
        let finite = number.is_finite().then_some(number);
        finite.ok_or(Garbled("no finite number"))
    }

    pub(crate) fn text(&mut self) -> Result<String, Garbled> {
        let length = self.u32()? as usize;
        let text = std::str::from_utf8(self.take(length)?);
        Ok(text.map_err(|_| Garbled("no text"))?.to_string())
    }

    /// A list, whose items have at least so many bytes each.
    pub(crate) fn list<T>(
        &mut self,
        least: usize,
        mut item: impl FnMut(&mut Self) -> Result<T, Garbled>,
    ) -> Result<Vec<T>, Garbled> {
        let length = self.u32()? as usize;
        if length.saturating_mul(least) > self.0.len() {
            return Err(Garbled("a list is longer than its message"));
        }
        (0..length).map(|_| item(self)).collect()
    }

    /// All has been read.
    pub(crate) fn end(&self) -> Result<(), Garbled> {
        match self.0.is_empty() {
            true => Ok(()),
            false => Err(Garbled("too long")),
        }
    }
}
