//! The workspace that the libraries are built in: it needs no network, and its manifests are those of the project's packages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tband_tests::{read, root, run, temp_dir};
use xtask::dist::{FLUX, FirmwareLibrary, RECORDER};
use xtask::{rust_target, tree};

/// Builds a library of a copy of the sources as CMake does, with a cargo that has nothing and reaches nothing.
fn build(source: &Path, library: FirmwareLibrary) -> Vec<u8> {
    let folder = temp_dir();
    let home = folder.path().join("cargo-home");
    fs::create_dir(&home).expect("a folder");
    let triple = rust_target::host_target().expect("a host");
    let mut cmake = Command::new("cmake");
    cmake.args(["-DTBAND_CARGO=cargo", &format!("-DTBAND_PACKAGE={}", library.package)]);
    cmake.arg(format!("-DTBAND_TRIPLE={triple}"));
    cmake.arg(format!("-DTBAND_SOURCE={}", source.display()));
    cmake.arg(format!("-DTBAND_FOLDER={}", folder.path().join("built").display()));
    cmake.arg("-P").arg(source.join("cmake/TbandCargoBuild.cmake"));
    cmake.env("CARGO_HOME", &home).env("CARGO_HTTP_PROXY", "http://127.0.0.1:1");
    run(&mut cmake);
    assert!(!home.join("registry").exists(), "cargo looked for packages");
    fs::read(folder.path().join("built").join(triple).join("firmware").join(library.name))
        .expect("a library")
}

/// Equal sources make equal libraries, whatever the name of their folder is, and also where nothing may be written.
#[test]
fn without_a_network_from_any_folder() {
    for library in [RECORDER, FLUX] {
        let made = ["tband", "a b+ü/tband"].map(|name| {
            let folder = temp_dir();
            let source = folder.path().join(name);
            tree::copy(root(), &source).expect("a copy");
            let before = source_files(&source);
            let built = build(&source, library);
            assert_eq!(source_files(&source), before, "the build writes into the sources");
            built
        });
        assert!(made[0] == made[1], "{} depends on the folder", library.name);
    }
}

fn source_files(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry").path());
    let inside = |path: PathBuf| {
        let below = if path.is_dir() { source_files(&path) } else { BTreeSet::new() };
        below.into_iter().chain([path])
    };
    entries.flat_map(inside).collect()
}

/// A package, as far as the library depends on it. `libtband.a` is a static library, and a Rust library in the project.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Package {
    name: String,
    source: PathBuf,
    edition: String,
    build_script: Option<PathBuf>,
    version: String,
    rust_version: String,
    /// Names, without the set that is on by default.
    features: BTreeSet<String>,
    /// Names of the packages, and whether they are from a registry.
    dependencies: BTreeSet<(String, bool)>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

impl Package {
    /// From an entry of `cargo metadata`; none if it has no library.
    fn new(package: &Value) -> Option<Self> {
        let path = |target: &Value| fs::canonicalize(text(&target["src_path"])).expect("a source");
        let target = |kinds: &[&str]| {
            list(&package["targets"])
                .find(|it| list(&it["kind"]).any(|kind| kinds.iter().any(|wanted| kind == wanted)))
        };
        let library = target(&["lib", "staticlib", "rlib"])?;
        let features = package["features"].as_object().expect("features");
        let is_usual = |it: &&Value| it["kind"].is_null();
        let dependency = |it: &Value| (text(&it["name"]), it["path"].is_null());
        Some(Self {
            name: text(&package["name"]),
            source: path(library),
            edition: text(&library["edition"]),
            build_script: target(&["custom-build"]).map(path),
            version: text(&package["version"]),
            rust_version: text(&package["rust_version"]),
            features: features.keys().filter(|it| *it != "default").cloned().collect(),
            dependencies: list(&package["dependencies"]).filter(is_usual).map(dependency).collect(),
        })
    }
}

/// The libraries of a workspace.
fn packages(workspace: &Path) -> BTreeSet<Package> {
    let mut cargo = Command::new("cargo");
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let listed = run(cargo.current_dir(workspace));
    let listed: Value = serde_json::from_slice(&listed).expect("JSON");
    list(&listed["packages"]).filter_map(Package::new).collect()
}

/// Returns the part of a manifest about the profile.
fn profile(manifest: &Path) -> Vec<String> {
    let text = read(manifest);
    let tables = text.split("\n[").filter(|it| it.starts_with("profile.firmware"));
    let lines = tables.flat_map(str::lines).map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn the_manifests_are_those_of_the_project() {
    let project = packages(root());
    let firmware = packages(&root().join("firmware"));
    assert_eq!(firmware.len(), 5);
    for package in &firmware {
        assert!(project.contains(package), "{package:#?} is not in {project:#?}");
        assert!(package.dependencies.iter().all(|(_, from_registry)| !from_registry));
    }
    let profiles = ["Cargo.toml", "firmware/Cargo.toml"].map(|it| profile(&root().join(it)));
    assert!(profiles[0].len() > 10 && profiles[0] == profiles[1], "{profiles:#?}");
    let lock = read(root().join("firmware/Cargo.lock"));
    assert!(!lock.contains("source ="), "{lock}");
}
