//! The real kernel with `configNUMBER_OF_CORES` 2. The kernel's own SMP ports need vendors' SDKs, so it runs
//! on the port in this folder: two simulated cores, the same run each time. What the hooks record is compared
//! with what the port saw; the converter has nothing to complain of.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use tband_conv::{Input, Options, convert};
use tband_tests::c::{Standard, compiler, config_text, include, includes};
use tband_tests::events::lines;
use tband_tests::kernel::FREERTOS_CONFIG;
use tband_tests::{archive, kernel, read, root, run, temp_dir, write};

const CORES: usize = 2;

/// A run's recording, and the lines `core task` of the port: each task that it put on a core.
struct Run {
    recording: Vec<u8>,
    lines: Vec<String>,
    switches: Vec<(usize, String)>,
}

/// Compiles kernel, hooks, port and program, warnings as errors, and runs it. The kernel's configuration has
/// some lines replaced.
fn run_with(classes: &[&str], replaced: &[(&str, &str)]) -> Run {
    let folder = temp_dir();
    let classes: Vec<_> =
        classes.iter().map(|class| format!("tband_configFREERTOS_{class}_TRACE_ENABLE")).collect();
    let mut config = vec![
        ("tband_configUSE_BACKEND_STREAMING", "1"),
        ("tband_configFREERTOS_TRACE_ENABLE", "1"),
        ("tband_portISR_NUMBER()", "7"),
    ];
    config.extend(classes.iter().map(|class| (class.as_str(), "1")));
    write(folder.path().join("tband_config.h"), config_text(&config));
    let (smp, kernel) = (root().join("tests/smp"), kernel::sources());
    let mut freertos_config = format!("#include \"several_cores.h\"\n{FREERTOS_CONFIG}");
    // The simulated cores have their turns in the idle tasks' hooks.
    let idle_hook = ("configUSE_IDLE_HOOK 0", "configUSE_IDLE_HOOK 1");
    for (before, after) in replaced.iter().chain([&idle_hook]) {
        assert!(freertos_config.contains(before), "{before}");
        freertos_config = freertos_config.replace(before, after);
    }
    write(folder.path().join("FreeRTOSConfig.h"), freertos_config);
    let mut command = compiler(Standard::C11);
    // Without preemption the kernel has unused parameters.
    command.args(["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-D_GNU_SOURCE"]);
    include(&mut command, [folder.path(), &smp, &kernel.join("include"), &root().join("port")]);
    include(&mut command, includes());
    for source in ["tasks.c", "queue.c", "list.c", "timers.c", "event_groups.c", "stream_buffer.c"]
    {
        command.arg(kernel.join(source));
    }
    command.arg(kernel.join("portable/MemMang/heap_4.c"));
    command.args([smp.join("port.c"), smp.join("program.c")]);
    command.args(["port/tband_shim.c", "freertos-hooks/tband_freertos.c"].map(|c| root().join(c)));
    let program = folder.path().join("program");
    run(command.arg(archive()).args(["-lpthread", "-ldl", "-lm", "-o"]).arg(&program));

    let (recording, switches) = (folder.path().join("trace.bin"), folder.path().join("switches"));
    run(Command::new(program).args([&recording, &switches]));
    let recording = fs::read(recording).expect("a recording");
    let switches = read(switches);
    let switches = switches.lines().map(|line| {
        let (core, task) = line.split_once(' ').expect("a core and a task");
        (core.parse().expect("a core"), task.to_owned())
    });
    Run { lines: lines(&recording), recording, switches: switches.collect() }
}

/// A field's value in a line.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    line.split(' ')
        .find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
        .unwrap_or_else(|| panic!("no {name} in {line}"))
}

impl Run {
    fn of_kind<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let lines = self.lines.iter().map(String::as_str);
        lines.filter(move |line| line.split(' ').nth(1) == Some(name))
    }

    /// Numbers of tasks, by name.
    fn tasks(&self) -> BTreeMap<&str, &str> {
        let tasks = self.of_kind("task_name").map(|line| {
            let (_, name) = line.split_once(" name=\"").expect("a name");
            (name.trim_end_matches('"'), field(line, "task_id"))
        });
        tasks.collect()
    }

    /// The switches to another task that the hooks recorded, and how many there were to the same.
    fn recorded_switches(&self) -> (Vec<(usize, String)>, usize) {
        let names: BTreeMap<_, _> = self.tasks().into_iter().map(|(name, id)| (id, name)).collect();
        let mut running = [None; CORES];
        let mut core = 0;
        let (mut found, mut to_the_same) = (vec![], 0);
        for line in &self.lines {
            match line.split(' ').nth(1) {
                Some("core_id") => core = field(line, "core_id").parse().expect("a core"),
                Some("task_switched_in") => {
                    let task = names[field(line, "task_id")];
                    let other = running[1 - core];
                    assert_ne!(other, Some(task), "{task} on both cores at once: {line}");
                    if running[core].replace(task) != Some(task) {
                        found.push((core, task.to_owned()));
                    } else {
                        to_the_same += 1;
                    }
                }
                _ => {}
            }
        }
        (found, to_the_same)
    }
}

#[test]
fn idle_tasks_and_the_running_task_of_each_core_come_out_right() {
    let every_class = ["STACK", "SCHEDULER_STEP", "TICK", "API"];
    let cooperative = ("configUSE_PREEMPTION 1", "configUSE_PREEMPTION 0");
    for (classes, replaced) in
        [(&[][..], &[][..]), (&every_class, &[]), (&every_class, &[cooperative])]
    {
        let run = run_with(classes, replaced);
        let tasks = run.tasks();

        let idle: Vec<_> = run
            .of_kind("task_is_idle_task")
            .map(|line| (field(line, "task_id"), field(line, "core_id")))
            .collect();
        assert_eq!(idle, [(tasks["IDLE0"], "0"), (tasks["IDLE1"], "1")]);
        let timer: Vec<_> =
            run.of_kind("task_is_timer_task").map(|line| field(line, "task_id")).collect();
        assert_eq!(timer, [tasks["Tmr Svc"]]);

        // The kernel has no macro for the task that the second core starts with: its idle task.
        let mut seen = run.switches.clone();
        assert_eq!(seen.remove(1), (1, "IDLE1".to_owned()));
        assert!(seen.len() > 50, "{seen:?}");
        let (switches, to_the_same) = run.recorded_switches();
        assert_eq!(switches, seen);
        // Without preemption idle tasks yield all the time, usually to themselves: that is not an event.
        if replaced.contains(&cooperative) {
            assert_eq!(to_the_same, 0);
        }
        for (core, task) in seen {
            assert!((task != "producer" || core == 0) && (task != "consumer" || core == 1));
        }

        // NULL stood for the task that called.
        let affinity: Vec<_> = run
            .of_kind("task_core_affinity_set")
            .map(|line| (field(line, "task_id"), field(line, "core_mask")))
            .collect();
        assert_eq!(affinity, [(tasks["roamer"], "2")]);
        let depths = run.of_kind("mutex_recursive_take").map(|line| field(line, "depth_after"));
        let nested = depths.filter(|depth| *depth == "2").count();
        assert_eq!(nested, 8, "the consumer takes its mutex twice each time");

        let input = [Input::from_bytes("smp", &run.recording)];
        let summary = convert(&input, &Options::default(), &mut ());
        let diagnostics = summary.expect("a recording").diagnostics;
        let complaints: Vec<_> = diagnostics.iter().collect();
        assert!(diagnostics.is_clean(), "{complaints:?}");
    }
}
