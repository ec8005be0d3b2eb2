//! The known state of the target at one moment: its objects, their names and their states.
//!
//! The state machine changes it, sinks read it. Names outlive restarts of the stream: repeated metadata changes nothing.

use super::board::{Boards, TraceInfo};
use super::clocks::Clocks;
use super::crash_places::CrashPlaces;
use super::life::Runs;
use super::object::{
    EventGroup, EventGroupRef, Isr, IsrRef, Marker, MarkerKey, MarkerRef, Queue, QueueRef, Scope,
    StreamBuffer, StreamBufferRef, Task, TaskRef, Timer, TimerRef, Wait,
};
use super::omission::Omission;
use super::table::Table;
use crate::records::{
    Dictionary, Fields, Format, LoadedProgram, Message, ProgramFacts, ProgramId, build_of,
};
use tband_format::Event;

/// The known state of the target.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct World {
    /// Cores that had an event so far, by number. Metadata does not count.
    pub cores: Vec<u32>,
    /// Tasks.
    pub tasks: Table<u32, Task>,
    /// Queues, semaphores, mutexes, queue sets.
    pub queues: Table<u32, Queue>,
    /// Stream, message and batching buffers.
    pub stream_buffers: Table<u32, StreamBuffer>,
    /// Event groups.
    pub event_groups: Table<u32, EventGroup>,
    /// Software timers.
    pub timers: Table<u32, Timer>,
    /// Interrupts.
    pub isrs: Table<u32, Isr>,
    /// Event markers.
    pub markers: Table<MarkerKey, Marker>,
    /// Value markers.
    pub values: Table<MarkerKey, Marker>,
    /// Time of the earliest known event, in ns. Later events may be earlier where no pass has read ahead
    /// ([`Sink::start_earlier`](crate::model::Sink::start_earlier)).
    pub start_ns: Option<i64>,
    /// Known facts about several clocks.
    pub clocks: Clocks,
    /// How often the timer counts is not known: a tick counts as 1 ns, and times in ns are ticks.
    pub are_times_ticks: bool,
    /// The boards, and which one the numbers and the facts that follow are of.
    pub(crate) boards: Boards,
    /// The recording's information about itself.
    pub trace_info: Option<TraceInfo>,
    /// Name of the main program, if the target gives it one.
    pub(crate) main_name: Option<String>,
    /// At which start of the recording that was reported last.
    pub(crate) main_named: u32,
    /// Runs of the target, and starts of the recording.
    pub(crate) runs: Runs,
    /// Build id in the recording.
    pub build_id: Option<String>,
    /// Identity of the program that made it: `@` and hexadecimal digits.
    pub identity: Option<String>,
    /// The first bytes of the build id of the program that made it.
    pub program: Option<u64>,
    /// The program that was given to explain the recording.
    pub(crate) given: LoadedProgram,
    /// The program whose formats a tool has put into the recording.
    pub(crate) recorded: LoadedProgram,
    /// Events and objects that a filter on the target leaves out now.
    pub left_out: Vec<Omission>,
    /// Where crashes are in the firmware's sources.
    pub(crate) crash_places: CrashPlaces,
    /// The same, by the given program.
    pub(crate) given_crash_places: CrashPlaces,
    /// Names of the application.
    pub(crate) dictionary: Dictionary,
}

impl World {
    /// Ticks of the kernel per second, if the recording has them.
    #[must_use]
    pub fn tick_rate_hz(&self) -> Option<u32> {
        self.trace_info.and_then(|info| info.tick_rate_hz).filter(|hz| *hz > 0)
    }

    /// Returns the recording's information about the program that made it.
    #[must_use]
    pub fn program_id(&self) -> ProgramId {
        ProgramId {
            identity: self.identity.clone(),
            build: self.program,
            name: self.build_id.clone(),
        }
    }

    /// Uses a program's facts in addition to those of the recording, unless the recording is of another program.
    pub(crate) fn give(&mut self, program: &ProgramId, facts: &ProgramFacts<'_>) {
        self.given.id = Some(program.clone());
        let &ProgramFacts { formats, symbols, crash_places } = facts;
        formats.iter().for_each(|(at, format)| self.given.formats.add(*at, format));
        symbols.iter().for_each(|symbol| self.dictionary.add_program_symbol(symbol));
        for (pc, places) in crash_places {
            self.given_crash_places.add(*pc, places.clone());
        }
        self.compare_programs();
    }

    /// The recording contains the build id of the program that makes it.
    pub(crate) fn is_of_program(&mut self, first: u32, second: u32) {
        self.program = Some(build_of(first, second));
        self.compare_programs();
    }

    /// Compares the programs again after more is known of the recording's and of the formats' origin. Facts of another program
    /// are not used, until a program that made the recording after that matches.
    pub(super) fn compare_programs(&mut self) {
        let id = self.program_id();
        self.recorded.compare(&id);
        let is_another = self.given.compare(&id);
        self.dictionary.set_program_mismatch(is_another);
    }

    /// Returns the source places of a crash at this address: those of the recording, or otherwise of the given program.
    pub(crate) fn places_of_crash(&self, pc: u32) -> &[String] {
        let recorded = self.crash_places.of(pc);
        let is_given = recorded.is_empty() && !self.given.is_another;
        if is_given { self.given_crash_places.of(pc) } else { recorded }
    }

    /// Returns an event's text in addition to its fields: that of a log record of the application, `record` or `typed`, or the
    /// cause of a `trigger`; `None` for other events.
    #[must_use]
    #[inline]
    pub fn text_of(&self, event: &Event<'_>) -> Option<String> {
        Some(String::from_utf8_lossy(&self.message(event)?.text).into_owned())
    }

    /// The same, with its arguments.
    #[inline]
    pub(crate) fn message(&self, event: &Event<'_>) -> Option<Message> {
        match *event {
            Event::Record { at, is } => Some(self.record(at, is.0)),
            Event::Typed { no, is } => Some(self.typed(no, is.0)),
            Event::Trigger { is, .. } => Some(self.trigger(is)),
            _ => None,
        }
    }

    /// Returns the fields of a log record of the application by their types; `None` if they are not known, or for other events.
    pub(crate) fn fields(&self, event: &Event<'_>) -> Option<Fields> {
        match *event {
            Event::Record { at, is } => Fields::of_format(&self.format(at)?, is.0),
            Event::Typed { no, is } => Fields::of_elements(no, is.0),
            _ => None,
        }
    }

    /// It is not inlined: every event is checked, and hardly any is a record.
    #[cold]
    fn record(&self, at: u32, is: &[u8]) -> Message {
        Message::of((self.format(at).as_ref(), &self.dictionary), at, is)
    }

    #[cold]
    fn typed(&self, no: u32, is: &[u8]) -> Message {
        Message::of_elements(&self.dictionary, no, is)
    }

    #[cold]
    fn trigger(&self, is: i64) -> Message {
        Message::from_text(self.fired_at(is).to_string())
    }

    /// Returns the format of a record at an address: the recording's own, if it has it.
    pub(crate) fn format(&self, at: u32) -> Option<Format<'_>> {
        self.recorded.format(at).or_else(|| self.given.format(at))
    }

    /// Whether this is a wait to take a mutex.
    #[must_use]
    pub fn is_for_mutex(&self, wait: Wait) -> bool {
        matches!(wait, Wait::Receive(queue) if self.queues.get(queue).is_some_and(Queue::is_mutex))
    }

    /// Returns the task with this id, which is created if it is not known.
    #[inline]
    pub(crate) fn task(&mut self, id: u32) -> Option<TaskRef> {
        self.object(id)
    }

    /// Returns the queue with this id, which is created if it is not known.
    #[inline]
    pub(crate) fn queue(&mut self, id: u32) -> Option<QueueRef> {
        self.object(id)
    }

    /// Returns the stream buffer with this id, which is created if it is not known.
    pub(crate) fn stream_buffer(&mut self, id: u32) -> Option<StreamBufferRef> {
        self.object(id)
    }

    /// Returns the event group with this id, which is created if it is not known.
    pub(crate) fn event_group(&mut self, id: u32) -> Option<EventGroupRef> {
        self.object(id)
    }

    /// Returns the software timer with this id, which is created if it is not known.
    pub(crate) fn timer(&mut self, id: u32) -> Option<TimerRef> {
        self.object(id)
    }

    /// Returns the interrupt with this id, which is created if it is not known.
    #[inline]
    pub(crate) fn isr(&mut self, id: u32) -> Option<IsrRef> {
        match self.isrs.find(id) {
            Some(known) => Some(known),
            None => self.new_isr(id),
        }
    }

    #[cold]
    fn new_isr(&mut self, id: u32) -> Option<IsrRef> {
        let runs = self.runs;
        let is_same = |it: &Isr| it.id == id && (runs.has(it.named) || it.names.is_empty());
        match self.isrs.released(id).filter(|of| self.isrs.get(*of).is_some_and(is_same)) {
            Some(_) => self.isrs.revive(id),
            None => self.isrs.insert(id, Isr { id, ..Isr::default() }),
        }
    }

    /// Returns the event marker with this key, which is created if it is not known.
    #[inline]
    pub(crate) fn marker(&mut self, key: MarkerKey) -> Option<MarkerRef> {
        match self.markers.find(key) {
            Some(known) => Some(known),
            None => new_marker(&mut self.markers, &self.tasks, self.runs, key),
        }
    }

    /// Returns the value marker with this key, which is created if it is not known.
    #[inline]
    pub(crate) fn value(&mut self, key: MarkerKey) -> Option<MarkerRef> {
        match self.values.find(key) {
            Some(known) => Some(known),
            None => new_marker(&mut self.values, &self.tasks, self.runs, key),
        }
    }
}

/// A marker that is new in a run of the target.
#[cold]
#[inline(never)]
fn new_marker(
    table: &mut Table<MarkerKey, Marker>,
    tasks: &Table<u32, Task>,
    runs: Runs,
    (scope, id): MarkerKey,
) -> Option<MarkerRef> {
    let before = match scope {
        Scope::Task(task) => {
            let before = tasks.get(task).and_then(|task| task.before);
            before.and_then(|task| table.first((Scope::Task(task), id)))
        }
        Scope::Global | Scope::UnknownTask => table.released((scope, id)),
    };
    let known = before.and_then(|marker| table.get(marker));
    let known = known.filter(|it| runs.has(it.named) || it.name.is_none());
    if known.is_some() && !matches!(scope, Scope::Task(_)) {
        return table.revive((scope, id));
    }
    let name = known.and_then(|marker| marker.name.clone());
    let (named, run) = (runs.starts, runs.run);
    table.insert((scope, id), Marker { scope, id, name, depth: 0, named, run })
}
