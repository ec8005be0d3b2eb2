//! Software timers: when they are active, and how long their callbacks run.

use tband_conv::sinks::TimelineText;
use tband_conv::{Flows, Input, Options, convert};
use tband_format::Event::*;
use tband_format::{API_FUNCTIONS, TimerCommand};
use tband_recordings::{Recording, assert_timeline, str, timeline_of, two_tasks};

const BLINK: u32 = 1;
const ADDRESS: u32 = 0x800_1234;

/// Task 1 is the timer task `Tmr Svc`, task 2 any other.
fn start() -> Recording {
    Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 10 })
        .meta(TaskName { task_id: 1, name: str("Tmr Svc") })
        .meta(TaskName { task_id: 2, name: str("b") })
        .meta(TaskIsTimerTask { task_id: 1 })
        .meta(QueueName { queue_id: 1, name: str("TmrQ") })
        .meta(TimerName { timer_id: BLINK, name: str("blink") })
}

fn created(auto_reload: u32) -> tband_format::Event<'static> {
    TimerCreated { timer_id: BLINK, period: 10, auto_reload, callback: ADDRESS }
}

fn received(command: TimerCommand, value: u32) -> tband_format::Event<'static> {
    TimerCommandReceived { timer_id: BLINK, command, value }
}

fn expired() -> tband_format::Event<'static> {
    TimerExpired { timer_id: BLINK, callback: ADDRESS }
}

/// The lines about the timer, without its name.
#[track_caller]
fn assert_timer(recording: &Recording, expected: &[&str]) {
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (text, summary) = timeline_of(&inputs, &Options::default());
    let lines: Vec<_> = text
        .lines()
        .filter(|line| line.contains("timer blink"))
        .map(|line| line.trim().replace(" 0 timer blink:", ""))
        .collect();
    assert_eq!(lines, expected, "\n{text}");
    assert!(summary.diagnostics.is_clean());
}

#[test]
fn a_timer_is_started_expires_and_is_stopped() {
    let sent = |command, result| TimerCommandSent { timer_id: BLINK, command, value: 0, result };
    let recording = start()
        .at(1, TaskSwitchedIn { task_id: 2 })
        .at(2, created(1))
        .at(3, sent(TimerCommand::START, 1))
        .at(4, TaskSwitchedIn { task_id: 1 })
        .at(5, received(TimerCommand::START, 0))
        .at(6, TaskSwitchedIn { task_id: 2 })
        .at(7, sent(TimerCommand::STOP, 0))
        .at(8, TaskToRdyState { task_id: 1 })
        .at(9, TaskSwitchedIn { task_id: 1 })
        .at(10, expired())
        .at(11, QueueReceive { queue_id: 1, len_after: 0 })
        .at(11, received(TimerCommand::CHANGE_PERIOD, 20))
        .at(12, received(TimerCommand::STOP_FROM_ISR, 0))
        .at(13, received(TimerCommand::RESET, 0))
        .at(14, received(TimerCommand::DELETE, 0));
    assert_timeline(
        &recording,
        "10 0 b: unknown -> running
         20 0 timer blink: created
         30 0 timer blink: start sent
         40 0 b: running -> ready
         40 0 Tmr Svc: unknown -> running
         50 0 timer blink: start received
         50 0 timer blink: active
         60 0 Tmr Svc: running -> ready
         60 0 b: ready -> running
         70 0 timer blink: stop refused
         90 0 b: running -> ready
         90 0 Tmr Svc: ready -> running
         100 0 timer blink: expired
         100 0 timer blink: active
         100 0 timer blink: callback begins in Tmr Svc
         110 0 timer blink: callback has ended at 110 after 10 ns
         110 0 TmrQ: receive, level 0
         110 0 timer blink: change period received
         110 0 timer blink: restarted
         110 0 timer blink: active
         120 0 timer blink: stop from isr received
         120 0 timer blink: stopped
         130 0 timer blink: reset received
         130 0 timer blink: active
         140 0 timer blink: delete received
         140 0 timer blink: deleted
         140 0 Tmr Svc: runs on
         140 end",
    );
}

/// A callback continues while it is preempted, interrupted, or blocks.
#[test]
fn a_callback_ends_when_the_timer_task_is_back_in_its_loop() {
    let recording = start()
        .at(1, created(0))
        .at(2, TaskSwitchedIn { task_id: 1 })
        .at(3, expired())
        // Preempted.
        .at(4, TaskSwitchedIn { task_id: 2 })
        .at(5, TaskSwitchedIn { task_id: 1 })
        // It uses other queues.
        .at(6, QueueReceive { queue_id: 7, len_after: 0 })
        .at(6, QueueReceiveFailed { queue_id: 7 })
        // It starts another timer.
        .at(7, TimerCommandSent { timer_id: 9, command: TimerCommand::START, value: 0, result: 1 })
        .at(8, IsrEnter { isr_id: 1 })
        .at(8, QueueReceiveFromIsr { queue_id: 1, len_after: 0 })
        .at(9, IsrExit { isr_id: 1 })
        // It blocks.
        .at(10, CurtaskBlockOnQueueReceive { queue_id: 7, ticks_to_wait: 5 })
        .at(10, CurtaskToDelayedList { time_to_wake: 100 })
        .at(11, TaskSwitchedIn { task_id: 2 })
        .at(12, TaskToRdyState { task_id: 1 })
        .at(13, TaskSwitchedIn { task_id: 1 })
        .at(20, QueueReceiveFailed { queue_id: 1 });
    assert_timer(
        &recording,
        &[
            "10 created",
            "30 callback begins in Tmr Svc",
            "200 callback has ended at 200 after 170 ns",
        ],
    );
}

#[test]
fn every_step_of_its_loop_ends_a_callback() {
    let waits = API_FUNCTIONS.iter().position(|it| *it == "vQueueWaitForMessageRestricted");
    let ends = [
        TimerExpired { timer_id: 9, callback: 0 },
        TimerCommandReceived { timer_id: 9, command: TimerCommand::START, value: 0 },
        QueueReceive { queue_id: 1, len_after: 0 },
        QueueReceiveFailed { queue_id: 1 },
        CurtaskToDelayedList { time_to_wake: 9 },
        CurtaskToOverflowDelayedList { time_to_wake: 9 },
        ApiEnter { function: waits.unwrap() as u32 },
    ];
    for end in ends {
        let recording =
            start().at(2, TaskSwitchedIn { task_id: 1 }).at(3, expired()).at(7, end).at(9, end);
        let (text, _) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
        let ended = "70 0 timer blink: callback has ended at 70 after 40 ns";
        assert!(text.contains(ended), "{end:?}:\n{text}");
    }
}

/// With only the tasks' and timers' own events: the wait shows when it becomes ready.
#[test]
fn a_callback_ended_before_its_task_waited() {
    let recording = start()
        .at(2, TaskSwitchedIn { task_id: 1 })
        .at(3, expired())
        .at(5, TaskSwitchedIn { task_id: 2 })
        .at(8, TaskToRdyState { task_id: 1 })
        .at(9, TaskSwitchedIn { task_id: 1 });
    assert_timer(
        &recording,
        &["30 callback begins in Tmr Svc", "80 callback has ended at 50 after 20 ns"],
    );
}

/// Without its name, the queue of commands is the one that the first command comes from.
#[test]
fn the_command_queue_is_learnt() {
    let recording = two_tasks()
        .meta(TimerName { timer_id: BLINK, name: str("blink") })
        .at(2, TaskSwitchedIn { task_id: 1 })
        .at(3, expired())
        .at(4, QueueReceive { queue_id: 7, len_after: 0 })
        .at(5, QueueReceive { queue_id: 3, len_after: 0 })
        .at(6, TimerCommandReceived { timer_id: 9, command: TimerCommand::START, value: 0 })
        .at(7, expired())
        .at(8, QueueReceive { queue_id: 7, len_after: 0 })
        .at(9, QueueReceive { queue_id: 3, len_after: 0 });
    assert_timer(
        &recording,
        &[
            "30 callback begins in a",
            "60 callback has ended at 60 after 30 ns",
            // The first expiry was of an auto-reload timer.
            "70 active",
            "70 callback begins in a",
            "90 callback has ended at 90 after 20 ns",
        ],
    );
}

/// An active time leads to a callback if the timer is known to have been active, and expired.
#[test]
fn a_callback_follows_from_the_active_time() {
    let one_shot = start()
        .at(1, created(0))
        .at(2, TaskSwitchedIn { task_id: 1 })
        .at(3, received(TimerCommand::START, 0))
        .at(4, received(TimerCommand::STOP, 0))
        .at(5, received(TimerCommand::START, 0))
        .at(6, expired())
        .at(7, received(TimerCommand::START, 0))
        .at(8, DroppedEvtCnt { cnt: 1 })
        .at(9, TaskSwitchedIn { task_id: 1 })
        // Whether it was active is not known.
        .at(10, expired());
    let flows = |flows| {
        let mut options = Options::default();
        options.flows = flows;
        let mut text = TimelineText::new(Vec::new()).detailed();
        convert(&[Input::from_bytes("r", &one_shot.0)], &options, &mut text).unwrap();
        let text = String::from_utf8(text.into_inner()).unwrap();
        let lines = text.lines().map(str::trim).filter(|line| line.contains("->"));
        lines.filter(|line| line.contains("blink")).map(str::to_owned).collect::<Vec<_>>()
    };
    let one = ["60 0 timer blink: active -> callback"];
    assert_eq!(flows(Flows::Wakes), one);
    assert_eq!(flows(Flows::All), one);
    assert!(flows(Flows::None).is_empty());
}

#[test]
fn a_gap_leaves_timers_unknown() {
    let recording = start()
        .at(1, created(1))
        .at(2, TaskSwitchedIn { task_id: 1 })
        .at(3, received(TimerCommand::START, 0))
        .at(4, expired())
        .at(5, DroppedEvtCnt { cnt: 1 })
        .at(6, TaskSwitchedIn { task_id: 1 })
        .at(7, expired());
    let (text, _) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    let lines: Vec<_> = text
        .lines()
        .filter(|line| line.contains("blink"))
        .map(|line| line.trim().replace(" 0 timer blink:", ""))
        .collect();
    let expected = [
        "10 created",
        "30 start received",
        "30 active",
        "40 expired",
        "40 active",
        "40 callback begins in Tmr Svc",
        "40 unknown whether it is active",
        "40 unknown whether its callback runs",
        "70 active",
        "70 callback begins in Tmr Svc",
    ];
    assert_eq!(lines, expected, "\n{text}");
}
