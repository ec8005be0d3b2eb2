//! Every command that the guide shows works, with the documented exit code.

use std::fs;
use std::path::Path;

use crate::support::served::run_line;
use crate::support::*;

/// The page on looking at recordings, and those that it lists.
fn guide() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/guide");
    let mut guide = fs::read_to_string(folder.join("viewing.md")).unwrap();
    let linked = guide.lines().filter(|line| line.starts_with("| "));
    let linked = linked.filter_map(|line| line.rsplit_once("](")?.1.strip_suffix(") |"));
    // A program reports the features that it was built without.
    let linked = linked.filter(|page| cfg!(feature = "query") || !page.ends_with("rules.md"));
    let linked: Vec<_> =
        linked.map(|page| fs::read_to_string(folder.join(page)).unwrap()).collect();
    assert!(linked.len() >= 8);
    guide.extend(linked);
    let queries = cfg!(feature = "query").then_some("tables/queries.md");
    let more = ["exports.md"].into_iter().chain(queries);
    more.fold(guide, |guide, page| guide + &fs::read_to_string(folder.join(page)).unwrap())
}

#[test]
fn commands_of_the_guide_work() {
    let guide = guide();
    let folder = with_examples("guide");
    let mut count = 0;
    for line in guide.lines().filter_map(|line| line.strip_prefix("    ")) {
        let (command, comment) = line.split_once(" # ").unwrap_or((line, ""));
        // A folder of tables, which are Parquet files.
        let is_missing = !cfg!(feature = "parquet") && command.split(' ').any(|it| it == "fleet");
        // The output of `check` names commands too.
        let is_output = command.trim_start().starts_with("see ");
        if !command.contains("tband-cli ") || is_missing || is_output {
            continue;
        }
        let ran = run_line(&folder, command.trim());
        let code = comment.trim().strip_prefix("exit code ").map_or("0", |text| {
            text.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default()
        });
        let actual = ran.code.unwrap_or(-1).to_string();
        assert_eq!(actual, code, "{command}: {}", ran.stderr);
        count += 1;
    }
    assert!(count >= 20, "only {count} commands found");
}

/// Each page of the guide that shows a command, as far as commands go.
fn pages_with(command: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/guide");
    let (mut files, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (inner, here): (Vec<_>, Vec<_>) = entries.partition(|it| it.is_dir());
        folders.extend(inner);
        files.extend(here);
    }
    files.sort();
    let pages = files.iter().filter(|it| it.extension().is_some_and(|it| it == "md"));
    let pages = pages.map(|it| fs::read_to_string(it).unwrap());
    pages.filter(|page| page.contains(&format!("tband-cli {command}"))).collect()
}

#[test]
fn the_guide_names_every_flag() {
    let mut count = 0;
    for command in commands().iter().filter(|it| !it.is_empty()) {
        // Their common options are on the page on looking at recordings.
        let guide = pages_with(command) + &guide();
        assert!(guide.contains(&format!("tband-cli {command}")), "no page shows {command}");
        let help = run(&[command, "-h"]).text();
        for word in help.split_ascii_whitespace().filter(|word| word.starts_with("--")) {
            let flag = word.trim_end_matches(['.', ',', ';']);
            let is_of_all = ["--help", "--verbose"].contains(&flag);
            assert!(is_of_all || guide.contains(flag), "{flag} of {command}");
            count += 1;
        }
    }
    assert!(count > 60, "only {count} flags found");
}

/// The page of commands has a row for each command, in the order of the help.
#[test]
fn the_page_of_commands_has_each() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/reference/commands.md");
    let page = fs::read_to_string(path).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let rows: Vec<&str> = rows.filter(|it| cfg!(feature = "query") || *it != "query").collect();
    let all = commands();
    assert_eq!(rows, all.iter().filter(|it| !it.is_empty()).collect::<Vec<_>>());
}

/// The page on `check` shows lines that the program prints, in that order.
#[test]
fn the_guide_shows_what_check_prints() {
    let folder = with_examples("guide-check");
    let checked = finish(cli(&["check", "damaged.bin"]).current_dir(&folder.0)).text();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/guide/viewing/check.md");
    let page = fs::read_to_string(page).unwrap();
    let shown = page.lines().skip_while(|line| !line.starts_with("    damaged.bin: "));
    let shown = shown.take_while(|line| line.is_empty() || line.starts_with("    "));
    let shown: Vec<&str> = shown.filter_map(|line| line.strip_prefix("    ")).collect();
    assert!(shown.len() >= 10, "{shown:?}");
    let mut printed = checked.lines();
    for line in shown {
        assert!(
            printed.any(|it| it == line),
            "{line} is not in, or not in the order of:\n{checked}"
        );
    }
}

/// The recordings of one program by three recorders, by the names that the guide gives them.
#[cfg(feature = "query")]
const SAME_PROGRAM: [(&str, &str); 3] = [
    ("tband.bin", "tband/packets.bin"),
    ("systemview.bin", "systemview/default.bin"),
    ("tracerecorder.psf", "percepio/4.11-stream.psf"),
];

/// The page on other recorders shows what a command prints of the same program in three recorders, and how much each recorded.
#[test]
#[cfg(feature = "query")]
fn the_guide_compares_the_same_program_in_three_recorders() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/src/guide/start/moving.md")).unwrap();
    let folder = Folder::new("guide-moving");
    for (name, recording) in SAME_PROGRAM {
        let from = root.join(format!("tband-import/tests/recordings/{recording}.gz"));
        fs::copy(from, folder.path(name)).unwrap();
    }
    let (_, shown) = page.split_once("```text\n").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let (command, table) = shown.split_once("\n\n").unwrap();
    let ran = run_line(&folder, command).assert_code(0);
    assert_eq!(ran.text(), table);

    let row = |begin: &str| page.lines().find(|line| line.starts_with(begin)).unwrap();
    for (place, (name, _)) in SAME_PROGRAM.iter().enumerate() {
        let stats = run(&["stats", "--json", &folder.path(name)]).stdout;
        let stats: serde_json::Value = serde_json::from_slice(&stats).unwrap();
        let number = |name: &str| {
            stats["recording"][name].as_f64().unwrap_or_else(|| panic!("{name}: {stats}"))
        };
        let (bytes, events, ms) = (number("bytes"), number("events"), number("length_ns") / 1e6);
        for (begin, expected) in [
            ("| bytes in a millisecond ", format!("{:.0}", bytes / ms)),
            ("| bytes for each event shown ", format!("{:.1}", bytes / events)),
            ("| recording ", format!("{bytes} bytes in {ms:.0} ms")),
        ] {
            assert_eq!(row(begin).split('|').nth(place + 2).unwrap().trim(), expected, "{name}");
        }
    }
}
