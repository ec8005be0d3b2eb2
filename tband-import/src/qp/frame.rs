//! Frames that end with 7E, whose bytes have a known sum.

/// Ends a frame.
pub const END: u8 = 0x7E;
/// The byte after it has another bit 5.
const ESCAPE: u8 = 0x7D;
/// Longest frame, in bytes.
pub const MAX_FRAME: usize = 1024;

/// Decodes the escapes of a frame into `into`; `escaped` is the frame without its end. `None`: an escape is cut off.
pub fn unescape<'a>(escaped: &[u8], into: &'a mut Vec<u8>) -> Option<&'a [u8]> {
    // Escapes are so near to each other that a call of `memchr` takes longer.
    let find = |bytes: &[u8]| bytes.iter().position(|byte| *byte == ESCAPE);
    into.clear();
    let mut rest = escaped;
    while let Some(at) = find(rest) {
        into.extend_from_slice(rest.get(..at).unwrap_or_default());
        into.push(rest.get(at + 1)? ^ 0x20);
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    into.extend_from_slice(rest);
    Some(into)
}

/// The sum of all bytes.
pub fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

/// The next item in a stream of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextFrame {
    /// A frame of this many bytes, and its end after them.
    Frame { len: usize, has_escapes: bool },
    /// Bytes outside frames: a piece of a frame that is too long; or its end, if true.
    Long(usize, bool),
    /// The end of the recording is inside of a frame of this many bytes.
    Cut(usize),
    /// More bytes are needed.
    Short,
}

/// Finds the next frame; `passed` bytes of it were passed over.
pub fn next(bytes: &[u8], passed: u64, at_end: bool) -> NextFrame {
    let mut end = memchr::memchr2(END, ESCAPE, bytes);
    let escaped = end.and_then(|at| bytes.get(at..)).filter(|rest| rest.first() == Some(&ESCAPE));
    if let Some(rest) = escaped {
        end = memchr::memchr(END, rest).map(|at| bytes.len() - rest.len() + at);
    }
    match end {
        Some(len) if passed > 0 || len > MAX_FRAME => NextFrame::Long(len + 1, true),
        Some(len) => NextFrame::Frame { len, has_escapes: escaped.is_some() },
        None if at_end && passed > 0 => NextFrame::Long(bytes.len(), true),
        None if at_end => NextFrame::Cut(bytes.len()),
        // The last byte is left, so that the end of the recording reports them.
        None if bytes.len() > MAX_FRAME => NextFrame::Long(bytes.len() - 1, false),
        None => NextFrame::Short,
    }
}

/// Reads numbers and texts of a frame from the front on.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    /// The next bytes.
    pub fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(head)
    }

    /// A number of `len` bytes, at most 8, the lowest first.
    pub fn number(&mut self, len: u8) -> Option<u64> {
        let bytes = self.take(len.min(8).into())?;
        Some(match *bytes {
            [byte] => byte.into(),
            [a, b] => u16::from_le_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
            _ => bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)),
        })
    }

    /// A number of one byte.
    pub fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    /// A text that ends with a zero.
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let len = memchr::memchr(0, self.0)?;
        let text = self.take(len)?;
        self.take(1)?;
        Some(text)
    }
}
