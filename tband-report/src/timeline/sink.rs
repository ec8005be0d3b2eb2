//! Turns each change into slices of the timeline.

use std::io;

use tband_conv::timeline::{
    Change, EventGroupChange, EventTime, ForgottenState, KernelChange, Number, Outcome,
    QueueChange, Sink, StreamBufferChange, TaskRef, TaskState, TimerChange, Waker, World,
};
use tband_conv::{Finding, Problem, Severity};

use super::ReportTimeline;
use super::lane::{LaneKind, key};
use super::row::{Owner, Row, RowSubject};
use super::text::TextContent;

/// Bytes that a slice takes in a page, about.
const SLICE: u64 = 4;

impl ReportTimeline {
    /// Sets the state of a lane of a row.
    fn set(&mut self, (of, owner): (RowSubject, Owner), ns: i64, text: Option<TextContent>) {
        let value = text.map(|text| self.texts.number(text));
        let lane = self.row(of, owner).and_then(|row| row.lane(0, LaneKind::Slices));
        let more = lane.map_or(0, |lane| lane.set(ns, value));
        self.count += more;
    }

    fn level(&mut self, (of, owner): (RowSubject, Owner), ns: i64, level: Option<i64>) {
        let lane = self.row(of, owner).and_then(|row| row.lane(0, LaneKind::Levels));
        let more = lane.map_or(0, |lane| lane.set(ns, level));
        self.count += more;
    }

    /// An infinite number or NaN is not a level.
    fn value(&mut self, (of, owner): (RowSubject, Owner), ns: i64, value: Number) {
        let Some(lane) = self.row(of, owner).and_then(|row| row.lane(0, LaneKind::Levels)) else {
            return;
        };
        if let Number::Real(_) = value {
            lane.make_real();
        }
        let level = match (value, lane.kind) {
            (Number::Integer(value), LaneKind::Levels) => Some(value),
            _ => Some(value.real()).filter(|real| real.is_finite()).map(key),
        };
        self.count += lane.set(ns, level);
    }

    fn moment(&mut self, (of, owner): (RowSubject, Owner), ns: i64, text: TextContent) {
        let value = self.texts.number(text);
        let more = self.row(of, owner).and_then(Row::moments).map_or(0, |it| it.moment(ns, value));
        self.count += more;
    }

    fn begin(&mut self, (of, owner): (RowSubject, Owner), ns: i64, text: TextContent) {
        let value = self.texts.number(text);
        let more = self.row(of, owner).map_or(0, |row| row.begin(ns, value));
        self.count += more;
    }

    fn end_innermost(&mut self, (of, owner): (RowSubject, Owner), ns: i64) {
        let more = self.row(of, owner).map_or(0, |row| row.end(ns));
        self.count += more;
    }

    fn state(
        &mut self,
        world: &World,
        at: EventTime,
        task: TaskRef,
        (from, to): (TaskState, TaskState),
        waker: Waker,
    ) {
        let text = TextContent::of_state(world, task, to, at.core, waker);
        let key = (RowSubject::Task(task.index()), Owner::Task(task));
        let value = text.map(|text| self.texts.number(text));
        let mut interrupted = 0;
        if let TaskState::Running(core) = from {
            interrupted = self.times.entry(core).remove_task(at.ns).interrupted_ns;
        }
        if let TaskState::Running(core) = to {
            let is_idle = world.tasks.get(task).is_some_and(|it| it.idle_of.is_some());
            self.times.entry(core).start_task(at.ns, is_idle);
        }
        let (mut more, mut settled) = (0, None);
        if let Some(lane) = self.row(key.0, key.1).and_then(|row| row.lane(0, LaneKind::Slices)) {
            more = lane.set(at.ns, value);
            if more > 0 {
                lane.interrupt_last(interrupted);
            }
            if matches!(from, TaskState::Blocked(_)) && more > 0 {
                settled = lane.is_unsettled();
            }
        }
        settled.into_iter().for_each(|text| self.texts.count(text));
        self.count += more;
        let on = |core| (RowSubject::Core(core), Owner::None);
        if let TaskState::Running(core) = from {
            let number = self.texts.number(TextContent::Task(task));
            let row = self.row(RowSubject::Core(core), Owner::None);
            let ran = row.and_then(|row| row.lane(0, LaneKind::Slices)).and_then(|it| it.value());
            if ran == Some(number) {
                self.leave_core(core, at.ns, interrupted);
            }
        }
        if let TaskState::Running(core) = to {
            self.set(on(core), at.ns, Some(TextContent::Task(task)));
        }
    }

    /// The task leaves a core, where interrupts took this part of its time.
    fn leave_core(&mut self, core: u32, ns: i64, interrupted: i64) {
        let row = self.row(RowSubject::Core(core), Owner::None);
        let Some(lane) = row.and_then(|row| row.lane(0, LaneKind::Slices)) else { return };
        let more = lane.set(ns, None);
        if more > 0 {
            lane.interrupt_last(interrupted);
        }
        self.count += more;
    }

    /// The recording ends for the tasks that have the cores.
    pub(super) fn end_tasks(&mut self, ns: i64) {
        for (core, _) in (0..).zip(self.times.clone().iter()) {
            let interrupted = self.times.entry(core).remove_task(ns).interrupted_ns;
            let place = self.places.get(&RowSubject::Core(core)).copied();
            let lane = place.and_then(|it| self.rows.get(it)).and_then(|row| row.lanes.first());
            let task = match lane.and_then(|lane| self.texts.get(lane.value()?)) {
                Some(TextContent::Task(task)) => *task,
                _ => continue,
            };
            self.leave_core(core, ns, interrupted);
            let row = self.row(RowSubject::Task(task.index()), Owner::Task(task));
            if let Some(lane) = row.and_then(|row| row.lane(0, LaneKind::Slices))
                && lane.set(ns, None) > 0
            {
                lane.interrupt_last(interrupted);
            }
        }
    }

    /// The outcome of a task's last wait is reported when it is over.
    fn wait_ended(&mut self, task: TaskRef, outcome: Outcome) {
        let place = self.places.get(&RowSubject::Task(task.index())).copied();
        let Some(row) = place.and_then(|it| self.rows.get_mut(it)) else { return };
        let Some(lane) = row.lanes.first_mut() else { return };
        if let Some(slice) = lane.unsettled()
            && let Some(TextContent::Blocked { wait, limit, bits, .. }) =
                self.texts.get(slice.value)
        {
            let (wait, limit, bits) = (*wait, *limit, *bits);
            let text = TextContent::Blocked { wait, limit, bits, outcome: Some(outcome) };
            slice.value = self.texts.number(text);
        }
        lane.settle().into_iter().for_each(|text| self.texts.count(text));
    }

    #[cold]
    fn finding(&mut self, EventTime { ns, core }: EventTime, finding: &Finding<'_>) {
        let text = if self.findings.admit(finding.problem, SLICE * self.count as u64) {
            let text = format!("{} (byte {})", finding.text, finding.place.offset);
            self.findings.add(text.len() as u64);
            text
        } else {
            finding.problem.title().to_owned()
        };
        let (of, text) = match finding.problem.severity() {
            Severity::Note => (RowSubject::Notes, TextContent::Note(text)),
            Severity::Loss => (RowSubject::Lost, TextContent::Loss(text)),
            Severity::Damage => (RowSubject::Damage, TextContent::Damage(text)),
        };
        let before = self.last_ns.get(core as usize).copied().filter(|it| *it < ns);
        let (Some(before), Problem::EventsLost) = (before, finding.problem) else {
            return self.moment((of, Owner::None), ns, text);
        };
        // From the last event before the loss.
        let value = self.texts.number(text);
        let more = self.row(of, Owner::None).map_or(0, |row| {
            row.moments();
            row.lane(1, LaneKind::Slices).map_or(0, |lane| lane.slice((before, ns), value))
        });
        self.count += more;
    }

    fn forget(&mut self, EventTime { ns, core }: EventTime, what: ForgottenState) {
        match what {
            ForgottenState::Isr(_) => {
                self.times.entry(core).isr_exits(ns);
                self.end_innermost((RowSubject::Interrupts(core), Owner::None), ns);
            }
            ForgottenState::Level(queue) => {
                self.level((RowSubject::Queue(queue.index()), Owner::Queue(queue)), ns, None)
            }
            ForgottenState::Holder(queue) => {
                self.set((RowSubject::Mutex(queue.index()), Owner::Queue(queue)), ns, None)
            }
            ForgottenState::Priority(task) => {
                self.level((RowSubject::Priority(task.index()), Owner::Task(task)), ns, None)
            }
            ForgottenState::Span(marker) => {
                self.end_innermost((RowSubject::Marker(marker.index()), Owner::Marker(marker)), ns)
            }
            ForgottenState::StreamBuffer(buffer) => self.level(
                (RowSubject::StreamBuffer(buffer.index()), Owner::StreamBuffer(buffer)),
                ns,
                None,
            ),
            ForgottenState::EventGroup(group) => self.level(
                (RowSubject::EventGroup(group.index()), Owner::EventGroup(group)),
                ns,
                None,
            ),
            ForgottenState::Timer(timer) => {
                self.timer_row(timer.index(), Owner::Timer(timer), ns, 1, None)
            }
            ForgottenState::Callback(timer, _) => {
                self.timer_row(timer.index(), Owner::Timer(timer), ns, 2, None)
            }
            ForgottenState::Sleep => self.set((RowSubject::Sleep(core), Owner::None), ns, None),
            _ => {}
        }
    }

    /// A timer is active on one lane, its callback runs on another.
    fn timer_row(
        &mut self,
        index: usize,
        owner: Owner,
        ns: i64,
        lane: usize,
        text: Option<TextContent>,
    ) {
        let value = text.map(|text| self.texts.number(text));
        let more = self.row(RowSubject::Timer(index), owner).map_or(0, |row| {
            row.moments();
            row.lane(lane, LaneKind::Slices).map_or(0, |lane| lane.set(ns, value))
        });
        self.count += more;
    }

    fn kernel(&mut self, EventTime { ns, core }: EventTime, change: KernelChange) {
        let heap = (RowSubject::Heap, Owner::None);
        match change {
            KernelChange::Heap(change) => self.level(heap, ns, Some(change.in_use)),
            KernelChange::MallocFailed { size, .. } => {
                let text = TextContent::Note(format!("the heap had no {size} bytes"));
                self.moment((RowSubject::Notes, Owner::None), ns, text);
            }
            KernelChange::Sleeps(ticks) => {
                let text = TextContent::Plain(format!("sleeps, {ticks} ticks at most"));
                self.set((RowSubject::Sleep(core), Owner::None), ns, Some(text));
            }
            KernelChange::Wakes => self.set((RowSubject::Sleep(core), Owner::None), ns, None),
            _ => {}
        }
    }

    fn rare(&mut self, at: EventTime, change: &Change<'_>) {
        let ns = at.ns;
        match *change {
            Change::Priority { task, priority, .. } => {
                let key = (RowSubject::Priority(task.index()), Owner::Task(task));
                self.level(key, ns, Some(priority.into()));
            }
            Change::Queue(queue, QueueChange::Deleted, _) => {
                self.forget(at, ForgottenState::Level(queue));
            }
            Change::StreamBuffer(buffer, change, _) => {
                let level = match change {
                    StreamBufferChange::Level(level, _) => Some(level.into()),
                    StreamBufferChange::Deleted => None,
                    _ => return,
                };
                let key = (RowSubject::StreamBuffer(buffer.index()), Owner::StreamBuffer(buffer));
                self.level(key, ns, level);
            }
            Change::EventGroup(group, change, _) => {
                let bits = match change {
                    EventGroupChange::Bits(bits, _) => Some(bits as i64),
                    EventGroupChange::Deleted => None,
                    _ => return,
                };
                self.level(
                    (RowSubject::EventGroup(group.index()), Owner::EventGroup(group)),
                    ns,
                    bits,
                );
            }
            Change::Timer(timer, change, _) => {
                let (ns, lane, text) = match change {
                    TimerChange::Active => (ns, 1, Some(TextContent::Word("active"))),
                    TimerChange::Dormant(_) => (ns, 1, None),
                    TimerChange::CallbackBegin(_) => (ns, 2, Some(TextContent::Word("callback"))),
                    TimerChange::CallbackEnd { end_ns, .. } => (end_ns, 2, None),
                    _ => return,
                };
                self.timer_row(timer.index(), Owner::Timer(timer), ns, lane, text);
            }
            Change::Kernel(change, _) => self.kernel(at, change),
            Change::Forgotten(what) => self.forget(at, what),
            Change::LeftOut(what, begins) => {
                let text = begins.then_some(TextContent::Word("not recorded"));
                self.set((RowSubject::LeftOut(what), Owner::None), ns, text);
            }
            Change::Crash(crash) => {
                self.moment(
                    (RowSubject::Crash, Owner::None),
                    ns,
                    TextContent::Damage(crash.to_string()),
                );
            }
            Change::Trigger(trigger) => {
                self.moment(
                    (RowSubject::Triggers, Owner::None),
                    ns,
                    TextContent::Damage(trigger.to_string()),
                );
            }
            Change::Finding(finding) => self.finding(at, finding),
            _ => {}
        }
    }
}

impl Sink for ReportTimeline {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.start_ns = world.start_ns;
        Ok(())
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        let EventTime { ns, core } = at;
        let is_first = self.start_ns.is_none();
        self.start_ns =
            Some(self.start_ns.map_or(ns, |start| if is_first { ns } else { start.min(ns) }));
        match *change {
            Change::TaskState { task, from, to, waker } => {
                self.state(world, at, task, (from, to), waker);
            }
            Change::WaitEnded { task, outcome, .. } => self.wait_ended(task, outcome),
            Change::IsrEnter(isr) => {
                self.times.entry(core).isr_enters(ns);
                self.begin(
                    (RowSubject::Interrupts(core), Owner::None),
                    ns,
                    TextContent::Isr(isr, core),
                );
            }
            Change::IsrExit(_) => {
                self.times.entry(core).isr_exits(ns);
                self.end_innermost((RowSubject::Interrupts(core), Owner::None), ns);
            }
            // The holder of a mutex is more informative than its count.
            Change::QueueLevel { queue, level, .. }
                if !world.queues.get(queue).is_some_and(|queue| queue.is_mutex()) =>
            {
                let key = (RowSubject::Queue(queue.index()), Owner::Queue(queue));
                self.level(key, ns, Some(level.into()));
            }
            Change::MutexTaken(queue, holder) => {
                let text = holder.map_or(TextContent::NotKnown, TextContent::Task);
                self.set((RowSubject::Mutex(queue.index()), Owner::Queue(queue)), ns, Some(text));
            }
            Change::MutexGiven(queue, _) => self.forget(at, ForgottenState::Holder(queue)),
            Change::Marker(marker, text, _) => {
                let key = (RowSubject::Marker(marker.index()), Owner::Marker(marker));
                let text = text.to_string();
                self.moment(key, ns, TextContent::Plain(text));
            }
            Change::SpanBegin(marker, text, _) => {
                let key = (RowSubject::Marker(marker.index()), Owner::Marker(marker));
                self.begin(key, ns, TextContent::Plain(text.to_string()));
            }
            Change::SpanEnd(marker, _) | Change::SpanAbandoned(marker) => {
                self.end_innermost((RowSubject::Marker(marker.index()), Owner::Marker(marker)), ns);
            }
            Change::Value(value, number, _) => {
                self.value((RowSubject::Value(value.index()), Owner::Value(value)), ns, number);
            }
            _ => self.rare(at, change),
        }
        let index = core as usize;
        if self.last_ns.len() <= index {
            self.last_ns.resize(index + 1, i64::MIN);
        }
        if let Some(last) = self.last_ns.get_mut(index) {
            *last = (*last).max(ns);
        }
        if self.count > self.max {
            self.merge(world);
        }
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.end(world, end_ns);
        Ok(())
    }
}
