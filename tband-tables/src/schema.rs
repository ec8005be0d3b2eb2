//! Which tables there are, and which columns they have. The book's page of the schema is compared with this by a test.

/// The version for readers. It rises when a column is removed or changes its meaning; columns may be added without.
pub const SCHEMA_VERSION: u32 = 1;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
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
    /// Its type.
    pub kind: ColumnKind,
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

const fn required(name: &'static str, kind: ColumnKind) -> Column {
    Column { name, kind, optional: false }
}

const fn nullable(name: &'static str, kind: ColumnKind) -> Column {
    Column { name, kind, optional: true }
}

use ColumnKind::{Flag, Int, Name, Real, Text, Time};

/// Each has the column `recording` first.
const RECORDING: Column = required("recording", Name);

/// Every event as it was recorded, those that describe included.
pub const EVENTS: TableSchema = TableSchema {
    name: "events",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("ns", Time),
        required("core", Int),
        required("event", Name),
        nullable("ticks", Time),
        required("fields", Text),
        required("input", Int),
        required("offset", Time),
    ],
};

/// From when to when a task was in a state.
pub const STATES: TableSchema = TableSchema {
    name: "states",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("begin_ns", Time),
        required("end_ns", Time),
        required("task_id", Int),
        required("task", Name),
        required("is_idle", Flag),
        required("state", Name),
        nullable("core", Int),
        nullable("wait", Name),
        nullable("priority", Int),
        required("begin_seen", Flag),
        required("end_seen", Flag),
        nullable("interrupted_ns", Int),
    ],
};

/// Waits of tasks: their reasons, durations, and outcomes.
pub const WAITS: TableSchema = TableSchema {
    name: "waits",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("begin_ns", Time),
        required("end_ns", Time),
        required("task_id", Int),
        required("task", Name),
        required("wait", Name),
        nullable("object_kind", Name),
        nullable("object_id", Int),
        nullable("object", Name),
        nullable("limit_ticks", Int),
        nullable("outcome", Name),
        nullable("woken_by", Name),
        required("begin_seen", Flag),
        required("end_seen", Flag),
    ],
};

/// Each interrupt that ran.
pub const INTERRUPTS: TableSchema = TableSchema {
    name: "interrupts",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("begin_ns", Time),
        required("end_ns", Time),
        required("core", Int),
        required("isr_id", Int),
        required("isr", Name),
        required("depth", Int),
        required("begin_seen", Flag),
        required("end_seen", Flag),
    ],
};

/// Levels of queues and buffers, bits of event groups, priorities and stacks of tasks, values of markers.
pub const LEVELS: TableSchema = TableSchema {
    name: "levels",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("ns", Time),
        required("core", Int),
        required("object_kind", Name),
        required("object_id", Int),
        required("object", Name),
        required("value", Int),
        required("cause", Name),
        nullable("by", Name),
        nullable("real", Real),
    ],
};

/// Texts of event markers, and their spans.
pub const MARKERS: TableSchema = TableSchema {
    name: "markers",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("begin_ns", Time),
        nullable("end_ns", Time),
        required("core", Int),
        required("marker_id", Int),
        required("marker", Name),
        required("text", Name),
        nullable("by", Name),
        required("is_span", Flag),
    ],
};

/// Allocations from the heap and frees.
pub const HEAP: TableSchema = TableSchema {
    name: "heap",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("ns", Time),
        required("core", Int),
        required("what", Name),
        required("bytes", Int),
        nullable("free", Int),
        nullable("by", Name),
    ],
};

/// Activations of tasks, interrupts and software timers, with the split of the time from their release to their end.
pub const ACTIVATIONS: TableSchema = TableSchema {
    name: "activations",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("task_id", Int),
        required("task", Name),
        required("kind", Name),
        required("number", Int),
        required("core", Int),
        required("release", Name),
        nullable("object", Name),
        nullable("woken_by", Name),
        required("released_ns", Time),
        required("ready_ns", Time),
        nullable("started_ns", Time),
        required("ended_ns", Time),
        required("backlog_ns", Int),
        required("own_ns", Int),
        required("interrupt_ns", Int),
        required("preempted_ns", Int),
        required("shared_ns", Int),
        required("pushed_ns", Int),
        required("held_off_ns", Int),
        required("locked_ns", Int),
        required("room_ns", Int),
        required("suspended_ns", Int),
        required("unknown_ns", Int),
        required("inverted_ns", Int),
        required("resumes", Int),
        required("merged", Int),
        nullable("priority", Int),
        required("begin_seen", Flag),
        required("end_seen", Flag),
    ],
};

/// The parts of activations: the uses of the time.
pub const PARTS: TableSchema = TableSchema {
    name: "parts",
    only_on_request: true,
    columns: &[
        RECORDING,
        required("task_id", Int),
        required("task", Name),
        required("subject", Name),
        required("number", Int),
        required("begin_ns", Time),
        required("end_ns", Time),
        required("path", Name),
        required("kind", Name),
        nullable("by", Name),
        nullable("lock", Name),
        nullable("holder", Name),
        required("depth", Int),
        required("is_inverted", Flag),
    ],
};

/// Begin and end of each hold of a lock by a task.
pub const HOLDS: TableSchema = TableSchema {
    name: "holds",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("lock_id", Int),
        required("lock", Name),
        required("kind", Name),
        nullable("holder_id", Int),
        nullable("holder", Name),
        required("begin_ns", Time),
        required("end_ns", Time),
        required("waiters", Int),
        required("begin_seen", Flag),
        required("end_seen", Flag),
    ],
};

/// Periods of tasks, interrupts and software timers.
pub const PERIODS: TableSchema = TableSchema {
    name: "periods",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("task_id", Int),
        required("task", Name),
        required("kind", Name),
        required("how", Name),
        nullable("period_ns", Int),
        required("first_ns", Time),
        required("releases", Int),
        nullable("period_jitter_ns", Int),
        nullable("release_jitter_ns", Int),
        nullable("least_ns", Int),
        required("missed", Int),
        nullable("agree", Int),
    ],
};

/// The time of each core by its owner, in windows of 100 ms, or of the length in the options. Consecutive windows with one
/// owner are one row. The times of the rows of one core that begin at the same time add up to the window.
pub const LOAD: TableSchema = TableSchema {
    name: "load",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("begin_ns", Time),
        required("end_ns", Time),
        required("core", Int),
        required("kind", Name),
        nullable("id", Int),
        required("name", Name),
        required("time_ns", Int),
    ],
};

/// Mistakes of the program, as `check` reports them.
pub const FINDINGS: TableSchema = TableSchema {
    name: "findings",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("finding", Name),
        required("certainty", Name),
        nullable("ns", Time),
        required("length_ns", Int),
        nullable("task", Name),
        nullable("core", Int),
        required("means", Text),
        required("evidence", Text),
        required("advice", Text),
    ],
};

/// Losses and faults, with their places.
pub const LOSSES: TableSchema = TableSchema {
    name: "losses",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("ns", Time),
        required("core", Int),
        required("problem", Name),
        required("severity", Name),
        required("amount", Int),
        required("text", Text),
        required("input", Int),
        required("offset", Time),
    ],
};

/// A row for each recording.
pub const RECORDINGS: TableSchema = TableSchema {
    name: "recordings",
    only_on_request: false,
    columns: &[
        RECORDING,
        required("file", Name),
        nullable("bytes", Int),
        nullable("begin_ns", Int),
        nullable("end_ns", Int),
        required("events", Int),
        required("cores", Int),
        required("findings", Int),
        required("lost_events", Int),
        required("is_clean", Flag),
        nullable("format_version", Int),
        nullable("kernel_version", Int),
        nullable("tick_rate_hz", Int),
        nullable("build_id", Name),
        required("frequency", Name),
        required("tband_version", Name),
        required("schema_version", Int),
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
