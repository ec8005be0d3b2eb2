//! Load and CPU time: the owner of each core's time.
//!
//! This module is the only place that computes them. Statistics, Perfetto's counters, the timeline of the report and the tables
//! of `query` follow each core with a [`CoreTime`]; the viewer adds up what the timeline exports of it. [`Owners`] names the
//! owner of each time, and [`Windows`] adds up the time of each owner in windows of one length.
//!
//! Every nanosecond of a core has one owner:
//!
//! | owner | when |
//! |---|---|
//! | interrupt | at least one interrupt is open on the core |
//! | task | a task other than the idle task has the core, and no interrupt is open |
//! | idle | the idle task has the core and no interrupt is open |
//! | unknown | the recording does not contain which task has the core, and no interrupt is open |
//!
//! The *CPU time* of a task is the time that it owns: interrupts that run on top of it do not count. The *known time* of a core
//! is the time in which a task is known to have it, including the interrupts on top. The *load* is the busy part of the known
//! time: tasks and interrupts, without the idle task. Interrupts at an unknown time do not count, since they do not show
//! whether the core idles between them. Where the core sleeps, its idle task has it.
//!
//! Without a known idle task the load of a core is not known: any task may be the one that waits for work.

mod core_time;
mod core_times;
mod owners;
mod share;
mod windows;

pub use self::core_time::{CoreStay, CoreTime, Times};
pub use self::core_times::CoreTimes;
pub use self::owners::{Owner, Owners, TakeTime};
pub use self::share::Share;
pub use self::windows::{TakeWindow, Window, Windows};

use crate::model::World;

/// Whether the recording names the idle task of a core, so that the load of the core is known.
#[must_use]
pub fn is_idle_task_known(world: &World, core: u32) -> bool {
    world.tasks.iter().any(|(_, task)| task.idle_of == Some(core))
}
