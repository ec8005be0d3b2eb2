//! Outputs of a timeline.

mod final_state;
mod perfetto;
mod quota;
mod recent;
mod rolling;
mod stats;
mod text;

pub use final_state::FinalState;
pub use perfetto::{
    Interrupts, Perfetto, PerfettoWithActivations, PerfettoWithTaskLoad, RawEvents, TraceSink,
    TraceWith,
};
pub(crate) use perfetto::{Trace, tid_of};
pub use quota::FindingQuota;
pub use recent::Recent;
pub use rolling::{ClosedWindow, RollingStats};
pub use stats::{
    AllocationFailure, BetweenCores, BlockedStats, Burst, CallStats, CoreStats, Delay,
    EventGroupStats, Gap, HeapStats, HolderStats, InversionStats, IsrStats, Load, LockStats,
    MarkerStats, NotificationStats, ObjectName, ObjectStats, Observation, OpenWait, Order,
    Participant, PeriodStats, QueueStats, Spread, Stats, StreamBufferStats, TaskStats, TimerStats,
    ValueStats,
};
pub use text::TimelineText;
