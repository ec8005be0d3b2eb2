//! Trace macros of the kernel that do not record, as the other events show.

use super::FaultList;
use crate::diagnostics::Problem;
use crate::machine::Timeline;
use crate::model::TaskState;

/// Minimum number of waits that prove that a missing switch or wake-up is not recorded.
const ENOUGH_WAITS: u64 = 8;
/// This many levels of queues that the events do not explain are not a coincidence.
const ENOUGH_LEVELS: u64 = 16;
/// The kernel from which on all that changes a queue is recorded: before, resets are not.
const TELLS_RESETS: u32 = 110_000;

/// Reports the missing events of a class whose other events are there.
pub fn judge(timeline: &Timeline, found: &mut FaultList) {
    let hooks = timeline.hooks();
    let has_task_class = hooks.any_switch || hooks.any_ready || hooks.any_delay;
    let waits = hooks.waits_of_nobody;
    let mut is_missing = |macros: &str, amount, text: String| {
        found.push((Problem::SilentHook, amount, format!("{text}: {macros} does not record")));
    };
    let world = timeline.world();
    let task = world.tasks.find(0).and_then(|task| world.tasks.get(task));
    if task.is_some_and(|task| !matches!(task.state, TaskState::Unknown)) {
        let text =
            "there are events of a task with the number 0, and numbers begin with 1".to_owned();
        is_missing("traceTASK_CREATE (or vTaskSetTaskNumber() is called)", 1, text);
    }
    let queue = world.queues.find(0).and_then(|queue| world.queues.get(queue));
    if queue.is_some_and(|queue| queue.level.is_some()) {
        let text =
            "there are events of a queue with the number 0, and numbers begin with 1".to_owned();
        is_missing("traceQUEUE_CREATE (or vQueueSetQueueNumber() is called)", 1, text);
    }
    if !hooks.any_switch && has_task_class && waits >= ENOUGH_WAITS {
        let text = format!("tasks wait {waits} times, and none is ever switched in");
        is_missing("traceTASK_SWITCHED_IN", waits, text);
    }
    if hooks.any_switch && !hooks.any_ready && hooks.waits >= ENOUGH_WAITS {
        let waits = hooks.waits;
        let text = format!("tasks wait {waits} times and run again, and none ever becomes ready");
        is_missing("traceMOVED_TASK_TO_READY_STATE", waits, text);
    }
    let version = world.trace_info.and_then(|info| info.kernel_version);
    let tells_resets = version.is_some_and(|version| version >= TELLS_RESETS);
    // Cores whose simultaneous events are in another order disagree in both ways.
    let (sends, receives) = (hooks.unseen_sends, hooks.unseen_receives);
    let text = |count, what| {
        format!("{count} times there is {what} in a queue than the sum of its events")
    };
    if sends >= ENOUGH_LEVELS && sends / 4 >= receives {
        is_missing("traceQUEUE_SEND or traceQUEUE_SEND_FROM_ISR", sends, text(sends, "more"));
    } else if receives >= ENOUGH_LEVELS && receives / 4 >= sends && tells_resets {
        let macros = "traceQUEUE_RECEIVE or traceQUEUE_RECEIVE_FROM_ISR";
        is_missing(macros, receives, text(receives, "less"));
    }
}
