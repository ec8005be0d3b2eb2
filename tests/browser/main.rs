//! What pages show, in Debian's Chromium, and on demand in Firefox, driven by Playwright: `*.py` beside this file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tband_programs::output;
use xtask::drive::{self, Given};
use xtask::generate;
use xtask::picture;
use xtask::setup::{self, For};
use xtask::web::{self, How};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Runs all tests of a file, in a folder of its own.
fn run(name: &str, prepare: impl FnOnce(&Path)) {
    run_in("chromium", name, prepare);
}

/// The same in one of two browsers: with Firefox those that its driver can do.
fn run_in(browser: &str, name: &str, prepare: impl FnOnce(&Path)) {
    let root = root();
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let tool = Path::new(env!("CARGO_BIN_EXE_tband-cli"));
    let given = Given { root: &root, page: &page(), tool, folder: folder.path() };
    let mut command = drive::program(name, given).unwrap_or_else(|error| panic!("{error:#}"));
    let ran = output(command.env("TBAND_BROWSER", browser)).unwrap();
    let said = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(ran.status.success(), "{}{}", said[0], said[1]);
    // One that runs nothing fails.
    assert!(said[0].lines().any(|line| line.starts_with("ok ")), "{}", said[0]);
    print!("{}", said[0]);
}

/// A recording of about a million events.
fn large(folder: &Path) {
    let options = generate::Options { size: 9_000_000, cores: 2, seed: 1, loss_every: 100_000 };
    generate::run(&options, None, &folder.join("large.bin")).unwrap();
}

/// The page, built once for all tests.
fn page() -> PathBuf {
    static PAGE: OnceLock<PathBuf> = OnceLock::new();
    let built = PAGE.get_or_init(|| {
        let folder = root().join("target/test-web");
        web::build(&root(), &folder, How::Quick).unwrap_or_else(|error| panic!("{error:#}"));
        folder
    });
    built.clone()
}

#[test]
fn web_page() {
    run("page.py", large);
}

#[test]
fn files() {
    run("files.py", |_| {});
}

#[test]
fn serial() {
    run("serial.py", |_| {});
}

#[test]
fn live() {
    run("live.py", |_| {});
}

#[test]
fn asking() {
    run("asking.py", |_| {});
}

#[test]
fn report() {
    run("report.py", large);
}

#[test]
fn viewer() {
    run("viewer.py", |_| {});
}

#[test]
fn pair() {
    run("pair.py", |_| {});
}

#[test]
fn zoom() {
    run("zoom.py", |_| {});
}

#[test]
fn extremes() {
    run("extremes.py", |_| {});
}

#[test]
fn look() {
    run("look.py", |_| {});
}

#[test]
fn tools() {
    run("tools.py", |_| {});
}

#[test]
#[ignore = "its driver is not always heard: cargo test -p tband-cli --test browser -- --ignored"]
fn firefox() {
    if let Err(error) = setup::run(For::Firefox) {
        eprintln!("SKIPPED: pages are NOT tried in Firefox: {error:#}");
        return;
    }
    for name in ["page.py", "report.py"] {
        run_in("firefox", name, large);
    }
    for name in ["viewer.py", "tools.py", "look.py", "pair.py"] {
        run_in("firefox", name, |_| {});
    }
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
