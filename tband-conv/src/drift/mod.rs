//! How a clock runs against another one: the estimate, with what it can be wrong by, and events with the times that follow.

mod corridor;
mod estimate;
mod map;

pub use self::estimate::{Bound, Estimate};
pub(crate) use self::map::{Alignment, Builder};
