//! The empty start of a file: memory that nothing was written to before the recording.

/// Zeros that a recording of any format begins with, at most: a synchronisation of SystemView.
pub const MAX_ZEROS: usize = 10;

/// Returns the number of bytes of erased memory, 0x00 or 0xFF, in front of the recording, but for the last zeros, which may belong to
/// it: so many at most. `None`: all bytes are of that kind.
#[must_use]
pub fn blank_len(bytes: &[u8], max_zeros: usize) -> Option<usize> {
    let blank = bytes.iter().position(|byte| !matches!(byte, 0x00 | 0xFF))?;
    let blank = bytes.get(..blank)?;
    let zeros = blank.iter().rev().take(max_zeros).take_while(|byte| **byte == 0).count();
    Some(blank.len() - zeros)
}

/// The bytes after the empty start.
pub fn after_blank(bytes: &[u8]) -> &[u8] {
    bytes.get(blank_len(bytes, 0).unwrap_or(0)..).unwrap_or_default()
}
