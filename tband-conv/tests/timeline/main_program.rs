//! The program of a core without an RTOS has a name, and its own time.

use tband_conv::item::Mode;
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event::{self, *};
use tband_format::registry::MAIN_PROGRAM;
use tband_recordings::{Engine, Recording, TempFile, assert_timeline, str, timeline_of, trace_of};

fn info(flags: u32) -> Event<'static> {
    TraceInfo { format_version: 1, core_count: 1, flags, kernel_version: None, tick_rate_hz: None }
}

/// A timer that counts nanoseconds, and the recording's information about itself.
fn bare_metal() -> Recording {
    Recording::default().meta(TsResolutionNs { ns_per_ts: 1 }).meta(info(0))
}

/// An interrupt of 10 ns in 100 ns.
fn work(recording: Recording) -> Recording {
    let mark = |text| Evtmarker { evtmarker_id: 1, msg: str(text) };
    recording
        .at(1000, mark("a"))
        .at(1040, IsrEnter { isr_id: 3 })
        .at(1050, IsrExit { isr_id: 3 })
        .at(1100, mark("b"))
}

/// Names of tasks and for how long they ran, and how many interrupts there are.
fn tasks(recording: &Recording, options: &Options) -> (Vec<(String, i64)>, usize) {
    let (_, stats, _) = trace_of(&[Input::from_bytes("r", &recording.0)], options);
    let tasks = stats.tasks().map(|task| (task.name.clone(), task.run_ns)).collect();
    (tasks, stats.isrs().count())
}

fn main_of(name: &str, ns: i64) -> (Vec<(String, i64)>, usize) {
    (vec![(name.to_owned(), ns)], 1)
}

#[test]
fn the_main_program_runs_between_interrupts() {
    assert_timeline(
        &work(bare_metal()),
        "1000 0 main: unknown -> running\n\
         1000 0 evtmarker 1: \"a\"\n\
         1040 0 isr 3 begins\n\
         1050 0 isr 3 ends\n\
         1100 0 evtmarker 1: \"b\"\n\
         1100 0 main: runs on\n\
         1100 end\n",
    );
    assert_eq!(tasks(&work(bare_metal()), &Options::default()), main_of("main", 90));
}

/// The name is reported as one of an interrupt that cannot be, wherever it is.
#[test]
fn the_target_may_name_it() {
    let name = IsrName { isr_id: MAIN_PROGRAM, name: str("pump") };
    let first = work(bare_metal().meta(name));
    let last = work(bare_metal()).meta(name);
    for recording in [first, last] {
        assert_eq!(tasks(&recording, &Options::default()), main_of("pump", 90));
    }
}

/// CMSIS gives exceptions numbers below 0, `SysTick_IRQn` is -1: they are interrupts with names.
#[test]
fn exceptions_of_cmsis_are_interrupts() {
    for number in (-15..0).filter(|number| *number != -7) {
        let isr_id = number as u32;
        let recording = bare_metal()
            .meta(IsrName { isr_id: MAIN_PROGRAM, name: str("pump") })
            .meta(IsrName { isr_id, name: str("tick") })
            .at(1000, IsrEnter { isr_id })
            .at(1010, IsrExit { isr_id });
        let input = [Input::from_bytes("r", &recording.0)];
        let (text, summary) = timeline_of(&input, &Options::default());
        assert!(text.contains("tick begins") && text.contains("tick ends"), "{text}");
        assert!(text.contains("pump: unknown -> running"), "{text}");
        assert!(summary.diagnostics.is_clean(), "{text}");
    }
}

/// Recordings from before the present number have -1. Where an interrupt of that number runs, it is SysTick.
#[test]
fn its_former_number_is_known() {
    let former = IsrName { isr_id: u32::MAX, name: str("pump") };
    let named = || work(bare_metal().meta(former));
    assert_eq!(tasks(&named(), &Options::default()), main_of("pump", 90));
    let packets = Recording(tband_recordings::packed::packed(&named().0, 512));
    assert_eq!(tasks(&packets, &Options::default()).0, main_of("pump", 90).0);
    let recording = named();
    let input = [Input::from_bytes("r", &recording.0)];
    let (text, _) = timeline_of(&input, &Options::default());
    assert!(!text.contains("isr pump"), "{text}");
    let ticks = work(bare_metal().meta(former).at(1000, IsrEnter { isr_id: u32::MAX }))
        .at(1100, IsrExit { isr_id: u32::MAX });
    let (names, _) = tasks(&ticks, &Options::default());
    assert_eq!(names[0].0, "main");
    // The present number counts.
    let both = bare_metal().meta(former).meta(IsrName { isr_id: MAIN_PROGRAM, name: str("app") });
    assert_eq!(tasks(&work(both), &Options::default()), main_of("app", 90));
}

#[test]
fn each_core_has_one() {
    let recording = work(bare_metal().at(0, CoreId { core_id: 1 }));
    let recording = recording.at(0, CoreId { core_id: 0 }).at(1020, IsrExit { isr_id: 9 });
    let (tasks, _) = tasks(&recording, &Options::default());
    let expected = [("main (core 0)", 100), ("main (core 1)", 90)];
    assert_eq!(tasks, expected.map(|(name, ns)| (name.to_owned(), ns)));
}

/// A core that only has names or padding has no known activity.
#[test]
fn a_core_without_an_event_has_none() {
    let recording = work(bare_metal()).0;
    let alone = tasks(&Recording(recording.clone()), &Options::default());
    let silent = Recording::default().meta(IsrName { isr_id: 3, name: str("DMA") }).0;
    for other in [vec![0; 64], silent, Vec::new()] {
        let inputs =
            [Input::from_bytes("0", &recording), Input::from_bytes("1", &other).on_core(1)];
        let stats = trace_of(&inputs, &Options::default()).1;
        let tasks: Vec<_> = stats.tasks().map(|task| (task.name.clone(), task.run_ns)).collect();
        assert_eq!(tasks, alone.0, "{other:?}");
    }
}

/// Interrupts and markers are lost; the program is still there.
#[test]
fn a_gap_does_not_end_it() {
    let value = |val| Valmarker { valmarker_id: 1, val };
    let recording = work(bare_metal()).at(2000, DroppedEvtCnt { cnt: 7 });
    let recording = recording.at(2000, value(2)).at(3000, value(3));
    let inputs = [Input::from_bytes("r", &recording.0)];
    let (text, _) = timeline_of(&inputs, &Options::default());
    assert!(text.contains("7 events lost"), "{text}");
    assert_eq!(text.matches("main: unknown -> running").count(), 1, "{text}");
    assert_eq!(text.matches("main: ").count(), 2, "it runs on at the end: {text}");
}

#[test]
fn an_rtos_recording_has_no_main_program() {
    let switch = TaskSwitchedIn { task_id: 7 };
    let silent = || Recording::default().meta(TsResolutionNs { ns_per_ts: 1 });
    let none = |recording: Recording| {
        let (tasks, _) = tasks(&work(recording), &Options::default());
        assert!(tasks.iter().all(|(name, _)| !name.starts_with("main")), "{tasks:?}");
    };
    none(Recording::default().meta(TsResolutionNs { ns_per_ts: 1 }).meta(info(1)));
    none(bare_metal().at(900, switch));
    none(silent());
    // Unless the reader requests it.
    let mut options = Options::default();
    options.mode = Mode::BareMetal;
    assert_eq!(tasks(&work(silent()), &options), main_of("main", 90));
    // An empty recording has none either.
    let mut stats = Stats::default();
    convert(&[Input::from_bytes("r", &bare_metal().0)], &Options::default(), &mut stats).unwrap();
    assert_eq!(stats.tasks().count(), 0);
}

/// In Perfetto the main program is a thread, scheduled like a task, and interrupts interrupt it.
#[test]
fn perfetto_shows_it_as_a_thread() {
    let Some(engine) = Engine::find() else { return };
    let recording = work(bare_metal());
    let (trace, ..) = trace_of(&[Input::from_bytes("r", &recording.0)], &Options::default());
    let file = TempFile::new("main_program", &trace);
    let column = "name || ' ' || ts || ' ' || dur || ' cpu ' || cpu";
    let rest = "from sched join thread using (utid) where utid != 0 order by ts";
    let rows = engine.rows(&file.0, column, rest);
    assert_eq!(rows, ["main 1000 40 cpu 0", "ISR 3 1040 10 cpu 0", "main 1050 50 cpu 0"]);
}
