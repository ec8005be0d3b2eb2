//! Evidence of the kernel's ticks about the timer: that it counts at another frequency than reported, stops now and then, is
//! set back, or equals the tick itself; and that a correct one causes no finding.

use tband_conv::diagnostics::Problem;
use tband_conv::{Input, Options};
use tband_format::Event::{self, *};
use tband_recordings::set_up::{MHZ, assert_finding_text, assert_sound, begin, found, info, start};
use tband_recordings::{Recording, timeline_of};

/// Task 1 waits, with the event `begin`, from one time to another, both in ticks of the timer.
fn waits(recording: Recording, begin: Event<'_>, from: u64, to: u64) -> Recording {
    recording
        .at(from, begin)
        .at(from + 1, TaskSwitchedIn { task_id: 2 })
        .at(to, TaskToRdyState { task_id: 1 })
        .at(to + 1, TaskSwitchedIn { task_id: 1 })
}

/// Consecutive delays of 5 to 11 ticks. This function computes the duration of each from its true length in timer ticks, with a
/// timer of 1 MHz.
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

#[test]
fn a_wrong_frequency_is_seen_by_the_kernel_s_ticks() {
    // The timer counts at 1 MHz; the recording reports another frequency.
    for (reported, text) in [
        (
            MHZ / 2,
            "2.0 times too long: 39 waits say so; the timer seems to count at about 1 MHz, give or take 0.1 %, not at 500 kHz",
        ),
        (MHZ / 10, "10 times too long"),
        (MHZ / 1000, "1000 times too long"),
        (2 * MHZ, "2.0 times too short"),
        (10 * MHZ, "10 times too short"),
        (1000 * MHZ, "1000 times too short"),
        (MHZ * 3 / 4, "1.3 times too long"),
    ] {
        assert_finding_text(
            &delays(start(reported), 40, |_, length| length),
            Problem::OffPace,
            text,
        );
    }
    assert_sound(&delays(start(MHZ), 40, |_, length| length));
    // A deviation of a few per cent is that of clocks without a crystal: this is a note.
    for (reported, text) in
        [(MHZ * 105 / 100, "4.8 % too short"), (MHZ * 95 / 100, "5.3 % too long")]
    {
        let recording = delays(start(reported), 40, |_, length| length);
        assert_notes(&recording, text);
    }
    // The truth that is given puts it right.
    let recording = delays(start(2 * MHZ), 40, |_, length| length);
    let mut options = Options::default();
    options.tick_rate = Some("1M".parse().unwrap());
    let inputs = [Input::from_bytes("r", &recording.0)];
    assert!(timeline_of(&inputs, &options).1.diagnostics.is_clean());
    // Few waits are not enough evidence, nor is a recording that does not contain the kernel's tick.
    assert_sound(&delays(start(2 * MHZ), 3, |_, length| length));
    let unknown = Recording::default().meta(info(None)).raw(&start(2 * MHZ).0);
    let unknown = unknown.meta(info(None));
    assert_sound(&delays(unknown, 40, |_, length| length));
}

/// It has no finding but a note that times are off by a few per cent.
#[track_caller]
fn assert_notes(recording: &Recording, text: &str) {
    let found = found(recording);
    let output: Vec<_> = found.iter().map(|it| it.problem).collect();
    assert_eq!(output, [Problem::OffPaceSlightly], "{found:?}");
    let entry = found.get(Problem::OffPaceSlightly).unwrap();
    assert!(entry.text.contains(text), "no “{text}” in {}", entry.text);
    assert!(found.is_clean());
}

/// Not even a note.
#[track_caller]
fn assert_nothing(recording: &Recording) {
    let found = found(recording);
    assert_eq!(found.iter().count(), 0, "{found:?}");
}

#[test]
fn all_kinds_of_waits_measure_the_pace() {
    for reported in [2 * MHZ, MHZ] {
        let mut until = start(reported);
        let mut queues = start(reported);
        let mut bits = start(reported);
        let mut ticks = start(reported);
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
            assert_eq!(
                off,
                u64::from(reported != MHZ),
                "{name} at {reported} Hz: {:?}",
                found(&recording)
            );
        }
    }
    // An item came in time: the wait shows nothing about the clock.
    let mut recording = start(MHZ);
    for number in 0..60_u64 {
        let block = CurtaskBlockOnQueueReceive { queue_id: 1, ticks_to_wait: 1000 };
        recording = recording.at(number * 1000 + 50, QueueCurLength { queue_id: 1, length: 0 });
        recording = waits(recording, block, number * 1000 + 100, number * 1000 + 900)
            .at(number * 1000 + 902, QueueCurLength { queue_id: 1, length: 1 })
            .at(number * 1000 + 905, QueueReceive { queue_id: 1, len_after: 0 });
    }
    assert_sound(&recording);
}

#[test]
fn aborted_and_late_delays_are_not_clock_errors() {
    // Now and then one is aborted, which older kernels do not report.
    assert_sound(&delays(
        start(MHZ),
        200,
        |n, length| if n % 10 == 3 { length / 50 } else { length },
    ));
    // Even all of them, if the cause of their shortness is reported: an abort, or a suspension in the middle.
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
    // A simulated target on a busy host: every tick comes late.
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

/// No host is so busy that all waits are twenty to sixty times too long, however different.
#[test]
fn waits_that_are_far_too_long_need_not_agree() {
    let lengths = |n: u32, length| length * (20 + u64::from(n * 7 % 40));
    assert_finding_text(&delays(start(MHZ), 60, lengths), Problem::OffPace, "times too long");
}

/// A kernel that restarts counts its ticks from 0.
#[test]
fn a_restarted_tick_count_is_not_a_leap() {
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
fn a_gap_is_not_a_wait() {
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

/// With the tick stopped, the kernel makes up for its sleep.
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

/// Delays of these ticks, each as soon as the one before is over and the task has run for a while; what a timer of
/// 1 MHz counts of each, of the delay itself and of the run before.
fn periodic(
    hz: u64,
    delays: impl IntoIterator<Item = u32>,
    counts: impl Fn(usize, u64, u64) -> (u64, u64),
) -> Recording {
    let mut now = 5000;
    let mut recording = start(hz);
    for (number, ticks) in delays.into_iter().enumerate() {
        let run = 30 + (number as u64 * 37) % 200;
        let (run, sleep) = counts(number, run, u64::from(ticks) * 1000 - run);
        recording = waits(recording, CurtaskDelay { ticks }, now + run, now + run + sleep);
        now += run + sleep;
    }
    recording
}

#[test]
fn periodic_delays_tell_a_frequency_to_a_per_cent() {
    let as_it_is = |_: usize, run, sleep| (run, sleep);
    // The reported frequency, and the resulting error of times.
    for (reported, text) in [
        (MHZ * 80 / 72, "10 % too short"),
        (MHZ * 72 / 80, "11 % too long"),
        (MHZ * 180 / 168, "7 % too short"),
        (MHZ * 168 / 180, "7 % too long"),
    ] {
        for ticks in [2, 3, 10, 500] {
            let recording = periodic(reported, [ticks; 43], as_it_is);
            assert_finding_text(&recording, Problem::OffPace, text);
            assert_finding_text(&recording, Problem::OffPace, "about 1 MHz, give or take 0.1 %");
        }
    }
    for (reported, text) in [
        (MHZ * 95 / 100, "5.3 % too long"),
        (MHZ * 97 / 100, "3.1 % too long"),
        (MHZ * 1025 / 1000, "2.4 % too short"),
        (MHZ * 105 / 100, "4.8 % too short"),
    ] {
        for ticks in [2, 5, 100] {
            let recording = periodic(reported, [ticks; 43], as_it_is);
            assert_notes(&recording, text);
            assert_notes(&recording, "about 1 MHz, give or take 0.1 %");
        }
    }
    for reported in [MHZ * 982 / 1000, MHZ, MHZ * 1018 / 1000] {
        for ticks in [1, 2, 5, 100] {
            assert_nothing(&periodic(reported, [ticks; 43], as_it_is));
        }
    }
    // So few are known to a quarter only.
    assert_sound(&periodic(MHZ * 80 / 72, [5; 8], as_it_is));
    // Ticks that come late, on a simulated target whose timer counts nanoseconds, as a machine's clock does.
    let late = |_: usize, run, sleep| (run * 1000, sleep * 1000 * 108 / 100);
    assert_sound(&periodic(1000 * MHZ, [5; 43], late));
    // And by this and that on any.
    assert_sound(&periodic(MHZ, [5; 43], |n, run, sleep| (run, sleep + (n as u64 % 9) * 200)));
}

/// If a task works for longer than half a tick before it waits again, the ticks of no wait are known exactly: each gives a
/// range, and all of them together a narrow one.
#[test]
fn waits_that_begin_anywhere_in_a_tick_tell_a_frequency_together() {
    let anywhere = |hz, ticks| {
        let mut recording = start(hz);
        let mut tick = 5;
        for number in 0..60_u64 {
            // Ready at the tick, runs for half a tick at least, and into other ticks.
            let run = 550 + number * 389 % 449 + number % 3 * 1000;
            let from = tick * 1000 + run;
            tick = from / 1000 + u64::from(ticks);
            recording = waits(recording, CurtaskDelay { ticks }, from, tick * 1000);
        }
        recording
    };
    for (ticks, reported, text) in [
        (5, MHZ * 80 / 72, "9 to 20 % too short"),
        (20, MHZ * 80 / 72, "11 % too short"),
        (100, MHZ * 80 / 72, "10 % too short"),
        (5, MHZ * 3 / 4, "18 to 34 % too long"),
        (20, MHZ * 72 / 80, "986 kHz, give or take 1.6 %"),
        (100, MHZ * 72 / 80, "11 % too long"),
        (100, MHZ * 180 / 168, "7 % too short"),
    ] {
        let recording = anywhere(reported, ticks);
        assert_finding_text(&recording, Problem::OffPace, text);
        assert_eq!(found(&recording).iter().count(), 1);
    }
    for ticks in [5, 20, 100] {
        for reported in [MHZ, MHZ * 101 / 100, MHZ * 99 / 100] {
            assert_nothing(&anywhere(reported, ticks));
        }
    }
    assert_notes(&anywhere(MHZ * 1035 / 1000, 100), "3.6 % too short");
    assert_notes(
        &anywhere(MHZ * 965 / 1000, 100),
        "too long: 60 waits say so; the timer seems to count at about 997 kHz",
    );
}

/// Jitter, halts, waits that are cut short and ticks of a busy machine make no note.
#[test]
fn a_correct_timer_has_no_finding() {
    // Interrupts are held up by up to a tenth of a tick, more often than not.
    let jitter = |n: usize, run, sleep| {
        let late = |n: usize| (n as u64 * 7919 % 11) * 10;
        (run, sleep + late(n + 1) - late(n).min(sleep))
    };
    for ticks in [2, 5, 50] {
        assert_nothing(&periodic(MHZ, [ticks; 60], jitter));
    }
    // A debugger halts the target in one wait of ten, and one of ten is aborted.
    let spoiled = |n: usize, run, sleep| match n % 10 {
        3 => (run, sleep + 400_000),
        7 => (run, sleep / 9),
        _ => (run, sleep),
    };
    assert_nothing(&periodic(MHZ, [5; 80], spoiled));
    // A simulated target: ticks are late by varying amounts, and sometimes made up for.
    let late = |n: usize, run, sleep| (run, sleep + [30, 900, 0, 2_400, 120][n % 5]);
    assert_nothing(&periodic(MHZ, [5; 80], late));
    let made_up_for = |n: usize, run, sleep| match n % 9 {
        0 => (run, sleep + 2_000),
        _ => (run, sleep - 250),
    };
    assert_nothing(&periodic(MHZ, [5; 81], made_up_for));
    // Its timer counts nanoseconds, and its ticks come late, however regularly.
    let regular = |_: usize, run, sleep| (run * 1000, sleep * 1000 * 103 / 100);
    assert_nothing(&periodic(1000 * MHZ, [5; 43], regular));
}

/// The cycle counter of Cortex-M stops while the core sleeps.
#[test]
fn a_timer_that_stops_in_sleep() {
    // The task works for half of the time, and then waits for approximately the rest.
    for (ticks, share) in [(2, 20), (2, 30), (10, 45)] {
        let recording = periodic(MHZ, [ticks; 60], |number, run, sleep| {
            let run = run + sleep * share / 100 * (number as u64 % 3);
            (run.min(u64::from(ticks) * 1000 * 9 / 10), 15)
        });
        assert_finding_text(&recording, Problem::TimerStops, "the timer stops now and then");
    }
    // Only in long idle times: one wait in three.
    let now_and_then =
        periodic(MHZ, (0..90).map(|n| if n % 3 == 0 { 50 } else { 4 }), |n, run, sleep| {
            (run, if n % 3 == 0 { sleep / 9 } else { sleep })
        });
    assert_finding_text(&now_and_then, Problem::TimerStops, "27 of 80 waits are too short");
    // The tick's own events show it as well.
    let (mut recording, mut now) = (start(MHZ), 10);
    for tick in 0..400_u32 {
        now += 100 + u64::from(tick / 10 * 7919 % 700);
        recording = recording.at(now, TickIncrement { tick_count: tick });
    }
    assert_finding_text(&recording, Problem::TimerStops, "the timer stops now and then");
}

/// A timer of microseconds that is configured as nanoseconds, on a busy host.
#[test]
fn a_wrong_unit_is_not_a_stopped_timer() {
    let recording =
        periodic(1000 * MHZ, [5; 43], |n, run, sleep| (run, sleep * (1 + n as u64 % 4)));
    assert_finding_text(&recording, Problem::OffPace, "times too short");
}

/// A late tick is made up for, as the kernel's ports for simulation do, or after the scheduler was suspended.
#[test]
fn ticks_that_come_late_and_are_made_up_for() {
    let recording = periodic(MHZ, [5; 80], |n, run, sleep| match n % 4 {
        0 => (run, sleep + 9000),
        _ => (run, sleep - 3000),
    });
    assert_sound(&recording);
    let suspended = periodic(MHZ, [2; 80], |n, run, sleep| match n % 2 {
        0 => (run, sleep + 900),
        _ => (run, sleep - 900),
    });
    assert_sound(&suspended);
}

/// Task 1 delays itself 5 ticks at a time, and task 3 for 7, with a timer of 25 MHz; `counter` turns its counts into those of a
/// 32-bit counter, which is extended as in `tband_extend32.h`.
fn extended(rounds: u64, counter: impl Fn(u64) -> u32) -> Recording {
    let (mut upper, mut last) = (0_u64, 0);
    let mut extend = |count| {
        let now = counter(count);
        upper += u64::from(now < last);
        last = now;
        (upper << 32) | u64::from(now)
    };
    let ms = 25_000;
    let mut recording = start(25 * MHZ);
    let mut events: Vec<(u64, Event<'_>)> = Vec::new();
    for n in 0..rounds {
        for (task_id, ticks) in [(1, 5), (3, 7)] {
            let wakes = (n + 1) * u64::from(ticks) * ms + u64::from(task_id) * 1000;
            events.push((wakes, TaskToRdyState { task_id }));
            events.push((wakes + 400, TaskSwitchedIn { task_id }));
            events.push((wakes + 900, CurtaskDelay { ticks }));
            events.push((wakes + 1000, TaskSwitchedIn { task_id: 2 }));
        }
    }
    events.retain(|(at, _)| *at < rounds * 5 * ms);
    events.sort_by_key(|(at, _)| *at);
    for (at, event) in events {
        recording = recording.at(extend(at), event);
    }
    recording
}

#[test]
fn a_counter_that_is_set_to_0() {
    let right = extended(80, |count| count as u32);
    assert_eq!(found(&right).count(Problem::TimerSetBack), 0, "{:?}", found(&right));
    // In a wait of 7 ticks, and twice.
    for times in [vec![53], vec![53, 123]] {
        let back = extended(80, |count| {
            let set = times.iter().map(|ms| ms * 25_000).filter(|at| *at <= count).max();
            (count - set.unwrap_or(0)) as u32
        });
        let text = if times.len() > 1 {
            "and 1 more like it"
        } else {
            "the counter is near 0: it was set"
        };
        assert_finding_text(&back, Problem::TimerSetBack, text);
        assert_eq!(found(&back).count(Problem::OffPace), 0);
    }
    // A counter of 24 bits wraps each 0.67 s.
    let narrow = extended(600, |count| (count & 0xFF_FFFF) as u32);
    assert_finding_text(&narrow, Problem::FalseWraps, "it has 24 bits");
    // A counter that wraps as it should, in a wait.
    let wraps = extended(80, |count| (count + (1 << 32) - 1_300_000) as u32);
    assert_eq!(found(&wraps).count(Problem::TimerSetBack), 0);
    // A debugger halts the target, and the timer runs on.
    let halted =
        extended(
            80,
            |count| if count > 1_300_000 { count as u32 + 3_000_000_000 } else { count as u32 },
        );
    assert_sound(&halted);
}

/// `portCONFIGURE_TIMER_FOR_RUN_TIME_STATS()` sets the cycle counter to 0 as the scheduler starts, before the first tick.
#[test]
fn a_counter_that_is_set_to_0_as_the_scheduler_starts() {
    let hz = 168 * MHZ;
    let ms = hz / 1000;
    let starts = |at: u64, create: u64| {
        let recording = begin(info(Some(1000)), hz).at(create, TaskCreated { task_id: 1 });
        let recording = recording.at(create + 500, TaskToRdyState { task_id: 1 });
        (0..60_u64).fold(recording.at(at, TaskSwitchedIn { task_id: 1 }), |it, n| {
            waits(it, CurtaskDelay { ticks: 5 }, at + n * 5 * ms + 700, at + (n + 1) * 5 * ms)
        })
    };
    let set_back = |recording: &Recording| found(recording).count(Problem::TimerSetBack);
    let back = starts((1 << 32) + 300, 710 * ms);
    let text = "at 0.710003 s the time leaps by 24.9 s while the kernel counts at most one tick";
    assert_finding_text(&back, Problem::TimerSetBack, text);
    // The counter runs on: at once, after a pause, and over its wraparound.
    assert_eq!(set_back(&starts(710 * ms + 900, 710 * ms)), 0);
    assert_eq!(set_back(&starts(9_000 * ms, 710 * ms)), 0);
    assert_eq!(set_back(&starts((1 << 32) + 300, (1 << 32) - 20_000)), 0);
    assert_eq!(set_back(&starts((1 << 32) + 900 * ms, 710 * ms)), 0);
}

#[test]
fn timestamps_that_are_ticks_of_the_kernel() {
    // Milliseconds, as they are, and in other units.
    let coarse = |reported, unit: u64| {
        periodic(reported, [5; 43], move |_, run, sleep| (run / 1000, (run + sleep) / 1000 * unit))
    };
    assert_finding_text(
        &coarse(1000, 1),
        Problem::TimerIsTick,
        "counts at 1 kHz, and the kernel's tick at 1000 Hz",
    );
    assert_finding_text(
        &coarse(1000 * MHZ, MHZ),
        Problem::TimerIsTick,
        "waits begin and end exactly with a tick",
    );
    // A real-time clock of 32 kHz that drives the tick, too, is coarse and right.
    let rtc = periodic(32_000, [5; 43], |_, _, sleep| (1, sleep.div_ceil(1000) * 32 - 1));
    assert_sound(&rtc);
}

/// Each wait that is shorter than its ticks alone contradicts the timestamps, whatever the others are.
#[test]
fn a_single_wait_that_is_too_short_is_found() {
    // A timer of 84 MHz wraps after 51 s: a sleep of 200 s looks like one of 46.6 s.
    const HZ: u64 = 84_000_000;
    let recording = |sleeps: u64, length: u64| {
        let mut now = 1000;
        let mut recording = start(HZ);
        for number in 0..60 {
            let is_sleep = number % 10 == 5 && number / 10 < sleeps;
            let (ticks, length) =
                if is_sleep { (200_000, length) } else { (10, 10 * HZ / 1000 - 2000) };
            recording = waits(recording, CurtaskDelay { ticks }, now, now + length);
            now += length + 2000;
        }
        recording
    };
    let lost = 200 * HZ - 3 * (1 << 32);
    for sleeps in [1, 2, 6] {
        let recording = recording(sleeps, lost);
        assert_finding_text(&recording, Problem::ShortWait, "takes 46.608 s");
        assert_finding_text(&recording, Problem::ShortWait, "wraps every 51.1 s");
        let more = match sleeps {
            1 => "takes 46.608 s: ".to_owned(),
            _ => format!(
                "and {} more like it; {:.1} s are missing",
                sleeps - 1,
                sleeps as f64 * 153.3915
            ),
        };
        assert_finding_text(&recording, Problem::ShortWait, &more);
    }
    assert_finding_text(&recording(1, 100 * HZ), Problem::ShortWait, "takes 100.000 s");
    assert_sound(&recording(6, 200 * HZ));
}

/// All waits lack complete wraps of the timer. It neither stops nor counts at another frequency.
#[test]
fn a_timer_that_wraps_in_each_sleep_does_not_stop() {
    const TICK: u64 = 84_000_000 / 1000;
    for lengths in [[60_000_u64, 120_000, 200_000, 310_000], [200_000; 4]] {
        let (mut recording, mut now) = (start(TICK * 1000), 1000);
        for number in 0..40 {
            let ticks = lengths[number % 4];
            let length = (ticks * TICK - 3000) % (1 << 32);
            let delay = CurtaskDelay { ticks: ticks as u32 };
            recording = waits(recording, delay, now, now + length);
            now += length + 2000;
        }
        assert_finding_text(&recording, Problem::ShortWait, "wraps every 51.1 s");
        for other in [Problem::TimerStops, Problem::OffPace] {
            assert_eq!(found(&recording).count(other), 0, "{lengths:?} {other:?}");
        }
    }
    // The missing time is not a multiple of the wrap.
    let stops = |_: u32, length: u64| length / 3;
    assert_finding_text(&delays(start(MHZ), 80, stops), Problem::OffPace, "");
}

#[test]
fn waits_that_others_end_are_not_too_short() {
    const HZ: u64 = MHZ;
    let delay = CurtaskDelay { ticks: 200_000 };
    let begin = || start(HZ).at(10, delay).at(11, TaskSwitchedIn { task_id: 2 });
    let end = |recording: Recording| {
        let ready = recording.at(5_000_000, TaskToRdyState { task_id: 1 });
        ready.at(5_000_001, TaskSwitchedIn { task_id: 1 })
    };
    assert_eq!(found(&end(begin())).count(Problem::ShortWait), 1);
    let aborted = begin().at(4_999_999, TaskDelayAbort { task_id: 1 });
    let lost = begin().at(4_999_999, DroppedEvtCnt { cnt: 5 });
    let resumed = begin()
        .at(3_000_000, TaskSuspended { task_id: 1 })
        .at(4_999_999, TaskResumed { task_id: 1 });
    for recording in [aborted, lost, resumed] {
        assert_eq!(found(&end(recording)).count(Problem::ShortWait), 0);
    }
    // More ticks than 32 bits hold.
    let longest =
        start(HZ).at(10, CurtaskDelay { ticks: u32::MAX }).at(11, TaskSwitchedIn { task_id: 2 });
    assert_eq!(found(&end(longest)).count(Problem::ShortWait), 0);
    let unknown = Recording::default().meta(info(None)).raw(&begin().0).meta(info(None));
    assert_eq!(found(&end(unknown)).count(Problem::ShortWait), 0);
}

/// Ticks that the kernel steps, and the wake time of a delay, contradict the time as well.
#[test]
fn ticks_that_are_stepped_contradict_a_short_time() {
    let recording = start(MHZ)
        .at(1000, TickIncrement { tick_count: 0 })
        .at(1010, LowPowerIdleBegin { expected_ticks: 199_999 })
        .at(28_000_000, TickCountIncrease { ticks: 199_999 })
        .at(28_000_001, LowPowerIdleEnd {})
        .at(28_000_100, TickIncrement { tick_count: 200_000 });
    assert_finding_text(&recording, Problem::ShortWait, "takes 27.999 s");
}
