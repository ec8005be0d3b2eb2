//! Two boards that run FreeRTOS with the same numbers and names, aligned: each command and each format shows both.

use crate::support::*;
use tband_recordings::boards::Board;

const ALIGN: [&str; 2] = ["--align", "clock-sync"];

/// Frames of a board with one core, and packets of one with two.
fn boards(folder: &Folder) -> [String; 2] {
    let two = Board { cores: 2, ppm: 40.0, begin_ns: 3e6, ..Board::new(false, 2500) };
    let one = folder.file("one.bin", &Board::new(true, 1000).frames());
    let other = folder.file("other.bin", &two.packets(512));
    [format!("{one}@0"), format!("{other}@1")]
}

fn ask(command: &[&str], inputs: &[String; 2]) -> String {
    let inputs = inputs.iter().map(String::as_str);
    let args: Vec<&str> = command.iter().copied().chain(ALIGN).chain(inputs).collect();
    let ran = run(&args);
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

#[test]
fn each_format_has_the_objects_of_both_boards() {
    let folder = Folder::new("export-boards");
    let inputs = boards(&folder);
    for (format, names) in [
        ("perfetto", ["one.sensor", "other.sensor", "one.jobs", "other.jobs", "worker"]),
        ("chrome", ["one.sensor", "other.sensor", "one.log", "other.log", "worker"]),
        ("speedscope", ["one.sensor", "other.sensor", "one.log", "other.log", "worker"]),
        ("qs", ["one.sensor", "other.sensor", "one.jobs", "other.jobs", "worker"]),
        ("vcd", ["one_sensor", "other_sensor", "one_jobs", "other_jobs", "worker"]),
    ] {
        let text = ask(&["conv", "--output-format", format, "-o", "-"], &inputs);
        for name in names {
            assert!(text.contains(name), "{format}: {name}");
        }
    }
    let folder_of_trace = folder.path("trace");
    ask(&["conv", "--output-format", "ctf1", "-o", &folder_of_trace], &inputs);
    for core in ["core0", "core1", "core2"] {
        assert!(std::path::Path::new(&folder_of_trace).join(core).exists(), "{core}");
    }
}

#[test]
fn each_command_has_the_objects_of_both_boards() {
    let folder = Folder::new("look-boards");
    let inputs = boards(&folder);
    let check = ask(&["check", "--json"], &inputs);
    assert!(check.contains("\"tasks\": 8") && check.contains("\"interrupts\": 2"), "{check}");
    let stats = ask(&["stats"], &inputs);
    for name in ["one.sensor", "other.sensor", "IDLE1", "one.tick", "other.tick", "one.level"] {
        assert!(stats.contains(name), "{name}: {stats}");
    }
    assert!(stats.contains("migrations               0\n"), "{stats}");
    let dump = ask(&["dump", "--task", "other.sensor", "--event", "task_switched_in"], &inputs);
    // It causes the switches from it, too.
    assert_eq!(dump.lines().filter(|line| line.ends_with("(other.sensor)")).count(), 100);
    assert!(!dump.contains("one."), "{dump}");
    let report = folder.path("report.html");
    ask(&["report", "-o", &report], &inputs);
    let html = std::fs::read_to_string(&report).unwrap();
    assert!(html.contains("one.sensor") && html.contains("other.sensor"));
}
