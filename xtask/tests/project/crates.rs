//! The crates for crates.io: their manifests have the fields that the registry and its readers need, and their packages are
//! complete. The lists are those of `cargo metadata`. The tests of a release compile each package.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use serde_json::Value;
use tar::Archive;
use xtask::address::REPOSITORY;
use xtask::crates::{Packing, is_published, pack, packages};
use xtask::release::{ANY_LINUX, BIN, WINDOWS, program_archive};
use xtask::{dist, rust_target, workspace_root};

/// The categories of crates.io that the manifests use. The registry ignores an unknown one.
const CATEGORIES: [&str; 13] = [
    "command-line-utilities",
    "database",
    "development-tools::debugging",
    "development-tools::profiling",
    "development-tools::testing",
    "embedded",
    "encoding",
    "external-ffi-bindings",
    "mathematics",
    "no-std",
    "no-std::no-alloc",
    "parser-implementations",
    "visualization",
];

/// The largest package that crates.io accepts, in bytes.
const MAX_LEN: u64 = 10 << 20;

fn all() -> Vec<Value> {
    packages(&workspace_root()).unwrap_or_else(|error| panic!("{error:#}"))
}

fn published() -> Vec<Value> {
    let published: Vec<_> = all().into_iter().filter(is_published).collect();
    assert!(published.len() > 10, "{}", published.len());
    published
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn list<'v>(value: &'v Value, key: &str) -> Vec<&'v str> {
    value[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn manifests_have_the_fields_of_the_registry() {
    for package in published() {
        let name = text(&package, "name");
        assert!(text(&package, "description").ends_with('.'), "{name}: description");
        assert_eq!(text(&package, "license"), "MIT OR Apache-2.0", "{name}");
        assert_eq!(text(&package, "repository"), REPOSITORY, "{name}");
        assert!(!text(&package, "rust_version").is_empty(), "{name}: rust-version");
        assert!(!list(&package, "authors").is_empty(), "{name}: authors");
        let folder = Path::new(text(&package, "manifest_path")).parent().expect("a folder");
        let readme = folder.join(text(&package, "readme"));
        assert!(readme.is_file(), "{name}: no {}", readme.display());
        let keywords = list(&package, "keywords");
        assert!((1..=5).contains(&keywords.len()), "{name}: {keywords:?}");
        for word in keywords {
            let is_allowed = |c: char| c.is_ascii_alphanumeric() || "_-+".contains(c);
            assert!(word.len() <= 20 && word.chars().all(is_allowed), "{name}: {word}");
        }
        let categories = list(&package, "categories");
        assert!((1..=5).contains(&categories.len()), "{name}: {categories:?}");
        assert!(categories.iter().all(|it| CATEGORIES.contains(it)), "{name}: {categories:?}");
    }
}

/// Names of the packages that one depends on, as the registry stores it: a dependency for tests without a version is omitted.
fn dependencies(package: &Value) -> BTreeSet<&str> {
    let entries = package["dependencies"].as_array().into_iter().flatten();
    let stored = entries.filter(|it| text(it, "kind") != "dev" || text(it, "req") != "*");
    stored.map(|it| text(it, "name")).collect()
}

#[test]
fn published_crates_can_be_published_one_after_the_other() {
    let (all, published) = (all(), published());
    let names: BTreeSet<_> = all.iter().map(|it| text(it, "name")).collect();
    let mut waiting: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for package in &published {
        for entry in package["dependencies"].as_array().expect("a list") {
            let (name, req) = (text(entry, "name"), text(entry, "req"));
            let is_ours = names.contains(name) && text(entry, "kind") != "dev";
            let version = format!("^{}", dist::VERSION);
            assert!(!is_ours || req == version, "{}: {name} {req}", text(package, "name"));
        }
        let ours = dependencies(package).into_iter().filter(|it| names.contains(it)).collect();
        waiting.insert(text(package, "name"), ours);
    }
    // Each round publishes the crates whose dependencies are there.
    let mut done = BTreeSet::new();
    while !waiting.is_empty() {
        let is_ready = |needed: &BTreeSet<_>| needed.is_subset(&done);
        let ready: Vec<_> =
            waiting.iter().filter(|(_, it)| is_ready(it)).map(|(name, _)| *name).collect();
        assert!(!ready.is_empty(), "unpublished, or in a circle: {waiting:?}");
        waiting.retain(|name, _| !ready.contains(name));
        done.extend(ready);
    }
}

/// Files of a package, by their paths in it.
fn files(package: &Path) -> BTreeMap<String, String> {
    let file = File::open(package).unwrap_or_else(|error| panic!("{}: {error}", package.display()));
    let mut archive = Archive::new(GzDecoder::new(file));
    let mut files = BTreeMap::new();
    for entry in archive.entries().expect("entries") {
        let mut entry = entry.expect("an entry");
        let path = entry.path().expect("a path").display().to_string();
        let (_, path) = path.split_once('/').expect("a folder");
        let path = path.to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("a file");
        files.insert(path, String::from_utf8_lossy(&bytes).into_owned());
    }
    files
}

/// The path of a file that another one names; none if it is outside the package.
fn resolve(from: &str, named: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in named.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Paths that a source names as a literal when it is compiled.
fn named(source: &str) -> Vec<&str> {
    let begins = ["include_str!(", "include_bytes!(", "include!(", "#[path = "];
    let found = begins.iter().flat_map(|begin| source.split(begin).skip(1));
    found.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next()).collect()
}

/// Errors of the files of a package.
fn errors(files: &BTreeMap<String, String>) -> Vec<String> {
    let mut errors = Vec::new();
    for name in ["Cargo.toml", "LICENSE-MIT", "LICENSE-APACHE"] {
        // A link that is not followed has one line.
        if files.get(name).is_none_or(|text| text.lines().count() < 10) {
            errors.push(format!("no {name}"));
        }
    }
    for (path, source) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
        for name in named(source) {
            if resolve(path, name).is_none_or(|it| !files.contains_key(&it)) {
                errors.push(format!("{path} names {name}"));
            }
        }
        let places = source.lines().filter(|line| line.contains("CARGO_MANIFEST_DIR"));
        let outside = places.filter(|line| line.contains("..") || line.contains("parent()"));
        errors.extend(outside.map(|line| format!("{path}: {line}")));
    }
    errors
}

#[test]
fn packages_are_complete_and_name_no_file_outside() {
    let out = tempfile::tempdir().expect("a folder");
    let packed = pack(&workspace_root(), out.path(), Packing::Pack);
    let packed = packed.unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(packed.len(), published().len());
    for package in packed {
        let len = package.metadata().expect("a file").len();
        assert!(len < MAX_LEN, "{}: {len} bytes", package.display());
        let files = files(&package);
        assert_eq!(errors(&files), [""; 0], "{}", package.display());
        let is_test = |path: &&String| path.starts_with("tests/");
        assert_eq!(files.keys().find(is_test), None, "{}", package.display());
    }
}

#[test]
fn errors_of_a_package_are_found() {
    let licence = "a line\n".repeat(20);
    let of = |path: &str, source: &str| {
        let files = [
            ("Cargo.toml", licence.as_str()),
            ("LICENSE-MIT", &licence),
            ("LICENSE-APACHE", &licence),
            ("README.md", ""),
            (path, source),
        ];
        errors(&files.map(|(path, text)| (path.to_owned(), text.to_owned())).into())
    };
    assert_eq!(of("src/a/b.rs", "include_str!(\"../../README.md\")"), [""; 0]);
    let outside = "include_str!(\"../../../README.md\")";
    assert_eq!(of("src/a/b.rs", outside), ["src/a/b.rs names ../../../README.md"]);
    assert_eq!(of("src/lib.rs", "#[path = \"c.rs\"]\nmod c;"), ["src/lib.rs names c.rs"]);
    assert_eq!(of("src/lib.rs", "concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../web\")").len(), 1);
    assert_eq!(of("LICENSE-MIT", "../LICENSE-MIT"), ["no LICENSE-MIT"]);
}

/// A template of cargo binstall for a target.
fn expand(template: &str, target: &str, ending: &str) -> String {
    [
        ("{ repo }", REPOSITORY),
        ("{ version }", dist::VERSION),
        ("{ name }", "tband-cli"),
        ("{ bin }", "tband-cli"),
        ("{ target }", target),
        ("{ binary-ext }", ending),
    ]
    .iter()
    .fold(template.to_owned(), |text, (name, value)| text.replace(name, value))
}

#[test]
fn binstall_finds_the_archives_of_a_release() {
    let packages = all();
    let package = packages.iter().find(|it| it["name"] == "tband-cli").expect("tband-cli");
    let binstall = &package["metadata"]["binstall"];
    assert_eq!(text(binstall, "pkg-fmt"), "tgz");
    let host = rust_target::host_target().expect("a host");
    // Users of Windows have the other target's Rust.
    let asked = [(&*host, &*host), (ANY_LINUX, ANY_LINUX), ("x86_64-pc-windows-msvc", WINDOWS)];
    for (target, built) in asked {
        let ending = if target.contains("windows") { ".exe" } else { "" };
        let with_overrides = |key: &str| {
            let own = text(&binstall["overrides"][target], key);
            expand(if own.is_empty() { text(binstall, key) } else { own }, target, ending)
        };
        let archive = program_archive(built);
        let releases = format!("{REPOSITORY}/releases/download/v{}", dist::VERSION);
        assert_eq!(with_overrides("pkg-url"), format!("{releases}/{archive}.tar.gz"));
        assert_eq!(with_overrides("bin-dir"), format!("{archive}/{BIN}/tband-cli{ending}"));
    }
}
