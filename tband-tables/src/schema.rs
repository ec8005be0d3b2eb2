//! Which tables there are, and which columns they have. The book's page of the schema is compared with this by a test.

/// What readers may rely on. It rises when a column goes or changes its meaning; columns may be added without.
pub const SCHEMA_VERSION: u32 = 1;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// INT64.
    Int,
    /// INT64 that rises by small steps in most cases, as times do.
    Time,
    /// UTF-8, one of few texts: encoded by a dictionary.
    Name,
    /// UTF-8, which may be another text in each row.
    Text,
    /// BOOLEAN.
    Flag,
    /// DOUBLE.
    Real,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// A row may have none.
    pub optional: bool,
}

/// A table.
#[derive(Clone, Copy, Debug)]
pub struct TableSchema {
    /// Its name; its file is `NAME.parquet`.
    pub name: &'static str,
    /// Its columns, in their order.
    pub columns: &'static [Column],
    /// Files have it only on request: it may have a row for each ready task at each task switch.
    pub only_on_request: bool,
}

const fn must(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, optional: false }
}

const fn may(name: &'static str, kind: Kind) -> Column {
    Column { name, kind, optional: true }
}

use Kind::{Flag, Int, Name, Real, Text, Time};

/// Each has the column `recording` first.
const RECORDING: Column = must("recording", Name);

/// Every event as it was recorded, those that describe included.
pub const EVENTS: TableSchema = TableSchema {
    name: "events",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("ns", Time),
        must("core", Int),
        must("event", Name),
        may("ticks", Time),
        must("fields", Text),
        must("input", Int),
        must("offset", Time),
    ],
};

/// From when to when a task was in a state.
pub const STATES: TableSchema = TableSchema {
    name: "states",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("begin_ns", Time),
        must("end_ns", Time),
        must("task_id", Int),
        must("task", Name),
        must("is_idle", Flag),
        must("state", Name),
        may("core", Int),
        may("wait", Name),
        may("priority", Int),
        must("begin_seen", Flag),
        must("end_seen", Flag),
        may("interrupted_ns", Int),
    ],
};

/// What tasks waited for, for how long, and how that ended.
pub const WAITS: TableSchema = TableSchema {
    name: "waits",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("begin_ns", Time),
        must("end_ns", Time),
        must("task_id", Int),
        must("task", Name),
        must("wait", Name),
        may("object_kind", Name),
        may("object_id", Int),
        may("object", Name),
        may("limit_ticks", Int),
        may("outcome", Name),
        may("woken_by", Name),
        must("begin_seen", Flag),
        must("end_seen", Flag),
    ],
};

/// Each interrupt that ran.
pub const INTERRUPTS: TableSchema = TableSchema {
    name: "interrupts",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("begin_ns", Time),
        must("end_ns", Time),
        must("core", Int),
        must("isr_id", Int),
        must("isr", Name),
        must("depth", Int),
        must("begin_seen", Flag),
        must("end_seen", Flag),
    ],
};

/// Levels of queues and buffers, bits of event groups, priorities and stacks of tasks, values of markers.
pub const LEVELS: TableSchema = TableSchema {
    name: "levels",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("ns", Time),
        must("core", Int),
        must("object_kind", Name),
        must("object_id", Int),
        must("object", Name),
        must("value", Int),
        must("cause", Name),
        may("by", Name),
        may("real", Real),
    ],
};

/// Texts of event markers, and their spans.
pub const MARKERS: TableSchema = TableSchema {
    name: "markers",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("begin_ns", Time),
        may("end_ns", Time),
        must("core", Int),
        must("marker_id", Int),
        must("marker", Name),
        must("text", Name),
        may("by", Name),
        must("is_span", Flag),
    ],
};

/// What was taken from the heap and given back.
pub const HEAP: TableSchema = TableSchema {
    name: "heap",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("ns", Time),
        must("core", Int),
        must("what", Name),
        must("bytes", Int),
        may("free", Int),
        may("by", Name),
    ],
};

/// Activations of tasks, interrupts and software timers, with the split of the time from their release to their end.
pub const ACTIVATIONS: TableSchema = TableSchema {
    name: "activations",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("task_id", Int),
        must("task", Name),
        must("kind", Name),
        must("number", Int),
        must("core", Int),
        must("release", Name),
        may("object", Name),
        may("woken_by", Name),
        must("released_ns", Time),
        must("ready_ns", Time),
        may("started_ns", Time),
        must("ended_ns", Time),
        must("backlog_ns", Int),
        must("own_ns", Int),
        must("interrupt_ns", Int),
        must("preempted_ns", Int),
        must("shared_ns", Int),
        must("pushed_ns", Int),
        must("held_off_ns", Int),
        must("locked_ns", Int),
        must("room_ns", Int),
        must("suspended_ns", Int),
        must("unknown_ns", Int),
        must("inverted_ns", Int),
        must("resumes", Int),
        must("merged", Int),
        may("priority", Int),
        must("begin_seen", Flag),
        must("end_seen", Flag),
    ],
};

/// The parts of activations: what took the time.
pub const PARTS: TableSchema = TableSchema {
    name: "parts",
    only_on_request: true,
    columns: &[
        RECORDING,
        must("task_id", Int),
        must("task", Name),
        must("subject", Name),
        must("number", Int),
        must("begin_ns", Time),
        must("end_ns", Time),
        must("path", Name),
        must("kind", Name),
        may("by", Name),
        may("lock", Name),
        may("holder", Name),
        must("depth", Int),
        must("is_inverted", Flag),
    ],
};

/// From when to when tasks held locks.
pub const HOLDS: TableSchema = TableSchema {
    name: "holds",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("lock_id", Int),
        must("lock", Name),
        must("kind", Name),
        may("holder_id", Int),
        may("holder", Name),
        must("begin_ns", Time),
        must("end_ns", Time),
        must("waiters", Int),
        must("begin_seen", Flag),
        must("end_seen", Flag),
    ],
};

/// Periods of tasks, interrupts and software timers.
pub const PERIODS: TableSchema = TableSchema {
    name: "periods",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("task_id", Int),
        must("task", Name),
        must("kind", Name),
        must("how", Name),
        may("period_ns", Int),
        must("first_ns", Time),
        must("releases", Int),
        may("period_jitter_ns", Int),
        may("release_jitter_ns", Int),
        may("least_ns", Int),
        must("missed", Int),
        may("agree", Int),
    ],
};

/// The time of each core by its owner, in windows of 100 ms, or of the length that the options have. Whole windows with one owner are
/// one row. The times of the rows of one core that begin at the same time add up to the window.
pub const LOAD: TableSchema = TableSchema {
    name: "load",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("begin_ns", Time),
        must("end_ns", Time),
        must("core", Int),
        must("kind", Name),
        may("id", Int),
        must("name", Name),
        must("time_ns", Int),
    ],
};

/// Mistakes of the program, as `check` reports them.
pub const FINDINGS: TableSchema = TableSchema {
    name: "findings",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("finding", Name),
        must("certainty", Name),
        may("ns", Time),
        must("length_ns", Int),
        may("task", Name),
        may("core", Int),
        must("means", Text),
        must("evidence", Text),
        must("advice", Text),
    ],
};

/// What is lost or wrong, where.
pub const LOSSES: TableSchema = TableSchema {
    name: "losses",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("ns", Time),
        must("core", Int),
        must("problem", Name),
        must("severity", Name),
        must("amount", Int),
        must("text", Text),
        must("input", Int),
        must("offset", Time),
    ],
};

/// A row for each recording.
pub const RECORDINGS: TableSchema = TableSchema {
    name: "recordings",
    only_on_request: false,
    columns: &[
        RECORDING,
        must("file", Name),
        may("bytes", Int),
        may("begin_ns", Int),
        may("end_ns", Int),
        must("events", Int),
        must("cores", Int),
        must("findings", Int),
        must("lost_events", Int),
        must("is_clean", Flag),
        may("format_version", Int),
        may("kernel_version", Int),
        may("tick_rate_hz", Int),
        may("build_id", Name),
        must("frequency", Name),
        must("tband_version", Name),
        must("schema_version", Int),
    ],
};

/// All tables. That of the recordings is the last: it is written when the others are.
pub const TABLES: &[TableSchema] = &[
    EVENTS,
    STATES,
    WAITS,
    INTERRUPTS,
    LEVELS,
    MARKERS,
    HEAP,
    ACTIVATIONS,
    PARTS,
    HOLDS,
    PERIODS,
    LOAD,
    FINDINGS,
    LOSSES,
    RECORDINGS,
];
