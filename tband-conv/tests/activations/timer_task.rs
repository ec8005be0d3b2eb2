//! Work of the timer task for others: callbacks of software timers, and bits that interrupts request it to set.

use tband_format::Event::*;
use tband_recordings::{Recording, str};

use crate::set_up::{HIGH, IDLE, LOW, RecordingExt, follow, of, start};

const TIMER_TASK: u32 = 5;
const COMMANDS: u32 = 9;
const FLAGS: u32 = 1;

/// Ticks of the kernel are 1 ms.
fn with_timer_task() -> Recording {
    start()
        .meta(TaskName { task_id: TIMER_TASK, name: str("Tmr Svc") })
        .meta(TaskIsTimerTask { task_id: TIMER_TASK })
        .meta(QueueName { queue_id: COMMANDS, name: str("TmrQ") })
        .meta(TraceInfo {
            format_version: 12,
            core_count: 1,
            flags: 1,
            kernel_version: Some(110_101),
            tick_rate_hz: Some(1000),
        })
        .meta(TimerName { timer_id: 1, name: str("blink") })
        .meta(TimerName { timer_id: 2, name: str("log") })
        .meta(TimerInfo { timer_id: 1, period: 10, auto_reload: 1 })
        .meta(TimerInfo { timer_id: 2, period: 5, auto_reload: 1 })
        .runs(0, TIMER_TASK)
        .at(10, CurtaskDelayUntil { time_to_wake: 5 })
        .runs(11, IDLE)
}

/// The tick interrupt wakes the timer task at this time.
fn ticks(recording: Recording, us: u64) -> Recording {
    recording
        .at(us - 1, IsrEnter { isr_id: 15 })
        .wake(us, TIMER_TASK)
        .at(us + 1, IsrExit { isr_id: 15 })
}

/// The timer task finds no command and waits for its next timer, which the kernel traces as a delay.
fn wait(recording: Recording, us: u64) -> Recording {
    let recording = recording.at(us, QueueReceiveFailed { queue_id: COMMANDS });
    recording.at(us, CurtaskDelayUntil { time_to_wake: 0 }).runs(us + 1, LOW)
}

fn expires(recording: Recording, us: u64, timer_id: u32) -> Recording {
    recording.at(us, TimerExpired { timer_id, callback: 0x100 + timer_id })
}

#[test]
fn a_callback_is_released_when_its_timer_expires() {
    let recording = ticks(with_timer_task().runs(100, LOW), 5000);
    let recording = expires(recording.runs(5100, TIMER_TASK), 5110, 2);
    let recording = wait(recording, 5200);
    // Both expire at this tick; the second one waits for the first.
    let recording = ticks(recording, 10_000).runs(10_050, TIMER_TASK);
    let recording = expires(expires(recording, 10_060, 2), 10_300, 1);
    let recording = wait(recording, 10_400);
    // The first one takes so long that the second one expires in that time.
    let recording = ticks(recording, 15_000).runs(15_010, TIMER_TASK);
    let recording = expires(expires(recording, 15_020, 2), 21_500, 1);
    let recording = wait(recording, 21_600);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "log"),
        [
            "log 1: timer 5000, ready 5110, started 5110, ended 5200",
            "log 2: timer 10000, ready 10060, started 10060, ended 10300",
            "log 3: timer 15000, ready 15020, started 15020, ended 21500",
        ]
    );
    assert_eq!(
        of(&lines.activations, "blink"),
        [
            // Its last expiry is not known: it counts from its callback.
            "blink 1: timer 10300, ready 10300, started 10300, ended 10400",
            "blink 2: timer 21500, ready 21500, started 21500, ended 21600",
        ]
    );
    assert_eq!(of(&lines.parts, "log 2")[0], "log 2: 10000 to 10060 backlog");
}

#[test]
fn a_callback_waits_for_others() {
    let mut recording = with_timer_task().runs(100, LOW);
    // Each expires once alone.
    recording = expires(ticks(recording, 5000).runs(5001, TIMER_TASK), 5010, 2);
    recording = wait(recording, 5020);
    recording = expires(ticks(recording, 7000).runs(7001, TIMER_TASK), 7010, 1);
    recording = wait(recording, 7020);
    // 12 ms are the nominal expiry of the second one, 17 ms that of the first one, whose callback is called 8 ms late.
    recording = expires(ticks(recording, 10_000).runs(10_001, TIMER_TASK), 10_010, 2);
    recording = expires(recording, 25_000, 1);
    recording = wait(recording, 25_100);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "blink"),
        [
            "blink 1: timer 7000, ready 7010, started 7010, ended 7020",
            "blink 2: timer 17000, ready 25000, started 25000, ended 25100",
        ]
    );
    assert_eq!(of(&lines.parts, "blink 2")[0], "blink 2: 17000 to 25000 backlog");
}

#[test]
fn bits_that_an_interrupt_sets_release_at_its_request() {
    let waits = CurtaskBlockOnEventGroupWait {
        event_group_id: FLAGS,
        bits: 3,
        flags: 2,
        ticks_to_wait: 99,
    };
    let recording = with_timer_task()
        .meta(EventGroupName { event_group_id: FLAGS, name: str("flags") })
        .at(20, EventGroupCreated { event_group_id: FLAGS })
        .wake(30, HIGH)
        .runs(31, HIGH)
        .at(40, waits)
        .runs(41, LOW)
        .at(50, IsrEnter { isr_id: 7 })
        .at(51, EventGroupSetBitsFromIsr { event_group_id: FLAGS, bits: 1 })
        .wake(52, TIMER_TASK)
        .at(53, IsrExit { isr_id: 7 })
        .runs(80, TIMER_TASK)
        .take(81, COMMANDS, 0)
        .at(82, EventGroupSetBits { event_group_id: FLAGS, bits: 1, bits_after: 1 })
        .wake(83, HIGH)
        .runs(90, HIGH)
        .at(91, EventGroupWaitEnd { event_group_id: FLAGS, bits: 3, flags: 2, found: 1 })
        .delays(100)
        .runs(101, LOW);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "high").last(),
        Some(&"high 2: bits by UART 51, ready 83, started 90, ended 101")
    );
    assert_eq!(of(&lines.parts, "high 2")[0], "high 2: 51 to 83 backlog");
}

/// A callback sets bits itself; a request of an interrupt for the same bits is still in the queue.
#[test]
fn bits_that_a_callback_sets_release_at_once() {
    let waits = CurtaskBlockOnEventGroupWait {
        event_group_id: FLAGS,
        bits: 1,
        flags: 0,
        ticks_to_wait: 99,
    };
    let recording = with_timer_task()
        .at(20, EventGroupCreated { event_group_id: FLAGS })
        .wake(30, HIGH)
        .runs(31, HIGH)
        .at(40, waits)
        .runs(41, LOW);
    let recording = ticks(recording, 5000).runs(5001, TIMER_TASK);
    let recording = expires(recording, 5010, 1)
        .at(5020, IsrEnter { isr_id: 7 })
        .at(5021, EventGroupSetBitsFromIsr { event_group_id: FLAGS, bits: 1 })
        .at(5022, IsrExit { isr_id: 7 })
        .at(5030, EventGroupSetBits { event_group_id: FLAGS, bits: 1, bits_after: 1 })
        .wake(5031, HIGH)
        .runs(5032, HIGH)
        .at(5040, EventGroupWaitEnd { event_group_id: FLAGS, bits: 1, flags: 0, found: 1 })
        .delays(5050)
        .runs(5051, LOW);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "high").last(),
        Some(&"high 2: bits by Tmr Svc 5031, ready 5031, started 5032, ended 5051")
    );
}

/// The queue of the timer task was full at the first request: the second one for the same bits releases.
#[test]
fn a_refused_request_starts_no_activation() {
    let waits = CurtaskBlockOnEventGroupWait {
        event_group_id: FLAGS,
        bits: 1,
        flags: 0,
        ticks_to_wait: 99,
    };
    let asks = |recording: Recording, us, result| {
        recording
            .at(us, IsrEnter { isr_id: 7 })
            .at(us + 1, EventGroupSetBitsFromIsr { event_group_id: FLAGS, bits: 1 })
            .at(us + 2, PendFuncCallFromIsr { function: 9, parameter1: 1, parameter2: 1, result })
            .at(us + 3, IsrExit { isr_id: 7 })
    };
    let recording = with_timer_task()
        .at(20, EventGroupCreated { event_group_id: FLAGS })
        .wake(30, HIGH)
        .runs(31, HIGH)
        .at(40, waits)
        .runs(41, LOW);
    let recording = asks(asks(recording, 50, 0), 200, 1)
        .wake(210, TIMER_TASK)
        .runs(211, TIMER_TASK)
        .at(220, EventGroupSetBits { event_group_id: FLAGS, bits: 1, bits_after: 1 })
        .wake(221, HIGH)
        .runs(230, HIGH)
        .at(240, EventGroupWaitEnd { event_group_id: FLAGS, bits: 1, flags: 0, found: 1 })
        .delays(250)
        .runs(251, LOW);
    let lines = follow(&recording);
    assert_eq!(
        of(&lines.activations, "high").last(),
        Some(&"high 2: bits by UART 201, ready 221, started 230, ended 251")
    );
}

/// After a loss neither an old request nor an old expiry releases anything.
#[test]
fn a_loss_forgets_requests_and_expiries() {
    let recording = with_timer_task()
        .at(20, EventGroupCreated { event_group_id: FLAGS })
        .runs(31, LOW)
        .at(50, IsrEnter { isr_id: 7 })
        .at(51, EventGroupSetBitsFromIsr { event_group_id: FLAGS, bits: 1 })
        .at(52, IsrExit { isr_id: 7 });
    let recording = expires(ticks(recording, 5000).runs(5001, TIMER_TASK), 5010, 1);
    let recording = wait(recording, 5020)
        .at(40_000, DroppedEvtCnt { cnt: 9 })
        .runs(40_001, HIGH)
        .at(
            40_010,
            CurtaskBlockOnEventGroupWait {
                event_group_id: FLAGS,
                bits: 1,
                flags: 0,
                ticks_to_wait: 99,
            },
        )
        .runs(40_011, TIMER_TASK)
        .at(40_020, EventGroupSetBits { event_group_id: FLAGS, bits: 1, bits_after: 1 })
        .wake(40_021, HIGH);
    let recording =
        expires(recording, 40_030, 1).runs(40_040, HIGH).delays(40_050).runs(40_051, LOW);
    let lines = follow(&recording);
    let released = |name, time: &str| {
        let found = of(&lines.activations, name);
        assert!(found.last().unwrap().contains(time), "{found:#?}");
    };
    released("high", "bits by Tmr Svc 40021, ready 40021");
    released("blink", "timer 40030, ready 40030");
}
