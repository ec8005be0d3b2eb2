//! The activity of a core as a stack: the running task, and the interrupts on top of it.
//!
//! Slices nest: where another task gets the core beneath an interrupt, the interrupt's slice ends and begins again.

use std::io;

use tband_conv::model::{
    Change, EventTime, Isr, IsrRef, PerCore, PerRef, Sink, Switch, Task, TaskRef, TaskState, World,
};
use tband_conv::tracks::{
    Event, Now, RunningTasks, SliceEnd, TaskStep, Track, TrackSink, follow, follow_switch,
};

/// A task or interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    Task(TaskRef),
    /// An interrupt of a core.
    Isr(u32, IsrRef),
}

/// Something of each frame, by its place.
#[derive(Debug)]
pub struct PerFrame<T> {
    tasks: PerRef<Task, Option<T>>,
    /// The interrupts of each core.
    isrs: PerCore<PerRef<Isr, Option<T>>>,
}

impl<T> Default for PerFrame<T> {
    fn default() -> Self {
        Self { tasks: PerRef::default(), isrs: PerCore::default() }
    }
}

impl<T> PerFrame<T> {
    /// Returns the value of a frame, which is created if there is none.
    pub fn of(&mut self, frame: Frame, make: impl FnOnce() -> T) -> &T {
        let place = match frame {
            Frame::Task(task) => self.tasks.entry(task),
            Frame::Isr(core, isr) => self.isrs.entry(core).entry(isr),
        };
        place.get_or_insert_with(make)
    }
}

/// Is reported slices. Those of one core nest, and their times do not go back.
pub trait Slices {
    /// A slice begins.
    fn open(&mut self, world: &World, at: EventTime, frame: Frame) -> io::Result<()>;

    /// The innermost open slice of the core ends.
    fn close(&mut self, world: &World, at: EventTime, frame: Frame) -> io::Result<()>;

    /// All slices have ended. From when to when there was something to be reported.
    fn finish(&mut self, world: &World, from_to: (i64, i64)) -> io::Result<()>;
}

#[derive(Clone, Debug, Default)]
struct Core {
    task: Option<TaskRef>,
    /// The task has left the core at this time; the next task at that time takes its place.
    left_ns: Option<i64>,
    isrs: Vec<IsrRef>,
    last_ns: i64,
}

/// Interrupts that are reported within each other; damage could open any number.
const MAX_DEPTH: usize = 1000;

/// Nests the tracks of each core.
#[derive(Debug)]
pub struct Stacks<S> {
    running: RunningTasks,
    cores: PerCore<Core>,
    first_ns: Option<i64>,
    slices: S,
}

impl<S: Slices> Stacks<S> {
    pub fn new(slices: S) -> Self {
        Self { running: RunningTasks::default(), cores: PerCore::default(), first_ns: None, slices }
    }

    fn core(&mut self, number: u32) -> &mut Core {
        self.cores.entry(number)
    }

    /// Times of a core do not go back, whatever reports it.
    fn now(&mut self, at: EventTime) -> EventTime {
        let core = self.core(at.core);
        core.last_ns = core.last_ns.max(at.ns);
        EventTime { ns: core.last_ns, ..at }
    }

    fn set_running(
        &mut self,
        world: &World,
        at: EventTime,
        task: Option<TaskRef>,
    ) -> io::Result<()> {
        self.first_ns = Some(self.first_ns.map_or(at.ns, |first| first.min(at.ns)));
        let core = self.core(at.core);
        if core.task == task {
            return Ok(());
        }
        let before = std::mem::replace(&mut core.task, task);
        let isrs = std::mem::take(&mut core.isrs);
        for isr in isrs.iter().rev() {
            self.slices.close(world, at, Frame::Isr(at.core, *isr))?;
        }
        if let Some(task) = before {
            self.slices.close(world, at, Frame::Task(task))?;
        }
        if let Some(task) = task {
            self.slices.open(world, at, Frame::Task(task))?;
        }
        for isr in &isrs {
            self.slices.open(world, at, Frame::Isr(at.core, *isr))?;
        }
        self.core(at.core).isrs = isrs;
        Ok(())
    }

    /// A task has left the core for good if no other task comes at that time.
    fn leave_core(&mut self, world: &World, at: EventTime) -> io::Result<()> {
        match self.core(at.core).left_ns.take() {
            Some(ns) => self.set_running(world, EventTime { ns, ..at }, None),
            None => Ok(()),
        }
    }

    fn enter_core(&mut self, world: &World, at: EventTime, task: TaskRef) -> io::Result<()> {
        let at = self.now(at);
        let core = self.core(at.core);
        if core.left_ns == Some(at.ns) {
            core.left_ns = None;
        }
        self.leave_core(world, at)?;
        self.set_running(world, at, Some(task))
    }

    fn enter_isr(&mut self, world: &World, at: EventTime, isr: IsrRef) -> io::Result<()> {
        self.leave_core(world, at)?;
        let at = self.now(at);
        let core = self.core(at.core);
        if core.isrs.len() >= MAX_DEPTH {
            return Ok(());
        }
        core.isrs.push(isr);
        self.slices.open(world, at, Frame::Isr(at.core, isr))
    }

    fn exit_isr(&mut self, world: &World, at: EventTime, isr: IsrRef) -> io::Result<()> {
        self.leave_core(world, at)?;
        let at = self.now(at);
        let core = self.core(at.core);
        if core.isrs.last() != Some(&isr) {
            return Ok(());
        }
        core.isrs.pop();
        self.slices.close(world, at, Frame::Isr(at.core, isr))
    }
}

impl<S: Slices> TrackSink for Stacks<S> {
    fn running(&mut self) -> Option<&mut RunningTasks> {
        Some(&mut self.running)
    }

    fn task(&mut self, now: Now<'_>, step: &TaskStep) -> io::Result<()> {
        if let Some(core) = step.leaves {
            let at = self.now(EventTime { ns: now.ns, core });
            self.core(core).left_ns = Some(at.ns);
        }
        match step.to {
            TaskState::Running(core) => {
                self.enter_core(now.world, EventTime { ns: now.ns, core }, step.task)
            }
            _ => Ok(()),
        }
    }

    fn switch(&mut self, now: Now<'_>, switch: &Switch) -> io::Result<()> {
        self.enter_core(now.world, now.at(), switch.next)
    }

    #[inline]
    fn begin(&mut self, now: Now<'_>, track: Track, _: Event<'_>) -> io::Result<()> {
        match track {
            Track::Isr(_, isr) => self.enter_isr(now.world, now.at(), isr),
            _ => Ok(()),
        }
    }

    #[inline]
    fn end(&mut self, now: Now<'_>, track: Track, _: SliceEnd) -> io::Result<()> {
        match track {
            Track::Isr(_, isr) => self.exit_isr(now.world, now.at(), isr),
            _ => Ok(()),
        }
    }
}

impl<S: Slices> Sink for Stacks<S> {
    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.first_ns = Some(self.first_ns.map_or(at.ns, |first| first.min(at.ns)));
        follow(self, world, at, change)
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        follow_switch(self, world, at, switch)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        let mut last_ns = end_ns;
        for number in (0..).take(self.cores.iter().len()) {
            let at = self.now(EventTime { ns: end_ns, core: number });
            last_ns = last_ns.max(at.ns);
            self.leave_core(world, at)?;
            while let Some(isr) = self.core(number).isrs.pop() {
                self.slices.close(world, at, Frame::Isr(number, isr))?;
            }
            if let Some(task) = self.core(number).task.take() {
                self.slices.close(world, at, Frame::Task(task))?;
            }
        }
        let first_ns = self.first_ns.unwrap_or(end_ns);
        self.slices.finish(world, (first_ns.min(last_ns), last_ns))
    }
}

/// The name of a frame, as JSON.
pub fn json_name(world: &World, frame: Frame) -> String {
    let name = match frame {
        Frame::Task(task) => world.task_name(task).to_string(),
        Frame::Isr(core, isr) => format!("{:#}", world.isr_name(isr, core)),
    };
    // A text cannot fail.
    serde_json::to_string(&name).unwrap_or_default()
}
