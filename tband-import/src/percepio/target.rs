//! What the events of a recording mean, as tband's events: tasks and interrupts.

use tband_format::Event;
use tband_format::registry::NOT_RECORDED;

use super::objects::{HandleKind, Objects};
use super::user::User;
use super::words::EventWords;
use crate::gaps::Break;
use crate::output::Output;

/// Interrupts inside of each other, at most.
const MAX_NESTING: usize = 64;

/// How an interrupt begins while another one is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// It interrupts that one.
    Inside,
    /// That one has asked for a switch and has ended.
    Chained,
    /// The recording does not show it here; the priorities may.
    Unknown,
}

/// An event.
#[derive(Clone, Copy, Debug)]
pub struct RawEvent<'a> {
    /// Its core, from 0.
    pub core: usize,
    /// Its time.
    pub ts: u64,
    pub code: u16,
    pub words: EventWords<'a>,
    pub nesting: Nesting,
}

/// The known state of a core.
#[derive(Clone, Debug, Default)]
pub struct Core {
    pub running: Option<u32>,
    /// Open interrupts, the innermost one last.
    pub isrs: Vec<u32>,
    /// Time of its last event.
    pub last: u64,
}

/// What the recording has turned out to contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    pub has_isrs: bool,
    pub has_silent_ends: bool,
    pub has_chains: bool,
    pub has_notifications: bool,
    pub has_groups: bool,
    pub has_timers: bool,
    pub has_buffers: bool,
    pub has_stacks: bool,
    pub has_compact_texts: bool,
}

/// The target: all its cores.
#[derive(Debug)]
pub struct Target {
    pub first_core: u32,
    pub cores: Vec<Core>,
    pub objects: Objects,
    pub user: User,
    pub facts: Facts,
    pub is_low_urgent: bool,
    /// Total of lost events.
    lost: u32,
    has_begun: bool,
}

impl Target {
    pub fn new(first_core: u32) -> Self {
        Self {
            first_core,
            cores: Vec::new(),
            objects: Objects::new(first_core),
            user: User::default(),
            facts: Facts::default(),
            is_low_urgent: true,
            lost: 0,
            has_begun: false,
        }
    }

    /// A recording of so many cores begins.
    pub fn begin(&mut self, cores: u32, tick_hz: u32, out: &mut Output) {
        self.cores.resize(cores as usize, Core::default());
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        out.begin_recording(self.first_core, cores, Some(tick_hz).filter(|hz| *hz > 0));
    }

    /// The number of a core in tband's events.
    pub const fn number_of(&self, core: usize) -> u32 {
        self.first_core.saturating_add(core as u32)
    }

    #[inline]
    pub fn emit(&self, core: usize, ts: u64, event: &Event<'static>, out: &mut Output) {
        out.timed(self.number_of(core), ts, event);
    }

    /// Nothing is known of the state of any core.
    pub fn forget_state(&mut self) {
        for core in &mut self.cores {
            core.running = None;
            core.isrs.clear();
        }
        self.user.forget_state();
    }

    /// The target was reset.
    pub fn forget_all(&mut self) {
        self.forget_state();
        self.objects.forget_all();
        self.user.forget_all();
    }

    /// Events are missing on a core.
    pub fn lose(&mut self, core: usize, ts: u64, count: u32, out: &mut Output) {
        self.lost = self.lost.saturating_add(count);
        if let Some(core) = self.cores.get_mut(core) {
            core.running = None;
            core.isrs.clear();
            core.last = core.last.max(ts);
        }
        self.user.forget_state();
        self.emit(core, ts, &Event::DroppedEvtCnt { cnt: self.lost }, out);
    }

    /// The events of a core end before those of the others: its buffer was full.
    pub fn end_core(&mut self, core: usize, is_early: bool, out: &mut Output) {
        let number = self.number_of(core);
        if is_early {
            let why =
                Break::Loss("the buffer of this core was full here; its later events are missing");
            out.broken(number, why, 0, 0);
        }
        if let Some(core) = self.cores.get_mut(core) {
            if !is_early {
                // Its task may run on another core before that one is full, too.
                out.timed(number, core.last, &Event::RunningTask { task_id: NOT_RECORDED });
            }
            core.running = None;
            core.isrs.clear();
        }
    }

    /// Takes an event.
    pub fn event(&mut self, mut raw: RawEvent<'_>, out: &mut Output) {
        let Some(core) = self.cores.get_mut(raw.core) else { return };
        // The events of a core follow each other.
        raw.ts = raw.ts.max(core.last);
        let before = std::mem::replace(&mut core.last, raw.ts);
        if !core.isrs.is_empty() && is_of_tasks(raw.code) {
            // The interrupt has asked for a switch, and the same task continues, which no event reports.
            self.facts.has_silent_ends = true;
            self.end_isrs(raw.core, before, true, out);
        }
        let RawEvent { code, words, .. } = raw;
        match code {
            0x01 => self.start(&raw, out),
            0x03 => {
                if let Some(number) = self.objects.number(words.get(0)) {
                    let core = self.number_of(raw.core);
                    self.objects.name(core, number, words.text(1), out);
                }
            }
            0x04 => self.of_task(&raw, out, |task_id, words| Event::TaskPrioritySet {
                task_id,
                priority: words.priority(1),
            }),
            0x05 => self.of_task(&raw, out, |task_id, words| Event::TaskPriorityInherit {
                task_id,
                priority: words.priority(1),
            }),
            0x06 => self.of_task(&raw, out, |task_id, words| Event::TaskPriorityDisinherit {
                task_id,
                priority: words.priority(1),
            }),
            0x07 => {
                if let Some(number) = self.objects.number(words.get(0)) {
                    let core = self.number_of(raw.core);
                    self.objects.set_state(number, Some(words.low(1)));
                    self.objects.name(core, number, words.text(2), out);
                }
            }
            0x10 => self.task_created(&raw, out),
            0x20 => {
                if let Some(task_id) = self.objects.number(words.get(0)) {
                    self.objects.is(self.number_of(raw.core), task_id, HandleKind::Task, out);
                    self.emit(raw.core, raw.ts, &Event::TaskDeleted { task_id }, out);
                    self.objects.forget(task_id);
                    self.user.forget_task(task_id);
                }
            }
            0x30 => self.of_task(&raw, out, |task_id, _| Event::TaskToRdyState { task_id }),
            0x33 => self.begin_isr(&raw, out),
            0x34 => self.resume_isr(&raw, out),
            0x37 => self.activate(&raw, out),
            0x38 => self.emit(
                raw.core,
                raw.ts,
                &Event::HeapMalloc { address: words.low(0), size: words.low(1), bytes_free: None },
                out,
            ),
            0xE9 => {
                let event = Event::HeapMalloc { address: 0, size: words.low(1), bytes_free: None };
                self.emit(raw.core, raw.ts, &event, out);
            }
            0x39 => {
                let (address, size) = (words.low(0), words.low(1));
                let event = Event::HeapFree { address, size, bytes_free: None };
                self.emit(raw.core, raw.ts, &event, out);
            }
            0x3A => {
                let event = Event::LowPowerIdleBegin { expected_ticks: words.low(0) };
                self.emit(raw.core, raw.ts, &event, out);
            }
            0x3B => self.emit(raw.core, raw.ts, &Event::LowPowerIdleEnd {}, out),
            0x79 => {
                let event = Event::CurtaskDelayUntil { time_to_wake: words.low(0) };
                self.emit(raw.core, raw.ts, &event, out);
            }
            0x7A => {
                let event = Event::CurtaskDelay { ticks: words.low(0) };
                self.emit(raw.core, raw.ts, &event, out);
            }
            0x7B => self.of_task(&raw, out, |task_id, _| Event::TaskSuspended { task_id }),
            0x7C => self.of_task(&raw, out, |task_id, _| Event::TaskResumed { task_id }),
            0x7D => self.of_task(&raw, out, |task_id, _| Event::TaskResumedFromIsr { task_id }),
            0xEB => {
                self.facts.has_stacks = true;
                self.of_task(&raw, out, |task_id, words| Event::TaskStackHighWaterMark {
                    task_id,
                    bytes: words.low(1).saturating_mul(words.layout.word_len() as u32),
                });
            }
            0x90..=0x9C | 0xEC..=0xF5 | 0xF7.. => self.user_event(&raw, out),
            0xF6 if self.user.is_of_extension(code) => self.user_event(&raw, out),
            _ => self.kernel_event(&raw, out),
        }
    }

    /// An event about a task.
    fn of_task(
        &mut self,
        raw: &RawEvent<'_>,
        out: &mut Output,
        event: impl FnOnce(u32, EventWords<'_>) -> Event<'static>,
    ) {
        let Some(task) = self.objects.number(raw.words.get(0)) else { return };
        self.objects.is(self.number_of(raw.core), task, HandleKind::Task, out);
        self.emit(raw.core, raw.ts, &event(task, raw.words), out);
    }

    fn task_created(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let Some(task_id) = self.objects.number(raw.words.get(0)) else { return };
        self.objects.create(task_id);
        self.user.forget_task(task_id);
        self.emit(raw.core, raw.ts, &Event::TaskCreated { task_id }, out);
        self.objects.is(self.number_of(raw.core), task_id, HandleKind::Task, out);
        // Zephyr records the size of the stack before it.
        let priority = raw.words.priority(raw.words.count().saturating_sub(1).max(1));
        self.emit(raw.core, raw.ts, &Event::TaskPrioritySet { task_id, priority }, out);
    }

    /// Recording starts. The task that runs is recorded; before the kernel runs it is not an address.
    fn start(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let Some(task_id) = self.objects.number(raw.words.get(0)) else { return };
        self.run_task(raw, task_id, out);
    }

    fn run_task(&mut self, raw: &RawEvent<'_>, task_id: u32, out: &mut Output) {
        self.objects.is(self.number_of(raw.core), task_id, HandleKind::Task, out);
        let Some(core) = self.cores.get_mut(raw.core) else { return };
        match core.running.replace(task_id) {
            Some(before) if before == task_id => {}
            Some(_) => self.emit(raw.core, raw.ts, &Event::TaskSwitchedIn { task_id }, out),
            None => self.emit(raw.core, raw.ts, &Event::RunningTask { task_id }, out),
        }
    }

    /// With the task's priority it is a switch, without it the end of an interrupt after which the task continues.
    fn activate(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let Some(task_id) = self.objects.number(raw.words.get(0)) else { return };
        let is_switch = raw.words.count() > 1;
        self.end_isrs(raw.core, raw.ts, is_switch, out);
        if !is_switch {
            self.run_task(raw, task_id, out);
            return;
        }
        self.objects.is(self.number_of(raw.core), task_id, HandleKind::Task, out);
        let Some(core) = self.cores.get_mut(raw.core) else { return };
        if core.running.replace(task_id) != Some(task_id) {
            self.emit(raw.core, raw.ts, &Event::TaskSwitchedIn { task_id }, out);
        }
    }

    /// All open interrupts of a core end.
    fn end_isrs(&mut self, core: usize, ts: u64, yields: bool, out: &mut Output) {
        loop {
            let open = self.cores.get_mut(core).and_then(|core| core.isrs.pop());
            let Some(isr_id) = open else { return };
            self.end_isr(core, ts, isr_id, yields, out);
        }
    }

    fn end_isr(&self, core: usize, ts: u64, isr_id: u32, yields: bool, out: &mut Output) {
        let event =
            if yields { Event::IsrExitToScheduler { isr_id } } else { Event::IsrExit { isr_id } };
        self.emit(core, ts, &event, out);
    }

    fn begin_isr(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let Some(isr_id) = self.objects.number(raw.words.get(0)) else { return };
        self.facts.has_isrs = true;
        self.objects.is(self.number_of(raw.core), isr_id, HandleKind::Isr, out);
        let open = self.open_isr(raw.core);
        let is_inside = match raw.nesting {
            Nesting::Inside => true,
            Nesting::Chained => false,
            Nesting::Unknown => open.is_none_or(|open| self.may_interrupt(isr_id, open)),
        };
        if open.is_some() && !is_inside {
            self.facts.has_chains = true;
            self.end_isrs(raw.core, raw.ts, true, out);
        }
        let Some(core) = self.cores.get_mut(raw.core) else { return };
        if core.isrs.len() >= MAX_NESTING {
            core.isrs.clear();
        }
        core.isrs.push(isr_id);
        self.emit(raw.core, raw.ts, &Event::IsrEnter { isr_id }, out);
    }

    /// The innermost open interrupt.
    pub fn open_isr(&self, core: usize) -> Option<u32> {
        self.cores.get(core)?.isrs.last().copied()
    }

    /// An interrupt can interrupt another one: it is more urgent, as far as the priorities are known.
    fn may_interrupt(&self, isr: u32, open: u32) -> bool {
        let priorities = (self.objects.state_of(isr), self.objects.state_of(open));
        match priorities {
            (Some(inner), Some(outer)) if self.is_low_urgent => inner < outer,
            (Some(inner), Some(outer)) => inner > outer,
            _ => isr != open,
        }
    }

    /// A nested interrupt ends, and this one continues.
    fn resume_isr(&mut self, raw: &RawEvent<'_>, out: &mut Output) {
        let Some(isr_id) = self.objects.number(raw.words.get(0)) else { return };
        self.objects.is(self.number_of(raw.core), isr_id, HandleKind::Isr, out);
        loop {
            let Some(core) = self.cores.get_mut(raw.core) else { return };
            match core.isrs.last().copied() {
                Some(open) if open == isr_id => return,
                Some(inner) => {
                    core.isrs.pop();
                    self.end_isr(raw.core, raw.ts, inner, false, out);
                }
                None => {
                    core.isrs.push(isr_id);
                    self.emit(raw.core, raw.ts, &Event::OpenIsr { isr_id }, out);
                    return;
                }
            }
        }
    }
}

/// Only tasks record this event.
pub const fn is_of_tasks(code: u16) -> bool {
    matches!(
        code,
        0x04 | 0x50..=0x58 | 0x60..=0x68 | 0x70..=0x7C | 0xB0..=0xB2 | 0xB4 | 0xB6..=0xB9
            | 0xC0..=0xC2 | 0xC5..=0xCC | 0xF6 | 0xD2..=0xD8 | 0xDE..=0xE3
    )
}
