//! Recordings that were lost in part, damaged, or written down among other text.

mod changed;
mod gaps;
mod joined;
mod markers;
mod order;
mod packed;
mod packets;
mod robust;
mod sound;
