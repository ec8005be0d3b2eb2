//! Puts slices, levels and instants on the rows of the timeline.

use std::io;

use tband_conv::counted;
use tband_conv::diagnostics::{Finding, Problem, Severity};
use tband_conv::model::{Change, EventTime, Outcome, Sink, TaskRef, TaskState, World};
use tband_conv::number::Number;
use tband_conv::tracks::{
    Event, Level, Now, RunningTasks, SliceEnd, State, TaskStep, Text, Track, TrackSink, follow,
};

use super::ReportTimeline;
use super::lane::{Lane, LaneKind, key};
use super::row::RowSubject;
use super::text::TextContent;

/// Bytes that a slice takes in a page, about.
const SLICE: u64 = 4;

impl ReportTimeline {
    /// Sets the value of a lane.
    fn set(&mut self, (of, lane): (RowSubject, usize), ns: i64, text: Option<TextContent>) {
        let value = text.map(|text| self.texts.number(text));
        let row = self.row(of);
        if lane > 0 {
            row.moments();
        }
        self.count += row.lane(lane, LaneKind::Slices).map_or(0, |lane| lane.set(ns, value));
    }

    fn moment(&mut self, of: RowSubject, ns: i64, text: TextContent) {
        let value = self.texts.number(text);
        self.count += self.row(of).moments().map_or(0, |it| it.moment(ns, value));
    }

    fn lane_of(&mut self, of: RowSubject) -> Option<&mut Lane> {
        self.row(of).lane(0, LaneKind::Slices)
    }

    /// The task leaves a core, where interrupts took this part of its time.
    fn leave_core(&mut self, core: u32, ns: i64, interrupted: i64) {
        let Some(lane) = self.lane_of(RowSubject::Track(Track::Core(core))) else { return };
        let more = lane.set(ns, None);
        if more > 0 {
            lane.interrupt_last(interrupted);
        }
        self.count += more;
    }

    /// The recording ends for the tasks that have the cores.
    pub(super) fn end_tasks(&mut self, ns: i64) {
        for core in self.times.cores() {
            let interrupted = self.times.end_stay(core, ns);
            let place = self.places.get(&RowSubject::Track(Track::Core(core))).copied();
            let lane = place.and_then(|it| self.rows.get(it)).and_then(|row| row.lanes.first());
            let task = match lane.and_then(|lane| self.texts.get(lane.value()?)) {
                Some(TextContent::Task(task)) => *task,
                _ => continue,
            };
            self.leave_core(core, ns, interrupted);
            if let Some(lane) = self.lane_of(RowSubject::Track(Track::Task(task)))
                && lane.set(ns, None) > 0
            {
                lane.interrupt_last(interrupted);
            }
        }
    }
}

/// A text of the recording, as this page shows it.
fn content(text: Text<'_>, core: u32) -> TextContent {
    match text {
        Text::Task(task) => TextContent::Task(task),
        Text::UnknownTask => TextContent::NotKnown,
        Text::Isr(isr) => TextContent::Isr(isr, core),
        Text::Word(word) => TextContent::Word(word),
        Text::Callback(_) => TextContent::Word("callback"),
        Text::Act(text) => TextContent::Plain(text.to_string()),
        Text::Pended(function, _) => TextContent::Plain(format!("call of {function:#x}")),
        Text::Message(text) => TextContent::Plain(text.to_string()),
        Text::Sleeps(ticks) => {
            TextContent::Plain(format!("sleeps, {} at most", counted(ticks, "tick")))
        }
        Text::MallocFailed(size) => TextContent::Note(format!("the heap had no {size} bytes")),
        Text::Crash(crash) => TextContent::Damage(crash.to_string()),
        Text::Trigger(trigger) => TextContent::Damage(trigger.to_string()),
    }
}

impl TrackSink for ReportTimeline {
    fn running(&mut self) -> Option<&mut RunningTasks> {
        Some(&mut self.running)
    }

    fn task(&mut self, now: Now<'_>, step: &TaskStep) -> io::Result<()> {
        let &TaskStep { task, from, to, waker, leaves } = step;
        let (world, at) = (now.world, now.at());
        let text = TextContent::of_state(world, task, to, at.core, waker);
        let value = text.map(|text| self.texts.number(text));
        let interrupted = self.times.step(world, at.ns, step).unwrap_or(0);
        let (mut more, mut settled) = (0, None);
        if let Some(lane) = self.lane_of(RowSubject::Track(Track::Task(task))) {
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
        if let Some(core) = leaves {
            self.leave_core(core, at.ns, interrupted);
        }
        if let TaskState::Running(core) = to {
            let row = RowSubject::Track(Track::Core(core));
            self.set((row, 0), at.ns, Some(TextContent::Task(task)));
        }
        Ok(())
    }

    fn state(&mut self, now: Now<'_>, track: Track, state: State<'_>) -> io::Result<()> {
        let Some(place) = RowSubject::of(now.world, track) else { return Ok(()) };
        match state {
            State::Is(text) => self.set(place, now.ns, Some(content(text, now.core))),
            State::Unknown | State::None(_) if self.places.contains_key(&place.0) => {
                self.set(place, now.ns, None);
            }
            State::Unknown | State::None(_) => {}
        }
        Ok(())
    }

    /// An infinite number or NaN is not a level.
    fn level(&mut self, now: Now<'_>, track: Track, level: Level) -> io::Result<()> {
        let Some((of, lane)) = RowSubject::of(now.world, track) else { return Ok(()) };
        if level.value.is_none() && !self.places.contains_key(&of) {
            return Ok(());
        }
        let Some(lane) = self.row(of).lane(lane, LaneKind::Levels) else { return Ok(()) };
        if let Some(Number::Real(_)) = level.value {
            lane.make_real();
        }
        let value = level.value.and_then(|value| match (value, lane.kind) {
            (Number::Integer(value), LaneKind::Levels) => Some(value),
            _ => Some(value.real()).filter(|real| real.is_finite()).map(key),
        });
        self.count += lane.set(now.ns, value);
        Ok(())
    }

    fn begin(&mut self, now: Now<'_>, track: Track, slice: Event<'_>) -> io::Result<()> {
        if let Track::Isr(core, _) = track {
            self.times.isr_enters(core, now.ns);
        }
        if let Some((of, _)) = RowSubject::of(now.world, track) {
            let value = self.texts.number(content(slice.text, now.core));
            self.count += self.row(of).begin(now.ns, value);
        }
        Ok(())
    }

    fn end(&mut self, now: Now<'_>, track: Track, _: SliceEnd) -> io::Result<()> {
        if let Track::Isr(core, _) = track {
            self.times.isr_exits(core, now.ns);
        }
        if let Some((of, _)) = RowSubject::of(now.world, track) {
            self.count += self.row(of).end(now.ns);
        }
        Ok(())
    }

    fn instant(&mut self, now: Now<'_>, track: Track, event: Event<'_>) -> io::Result<()> {
        if let Some((of, _)) = RowSubject::of(now.world, track) {
            self.moment(of, now.ns, content(event.text, now.core));
        }
        Ok(())
    }

    /// The outcome of a task's last wait is reported when it is over.
    fn wait_ended(&mut self, _: Now<'_>, task: TaskRef, outcome: Outcome) -> io::Result<()> {
        let place = self.places.get(&RowSubject::Track(Track::Task(task))).copied();
        let Some(row) = place.and_then(|it| self.rows.get_mut(it)) else { return Ok(()) };
        let Some(lane) = row.lanes.first_mut() else { return Ok(()) };
        if let Some(slice) = lane.unsettled()
            && let Some(TextContent::Blocked { wait, limit, bits, .. }) =
                self.texts.get(slice.value)
        {
            let (wait, limit, bits) = (*wait, *limit, *bits);
            let text = TextContent::Blocked { wait, limit, bits, outcome: Some(outcome) };
            slice.value = self.texts.number(text);
        }
        lane.settle().into_iter().for_each(|text| self.texts.count(text));
        Ok(())
    }

    #[cold]
    fn finding(&mut self, now: Now<'_>, finding: &Finding<'_>) -> io::Result<()> {
        let Now { ns, core, .. } = now;
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
        let before = self.last_ns.get(core).copied().flatten().filter(|it| *it < ns);
        let (Some(before), Problem::EventsLost) = (before, finding.problem) else {
            self.moment(of, ns, text);
            return Ok(());
        };
        // From the last event before the loss.
        let value = self.texts.number(text);
        let row = self.row(of);
        row.moments();
        let lane = row.lane(1, LaneKind::Slices);
        self.count += lane.map_or(0, |lane| lane.slice((before, ns), value));
        Ok(())
    }
}

impl Sink for ReportTimeline {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.start_ns = world.start_ns;
        Ok(())
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.start_ns = Some(self.start_ns.map_or(at.ns, |start| start.min(at.ns)));
        follow(self, world, at, change)?;
        let last = self.last_ns.entry(at.core);
        *last = Some(last.map_or(at.ns, |last| last.max(at.ns)));
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
