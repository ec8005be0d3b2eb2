//! What can be made of a timeline.

mod perfetto;
mod run_times;
mod stats;
mod text;

pub use perfetto::Perfetto;
pub use run_times::{CoreTimes, QueueCounts, RunTimes, TaskTimes};
pub use stats::{
    BlockedStats, CoreStats, Gap, HolderStats, IsrStats, Load, MarkerStats, MutexStats, QueueStats,
    Spread, Stats, TaskStats, ValueStats,
};
pub use text::TimelineText;
