//! Time that was not recorded is not part of a divisor: shares and rates are of the time that the recording covers. The
//! recordings are made by hand, with ticks of 1 us.

use tband_conv::sinks::{CoreStats, Stats};
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_recordings::{Engine, Recording, TempFile, str, trace_of};

const BUSY: u32 = 1;
const IDLE: u32 = 2;
const OTHER: u32 = 3;
const SECOND: u64 = 1_000_000;
const NS: i64 = 1_000_000_000;

/// Returns the start of a stream.
fn start(ts: u64) -> Recording {
    Recording::default()
        .at(ts, CoreId { core_id: 0 })
        .meta(TsResolutionNs { ns_per_ts: 1000 })
        .meta(TaskName { task_id: BUSY, name: str("busy") })
        .meta(TaskName { task_id: IDLE, name: str("IDLE") })
        .meta(TaskIsIdleTask { task_id: IDLE, core_id: 0 })
}

/// A second from this time on: 1 % idle, and 2 % of an interrupt in the rest.
fn second(recording: Recording, from: u64) -> Recording {
    let slices = (0..100).map(|slice| from + slice * (SECOND / 100));
    let recording = slices.fold(recording, |recording, at| {
        recording
            .at(at, TaskSwitchedIn { task_id: BUSY })
            .at(at + 500, IsrEnter { isr_id: 7 })
            .at(at + 700, IsrExit { isr_id: 7 })
            .at(at + 9900, TaskSwitchedIn { task_id: IDLE })
    });
    recording.at(from + SECOND, Valmarker { valmarker_id: 1, val: 1 })
}

/// Two seconds, with 23 seconds between them that were not recorded: stopped and started again, or lost.
fn with_a_gap(lost: bool) -> Recording {
    let before = second(start(0), 0);
    let later = 24 * SECOND;
    let between = match lost {
        true => before.at(later, DroppedEvtCnt { cnt: 1000 }),
        false => before.raw(&start(later).0),
    };
    second(between, later)
}

fn stats_of(inputs: &[Input<'_>], options: &Options) -> Stats {
    let mut stats = Stats::default();
    convert(inputs, options, &mut stats).unwrap();
    stats
}

fn whole(recording: &Recording) -> Stats {
    stats_of(&[Input::from_bytes("r", &recording.0)], &Options::default())
}

fn core(stats: &Stats) -> &CoreStats {
    stats.cores().next().unwrap()
}

/// To a hundredth of a percent.
#[track_caller]
fn assert_about(part: i64, whole: i64, expected: f64) {
    let share = part as f64 / whole as f64;
    assert!((share - expected).abs() < 1e-4, "{part} of {whole}: {share}, not {expected}");
}

#[test]
fn the_load_is_of_known_time() {
    for lost in [false, true] {
        let stats = whole(&with_a_gap(lost));
        assert_eq!(stats.length_ns(), 25 * NS);
        let core = core(&stats);
        assert_eq!(core.known_ns, 2 * NS, "{lost}");
        assert_about(core.busy_ns(), core.known_ns, 0.99);
        let shares: Vec<_> = core.load.shares(stats.length_ns()).collect();
        let (first, last) = (shares[0].unwrap(), shares.last().unwrap().unwrap());
        assert!((first - 0.99).abs() < 0.01 && (last - 0.99).abs() < 0.01, "{shares:?}");
        let unknown = shares.iter().filter(|share| share.is_none()).count();
        // Rows with a part of the known time show it.
        assert!(unknown + 4 >= shares.len() * 23 / 25, "{shares:?}");
        assert!(shares.iter().flatten().all(|share| *share > 0.98), "{shares:?}");
    }
}

#[test]
fn shares_of_tasks_and_interrupts_are_of_known_time() {
    for lost in [false, true] {
        let stats = whole(&with_a_gap(lost));
        let task = |name| stats.tasks().find(|task| task.name == name).unwrap();
        assert_about(task("busy").run_ns, task("busy").known_ns, 0.97);
        assert_about(task("IDLE").run_ns, task("IDLE").known_ns, 0.01);
        let isr = stats.isrs().next().unwrap();
        assert_about(isr.own_ns, isr.recorded_ns, 0.02);
        // The report of a loss may end it; otherwise the next event.
        assert_eq!((stats.recorded_ns(), core(&stats).recorded_ns), (2 * NS, 2 * NS));
    }
}

/// Windows that begin or end in the gap, or are inside it.
#[test]
fn windows_are_as_the_whole() {
    let recording = with_a_gap(false);
    let part = |from: i64, to: i64| {
        let mut options = Options::default();
        let moment = |s: i64| Some(tband_conv::clock::moment::Moment::Ns((s * NS).unsigned_abs()));
        (options.from, options.to) = (moment(from), moment(to));
        stats_of(&[Input::from_bytes("r", &recording.0)], &options)
    };
    for (from, to, known) in [(0, 10, 1), (10, 25, 1), (0, 25, 2), (5, 20, 0)] {
        let stats = part(from, to);
        assert_eq!(stats.length_ns(), (to - from) * NS);
        let core = core(&stats);
        assert_eq!(core.known_ns, known * NS, "{from} to {to}");
        if known > 0 {
            assert_about(core.busy_ns(), core.known_ns, 0.99);
        } else {
            assert!(core.load.shares(stats.length_ns()).all(|share| share.is_none()));
        }
        let task = stats.tasks().find(|task| task.name == "busy").unwrap();
        assert_eq!(task.known_ns, known * NS, "{from} to {to}");
    }
    // Where it ends is known only when it has ended.
    assert_eq!(core(&part(10, 25)).recorded_ns, NS);
}

/// Before the first switch, and where only interrupts are recorded, it is unknown whether a core is idle.
#[test]
fn interrupts_do_not_make_an_unknown_core_busy() {
    let isr = |recording: Recording, ts| {
        recording.at(ts, IsrEnter { isr_id: 7 }).at(ts + 10, IsrExit { isr_id: 7 })
    };
    let recording = (0..50).fold(start(0), |recording, at| isr(recording, at * 100));
    let stats = whole(&recording);
    assert_eq!((core(&stats).known_ns, core(&stats).busy_ns()), (0, 0));
    assert!(core(&stats).load.shares(stats.length_ns()).all(|share| share.is_none()));
    let it = stats.isrs().next().unwrap();
    assert_about(it.own_ns, it.recorded_ns, 500.0 / 4910.0);
    let recording = isr(recording.at(5000, TaskSwitchedIn { task_id: IDLE }), 5100);
    let stats = whole(&recording.at(6000, Valmarker { valmarker_id: 1, val: 1 }));
    assert_eq!((core(&stats).known_ns, core(&stats).busy_ns()), (1_000_000, 10_000));
}

/// A core that lost events leaves the known state of the others.
#[test]
fn a_task_has_a_share_of_the_time_in_which_it_is_known() {
    let first = [BUSY, OTHER].into_iter().cycle().zip(0..100);
    let first = first.fold(start(0), |recording, (task_id, at)| {
        recording.at(at * 100, TaskSwitchedIn { task_id })
    });
    let second = Recording::default()
        .at(0, TaskSwitchedIn { task_id: IDLE })
        .at(1000, Valmarker { valmarker_id: 1, val: 1 })
        .raw(&[0xF0, 1, 0])
        .at(9000, TaskSwitchedIn { task_id: IDLE })
        .at(9900, Valmarker { valmarker_id: 1, val: 1 });
    let inputs = [Input::from_bytes("0", &first.0), Input::from_bytes("1", &second.0).on_core(1)];
    let stats = stats_of(&inputs, &Options::default());
    let task = |name| stats.tasks().find(|task| task.name == name).unwrap();
    let times = |name| (task(name).run_ns / 1000, task(name).known_ns / 1000);
    assert_eq!(times("busy"), (5000, 9900));
    assert_eq!(times("IDLE"), (1900, 1900));
    let known: Vec<_> = stats.cores().map(|core| core.known_ns / 1000).collect();
    assert_eq!(known, [9900, 1900]);
}

/// After a gap the program continues, but the number of its interruptions is unknown.
#[test]
fn interrupts_of_bare_metal_are_of_recorded_time() {
    let info = TraceInfo {
        format_version: 1,
        core_count: 1,
        flags: 0,
        kernel_version: None,
        tick_rate_hz: None,
    };
    let start = |ts| {
        let recording = Recording::default().at(ts, CoreId { core_id: 0 });
        recording.meta(TsResolutionNs { ns_per_ts: 1000 }).meta(info)
    };
    let work = |recording: Recording, from: u64| {
        (0..100).fold(recording, |recording, at| {
            let ts = from + at * 100;
            recording.at(ts, IsrEnter { isr_id: 7 }).at(ts + 25, IsrExit { isr_id: 7 })
        })
    };
    let recording = work(work(start(0), 0).raw(&start(5 * SECOND).0), 5 * SECOND);
    let stats = whole(&recording);
    let isr = stats.isrs().next().unwrap();
    assert_eq!(stats.isrs().count(), 1);
    assert_about(isr.own_ns, isr.recorded_ns, 5000.0 / (2.0 * 9925.0));
}

/// A counter has no value for unknown except an impossible one: -1.
#[test]
fn perfetto_shows_where_the_load_is_unknown() {
    let Some(engine) = Engine::find() else { return };
    for lost in [false, true] {
        let recording = with_a_gap(lost);
        let (trace, ..) = trace_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
        let file = TempFile::new("load_in_a_gap", &trace);
        let rest = "from counter join counter_track t on t.id = track_id \
                    where t.name = 'Load of core 0' and ts >= 1.1e9 and ts < 23.9e9 order by ts";
        assert!(engine.rows(&file.0, "value", rest).is_empty(), "{lost}");
        let rest = "from counter join counter_track t on t.id = track_id \
                    where t.name = 'Load of core 0' order by ts";
        let rows =
            engine.rows(&file.0, "cast(ts / 1000000 as int) || ' ' || cast(value as int)", rest);
        assert_eq!(rows, ["0 99", "1000 -1", "24000 99"], "{lost}");
    }
}
