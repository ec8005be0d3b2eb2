//! Evidence from events about the kernel's trace macros: whether each that should be recorded is. An application that redefines
//! one of them after `tband.h` takes it away from the recorder, and the build gives no warning.

/// Observed and expected events. They are counted on rare paths; the fast path has one store or addition.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hooks {
    /// Waits that began.
    pub waits: u64,
    /// Those of them that began where no task was known to run.
    pub waits_of_nobody: u64,
    /// A task was switched in.
    pub any_switch: bool,
    /// A task was made ready.
    pub any_ready: bool,
    /// A delay began, which the class TASK reports.
    pub any_delay: bool,
    /// Queues whose level was above, or below, the level after the events before.
    pub unseen_sends: u64,
    pub unseen_receives: u64,
    /// A core begins after others in a post-mortem recording.
    pub has_late_core: bool,
}
