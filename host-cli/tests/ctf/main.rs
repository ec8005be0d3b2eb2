//! Traces of the Common Trace Format, read by babeltrace2.

mod back;
mod events;
mod records;
#[path = "../support/mod.rs"]
mod support;
mod whole;
