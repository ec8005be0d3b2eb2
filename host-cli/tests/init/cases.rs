//! Projects as texts, `cases/*.txt`: what `init` finds in each of them, and the lines that it adds.
//!
//! A line at the left edge is a command, or explains if it begins with `#`:
//!
//! - `project`: an empty project follows.
//! - `file NAME`: a file has the text of the following lines that begin with `|`; after `|\` the last one has no end. `file NAME = CONFIG`:
//!   it has this text of `main.rs`.
//! - `remove NAME`
//! - `init OPTIONS; show NAMES`: `init` is called, and undone. The indented lines after it are its exit code (`? `) unless that is 0, its
//!   messages, the folders that it writes, the lines that it changes in each file, and the named files of `init` without their comments.
//!
//! After an intended change run the tests with `TBAND_OVERWRITE=1` in the environment and inspect the difference.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use crate::support::approved;
use crate::{CONFIG, LISTS, LOOP, MAIN, Project, TASK_H};

/// A test for each file.
macro_rules! cases {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                let path = concat!(
                    env!("CARGO_MANIFEST_DIR"), "/tests/init/cases/", stringify!($name), ".txt"
                );
                approved(path, &run(&fs::read_to_string(path).unwrap()));
            }
        )*
    };
}

cases! {
    builds
    chips
    forms
    kits
    layouts
    recorders
}

/// Returns the text with the results as they are now.
fn run(cases: &str) -> String {
    let (mut text, mut project) = (String::new(), Project::of(&[]));
    // Changes of files that are shown above.
    let mut seen = BTreeSet::new();
    let mut lines = cases.lines().peekable();
    while let Some(line) = lines.next() {
        writeln!(text, "{line}").unwrap();
        let (line, names) = line.split_once("; show ").unwrap_or((line, ""));
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "" | "#" => {}
            "project" => project = Project::of(&[]),
            "file" => {
                let mut content = String::new();
                while let Some(line) = lines.next_if(|line| line.starts_with('|')) {
                    writeln!(text, "{line}").unwrap();
                    if line == r"|\" {
                        content.pop();
                    } else {
                        let line = line.strip_prefix("| ").unwrap_or_default();
                        writeln!(content, "{line}").unwrap();
                    }
                }
                match rest.split_once(" = ") {
                    Some((name, known)) => project.put(name, text_of(known)),
                    None => project.put(rest, &content),
                }
            }
            "remove" => fs::remove_file(project.path(rest)).unwrap(),
            "init" => {
                let mut code = 0;
                while let Some(line) = lines.next_if(|line| line.starts_with("    ")) {
                    code = line.strip_prefix("    ? ").map_or(code, |it| it.parse().unwrap());
                }
                let options: Vec<_> = rest.split_whitespace().collect();
                let results = if code == 2 {
                    project.refused(&options)
                } else {
                    changes(&project, &options, code, names, &mut seen)
                };
                let results = results.replace(project.path.to_str().unwrap(), "FOLDER");
                let code = (code != 0).then(|| format!("? {code}"));
                for line in code.iter().map(String::as_str).chain(results.lines()) {
                    if !line.trim().is_empty() {
                        writeln!(text, "    {}", line.trim_end()).unwrap();
                    }
                }
            }
            _ => panic!("what is “{line}”?"),
        }
    }
    text
}

/// Returns a text that many projects have.
fn text_of(name: &str) -> &'static str {
    match name {
        "CONFIG" => CONFIG,
        "LISTS" => LISTS,
        "LOOP" => LOOP,
        "MAIN" => MAIN,
        "TASK_H" => TASK_H,
        _ => panic!("no text {name}"),
    }
}

/// Messages, folders and changes of a project that is not refused.
fn changes(
    project: &Project,
    options: &[&str],
    code: i32,
    names: &str,
    seen: &mut BTreeSet<(String, String)>,
) -> String {
    let mut results = String::new();
    project.cycle_with_patch(options, code, |project, printed, patch| {
        // How many files there are is no matter of the project.
        let is_shown = |line: &&str| !line.starts_with("written ");
        results.extend(printed.lines().filter(is_shown).flat_map(|line| [line, "\n"]));
        writeln!(results, "folders     {}", folders(project)).unwrap();
        for (name, lines) in changed_lines(patch) {
            let change = (name, lines);
            let is_known = seen.contains(&change);
            let lines = if is_known { "  as above\n" } else { &change.1 };
            write!(results, "{}:\n{lines}", change.0).unwrap();
            seen.insert(change);
        }
        for name in names.split_whitespace() {
            writeln!(results, "{name}:").unwrap();
            let text = project.text(name);
            let is_code = |line: &&str| !["/*", " *", "//"].iter().any(|it| line.starts_with(it));
            for line in text.lines().filter(is_code).filter(|line| !line.is_empty()) {
                writeln!(results, "  {line}").unwrap();
            }
        }
    });
    results
}

/// The folders that are written: those of the SDK, and of its libraries and ports.
fn folders(project: &Project) -> String {
    let mut folders = BTreeSet::new();
    for name in project.files().keys() {
        let parts: Vec<_> = name.split('/').collect();
        match parts[..] {
            ["tband", folder @ ("lib" | "port"), one, _, ..] => {
                folders.insert([folder, one].join("/"))
            }
            ["tband", one, _, ..] => folders.insert(one.to_owned()),
            ["tband-config", ..] => folders.insert("tband-config".to_owned()),
            _ => false,
        };
    }
    folders.into_iter().collect::<Vec<_>>().join(" ")
}

/// The files of a patch with the changed lines, and the line before each group of them.
fn changed_lines(patch: &str) -> Vec<(String, String)> {
    let (mut files, mut before) = (Vec::new(), None);
    for line in patch.lines() {
        if let Some(name) = line.strip_prefix("--- a/") {
            files.push((name.to_owned(), String::new()));
        } else if line.starts_with("@@") {
            before = None;
        } else if line.starts_with(' ') {
            before = Some(line);
        } else if !line.starts_with("+++ ")
            && let Some((_, lines)) = files.last_mut()
        {
            for line in before.take().into_iter().chain([line]) {
                writeln!(lines, "  {line}").unwrap();
            }
        }
    }
    files
}
