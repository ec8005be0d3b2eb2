//! Outcomes of waits, arrows and further rows in Perfetto's own engine.

use tband_conv::{Flows, Input, Options};
use tband_format::Event::*;
use tband_format::{Created, Event, NotifyAction, QueueKind as Kind};
use tband_recordings::{Engine, Recording, TempFile, str, trace_of, two_tasks};

/// Task 1 waits and runs again, each time 10 ticks later.
struct Scenario {
    recording: Recording,
    now: u64,
}

impl Scenario {
    fn at(mut self, event: Event<'_>) -> Self {
        self.now += 1;
        self.recording = self.recording.at(self.now, event);
        self
    }

    /// Task 1 waits, `during` happens, and it runs again.
    fn waits(self, event: Event<'_>, during: &[Event<'_>]) -> Self {
        let story = self.at(event).at(TaskSwitchedIn { task_id: 2 });
        during
            .iter()
            .fold(story, |story, event| story.at(*event))
            .at(TaskToRdyState { task_id: 1 })
            .at(TaskSwitchedIn { task_id: 1 })
    }
}

fn scenario() -> Recording {
    let start = two_tasks()
        .meta(QueueName { queue_id: 1, name: str("rxq") })
        .meta(QueueName { queue_id: 2, name: str("mtx") })
        .meta(QueueKind { queue_id: 2, kind: Kind::RECURSIVE_MUTEX })
        .meta(QueueName { queue_id: 3, name: str("sem") })
        .meta(QueueKind { queue_id: 3, kind: Kind::BINARY_SEMAPHORE })
        .meta(StreamBufferName { stream_buffer_id: 1, name: str("log") })
        .meta(EventGroupName { event_group_id: 1, name: str("state") })
        .meta(IsrName { isr_id: 5, name: str("uart") });
    let receive = CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 50 };
    let notify = TaskNotify {
        task_id: 1,
        index: 0,
        action: NotifyAction::INCREMENT,
        value: 0,
        value_after: 1,
    };
    Scenario { recording: start, now: 0 }
        .at(TaskSwitchedIn { task_id: 1 })
        .waits(receive, &[QueueSend { queue_id: 1, len_after: 1 }])
        .at(QueueReceive { queue_id: 1, len_after: 0 })
        .waits(receive, &[])
        .at(QueueReceiveFailed { queue_id: 1 })
        .waits(receive, &[TaskDelayAbort { task_id: 1 }])
        .at(QueueReceiveFailed { queue_id: 1 })
        // The failure is not recorded.
        .waits(receive, &[])
        .waits(
            CurtaskBlockOnQueueReceive { queue_id: 3, ticks_to_wait: u32::MAX },
            &[
                IsrEnter { isr_id: 5 },
                QueueSendFromIsr { queue_id: 3, len_after: 1 },
                TaskInReadyList { task_id: 2 },
                IsrExit { isr_id: 5 },
            ],
        )
        .at(QueueReceive { queue_id: 3, len_after: 0 })
        .waits(CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait: 9 }, &[notify])
        .at(CurtaskNotifyTake { index: 0, value: 1, value_after: 0 })
        .waits(
            CurtaskBlockOnStreamBufferReceive { stream_buffer_id: 1, ticks_to_wait: u32::MAX },
            &[
                StreamBufferSend { stream_buffer_id: 1, amount: 3, level_after: 3 },
                TaskNotify {
                    task_id: 1,
                    index: 3,
                    action: NotifyAction::NONE,
                    value: 0,
                    value_after: 0,
                },
            ],
        )
        .at(StreamBufferReceive { stream_buffer_id: 1, amount: 3, level_after: 0 })
        .waits(
            CurtaskBlockOnEventGroupWait {
                event_group_id: 1,
                bits: 5,
                flags: 1,
                ticks_to_wait: u32::MAX,
            },
            &[EventGroupSetBits { event_group_id: 1, bits: 5, bits_after: 5 }],
        )
        .at(EventGroupWaitEnd { event_group_id: 1, bits: 5, flags: 1, found: 5 })
        .waits(
            CurtaskBlockOnEventGroupSync { event_group_id: 1, set: 1, bits: 3, ticks_to_wait: 4 },
            &[EventGroupDeleted { event_group_id: 1 }],
        )
        .at(CurtaskDelay { ticks: 3 })
        .at(CurtaskToDelayedList { time_to_wake: 103 })
        .at(TaskSwitchedIn { task_id: 2 })
        .at(TaskStackHighWaterMark { task_id: 2, bytes: 160 })
        .at(TaskCoreAffinitySet { task_id: 2, core_mask: 1 })
        .at(MutexRecursiveTake { queue_id: 2, depth_after: 1 })
        .at(MutexRecursiveTake { queue_id: 2, depth_after: 2 })
        .at(QueuePeek { queue_id: 1 })
        .at(QueueSendFailed { queue_id: 1 })
        .at(QueueDeleted { queue_id: 1 })
        .at(CreateFailed { object: Created::QUEUE })
        // Waits to the end.
        .at(CurtaskBlockOnQueueSend { queue_id: 3, ticks_to_wait: 7 })
        .at(TaskSwitchedIn { task_id: 3 })
        .at(TaskSwitchedIn { task_id: 4 })
        .recording
}

/// Counters of tasks and mutexes.
const COUNTERS: (&str, &str, &str) = (
    "counter",
    "t.name || ' ' || cast(value as int)",
    "from counter join counter_track t on t.id = track_id where t.name glob '* of a' \
     or t.name glob '* of b' or t.name glob '* depth' order by ts",
);

/// Slices on the rows of objects, except the ends of arrows.
const INSTANTS: (&str, &str, &str) = (
    "instant",
    "t.name || ': ' || s.name",
    "from slice s join track t on t.id = s.track_id \
     where t.name not in ('waits and calls', 'calls') order by s.ts, s.id",
);

/// Slices on the rows of tasks, except the ends of arrows.
const ON_TASKS: (&str, &str, &str) = (
    "on task",
    "p.name || ': ' || s.name",
    "from slice s join thread_track t on t.id = s.track_id join thread p using (utid) \
     where t.name = 'waits and calls' and s.dur = 0 and s.id not in (select slice_in from flow union select slice_out from flow) order by s.ts",
);

const REASONS: (&str, &str, &str) = (
    "reason",
    "thread.name || ' ' || state || ' ' || blocked_function",
    "from thread_state join thread using (utid) where blocked_function is not null order by ts",
);

/// Each arrow: slice, row and time of both ends.
const ARROWS: (&str, &str, &str) = (
    "arrow",
    "a.name || ' @' || ifnull(p.name, at.name) || ' -> ' || b.name || ' @' || q.name",
    "from flow join slice a on a.id = slice_out join slice b on b.id = slice_in \
     join track at on at.id = a.track_id left join thread_track tt on tt.id = at.id \
     left join thread p on p.utid = tt.utid \
     join thread_track bt on bt.id = b.track_id join thread q on q.utid = bt.utid \
     where a.ts <= b.ts and a.dur = 0 and b.dur = 0 order by b.ts",
);

fn rows(
    engine: &Engine,
    name: &str,
    recording: &Recording,
    flows: Flows,
    queries: &[(&str, &str, &str)],
) -> Vec<(String, String)> {
    let mut options = Options::default();
    options.flows = flows;
    let (bytes, _, summary) = trace_of(&[Input::from_bytes("f", &recording.0)], &options);
    assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
    let trace = TempFile::new(&format!("{name}.pftrace"), &bytes);
    engine.check(&trace.0, queries)
}

#[test]
fn waits_have_objects_and_outcomes_and_arrows() {
    let Some(engine) = Engine::find() else { return };
    let queries = [REASONS, ARROWS, COUNTERS, INSTANTS, ON_TASKS];
    let all = rows(&engine, "story", &scenario(), Flows::Wakes, &queries);
    let rows = |tag: &str| -> Vec<&str> {
        all.iter().filter(|row| row.0 == tag).map(|row| row.1.as_str()).collect()
    };
    assert_eq!(
        rows("reason"),
        [
            "a S queue_receive rxq (satisfied, limit 50 ticks)",
            "a S queue_receive rxq (timeout after 50 ticks)",
            "a S queue_receive rxq (aborted, limit 50 ticks)",
            // No event shows how it ended.
            "a S queue_receive rxq (limit 50 ticks)",
            "a S semaphore sem (satisfied)",
            "a S notify_take (satisfied, limit 9 ticks)",
            "a S stream_buffer_receive log (satisfied)",
            "a S event_group state: all of 0x5 (satisfied)",
            "a S event_group_sync state: all of 0x3 (deleted, limit 4 ticks)",
            "a S delay",
            "b S semaphore sem (limit 7 ticks)",
        ]
    );
    assert_eq!(
        rows("arrow"),
        [
            "send rxq @b -> receive rxq @a",
            "give sem @uart ISR -> take sem @a",
            "notify a @b -> notified @a",
            "send log @b -> receive log @a",
            "set state @b -> found state @a",
        ]
    );
    assert_eq!(
        rows("counter"),
        [
            "notification of a 1",
            "notification of a 0",
            "wakes at tick of a 103",
            "stack high-water mark of b 160",
            "mtx depth 1",
            "mtx depth 2"
        ]
    );
    let instants = rows("instant");
    let instants: Vec<&str> =
        instants.iter().map(|row| row.split_once(" (byte").map_or(*row, |it| it.0)).collect();
    assert_eq!(
        instants,
        [
            "rxq events: receive failed by a",
            "rxq events: receive failed by a",
            "state: 0b0101 (0x5)",
            "state: set 0x5",
            "state: deleted",
            "rxq events: peek by b",
            "rxq events: send failed by b",
            "rxq events: deleted by b",
            "notes: task b could not create a queue",
        ]
    );
    assert_eq!(rows("on task"), ["a: wait aborted", "b: may run on cores 0b1"]);
}

#[test]
fn interrupts_lead_to_the_tasks_that_they_wake() {
    let Some(engine) = Engine::find() else { return };
    let start = two_tasks()
        .meta(QueueName { queue_id: 1, name: str("rxq") })
        .meta(StreamBufferName { stream_buffer_id: 1, name: str("log") })
        .meta(IsrName { isr_id: 5, name: str("uart") });
    let notify = CurtaskBlockOnNotifyWait { index: 0, ticks_to_wait: 9 };
    let (value, value_after, action) = (0, 1, NotifyAction::INCREMENT);
    // The kernel makes the task ready while the interrupt is open.
    let wakes = |story: Scenario, wait, event| {
        let story = story.at(wait).at(TaskSwitchedIn { task_id: 2 }).at(IsrEnter { isr_id: 5 });
        let story = story.at(event).at(TaskToRdyState { task_id: 1 }).at(IsrExit { isr_id: 5 });
        story.at(TaskSwitchedIn { task_id: 1 })
    };
    let story = Scenario { recording: start, now: 0 }.at(TaskSwitchedIn { task_id: 1 });
    let story = wakes(
        story,
        CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 50 },
        QueueSendFromIsr { queue_id: 1, len_after: 1 },
    )
    .at(QueueReceive { queue_id: 1, len_after: 0 });
    let story = wakes(
        story,
        notify,
        TaskNotifyFromIsr { task_id: 1, index: 0, action, value, value_after },
    )
    .at(CurtaskNotifyWait { index: 0, value: 1, received: 1 });
    let story = wakes(
        story,
        CurtaskBlockOnNotifyTake { index: 0, ticks_to_wait: 9 },
        TaskNotifyGiveFromIsr { task_id: 1, index: 0, value_after },
    )
    .at(CurtaskNotifyTake { index: 0, value: 1, value_after: 0 });
    let story = wakes(
        story,
        CurtaskBlockOnStreamBufferReceive { stream_buffer_id: 1, ticks_to_wait: 9 },
        StreamBufferSendFromIsr { stream_buffer_id: 1, amount: 3, level_after: 3 },
    )
    .at(StreamBufferReceive { stream_buffer_id: 1, amount: 3, level_after: 0 });
    let arrows = rows(&engine, "isr", &story.recording, Flows::Wakes, &[ARROWS]);
    let arrows: Vec<&str> = arrows.iter().map(|row| row.1.as_str()).collect();
    assert_eq!(
        arrows,
        [
            "send rxq @uart ISR -> receive rxq @a",
            "notify a @uart ISR -> notified @a",
            "notify a @uart ISR -> notified @a",
            "send log @uart ISR -> receive log @a",
        ]
    );
}

#[test]
fn all_flows_include_acts_without_a_woken_task() {
    let Some(engine) = Engine::find() else { return };
    let recording = two_tasks()
        .meta(QueueName { queue_id: 1, name: str("rxq") })
        .at(1, TaskSwitchedIn { task_id: 1 })
        .at(2, QueueSend { queue_id: 1, len_after: 1 })
        .at(3, QueueSend { queue_id: 1, len_after: 2 })
        .at(4, TaskSwitchedIn { task_id: 2 })
        .at(5, QueueReceive { queue_id: 1, len_after: 1 })
        .at(6, QueueReceive { queue_id: 1, len_after: 0 })
        .at(7, TaskSwitchedIn { task_id: 1 });
    let times = (
        "times",
        "a.ts || ' ' || b.ts",
        "from flow join slice a on a.id = slice_out join slice b on b.id = slice_in order by b.ts",
    );
    let all: Vec<String> = rows(&engine, "all", &recording, Flows::All, &[times])
        .into_iter()
        .map(|row| row.1)
        .collect();
    assert_eq!(all, ["20 50", "30 60"]);
}

/// The first bytes that a task gets are of one sender, and another has woken it.
#[test]
fn all_flows_include_wakers() {
    let Some(engine) = Engine::find() else { return };
    let recording = two_tasks()
        .meta(StreamBufferName { stream_buffer_id: 1, name: str("log") })
        .meta(IsrName { isr_id: 5, name: str("uart") })
        .at(1, StreamBufferReset { stream_buffer_id: 1 })
        .at(2, TaskSwitchedIn { task_id: 1 })
        .at(3, CurtaskBlockOnStreamBufferReceive { stream_buffer_id: 1, ticks_to_wait: 9 })
        .at(4, TaskSwitchedIn { task_id: 2 })
        .at(5, StreamBufferSend { stream_buffer_id: 1, amount: 1, level_after: 1 })
        .at(6, IsrEnter { isr_id: 5 })
        .at(7, StreamBufferSendFromIsr { stream_buffer_id: 1, amount: 4, level_after: 5 })
        .at(8, TaskToRdyState { task_id: 1 })
        .at(9, IsrExit { isr_id: 5 })
        .at(10, TaskSwitchedIn { task_id: 1 })
        .at(11, StreamBufferReceive { stream_buffer_id: 1, amount: 5, level_after: 0 });
    let arrows = |flows| -> Vec<String> {
        let rows = rows(&engine, &format!("woke_{flows:?}"), &recording, flows, &[ARROWS]);
        rows.into_iter().map(|row| row.1).collect()
    };
    let woke = "send log @uart ISR -> receive log @a";
    assert_eq!(arrows(Flows::Wakes), [woke]);
    let all = arrows(Flows::All);
    assert!(all.iter().any(|it| it == woke), "{all:?}");
    assert!(all.iter().any(|it| it == "send log @b -> receive log @a"), "{all:?}");
    assert_eq!(all.len(), 2, "{all:?}");
}
