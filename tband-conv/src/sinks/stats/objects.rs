//! Stream buffers, event groups, timers, heap and kernel calls: traffic, levels, expiries, bytes, counts.

use std::collections::BTreeMap;

use tband_format::named::StreamBufferKind;

use super::runs::{Identity, Rows};
use super::spread::{End, Spread};
use crate::model::{
    BitsCause, BufferCause, CallChange, Caller, Change, EventGroup, EventGroupChange, EventTime,
    ForgottenState, HeapChange, KernelChange, Life, PerRef, StreamBuffer, StreamBufferChange,
    Timer, TimerChange, World, function_name,
};

/// Functions that are distinguished; the kernel has far fewer.
const MAX_FUNCTIONS: usize = 1024;

/// The numbers of one stream, message or batching buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamBufferStats {
    /// Number that the target gave it.
    pub id: u32,
    /// Name, or kind and id.
    pub name: String,
    /// Its kind, if the recording contains it.
    pub kind: Option<&'static str>,
    /// Its lifetime, as far as the recording contains it: its number may belong to another object before and after that.
    pub life: Life,
    /// Bytes that it can hold, if known.
    pub size: Option<u32>,
    /// Highest level that was reported, in bytes, if any.
    pub max_level: Option<u32>,
    /// When it had that first, in ns.
    pub max_level_at: i64,
    /// Its level at the end, in bytes, if it is known.
    pub level: Option<u32>,
    /// Sends of at least one byte.
    pub sends: u64,
    /// Receives of at least one byte.
    pub receives: u64,
    /// Bytes sent.
    pub bytes_sent: u64,
    /// Bytes received.
    pub bytes_received: u64,
    /// Sends of nothing.
    pub failed_sends: u64,
    /// Receives of nothing.
    pub failed_receives: u64,
    /// Runs of the target in which the recording has it.
    pub runs: u32,
}

/// The numbers of one event group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventGroupStats {
    /// Number that the target gave it.
    pub id: u32,
    /// Name, or `event group` and its id.
    pub name: String,
    /// Its lifetime, as far as the recording contains it: its number may belong to another object before and after that.
    pub life: Life,
    /// Its bits at the end, if they are known.
    pub bits: Option<u64>,
    /// How often bits were set.
    pub sets: u64,
    /// How often bits were cleared.
    pub clears: u64,
    /// How often a wait cleared bits when it ended.
    pub clears_on_exit: u64,
    /// How often an interrupt requested to set or clear bits.
    pub deferred_by_isrs: u64,
    /// Runs of the target in which the recording has it.
    pub runs: u32,
}

/// The numbers of one software timer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimerStats {
    /// Number that the target gave it.
    pub id: u32,
    /// Name, or `timer` and its id.
    pub name: String,
    /// Its lifetime, as far as the recording contains it: its number may belong to another object before and after that.
    pub life: Life,
    /// Its period in kernel ticks, if known.
    pub period: Option<u32>,
    /// Whether it reloads automatically, if known.
    pub auto_reload: Option<bool>,
    /// Commands that the timer task carried out.
    pub commands: u64,
    /// Commands that did not fit into the queue.
    pub refused: u64,
    /// How often it expired.
    pub expiries: u64,
    /// From the call of its callback to its return, as far as that shows.
    pub callback: Spread,
    /// Runs of the target in which the recording has it.
    pub runs: u32,

    /// When the callback that runs was called, in ns.
    begin: Option<i64>,
}

/// The numbers of the heap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeapStats {
    /// How often memory was taken.
    pub mallocs: u64,
    /// Number of frees.
    pub frees: u64,
    /// How often there was not enough.
    pub failures: u64,
    /// Most bytes that were taken at once.
    pub largest: u32,
    /// When that was first, in ns.
    pub largest_at: i64,
    /// Least bytes that were free, where the heap counts them.
    pub min_free: Option<u32>,
    /// When that was first, in ns.
    pub min_free_at: i64,
    /// Bytes free at the end, where the heap counts them.
    pub free: Option<u32>,
    /// Bytes in use at the end, more than at the start.
    pub in_use: i64,
    /// Most bytes in use, more than at the start.
    pub max_in_use: i64,
    /// When that was first, in ns; 0 if it was never more than at the start.
    pub max_in_use_at: i64,
}

/// The numbers of one function of the kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallStats {
    /// Its name, or its number.
    pub name: String,
    /// How often it was called.
    pub count: u64,
    /// From call to return. A call that never returns, because its task or interrupt has ended, counts as cut off there.
    pub time: Spread,

    /// Calls that have not returned, innermost last: whose, on which core, since when in ns.
    begins: Vec<(Caller, u32, i64)>,
}

impl CallStats {
    /// The innermost call of a caller ends at this moment.
    fn end(&mut self, at: EventTime, caller: Caller, end: End) {
        let is_it = |open: &(Caller, u32, i64)| {
            open.0 == caller && (open.1 == at.core || matches!(caller, Caller::Task(_)))
        };
        if let Some(position) = self.begins.iter().rposition(is_it) {
            let (.., begin) = self.begins.remove(position);
            self.time.add_until(at.ns.saturating_sub(begin), at.ns, end);
        }
    }
}

/// The numbers of stream buffers, event groups, timers, heap and kernel calls.
#[derive(Clone, Debug, Default)]
pub struct ObjectStats {
    stream_buffers: PerRef<StreamBuffer, StreamBufferStats>,
    event_groups: PerRef<EventGroup, EventGroupStats>,
    timers: PerRef<Timer, TimerStats>,
    heap: HeapStats,
    calls: BTreeMap<u32, CallStats>,
}

fn count(number: &mut u64) {
    *number = number.saturating_add(1);
}

fn add(own: &mut u64, later: u64) {
    *own = own.saturating_add(later);
}

impl ObjectStats {
    /// All stream buffers, in the order in which they appeared.
    pub fn stream_buffers(&self) -> impl Iterator<Item = &StreamBufferStats> {
        self.stream_buffers.iter()
    }

    /// All event groups, in the order in which they appeared.
    pub fn event_groups(&self) -> impl Iterator<Item = &EventGroupStats> {
        self.event_groups.iter()
    }

    /// All software timers, in the order in which they appeared.
    pub fn timers(&self) -> impl Iterator<Item = &TimerStats> {
        self.timers.iter()
    }

    /// The heap, if the recording reports it.
    #[must_use]
    pub fn heap(&self) -> Option<&HeapStats> {
        let heap = &self.heap;
        let acts = heap.mallocs > 0 || heap.frees > 0 || heap.failures > 0;
        (acts || heap.free.is_some() || heap.in_use != 0).then_some(heap)
    }

    /// The functions of the kernel that were called, by number.
    pub fn calls(&self) -> impl Iterator<Item = &CallStats> {
        self.calls.values()
    }

    /// Joins the entries of the same object in several runs of the target.
    fn join_runs(&mut self, world: &World) {
        let (groups, buffers) = (world.event_groups.iter(), world.stream_buffers.iter());
        let rows = Rows::new(
            buffers.map(|(_, it)| Identity::new(it.name.as_ref(), it.kind, it.id, it.life)),
        );
        rows.join_all(&mut self.stream_buffers, StreamBufferStats::join);
        let rows =
            Rows::new(groups.map(|(_, it)| Identity::new(it.name.as_ref(), (), it.id, it.life)));
        rows.join_all(&mut self.event_groups, EventGroupStats::join);
        let timers = world.timers.iter();
        let rows =
            Rows::new(timers.map(|(_, it)| Identity::new(it.name.as_ref(), (), it.id, it.life)));
        rows.join_all(&mut self.timers, TimerStats::join);
    }

    #[inline(never)]
    pub(super) fn change(&mut self, at: EventTime, change: &Change<'_>) {
        match *change {
            Change::StreamBuffer(buffer, change, _) => {
                self.stream_buffers.entry(buffer).change(at.ns, change);
            }
            Change::EventGroup(group, change, _) => {
                self.event_groups.entry(group).change(change);
            }
            Change::Timer(timer, change, _) => self.timers.entry(timer).change(at.ns, change),
            Change::Kernel(KernelChange::Heap(change), _) => self.heap.change(at.ns, change),
            Change::Kernel(KernelChange::MallocFailed { .. }, _) => count(&mut self.heap.failures),
            Change::Call(caller, function, change) => self.call(at, (caller, function), change),
            _ => {}
        }
    }

    /// Sets the known heap state from before the window.
    pub(super) fn heap_level(&mut self, ns: i64, heap: HeapChange) {
        self.heap.level(ns, heap);
    }

    fn call(&mut self, at: EventTime, (caller, function): (Caller, u32), change: CallChange) {
        if self.calls.len() >= MAX_FUNCTIONS && !self.calls.contains_key(&function) {
            return;
        }
        let stats = self.calls.entry(function).or_default();
        match change {
            CallChange::Begin => {
                count(&mut stats.count);
                stats.begins.push((caller, at.core, at.ns));
            }
            CallChange::End { .. } => stats.end(at, caller, End::Seen),
            CallChange::Abandoned => stats.end(at, caller, End::Cut),
        }
    }

    #[cold]
    pub(super) fn forget(&mut self, at: EventTime, what: ForgottenState) {
        match what {
            ForgottenState::Callback(timer, _) => self.timers.entry(timer).end(at.ns, End::Cut),
            ForgottenState::Call(caller, function) => {
                if let Some(stats) = self.calls.get_mut(&function) {
                    stats.end(at, caller, End::Cut);
                }
            }
            ForgottenState::StreamBuffer(buffer) => self.stream_buffers.entry(buffer).level = None,
            ForgottenState::EventGroup(group) => self.event_groups.entry(group).bits = None,
            _ => {}
        }
    }

    /// Closes open items and gives everything its name.
    pub(super) fn close(&mut self, world: &World, end: i64) {
        for (buffer, known) in world.stream_buffers.iter() {
            let stats = self.stream_buffers.entry(buffer);
            (stats.id, stats.size, stats.life) = (known.id, known.size, known.life);
            stats.runs = 1;
            stats.name = world.stream_buffer_name(buffer).to_string();
            stats.kind = known.kind.and_then(StreamBufferKind::name);
        }
        for (group, known) in world.event_groups.iter() {
            let stats = self.event_groups.entry(group);
            (stats.id, stats.life, stats.runs) = (known.id, known.life, 1);
            stats.name = world.event_group_name(group).to_string();
        }
        for (timer, known) in world.timers.iter() {
            let stats = self.timers.entry(timer);
            (stats.id, stats.period, stats.auto_reload) =
                (known.id, known.period, known.auto_reload);
            (stats.life, stats.runs) = (known.life, 1);
            stats.name = world.timer_name(timer).to_string();
            stats.end(end, End::Open);
        }
        self.join_runs(world);
        for (function, stats) in &mut self.calls {
            stats.name = function_name(*function).into_owned();
            for (.., begin) in std::mem::take(&mut stats.begins) {
                stats.time.add_until(end.saturating_sub(begin), end, End::Open);
            }
        }
    }
}

impl StreamBufferStats {
    /// Adds the figures of the same buffer in a later run of the target.
    fn join(&mut self, later: Self) {
        (self.id, self.level) = (later.id, later.level);
        self.life = self.life.until(later.life);
        self.size = later.size.or(self.size);
        if later.max_level > self.max_level {
            (self.max_level, self.max_level_at) = (later.max_level, later.max_level_at);
        }
        add(&mut self.sends, later.sends);
        add(&mut self.receives, later.receives);
        add(&mut self.bytes_sent, later.bytes_sent);
        add(&mut self.bytes_received, later.bytes_received);
        add(&mut self.failed_sends, later.failed_sends);
        add(&mut self.failed_receives, later.failed_receives);
        self.runs = self.runs.saturating_add(later.runs);
    }

    fn change(&mut self, ns: i64, change: StreamBufferChange) {
        match change {
            StreamBufferChange::Level(level, cause) => {
                self.level = Some(level);
                if self.level > self.max_level {
                    (self.max_level, self.max_level_at) = (self.level, ns);
                }
                match cause {
                    BufferCause::Send(amount) => {
                        count(&mut self.sends);
                        self.bytes_sent = self.bytes_sent.saturating_add(amount.into());
                    }
                    BufferCause::Receive(amount) => {
                        count(&mut self.receives);
                        self.bytes_received = self.bytes_received.saturating_add(amount.into());
                    }
                    BufferCause::Created | BufferCause::Reset | BufferCause::Reported => {}
                }
            }
            StreamBufferChange::SendFailed => count(&mut self.failed_sends),
            StreamBufferChange::ReceiveFailed => count(&mut self.failed_receives),
            StreamBufferChange::Deleted => self.level = None,
        }
    }
}

impl EventGroupStats {
    /// Adds the figures of the same group in a later run of the target.
    fn join(&mut self, later: Self) {
        (self.id, self.bits) = (later.id, later.bits);
        self.life = self.life.until(later.life);
        add(&mut self.sets, later.sets);
        add(&mut self.clears, later.clears);
        add(&mut self.clears_on_exit, later.clears_on_exit);
        add(&mut self.deferred_by_isrs, later.deferred_by_isrs);
        self.runs = self.runs.saturating_add(later.runs);
    }

    fn change(&mut self, change: EventGroupChange) {
        match change {
            EventGroupChange::Bits(bits, cause) => {
                self.bits = Some(bits);
                match cause {
                    BitsCause::Set(_) => count(&mut self.sets),
                    BitsCause::Clear(_) => count(&mut self.clears),
                    BitsCause::ClearOnExit(_) => count(&mut self.clears_on_exit),
                    BitsCause::Created | BitsCause::Found => {}
                }
            }
            EventGroupChange::SetDeferred(_) | EventGroupChange::ClearDeferred(_) => {
                count(&mut self.deferred_by_isrs);
            }
            EventGroupChange::Deleted => self.bits = None,
        }
    }
}

impl TimerStats {
    /// Adds the figures of the same timer in a later run of the target.
    fn join(&mut self, later: Self) {
        self.id = later.id;
        self.life = self.life.until(later.life);
        self.period = later.period.or(self.period);
        self.auto_reload = later.auto_reload.or(self.auto_reload);
        add(&mut self.commands, later.commands);
        add(&mut self.refused, later.refused);
        add(&mut self.expiries, later.expiries);
        self.callback.join(later.callback);
        self.runs = self.runs.saturating_add(later.runs);
    }

    fn change(&mut self, ns: i64, change: TimerChange) {
        match change {
            TimerChange::Sent { accepted: false, .. } => count(&mut self.refused),
            TimerChange::Received(_) => count(&mut self.commands),
            TimerChange::CallbackBegin(_) => {
                count(&mut self.expiries);
                self.begin = Some(ns);
            }
            TimerChange::CallbackEnd { end_ns, .. } => self.end(end_ns, End::Seen),
            _ => {}
        }
    }

    /// The open callback ends at this moment.
    fn end(&mut self, ns: i64, end: End) {
        if let Some(begin) = self.begin.take() {
            self.callback.add_until(ns.saturating_sub(begin), ns, end);
        }
    }
}

impl HeapStats {
    fn change(&mut self, ns: i64, change: HeapChange) {
        let HeapChange { freed, size, .. } = change;
        if freed {
            count(&mut self.frees);
        } else {
            count(&mut self.mallocs);
            if size > self.largest {
                (self.largest, self.largest_at) = (size, ns);
            }
        }
        self.level(ns, change);
    }

    fn level(&mut self, ns: i64, HeapChange { bytes_free, in_use, .. }: HeapChange) {
        if let Some(free) = bytes_free {
            self.free = bytes_free;
            if self.min_free.is_none_or(|least| free < least) {
                (self.min_free, self.min_free_at) = (bytes_free, ns);
            }
        }
        self.in_use = in_use;
        if in_use > self.max_in_use {
            (self.max_in_use, self.max_in_use_at) = (in_use, ns);
        }
    }
}
