//! The mistakes that are made with tband, each made on purpose in a small project: what the build, or
//! `tband-cli check`, says of it is what is here, and in the guide's table, which comes from this list.
//!
//! None is silent. `TBAND_OVERWRITE=1 cargo test -p tband-cli --test mistakes` writes the guide's page anew.

mod build;
mod configuration;
mod doctor;
mod integration;
mod page;
mod port;
mod project;
mod recording;

use tband_tests::{read, root, write};

/// A mistake, in the words of the guide.
struct Mistake {
    /// What was done, or left out.
    what: &'static str,
    /// What must be said, literally. The first is in the guide.
    says: &'static [&'static str],
    /// Makes the mistake; gives what is said of it.
    made: fn() -> String,
}

/// Mistakes of one kind.
struct Kind {
    title: &'static str,
    /// Who notices.
    who: &'static str,
    mistakes: &'static [Mistake],
}

const KINDS: [&Kind; 5] =
    [&build::KIND, &configuration::KIND, &port::KIND, &integration::KIND, &recording::KIND];

#[track_caller]
fn assert_none_is_silent(kind: &Kind) {
    let mut wrong = Vec::new();
    for Mistake { what, says, made } in kind.mistakes {
        let said = made();
        for text in *says {
            if !said.contains(text) {
                wrong.push(format!("--- {what}: no “{text}” in:\n{said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mistakes_of_the_build_are_said() {
    assert_none_is_silent(&build::KIND);
}

#[test]
fn mistakes_of_the_configuration_are_said() {
    assert_none_is_silent(&configuration::KIND);
}

#[test]
fn mistakes_of_the_port_are_said() {
    assert_none_is_silent(&port::KIND);
}

#[test]
fn mistakes_of_the_integration_are_said() {
    assert_none_is_silent(&integration::KIND);
}

#[test]
fn mistakes_at_run_time_are_said_by_check() {
    assert_none_is_silent(&recording::KIND);
}

/// What all of them are variations of.
#[test]
fn without_a_mistake_nothing_is_said() {
    recording::assert_sound();
}

#[test]
fn make_takes_the_library_of_the_compiler() {
    configuration::assert_make_takes_the_library_of_the_compiler();
}

#[test]
fn there_are_many_and_each_is_another() {
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
    let path = root().join("docs/src/guide/start/mistakes.md");
    let text = page::text();
    if std::env::var_os("TBAND_OVERWRITE").is_some() {
        write(&path, &text);
    }
    assert!(read(&path) == text, "{} should be:\n{text}", path.display());
}
