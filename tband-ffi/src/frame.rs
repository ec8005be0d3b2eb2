//! A frame between the two calls that write it.

use tband_core::RawFrame;
use tband_core::emit::{MAX_NUMBERS, timed_frame_len};

/// A frame that is being written; zero if the event is not recorded. `xtask/header/src/lib.rs` contains
/// its declaration for C.
pub type tband_frame = RawFrame;

/// Longest frame of an event with one number, in bytes.
pub const TBAND_FRAME_LEN_U32: u32 = 18;
/// Longest frame of an event with two numbers, in bytes.
pub const TBAND_FRAME_LEN_U32_U32: u32 = 23;
/// Longest frame of an event with a number and a signed value, in bytes.
pub const TBAND_FRAME_LEN_U32_S64: u32 = 28;
/// Longest frame of an event with up to five numbers, in bytes.
pub const TBAND_FRAME_LEN_NUMBERS: u32 = 38;

const _: () = assert!(
    TBAND_FRAME_LEN_U32 == timed_frame_len(5)
        && TBAND_FRAME_LEN_U32_U32 == timed_frame_len(10)
        && TBAND_FRAME_LEN_U32_S64 == timed_frame_len(15)
        && TBAND_FRAME_LEN_NUMBERS == timed_frame_len(5 * MAX_NUMBERS)
);
