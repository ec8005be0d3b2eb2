//! The texts of a picture: kept as what they say, and put in words in the end, when all names are known.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use tband_conv::timeline::{
    IsrRef, Outcome, TaskRef, TaskState, Wait, Waker, World, describe_bits,
};

/// Texts that are told apart.
const MAX_TEXTS: usize = 1 << 16;

/// What a text says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Text {
    /// Several stretches that are too short to be shown.
    Many,
    /// A further text, beyond those that are told apart.
    Further,
    /// A task is on a core.
    Task(TaskRef),
    /// Nobody that is known has it.
    NotKnown,
    /// An interrupt on a core.
    Isr(IsrRef, u32),
    /// A task runs on this core.
    Running(u32),
    /// A task is ready, made so by this one.
    ReadyBy(TaskRef),
    /// The same by an interrupt of this core.
    ReadyByIsr(IsrRef, u32),
    Ready,
    Created,
    Suspended,
    Blocked {
        wait: Wait,
        limit: Option<u32>,
        bits: (u32, bool),
        outcome: Option<Outcome>,
    },
    /// Something goes on that needs no word but this.
    Word(&'static str),
    /// A text of the recording: of a marker.
    Said(String),
    Loss(String),
    Damage(String),
    Note(String),
}

impl Text {
    /// What a task does, if it is known and the task lives.
    pub fn of_state(
        world: &World,
        task: TaskRef,
        state: TaskState,
        core: u32,
        by: Waker,
    ) -> Option<Self> {
        Some(match state {
            TaskState::Running(core) => Self::Running(core),
            TaskState::Created => Self::Created,
            TaskState::Suspended => Self::Suspended,
            TaskState::Ready => match by {
                Waker::Task(by) => Self::ReadyBy(by),
                Waker::Isr(isr) => Self::ReadyByIsr(isr, core),
                Waker::Other => Self::Ready,
            },
            TaskState::Blocked(wait) => {
                let task = world.tasks.get(task);
                let with_limit = !matches!(wait, Wait::Delay | Wait::DelayUntil);
                let bits = match wait {
                    Wait::Bits(_) | Wait::EventGroupSync(_) => task.map(|it| it.awaited_bits()),
                    _ => None,
                };
                let limit = task.and_then(|it| it.limit()).filter(|_| with_limit);
                Self::Blocked { wait, limit, bits: bits.unwrap_or_default(), outcome: None }
            }
            TaskState::Unknown | TaskState::Deleted => return None,
        })
    }

    /// The class by which the page colours it, and the words.
    fn shown(&self, world: &World) -> (&'static str, String) {
        let task = |task| world.task_name(task).to_string();
        match self {
            Self::Many => ("many", "several, too short to be shown".to_owned()),
            Self::Further => ("many", "(further)".to_owned()),
            Self::Task(of) => {
                let is_idle = world.tasks.get(*of).is_some_and(|it| it.idle_of.is_some());
                (if is_idle { "idle" } else { "name" }, task(*of))
            }
            Self::NotKnown => ("unknown", "(not known)".to_owned()),
            Self::Isr(isr, core) => ("isr", world.isr_name(*isr, *core).to_string()),
            Self::Running(core) => ("running", format!("runs on core {core}")),
            Self::ReadyBy(by) => ("ready", format!("ready, woken by {}", task(*by))),
            Self::ReadyByIsr(isr, core) => {
                ("ready", format!("ready, woken by interrupt {}", world.isr_name(*isr, *core)))
            }
            Self::Ready => ("ready", "ready".to_owned()),
            Self::Created => ("suspended", "created".to_owned()),
            Self::Suspended => ("suspended", "suspended".to_owned()),
            Self::Blocked { wait, limit, bits, outcome } => {
                let mut text = world.describe_wait(*wait);
                if bits.0 != 0 {
                    text = format!("{text}: {}", describe_bits(*bits));
                }
                if let Some(outcome) = outcome {
                    text = format!("{text} ({})", outcome.name());
                }
                if let Some(limit) = limit {
                    text = format!("{text}, limit {limit} ticks");
                }
                ("blocked", text)
            }
            Self::Word(word) => ("name", (*word).to_owned()),
            Self::Said(text) => ("name", text.clone()),
            Self::Loss(text) => ("loss", text.clone()),
            Self::Damage(text) => ("damage", text.clone()),
            Self::Note(text) => ("note", text.clone()),
        }
    }
}

/// All texts, each with a number.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    numbers: HashMap<Text, i64>,
    all: Vec<Text>,
    /// The last one that was looked up.
    last: Option<(Text, i64)>,
}

impl Texts {
    /// The number of a text.
    pub fn number(&mut self, text: Text) -> i64 {
        if let Some((last, number)) = &self.last
            && *last == text
        {
            return *number;
        }
        let is_full = self.all.len() >= MAX_TEXTS;
        let text = if is_full && !self.numbers.contains_key(&text) { Text::Further } else { text };
        let number = match self.numbers.entry(text.clone()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                self.all.push(text.clone());
                *place.insert(self.all.len() as i64 - 1)
            }
        };
        self.last = Some((text, number));
        number
    }

    /// A text by its number.
    pub fn get(&self, number: i64) -> Option<&Text> {
        self.all.get(usize::try_from(number).ok()?)
    }

    /// Classes and words of all.
    pub fn shown(&self, world: &World) -> Vec<(&'static str, String)> {
        self.all.iter().map(|text| text.shown(world)).collect()
    }
}
