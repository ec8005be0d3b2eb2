//! One trace of a file: its items, sequences and what its samples mean.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::FixedState;
use tband_format::named::QueueKind;
use tband_format::{Event, Str};

use super::clock::FileClock;
use super::domain::Domain;
use super::item::{ItemPath, Sample, Unshown};
use super::known_items::{Item, KnownItems};
use super::label::{Call, TaskState};
use super::role::{MAX_CORES, NameKind, Role, core_of_scope, of_tband};
use super::sequences::{Sequence, Sequences};
use super::tasks::Tasks;
use super::value::{self, kind};
use crate::output::Output;

/// Items and labels that are kept.
const MAX_KEPT: usize = 64 * 1024;
/// Scopes inside of each other.
const MAX_DEPTH: usize = 32;

/// The label of a number.
#[derive(Debug)]
pub(super) struct Label {
    pub(super) text: Box<str>,
    /// What it means if it is one of a task's states.
    pub(super) state: TaskState,
    /// The event of a running task that is about to be in that state, once it was needed.
    pub(super) wait: Option<Event<'static>>,
}

/// The task that is about to run on a core.
#[derive(Debug)]
pub(super) struct NextTask {
    pub(super) core: u32,
    pub(super) name: NextName,
}

/// Its name.
#[derive(Debug)]
pub(super) enum NextName {
    /// The label of a number of an item.
    Label {
        item: u32,
        number: u64,
    },
    Text(String),
}

/// What a sample belongs to.
#[derive(Clone, Copy)]
struct SamplePlace {
    /// Where its sequence is.
    sequence: usize,
    /// The type of its data.
    kind: u8,
    role: Role,
}

/// What a trace has turned out to contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    pub has_floats: bool,
    pub has_negative_times: bool,
    pub has_unknown_domain: bool,
    pub has_task_rows: bool,
    pub has_unknown_states: bool,
    pub has_tainted: bool,
    pub has_idle: bool,
    /// Samples without a value, in rows of numbers and texts.
    pub empty_samples: u64,
    pub references: u64,
    pub relations: u64,
    pub labels: u64,
    pub control_messages: u64,
}

impl Facts {
    /// Counts a part that is not shown.
    pub const fn count(&mut self, what: Unshown) {
        let count = match what {
            Unshown::Reference => &mut self.references,
            Unshown::Relation => &mut self.relations,
            Unshown::Label => &mut self.labels,
            Unshown::Control => &mut self.control_messages,
        };
        *count = count.saturating_add(1);
    }
}

/// A trace.
#[derive(Debug)]
pub struct Trace {
    pub version: u8,
    pub name: String,
    pub about: String,
    pub(super) first_core: u32,
    /// It is in the upper bits of the numbers of all things.
    pub(super) prefix: u32,
    pub(super) items: KnownItems,
    pub(super) words: HashMap<(u32, u32, u64), Label, FixedState>,
    pub(super) members: HashMap<(u32, u32), Box<str>, FixedState>,
    sequences: Sequences,
    /// It is another number after each change of the open sequences or of the items.
    state: u32,
    /// Sequences that were open before.
    closed: HashMap<u32, (), FixedState>,
    domain: Domain,
    numbers: HashMap<NameKind, HashMap<Box<str>, u32, FixedState>, FixedState>,
    /// How many there are of these.
    number_count: usize,
    pub(super) tasks: Tasks,
    pub(super) next: Option<NextTask>,
    /// A core whose task leaves it, at this time, and none follows so far.
    pub(super) vacated: Option<(u32, u64)>,
    /// Texts of markers that are about to fire.
    pub(super) texts: HashMap<u32, String, FixedState>,
    /// Levels of the spans that are open on markers.
    pub(super) spans: HashMap<u32, i64, FixedState>,
    /// The clock of its file.
    pub(super) clock: Rc<Cell<FileClock>>,
    pub(super) now: u64,
    pub facts: Facts,
}

impl Trace {
    pub fn new(
        number: usize,
        first_core: u32,
        (version, name, about): (u8, &[u8], &[u8]),
        clock: Rc<Cell<FileClock>>,
    ) -> Self {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Self {
            version,
            name: text(name),
            about: text(about),
            first_core,
            prefix: u32::try_from(number).unwrap_or(0) << 24,
            items: KnownItems::default(),
            words: HashMap::default(),
            members: HashMap::default(),
            sequences: Sequences::default(),
            state: 1,
            closed: HashMap::default(),
            domain: Domain::default(),
            numbers: HashMap::default(),
            number_count: 0,
            tasks: Tasks::default(),
            next: None,
            vacated: None,
            texts: HashMap::default(),
            spans: HashMap::default(),
            clock,
            now: 0,
            facts: Facts::default(),
        }
    }

    /// Another file had this trace: the same names have the same numbers.
    pub fn continue_after(&mut self, before: Self) {
        (self.prefix, self.facts) = (before.prefix, before.facts);
        (self.numbers, self.number_count) = (before.numbers, before.number_count);
    }

    /// tband wrote it.
    pub fn is_of_tband(&self) -> bool {
        self.name == "tband" && self.about.starts_with("tband ")
    }

    /// The part belongs to an item that is not defined.
    pub fn is_unknown(&self, item: u32) -> bool {
        item != 0 && self.items.get(item).is_none()
    }

    /// A sample can be one of this trace.
    pub fn can_be(&self, sample: &Sample<'_>) -> bool {
        self.place_of(sample).is_some()
    }

    /// What a sample belongs to; `None`: it cannot be one of this trace.
    #[inline]
    fn place_of(&self, sample: &Sample<'_>) -> Option<SamplePlace> {
        let item = self.items.get(sample.item)?;
        let kind = item.kind?;
        if !value::can_be(kind, sample.form, sample.data.len()) {
            return None;
        }
        let (state, known) = item.sequence.get();
        let sequence = if state == self.state {
            known
        } else {
            let found = self.find_sequence(sample.item);
            item.sequence.set((self.state, found));
            found
        };
        Some(SamplePlace { sequence: sequence?, kind, role: item.role })
    }

    /// Events are missing.
    pub fn forget(&mut self) {
        self.tasks.forget();
        self.vacated = None;
        self.texts.clear();
    }

    pub fn scope(&mut self, named: ItemPath<'_>) {
        self.add(named, None, Role::Nothing);
    }

    fn add(&mut self, ItemPath { item, parent, name }: ItemPath<'_>, kind: Option<u8>, role: Role) {
        if self.items.count() < MAX_KEPT || self.items.get(item).is_some() {
            let name = String::from_utf8_lossy(name).into();
            let (is_open, is_named, sequence) = (false, false, Cell::default());
            let item_of = Item { parent, name, kind, role, is_open, is_named, sequence };
            self.items.insert(item, item_of);
            self.state = self.state.wrapping_add(1);
        }
    }

    pub fn signal(
        &mut self,
        named: ItemPath<'_>,
        last: u32,
        kind: u8,
        descriptor: &[u8],
        out: &mut Output,
    ) {
        let of_messages = last.saturating_sub(named.item).min(1023);
        for index in 0..=of_messages {
            let item = named.item + index;
            let name = match of_messages {
                0 => named.name.to_vec(),
                _ => [named.name, format!("[{index}]").as_bytes()].concat(),
            };
            let named = ItemPath { item, name: &name, ..named };
            self.add(named, Some(kind), Role::Nothing);
            let role = if self.is_of_tband() && kind != kind::FLOAT {
                self.role_of_tband(item, out)
            } else {
                self.role(item, kind, descriptor)
            };
            if let Some(item) = self.items.get_mut(item) {
                item.role = role;
            }
        }
    }

    fn role(&self, item: u32, kind: u8, descriptor: &[u8]) -> Role {
        match kind {
            kind::EVENT if descriptor.starts_with(b"gantt") => {
                let core = self.path(item).iter().rev().find_map(|name| core_of_scope(name));
                Role::States { core: core.unwrap_or(0) }
            }
            kind::INTEGER | kind::FLOAT | kind::LOGIC => Role::Value,
            _ => Role::Moment,
        }
    }

    fn role_of_tband(&mut self, item: u32, out: &mut Output) -> Role {
        let path: Vec<String> = self.path(item).into_iter().map(str::to_owned).collect();
        let path: Vec<&str> = path.iter().map(|name| &**name).collect();
        of_tband(&path, |kind, name| self.number(kind, name, out))
    }

    /// The names of the scopes of an item and its own.
    pub(super) fn path(&self, item: u32) -> Vec<&str> {
        let mut path = Vec::new();
        let mut item = item;
        while let Some(of) = self.items.get(item).filter(|_| path.len() < MAX_DEPTH) {
            path.push(&*of.name);
            item = of.parent;
        }
        path.reverse();
        path
    }

    /// Marks a task that is the idle task by its name.
    pub(super) fn task_is_named(&mut self, task_id: u32, core: u32, name: &str, out: &mut Output) {
        let lower = name.to_ascii_lowercase();
        let Some(number) = lower.strip_prefix("idle") else { return };
        let core_id = if number.is_empty() { Some(core) } else { number.parse().ok() };
        if let Some(core_id) = core_id.filter(|core| *core < MAX_CORES) {
            self.facts.has_idle = true;
            out.metadata(core_id, &Event::TaskIsIdleTask { task_id, core_id });
        }
    }

    /// The number of a thing by its name, if it has one.
    pub(super) fn known_number(&self, kind: NameKind, name: &str) -> Option<u32> {
        self.numbers.get(&kind)?.get(name).copied()
    }

    /// The number of a thing by its name, which is emitted the first time.
    pub(super) fn number(&mut self, kind: NameKind, name: &str, out: &mut Output) -> u32 {
        if let Some(known) = self.known_number(kind, name) {
            return known;
        }
        let number = self.prefix | (u32::try_from(self.number_count).unwrap_or(0) + 1) & 0xFF_FFFF;
        if self.number_count < MAX_KEPT {
            self.number_count += 1;
            self.numbers.entry(kind).or_default().insert(name.into(), number);
        }
        let (core, name) = (self.first_core, Str(name.as_bytes()));
        match kind {
            NameKind::Task => out.metadata(core, &Event::TaskName { task_id: number, name }),
            NameKind::Isr => out.metadata(core, &Event::IsrName { isr_id: number, name }),
            NameKind::Marker => {
                out.metadata(core, &Event::EvtmarkerName { evtmarker_id: number, name });
            }
            NameKind::Value => {
                out.metadata(core, &Event::ValmarkerName { valmarker_id: number, name });
            }
            NameKind::Queue(call) => {
                out.metadata(core, &Event::QueueName { queue_id: number, name });
                let kind = match call {
                    Call::TakeMutex => QueueKind::MUTEX,
                    Call::TakeSemaphore => QueueKind::COUNTING_SEMAPHORE,
                    _ => QueueKind::QUEUE,
                };
                out.metadata(core, &Event::QueueKind { queue_id: number, kind });
            }
            NameKind::Buffer => {
                out.metadata(core, &Event::StreamBufferName { stream_buffer_id: number, name });
            }
            NameKind::EventGroup => {
                out.metadata(core, &Event::EventGroupName { event_group_id: number, name });
            }
        }
        number
    }

    pub fn word(&mut self, item: u32, of: u32, number: u64, label: &[u8]) {
        if self.words.len() < MAX_KEPT || self.words.contains_key(&(item, of, number)) {
            let text = String::from_utf8_lossy(label);
            let state = TaskState::of(&text);
            let label = Label { text: text.into(), state, wait: None };
            self.words.insert((item, of, number), label);
        }
    }

    pub fn member(&mut self, item: u32, member: u32, label: &[u8]) {
        if self.members.len() < MAX_KEPT || self.members.contains_key(&(item, member)) {
            self.members.insert((item, member), String::from_utf8_lossy(label).into());
        }
    }

    /// A sequence has reached this position, also if samples before it are missing.
    pub fn set_position(&mut self, item: u32, at: i64) {
        let place = self.sequences.place(item);
        if let Some(sequence) = place.and_then(|place| self.sequences.at_mut(place)) {
            sequence.last = sequence.last.max(at);
        }
    }

    pub fn domain(&mut self, name: &[u8]) {
        self.domain = self.known_domain(name);
    }

    fn known_domain(&mut self, name: &[u8]) -> Domain {
        if name.is_empty() {
            return self.domain;
        }
        Domain::of(name).unwrap_or_else(|| {
            self.facts.has_unknown_domain = true;
            Domain::default()
        })
    }

    /// A sequence begins. Reports whether it was open before, so that there is a pause.
    pub fn open(&mut self, item: u32, domain: &[u8], start: i64) -> bool {
        let domain = self.known_domain(domain);
        self.sequences.open(item, Sequence { domain, last: start });
        self.state = self.state.wrapping_add(1);
        let has_pause = self.closed.contains_key(&item);
        if has_pause {
            self.forget();
        }
        has_pause
    }

    pub fn close(&mut self, item: u32, end: i64, out: &mut Output) {
        let Some(Sequence { domain, .. }) = self.sequences.close(item) else { return };
        self.state = self.state.wrapping_add(1);
        if self.closed.len() < MAX_KEPT {
            self.closed.insert(item, ());
        }
        let ts = self.ts(domain, end);
        self.advance_time(ts.saturating_add(1), out);
    }

    /// The file has ended.
    pub fn finish(&mut self, out: &mut Output) {
        self.advance_time(u64::MAX, out);
    }

    /// The time is this now.
    #[inline]
    fn advance_time(&mut self, ts: u64, out: &mut Output) {
        if let Some((core, left)) = self.vacated.filter(|(_, left)| *left < ts) {
            self.vacated = None;
            self.tasks.leave_core(core, left, out);
        }
        self.tasks.advance_time(ts, out);
    }

    fn ts(&mut self, domain: Domain, time: i64) -> u64 {
        self.facts.has_negative_times |= time < 0;
        let mut clock = self.clock.get();
        let ts = clock.continued(domain.ns(time));
        self.clock.set(clock);
        ts
    }

    /// Where the sequence of an item is: its own, or that of a scope it is in.
    fn find_sequence(&self, item: u32) -> Option<usize> {
        let mut item = item;
        for _ in 0..MAX_DEPTH {
            match self.sequences.place(item) {
                None if item != 0 => item = self.items.get(item)?.parent,
                place => return place,
            }
        }
        None
    }

    /// Takes a sample, if it [can be](Self::can_be) one of this trace.
    #[inline]
    pub fn sample(&mut self, sample: &Sample<'_>, out: &mut Output) -> bool {
        let Some(SamplePlace { sequence, kind, mut role }) = self.place_of(sample) else {
            return false;
        };
        let Some(sequence) = self.sequences.at_mut(sequence) else { return false };
        let delta = i64::try_from(sample.delta).unwrap_or(i64::MAX);
        sequence.last = sequence.last.saturating_add(delta);
        let Sequence { domain, last } = *sequence;
        let ts = self.ts(domain, last);
        self.now = self.now.max(ts);
        self.facts.has_tainted |= sample.is_tainted;
        self.advance_time(ts, out);
        if let Role::States { core } = role {
            role = self.role_of_states(sample.item, core, out);
        }
        self.show(sample, kind, role, ts, out);
        true
    }
}
