//! Metrics: the numbers that a subject has.

use tband_report::unit::Unit;

/// The kind of subject that a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleSubjectKind {
    /// Tasks.
    Task,
    /// Interrupts.
    Interrupt,
    /// Software timers.
    Timer,
    /// Queues, semaphores and buffers.
    Queue,
    /// Mutexes, and semaphores used as locks.
    Lock,
    /// Markers, and counters of records.
    Marker,
    /// A core.
    Core,
    /// The recording itself.
    Recording,
}

impl RuleSubjectKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Task,
        Self::Interrupt,
        Self::Timer,
        Self::Queue,
        Self::Lock,
        Self::Marker,
        Self::Core,
        Self::Recording,
    ];

    /// The key of a rule, and the word of messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Interrupt => "interrupt",
            Self::Timer => "timer",
            Self::Queue => "queue",
            Self::Lock => "lock",
            Self::Marker => "marker",
            Self::Core => "core",
            Self::Recording => "recording",
        }
    }
}

/// A number of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// From release to end.
    Response,
    /// From ready to end.
    Busy,
    /// From ready to the first instant on a core.
    Start,
    /// On a core, without interrupts.
    Own,
    /// Ready while a more urgent task ran.
    Preempted,
    /// Waiting for locks.
    Locked,
    /// The part of it in which a less urgent task kept the holder from running.
    Inverted,
    /// Released, and busy with the previous activation.
    Backlog,
    /// How many notifications an activation serves.
    Merged,
    /// The period.
    Period,
    /// The greatest difference of a step from the period.
    Jitter,
    /// The spread of releases around a grid of the period.
    ReleaseJitter,
    /// Share of a core.
    Load,
    /// Bytes of the stack that were never used.
    Stack,
    /// Items in a queue, bytes in a buffer, value of a marker.
    Level,
    /// From begin to end.
    Duration,
    /// How often, per second.
    Rate,
    /// From the interrupt to the first instant of the task that it woke.
    Wake,
    /// From begin to end of a marker's span.
    Span,
    /// How often.
    Count,
    /// Bytes of the heap that were free at first and are not at last.
    HeapGrowth,
    /// Events that are lost; damage counts as one at least.
    Losses,
    /// Places at which something is lost or damaged.
    Gaps,
    /// Mistakes of the program that `check` finds.
    Findings,
}

impl Metric {
    /// All of them, with their keys.
    pub const ALL: [(&'static str, Self); 24] = [
        ("response", Self::Response),
        ("busy", Self::Busy),
        ("start", Self::Start),
        ("own", Self::Own),
        ("preempted", Self::Preempted),
        ("locked", Self::Locked),
        ("inverted", Self::Inverted),
        ("backlog", Self::Backlog),
        ("merged", Self::Merged),
        ("period", Self::Period),
        ("jitter", Self::Jitter),
        ("release_jitter", Self::ReleaseJitter),
        ("load", Self::Load),
        ("stack", Self::Stack),
        ("level", Self::Level),
        ("duration", Self::Duration),
        ("rate", Self::Rate),
        ("wake", Self::Wake),
        ("span", Self::Span),
        ("count", Self::Count),
        ("heap_growth", Self::HeapGrowth),
        ("losses", Self::Losses),
        ("gaps", Self::Gaps),
        ("findings", Self::Findings),
    ];

    /// Its key.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, it)| *it == self).map_or("", |(name, _)| name)
    }

    /// The metrics of a kind of subject.
    pub const fn of(kind: RuleSubjectKind) -> &'static [Self] {
        use Metric as M;
        match kind {
            RuleSubjectKind::Task => &[
                M::Response,
                M::Busy,
                M::Start,
                M::Own,
                M::Preempted,
                M::Locked,
                M::Inverted,
                M::Backlog,
                M::Merged,
                M::Period,
                M::Jitter,
                M::ReleaseJitter,
                M::Load,
                M::Stack,
                M::Rate,
                M::Count,
            ],
            RuleSubjectKind::Interrupt => &[
                M::Duration,
                M::Own,
                M::Wake,
                M::Period,
                M::Jitter,
                M::ReleaseJitter,
                M::Load,
                M::Rate,
                M::Count,
            ],
            RuleSubjectKind::Timer => &[
                M::Response,
                M::Duration,
                M::Own,
                M::Preempted,
                M::Locked,
                M::Inverted,
                M::Period,
                M::Jitter,
                M::ReleaseJitter,
                M::Rate,
                M::Count,
            ],
            RuleSubjectKind::Queue => &[M::Level],
            RuleSubjectKind::Lock => &[M::Duration, M::Rate, M::Count],
            RuleSubjectKind::Marker => &[M::Span, M::Level, M::Rate, M::Count],
            RuleSubjectKind::Core => &[M::Load],
            RuleSubjectKind::Recording => &[M::Losses, M::Gaps, M::HeapGrowth, M::Findings],
        }
    }

    /// The unit of its values.
    pub const fn unit(self) -> Unit {
        match self {
            Self::Load => Unit::Percent,
            Self::Stack | Self::HeapGrowth => Unit::Bytes,
            Self::Merged
            | Self::Level
            | Self::Count
            | Self::Losses
            | Self::Gaps
            | Self::Findings => Unit::Plain,
            Self::Rate => Unit::PerSecond,
            _ => Unit::Time,
        }
    }

    /// `window` divides the recording for it.
    pub const fn has_windows(self) -> bool {
        matches!(self, Self::Load | Self::Rate | Self::Count)
    }

    /// It is of activations, which `why` explains.
    pub const fn is_of_activations(self) -> bool {
        matches!(
            self,
            Self::Response
                | Self::Busy
                | Self::Start
                | Self::Own
                | Self::Preempted
                | Self::Locked
                | Self::Inverted
                | Self::Backlog
                | Self::Merged
        )
    }
}
