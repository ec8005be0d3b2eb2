//! Makes each known mistake in a small project, and compares the message of the build or of `tband-cli check` with the
//! tables beside this file. The guide's tables of messages are generated from them.
//!
//! `TBAND_OVERWRITE=1 cargo test -p tband-cli --test mistakes` rewrites the guide's tables.

mod by_hand;
mod doctor;
mod doctor_builds;
mod doctor_starts;
mod make;
mod mistake;
mod page;
mod project;

use tband_tests::{read, root, write};

use mistake::MistakeKind;
use project::{Project, tband_cli};

#[track_caller]
fn assert_none_is_silent(title: &str) {
    let kinds = MistakeKind::all();
    let kind = kinds.iter().find(|kind| kind.title == title).expect("a table");
    let mut wrong = Vec::new();
    for mistake in kind.mistakes.iter().chain(&kind.correct) {
        let (what, output) = (&mistake.what, mistake.make());
        for text in mistake.messages.iter().filter(|text| !output.contains(*text)) {
            wrong.push(format!("--- {what}: no “{text}” in:\n{output}"));
        }
        for text in mistake.lacks.iter().filter(|text| output.contains(*text)) {
            wrong.push(format!("--- {what}: “{text}” in:\n{output}"));
        }
        if mistake.messages.is_empty() && !output.is_empty() {
            wrong.push(format!("--- {what}:\n{output}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn reports_mistakes_of_the_build() {
    assert_none_is_silent("Building and linking");
}

#[test]
fn reports_mistakes_of_the_configuration() {
    assert_none_is_silent("tband_config.h");
}

#[test]
fn reports_mistakes_of_the_port() {
    assert_none_is_silent("tband_port.h");
}

#[test]
fn reports_mistakes_of_the_integration() {
    assert_none_is_silent("FreeRTOS");
}

#[test]
fn check_reports_mistakes_at_run_time() {
    assert_none_is_silent("At run time");
}

/// What all of them are variations of.
#[test]
fn a_correct_configuration_has_no_report() {
    let project = Project::new();
    for name in ["tband_config.h", "tband_port.h"] {
        tband_cli(&["config"], &project.path(name), 0);
    }
}

#[test]
fn the_mistakes_are_many_and_distinct() {
    let kinds = MistakeKind::all();
    let count: usize = kinds.iter().map(|kind| kind.mistakes.len()).sum();
    assert!(count >= 50, "{count}");
    for kind in &kinds {
        for (index, mistake) in kind.mistakes.iter().enumerate() {
            let position = kind.mistakes.iter().position(|other| other.what == mistake.what);
            assert_eq!(position, Some(index), "{}", mistake.what);
            assert!(!mistake.messages.is_empty(), "{}", mistake.what);
        }
    }
}

#[test]
fn the_guide_has_them() {
    let path = root().join("docs/src/guide/start/troubleshooting.md");
    let there = read(&path);
    let text = page::with_messages(&there);
    if std::env::var_os("TBAND_OVERWRITE").is_some() {
        write(&path, &text);
    }
    assert!(read(&path) == text, "{} should be:\n{text}", path.display());
}
