//! The empty start or rest of a file: memory that nothing was written to.

use crate::gaps::Break;

/// Zeros that a recording of any format begins with, at most: a synchronisation of SystemView.
pub const MAX_ZEROS: usize = 10;

/// Returns the number of bytes of erased memory, 0x00 or 0xFF, in front of the recording, but for the last zeros, which may belong to
/// it: so many at most. `None`: all bytes are of that kind.
#[must_use]
pub fn blank_len(bytes: &[u8], max_zeros: usize) -> Option<usize> {
    let blank = bytes.iter().position(|byte| !is_erased(*byte))?;
    let blank = bytes.get(..blank)?;
    let zeros = blank.iter().rev().take(max_zeros).take_while(|byte| **byte == 0).count();
    Some(blank.len() - zeros)
}

/// The bytes after the empty start.
pub(crate) fn after_blank(bytes: &[u8]) -> &[u8] {
    bytes.get(blank_len(bytes, 0).unwrap_or(0)..).unwrap_or_default()
}

/// Bytes of erased memory that show an empty rest.
const ERASED: usize = 16;

/// The value of erased memory.
const fn is_erased(byte: u8) -> bool {
    matches!(byte, 0x00 | 0xFF)
}

/// All of these bytes are erased memory.
pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| is_erased(*byte))
}

/// These bytes may begin an empty rest. At the end of the recording fewer of them show it.
pub(crate) fn is_rest(bytes: &[u8], at_end: bool) -> bool {
    let erased = bytes.iter().take(ERASED).take_while(|byte| is_erased(**byte)).count();
    erased == ERASED || (at_end && erased > 0 && erased == bytes.len())
}

/// What these bytes, which were passed over, are. An empty rest reaches to the end of a recording; where events continue after it,
/// it is damage.
pub(crate) fn after_passing(why: Break, bytes: &[u8], is_followed: bool) -> Break {
    match why {
        Break::Unwritten if is_followed || !is_blank(bytes) => {
            Break::Damage("erased bytes in the recording")
        }
        why => why,
    }
}
