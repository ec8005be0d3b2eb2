//! Calls of the kernel's functions: spans of the task or interrupt that calls them.

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::{API_FUNCTIONS, Event};
use tband_recordings::{assert_timeline, timeline_of, two_tasks};

/// The number of a function.
fn number(name: &str) -> u32 {
    API_FUNCTIONS.iter().position(|it| *it == name).unwrap() as u32
}

fn enter(name: &str) -> Event<'static> {
    ApiEnter { function: number(name) }
}

fn leave(name: &str, value: Option<u32>) -> Event<'static> {
    ApiReturn { function: number(name), value }
}

#[test]
fn calls_nest_in_their_task_or_interrupt() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, enter("xQueueReceive"))
        .at(3, enter("vTaskSuspendAll"))
        .at(4, leave("vTaskSuspendAll", None))
        .at(5, TaskSwitchedIn { task_id: 2 })
        .at(6, enter("xQueueGenericSend"))
        .at(7, IsrEnter { isr_id: 3 })
        .at(8, enter("xQueueReceiveFromISR"))
        .at(9, leave("xQueueReceiveFromISR", Some(0)))
        .at(10, IsrExit { isr_id: 3 })
        .at(11, leave("xQueueGenericSend", Some(1)))
        .at(12, TaskSwitchedIn { task_id: 1 })
        .at(13, leave("xQueueReceive", Some(1)))
        // A function of a later kernel.
        .at(14, ApiEnter { function: 5000 })
        .at(15, ApiReturn { function: 5000, value: None });
    assert_timeline(
        &recording,
        "10 0 a: unknown -> running
         20 0 a: xQueueReceive begins
         30 0 a: vTaskSuspendAll begins
         40 0 a: vTaskSuspendAll ends after 10 ns
         50 0 a: running -> ready
         50 0 b: unknown -> running
         60 0 b: xQueueGenericSend begins
         70 0 isr 3 begins
         80 0 isr: xQueueReceiveFromISR begins
         90 0 isr: xQueueReceiveFromISR ends after 10 ns with 0
         100 0 isr 3 ends
         110 0 b: xQueueGenericSend ends after 50 ns with 1
         120 0 b: running -> ready
         120 0 a: ready -> running
         130 0 a: xQueueReceive ends after 110 ns with 1
         140 0 a: function 5000 begins
         150 0 a: function 5000 ends after 10 ns
         150 0 a: runs on
         150 end",
    );
}

/// A return without its call began before the recording; a call without its return ends with the enclosing one. Neither is
/// damage.
#[test]
fn incomplete_calls_are_not_damage() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, leave("xQueueReceive", Some(1)))
        .at(3, enter("xQueueSemaphoreTake"))
        .at(4, enter("vTaskSuspendAll"))
        .at(5, leave("xTaskResumeAll", Some(1)))
        .at(6, leave("xQueueSemaphoreTake", Some(1)))
        .at(7, IsrEnter { isr_id: 3 })
        .at(8, IsrEnter { isr_id: 4 })
        .at(9, enter("xQueueReceiveFromISR"))
        .at(10, IsrExitToScheduler { isr_id: 4 })
        .at(11, IsrExit { isr_id: 3 })
        .at(12, enter("vTaskDelete"))
        .at(12, TaskDeleted { task_id: 1 })
        .at(13, TaskSwitchedIn { task_id: 2 });
    assert_timeline(
        &recording,
        "10 0 a: unknown -> running
         30 0 a: xQueueSemaphoreTake begins
         40 0 a: vTaskSuspendAll begins
         60 0 a: vTaskSuspendAll does not return
         60 0 a: xQueueSemaphoreTake ends after 30 ns with 1
         70 0 isr 3 begins
         80 0 isr 4 begins
         90 0 isr: xQueueReceiveFromISR begins
         100 0 isr: xQueueReceiveFromISR does not return
         100 0 isr 4 ends
         110 0 isr 3 ends
         120 0 a: vTaskDelete begins
         130 0 a: running -> deleted
         130 0 a: vTaskDelete does not return
         130 0 b: unknown -> running
         131 0 b: runs on
         131 end",
    );
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (_, summary) = timeline_of(&inputs, &Options::default());
    assert!(summary.diagnostics.iter().next().is_none(), "{:?}", summary.diagnostics);
}

/// The scheduler is started by no task, and never returns; its switch returns in another task.
#[test]
fn the_scheduler_s_own_calls_belong_to_who_made_them() {
    let recording = two_tasks()
        .at(1, enter("xTaskCreate"))
        .at(2, leave("xTaskCreate", Some(1)))
        .at(3, enter("vTaskStartScheduler"))
        .at(4, TaskSwitchedIn { task_id: 1 })
        .at(5, enter("vTaskSwitchContext"))
        .at(6, TaskSwitchedIn { task_id: 2 })
        .at(7, leave("vTaskSwitchContext", None))
        // It stays with the same task.
        .at(8, enter("vTaskSwitchContext"))
        .at(9, leave("vTaskSwitchContext", None))
        // The one of a task that was switched out long before the recording.
        .at(10, leave("vTaskSwitchContext", None));
    assert_timeline(
        &recording,
        "10 0 nobody: xTaskCreate begins
         20 0 nobody: xTaskCreate ends after 10 ns with 1
         30 0 nobody: vTaskStartScheduler begins
         40 0 nobody: vTaskStartScheduler does not return
         40 0 a: unknown -> running
         50 0 a: vTaskSwitchContext begins
         60 0 a: running -> ready
         60 0 b: unknown -> running
         70 0 a: vTaskSwitchContext ends after 20 ns
         80 0 b: vTaskSwitchContext begins
         90 0 b: vTaskSwitchContext ends after 10 ns
         100 0 b: runs on
         100 end",
    );
}

#[test]
fn a_gap_leaves_open_calls_unknown() {
    let recording = two_tasks()
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, enter("xQueueReceive"))
        .at(3, TaskSwitchedIn { task_id: 2 })
        .at(4, IsrEnter { isr_id: 3 })
        .at(5, enter("xTaskResumeFromISR"))
        .at(6, DroppedEvtCnt { cnt: 1 })
        .at(7, leave("xTaskResumeFromISR", Some(0)))
        .at(8, TaskSwitchedIn { task_id: 1 })
        .at(9, leave("xQueueReceive", Some(1)))
        .at(10, enter("xQueueReceive"));
    assert_timeline(
        &recording,
        "10 0 a: unknown -> running
         20 0 a: xQueueReceive begins
         30 0 a: running -> ready
         30 0 b: unknown -> running
         40 0 isr 3 begins
         50 0 isr: xTaskResumeFromISR begins
         50 0 isr 3: unknown whether it is open
         50 0 b: running -> unknown
         50 0 a: ready -> unknown
         50 0 a: unknown whether xQueueReceive continues
         50 0 isr: unknown whether xTaskResumeFromISR continues
         60 0 ! gap of lost events @41: 1 events lost on the target before this point
         80 0 a: unknown -> running
         100 0 a: xQueueReceive begins
         100 0 a: runs on
         100 end",
    );
}

/// However deep calls seem to nest, memory stays bounded.
#[test]
fn nesting_is_limited() {
    let mut recording = two_tasks().at(1, TaskSwitchedIn { task_id: 1 });
    for ts in 2..1000 {
        recording = recording.at(ts, enter("xQueueReceive"));
    }
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (text, summary) = timeline_of(&inputs, &Options::default());
    assert_eq!(text.matches("xQueueReceive begins").count(), 64);
    assert_eq!(summary.diagnostics.count(tband_conv::Problem::TooMany), 998 - 64);
}
