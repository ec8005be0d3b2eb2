//! A timer of a fixed number of bits that wraps, as opposed to one that a reset sets back.

/// A timer wraps only from the last part of its range to the first part; together they are at most this part of the range.
const WRAP_PART: u64 = 64;
/// Fewer bits than any timer has.
const LEAST_BITS: u32 = 8;

/// The range of a timer that wraps between these two timestamps: the next power of two above the first. `None` if the
/// second timestamp is too far from the wraparound for that.
pub(crate) fn wrap_range(before: u64, after: u64) -> Option<u64> {
    let range = before.checked_add(1).and_then(u64::checked_next_power_of_two)?;
    let passed = after.saturating_add(range.saturating_sub(before));
    (range >= 1 << LEAST_BITS && passed <= range / WRAP_PART).then_some(range)
}
