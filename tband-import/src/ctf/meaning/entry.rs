//! A rule: which event means what, and by which of its fields.

use std::fmt;
use std::rc::Rc;

/// What an event means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventMeaning {
    /// A task gets the core.
    Switch,
    /// A task leaves the core.
    SwitchedOut,
    Ready,
    Create,
    Delete,
    Suspend,
    Resume,
    Priority,
    /// A task gets a name.
    Name,
    /// The idle task of the core runs.
    Idle,
    /// The running task is about to wait, for an object if one is named.
    Wait,
    WaitSend,
    Delay,
    Send,
    Receive,
    SendFailed,
    ReceiveFailed,
    QueueCreate,
    QueueName,
    IsrEnter,
    IsrExit,
    /// As those, of a soft interrupt of Linux, whose numbers are others.
    SoftEnter,
    SoftExit,
    /// An instant.
    Marker,
    SpanBegin,
    SpanEnd,
    Value,
    Log,
    Ignore,
}

impl EventMeaning {
    /// All of them by the names in a mapping file, with the parts that each needs.
    pub const ALL: [(&'static str, Self, &'static [FieldRole]); 27] = [
        ("switch", Self::Switch, &[FieldRole::Task]),
        ("switched-out", Self::SwitchedOut, &[FieldRole::Task]),
        ("ready", Self::Ready, &[FieldRole::Task]),
        ("create", Self::Create, &[FieldRole::Task]),
        ("delete", Self::Delete, &[FieldRole::Task]),
        ("suspend", Self::Suspend, &[FieldRole::Task]),
        ("resume", Self::Resume, &[FieldRole::Task]),
        ("priority", Self::Priority, &[FieldRole::Task, FieldRole::Priority]),
        ("name", Self::Name, &[FieldRole::Task, FieldRole::Name]),
        ("idle", Self::Idle, &[]),
        ("wait", Self::Wait, &[]),
        ("wait-send", Self::WaitSend, &[FieldRole::Queue]),
        ("delay", Self::Delay, &[]),
        ("send", Self::Send, &[FieldRole::Queue]),
        ("receive", Self::Receive, &[FieldRole::Queue]),
        ("send-failed", Self::SendFailed, &[FieldRole::Queue]),
        ("receive-failed", Self::ReceiveFailed, &[FieldRole::Queue]),
        ("queue-create", Self::QueueCreate, &[FieldRole::Queue]),
        ("queue-name", Self::QueueName, &[FieldRole::Queue, FieldRole::Name]),
        ("isr-enter", Self::IsrEnter, &[]),
        ("isr-exit", Self::IsrExit, &[]),
        ("marker", Self::Marker, &[]),
        ("span-begin", Self::SpanBegin, &[]),
        ("span-end", Self::SpanEnd, &[]),
        ("value", Self::Value, &[FieldRole::Value]),
        ("log", Self::Log, &[FieldRole::Text]),
        ("ignore", Self::Ignore, &[]),
    ];
}

/// What a field is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRole {
    Task,
    Name,
    Priority,
    /// The task that leaves, its name and priority, and its state as Linux numbers it.
    From,
    FromName,
    FromPriority,
    FromState,
    Queue,
    /// Items after the event, or before it.
    Level,
    LevelBefore,
    Isr,
    /// The interrupt ends with a switch.
    ToScheduler,
    Ticks,
    Value,
    Text,
    Core,
}

impl FieldRole {
    /// All of them by the names in a mapping file.
    pub const ALL: [(&'static str, Self); 16] = [
        ("task", Self::Task),
        ("name", Self::Name),
        ("priority", Self::Priority),
        ("from", Self::From),
        ("from-name", Self::FromName),
        ("from-priority", Self::FromPriority),
        ("from-state", Self::FromState),
        ("queue", Self::Queue),
        ("level", Self::Level),
        ("level-before", Self::LevelBefore),
        ("isr", Self::Isr),
        ("to-scheduler", Self::ToScheduler),
        ("ticks", Self::Ticks),
        ("value", Self::Value),
        ("text", Self::Text),
        ("core", Self::Core),
    ];

    /// As it is called in a mapping file.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, part)| *part == self).map_or("", |(name, _)| name)
    }
}

/// Where a part comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartSource {
    /// The field of this name.
    Field(Rc<str>),
    Number(i64),
    /// Only mapping files have it.
    #[cfg_attr(not(feature = "map"), expect(dead_code, reason = "no built-in rule needs it"))]
    Text(Rc<str>),
}

/// A rule for the events of one name.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Name of the events; a `*` at its end matches the rest of any name.
    pub event: Rc<str>,
    /// Fields that have to have these values: numbers, or names of values.
    pub when: Vec<(Rc<str>, PartSource)>,
    pub means: EventMeaning,
    pub parts: Vec<(FieldRole, PartSource)>,
    /// Fields may be missing: the rule then works without that part, or does not apply.
    pub is_built_in: bool,
    /// Line of the mapping file.
    pub line: usize,
}

impl Entry {
    /// It is for events of this name.
    pub fn is_for(&self, name: &str) -> bool {
        // perf puts the system in front.
        let plain = name.rsplit(':').next().unwrap_or(name);
        match self.event.strip_suffix('*') {
            Some(begin) => name.starts_with(begin),
            None => *self.event == *name || (self.is_built_in && *self.event == *plain),
        }
    }
}

/// A mapping: what the events of a trace mean.
#[derive(Clone, Debug, Default)]
pub struct CtfMap {
    /// Name of its file, for messages.
    pub(crate) file: String,
    pub(crate) entries: Vec<Entry>,
    /// Names by number.
    pub(crate) tasks: Vec<(u32, Rc<str>)>,
    pub(crate) queues: Vec<(u32, Rc<str>)>,
    pub(crate) isrs: Vec<(u32, Rc<str>)>,
    /// Names of idle tasks.
    pub(crate) idle: Vec<Rc<str>>,
    /// The most urgent priority is the lowest number: this number less the recorder's is shown.
    pub(crate) priorities_from: Option<i64>,
    /// The field that has the number of the core.
    pub(crate) core: Option<Rc<str>>,
    /// All waits are recorded: a task that leaves a core without one is ready.
    pub(crate) has_all_waits: bool,
    /// No rules but these count.
    pub(crate) is_alone: bool,
}

/// An error in a mapping file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapError {
    /// Its name.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// The cause, and what to do.
    pub text: String,
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: line {}: {}", self.file, self.line, self.text)
    }
}

impl std::error::Error for MapError {}
