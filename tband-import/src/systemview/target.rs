//! What the packets of a stream mean, as tband's events.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use tband_format::{Event, Str};

use super::calls::{CALLS, Call, TWICE, Table, V11_IDS};
use super::core::{Core, Cores};
use super::fields::Fields;
use super::functions::{Function, function};
use super::modules::Modules;
use super::names::{Marker, NamedObject, Names};
use super::packet::Packet;
use super::print;
use super::samples::Samples;
use super::sysdesc::SysDesc;
use super::waits::{OpenCalls, event_of_wait, unknown};
use crate::gaps::Break;
use crate::output::Output;

/// Interrupts inside of each other, at most.
const MAX_NESTING: usize = 64;
/// Tasks, blocks of memory and calls of which something is kept.
const MAX_KEPT: usize = 16 * 1024;
/// STOP_READY: the running task waits with a limit.
const TO_DELAYED: u32 = 4;
/// STOP_READY: the task joins those that wait without a limit.
const TO_SUSPENDED: u32 = 27;
/// Arguments of a call that are shown.
const MAX_ARGUMENTS: usize = 16;
/// By how much the kernel's tick count may disagree with the time between two of its reports, in us.
const SLACK_US: u64 = 5_000;

/// The source of a stream: one core, or several that share the times of their packets.
#[derive(Debug)]
pub struct Target {
    pub(super) cores: Cores,
    first_core: u32,
    /// Cores of the recording; 0: unknown.
    core_count: u32,
    /// Ticks since the target was initialised.
    now: u64,
    tick_hz: u32,
    ram_base: u32,
    id_shift: u32,
    /// The recorder has described itself.
    has_init: bool,
    /// Interrupts whose handlers report their ends beside the kernel, and so twice.
    end_twice: HashSet<u32, FixedState>,
    /// Tasks that have become ready, have no name and never ran.
    silent: HashSet<u32, FixedState>,
    priorities: HashMap<u32, u32, FixedState>,
    open: OpenCalls,
    /// Tasks that have left the ready tasks.
    waiting: HashSet<u32, FixedState>,
    /// Tasks and the calls that they have recorded once, of those that are recorded twice.
    recorded: HashSet<(u32, u32), FixedState>,
    /// Blocks of memory by address.
    blocks: HashMap<u32, u32, FixedState>,
    /// Lost events, and the total that the target reported.
    lost: u32,
    overflows: Option<u32>,
    /// Recording was stopped.
    is_stopped: bool,
    /// A start was reported, and no task was switched in since.
    has_start: bool,
    /// The kernel's time in us, and the ticks at which it was reported.
    systime: Option<(u64, u64)>,
    /// Recording has started since then.
    has_started: bool,
    /// The time in between is not known.
    has_lost_time: bool,
    pub(super) names: Names,
    modules: Modules,
    samples: Samples,
    pub desc: SysDesc,
    /// The table that the user has chosen, or that the file names.
    pub table: Option<Table>,
    /// Facts found in the recording.
    pub facts: Facts,
}

/// What the recording has turned out to contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    pub has_v11_calls: bool,
    pub has_v10_calls: bool,
    pub has_waits: bool,
    pub has_unknown_waits: bool,
    pub has_idle: bool,
    pub has_inferred_floats: bool,
}

impl Target {
    /// The target whose packets are of so many cores, from this one on, in a recording of `core_count` cores; 0: unknown.
    pub fn new((first, count): (u32, u32), core_count: u32, table: Option<Table>) -> Self {
        Self {
            cores: Cores::new(first, count),
            first_core: first,
            core_count,
            now: 0,
            tick_hz: 0,
            ram_base: 0,
            id_shift: 0,
            has_init: false,
            end_twice: HashSet::default(),
            silent: HashSet::default(),
            priorities: HashMap::default(),
            open: OpenCalls::default(),
            waiting: HashSet::default(),
            recorded: HashSet::default(),
            blocks: HashMap::default(),
            lost: 0,
            overflows: None,
            is_stopped: false,
            has_start: false,
            systime: None,
            has_started: false,
            has_lost_time: false,
            names: Names::default(),
            modules: Modules::default(),
            samples: Samples::default(),
            desc: SysDesc::default(),
            table,
            facts: Facts::default(),
        }
    }

    /// The address of the thing with this number.
    pub(super) const fn address(&self, id: u32) -> u32 {
        self.ram_base.wrapping_add(id.wrapping_shl(self.id_shift))
    }

    pub(super) fn emit(&self, event: &Event<'static>, out: &mut Output) {
        out.timed(self.cores.on.number, self.now, event);
    }

    /// Bytes are missing here: nothing is known of the state of the target, and of the time only what it reports later.
    pub fn has_gap(&mut self) {
        self.forget_state();
        self.has_lost_time = true;
    }

    /// Events are missing.
    fn forget_state(&mut self) {
        self.cores.iter_mut().for_each(Core::forget_state);
        self.open.forget_all();
        self.recorded.clear();
        self.waiting.clear();
    }

    /// Another file had these parts: time and the count of lost events continue from there.
    pub fn continue_after(&mut self, parts: &[Self]) {
        self.now = parts.iter().map(|part| part.now).max().unwrap_or(0);
        let same = parts.iter().find(|part| part.first_core == self.first_core);
        self.lost = same.map_or(0, |part| part.lost);
    }

    /// Recording starts again here.
    pub fn break_all(&self, out: &mut Output) {
        self.cores.iter().for_each(|core| out.broken(core.number, Break::Start, 0, 0));
    }

    /// There is a break on this core: the missing events may be of the others.
    pub fn break_others(&self, core: u32, out: &mut Output) {
        let loss = Break::Loss("packets are missing here, which may be of this core");
        let others = self.cores.iter().filter(|it| it.number != core);
        others.for_each(|it| out.broken(it.number, loss, 0, 0));
    }

    /// Takes a packet.
    pub fn packet(&mut self, packet: &Packet<'_>, out: &mut Output) {
        self.now = self.now.saturating_add(packet.delta.into());
        self.cores.select(self.first_core.saturating_add(packet.core));
        let mut fields = Fields(packet.payload);
        let fields = &mut fields;
        let ended = self.cores.on.ended.take();
        if !matches!(packet.id, 3 | 18) {
            self.ended_once(ended);
        }
        match packet.id {
            // NOP, and what the FreeRTOS ports do not send.
            0 => {}
            1 => self.overflow(fields.or_zero(), out),
            2 => self.isr_enter(fields.or_zero(), out),
            3 => self.isr_exit(ended, false, out),
            18 => self.isr_exit(ended, true, out),
            4 => {
                let task = self.address(fields.or_zero());
                self.switch(task, out);
            }
            5 => {}
            6 => self.ready(fields.or_zero(), out),
            7 => {
                let task = self.address(fields.or_zero());
                self.wait(task, fields.or_zero(), out);
            }
            8 => {
                let task_id = self.address(fields.or_zero());
                self.names.forget(NamedObject::Task(task_id));
                self.priorities.remove(&task_id);
                self.open.forget(task_id);
                self.recorded.retain(|(task, _)| *task != task_id);
                self.cores.forget_idle(|idle| idle == task_id);
                self.waiting.remove(&task_id);
                self.cores.on.deleted = None;
                self.emit(&Event::TaskCreated { task_id }, out);
            }
            29 => {
                let task = self.address(fields.or_zero());
                self.delete_task(task, out);
            }
            9 => self.task_info(fields, out),
            10 => {
                self.has_started = true;
                self.start(out);
            }
            11 => self.is_stopped = true,
            // Cycles: another clock than that of the kernel's ticks.
            12 => {}
            13 => {
                let (low, high) = (fields.or_zero(), fields.or_zero());
                self.systime(u64::from(high) << 32 | u64::from(low), out);
            }
            14 => {
                let (names, core) = (&mut self.names, self.cores.on.number);
                self.desc.learn(fields.or_empty(), |number, name| {
                    names.name(core, NamedObject::Isr(number), name, out);
                });
                if self.desc.is_of_espressif() {
                    self.table = self.table.or(Some(Table::Esp));
                }
            }
            15 => self.begin_mark(Marker::Mark(fields.or_zero()), out),
            16 => self.end_mark(Marker::Mark(fields.or_zero()), out),
            17 => self.run_idle(out),
            19 => self.timer_enter(fields.or_zero(), out),
            20 => {
                if let Some(timer) = self.cores.on.timers.pop() {
                    self.end_mark(timer, out);
                }
            }
            // The usage of stacks means another thing in each port.
            21 => {}
            22 => {
                let (_, first) = (fields.or_zero(), fields.or_zero());
                self.modules.learn(first, fields.or_empty());
            }
            23 => self.sample(fields, out),
            24 => self.init(fields, out),
            25 => {
                let queue = self.address(fields.or_zero());
                let name = String::from_utf8_lossy(fields.or_empty());
                self.names.name(self.cores.on.number, NamedObject::Queue(queue), &name, out);
            }
            26 => {
                let (text, level) = print::message(packet.payload);
                let name =
                    ["log", "warning", "error"].get(level as usize).copied().unwrap_or("log");
                self.message(Marker::Print(level), name, &text, out);
            }
            27 => {}
            28 => self.end_call(fields, out),
            31 => self.extension(fields, out),
            id if CALLS.contains(&id) => self.call(id, packet.payload, out),
            id if id >= 512 => self.module_event(id, packet.payload, out),
            _ => {}
        }
    }

    fn init(&mut self, fields: &mut Fields<'_>, out: &mut Output) {
        let hz = fields.or_zero();
        fields.or_zero();
        let (base, shift) = (fields.or_zero(), fields.or_zero());
        if !self.has_init {
            for core in self.cores.iter() {
                out.begin_recording(core.number, self.core_count, None);
            }
        }
        if hz > 0 && hz != self.tick_hz {
            let frequency = Event::TsFrequency { numerator: hz.into(), denominator: 1 };
            self.cores.emit(self.now, &frequency, out);
            self.tick_hz = hz;
        }
        (self.ram_base, self.id_shift, self.has_init) = (base, shift & 31, true);
    }

    /// The trace starts: at the beginning, after a stop, after a reset, and in post-mortem mode again and again.
    fn start(&mut self, out: &mut Output) {
        if std::mem::take(&mut self.is_stopped) {
            self.restart(out);
        }
    }

    fn restart(&mut self, out: &mut Output) {
        if !std::mem::replace(&mut self.has_start, true) {
            self.break_all(out);
        }
        self.forget_state();
        self.blocks.clear();
    }

    /// The kernel's time, in us: it shows a reset, and time that is missing.
    fn systime(&mut self, us: u64, out: &mut Output) {
        // A target sends its time when recording starts. In between, it is sent only if the host requests it, and bytes after damage
        // may look like it.
        if !std::mem::take(&mut self.has_started) {
            return;
        }
        let has_lost = std::mem::take(&mut self.has_lost_time);
        if let Some((before_us, before)) = self.systime
            && self.tick_hz > 0
        {
            let elapsed = u128::from(self.now.saturating_sub(before)) * 1_000_000;
            let elapsed_us = u64::try_from(elapsed / u128::from(self.tick_hz)).unwrap_or(u64::MAX);
            let expected = before_us.saturating_add(elapsed_us);
            let ticks = |us: u64| {
                let ticks = u128::from(us) * u128::from(self.tick_hz) / 1_000_000;
                u64::try_from(ticks).unwrap_or(u64::MAX)
            };
            if us < before_us || (us == 0 && before_us == 0 && self.cores.on.running.is_some()) {
                // It was reset.
                self.restart(out);
                self.names.forget_all();
                self.cores.forget_idle(|_| true);
                self.silent.clear();
                self.priorities.clear();
                self.overflows = None;
            } else if us > expected.saturating_add(SLACK_US) {
                let missing = ticks(us - expected);
                // Pauses lose multiples of 2^32.
                let turns = missing.saturating_add(1 << 31) >> 32 << 32;
                let lost = if has_lost { missing } else { turns };
                self.now = self.now.saturating_add(lost);
            }
        }
        self.systime = Some((us, self.now));
    }

    fn overflow(&mut self, total: u32, out: &mut Output) {
        // The first packet that is lost in a burst is not counted.
        let before = self.overflows.replace(total).filter(|before| *before <= total).unwrap_or(0);
        let lost = total.saturating_sub(before).saturating_add(1);
        self.lost = self.lost.saturating_add(lost);
        self.forget_state();
        self.emit(&Event::DroppedEvtCnt { cnt: self.lost }, out);
        self.break_others(self.cores.on.number, out);
    }

    fn isr_enter(&mut self, isr_id: u32, out: &mut Output) {
        if self.cores.on.isrs.len() >= MAX_NESTING {
            self.cores.on.isrs.clear();
        }
        self.cores.on.isrs.push(isr_id);
        self.emit(&Event::IsrEnter { isr_id }, out);
    }

    /// The innermost interrupt ends, unless this is the second end of the one that has just ended. Where nothing is open it can only
    /// be that; inside of another interrupt it is that if the handler is known to end twice.
    fn isr_exit(&mut self, ended: Option<u32>, yields: bool, out: &mut Output) {
        self.cores.on.has_yielded |= yields;
        if let Some(ended) = ended {
            if self.cores.on.isrs.is_empty() && self.end_twice.len() < MAX_KEPT {
                self.end_twice.insert(ended);
            }
            if self.end_twice.contains(&ended) {
                return;
            }
        }
        let Some(isr_id) = self.cores.on.isrs.pop() else { return };
        self.cores.on.ended = Some(isr_id);
        let event =
            if yields { Event::IsrExitToScheduler { isr_id } } else { Event::IsrExit { isr_id } };
        self.emit(&event, out);
    }

    /// No second end has followed the end of this interrupt.
    fn ended_once(&mut self, ended: Option<u32>) {
        if let Some(ended) = ended
            && self.cores.on.isrs.is_empty()
        {
            self.end_twice.remove(&ended);
        }
    }

    /// The running task gives way to another one, and nothing has reported that it waits: waits without a limit have no
    /// STOP_READY. A task that is ready gives way only to one of a higher priority, or of the same after an interrupt.
    fn yield_to(&mut self, to: u32, out: &mut Output) {
        let Some(task) = self.cores.on.running.filter(|task| *task != to) else { return };
        let has_yielded = std::mem::take(&mut self.cores.on.has_yielded);
        let is_over = self.cores.on.deleted == Some(task) || self.cores.on.idle == Some(task);
        if self.cores.on.has_announced || is_over {
            return;
        }
        let of = |task: u32| match self.priorities.get(&task) {
            Some(priority) => Some(*priority),
            None => self.cores.is_idle(task).then_some(0),
        };
        let call = self.open.innermost(task);
        let may_wait = call.is_some_and(Call::is_endless);
        let call = match (of(task), of(to)) {
            // It may have been interrupted before it could wait, or just then.
            (Some(from), Some(to)) if to > from && may_wait => None,
            (Some(from), Some(to)) if to > from => return,
            (Some(from), Some(to)) if to < from => call,
            _ if may_wait && !has_yielded => call,
            _ if may_wait => None,
            _ => return,
        };
        self.facts.has_waits = true;
        let event = event_of_wait(call, task, |id| self.address(id));
        self.facts.has_unknown_waits |= event == unknown();
        self.emit(&event, out);
    }

    /// The kernel cannot have done what the packets show: some are missing.
    fn lose_packets(&mut self, out: &mut Output) {
        let core = self.cores.on.number;
        let loss = "a task runs that no packet has made ready, or waits while another one runs";
        out.broken(core, Break::Loss(loss), 0, 0);
        self.break_others(core, out);
        self.forget_state();
    }

    fn switch(&mut self, task: u32, out: &mut Output) {
        if self.waiting.contains(&task) && !self.desc.has_other_kernel {
            self.lose_packets(out);
        }
        self.yield_to(task, out);
        self.silent.remove(&task);
        self.cores.on.running = Some(task);
        self.has_start = false;
        self.cores.on.has_announced = false;
        // Interrupts whose ends are missing are over.
        self.cores.on.isrs.clear();
        self.emit(&Event::TaskSwitchedIn { task_id: task }, out);
    }

    /// The idle task runs. Nothing names it; its number is known where it has become ready.
    fn run_idle(&mut self, out: &mut Output) {
        let task_id = match self.cores.on.idle {
            Some(idle) => idle,
            None => {
                let mut silent = self.silent.iter();
                let only = silent.next().copied().filter(|_| silent.next().is_none());
                // No address is odd and as high.
                let idle = only.unwrap_or(u32::MAX - 2 - self.cores.on.number);
                self.cores.on.idle = Some(idle);
                idle
            }
        };
        if !std::mem::replace(&mut self.cores.on.is_idle_emitted, true) {
            self.facts.has_idle = true;
            if !self.names.has(NamedObject::Task(task_id)) {
                self.names.name(self.cores.on.number, NamedObject::Task(task_id), "IDLE", out);
            }
            let event = Event::TaskIsIdleTask { task_id, core_id: self.cores.on.number };
            out.metadata(self.cores.on.number, &event);
        }
        self.switch(task_id, out);
    }

    fn ready(&mut self, id: u32, out: &mut Output) {
        let task_id = self.address(id);
        let is_named = self.names.has(NamedObject::Task(task_id));
        if !is_named && self.cores.on.idle.is_none() && self.silent.len() < MAX_KEPT {
            self.silent.insert(task_id);
        }
        self.waiting.remove(&task_id);
        self.emit(&Event::TaskToRdyState { task_id }, out);
    }

    /// A task leaves the ready tasks.
    fn wait(&mut self, task: u32, cause: u32, out: &mut Output) {
        let is_of_other = self.cores.on.running.is_some_and(|running| running != task);
        if is_of_other && cause == TO_DELAYED && !self.desc.has_other_kernel {
            self.lose_packets(out);
        }
        if self.waiting.len() < MAX_KEPT {
            self.waiting.insert(task);
        }
        if self.cores.on.running.is_none() && self.cores.on.isrs.is_empty() {
            // Only the running task makes itself wait, or another one suspended.
            if cause != TO_SUSPENDED {
                self.cores.on.running = Some(task);
                self.emit(&Event::RunningTask { task_id: task }, out);
            } else {
                return;
            }
        }
        if self.cores.on.running != Some(task) {
            self.emit(&Event::TaskSuspended { task_id: task }, out);
            return;
        }
        self.facts.has_waits = true;
        if std::mem::replace(&mut self.cores.on.has_announced, true) {
            return;
        }
        let call = self.open.innermost(task);
        let event = event_of_wait(call, task, |id| self.address(id));
        self.facts.has_unknown_waits |= event == unknown();
        self.emit(&event, out);
    }

    fn task_info(&mut self, fields: &mut Fields<'_>, out: &mut Output) {
        let task_id = self.address(fields.or_zero());
        let priority = fields.or_zero();
        let name = String::from_utf8_lossy(fields.or_empty());
        self.silent.remove(&task_id);
        self.names.name(self.cores.on.number, NamedObject::Task(task_id), &name, out);
        self.cores.name(task_id, &name);
        if self.priorities.len() >= MAX_KEPT {
            return;
        }
        match self.priorities.insert(task_id, priority) {
            Some(before) if before == priority => {}
            Some(_) => self.emit(&Event::TaskPrioritySet { task_id, priority }, out),
            None => {
                out.metadata(self.cores.on.number, &Event::TaskBasePriority { task_id, priority })
            }
        }
    }

    /// A task is deleted. It may be reported twice, and without a number by the task itself.
    fn delete_task(&mut self, task_id: u32, out: &mut Output) {
        if task_id == 0 || self.cores.on.deleted == Some(task_id) {
            return;
        }
        self.cores.on.deleted = Some(task_id);
        self.open.forget(task_id);
        self.emit(&Event::TaskDeleted { task_id }, out);
    }

    /// The table of ids that a call is of.
    fn table_of(&self, id: u32) -> Option<Table> {
        if self.table.is_some() {
            return self.table;
        }
        if self.desc.has_other_kernel {
            return None;
        }
        Some(if V11_IDS.contains(&id) { Table::V11 } else { Table::V10 })
    }

    /// The packet before has recorded the same call of a function that the kernel's hooks record twice.
    fn is_repeated(&mut self, id: u32) -> bool {
        let call = (self.calling_task(), id);
        let is_repeated = self.recorded.remove(&call);
        if !is_repeated && self.recorded.len() < MAX_KEPT {
            self.recorded.insert(call);
        }
        is_repeated
    }

    fn call(&mut self, id: u32, payload: &[u8], out: &mut Output) {
        let Some(table) = self.table_of(id) else {
            return self.mark_call(id, Function::Unknown, payload, out);
        };
        let has_ends = table == Table::V11;
        self.facts.has_v11_calls |= has_ends;
        self.facts.has_v10_calls |= table == Table::V10;
        let is_repeated = has_ends && TWICE.contains(&id) && self.is_repeated(id);
        let call = Call::read(table, id, payload);
        match function(table, id) {
            _ if is_repeated => {}
            Function::Shown(_, Some(function)) if has_ends => {
                self.emit(&Event::ApiEnter { function }, out);
            }
            function if call == Call::Other => self.mark_call(id, function, payload, out),
            _ => {}
        }
        let is_in_task = self.cores.on.isrs.is_empty();
        match call {
            Call::Delete { task } => {
                let address = self.address(task);
                match (address, self.cores.on.running) {
                    // A task deletes itself. The packet that names it follows, if there are ends.
                    (0, Some(running)) if !has_ends => self.delete_task(running, out),
                    _ => self.delete_task(address, out),
                }
            }
            Call::DeleteQueue { queue } => {
                let queue_id = self.address(queue);
                self.names.forget(NamedObject::Queue(queue_id));
                self.emit(&Event::QueueDeleted { queue_id }, out);
            }
            Call::DeleteGroup { group } => {
                let event_group_id = self.address(group);
                self.emit(&Event::EventGroupDeleted { event_group_id }, out);
            }
            Call::DeleteBuffer { buffer } => {
                let stream_buffer_id = self.address(buffer);
                self.emit(&Event::StreamBufferDeleted { stream_buffer_id }, out);
            }
            Call::SetBitsFromIsr { group, bits } => {
                let event_group_id = self.address(group);
                self.emit(&Event::EventGroupSetBitsFromIsr { event_group_id, bits }, out);
            }
            Call::ClearBitsFromIsr { group, bits } => {
                let event_group_id = self.address(group);
                self.emit(&Event::EventGroupClearBitsFromIsr { event_group_id, bits }, out);
            }
            Call::Suspend { task }
                if self.address(task) != 0 && self.cores.on.running != Some(self.address(task)) =>
            {
                // Of another task there is nothing else.
                let task_id = self.address(task);
                self.emit(&Event::TaskSuspended { task_id }, out);
                return;
            }
            Call::Delay { .. } | Call::DelayUntil | Call::Suspend { .. }
                if !has_ends && is_in_task =>
            {
                // These tables record a call as the task is about to wait.
                if let Some(running) = self.cores.on.running {
                    self.cores.on.has_announced = true;
                    let event = event_of_wait(Some(call), running, |id| self.address(id));
                    self.emit(&event, out);
                }
            }
            _ => {}
        }
        let may_wait = call.may_wait() && self.cores.on.running.is_some();
        if has_ends && is_in_task && (may_wait || call.needs_result()) {
            self.open.open(self.calling_task(), id, call);
        }
    }

    /// The task that makes the calls. Before the first switch it is `main()`.
    fn calling_task(&self) -> u32 {
        self.cores.on.running.unwrap_or(0)
    }

    fn end_call(&mut self, fields: &mut Fields<'_>, out: &mut Output) {
        let (id, value) = (fields.or_zero(), fields.number().ok());
        if self.table_of(id) != Some(Table::V11) {
            return;
        }
        if TWICE.contains(&id) {
            self.recorded.remove(&(self.calling_task(), id));
        }
        let is_in_task = self.cores.on.isrs.is_empty();
        let call = if is_in_task { self.open.close(self.calling_task(), id) } else { None };
        if let (Some(call), Some(value)) = (call, value) {
            self.show_result(call, value, out);
        }
        if let Function::Shown(_, Some(function)) = function(Table::V11, id) {
            self.emit(&Event::ApiReturn { function, value }, out);
        }
    }

    fn begin_mark(&mut self, marker: Marker, out: &mut Output) {
        let event = Event::EvtmarkerBegin { evtmarker_id: marker.number(), msg: Str(&[]) };
        self.emit(&event, out);
    }

    fn end_mark(&mut self, marker: Marker, out: &mut Output) {
        self.emit(&Event::EvtmarkerEnd { evtmarker_id: marker.number() }, out);
    }

    fn timer_enter(&mut self, id: u32, out: &mut Output) {
        let timer = Marker::Timer(id);
        if !self.names.has(NamedObject::Marker(timer)) {
            let name = format!("timer {:#x}", self.address(id));
            self.names.name(self.cores.on.number, NamedObject::Marker(timer), &name, out);
        }
        let open = &mut self.cores.on.timers;
        if open.len() >= MAX_NESTING {
            open.clear();
        }
        open.push(timer);
        self.begin_mark(timer, out);
    }

    /// A call without an end is a moment on the marker of its function: the name of the object that it is for, and its arguments.
    fn mark_call(&mut self, id: u32, function: Function, payload: &[u8], out: &mut Output) {
        let name = match function {
            Function::Internal => return,
            Function::Shown(name, _) => Cow::Borrowed(name),
            Function::Unknown => Cow::Owned(format!("call {id}")),
        };
        let mut after_first = Fields(payload);
        let address = after_first.number().ok().map(|first| self.address(first));
        let of = address.and_then(|address| {
            let queue = self.names.get(NamedObject::Queue(address));
            queue.or_else(|| self.names.get(NamedObject::Task(address)))
        });
        let text = match of {
            Some(of) => format!("{of} {}", after_first.as_text(MAX_ARGUMENTS - 1)),
            None => Fields(payload).as_text(MAX_ARGUMENTS),
        };
        self.message(Marker::Event(id), &name, text.trim_end(), out);
    }

    /// A moment on a marker, which has this name.
    fn message(&mut self, marker: Marker, name: &str, text: &str, out: &mut Output) {
        self.names.name(self.cores.on.number, NamedObject::Marker(marker), name, out);
        let msg = Str(text.as_bytes());
        let event = Event::Evtmarker { evtmarker_id: marker.number(), msg };
        out.timed(self.cores.on.number, self.now, &event);
    }

    fn sample(&mut self, fields: &mut Fields<'_>, out: &mut Output) {
        let (id, bits) = (fields.or_zero(), fields.or_zero());
        if self.samples.is_new(id) {
            self.facts.has_inferred_floats = true;
            let name = format!("sample {id} x 1000");
            self.names.name(self.cores.on.number, NamedObject::Value(id), &name, out);
        }
        let val = self.samples.value(id, bits);
        self.emit(&Event::Valmarker { valmarker_id: id, val }, out);
    }

    fn extension(&mut self, fields: &mut Fields<'_>, out: &mut Output) {
        match fields.or_zero() {
            0 => {
                let evtmarker_id = fields.or_zero();
                self.emit(&Event::Evtmarker { evtmarker_id, msg: Str(&[]) }, out);
            }
            1 => {
                let marker = Marker::Mark(fields.or_zero());
                let name = String::from_utf8_lossy(fields.or_empty());
                self.names.name(self.cores.on.number, NamedObject::Marker(marker), &name, out);
            }
            3 | 4 => {
                let (_heap, block, size) = (fields.or_zero(), fields.or_zero(), fields.or_zero());
                // The size is shifted like an address.
                let (address, size) = (self.address(block), size.wrapping_shl(self.id_shift));
                if self.blocks.len() < MAX_KEPT {
                    self.blocks.insert(address, size);
                }
                self.emit(&Event::HeapMalloc { address, size, bytes_free: None }, out);
            }
            5 => {
                let (_heap, block) = (fields.or_zero(), fields.or_zero());
                let address = self.address(block);
                // The size of a block from before the recording is unknown.
                if let Some(size) = self.blocks.remove(&address) {
                    self.emit(&Event::HeapFree { address, size, bytes_free: None }, out);
                }
            }
            6 => {
                let (id, name) = self.samples.register(fields);
                self.names.name(self.cores.on.number, NamedObject::Value(id), &name, out);
            }
            _ => {}
        }
    }

    /// An event of a module, or of the application: its numbers, by the format that describes them.
    fn module_event(&mut self, id: u32, payload: &[u8], out: &mut Output) {
        let mut fields = Fields(payload);
        let (name, text) = match self.modules.get(id) {
            Some(event) => {
                let next = || fields.number().ok();
                (event.name.clone(), print::format(event.format.as_bytes(), next))
            }
            None => {
                let text = fields.as_string().map(str::to_owned);
                let text = text.unwrap_or_else(|| fields.as_text(MAX_ARGUMENTS));
                (format!("event {id}"), text)
            }
        };
        self.message(Marker::Event(id), &name, &text, out);
    }
}
