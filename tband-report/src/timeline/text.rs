//! The texts of a timeline: kept as values, and formatted at the end, when all names are known.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use tband_conv::counted;
use tband_conv::model::{IsrRef, Outcome, TaskRef, TaskState, Wait, Waker, World, describe_bits};
use tband_conv::tracks::Track;

use super::class::Class;
use super::lane::TextsOfLane;
use super::row::RowSubject;

/// Texts that are distinguished, at most.
const MAX_TEXTS: usize = 1 << 16;
/// As many slices as there may be for each of them: a picture of few slices has room for few texts.
const SLICES_A_TEXT: usize = 8;
/// Texts that are distinguished at least.
const MIN_TEXTS: usize = 1 << 12;
/// Maximum total size, in bytes, of the recording's own texts that are distinguished. Each is stored twice, and a third time in
/// a page.
const MAX_BYTES: usize = 8 << 20;

/// The content of a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum TextContent {
    /// A further text of a class, beyond those that are distinguished.
    Further(Class),
    /// A task is on a core.
    Task(TaskRef),
    /// The owner is unknown.
    NotKnown,
    /// An interrupt on a core.
    Isr(IsrRef, u32),
    /// A task runs on this core.
    Running(u32),
    /// A task is ready, woken by this one.
    ReadyBy(TaskRef),
    /// The same by an interrupt of this core.
    ReadyByIsr(IsrRef, u32),
    Ready,
    Created,
    Suspended,
    Blocked {
        wait: Wait,
        limit: Option<u32>,
        bits: (u64, bool),
        outcome: Option<Outcome>,
    },
    /// A state that is described by this word.
    Word(&'static str),
    /// A text of the recording: of a marker.
    Plain(String),
    Loss(String),
    Damage(String),
    Note(String),
}

impl TextContent {
    /// Returns the state of a task, if it is known and the task exists.
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

    /// Returns its class. A task counts as not idle while the world is not known.
    fn class(&self, world: Option<&World>) -> Class {
        match self {
            Self::Further(class) => *class,
            Self::Task(task) => {
                let task = world.and_then(|world| world.tasks.get(*task));
                if task.is_some_and(|it| it.idle_of.is_some()) { Class::Idle } else { Class::Name }
            }
            Self::NotKnown => Class::Unknown,
            Self::Isr(..) => Class::Isr,
            Self::Running(_) => Class::Running,
            Self::ReadyBy(_) | Self::ReadyByIsr(..) | Self::Ready => Class::Ready,
            Self::Created | Self::Suspended => Class::Suspended,
            Self::Blocked { .. } => Class::Blocked,
            Self::Word(_) | Self::Plain(_) => Class::Name,
            Self::Loss(_) => Class::Loss,
            Self::Damage(_) => Class::Damage,
            Self::Note(_) => Class::Note,
        }
    }

    /// The row of the task that it names, or of the interrupt, or of the core on which the task runs.
    fn row(&self) -> Option<RowSubject> {
        let track = match self {
            Self::Task(task) | Self::ReadyBy(task) => Track::Task(*task),
            Self::Isr(_, core) | Self::ReadyByIsr(_, core) => Track::Interrupts(*core),
            Self::Running(core) => Track::Core(*core),
            _ => return None,
        };
        Some(RowSubject::Track(track))
    }

    /// Bytes that it has beside itself.
    const fn len(&self) -> usize {
        match self {
            Self::Plain(text) | Self::Loss(text) | Self::Damage(text) | Self::Note(text) => {
                text.len()
            }
            _ => 0,
        }
    }

    /// In words.
    fn words(&self, world: &World) -> String {
        let task = |task| world.task_name(task).to_string();
        match self {
            Self::Further(_) => "(further)".to_owned(),
            Self::Task(of) => task(*of),
            Self::NotKnown => "(not known)".to_owned(),
            Self::Isr(isr, core) => world.isr_name(*isr, *core).to_string(),
            Self::Running(core) => format!("runs on core {core}"),
            Self::ReadyBy(by) => format!("ready, woken by {}", task(*by)),
            Self::ReadyByIsr(isr, core) => {
                format!("ready, woken by interrupt {}", world.isr_name(*isr, *core))
            }
            Self::Ready => "ready".to_owned(),
            Self::Created => "created".to_owned(),
            Self::Suspended => "suspended".to_owned(),
            Self::Blocked { wait, limit, bits, outcome } => {
                let mut text = world.describe_wait(*wait);
                if bits.0 != 0 {
                    text = format!("{text}: {}", describe_bits(*bits));
                }
                if let Some(outcome) = outcome {
                    text = format!("{text} ({})", outcome.name());
                }
                if let Some(limit) = limit {
                    text = format!("{text}, limit {}", counted(*limit, "tick"));
                }
                text
            }
            Self::Word(word) => (*word).to_owned(),
            Self::Plain(text) | Self::Loss(text) | Self::Damage(text) | Self::Note(text) => {
                text.clone()
            }
        }
    }
}

/// All texts, each with a number.
#[derive(Clone, Debug)]
pub(super) struct TextTable {
    /// As many are distinguished.
    most: usize,
    numbers: HashMap<TextContent, i64>,
    all: Vec<TextContent>,
    /// How many slices and moments have each, as far as they were counted.
    uses: Vec<u64>,
    /// Total size of the recording's texts, in bytes.
    bytes: usize,
    /// The last text that was looked up.
    last: Option<(TextContent, i64)>,
}

impl TextTable {
    /// Creates the texts of a timeline of at most this many slices.
    pub fn with_at_most(slices: usize) -> Self {
        Self {
            most: (slices / SLICES_A_TEXT).clamp(MIN_TEXTS, MAX_TEXTS),
            numbers: HashMap::new(),
            all: Vec::new(),
            uses: Vec::new(),
            bytes: 0,
            last: None,
        }
    }

    /// The number of a text.
    pub fn number(&mut self, text: TextContent) -> i64 {
        if let Some((last, number)) = &self.last
            && *last == text
        {
            return *number;
        }
        // There are as many tasks as there are, and which of them are idle is not known here.
        let is_full = (self.all.len() >= self.most && !matches!(text, TextContent::Task(_)))
            || self.bytes.saturating_add(text.len()) > MAX_BYTES;
        let is_further = is_full && !self.numbers.contains_key(&text);
        let text = if is_further { TextContent::Further(text.class(None)) } else { text };
        let number = match self.numbers.entry(text.clone()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                self.bytes = self.bytes.saturating_add(text.len());
                self.all.push(text.clone());
                self.uses.push(0);
                *place.insert(self.all.len() as i64 - 1)
            }
        };
        self.last = Some((text, number));
        number
    }

    /// A text by its number.
    pub fn get(&self, number: i64) -> Option<&TextContent> {
        self.all.get(usize::try_from(number).ok()?)
    }

    /// One more slice has this text.
    pub fn count(&mut self, number: i64) {
        let place = usize::try_from(number).ok();
        if let Some(uses) = place.and_then(|place| self.uses.get_mut(place)) {
            *uses += 1;
        }
    }

    /// How many slices have a further text.
    pub fn textless(&self) -> u64 {
        let further = |text: &TextContent| matches!(text, TextContent::Further(_));
        let all = self.all.iter().zip(&self.uses);
        all.filter(|(text, _)| further(text)).map(|(_, uses)| uses).sum()
    }

    /// Returns the maximum number of slices of a rare text, such that all slices of rare texts together are at most `max`.
    fn rarity(&self, max: u64) -> u64 {
        let sum = |rarity| self.uses.iter().filter(|uses| **uses <= rarity).sum::<u64>();
        RARE.into_iter().find(|rarity| sum(*rarity) <= max).unwrap_or(0)
    }

    /// Returns the facts about texts for lanes that build aggregates, which may keep this many slices with rare texts.
    pub fn of_lanes<'t>(&'t self, world: &'t World, max: u64) -> LaneTexts<'t> {
        LaneTexts { texts: self, world, rarity: self.rarity(max) }
    }

    /// Classes, words and numbers of slices of all, and the places of the rows that they name. `places` has those of rows.
    pub fn shown(
        &self,
        world: &World,
        places: &HashMap<RowSubject, usize>,
    ) -> impl Iterator<Item = (&'static str, String, u64, Option<usize>)> {
        let row = |text: &TextContent| text.row().and_then(|of| places.get(&of).copied());
        let all = self.all.iter().zip(self.uses.iter().copied());
        all.map(move |(it, uses)| (it.class(Some(world)).name(), it.words(world), uses, row(it)))
    }
}

/// How many slices may have a text that is rare: the first that leaves room for all others.
const RARE: [u64; 4] = [8, 4, 2, 1];

/// Texts with the known facts about their tasks.
#[derive(Clone, Copy)]
pub(super) struct LaneTexts<'t> {
    texts: &'t TextTable,
    world: &'t World,
    rarity: u64,
}

impl TextsOfLane for LaneTexts<'_> {
    fn class(&self, text: i64) -> Class {
        self.texts.get(text).map_or(Class::Unknown, |text| text.class(Some(self.world)))
    }

    fn is_rare(&self, text: i64) -> bool {
        let place = usize::try_from(text).ok();
        place.and_then(|place| self.texts.uses.get(place)).is_some_and(|it| *it <= self.rarity)
    }
}
