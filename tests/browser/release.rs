//! Recordings that are large or strange, any zoom, colours, the guide's pictures, and another browser.

use std::collections::BTreeSet;
use std::path::Path;

use tband_programs::output;
use xtask::drive::{self, Given};
use xtask::setup::{self, For};
use xtask::{generate, picture};

use crate::{page, root, run, run_in};

/// A recording of about a million events.
fn large(folder: &Path) {
    let options = generate::Options { size: 9_000_000, cores: 2, seed: 1, loss_every: 100_000 };
    generate::run(&options, None, &folder.join("large.bin")).unwrap();
}

const MILLION: &str = "release_a_million_events_are_drawn_by_what_is_seen";

#[test]
fn large_files() {
    run_in("chromium", "page.py", &["release_large_files_are_streamed_in_bounded_memory"], large);
}

#[test]
fn a_million_events() {
    run_in("chromium", "report.py", &[MILLION], large);
}

#[test]
fn for_everybody() {
    run_in("chromium", "page.py", &["release_the_page_is_for_everybody"], |_| {});
    run_in("chromium", "report.py", &["release_everybody_can_read_it"], |_| {});
    run_in("chromium", "pair.py", &["release_everybody_can_use_it"], |_| {});
}

#[test]
fn zoom() {
    run("zoom.py");
}

#[test]
fn extremes() {
    run("extremes.py");
}

#[test]
fn look() {
    run("look.py");
}

#[test]
#[ignore = "its driver is not always heard: cargo test -p tband-cli --test browser -- --ignored"]
fn firefox() {
    if let Err(error) = setup::run(For::Firefox) {
        eprintln!("SKIPPED: pages are NOT tried in Firefox: {error:#}");
        return;
    }
    for name in ["page.py", "report.py", "viewer.py", "tools.py", "look.py", "pair.py"] {
        run_in("firefox", name, &[], |_| {});
    }
    run_in("firefox", "report.py", &[MILLION], large);
}

#[test]
fn screenshots() {
    let (root, folder) = (root(), tempfile::tempdir().unwrap());
    let page = page();
    let tool = Path::new(env!("CARGO_BIN_EXE_tband-cli"));
    let given = Given { root: &root, page: &page, tool, folder: folder.path() };
    let out = folder.path().join("pictures");
    let mut command =
        drive::program("screenshots.py", given).unwrap_or_else(|error| panic!("{error:#}"));
    let ran = output(command.arg(&out)).unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let name = |it: std::io::Result<std::fs::DirEntry>| it.unwrap().file_name();
    let taken: BTreeSet<_> = out.read_dir().unwrap().map(name).collect();
    let kept = root.join(picture::PAGES).read_dir().unwrap().map(name).collect();
    assert_eq!(taken, kept, "run `cargo xtask picture`");
}
