//! The load of each task over time, as a counter: the share of one core that the task has of each window.

use std::io;

use crate::load::{Owner, Owners, TakeTime};
use crate::model::{PerRef, Task, TaskRef, World};
use crate::sinks::perfetto::trace::Trace;
use crate::sinks::perfetto::trace_with::{Addition, TraceWith};
use crate::sinks::perfetto::tracks::{NewTrack, TrackContent, Uuid};

/// Length of a window, in ns: that of the counters of cores.
const WINDOW: i64 = 10_000_000;

/// Writes a Perfetto trace that has a counter of each task's load too.
pub type PerfettoWithTaskLoad<S> = TraceWith<S, TaskLoad>;

/// Draws the load of each task.
#[derive(Debug)]
pub struct TaskLoad(Owners<LoadWindows>);

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
pub struct LoadWindows {
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

impl<S> PerfettoWithTaskLoad<S> {
    /// Adds the load of tasks to a trace that is not begun yet.
    pub fn new(sink: S) -> Self {
        Self::of(sink, TaskLoad(Owners::new(LoadWindows::default())))
    }
}

impl Addition for TaskLoad {
    type Follow = Owners<LoadWindows>;

    fn follow(&mut self) -> &mut Self::Follow {
        &mut self.0
    }

    fn is_ready(&self) -> bool {
        !self.0.inner().points.is_empty()
    }

    fn write(&mut self, world: &World, trace: &mut Trace) {
        for Point { task, ns, percent } in std::mem::take(&mut self.0.inner_mut().points) {
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
    }
}
