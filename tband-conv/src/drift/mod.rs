//! How a clock runs against another one: the estimate, with what it can be wrong by, and events with the times that follow.
//!
//! A timestamp is a number of ticks of some clock, that of its input or its core. [`Alignment`] is the one place where it becomes
//! one of the first clock, as an input is read; [`Timing`](crate::convert::timing::Timing) gives that its ns. After it there is one axis of
//! time, and [`Aligned`] is what is known of its mistakes. An input of one clock passes by all of this.

mod aligned;
mod board;
mod corridor;
mod estimate;
mod map;

pub use self::aligned::Aligned;
pub(crate) use self::board::{Board, name_of};
pub use self::estimate::{Bound, Estimate};
pub(crate) use self::map::{Alignment, Builder};
