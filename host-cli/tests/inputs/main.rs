//! Where recordings come from: encodings and sources, packets, saved memory.

mod extract;
mod foreign;
mod generated;
mod matrix;
mod packets;
#[cfg(unix)]
mod sources;
#[path = "../support/mod.rs"]
mod support;
mod zipped;
