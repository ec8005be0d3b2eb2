//! The numbers that are reported of a recording.

mod known;
mod made_by_hand;
mod objects;
mod runs;
mod waits;
