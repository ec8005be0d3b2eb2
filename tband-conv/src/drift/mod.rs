//! How a clock runs against another one: the estimate with its uncertainty, and events with the resulting times.
//!
//! A timestamp is a number of ticks of some clock, that of its input or its core. [`Alignment`] is the only place where it is
//! converted to ticks of the first clock, when an input is read; [`Timing`](crate::convert::timing::Timing) converts those to
//! ns. After it there is one axis of time, and [`Aligned`] holds the known errors. An input with the same clock skips all of
//! this.

pub mod aligned;
pub(crate) mod board;
mod corridor;
pub mod estimate;
pub(crate) mod map;
