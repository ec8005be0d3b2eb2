//! Outputs of `conv` in addition to Perfetto's trace, and that compressed.

mod boards;
mod formats;
mod gzip;
#[path = "../support/mod.rs"]
mod support;
mod ticks;
