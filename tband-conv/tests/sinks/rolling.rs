//! The numbers of a moving window equal those of the same window of the complete recording.

use proptest::prelude::*;
use tband_conv::clock::moment::Moment;
use tband_conv::convert::step::Step;
use tband_conv::sinks::{ClosedWindow, Recent, RollingStats, Stats};
use tband_conv::{Conversion, Input, Options, convert};
use tband_format::Event::*;
use tband_format::decode::decode_payload;
use tband_recordings::fed::{head, pieces};
use tband_recordings::random::{config, framed, late_steps};
use tband_recordings::{Recording, str};

/// All values of the statistics.
fn stats_text(stats: &Stats) -> Vec<String> {
    let mut shown = vec![format!("{} {}", stats.start_ns(), stats.end_ns())];
    // Values that are used only while counting are not compared.
    shown.extend(stats.tasks().map(|task| {
        format!(
            "{} {} {:?} {} {} {} {} {} {:?} {:?} {:?} {:?} {:?}",
            task.id,
            task.name,
            (task.priority, task.is_idle, task.life, task.state),
            task.run_ns,
            task.known_ns,
            task.interrupted_ns,
            task.switches,
            task.preemptions,
            task.run_burst,
            task.ready_wait,
            task.blocked,
            task.stack_high_water_mark,
            task.notifications,
        )
    }));
    shown.extend(stats.cores().map(|core| format!("{core:?}")));
    shown.extend(stats.isrs().map(|isr| format!("{isr:?}")));
    shown.extend(stats.queues().map(|queue| {
        format!(
            "{} {} {:?} {:?} {:?}",
            queue.id, queue.name, queue.life, queue.levels, queue.full_ns
        )
    }));
    shown.extend(stats.locks().map(|lock| format!("{lock:?}")));
    shown.extend(stats.inversions().map(|it| format!("{it:?}")));
    shown.extend(stats.open_waits().map(|it| format!("{it:?}")));
    shown.extend(stats.markers().map(|it| format!("{} {} {:?}", it.id, it.name, it.instants)));
    shown.extend(stats.gaps().iter().map(|gap| format!("{gap:?}")));
    shown.push(stats.gap_count().to_string());
    shown
}

/// Feeds a recording in pieces of these lengths.
fn rolled(bytes: &[u8], lens: &[(usize, usize)], len: i64, step: i64) -> Vec<ClosedWindow> {
    let mut conversion =
        Conversion::new([("r", 0)], &Options::default(), RollingStats::new(len, step)).unwrap();
    let (mut rest, mut closed) = (bytes, Vec::new());
    for (_, len) in lens.iter().cycle() {
        let taken = conversion.feed(0, &rest[..(*len).clamp(1, 5000).min(rest.len())]);
        rest = &rest[taken..];
        while conversion.step().unwrap() == Step::More {}
        closed.extend(conversion.sink().unwrap().take());
        if rest.is_empty() {
            break;
        }
    }
    let (_, mut rolling) = conversion.finish().unwrap();
    closed.extend(rolling.take());
    closed
}

fn of_window(bytes: &[u8], from: i64, to: i64) -> Stats {
    let mut options = Options::default();
    options.from = Some(Moment::Ns(from.unsigned_abs()));
    options.to = Some(Moment::Ns(to.unsigned_abs()));
    let mut stats = Stats::default();
    convert(&[Input::from_bytes("r", bytes)], &options, &mut stats).unwrap();
    stats
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn each_window_is_that_of_the_whole(
        steps in late_steps(2),
        cores in 1..3_u32,
        lens in pieces(),
        step in 1_000..300_000_i64,
        steps_in_len in 1..6_i64,
    ) {
        let happens = |payload: &[u8]| {
            let event = decode_payload(payload).unwrap().event;
            !event.is_metadata() && !matches!(event, TsFrequency { .. } | CoreId { .. })
        };
        let all: Vec<u32> = (0..cores).collect();
        let (mut bytes, mut core) = (head(&all), 0);
        let mut times = vec![Vec::new(); all.len()];
        for step in steps.iter().filter(|step| happens(&step.payload) && step.core < cores) {
            if step.core != core {
                core = step.core;
                bytes.extend(Recording::default().at(step.ts.max(1), CoreId { core_id: core }).0);
            }
            times[core as usize].push((step.ts as i64).saturating_mul(10));
            bytes.extend(framed(&step.payload));
        }
        prop_assume!(times.iter().all(|times| !times.is_empty()));
        let closed = rolled(&bytes, &lens, step * steps_in_len, step);
        prop_assert!(!closed.is_empty());
        for ClosedWindow { stats, .. } in closed.iter().take(12).chain(closed.last()) {
            // A core that is silent for long is not waited for: its later events are not known.
            let (from, to) = (stats.start_ns(), stats.end_ns());
            let is_live = |times: &Vec<i64>| {
                times[0] <= from && times.iter().any(|ns| (to + 1..=to + step * steps_in_len).contains(ns))
            };
            if cores > 1 && !times.iter().all(is_live) {
                continue;
            }
            let expected = of_window(&bytes, stats.start_ns(), stats.end_ns());
            prop_assert_eq!(stats_text(stats), stats_text(&expected));
        }
    }
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn the_last_time_is_that_of_the_whole(
        steps in late_steps(1),
        lens in pieces(),
        len in 1_000..2_000_000_i64,
    ) {
        let mut bytes = head(&[0]);
        for step in &steps {
            let event = decode_payload(&step.payload).unwrap().event;
            if !event.is_metadata() && !matches!(event, TsFrequency { .. } | CoreId { .. }) {
                bytes.extend(framed(&step.payload));
            }
        }
        let make: fn() -> Stats = Stats::default;
        let options = Options::default();
        let mut conversion = Conversion::new([("r", 0)], &options, Recent::new(len, make)).unwrap();
        let mut rest = &bytes[..];
        for (_, piece) in lens.iter().cycle() {
            let taken = conversion.feed(0, &rest[..(*piece).clamp(1, 5000).min(rest.len())]);
            rest = &rest[taken..];
            while conversion.step().unwrap() == Step::More {}
            if let Some((stats, now)) = conversion.sink().unwrap().current() {
                // Twice the length at most.
                prop_assert!(now - stats.start_ns() <= 2 * len, "{} {now}", stats.start_ns());
            }
            if rest.is_empty() {
                break;
            }
        }
        let (summary, recent) = conversion.finish().unwrap();
        prop_assume!(summary.events > 10);
        let stats = recent.into_current().unwrap();
        let expected = of_window(&bytes, stats.start_ns(), i64::MAX);
        prop_assert_eq!(stats_text(&stats), stats_text(&expected));
    }
}

/// Two tasks take turns, 30 us and 10 us of each 40.
fn turns(count: u64) -> Recording {
    let mut recording = Recording(head(&[0]));
    for turn in 0..count {
        recording = recording
            .at(turn * 4000 + 1, TaskSwitchedIn { task_id: 1 })
            .at(turn * 4000 + 3001, TaskSwitchedIn { task_id: 2 });
    }
    recording.meta(TaskName { task_id: 2, name: str("b") })
}

fn shares(closed: &ClosedWindow) -> Vec<(u32, i64)> {
    let mut tasks: Vec<_> = closed.stats.tasks().map(|task| (task.id, task.run_ns)).collect();
    tasks.retain(|task| task.1 > 0);
    tasks.sort();
    tasks
}

#[test]
fn windows_follow_each_other_by_a_step_and_the_first_are_shorter() {
    let closed = rolled(&turns(100).0, &[(0, 100)], 400_000, 200_000);
    let ends: Vec<_> = closed.iter().map(|it| (it.stats.start_ns(), it.stats.end_ns())).collect();
    assert_eq!(ends[..4], [(10, 200_000), (10, 400_000), (200_000, 600_000), (400_000, 800_000)]);
    assert_eq!(ends.len(), 20);
    // Changes of one task never have one time: some are a few ns later than their event.
    assert_eq!((ends[19].0, (ends[19].1 - 10) / 1000), (3_600_000, 99 * 40 + 30));
    assert_eq!(shares(&closed[2]), [(1, 300_000), (2, 100_000)]);
}

/// A day without an event costs a few windows, and open states are known in them.
#[test]
fn long_silence_costs_little() {
    let recording = turns(100).at(8_640_000_000_000, TaskSwitchedIn { task_id: 1 });
    let recording = recording.at(8_640_000_004_000, TaskSwitchedIn { task_id: 2 });
    let closed = rolled(&recording.0, &[(0, 5000)], 400_000, 200_000);
    assert!((60..160).contains(&closed.len()), "{}", closed.len());
    let silent = &closed[closed.len() - 4];
    assert_eq!(shares(silent), [(2, 400_000)]);
    assert_eq!(closed.last().unwrap().stats.end_ns() / 1000, 86_400_000_040);
}

#[test]
fn adjusts_any_window_length() {
    for (len, step) in [(0, 0), (-5, -5), (i64::MAX, 1), (1, i64::MAX), (i64::MIN, i64::MAX)] {
        let closed = rolled(&turns(5).0, &[(0, 50)], len, step);
        assert!(!closed.is_empty(), "{len} {step}");
    }
}

#[test]
fn the_last_time_advances_after_a_long_silence() {
    let make: fn() -> Stats = Stats::default;
    let conversion = Conversion::new([("r", 0)], &Options::default(), Recent::new(100_000, make));
    let mut conversion = conversion.unwrap();
    let mut recording = turns(10);
    recording = recording.at(1_000_000_000, TaskSwitchedIn { task_id: 1 });
    recording = recording.at(1_000_000_100, TaskSwitchedIn { task_id: 2 });
    conversion.feed_all(&recording.0).unwrap();
    let (stats, now) = conversion.sink().unwrap().current().unwrap();
    let length = now - stats.start_ns();
    assert!((100_000..=200_000).contains(&length), "{length}");
    let (_, recent) = conversion.finish().unwrap();
    let stats = recent.into_current().unwrap();
    // The task that ran before the first known event also ran in that time.
    let expected = of_window(&recording.0, stats.start_ns(), i64::MAX);
    assert_eq!(stats_text(&stats), stats_text(&expected));
}
