//! How Linux's numbers are shown, whichever tracer recorded them.

/// The idle tasks of all processors have the process number 0: this is the number of the first of them.
pub const IDLE: u32 = 0x8000_0000;
/// Soft interrupts have numbers from here on.
pub const SOFT: u32 = 0x1_0000;
/// Linux's least priority: there 0 is the highest, here the lowest.
pub const LEAST_PRIORITY: u32 = 139;
/// How missing switches show.
pub const UNSEEN_SWITCH: &str =
    "events are missing here: another task runs than the one that was switched in";
