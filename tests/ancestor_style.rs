//! Projects as users of Tonbandgerät have them build and run unmodified: their own `tband_config.h` and port, with
//! locals in its critical section, `getenv` without `<stdlib.h>`, a start that is tried until it is 0; built by
//! CMake and by make. In `tests/ancestor_style`.

use std::collections::BTreeSet;
use std::process::Command;

use tband_tests::events::lines;
use tband_tests::{archive, kernel, root, run, temp_dir};

/// What a project records, built in this way.
fn recorded(name: &str, with_cmake: bool) -> Vec<u8> {
    let project = root().join("tests/ancestor_style").join(name);
    let build = temp_dir();
    let setting = |name: &str, path: &std::path::Path| format!("{name}={}", path.display());
    let kernel = kernel::sources();
    if with_cmake {
        let mut configure = Command::new("cmake");
        for name in ["CC", "CFLAGS", "CMAKE_GENERATOR", "RUSTFLAGS"] {
            configure.env_remove(name);
        }
        configure.arg("-S").arg(&project).arg("-B").arg(build.path());
        for (name, path) in
            [("TBAND", root()), ("TBAND_LIBRARY", archive()), ("KERNEL", kernel.as_path())]
        {
            configure.arg(format!("-D{}", setting(name, path)));
        }
        run(&mut configure);
        run(Command::new("cmake").arg("--build").arg(build.path()));
    } else {
        let mut make = Command::new("make");
        for name in ["CFLAGS", "MAKEFLAGS", "MFLAGS"] {
            make.env_remove(name);
        }
        make.arg("--no-print-directory").arg("-C").arg(&project).args([
            setting("OUT", build.path()),
            setting("TBAND", root()),
            setting("LIBTBAND", archive()),
            setting("KERNEL", &kernel),
        ]);
        run(&mut make);
    }
    let trace = build.path().join("trace.bin");
    run(Command::new(build.path().join("app")).env("TRACE_FILE", &trace));
    std::fs::read(trace).expect("a recording")
}

#[test]
fn a_sensor_without_an_rtos() {
    for with_cmake in [false, true] {
        let round = |at: u32| {
            [
                format!("{at} isr_enter isr_id=7"),
                format!("{} evtmarker evtmarker_id=0 msg=\"rdy\"", at + 1),
                format!("{} isr_exit isr_id=7", at + 2),
                format!("{} evtmarker_begin evtmarker_id=0 msg=\"acq\"", at + 3),
                format!("{} evtmarker_end evtmarker_id=0", at + 4),
                format!("{} evtmarker_begin evtmarker_id=1 msg=\"\"", at + 5),
            ]
        };
        let found = lines(&recorded("bare_metal", with_cmake));
        let names = [
            "0 core_id core_id=0",
            "- ts_resolution_ns ns_per_ts=100",
            "- isr_name isr_id=7 name=\"sensor_isr\"",
            "- evtmarker_name evtmarker_id=0 name=\"sensor\"",
            "- evtmarker_name evtmarker_id=1 name=\"dsp\"",
            "- valmarker_name valmarker_id=0 name=\"buf\"",
            "0 core_id core_id=0",
        ];
        assert_eq!(found[..names.len()], names);
        let first = found.iter().position(|line| line.contains("isr_enter")).expect("an event");
        let at = found[first].split(' ').next().and_then(|ts| ts.parse().ok()).expect("a time");
        assert_eq!(found[first..first + 6], round(at));
        assert!(found.contains(&"- evtmarker_name evtmarker_id=2 name=\"dsp\"".to_owned()));
        for (event, count) in [("isr_enter", 2), ("valmarker_id=0 val=-3", 2), ("evtmarker_end", 6)]
        {
            let times = found.iter().filter(|line| line.contains(event)).count();
            assert_eq!(times, count, "{event} in {found:?}");
        }
    }
}

#[test]
fn two_tasks_and_a_queue() {
    for with_cmake in [false, true] {
        let found = lines(&recorded("freertos", with_cmake));
        let of = |event: &str| -> Vec<&str> {
            found.iter().filter_map(|line| line.split_once(' ')?.1.strip_prefix(event)).collect()
        };
        let names: BTreeSet<_> = of("task_name").into_iter().collect();
        let tasks =
            ["1 name=\"consumer\"", "2 name=\"producer\"", "3 name=\"IDLE\"", "4 name=\"Tmr Svc\""];
        assert_eq!(
            names,
            tasks.map(|task| format!(" task_id={task}")).iter().map(String::as_str).collect()
        );
        assert_eq!(of("queue_name"), [" queue_id=1 name=\"numbers\""]);
        assert_eq!(of("task_is_idle_task"), [" task_id=3 core_id=0"]);
        assert_eq!(of("task_is_timer_task"), [" task_id=4"]);
        assert_eq!(of("task_evtmarker_name"), [" evtmarker_id=1 task_id=2 name=\"produce\""]);
        let values: Vec<_> = (0..5).map(|value| format!(" valmarker_id=1 val={value}")).collect();
        assert_eq!(of("valmarker"), values);
        assert_eq!(of("queue_receive").len(), 5);
        // Nothing was lost, though the port refused at first.
        assert!(of("dropped_evt_cnt").iter().all(|count| *count == " cnt=0"), "{found:?}");
    }
}
