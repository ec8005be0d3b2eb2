//! How full a target's buffer is.

/// A part of a whole, in per cent; none of nothing.
pub fn percent(part: u64, whole: u64) -> Option<u8> {
    u8::try_from(part.saturating_mul(100).checked_div(whole)?).ok()
}
