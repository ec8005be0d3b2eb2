//! Recordings as text, each with what outputs must show of it.
//!
//! A file of cases has these lines; `#` begins a comment outside results:
//!
//! ```text
//! define tasks                         lines of recordings that several cases begin with
//! task_name task_id=1 name="a"
//!
//! query states                         a query for Perfetto's engine, its column first
//! state
//! from thread_state
//!
//! == a task runs                       a case: its name, and its recording
//! use tasks
//! 10 task_switched_in task_id=1        an event: its time in ticks, its name, its fields; metadata has no time
//! raw 09 09 00                         bytes as they are
//! repeat 50 every 1000                 the lines up to `end`, 50 times, each time 1000 ticks later
//! 20 tick_increment tick_count=7+2n    in a repeated line, a number that becomes greater by 2 each time
//! file core=1                          what follows is another file, here of core 1
//! -- timeline                          a result: its kind and words for it
//! 100 0 a: unknown -> running
//! ```
//!
//! A result ends at an empty line. A test gives the lines of each kind of result; `TBAND_OVERWRITE=1` in the environment
//! writes them into the file. Inspect the difference.

mod case_file;
mod event_line;
mod words;

use std::fs;
use std::path::Path;

pub use case_file::{Case, CaseFile, RecordedFile, Section};

/// Declares a test of each file of cases, in a module for each folder in `$root`, and one that no file lacks a test.
#[macro_export]
macro_rules! case_files {
    ($root:expr, $check:path; $($folder:ident: $($name:ident)*;)*) => {
        $(mod $folder {
            $(
                #[test]
                fn $name() {
                    let path = concat!($root, "/", stringify!($folder), "/", stringify!($name), ".txt");
                    $check(std::path::Path::new(path));
                }
            )*
        })*

        #[test]
        fn each_file_has_a_test() {
            let tested = [$($(concat!(stringify!($folder), "/", stringify!($name), ".txt")),*),*];
            assert_eq!($crate::cases::names($root, &[$(stringify!($folder)),*]), tested);
        }
    };
}

/// Returns the names of all files in these folders, in order.
///
/// # Panics
/// There is no such folder.
#[must_use]
pub fn names(root: &str, folders: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(Path::new(root).join(folder)).unwrap() {
            found.push(format!("{folder}/{}", entry.unwrap().file_name().display()));
        }
    }
    found.sort();
    found
}

/// Compares the results in a file with what `show` makes of each case and section now.
///
/// # Panics
/// They differ. The message names each case.
pub fn check(path: &Path, show: impl Fn(&CaseFile, &Case, &Section) -> Option<Vec<String>>) {
    let (text, file) = read(path);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut differences = String::new();
    // From the end, so that the numbers of earlier lines stay.
    for case in file.cases.iter().rev() {
        for section in case.sections.iter().rev() {
            let Some(actual) = show(&file, case, section) else { continue };
            if actual == section.expected {
                continue;
            }
            let place = format!("{}:{}", path.display(), section.body.start);
            let (expected, shown) = (section.expected.join("\n"), actual.join("\n"));
            differences +=
                &format!("\n{place}: {}\nexpected:\n{expected}\nactual:\n{shown}\n", case.name);
            lines.splice(section.body.clone(), actual);
        }
    }
    if std::env::var_os("TBAND_OVERWRITE").is_some() {
        fs::write(path, lines.join("\n") + "\n").unwrap();
    }
    assert!(differences.is_empty(), "{differences}");
}

/// Returns the first file of the recording of a case.
///
/// # Panics
/// There is no such case.
#[must_use]
pub fn recording(path: &Path, name: &str) -> Vec<u8> {
    let found = find_recording(path, name);
    found.unwrap_or_else(|| panic!("{}: no case is called {name:?}", path.display()))
}

/// The same, if there is such a case.
#[must_use]
pub fn find_recording(path: &Path, name: &str) -> Option<Vec<u8>> {
    let (_, file) = read(path);
    let case = file.cases.into_iter().find(|it| it.name == name)?;
    Some(case.files.into_iter().next().expect("a case has a file").bytes)
}

fn read(path: &Path) -> (String, CaseFile) {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = CaseFile::parse(path, &text);
    (text, file)
}
