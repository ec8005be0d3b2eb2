//! Recordings that were lost in part, damaged, or written down among other text.

mod gaps;
mod joined;
mod markers;
mod packed;
mod packets;
mod robust;
mod sound;
