//! What can be made of a timeline.

mod perfetto;
mod run_times;
mod text;

pub use perfetto::Perfetto;
pub use run_times::{CoreTimes, QueueCounts, RunTimes, TaskTimes};
pub use text::TimelineText;
