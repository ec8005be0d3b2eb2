//! How full a target's buffer is.

/// Returns a part of a total, in per cent; `None` for a total of 0.
pub fn percent(part: u64, whole: u64) -> Option<u8> {
    u8::try_from(part.saturating_mul(100).checked_div(whole)?).ok()
}
