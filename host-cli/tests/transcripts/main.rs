//! Sessions on the command line as text: each command, what it prints, and its exit code.

#![cfg(all(unix, feature = "query"))]

mod inputs;
mod session;
#[path = "../support/mod.rs"]
mod support;

use std::fs;

/// A test for each transcript.
macro_rules! transcripts {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                session::check(stringify!($name));
            }
        )*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

transcripts! {
    check
    diff_mistakes
    filters
    queries
    query_mistakes
    refused_images
    refused_inputs
    refused_sources
    rule_mistakes
    several_files
    stats
    tick_rates
    top
    why
    windows
}

/// A transcript without a line above would not be compared.
#[test]
fn each_transcript_has_a_test() {
    let files = fs::read_dir(session::FOLDER).unwrap().map(|it| it.unwrap().path());
    let texts = files.filter(|path| path.extension().is_some_and(|it| it == "txt"));
    let names = texts.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(names, NAMES);
}
