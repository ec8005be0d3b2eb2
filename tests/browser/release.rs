//! What one does less often, recordings that are large or strange, any zoom, colours, the guide's pictures, and another browser.

use std::collections::BTreeSet;
use std::path::Path;

use tband_programs::output;
use xtask::drive::{self, DriverArguments};
use xtask::setup::{self, Purpose};
use xtask::{generate, picture};

use crate::{page, root, run, run_in};

/// A recording of about a million events.
fn large(folder: &Path) {
    let options = generate::Options {
        size: 9_000_000,
        cores: 2,
        seed: 1,
        loss_every: 100_000,
        ..generate::Options::default()
    };
    generate::run(&options, None, &folder.join("large.bin")).unwrap();
}

const MILLION: &str = "large_a_million_events_are_drawn_by_what_is_seen";

#[test]
fn large_files() {
    run_in("chromium", "page.py", &["large_files_are_streamed_in_bounded_memory"], large);
}

#[test]
fn a_million_events() {
    run_in("chromium", "report.py", &[MILLION], large);
}

/// The tests of each file whose names begin so.
const OTHERS: &str = "release_";

#[test]
fn web_page() {
    run_in("chromium", "page.py", &[OTHERS], |_| {});
}

#[test]
fn files() {
    run_in("chromium", "files.py", &[OTHERS], |_| {});
}

#[test]
fn serial() {
    run_in("chromium", "serial.py", &[OTHERS], |_| {});
}

#[test]
fn live() {
    run_in("chromium", "live.py", &[OTHERS], |_| {});
}

#[test]
fn asking() {
    run_in("chromium", "asking.py", &[OTHERS], |_| {});
}

#[test]
fn report() {
    run_in("chromium", "report.py", &[OTHERS], |_| {});
}

#[test]
fn viewer() {
    run_in("chromium", "viewer.py", &[OTHERS], |_| {});
}

#[test]
fn activations() {
    run_in("chromium", "activations.py", &[OTHERS], |_| {});
}

#[test]
fn pair() {
    run_in("chromium", "pair.py", &[OTHERS], |_| {});
}

#[test]
fn tools() {
    run_in("chromium", "tools.py", &[OTHERS], |_| {});
}

#[test]
fn each_file_with_such_tests_is_run() {
    let own = include_str!("release.rs");
    for file in root().join("tests/browser").read_dir().unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if path.extension().is_some_and(|it| it == "py") && text.contains("\ndef release_") {
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(own.contains(&format!("\"{name}\", &[OTHERS]")), "{name}");
        }
    }
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
    if let Err(error) = setup::run(Purpose::Firefox) {
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
    let given = DriverArguments { root: &root, page: &page, tool, folder: folder.path() };
    let out = folder.path().join("pictures");
    let mut command =
        drive::program("screenshots.py", given).unwrap_or_else(|error| panic!("{error:#}"));
    let ran = output(command.arg(&out)).unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let name = |it: std::io::Result<std::fs::DirEntry>| it.unwrap().file_name();
    for scheme in ["light", "dark"] {
        let [taken, kept] = [out.clone(), root.join(picture::PAGES)].map(|folder| {
            let names = folder.join(scheme).read_dir().unwrap().map(name);
            names.collect::<BTreeSet<_>>()
        });
        assert_eq!(taken, kept, "run `cargo xtask picture`");
    }
}
