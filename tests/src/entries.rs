//! Every function and macro of the public headers, as `tests/entries/calls.h` calls them.

use std::collections::BTreeSet;
use std::fs;

use crate::{read, root};

/// Declared in the headers and not called by `calls.h`: written by the user, or of another architecture.
const NOT_CALLED: [&str; 3] =
    ["tband_submit_to_backend", "tband_fault_trap", "tband_fault_freertos_trap"];

/// The name that a line of a header declares: a function's, or that of a macro with arguments.
fn declared(line: &str) -> Option<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let before = match line.strip_prefix("#define ") {
        Some(define) => define.split_once('(')?.0,
        None if line.starts_with(|c: char| c.is_ascii_alphabetic()) => line.split_once('(')?.0,
        None => return None,
    };
    let name = before.rsplit(|c| !is_name(c)).next()?;
    let is_whole = line.starts_with("#define ") == (name == before);
    let is_ours = name.starts_with("tband_") || name.starts_with("TBAND_");
    (is_whole && is_ours).then_some(name)
}

/// The names of everything that the headers document with `/** */`, and of macros in lower case.
///
/// # Panics
/// If a header cannot be read.
#[must_use]
pub fn of_headers() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in fs::read_dir(root().join("include")).expect("the headers") {
        let path = file.expect("a header").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        // Events and functions of the library, another product, or for schedulers other than FreeRTOS, whose programs these are.
        let is_left_out = ["tband.h", "tband_library.h", "tband_scheduler.h"].contains(&&*name);
        if is_left_out || name.starts_with("tband_flux") {
            continue;
        }
        let mut is_documented = false;
        for line in read(&path).lines() {
            is_documented = line.starts_with("/**") || (is_documented && !line.is_empty());
            let is_macro = line.starts_with("#define tband_")
                && !line.starts_with("#define tband_config")
                && !line.starts_with("#define tband_port");
            if is_documented || is_macro {
                names.extend(declared(line).map(ToOwned::to_owned));
            }
        }
    }
    for name in NOT_CALLED {
        assert!(names.remove(name), "{name} is in no header any more");
    }
    names
}

/// The names that `calls.h` calls.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn called() -> BTreeSet<String> {
    let text = read(root().join("tests/entries/calls.h"));
    let rows = text.lines().filter_map(|line| line.strip_prefix("CALL("));
    rows.filter_map(|row| Some(row.split_once(',')?.0.to_owned())).collect()
}
