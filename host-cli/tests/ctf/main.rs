//! Traces of the Common Trace Format, read by babeltrace2.

mod events;
mod records;
#[path = "../support/mod.rs"]
mod support;
mod whole;
