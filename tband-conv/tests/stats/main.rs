//! The numbers that are reported of a recording.

mod inversions;
mod known;
mod runs;
