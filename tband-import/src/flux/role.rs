//! What signals are shown as, by their places and types.

use super::label::Call;

/// Cores that a name can have.
pub const MAX_CORES: u32 = 32;

/// Cores that tband can record, and more that are reported as damage.
const MAX_OWN_CORES: u32 = 256;

/// What a signal is shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is not shown.
    Nothing,
    /// States, of a task if its labels name a running one, else of anything.
    States { core: u32 },
    /// States of a task, which runs on this core.
    Task { core: u32, task: u32 },
    /// States of anything else.
    Labels,
    /// States of a task whose core another signal shows.
    TaskState { task: u32 },
    /// The task that runs on a core.
    Running { core: u32 },
    /// An interrupt is open.
    Isr { core: u32, isr: u32 },
    /// A number.
    Value,
    /// A number of a separately named value marker.
    Counter { value: u32 },
    /// A moment with a text.
    Moment,
    /// The level of a queue.
    Level { queue: u32 },
    /// The task that holds a mutex.
    Holder { queue: u32 },
    /// The priority of a task.
    Priority { task: u32 },
    /// The kernel's tick count.
    Ticks,
    /// Open spans of a marker, whose text is that of another signal.
    Spans { marker: u32 },
    /// The text of a marker.
    Text { marker: u32 },
    /// A marker has fired, with the text that came just before.
    Fired { marker: u32 },
}

/// The role of a signal in a file of tband's own exporter, by its path. `number` gives an object of a kind, by its name, its
/// number.
pub fn of_tband(path: &[&str], mut number: impl FnMut(NameKind, &str) -> u32) -> Role {
    let core = |name: &str| -> Option<u32> {
        let number = name.strip_prefix("core_")?.parse().ok()?;
        (number < MAX_OWN_CORES).then_some(number)
    };
    match *path {
        [first, name] if core(first).is_some() => match (name, core(first)) {
            ("running", Some(core)) => Role::Running { core },
            _ => Role::Value,
        },
        [first, "interrupts", name] => match core(first) {
            _ if name.ends_with("_acts") => Role::Nothing,
            Some(core) => Role::Isr { core, isr: number(NameKind::Isr, name) },
            None => Role::Value,
        },
        ["target", "tasks", task, what] => {
            let task = |number: &mut dyn FnMut(NameKind, &str) -> u32| number(NameKind::Task, task);
            match what {
                "state" => Role::TaskState { task: task(&mut number) },
                "priority" => Role::Priority { task: task(&mut number) },
                "acts" => Role::Nothing,
                _ => Role::Value,
            }
        }
        ["target", kind @ ("queues" | "semaphores" | "mutexes"), name, what] => {
            let kind = match kind {
                "queues" => NameKind::Queue(Call::Receive),
                "semaphores" => NameKind::Queue(Call::TakeSemaphore),
                _ => NameKind::Queue(Call::TakeMutex),
            };
            match what {
                "level" if kind == NameKind::Queue(Call::TakeMutex) => Role::Nothing,
                "level" => Role::Level { queue: number(kind, name) },
                "holder" => Role::Holder { queue: number(kind, name) },
                _ => Role::Value,
            }
        }
        ["target", "event_markers", name, what] => {
            let marker = number(NameKind::Marker, name);
            match what {
                "fired" => Role::Fired { marker },
                "text" => Role::Text { marker },
                _ => Role::Spans { marker },
            }
        }
        ["target", "value_markers", name, "value"] => {
            Role::Counter { value: number(NameKind::Value, name) }
        }
        ["target", "kernel", "ticks"] => Role::Ticks,
        ["target", "recording", _] => Role::Moment,
        _ => Role::Value,
    }
}

/// Kinds of things that have names in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    Task,
    Isr,
    Marker,
    Value,
    Queue(Call),
    Buffer,
    EventGroup,
}

/// The core that a scope names: `core_1`, `Core 1`, `CPU1`.
pub fn core_of_scope(name: &str) -> Option<u32> {
    let lower = name.to_ascii_lowercase();
    let rest = lower.strip_prefix("core").or_else(|| lower.strip_prefix("cpu"))?;
    rest.trim_start_matches(['_', ' ', '-', '#']).parse().ok().filter(|core| *core < MAX_CORES)
}
