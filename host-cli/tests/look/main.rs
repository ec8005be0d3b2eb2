//! Recordings in words and numbers: `stats`, `check`, `dump`.

mod dump;
mod measure;
mod no_clock;
#[path = "../support/mod.rs"]
mod support;
mod why;
