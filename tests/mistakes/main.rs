//! Makes each known mistake in a small project, and compares the message of the build or of `tband-cli check` with this
//! list. The guide's tables of messages are generated from it.
//!
//! `TBAND_OVERWRITE=1 cargo test -p tband-cli --test mistakes` rewrites the guide's tables.

mod build;
mod configuration;
mod doctor;
mod doctor_builds;
mod doctor_starts;
mod integration;
mod page;
mod port;
mod project;
mod recording;

use tband_tests::{read, root, write};

/// A mistake, in the words of the guide.
struct Mistake {
    /// The cause.
    what: &'static str,
    /// Texts that the message must contain. The guide shows the first.
    messages: &'static [&'static str],
    /// Makes the mistake and returns the message.
    made: fn() -> String,
}

/// Mistakes of one kind.
struct MistakeKind {
    title: &'static str,
    /// The tool that reports it: the head of the guide's column.
    who: &'static str,
    mistakes: &'static [Mistake],
}

const KINDS: [&MistakeKind; 5] =
    [&build::KIND, &configuration::KIND, &port::KIND, &integration::KIND, &recording::KIND];

#[track_caller]
fn assert_none_is_silent(kind: &MistakeKind) {
    let mut wrong = Vec::new();
    for Mistake { what, messages, made } in kind.mistakes {
        let output = made();
        for text in *messages {
            if !output.contains(text) {
                wrong.push(format!("--- {what}: no “{text}” in:\n{output}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn reports_mistakes_of_the_build() {
    assert_none_is_silent(&build::KIND);
}

#[test]
fn reports_mistakes_of_the_configuration() {
    assert_none_is_silent(&configuration::KIND);
}

#[test]
fn reports_mistakes_of_the_port() {
    assert_none_is_silent(&port::KIND);
}

#[test]
fn reports_mistakes_of_the_integration() {
    assert_none_is_silent(&integration::KIND);
}

#[test]
fn check_reports_mistakes_at_run_time() {
    assert_none_is_silent(&recording::KIND);
}

/// What all of them are variations of.
#[test]
fn a_correct_project_has_no_report() {
    recording::assert_sound();
}

#[test]
fn make_takes_the_library_of_the_compiler() {
    configuration::assert_make_takes_the_library_of_the_compiler();
}

#[test]
fn the_mistakes_are_many_and_distinct() {
    let all: Vec<&Mistake> = KINDS.iter().flat_map(|kind| kind.mistakes).collect();
    assert!(all.len() >= 50, "{}", all.len());
    for kind in KINDS {
        for (index, mistake) in kind.mistakes.iter().enumerate() {
            let is_same = |other: &Mistake| other.what == mistake.what;
            assert_eq!(kind.mistakes.iter().position(is_same), Some(index), "{}", mistake.what);
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
