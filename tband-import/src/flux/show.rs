//! What samples mean: events of the recording.

use std::borrow::Cow;

use tband_format::{Event, Str};

use super::item::Sample;
use super::label::{Call, TaskState, Wait};
use super::role::{NameKind, Role};
use super::tasks::UNKNOWN_WAIT;
use super::trace::{Label, NextName, NextTask, Trace};
use super::value::{self, kind};
use crate::output::Output;

/// The state of a task that a sample names.
#[derive(Clone, Copy)]
struct NamedState {
    state: TaskState,
    /// The event of a running task that is about to be in it.
    wait: Event<'static>,
}

impl Trace {
    /// States are those of a task if they have a label for running.
    pub(super) fn role_of_states(&mut self, item: u32, core: u32, out: &mut Output) -> Role {
        let is_task = self.words.iter().any(|((of, enumeration, _), label)| {
            (*of, *enumeration) == (item, 0) && label.state == TaskState::Running
        });
        let role = if is_task {
            let path = self.path(item).join("\\");
            let name = self.items.get(item).map(|it| it.name.to_string()).unwrap_or_default();
            let is_taken = self.known_number(NameKind::Task, &name).is_some();
            let task = self.number(NameKind::Task, if is_taken { &path } else { &name }, out);
            self.facts.has_task_rows = true;
            let core = self.first_core.saturating_add(core);
            self.task_is_named(task, core, &name, out);
            Role::Task { core, task }
        } else {
            Role::Labels
        };
        if let Some(item) = self.items.get_mut(item) {
            item.role = role;
        }
        role
    }

    /// The label of a number of an item.
    fn label(&self, item: u32, of: u32, number: u64) -> Cow<'_, str> {
        let known = self.words.get(&(item, of, number));
        known.map_or_else(|| Cow::Owned(number.to_string()), |label| Cow::Borrowed(&*label.text))
    }

    /// The state of a task that a sample names.
    fn state(&mut self, sample: &Sample<'_>, kind: u8, out: &mut Output) -> NamedState {
        let key = value::event(kind, sample.data).map(|number| (sample.item, 0, number));
        let known = key.and_then(|key| self.words.get(&key));
        if let Some(&Label { state, wait: Some(wait), .. }) = known {
            return NamedState { state, wait };
        }
        let text = match known {
            Some(label) => label.text.to_string(),
            None => self.text(sample, kind).into_owned(),
        };
        let state = TaskState::of(&text);
        let wait = match state {
            TaskState::Waits => self.wait(&Wait::of(&text), out),
            _ => UNKNOWN_WAIT,
        };
        if let Some(label) = key.and_then(|key| self.words.get_mut(&key)) {
            label.wait = Some(wait);
        }
        NamedState { state, wait }
    }

    /// The data of a sample as text.
    fn text<'a>(&'a self, sample: &Sample<'a>, kind: u8) -> Cow<'a, str> {
        let member = |member: u32| -> Cow<'a, str> {
            let known = self.members.get(&(sample.item, member));
            known.map_or_else(|| format!("[{member}]").into(), |label| Cow::Borrowed(&**label))
        };
        let word = |of, number| self.label(sample.item, of, number);
        value::text(kind, sample.form, sample.data, &word, &member)
    }

    /// The number of a marker or value that an item is, with its name the first time.
    fn named(&mut self, item: u32, is_value: bool, kind: u8, out: &mut Output) -> u32 {
        // Numbers that markers have by their names are apart from those.
        let apart = if self.is_of_tband() { 0x80_0000 } else { 0 };
        let id = self.prefix | apart | item & 0x7F_FFFF;
        if self.items.get_mut(item).is_some_and(|it| !std::mem::replace(&mut it.is_named, true)) {
            let mut name = self.path(item).join(" ");
            if is_value && kind == kind::FLOAT {
                name.push_str(" x 1000");
            }
            let name = Str(name.as_bytes());
            let event = match is_value {
                true => Event::ValmarkerName { valmarker_id: id, name },
                false => Event::EvtmarkerName { evtmarker_id: id, name },
            };
            out.metadata(self.first_core, &event);
        }
        id
    }

    pub(super) fn show(
        &mut self,
        sample: &Sample<'_>,
        kind: u8,
        role: Role,
        ts: u64,
        out: &mut Output,
    ) {
        let core = self.first_core;
        let has_value = sample.form != 0;
        let number = || value::number(kind, sample.form, sample.data).filter(|_| has_value);
        let level = || number().and_then(|it| u32::try_from(it).ok());
        match role {
            Role::Nothing | Role::States { .. } => {}
            Role::Value => match number() {
                Some(val) => {
                    self.facts.has_floats |= kind == kind::FLOAT;
                    let valmarker_id = self.named(sample.item, true, kind, out);
                    out.timed(core, ts, &Event::Valmarker { valmarker_id, val });
                }
                None if has_value => self.moment(sample, kind, ts, out),
                None => self.facts.empty_samples += 1,
            },
            Role::Counter { value } => match number() {
                Some(val) => out.timed(core, ts, &Event::Valmarker { valmarker_id: value, val }),
                None => self.facts.empty_samples += 1,
            },
            Role::Moment if has_value => self.moment(sample, kind, ts, out),
            Role::Moment => self.facts.empty_samples += 1,
            Role::Labels => self.labelled(sample, kind, ts, out),
            Role::Task { core, task } => {
                let named = has_value.then(|| self.state(sample, kind, out));
                let wait = named.map_or(UNKNOWN_WAIT, |it| it.wait);
                match named.map(|it| it.state) {
                    Some(TaskState::Running) => self.tasks.set_running(core, ts, task, out),
                    Some(TaskState::Other) => {
                        self.facts.has_unknown_states = true;
                        self.tasks.state((core, ts), task, None, &UNKNOWN_WAIT, false, out);
                        self.moment(sample, kind, ts, out);
                    }
                    state => self.tasks.state((core, ts), task, state, &wait, false, out),
                }
            }
            Role::TaskState { task } => {
                let named = has_value.then(|| self.state(sample, kind, out));
                let wait = named.map_or(UNKNOWN_WAIT, |it| it.wait);
                match named.map(|it| it.state) {
                    Some(TaskState::Running) => self.switch(sample.item, (core, task), ts, out),
                    state => self.tasks.state((core, ts), task, state, &wait, true, out),
                }
            }
            Role::Running { core } => {
                if has_value {
                    // Which of the tasks of this name shows when the task's own signal follows.
                    let name = match value::event(kind, sample.data) {
                        Some(number) => NextName::Label { item: sample.item, number },
                        None => NextName::Text(self.text(sample, kind).into_owned()),
                    };
                    self.next = Some(NextTask { core, name });
                } else {
                    // What its task leaves to follows.
                    self.vacated = Some((core, ts));
                }
            }
            Role::Isr { core, isr } => self.isr(sample.item, (core, isr), number(), ts, out),
            Role::Level { queue } => {
                if let Some(length) = level() {
                    out.timed(core, ts, &Event::QueueCurLength { queue_id: queue, length });
                }
            }
            Role::Holder { queue } if has_value => {
                let event = match &*self.text(sample, kind) {
                    "free" => Event::QueueSend { queue_id: queue, len_after: 1 },
                    _ => Event::QueueReceive { queue_id: queue, len_after: 0 },
                };
                out.timed(core, ts, &event);
            }
            Role::Holder { .. } => {}
            Role::Priority { task } => {
                if let Some(priority) = level() {
                    out.timed(core, ts, &Event::TaskPrioritySet { task_id: task, priority });
                }
            }
            Role::Ticks => {
                if let Some(tick_count) = level() {
                    // The event has the count before the tick.
                    let tick_count = tick_count.wrapping_sub(1);
                    out.timed(core, ts, &Event::TickIncrement { tick_count });
                }
            }
            Role::Text { marker } => {
                let mut text = self.texts.get_mut(&marker).map(std::mem::take).unwrap_or_default();
                text.clear();
                if has_value {
                    text.push_str(&self.text(sample, kind));
                }
                self.texts.insert(marker, text);
            }
            Role::Fired { marker } => {
                let text = self.texts.get_mut(&marker);
                let msg = Str(text.as_ref().map_or(&[], |text| text.as_bytes()));
                out.timed(core, ts, &Event::Evtmarker { evtmarker_id: marker, msg });
                text.map(String::clear);
            }
            Role::Spans { marker } => self.change_span(marker, number().unwrap_or(0), ts, out),
        }
    }

    /// A task, whose signal is `item`, runs on the core whose signal has just named it. There it has its name as it is, and not as in
    /// paths.
    fn switch(&mut self, item: u32, (core, task): (u32, u32), ts: u64, out: &mut Output) {
        let next = self.next.take();
        let core = next.as_ref().map_or(core, |next| next.core);
        self.vacated = self.vacated.filter(|(vacated, _)| *vacated != core);
        if let Some(NextTask { name, .. }) = next
            && let Some(item) = self.items.get_mut(item)
            && !std::mem::replace(&mut item.is_named, true)
        {
            let name = match name {
                NextName::Label { item, number } => self.label(item, 0, number).into_owned(),
                NextName::Text(text) => text,
            };
            if !name.is_empty() {
                let event = Event::TaskName { task_id: task, name: Str(name.as_bytes()) };
                out.metadata(core, &event);
                self.task_is_named(task, core, &name, out);
            }
        }
        self.tasks.set_running(core, ts, task, out);
    }

    /// The event of a running task that is about to wait.
    fn wait(&mut self, wait: &Wait, out: &mut Output) -> Event<'static> {
        let ticks_to_wait = u32::MAX;
        match wait {
            Wait::Delay => Event::CurtaskDelay { ticks: 0 },
            Wait::DelayUntil => Event::CurtaskDelayUntil { time_to_wake: 0 },
            Wait::NotifyTake(index) => {
                Event::CurtaskBlockOnNotifyTake { index: *index, ticks_to_wait }
            }
            Wait::Notification(index) => {
                Event::CurtaskBlockOnNotifyWait { index: *index, ticks_to_wait }
            }
            Wait::Queue(call, name) => {
                let kind = match call {
                    Call::TakeMutex | Call::TakeSemaphore => *call,
                    _ => Call::Receive,
                };
                let queue_id = self.number(NameKind::Queue(kind), name, out);
                match call {
                    Call::Send => Event::CurtaskBlockOnQueueSend { queue_id, ticks_to_wait },
                    Call::Peek => Event::CurtaskBlockOnQueuePeek { queue_id, ticks_to_wait },
                    _ => Event::CurtaskBlockOnQueueReceive { queue_id, ticks_to_wait },
                }
            }
            Wait::SendBytes(name) => {
                let stream_buffer_id = self.number(NameKind::Buffer, name, out);
                Event::CurtaskBlockOnStreamBufferSend { stream_buffer_id, ticks_to_wait }
            }
            Wait::ReceiveBytes(name) => {
                let stream_buffer_id = self.number(NameKind::Buffer, name, out);
                Event::CurtaskBlockOnStreamBufferReceive { stream_buffer_id, ticks_to_wait }
            }
            Wait::EventGroup(name) => {
                let event_group_id = self.number(NameKind::EventGroup, name, out);
                let (bits, flags) = (0, 0);
                Event::CurtaskBlockOnEventGroupWait { event_group_id, bits, flags, ticks_to_wait }
            }
            Wait::Unknown => UNKNOWN_WAIT,
        }
    }

    fn moment(&mut self, sample: &Sample<'_>, kind: u8, ts: u64, out: &mut Output) {
        let evtmarker_id = self.named(sample.item, false, kind, out);
        let text = self.text(sample, kind);
        let msg = Str(text.as_bytes());
        out.timed(self.first_core, ts, &Event::Evtmarker { evtmarker_id, msg });
    }

    /// A state that is none of a task: a span until the next one.
    fn labelled(&mut self, sample: &Sample<'_>, kind: u8, ts: u64, out: &mut Output) {
        let evtmarker_id = self.named(sample.item, false, kind, out);
        let has_value = sample.form != 0;
        let Some(item) = self.items.get_mut(sample.item) else { return };
        if std::mem::replace(&mut item.is_open, has_value) {
            out.timed(self.first_core, ts, &Event::EvtmarkerEnd { evtmarker_id });
        }
        if has_value {
            let text = self.text(sample, kind);
            let msg = Str(text.as_bytes());
            out.timed(self.first_core, ts, &Event::EvtmarkerBegin { evtmarker_id, msg });
        }
    }

    fn isr(
        &mut self,
        item: u32,
        (core, isr_id): (u32, u32),
        number: Option<i64>,
        ts: u64,
        out: &mut Output,
    ) {
        let is_open = number.is_some_and(|it| it > 0);
        let Some(item) = self.items.get_mut(item) else { return };
        match (std::mem::replace(&mut item.is_open, is_open), is_open) {
            (false, true) => out.timed(core, ts, &Event::IsrEnter { isr_id }),
            (true, false) => out.timed(core, ts, &Event::IsrExit { isr_id }),
            _ => {}
        }
    }

    fn change_span(&mut self, marker: u32, level: i64, ts: u64, out: &mut Output) {
        let level = level.clamp(0, 512);
        let before = self.spans.insert(marker, level).unwrap_or(0);
        for _ in before..level {
            let text = self.texts.remove(&marker).unwrap_or_default();
            let msg = Str(text.as_bytes());
            let event = Event::EvtmarkerBegin { evtmarker_id: marker, msg };
            out.timed(self.first_core, ts, &event);
        }
        for _ in level..before {
            out.timed(self.first_core, ts, &Event::EvtmarkerEnd { evtmarker_id: marker });
        }
    }
}
