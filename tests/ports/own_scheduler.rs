//! Schedulers of the user's own, `examples/own-scheduler` and one of two cores: the recording has what the scheduler's own log has, in
//! the same order, and the timeline has no finding.

use std::collections::BTreeMap;
use std::process::Command;

use tband_conv::{Input, Options};
use tband_recordings::{on_core_ns, timeline_of, trace_of};
use tband_tests::c::Firmware;
use tband_tests::events::lines;
use tband_tests::own_log::{Field, RecordedEvent, of_packets};
use tband_tests::{archive, read, root, run, temp_dir};

/// What the log has of an event.
fn logged(line: &str) -> Option<String> {
    let mut words = line.split(' ').skip(1);
    let what = match words.next()? {
        "task_created" => "create",
        "task_to_rdy_state" => "ready",
        "task_switched_in" => "run",
        "task_deleted" => "end",
        "curtask_block_on_notify_take" => "block",
        "curtask_block_on_queue_receive" => "block_on",
        "queue_send" => "put",
        "queue_receive" => "take",
        _ => return None,
    };
    let numbers: Vec<&str> = words.filter_map(|it| Some(it.split_once('=')?.1)).collect();
    // Levels are after the queue.
    let at = usize::from(what == "put" || what == "take");
    Some(format!("{what} {}", numbers.get(at).copied().unwrap_or_default()))
}

#[test]
fn a_custom_scheduler_is_recorded_as_in_its_log() {
    let folder = temp_dir();
    let example = root().join("examples/own-scheduler");
    let program = folder.path().join("program");
    let mut compile = Command::new("cc");
    compile.args(["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2"]);
    for name in ["examples/own-scheduler/config", "include", "port"] {
        compile.arg("-I").arg(root().join(name));
    }
    compile.arg(example.join("main.c")).arg(example.join("scheduler.c"));
    compile.arg(root().join("port/tband_shim.c")).arg(archive()).arg("-o").arg(&program);
    run(&mut compile);
    run(Command::new(&program).current_dir(folder.path()));

    let recording = std::fs::read(folder.path().join("trace.bin")).expect("a recording");
    let log = read(folder.path().join("log.txt"));
    // The log has the running task of each wait, which the recording has by its last switch.
    let mut running = String::new();
    let recorded: Vec<String> = lines(&recording)
        .iter()
        .filter_map(|line| logged(line))
        .map(|line| {
            if let Some(task) = line.strip_prefix("run ") {
                task.clone_into(&mut running);
            }
            if line.starts_with("block ") { format!("block {running}") } else { line }
        })
        .collect();
    assert!(recorded.len() > 400, "{}", recorded.len());
    assert_eq!(recorded, log.lines().collect::<Vec<_>>());

    let (_, summary) = timeline_of(&[Input::from_bytes("r", &recording)], &Options::default());
    assert_eq!(summary.diagnostics.iter().count(), 0, "{:?}", summary.diagnostics);
}

/// An event as the log of `tests/c/cores/own_scheduler.c` has it. A wait's last field is its timeout, which the log has not.
fn logged_by_core(event: &RecordedEvent) -> String {
    let mut words = vec![event.time.to_string(), event.name.clone()];
    words.extend(event.fields.iter().filter_map(|(_, value)| match value {
        Field::Number(number) => Some(number.to_string()),
        Field::Text(_) => None,
    }));
    if event.name.starts_with("curtask_block_on") {
        words.pop();
    }
    words.join(" ")
}

/// Time on a core, and switches to the task.
type Runs = BTreeMap<String, (i64, u64)>;

/// Returns what the log has of each core, and of each task, by its name. `names` are those of the tasks by their numbers.
fn expected<'l>(log: &'l str, names: &mut BTreeMap<&'l str, &'l str>) -> ([Vec<String>; 2], Runs) {
    let (mut events, mut runs) = ([Vec::new(), Vec::new()], Runs::new());
    let mut running: [Option<(&str, i64)>; 2] = [None, None];
    let mut now = 0;
    let mut leave = |running: Option<(&str, i64)>, now: i64, switches: u64| {
        if let Some((name, since)) = running {
            let run = runs.entry(name.to_owned()).or_default();
            *run = (run.0 + (now - since) * 10, run.1 + switches);
        }
    };
    for line in log.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["name", number, name] => {
                names.insert(number, name);
            }
            // The timeline ends with the last event.
            ["stop"] => running.iter_mut().for_each(|core| leave(core.take(), now, 0)),
            [time, core, event, ..] => {
                now = time.parse().expect("a time");
                let core: usize = core.parse().expect("a core");
                events[core].push([&[time], &words[2..]].concat().join(" "));
                if event == "task_switched_in" {
                    leave(running[core].take(), now, 0);
                    running[core] = Some((names[words[3]], now));
                    leave(running[core], now, 1);
                }
            }
            _ => panic!("{line}"),
        }
    }
    (events, runs)
}

#[test]
fn a_scheduler_of_two_cores_is_recorded_as_in_its_log() {
    let config = [
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configFORMAT", "TBAND_FORMAT_PACKETS"),
        ("tband_configUSE_SCHEDULER", "1"),
        ("tband_configMETADATA_BUF_SIZE", "4096"),
        ("tband_configPACKET_COUNT", "64"),
        ("tband_portNUMBER_OF_CORES", "2"),
        ("FAKE_HAS_NO_TRANSPORT", "1"),
        ("FAKE_LOCK", "1"),
    ];
    let firmware = Firmware::new("own_scheduler", &config);
    for seed in 0..20 {
        let folder = temp_dir();
        let at = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
        let _ = firmware.run(&[&seed.to_string(), &at("log"), &at("first"), &at("second")]);
        let log = read(at("log"));
        let (first, between) = log.split_once("stop\n").expect("the first recording's end");
        let (between, second) = between.split_once("start\n").expect("the second recording");
        let mut names = BTreeMap::new();
        for (name, log) in [("first", &format!("{first}stop")), ("second", &second.to_owned())] {
            let recording = std::fs::read(at(name)).expect("a recording");
            let (events, runs) = expected(log, &mut names.clone());
            let recorded = of_packets(&recording, 2, name == "second");
            for (core, events) in events.iter().enumerate() {
                let recorded: Vec<_> =
                    recorded.cores[core].events.iter().map(logged_by_core).collect();
                assert!(events.len() > 50, "{seed}, {name}, core {core}: {}", events.len());
                assert_eq!(&recorded, events, "{seed}, {name}, core {core}");
            }
            let input = [Input::from_bytes("r", &recording)];
            let (_, stats, summary) = trace_of(&input, &Options::default());
            assert_eq!(summary.diagnostics.iter().count(), 0, "{seed}: {:?}", summary.diagnostics);
            if name == "first" {
                let ran = stats.tasks().filter(|task| task.switches > 0);
                let ran: Runs = ran
                    .map(|task| (task.name.clone(), (on_core_ns(task), task.switches)))
                    .collect();
                assert_eq!(ran, runs, "{seed}");
                let _ = expected(log, &mut names);
                let _ = expected(between, &mut names);
            }
        }
    }
}
