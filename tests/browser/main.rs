//! What pages show, in Debian's Chromium, and on demand in Firefox, driven by Playwright: `*.py` beside this file.

mod release;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tband_programs::output;
use xtask::drive::{self, DriverArguments};
use xtask::web::{self, WebBuild};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Runs all tests of a file, in a separate folder.
fn run(name: &str) {
    run_in("chromium", name, &[], |_| {});
}

/// Those of these names, all if there are none, in one of two browsers: with Firefox those that its driver can do.
fn run_in(browser: &str, name: &str, tests: &[&str], prepare: impl FnOnce(&Path)) {
    let root = root();
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let tool = Path::new(env!("CARGO_BIN_EXE_tband-cli"));
    let given = DriverArguments { root: &root, page: &page(), tool, folder: folder.path() };
    let mut command = drive::program(name, given).unwrap_or_else(|error| panic!("{error:#}"));
    let ran = output(command.args(tests).env("TBAND_BROWSER", browser)).unwrap();
    let printed = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(ran.status.success(), "{}{}", printed[0], printed[1]);
    // One that runs nothing fails.
    assert!(printed[0].lines().any(|line| line.starts_with("ok ")), "{}", printed[0]);
    print!("{}", printed[0]);
}

/// The page, built once for all tests.
fn page() -> PathBuf {
    static PAGE: OnceLock<PathBuf> = OnceLock::new();
    let built = PAGE.get_or_init(|| {
        let folder = root().join("target/test-web");
        web::build(&root(), &folder, WebBuild::Quick).unwrap_or_else(|error| panic!("{error:#}"));
        folder
    });
    built.clone()
}

#[test]
fn web_page() {
    run("page.py");
}

#[test]
fn files() {
    run("files.py");
}

#[test]
fn serial() {
    run("serial.py");
}

#[test]
fn live() {
    run("live.py");
}

#[test]
fn asking() {
    run("asking.py");
}

#[test]
fn report() {
    run("report.py");
}

#[test]
fn viewer() {
    run("viewer.py");
}

#[test]
fn activations() {
    run("activations.py");
}

#[test]
fn pair() {
    run("pair.py");
}

#[test]
fn tools() {
    run("tools.py");
}
