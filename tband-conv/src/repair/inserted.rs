//! Undoes that text was put between the bytes of a packet.

use tband_format::packet::{HEADER_LEN, Header};

use super::solve::is_proven;

/// Fewer bytes are noise rather than text.
const SHORTEST: usize = 4;

/// The byte may be in a text.
pub const fn is_text(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n' | 0x1B)
}

/// Returns the packet without the text, and the place of the text. `raw` is all that is left of both.
pub fn undo(raw: &[u8]) -> Option<(Vec<u8>, usize, usize)> {
    let (header, _) = Header::read(raw).ok()?;
    let len = raw.len().checked_sub(header.packet_len).filter(|len| *len >= SHORTEST)?;
    let mut packet = Vec::with_capacity(header.content_len);
    // Bytes of text that end here.
    let mut run = 0_usize;
    let content = raw.get(..header.content_len.saturating_add(len))?;
    for (at, byte) in content.iter().enumerate().skip(HEADER_LEN) {
        run = if is_text(*byte) { run + 1 } else { 0 };
        if run < len {
            continue;
        }
        let from = at + 1 - len;
        packet.clear();
        packet.extend_from_slice(content.get(..from)?);
        packet.extend_from_slice(content.get(at + 1..)?);
        if is_proven(&packet) {
            return Some((packet, from, len));
        }
    }
    None
}
