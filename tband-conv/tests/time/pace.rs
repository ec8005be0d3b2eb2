//! Evidence of the kernel's ticks about the timer: that it counts at another frequency than reported, stops now and then, is
//! set back, or equals the tick itself; and that a correct one causes no finding. The cases test recordings of equal rounds.

use tband_conv::diagnostics::Problem;
use tband_format::Event::{self, *};
use tband_recordings::Recording;
use tband_recordings::set_up::{MHZ, assert_finding_text, assert_sound, found, start};

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
fn aborted_and_late_delays_are_not_clock_errors() {
    // Now and then one is aborted, which older kernels do not report.
    assert_sound(&delays(
        start(MHZ),
        200,
        |n, length| if n % 10 == 3 { length / 50 } else { length },
    ));
    // A debugger halts the target, and the timer runs on; interrupts are masked for long.
    let halted = |n: u32, length| if n == 7 || n == 20 { length + 60_000_000 } else { length };
    assert_sound(&delays(start(MHZ), 40, halted));
    assert_sound(&delays(start(MHZ), 60, |n, length| length + u64::from(n % 3) * length / 2));
    // A simulated target on a busy host: every tick comes late.
    assert_sound(&delays(start(MHZ), 60, |n, length| length * 3 + u64::from(n % 5) * length / 2));
}

/// No host is so busy that all waits are twenty to sixty times too long, however different.
#[test]
fn waits_that_are_far_too_long_need_not_agree() {
    let lengths = |n: u32, length| length * (20 + u64::from(n * 7 % 40));
    assert_finding_text(&delays(start(MHZ), 60, lengths), Problem::OffPace, "times too long");
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
