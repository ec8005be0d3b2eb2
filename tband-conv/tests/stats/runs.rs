//! Recordings of several runs of the target: the same task, queue or marker in several runs is one row.

use std::fmt::Debug;

use tband_conv::sinks::{Spread, Stats, TaskStats};
use tband_conv::{Input, Options, Summary, convert};
use tband_format::Event;
use tband_recordings::packed::packed;
use tband_recordings::{Recording, cases, on_core_ns, project, str, trace_of, vector};

fn stats_of(recording: &[u8]) -> (Stats, Summary) {
    let mut stats = Stats::default();
    let inputs = [Input::from_bytes("r", recording)];
    let summary = convert(&inputs, &Options::default(), &mut stats).unwrap();
    (stats, summary)
}

/// A recording with a mutex, a queue, interrupts and markers.
fn by_hand() -> Vec<u8> {
    let name = "a mutex that a more urgent task wants, then a full queue";
    cases::recording(&project::path("tband-report/tests/numbers/stats/made_by_hand.txt"), name)
}

/// The start of a stream of this recorder, which shows a reset if time steps back.
fn start() -> Recording {
    Recording::default()
        .at(0, Event::CoreId { core_id: 0 })
        .at(0, Event::CoreId { core_id: 0 })
        .meta(Event::TsResolutionNs { ns_per_ts: 1000 })
}

/// Values that do not depend on the number of runs. Durations that are open at the end are not part of them.
fn shape(spread: &Spread) -> impl Debug + PartialEq + use<> {
    (spread.median(), spread.p99(), spread.max(), spread.max_at())
}

/// Checks that every figure is that of one run times the number of runs, or the same.
fn assert_repeated(one: &Stats, all: &Stats, runs: u32) {
    let times = i64::from(runs);
    let count = u64::from(runs);
    assert_eq!(one.tasks().count(), all.tasks().count());
    for (a, b) in one.tasks().zip(all.tasks()) {
        assert_eq!((&a.name, a.id, a.state, a.priority), (&b.name, b.id, b.state, b.priority));
        assert_eq!((a.runs, b.runs), (1, runs));
        assert_eq!((a.run_ns * times, a.known_ns * times), (b.run_ns, b.known_ns), "{}", a.name);
        assert_eq!(a.interrupted_ns * times, b.interrupted_ns);
        assert_eq!((a.switches * count, a.preemptions * count), (b.switches, b.preemptions));
        for (a, b) in [(&a.ready_wait, &b.ready_wait), (&a.run_burst, &b.run_burst)] {
            assert_eq!((a.count() * count, a.sum() * count), (b.count(), b.sum()));
            assert_eq!(shape(a), shape(b));
        }
        let waits = |task: &TaskStats, times: i64| {
            let waits = task.blocked.iter().map(|it| {
                let count = it.count * times.unsigned_abs();
                (it.cause.clone(), count, it.total_ns * times, it.max_ns, it.max_at_ns, it.open_ns)
            });
            waits.collect::<Vec<_>>()
        };
        assert_eq!(waits(a, times), waits(b, 1));
    }
    for (a, b) in one.cores().zip(all.cores()) {
        assert_eq!(a.busy_share().map(|it| it.value()), b.busy_share().map(|it| it.value()));
        assert_eq!((a.known_ns * times, a.idle_ns * times), (b.known_ns, b.idle_ns));
    }
    assert_eq!(one.isrs().count(), all.isrs().count());
    for (a, b) in one.isrs().zip(all.isrs()) {
        assert_eq!((&a.name, a.count * count, a.own_ns * times), (&b.name, b.count, b.own_ns));
        assert_eq!((shape(&a.time), a.max_depth_at), (shape(&b.time), b.max_depth_at));
    }
    assert_eq!(one.queues().count(), all.queues().count());
    for (a, b) in one.queues().zip(all.queues()) {
        assert_eq!((&a.name, a.levels, a.max_level_at), (&b.name, b.levels, b.max_level_at));
        assert_eq!((a.sends * count, a.receives * count), (b.sends, b.receives));
        assert_eq!((a.empty_ns * times, a.full_ns.map(|it| it * times)), (b.empty_ns, b.full_ns));
        assert_eq!((a.blocked_sends * count, a.level), (b.blocked_sends, b.level));
        assert_eq!((a.runs, b.runs), (1, runs));
    }
    assert_eq!(one.locks().count(), all.locks().count());
    for (a, b) in one.locks().zip(all.locks()) {
        assert_eq!((&a.name, a.takes * count, a.held_ns * times), (&b.name, b.takes, b.held_ns));
        assert_eq!((shape(&a.held), shape(&a.waits)), (shape(&b.held), shape(&b.waits)));
        assert_eq!(a.inversions.count() * count, b.inversions.count());
        for (a, b) in a.holders.iter().zip(&b.holders) {
            assert_eq!((&a.task, a.count * count), (&b.task, b.count));
            assert_eq!((a.held_ns * times, a.max_at_ns), (b.held_ns, b.max_at_ns));
        }
        assert_eq!(a.holders.len(), b.holders.len());
    }
    assert_eq!(one.inversions().count(), all.inversions().count());
    for (a, b) in one.inversions().zip(all.inversions()) {
        assert_eq!((&a.lock, &a.waiter, &a.holder), (&b.lock, &b.waiter, &b.holder));
        assert_eq!((a.count * count, a.total_ns * times), (b.count, b.total_ns));
        assert_eq!((a.max_ns, a.max_at_ns, &a.between), (b.max_ns, b.max_at_ns, &b.between));
    }
    let markers = |stats: &Stats, count: u64| {
        let row = |it: &tband_conv::sinks::MarkerStats| {
            let (instants, spans) = (it.instants * count, it.spans.count() * count);
            (it.name.clone(), it.task.clone(), instants, spans, it.spans.max())
        };
        stats.markers().map(row).collect::<Vec<_>>()
    };
    assert_eq!(markers(one, count), markers(all, 1));
    let values = |stats: &Stats, count: u64| {
        let row = |it: &tband_conv::sinks::ValueStats| {
            (it.name.clone(), it.task.clone(), it.count * count, it.min, it.max, it.max_at, it.last)
        };
        stats.values().map(row).collect::<Vec<_>>()
    };
    assert_eq!(values(one, count), values(all, 1));
    let open = |stats: &Stats| {
        let row = |it: &tband_conv::sinks::OpenWait| (it.task.clone(), it.cause.clone());
        stats.open_waits().map(row).collect::<Vec<_>>()
    };
    assert_eq!(open(one), open(all));
}

#[test]
fn the_same_recording_again_gives_the_same_shares() {
    let one = start().raw(&by_hand()).0;
    for one in [packed(&one, 256), one] {
        let (of_one, _) = stats_of(&one);
        for runs in [2, 3, 20] {
            let (of_all, summary) = stats_of(&one.repeat(runs as usize));
            assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
            assert_repeated(&of_one, &of_all, runs);
        }
    }
}

/// A task that runs from `from` to `to`, in between waits for a queue.
fn boot(names: &[(u32, &'static str)], worst: u64) -> Recording {
    let named = names
        .iter()
        .fold(start(), |it, &(task_id, name)| it.meta(Event::TaskName { task_id, name: str(name) }))
        .meta(Event::TaskName { task_id: 9, name: str("IDLE") })
        .meta(Event::TaskIsIdleTask { task_id: 9, core_id: 0 })
        .at(10, Event::TaskSwitchedIn { task_id: 9 });
    let ran = names.iter().zip(0_u64..).fold(named, |it, (&(task_id, _), place)| {
        let from = 100 + 100 * place;
        it.at(from, Event::TaskToRdyState { task_id })
            .at(from + 10, Event::TaskSwitchedIn { task_id })
            .at(from + 10 + worst, Event::CurtaskDelay { ticks: 1 })
            .at(from + 11 + worst, Event::TaskSwitchedIn { task_id: 9 })
    });
    ran.at(1000, Event::TaskSwitchedIn { task_id: 9 })
}

fn rows(stats: &Stats) -> Vec<(&str, u32, u32, i64, i64)> {
    let row = |it: &TaskStats| (it.runs, it.run_ns / 1000, it.known_ns / 1000);
    stats
        .tasks()
        .map(|it| (it.name.as_str(), it.id))
        .zip(stats.tasks().map(row))
        .map(|((name, id), (runs, run, known))| (name, id, runs, run, known))
        .collect()
}

#[test]
fn a_run_that_is_cut_counts_as_far_as_it_goes() {
    let one = boot(&[(1, "a")], 20).0;
    let whole = stats_of(&one.repeat(2)).0;
    for cut in [1, 3, 6] {
        let cut = [&one[..one.len() - cut], &one[..]].concat();
        let (stats, _) = stats_of(&cut);
        let a = &rows(&stats)[0];
        assert_eq!((a.0, a.2, a.3 > 21 && a.3 <= 42), ("a", 2, true), "{a:?}");
        assert!(a.4 <= rows(&whole)[0].4);
        let sum: i64 = rows(&stats).iter().map(|it| it.3).sum();
        assert_eq!(sum, a.4, "all of the known time has an owner");
    }
}

#[test]
fn a_boot_loop_of_a_thousand_runs() {
    let one = start().raw(&by_hand()).0;
    let (of_one, _) = stats_of(&one);
    let (of_all, _) = stats_of(&one.repeat(1000));
    assert_repeated(&of_one, &of_all, 1000);
}

/// Two cores, each with an idle task; one of them is known later than the other in every run.
#[test]
fn cores_that_are_known_at_different_times() {
    let switch = |task_id| Event::TaskSwitchedIn { task_id };
    let core = |core_id| Event::CoreId { core_id };
    let idle = |task_id, core_id| Event::TaskIsIdleTask { task_id, core_id };
    let one = start()
        .meta(Event::TaskName { task_id: 1, name: str("a") })
        .meta(Event::TaskName { task_id: 2, name: str("never") })
        .meta(Event::TaskName { task_id: 8, name: str("IDLE0") })
        .meta(Event::TaskName { task_id: 9, name: str("IDLE1") })
        .meta(idle(8, 0))
        .meta(idle(9, 1))
        .at(10, core(0))
        .at(10, switch(8))
        .at(20, core(1))
        .at(100, Event::IsrEnter { isr_id: 1 })
        .at(110, Event::IsrExit { isr_id: 1 })
        .at(120, core(0))
        .at(130, switch(1))
        .at(200, core(1))
        .at(210, switch(9))
        .at(290, core(0))
        .at(300, switch(8))
        // A core is followed up to its last event before a reset.
        .at(300, core(1))
        .at(300, Event::Evtmarker { evtmarker_id: 1, msg: str("") })
        .0;
    let (of_one, _) = stats_of(&one);
    let share = |stats: &Stats, name: &str| {
        let task = stats.tasks().find(|it| it.name == name).unwrap();
        (task.run_ns, task.known_ns)
    };
    for runs in [2_i64, 5] {
        let (of_all, summary) = stats_of(&one.repeat(runs as usize));
        assert!(summary.diagnostics.is_clean(), "{:?}", summary.diagnostics);
        for name in ["a", "IDLE0", "IDLE1"] {
            let (run, known) = share(&of_one, name);
            let (all_run, all_known) = share(&of_all, name);
            // Changes come a nanosecond after their event, at the end too.
            assert!(all_run.abs_diff(run * runs) <= 2 * runs.unsigned_abs(), "{name} {runs}");
            assert!(
                all_known.abs_diff(known * runs) <= 2 * runs.unsigned_abs(),
                "{name} {runs} {all_known} {known}"
            );
        }
        assert_eq!(of_all.tasks().count(), of_one.tasks().count());
    }
}

#[test]
fn run_times_and_idle_fill_the_recording() {
    for name in ["freertos_sim.bin", "mc_split.core0.bin"] {
        let bytes = vector(name);
        let (_, stats, _) = trace_of(&[Input::from_bytes(name, &bytes)], &Options::default());
        let ran: i64 = stats.tasks().map(on_core_ns).sum();
        // Some task runs from the first switch on, which is right after the creation of objects.
        let idle_before = stats.length_ns() - ran;
        assert!((0..1_000_000).contains(&idle_before), "{name}: {idle_before} ns");
        assert_eq!(stats.tasks().count(), 10, "{name}");
    }
}
