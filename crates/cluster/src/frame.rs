//! Messages on a stream of bytes: four bytes of length, eight of checksum, and the content.

use std::io::{self, Read, Write};

/// A longer message is none: rules may be long, all else is short.
pub const MOST_BYTES: usize = 64 << 20;

/// FNV-1a of 64 bits: enough to tell a message from noise.
fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Writes a message, and sees to it that it goes out.
pub fn write_frame(to: &mut impl Write, content: &[u8]) -> io::Result<()> {
    if content.len() > MOST_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "message too long",
        ));
    }
    let length = content.len() as u32;
    let mut frame = Vec::with_capacity(content.len() + 12);
    frame.extend_from_slice(&length.to_le_bytes());
    frame.extend_from_slice(&checksum(content).to_le_bytes());
    frame.extend_from_slice(content);
    to.write_all(&frame)?;
    to.flush()
}

/// Reads a message; none at the end of the stream.
pub fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; 12];
    // The end may come between messages, not within one.
    if from.read(&mut head[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut head[1..])?;
    let garbled = |text| io::Error::new(io::ErrorKind::InvalidData, text);
    let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
    if length > MOST_BYTES {
        return Err(garbled("it sent no message: too long"));
    }
    let mut content = Vec::new();
    // Memory grows with what comes, not with what is announced.
    from.take(length as u64).read_to_end(&mut content)?;
    if content.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    match head[4..] == checksum(&content).to_le_bytes() {
        true => Ok(Some(content)),
        false => Err(garbled("it sent no message: wrong checksum")),
    }
}
