//! The load of each task over time, as a counter: the share of one core that the task has of each window. A separate sink around
//! the usual one, so that a trace without it costs nothing.

use std::io;

use crate::load::{Owner, Owners, TakeTime};
use crate::model::{Change, EventTime, PerRef, Sink, Switch, Task, TaskRef, TimedEvent, World};
use crate::sinks::perfetto::TraceSink;
use crate::sinks::perfetto::trace::Trace;
use crate::sinks::perfetto::tracks::{NewTrack, TrackContent, Uuid};

/// Length of a window, in ns: that of the counters of cores.
const WINDOW: i64 = 10_000_000;

/// Writes a Perfetto trace that has a counter of each task's load too.
#[derive(Debug)]
pub struct PerfettoWithTaskLoad<S> {
    sink: S,
    follow: Owners<LoadWindows>,
}

/// The window of a task that is not over, and the counter's last value.
#[derive(Debug, Default)]
struct OpenTaskWindow {
    /// The number of the window.
    window: i64,
    ns: i64,
    last: i64,
}

/// A value that a counter takes at a time: a window has begun.
#[derive(Debug)]
struct Point {
    task: TaskRef,
    ns: i64,
    percent: i64,
}

/// The open window of each task, and points that are not written yet.
#[derive(Debug, Default)]
struct LoadWindows {
    tasks: PerRef<Task, OpenTaskWindow>,
    points: Vec<Point>,
    end_ns: i64,
}

impl LoadWindows {
    /// The task does not run in its open window any more.
    fn close(&mut self, task: TaskRef, length: i64) {
        let open = self.tasks.entry(task);
        let ns = std::mem::take(&mut open.ns);
        // Rounded.
        let percent = ns.saturating_mul(100).saturating_add(length / 2) / length.max(1);
        if percent != open.last {
            open.last = percent;
            let ns = open.window.saturating_mul(WINDOW);
            self.points.push(Point { task, ns, percent });
        }
        open.window = open.window.saturating_add(1);
    }
}

impl TakeTime for LoadWindows {
    fn begin(&mut self, _: i64) {}

    fn time(&mut self, _: &World, _: u32, owner: Owner, mut from: i64, to: i64) -> io::Result<()> {
        self.end_ns = self.end_ns.max(to);
        let Owner::Task(task) = owner else { return Ok(()) };
        if from / WINDOW > self.tasks.entry(task).window {
            // The open window ends, and in the next ones the task did not run.
            self.close(task, WINDOW);
            if from / WINDOW > self.tasks.entry(task).window {
                self.close(task, WINDOW);
            }
            self.tasks.entry(task).window = from / WINDOW;
        }
        while from < to {
            let open = self.tasks.entry(task);
            let end = open.window.saturating_add(1).saturating_mul(WINDOW);
            let until = to.min(end);
            open.ns = open.ns.saturating_add(until.saturating_sub(from).max(0));
            from = until.max(from);
            if from < end {
                break;
            }
            self.close(task, WINDOW);
            // Complete windows with only this task are joined.
            let whole = to.saturating_sub(from) / WINDOW;
            if whole > 1 {
                self.tasks.entry(task).ns = WINDOW;
                self.close(task, WINDOW);
                let open = self.tasks.entry(task);
                open.window = open.window.saturating_add(whole - 1);
                from = from.saturating_add(whole.saturating_mul(WINDOW));
            }
        }
        Ok(())
    }

    fn end(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        let last = end_ns / WINDOW;
        for (task, _) in world.tasks.iter() {
            let open = self.tasks.entry(task);
            if open.ns == 0 && open.last == 0 {
                continue;
            }
            let is_last = open.window >= last;
            let length = end_ns.saturating_sub(last.saturating_mul(WINDOW));
            self.close(task, if is_last { length } else { WINDOW });
            if !is_last {
                self.close(task, WINDOW);
            }
        }
        Ok(())
    }
}

impl<S: TraceSink> PerfettoWithTaskLoad<S> {
    /// Adds the load of tasks to a trace that is not begun yet.
    pub fn new(sink: S) -> Self {
        Self { sink, follow: Owners::new(LoadWindows::default()) }
    }

    /// Returns the sink.
    pub fn into_inner(self) -> S {
        self.sink
    }

    fn write(&mut self, world: &World) -> io::Result<()> {
        let shares = self.follow.inner_mut();
        if shares.points.is_empty() {
            return Ok(());
        }
        let points = std::mem::take(&mut shares.points);
        let trace = self.sink.trace();
        for Point { task, ns, percent } in points {
            trace.open(ns);
            let track: Uuid = match trace.task(world, task).load {
                0 => {
                    let track = NewTrack {
                        rank: 5,
                        about: "Share of one core that the task has, in windows of 10 ms. Interrupts on top of it do not count.",
                        ..NewTrack::new(trace.process(world, task), "load", TrackContent::Percent)
                    };
                    let track = trace.tracks.make(&mut trace.packets, track);
                    trace.task(world, task).load = track;
                    track
                }
                track => track,
            };
            trace.packets.counter(ns, track, percent);
        }
        self.sink.flush_if_full()
    }
}

impl<S: TraceSink> TraceSink for PerfettoWithTaskLoad<S> {
    fn trace(&mut self) -> &mut Trace {
        self.sink.trace()
    }

    fn flush_if_full(&mut self) -> io::Result<()> {
        self.sink.flush_if_full()
    }
}

impl<S: TraceSink> Sink for PerfettoWithTaskLoad<S> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        self.sink.start(world)?;
        self.follow.start(world)
    }

    fn start_earlier(&mut self, world: &World) -> io::Result<()> {
        self.sink.start_earlier(world)
    }

    fn needs_events(&self) -> bool {
        self.sink.needs_events()
    }

    fn before_event(&mut self, world: &World, at: EventTime) {
        self.sink.before_event(world, at);
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        self.sink.event(event)
    }

    fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.sink.initial(world, at, change)?;
        self.follow.initial(world, at, change)?;
        self.write(world)
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.sink.change(world, at, change)?;
        self.follow.change(world, at, change)?;
        self.write(world)
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        self.sink.switch(world, at, switch)?;
        self.follow.switch(world, at, switch)?;
        self.write(world)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.follow.finish(world, end_ns)?;
        self.write(world)?;
        self.sink.finish(world, end_ns)
    }
}
