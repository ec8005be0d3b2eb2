//! A scheduler of the user's own, `examples/own-scheduler`: the recording has what the scheduler's own log has, in the same order, and
//! the timeline has no finding.

use std::process::Command;

use tband_conv::{Input, Options};
use tband_recordings::timeline_of;
use tband_tests::events::lines;
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
