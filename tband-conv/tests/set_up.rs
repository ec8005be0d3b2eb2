//! What a recording says of a recorder that was set up wrongly, and that nothing of it is said of one that
//! was not: time that is wrong, nothing recorded, functions that answer the wrong way round.

use tband_conv::{Diagnostics, Input, Options, Problem, Severity};
use tband_format::Event::{self, *};
use tband_recordings::{Recording, str, timeline_of};

fn info(tick_rate_hz: Option<u32>) -> Event<'static> {
    let kernel_version = tick_rate_hz.map(|_| 110_200);
    TraceInfo { format_version: 1, core_count: 1, flags: 1, kernel_version, tick_rate_hz }
}

const MHZ: u64 = 1_000_000;

/// A recording that tells this frequency, and a tick of the kernel of 1 ms.
fn start(hz: u64) -> Recording {
    Recording::default()
        .meta(TaskName { task_id: 1, name: str("a") })
        .meta(TaskName { task_id: 2, name: str("IDLE") })
        .meta(TaskIsIdleTask { task_id: 2, core_id: 0 })
        .meta(info(Some(1000)))
        .at(0, TsFrequency { numerator: hz, denominator: 1 })
        .at(1, TaskSwitchedIn { task_id: 1 })
}

/// Task 1 waits, as `begin` says, from one time to another, both in ticks of the timer.
fn waits(recording: Recording, begin: Event<'_>, from: u64, to: u64) -> Recording {
    recording
        .at(from, begin)
        .at(from + 1, TaskSwitchedIn { task_id: 2 })
        .at(to, TaskToRdyState { task_id: 1 })
        .at(to + 1, TaskSwitchedIn { task_id: 1 })
}

/// Delays of 5 to 11 ticks one behind the other, each of which lasts as long as this function makes it
/// of its true length in timer ticks, at a timer of 1 MHz.
fn delays(mut recording: Recording, count: u32, length: impl Fn(u32, u64) -> u64) -> Recording {
    let mut now = 10;
    for number in 0..count {
        let ticks = 5 + number % 7;
        let end = now + length(number, u64::from(ticks) * 1000 - 20);
        recording = waits(recording, CurtaskDelay { ticks }, now, end);
        now = end + 20;
    }
    recording
}

fn found(recording: &Recording) -> Diagnostics {
    timeline_of(&[Input::from_bytes("r", &recording.0)], &Options::default()).1.diagnostics
}

#[track_caller]
fn assert_says(recording: &Recording, problem: Problem, text: &str) {
    let found = found(recording);
    let entry = found.get(problem).unwrap_or_else(|| panic!("no {problem:?}: {found:?}"));
    assert!(entry.text.contains(text), "no “{text}” in {}", entry.text);
    assert!(!found.is_clean());
}

#[track_caller]
fn assert_sound(recording: &Recording) {
    let found = found(recording);
    assert!(found.is_clean(), "{found:?}");
}

#[test]
fn a_wrong_frequency_is_seen_by_the_kernel_s_ticks() {
    // The timer counts at 1 MHz; the recording says it does so at another frequency.
    for (told, text) in [
        (
            MHZ / 2,
            "2.0 times too long: 10 waits say so; the timer seems to count at about 1 MHz, not at 500 kHz",
        ),
        (MHZ / 10, "10 times too long"),
        (MHZ / 1000, "1000 times too long"),
        (2 * MHZ, "2.0 times too short"),
        (10 * MHZ, "10 times too short"),
        (1000 * MHZ, "1000 times too short"),
        (MHZ * 3 / 4, "1.3 times too long"),
    ] {
        assert_says(&delays(start(told), 40, |_, length| length), Problem::OffPace, text);
    }
    assert_sound(&delays(start(MHZ), 40, |_, length| length));
    // A few per cent is what clocks without a crystal are off.
    assert_sound(&delays(start(MHZ * 105 / 100), 40, |_, length| length));
    assert_sound(&delays(start(MHZ * 95 / 100), 40, |_, length| length));
    // The truth that is given puts it right.
    let recording = delays(start(2 * MHZ), 40, |_, length| length);
    let mut options = Options::default();
    options.tick_rate = Some("1M".parse().unwrap());
    let inputs = [Input::from_bytes("r", &recording.0)];
    assert!(timeline_of(&inputs, &options).1.diagnostics.is_clean());
    // Few waits say nothing, and nor does a recording that does not know the kernel's tick.
    assert_sound(&delays(start(2 * MHZ), 3, |_, length| length));
    let unknown = Recording::default().meta(info(None)).raw(&start(2 * MHZ).0);
    let unknown = unknown.meta(info(None));
    assert_sound(&delays(unknown, 40, |_, length| length));
}

#[test]
fn all_kinds_of_waits_tell_the_pace() {
    for told in [2 * MHZ, MHZ] {
        let mut until = start(told);
        let mut queues = start(told);
        let mut bits = start(told);
        let mut ticks = start(told);
        for number in 0..60_u32 {
            let (from, to) = (u64::from(number) * 10_000 + 100, u64::from(number + 1) * 10_000);
            let wake =
                CurtaskDelayUntil { time_to_wake: (u32::MAX - 99).wrapping_add((number + 1) * 10) };
            until = waits(until, wake, from, to);
            let block = CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 10 };
            queues = waits(queues, block, from, to).at(to + 5, QueueReceiveFailed { queue_id: 1 });
            let block = CurtaskBlockOnEventGroupWait {
                event_group_id: 1,
                bits: 1,
                flags: 0,
                ticks_to_wait: 10,
            };
            let end = EventGroupWaitEnd { event_group_id: 1, bits: 1, flags: 4, found: 0 };
            bits = waits(bits, block, from, to).at(to + 5, end);
            for tick in 0..10 {
                let at = u64::from(number) * 10_000 + tick * 1000 + 500;
                ticks = ticks.at(at, TickIncrement { tick_count: number * 10 + tick as u32 });
            }
        }
        for (name, recording) in
            [("until", until), ("queue", queues), ("bits", bits), ("tick", ticks)]
        {
            let off = found(&recording).count(Problem::OffPace);
            assert_eq!(off, u64::from(told != MHZ), "{name} at {told} Hz: {:?}", found(&recording));
        }
    }
    // An item came in time: nothing is known of the clock.
    let mut recording = start(MHZ);
    for number in 0..60_u64 {
        let block = CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 1000 };
        recording = waits(recording, block, number * 1000 + 100, number * 1000 + 900)
            .at(number * 1000 + 905, QueueReceive { queue_id: 1, len_after: 0 });
    }
    assert_sound(&recording);
}

#[test]
fn delays_that_are_cut_short_or_take_longer_are_no_fault_of_the_clock() {
    // Now and then one is aborted, which older kernels do not tell.
    assert_sound(&delays(
        start(MHZ),
        200,
        |n, length| if n % 10 == 3 { length / 50 } else { length },
    ));
    // Even all of them, if what cuts them short is told: an abort, or a suspension in the middle.
    let aborted = [(50, TaskDelayAbort { task_id: 1 }), (50, TaskToRdyState { task_id: 1 })];
    let suspended = [(40, TaskSuspended { task_id: 1 }), (50, TaskResumed { task_id: 1 })];
    for cut in [aborted, suspended] {
        let mut recording = start(MHZ);
        for number in 0..60_u64 {
            let from = number * 1000 + 100;
            let waits = recording
                .at(from, CurtaskDelay { ticks: 100 })
                .at(from + 1, TaskSwitchedIn { task_id: 2 });
            let cut = cut.iter().fold(waits, |it, (after, event)| it.at(from + after, *event));
            recording = cut.at(from + 60, TaskSwitchedIn { task_id: 1 });
        }
        assert_sound(&recording);
    }
    // A debugger halts the target, and the timer runs on; interrupts are masked for long.
    let halted = |n: u32, length| if n == 7 || n == 20 { length + 60_000_000 } else { length };
    assert_sound(&delays(start(MHZ), 40, halted));
    assert_sound(&delays(start(MHZ), 60, |n, length| length + u64::from(n % 3) * length / 2));
    // A simulated target on a busy machine: every tick comes late.
    assert_sound(&delays(start(MHZ), 60, |n, length| length * 3 + u64::from(n % 5) * length / 2));
}

/// A delay of two ticks may last little more than one, and so may any wait of two ticks.
#[test]
fn short_waits_are_as_long_as_they_may_be() {
    for block in
        [CurtaskDelay { ticks: 2 }, CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 2 }]
    {
        let mut recording = start(MHZ);
        for number in 0..60_u64 {
            let from = number * 2000 + 900;
            recording = waits(recording, block, from, from + 1100);
            if matches!(block, CurtaskBlockOnQueueReceive { .. }) {
                recording = recording.at(from + 1105, QueueReceiveFailed { queue_id: 1 });
            }
        }
        assert_sound(&recording);
    }
}

/// No machine is so busy that all waits are twenty to sixty times too long, however unlike.
#[test]
fn waits_that_are_far_too_long_need_not_agree() {
    let lengths = |n: u32, length| length * (20 + u64::from(n * 7 % 40));
    assert_says(&delays(start(MHZ), 60, lengths), Problem::OffPace, "times too long");
}

/// A kernel that starts anew counts its ticks from 0.
#[test]
fn a_tick_count_that_begins_again_is_no_leap() {
    let mut recording = start(MHZ);
    for tick in 0..1200_u64 {
        let at = tick * 1000 + 500;
        recording = recording.at(at, TickIncrement { tick_count: (tick % 30) as u32 });
    }
    assert_eq!(found(&recording).count(Problem::OffPace), 0);
}

/// All tasks wait at the same time, when the target is halted once: that is one fact, not many.
#[test]
fn a_halt_that_many_waits_have_in_common_counts_once() {
    let mut recording = start(MHZ);
    for task_id in 3..40 {
        recording = recording
            .at(u64::from(task_id) * 10, CurtaskDelay { ticks: 100 })
            .at(u64::from(task_id) * 10 + 5, TaskSwitchedIn { task_id });
    }
    for task_id in 3..39 {
        recording = recording.at(90_000_000, TaskToRdyState { task_id });
    }
    assert_sound(&recording);
}

#[test]
fn a_gap_is_no_wait() {
    let mut recording = start(MHZ);
    let mut now = 100;
    for number in 1..30_u32 {
        recording = recording
            .at(now, CurtaskDelay { ticks: 5 })
            .at(now + 1, TaskSwitchedIn { task_id: 2 })
            .at(now + 2_000_000, DroppedEvtCnt { cnt: number * 100 })
            .at(now + 2_000_000, TaskToRdyState { task_id: 1 })
            .at(now + 2_000_001, TaskSwitchedIn { task_id: 1 });
        now += 2_000_100;
    }
    let found = found(&recording);
    assert_eq!(found.count(Problem::OffPace), 0, "{found:?}");
    assert_eq!(found.count(Problem::EventsLost), 29);
}

/// With the tick stopped, the kernel makes up for what it slept.
#[test]
fn tickless_idle_keeps_time() {
    let mut recording = start(MHZ);
    let (mut now, mut ticks) = (500, 0_u32);
    for _ in 0..50 {
        recording = waits(recording, CurtaskDelay { ticks: 100 }, now, now + 99_500)
            .at(now + 99_501, TickIncrement { tick_count: ticks });
        now += 100_000;
        ticks += 100;
    }
    assert_sound(&recording);
    let mut recording = start(MHZ);
    let (mut now, mut ticks) = (500, 0_u32);
    for _ in 0..50 {
        recording = recording
            .at(now, TickIncrement { tick_count: ticks })
            .at(now + 10, LowPowerIdleBegin { expected_ticks: 98 })
            .at(now + 98_000, LowPowerIdleEnd {})
            .at(now + 98_001, TickCountIncrease { ticks: 98 });
        now += 99_000;
        ticks += 99;
    }
    assert_sound(&recording);
}

/// `count` events with their timestamps from a function.
fn markers(recording: Recording, count: u64, ts: impl Fn(u64) -> u64) -> Recording {
    (0..count).fold(recording, |it, n| it.at(ts(n), Valmarker { valmarker_id: 1, val: 5 }))
}

fn bare(hz: u64) -> Recording {
    Recording::default().at(0, TsFrequency { numerator: hz, denominator: 1 })
}

#[test]
fn a_timer_that_never_ran() {
    let says = |recording: &Recording| {
        assert_says(recording, Problem::TimeStands, "the timer does not run");
    };
    says(&markers(bare(100 * MHZ), 1544, |n| n / 70));
    says(&markers(bare(MHZ), 1544, |_| 0));
    says(&markers(Recording::default(), 100, |_| 77));
    // Two cores at a time.
    let recording = markers(bare(100 * MHZ), 500, |_| 0).at(0, CoreId { core_id: 1 });
    says(&markers(recording, 500, |_| 0));
    // A coarse timer in a short recording, and a fast core.
    assert_sound(&markers(bare(1000), 300, |_| 3));
    assert_sound(&markers(bare(1000 * MHZ), 5000, |n| n * 20));
    assert_sound(&markers(bare(MHZ), 5000, |n| n / 20));
    // So few are no evidence.
    assert_sound(&markers(bare(MHZ), 20, |_| 5));
    // It is not said how fast it counts.
    assert_sound(&markers(Recording::default(), 300, |n| n));
}

#[test]
fn a_timer_that_is_extended_wrongly() {
    let down = |n: u64| (n << 32) | (0xFFFF_0000 - n * 3000);
    assert_says(&markers(bare(72 * MHZ), 50, down), Problem::FalseWraps, "counts down");
    let narrow = |n: u64| ((n / 6) << 32) | ((n % 6) * 10_000);
    assert_says(&markers(bare(MHZ), 100, narrow), Problem::FalseWraps, "fewer bits");
    // It is said once.
    assert_eq!(found(&markers(bare(MHZ), 500, narrow)).count(Problem::FalseWraps), 1);
    // Two cores in one recording are looked at each.
    let two = |recording: Recording, ts: fn(u64) -> u64| {
        (0..100).fold(recording, |it, n| {
            it.at(ts(n), CoreId { core_id: (n % 2) as u32 })
                .at(ts(n), Valmarker { valmarker_id: 1, val: 5 })
        })
    };
    assert_says(&two(bare(72 * MHZ), down), Problem::FalseWraps, "counts down");
    assert_sound(&two(bare(72 * MHZ), |n| n * 4_300_000_000));
}

#[test]
fn nothing_recorded() {
    let names = Recording::default()
        .meta(TaskName { task_id: 1, name: str("a") })
        .meta(EvtmarkerName { evtmarker_id: 1, name: str("m") });
    assert_says(&names, Problem::NothingRecorded, "was not started, or the events were not read");
    let started =
        names.clone().meta(info(None)).at(5, TsFrequency { numerator: 1, denominator: 1 });
    assert_says(&started, Problem::NothingRecorded, "nothing happened");
    assert_sound(&started.at(6, Valmarker { valmarker_id: 1, val: 1 }));
}

#[test]
fn a_stream_that_was_refused() {
    let refused = Recording::default().at(0, CoreId { core_id: 0 }).at(0, CoreId { core_id: 0 });
    assert_says(&refused, Problem::StreamRefused, "nothing follows it");
    assert_sound(&refused.at(6, Valmarker { valmarker_id: 1, val: 1 }));
}

#[test]
fn a_kernel_without_hooks_and_a_snapshot_without_names() {
    let own = |count| markers(Recording::default().meta(info(Some(1000))), count, |n| n * 1000);
    assert_says(&own(100), Problem::SilentKernel, "nothing of a task");
    assert_sound(&own(10));
    assert_sound(&markers(start(MHZ), 100, |n| n * 1000 + 10));
    let mut nameless = Recording::default().meta(info(Some(1000)));
    for n in 0..30 {
        nameless = nameless.at(n * 1000, TaskSwitchedIn { task_id: 1 + (n % 3) as u32 });
    }
    assert_says(&nameless, Problem::NoMetadata, "none of the tasks has a name");
    assert_sound(&nameless.meta(TaskName { task_id: 1, name: str("a") }));
}

#[test]
fn an_answer_the_wrong_way_round() {
    let mut reversed = Recording::default()
        .meta(info(None))
        .at(1, DroppedEvtCnt { cnt: 5 })
        .at(1, Valmarker { valmarker_id: 1, val: 1 });
    for n in 0..200 {
        reversed = reversed.at(n * 10 + 9, DroppedEvtCnt { cnt: n as u32 + 6 });
    }
    assert_says(&reversed, Problem::DropsReversed, "each of them arrived");
    // A transport that can take a tenth: counts come through, and what is behind them does not.
    let mut slow = Recording::default().meta(info(None));
    for n in 1..200 {
        slow = slow.at(n * 1000, DroppedEvtCnt { cnt: n as u32 * 9 });
    }
    let found = found(&slow);
    assert_eq!(found.count(Problem::DropsReversed), 0);
    assert_eq!(found.worst(), Some(Severity::Loss));
}

#[test]
fn interrupts_that_are_never_left() {
    let mut recording = start(MHZ);
    for n in 0..50 {
        recording = recording
            .at(n * 1000 + 10, IsrEnter { isr_id: 7 })
            .at(n * 1000 + 20, TaskSwitchedIn { task_id: 1 + (n % 2) as u32 });
    }
    assert_says(&recording, Problem::IsrExitMissing, "isr 7 is entered again on core 0");
    assert_eq!(found(&recording).count(Problem::IsrExitMissing), 49);
    // Another one inside it goes on.
    let nested = start(MHZ)
        .at(10, IsrEnter { isr_id: 7 })
        .at(20, IsrEnter { isr_id: 8 })
        .at(30, IsrEnter { isr_id: 7 })
        .at(40, IsrExit { isr_id: 7 })
        .at(50, IsrExit { isr_id: 8 });
    assert_eq!(found(&nested).count(Problem::IsrExitMissing), 1);
    assert_eq!(found(&nested).count(Problem::IsrExitWithoutEnter), 0);
}

/// Versions and rates that are 0 are not known, and are not told.
#[test]
fn what_is_told_as_zero_is_not_known() {
    let zero = TraceInfo {
        format_version: 1,
        core_count: 1,
        flags: 1,
        kernel_version: Some(0),
        tick_rate_hz: Some(0),
    };
    let recording = Recording::default()
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(zero)
        .at(1, TaskSwitchedIn { task_id: 1 });
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (_, summary) = timeline_of(&inputs, &Options::default());
    let info = summary.trace_info.unwrap();
    assert_eq!((info.kernel_version, info.tick_rate_hz), (None, None));
}
