//! Recordings in words and numbers: `stats`, `check`, `dump`.

mod dump;
mod measure;
#[path = "../support/mod.rs"]
mod support;
mod why;
