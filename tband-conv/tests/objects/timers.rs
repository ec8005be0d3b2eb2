//! Software timers: when they are active, and how long their callbacks run.

use tband_conv::{Input, Options};
use tband_format::Event::*;
use tband_format::api::API_FUNCTIONS;
use tband_format::named::TimerCommand;
use tband_recordings::{Recording, str, timeline_of};

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
        let recording = Recording::default()
            .meta(TsResolutionNs { ns_per_ts: 10 })
            .meta(TaskName { task_id: 1, name: str("Tmr Svc") })
            .meta(TaskIsTimerTask { task_id: 1 })
            .meta(QueueName { queue_id: 1, name: str("TmrQ") })
            .meta(TimerName { timer_id: 1, name: str("blink") })
            .at(2, TaskSwitchedIn { task_id: 1 })
            .at(3, TimerExpired { timer_id: 1, callback: 0x800_1234 })
            .at(7, end)
            .at(9, end);
        let (text, _) = timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
        let ended = "70 0 timer blink: callback has ended at 70 after 40 ns";
        assert!(text.contains(ended), "{end:?}:\n{text}");
    }
}
