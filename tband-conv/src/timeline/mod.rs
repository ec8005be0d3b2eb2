//! The timeline: a state machine that turns events in the order of time into what happened.
//!
//! It knows who runs on which core, what each task does or waits for, queue levels, mutex holders,
//! open interrupts and open spans, and says every change to a [`Sink`]. Events that contradict the
//! state become findings; the event wins and the state follows it.
//!
//! Where events are missing, what they may have changed is unknown until an event tells it anew; see
//! `gap.rs`.
//!
//! Time rule: two changes of one task never share a nanosecond, since a state that lasts no time
//! cannot be shown. A state lasts at least 1 ns, waiting 2 ns; a change that comes earlier is moved
//! on, and a switch moves both tasks together. Sinks get the moved times, so all of them agree to
//! the nanosecond.

mod call;
mod change;
mod core;
mod event_group;
mod extra;
mod flow;
mod frequent;
mod gap;
mod generation;
mod kernel;
mod learn;
mod life;
mod main_program;
mod marker;
mod names;
mod notify;
mod object;
mod pace;
mod queue;
mod ready;
mod stream_buffer;
mod switch;
mod system;
mod table;
mod task;
mod timer;
mod wait;
mod world;

use std::fmt::Display;
use std::io;

use tband_format::Event;

pub use self::call::function_name;
pub use self::change::{
    At, Change, Forgotten, Outcome, PriorityCause, QueueCause, QueueChange, Sink, Switch,
    TaskChange, Waker,
};
pub use self::flow::{Act, Actor, End, Flow, Flows};
pub(crate) use self::frequent::FREQUENT;
pub use self::life::Life;
pub(crate) use self::names::shown;
pub use self::names::{Label, describe_bits};
pub use self::object::{
    Bits, BitsCause, BufferCause, CallChange, Caller, Disarmed, EventGroupChange, HeapChange,
    KernelChange, StreamBufferChange, TimerChange,
};
pub use self::table::{Key, MAX_OBJECTS, Ref, Table};
pub use self::world::{
    EventGroup, EventGroupRef, Isr, IsrRef, Marker, MarkerKey, MarkerRef, Queue, QueueRef, Scope,
    StreamBuffer, StreamBufferRef, Task, TaskRef, TaskState, Timer, TimerRef, TraceInfo, Wait,
    World,
};

use self::call::Calls;
use self::core::{Core, Cores};
use self::event_group::Waiters;
use self::flow::Senders;
use self::gap::{Gaps, Resets};
use self::notify::LastNotified;
pub(crate) use self::pace::OffPace;
use self::pace::Pace;
use self::system::System;
use self::timer::TimerTask;
use crate::diagnostics::{Diagnostics, Finding, LatePlace, Place, Problem};
use crate::foretold::Foretold;

/// The state machine. Feed it with [`event`](Self::event), close it with [`finish`](Self::finish).
#[derive(Debug, Default)]
pub struct Timeline {
    world: World,
    /// What the first pass learnt of objects that come later.
    foretold: Foretold,
    /// How often each input told that the target was reset, and how often it was.
    resets: Resets,
    cores: Cores,
    gaps: Gaps,
    senders: Senders,
    /// Acts that may have ended waits, counted.
    acts_so_far: u32,
    last_notified: Option<LastNotified>,
    waiters: Waiters,
    timer_task: TimerTask,
    calls: Calls,
    system: System,
    pace: Pace,
    /// Frames that told of dropped events.
    drop_counts: u64,
    /// The next switch gives a task to a core that leaves another one at the same time.
    swaps: bool,
    /// Highest count of dropped events that any core told.
    dropped: u32,
    diagnostics: Diagnostics,
    /// The last time of all, unless a core's last event is later.
    end_ns: i64,
    /// Without an RTOS.
    runs_main_program: bool,
}

/// What the arms of the state machine need besides the timeline: time, place and output.
struct Step<'s, S: ?Sized> {
    at: At,
    place: LatePlace,
    sink: &'s mut S,
}

impl<S: ?Sized> Step<'_, S> {
    /// The same once more. Where an arm is hot, what is not gets a step of its own, so that the first
    /// can stay in registers.
    #[inline(always)]
    const fn again(&mut self) -> Step<'_, S> {
        Step { at: self.at, place: self.place, sink: &mut *self.sink }
    }
}

impl Timeline {
    /// Starts with what is already known of the target.
    #[must_use]
    pub fn new(world: World) -> Self {
        Self { world, ..Self::default() }
    }

    /// Adds what is known of objects that come later.
    #[must_use]
    pub(crate) fn with_foretold(mut self, foretold: Foretold) -> Self {
        self.foretold = foretold;
        self
    }

    /// Chooses which flows are told.
    #[must_use]
    pub fn with_flows(mut self, flows: Flows) -> Self {
        self.senders.mode = flows;
        self
    }

    /// What is known of the target now.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Frames so far that told how many events were dropped.
    pub(crate) const fn drop_counts(&self) -> u64 {
        self.drop_counts
    }

    /// What was wrong so far.
    #[must_use]
    pub const fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Ends the timeline and gives its findings.
    #[must_use]
    pub fn into_diagnostics(self) -> Diagnostics {
        self.diagnostics
    }

    /// Opens the output.
    ///
    /// # Errors
    /// What the sink reports.
    pub fn start<S: Sink + ?Sized>(&mut self, sink: &mut S) -> io::Result<()> {
        for (_, task) in self.world.tasks.iter_mut() {
            task.listed = true;
        }
        sink.start(&self.world)
    }

    /// Takes one event in. Metadata events take the time of their neighbours.
    ///
    /// # Errors
    /// What the sink reports.
    #[inline(always)]
    pub fn event<S: Sink + ?Sized>(
        &mut self,
        at: At,
        place: Place,
        event: &Event<'_>,
        sink: &mut S,
    ) -> io::Result<()> {
        let mut step = Step { at, place: place.into(), sink };
        self.step::<false, S>(&mut step, event)
    }

    /// As [`event`](Self::event), where there is one input only, and the time of none of its cores
    /// ever goes back. The first event of a core comes by [`event`](Self::event).
    #[inline(always)]
    pub(crate) fn event_in_turn<S: Sink + ?Sized>(
        &mut self,
        at: At,
        place: LatePlace,
        event: &Event<'_>,
        sink: &mut S,
    ) -> io::Result<()> {
        let mut step = Step { at, place, sink };
        self.step::<true, S>(&mut step, event)
    }

    #[inline(always)]
    fn step<const IN_TURN: bool, S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        event: &Event<'_>,
    ) -> io::Result<()> {
        let at = step.at;
        // The count of dropped events speaks of what was before it.
        if !event.is_metadata() && !matches!(event, Event::DroppedEvtCnt { .. }) {
            if IN_TURN {
                self.core(at.core).last_ns = at.ns;
            } else {
                self.reach(at, step.place.input);
            }
        }
        match *event {
            Event::CoreId { .. } => Ok(()),
            Event::DroppedEvtCnt { cnt } => self.dropped(step, cnt),
            Event::IsrEnter { isr_id } => self.isr_enter(step, isr_id),
            Event::IsrExit { isr_id } | Event::IsrExitToScheduler { isr_id } => {
                self.isr_exit(step, isr_id)
            }
            Event::Evtmarker { evtmarker_id, msg } => {
                self.marker(step, (Scope::Global, evtmarker_id), msg)
            }
            Event::EvtmarkerBegin { evtmarker_id, msg } => {
                self.span_begin(step, (Scope::Global, evtmarker_id), msg)
            }
            Event::EvtmarkerEnd { evtmarker_id } => {
                self.span_end(step, (Scope::Global, evtmarker_id))
            }
            Event::Valmarker { valmarker_id, val } => {
                self.value(step, (Scope::Global, valmarker_id), val)
            }
            Event::TaskEvtmarker { evtmarker_id, msg } => {
                self.marker(step, (self.task_scope(at.core), evtmarker_id), msg)
            }
            Event::TaskEvtmarkerBegin { evtmarker_id, msg } => {
                self.span_begin(step, (self.task_scope(at.core), evtmarker_id), msg)
            }
            Event::TaskEvtmarkerEnd { evtmarker_id } => {
                self.span_end(step, (self.task_scope(at.core), evtmarker_id))
            }
            Event::TaskValmarker { valmarker_id, val } => {
                self.value(step, (self.task_scope(at.core), valmarker_id), val)
            }
            Event::TaskSwitchedIn { task_id } => self.switched_in(step, task_id),
            Event::TaskToRdyState { task_id } | Event::TaskResumed { task_id } => {
                self.ready(step, task_id, false)
            }
            Event::TaskResumedFromIsr { task_id } => self.ready(step, task_id, true),
            Event::TaskSuspended { task_id } => self.suspended(step, task_id),
            Event::TaskCreated { task_id } => self.created(step, task_id),
            Event::TaskDeleted { task_id } => self.deleted(step, task_id),
            Event::CurtaskDelay { ticks } => self.delays(at.core, Wait::Delay, ticks),
            Event::CurtaskDelayUntil { time_to_wake } => {
                self.delays(at.core, Wait::DelayUntil, time_to_wake)
            }
            Event::CurtaskBlockOnQueuePeek { queue_id, ticks_to_wait } => {
                self.waits_for(step, queue_id, ticks_to_wait, Wait::Peek)
            }
            Event::CurtaskBlockOnQueueSend { queue_id, ticks_to_wait } => {
                self.waits_for(step, queue_id, ticks_to_wait, Wait::Send)
            }
            Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait } => {
                self.waits_for(step, queue_id, ticks_to_wait, Wait::Receive)
            }
            Event::TaskPrioritySet { task_id, priority } => {
                self.priority(step, task_id, priority, PriorityCause::Set)
            }
            Event::TaskPriorityInherit { task_id, priority } => {
                self.priority(step, task_id, priority, PriorityCause::Inherit)
            }
            Event::TaskPriorityDisinherit { task_id, priority } => {
                self.priority(step, task_id, priority, PriorityCause::Disinherit)
            }
            Event::QueueCreated { queue_id } => self.queue_created(step, queue_id),
            Event::QueueSend { queue_id, len_after } => {
                let from_isr = self.isr_sends_to_set(at.core, queue_id);
                self.queue_level(step, queue_id, len_after, QueueCause::Send, from_isr)
            }
            Event::QueueSendFromIsr { queue_id, len_after } => {
                self.queue_level(step, queue_id, len_after, QueueCause::Send, true)
            }
            Event::QueueOverwrite { queue_id, len_after } => {
                self.queue_level(step, queue_id, len_after, QueueCause::Overwrite, false)
            }
            Event::QueueOverwriteFromIsr { queue_id, len_after } => {
                self.queue_level(step, queue_id, len_after, QueueCause::Overwrite, true)
            }
            Event::QueueReceive { queue_id, len_after } => {
                self.queue_level(step, queue_id, len_after, QueueCause::Receive, false)
            }
            Event::QueueReceiveFromIsr { queue_id, len_after } => {
                self.queue_level(step, queue_id, len_after, QueueCause::Receive, true)
            }
            Event::QueueReset { queue_id } => {
                self.queue_level(step, queue_id, 0, QueueCause::Reset, false)
            }
            Event::QueueCurLength { queue_id, length } => {
                self.queue_level(step, queue_id, length, QueueCause::Told, false)
            }
            Event::MetadataDropped { core_id, cnt, size_needed } => {
                self.metadata_dropped(step, core_id, (cnt, size_needed))
            }
            Event::TaskBasePriority { task_id, priority } => {
                self.base_priority(step, task_id, priority)
            }
            _ => self.extra_event(step, event),
        }
    }

    /// The next event gives a task to a core that leaves another one at the same time, if it does.
    pub(crate) const fn expect_swap(&mut self, swaps: bool) {
        self.swaps = swaps;
    }

    /// What the task of this number does.
    pub(crate) fn state_of(&self, id: u32) -> TaskState {
        let task = self.world.tasks.find(id).and_then(|task| self.world.tasks.get(task));
        task.map_or(TaskState::Unknown, |task| task.state)
    }

    /// Number of the task that runs on a core, and whether it is about to wait.
    pub(crate) fn task_on(&self, core: u32) -> (Option<u32>, bool) {
        let task = self.cores.running(core).and_then(|task| self.world.tasks.get(task));
        let waits = task.is_some_and(|task| task.leaves_to != TaskState::Ready);
        (task.map(|task| task.id), waits)
    }

    /// Time goes on to this event of a core.
    fn reach(&mut self, at: At, input: usize) {
        let core = self.core(at.core);
        let last_ns = std::mem::replace(&mut core.last_ns, at.ns);
        core.input = input;
        // Only if it steps back is that time not found in the core in the end.
        if last_ns > at.ns {
            core.moved_ns = core.moved_ns.max(last_ns);
            self.end_ns = self.end_ns.max(last_ns);
        }
        if last_ns == 0 {
            self.list_core(at.core);
        }
    }

    /// A core has an event, which may be its first.
    #[cold]
    fn list_core(&mut self, core: u32) {
        let cores = &mut self.world.cores;
        if let Err(position) = cores.binary_search(&core) {
            cores.insert(position, core);
        }
    }

    /// Closes the timeline: tasks that still run are told, then the sink is closed.
    ///
    /// # Errors
    /// What the sink reports.
    pub fn finish<S: Sink + ?Sized>(&mut self, sink: &mut S) -> io::Result<()> {
        let last = |core: &Core| {
            let task = core.running.and_then(|task| self.world.tasks.get(task));
            core.last_ns.max(task.map_or(0, |task| task.settled))
        };
        let reached = self.cores.iter().map(|(_, core)| last(core));
        let end_ns = reached.fold(self.end_ns, i64::max);
        for (number, core) in self.cores.iter() {
            let Some(task) = core.running else { continue };
            let at = At { ns: end_ns, core: number };
            sink.change(&self.world, at, &Change::StillRunning(task))?;
        }
        sink.finish(&self.world, end_ns)
    }

    /// Counts something that was found outside of the state machine and tells the sink.
    ///
    /// # Errors
    /// What the sink reports.
    pub fn finding<S: Sink + ?Sized>(
        &mut self,
        at: At,
        finding: &Finding<'_>,
        sink: &mut S,
    ) -> io::Result<()> {
        self.diagnostics.add(finding);
        if finding.problem == Problem::Restart {
            self.count_anew(Some(finding.place.input));
        }
        self.doubt(at, finding, sink)?;
        sink.change(&self.world, at, &Change::Finding(finding))?;
        let mut step = Step { at, place: finding.place.into(), sink };
        match finding.problem {
            Problem::Restart if self.resets.tell(finding.place.input) => self.reset(&mut step),
            Problem::StreamStart => self.learn_stream(&mut step, finding.place),
            _ => Ok(()),
        }
    }

    #[cold]
    fn found<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        problem: Problem,
        amount: u64,
        text: &dyn Display,
    ) -> io::Result<()> {
        let text = text.to_string();
        let finding = Finding { problem, place: step.place.place(), amount, text: &text };
        self.finding(step.at, &finding, step.sink)
    }

    /// An id beyond what can be kept; the event is not shown.
    #[cold]
    fn too_many<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        what: &str,
        id: u32,
    ) -> io::Result<()> {
        let text = format!("{what} {id} is not shown: {MAX_OBJECTS} of them are known already");
        self.found(step, Problem::TooMany, 1, &text)
    }
}

/// Time for which a task's state lasts at least, in ns.
#[inline(always)]
const fn least_duration(state: TaskState) -> i64 {
    // One nanosecond behind its start a sink may say what the task waits for.
    let waits = matches!(state, TaskState::Blocked(_) | TaskState::Suspended | TaskState::Unknown);
    1 + waits as i64
}
