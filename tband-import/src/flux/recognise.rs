//! Recognises flux by its head, also inside of a block or a section.

use memchr::memmem;

use crate::format::InputFormat;
use crate::recognised_format::RecognisedFormat;

/// Where the head may be in front of compressed bytes.
const NEAR: usize = 32;

/// Recognises a flux recording by its head entry.
pub fn recognise(bytes: &[u8]) -> Option<RecognisedFormat> {
    let is = |text| Some(RecognisedFormat::new(InputFormat::Flux, text));
    // Zeros of an empty start: an entry begins with one.
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let bytes = bytes.get(zeros.saturating_sub(1)..).unwrap_or_default();
    if bytes.starts_with(b"\0\x01flux") {
        return is("a flux recording");
    }
    let near = bytes.get(..NEAR).unwrap_or(bytes);
    let has_head = memmem::find(near, b"\0\x01flux").is_some();
    match *bytes {
        [0, 5, 0 | 1, ..] if has_head => is("a packed flux recording"),
        // The front of zlib's and gzip's data.
        [0, 5, 2, ..] if is_block(bytes, 0x78) => is("a packed flux recording"),
        [0, 5, 3, ..] if is_block(bytes, 0x1F) => is("a packed flux recording"),
        [0, 6, ..] if has_head => is("a flux recording in sections"),
        _ => None,
    }
}

/// The two sizes of a block, at most five bytes each, end before this byte.
fn is_block(bytes: &[u8], first: u8) -> bool {
    let mut at = 3;
    for _ in 0..2 {
        let number = bytes.get(at..).unwrap_or_default();
        let Some(len) = number.iter().take(5).position(|byte| byte & 0x80 == 0) else {
            return false;
        };
        at += len + 1;
    }
    bytes.get(at) == Some(&first)
}
