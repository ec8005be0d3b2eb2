//! Numbers and names of threads.

use crate::model::{IsrRef, TaskRef, World};

/// Thread numbers from here on are for tasks whose own number cannot be used.
pub const SPARE_TIDS: i32 = 1 << 30;
/// Threads of interrupts have numbers from here on.
pub const ISR_TIDS: i32 = 300_000;

/// Returns the number of a task's thread: its own number if that is unique and valid.
pub fn tid_of(world: &World, task: TaskRef) -> i32 {
    let own = world
        .tasks
        .get(task)
        .filter(|entry| world.tasks.first_on(0, entry.id) == Some(task))
        .and_then(|entry| i32::try_from(entry.id).ok())
        .filter(|id| (1..ISR_TIDS).contains(id));
    // The table of tasks is far smaller than the numbers that are left.
    own.unwrap_or_else(|| {
        SPARE_TIDS.saturating_add(i32::try_from(task.index()).unwrap_or(i32::MAX))
    })
}

/// Returns the name of an interrupt's thread.
pub fn isr_thread_name(world: &World, isr: IsrRef, core: u32) -> String {
    if let Some(name) = world.isr_name(isr, core).name() {
        return format!("{name} ISR");
    }
    let id = world.isrs.get(isr).map_or(0, |isr| isr.id);
    match world.boards.name(world.isrs.board_of(isr)) {
        Some(board) => format!("{board}.ISR {id}"),
        None => format!("ISR {id}"),
    }
}
