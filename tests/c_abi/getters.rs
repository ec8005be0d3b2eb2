//! The getters exist as functions, for debuggers and other languages, and cost nothing for programs that only call the inline
//! ones.

use std::process::Command;

use tband_tests::c::Firmware;
use tband_tests::{archive, run};

use crate::{SNAPSHOT, STREAMING};

const SMALL: (&str, &str) = ("tband_configMETADATA_BUF_SIZE", "16");

/// Functions called `tband_get_...` that a file has.
fn getters(file: &std::path::Path) -> Vec<String> {
    let listing = run(Command::new("nm").arg("--defined-only").arg(file));
    let listing = String::from_utf8(listing).expect("text");
    let names = listing.lines().filter_map(|line| line.split_once(" T tband_get_"));
    let mut names: Vec<_> = names.map(|(_, name)| name.to_owned()).collect();
    names.sort();
    names
}

#[test]
fn symbols_tell_what_the_inline_functions_tell() {
    for backend in [SNAPSHOT, STREAMING] {
        let with = Firmware::new("getters", &[backend, SMALL, ("WITH_SYMBOLS", "1")]);
        let _ = with.run(&[]);
        let all = [
            "core_snapshot_buf",
            "core_snapshot_buf_amnt",
            "dropped_evt_cnt",
            "metadata_buf",
            "metadata_buf_amnt",
            "metadata_dropped_cnt",
        ];
        assert_eq!(getters(&with.path()), all);
        assert_eq!(getters(archive()), all);
        let without = Firmware::new("getters", &[backend, SMALL]);
        let _ = without.run(&[]);
        assert_eq!(getters(&without.path()), [""; 0]);
    }
}
