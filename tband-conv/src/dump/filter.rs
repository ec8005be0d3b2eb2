//! Which lines a dump has: a time window, a core, kinds of event, a number of lines.

use crate::model::World;
use tband_format::Event;
use tband_format::decode::Decoded;
use tband_format::field::Value;
use tband_format::registry::EVENTS;

use super::format::DumpFormat;
use super::times::Times;
use crate::clock::frequency::Frequency;
use crate::clock::moment::Moment;
use crate::cores::MAX_CORES;
use crate::item::Mode;
use crate::records::{ProgramId, ProgramSymbol};

/// An object, as the user knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectSelector {
    /// By its number on the target.
    Id(u32),
    /// By its name, as far as it is known by then.
    Name(String),
}

impl ObjectSelector {
    fn is(&self, id: u32, name: impl FnOnce() -> Option<String>) -> bool {
        match self {
            Self::Id(wanted) => *wanted == id,
            Self::Name(wanted) => name().is_some_and(|name| name == *wanted),
        }
    }
}

/// How events are dumped, and which; by default all, as text.
#[derive(Clone, Debug, Default)]
pub struct DumpOptions {
    /// Which events the recordings may hold.
    pub mode: Mode,
    /// How they are written.
    pub format: DumpFormat,
    /// Nothing before this.
    pub from: Option<Moment>,
    /// Nothing after this.
    pub to: Option<Moment>,
    /// Only of this core.
    pub core: Option<u32>,
    /// Only events of these names; all if the list is empty.
    pub events: Vec<String>,
    /// Only events that name this task, or that are recorded while it runs outside of interrupts, up
    /// to the switch to the next.
    pub task: Option<ObjectSelector>,
    /// Only events that name this queue, semaphore or mutex.
    pub queue: Option<ObjectSelector>,
    /// Maximum number of events.
    pub limit: Option<u64>,
    /// The timestamps' frequency at the start, which replaces the one in the recording.
    pub tick_rate: Option<Frequency>,
    /// As [`Options::program`](crate::Options::program).
    pub program: ProgramId,
    /// As [`Options::record_formats`](crate::Options::record_formats).
    pub record_formats: Vec<(u32, Vec<u8>)>,
    /// As [`Options::symbols`](crate::Options::symbols).
    pub symbols: Vec<ProgramSymbol>,
}

impl DumpOptions {
    /// All events, in this format.
    #[must_use]
    pub fn of(format: DumpFormat) -> Self {
        Self { format, ..Self::default() }
    }
}

/// Names that [`DumpOptions::events`] may have.
pub fn event_names() -> impl Iterator<Item = &'static str> {
    EVENTS.iter().map(|event| event.name)
}

/// A filter with its state. An item without its own time takes that of the event before it.
#[derive(Debug)]
pub(crate) struct FilterState {
    filter: DumpOptions,
    /// Every event passes.
    wants_all: bool,
    wanted: [bool; 256],
    passed: u64,
    cores: [CoreContext; MAX_CORES as usize],
    /// Events that the target has lost so far.
    lost: u32,
}

/// Current task and interrupts of a core.
#[derive(Clone, Copy, Debug, Default)]
struct CoreContext {
    task: Option<u32>,
    /// Open interrupts.
    isrs: u32,
}

impl FilterState {
    pub fn new(filter: DumpOptions) -> Self {
        let mut wanted = [filter.events.is_empty(); 256];
        for event in EVENTS {
            wanted[usize::from(event.id)] |= filter.events.iter().any(|name| name == event.name);
        }
        let cores = [CoreContext::default(); MAX_CORES as usize];
        let DumpOptions {
            mode: _,
            format: _,
            from,
            to,
            core,
            events,
            task,
            queue,
            limit,
            tick_rate: _,
            program: _,
            record_formats: _,
            symbols: _,
        } = &filter;
        let wants_all = from.is_none()
            && to.is_none()
            && core.is_none()
            && events.is_empty()
            && task.is_none()
            && queue.is_none()
            && limit.is_none();
        Self { filter, wants_all, wanted, passed: 0, cores, lost: 0 }
    }

    /// How many events have passed.
    pub const fn passed(&self) -> u64 {
        self.passed
    }

    /// As many events have passed as are wanted.
    pub fn is_done(&self) -> bool {
        self.filter.limit.is_some_and(|limit| self.passed >= limit)
    }

    /// The event, which has been reached, is to be shown.
    #[inline]
    pub fn is_selected(
        &mut self,
        core: u32,
        decoded: &Decoded<'_>,
        world: &World,
        times: &mut Times,
    ) -> bool {
        let passes = self.wants_all || self.is_match(core, decoded, world, times);
        self.passed = self.passed.saturating_add(passes.into());
        passes
    }

    fn is_match(
        &mut self,
        core: u32,
        decoded: &Decoded<'_>,
        world: &World,
        times: &mut Times,
    ) -> bool {
        let of_object = match (&self.filter.task, &self.filter.queue) {
            (None, None) => true,
            _ => self.is_of_object(core, decoded, world),
        };
        let kind = self.wanted[usize::from(decoded.event.id())] || self.has_name(&decoded.event);
        of_object && kind && !self.is_done() && self.is_there(core, times)
    }

    /// Whether the event is one that only the recording describes, and its name is selected.
    #[inline]
    fn has_name(&self, event: &Event<'_>) -> bool {
        let (Event::Described(it) | Event::DescribedMetadata(it)) = event else { return false };
        self.filter.events.iter().any(|name| name == it.schema().name())
    }

    /// Events are missing, so the running task of the core is unknown.
    fn forget(&mut self, core: u32) {
        if let Some(running) = self.cores.get_mut(core as usize) {
            *running = CoreContext::default();
        }
    }

    /// Something is wrong at the time that has been reached, and that is to be shown.
    pub fn is_defect_selected(&mut self, core: u32, times: &mut Times) -> bool {
        self.forget(core);
        let DumpOptions { events, task, queue, .. } = &self.filter;
        let all = events.is_empty() && task.is_none() && queue.is_none();
        all && !self.is_done() && self.is_there(core, times)
    }

    /// Core and time are wanted.
    fn is_there(&self, core: u32, times: &mut Times) -> bool {
        self.filter.core.is_none_or(|wanted| wanted == core)
            && times.is_within(self.filter.from, self.filter.to)
    }

    fn is_of_object(&mut self, core: u32, decoded: &Decoded<'_>, world: &World) -> bool {
        let DumpOptions { task, queue, .. } = &self.filter;
        let is_task =
            |wanted: &ObjectSelector, id| wanted.is(id, || world.name_of_task(id).map(Into::into));
        let is_queue =
            |wanted: &ObjectSelector, id| wanted.is(id, || world.name_of_queue(id).map(Into::into));
        let (mut of_task, mut of_queue) = (task.is_none(), queue.is_none());
        decoded.event.for_each_field(|name, value| {
            let Value::Unsigned(id) = value else { return };
            let Ok(id) = u32::try_from(id) else { return };
            match name {
                "task_id" => of_task |= task.as_ref().is_some_and(|task| is_task(task, id)),
                "queue_id" => of_queue |= queue.as_ref().is_some_and(|queue| is_queue(queue, id)),
                _ => {}
            }
        });
        let Some(running) = self.cores.get_mut(core as usize) else { return false };
        let (is_in_isr, current) = (running.isrs > 0, running.task);
        match decoded.event {
            // A packet reports its open items after the running task.
            Event::TaskSwitchedIn { task_id } | Event::RunningTask { task_id } => {
                *running = CoreContext { task: Some(task_id), isrs: 0 }
            }
            Event::DroppedEvtCnt { cnt } if cnt != std::mem::replace(&mut self.lost, cnt) => {
                self.cores = [CoreContext::default(); MAX_CORES as usize];
                return of_task && of_queue;
            }
            Event::IsrEnter { .. } | Event::OpenIsr { .. } => {
                running.isrs = running.isrs.saturating_add(1)
            }
            Event::IsrExit { .. }
            | Event::IsrExitToScheduler { .. }
            | Event::IsrExitMissed { .. } => {
                running.isrs = running.isrs.saturating_sub(1);
            }
            _ => {}
        }
        let is_isr = is_in_isr || running.isrs > 0;
        if let (Some(wanted), Some(current), false, Some(_)) = (task, current, is_isr, decoded.ts) {
            of_task |= is_task(wanted, current);
        }
        of_task && of_queue
    }
}
