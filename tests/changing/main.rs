//! The page on how to change tband is true: the files that it names are there, and its index has every program of tests.
//! `xtask/header/tests/recipes.rs` follows its recipes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use tband_tests::{read, root};
use xtask::command::run_quiet;

const PAGE: &str = "docs/src/changing.md";

const HEADER: &str = "include/tband.h";
const DISPATCH: &str = "tband-conv/src/machine/dispatch.rs";
const NAMES: &str = "freertos-hooks/tband_hooks_names.h";

/// The path of `queue_send`: a file, its text about the next file, and the next file.
const LINKS: [(&str, &str, &str); 17] = [
    (NAMES, "TBAND_ON_QUEUE_SEND", "freertos-hooks/tband_freertos_hooks.h"),
    (
        "freertos-hooks/tband_freertos_hooks.h",
        "TBAND_RECORD_MASKED_U32_U32(",
        "freertos-hooks/tband_hooks_masked.h",
    ),
    ("freertos-hooks/tband_hooks_masked.h", "TBAND_EVT_U32_U32_", HEADER),
    ("freertos-hooks/tband_hooks_masked.h", "tband_record_", "port/tband_shim.c"),
    ("port/tband_shim.c", "TBAND_WRITE_U32_U32(", "port/recorder/tband_packets.h"),
    ("port/recorder/tband_packets.h", "u32_u32", "port/recorder/tband_packet_event.h"),
    (
        "port/recorder/tband_packet_event.h",
        "tband_lib_packet_open_next",
        "tband-ffi/src/packets.rs",
    ),
    ("tband-ffi/src/packets.rs", "open_next_packet(", "tband-core/src/packet/change.rs"),
    ("tband-conv/src/packets/reader.rs", "Search", "tband-conv/src/packets/events.rs"),
    ("tband-conv/src/packets/events.rs", "PacketEvents", "tband-conv/src/events.rs"),
    ("tband-conv/src/events.rs", "Visitor", "tband-conv/src/convert/short.rs"),
    ("tband-conv/src/convert/short.rs", "record(", "tband-conv/src/convert/timing.rs"),
    ("tband-conv/src/convert/timing.rs", "Stage", "tband-conv/src/convert/follow.rs"),
    (DISPATCH, "queue_level", "tband-conv/src/machine/objects/queue.rs"),
    ("tband-conv/src/machine/objects/queue.rs", "QueueLevel {", "tband-conv/src/model/change.rs"),
    ("tband-conv/src/model/change.rs", "QueueLevel {", "tband-conv/src/tracks/follow.rs"),
    ("tband-conv/src/tracks/follow.rs", "level(", "tband-conv/src/sinks/perfetto/draw.rs"),
];

/// Files that one reads to follow an event, at most: on the target, and on the host.
const MOST_FILES: [usize; 2] = [8, 10];

#[test]
fn the_way_of_an_event_is_short() {
    let page = read(root().join(PAGE));
    let (_, way) = page.split_once("\n## The way of an event\n").expect("the section");
    let (way, _) = way.split_once("\n## ").expect("its end");
    let (target, host) = way.split_once("On your computer:\n").expect("two parts");
    for (part, most) in [target, host].into_iter().zip(MOST_FILES) {
        let block = part.lines().filter(|line| line.starts_with("    "));
        let words = block.flat_map(str::split_whitespace);
        let files: BTreeSet<&str> = words
            .filter(|word| [".h", ".c", ".rs"].iter().any(|end| word.ends_with(end)))
            .collect();
        assert!(files.iter().all(|file| root().join(file).is_file()), "{files:?}");
        assert!(files.len() > 5 && files.len() <= most, "{files:#?}");
        for file in files {
            let is_linked = LINKS.iter().any(|(from, _, to)| [from, to].contains(&&file));
            assert!(is_linked, "LINKS has no row from {file} or to it");
        }
    }
    for (from, name, to) in LINKS {
        assert!(page.contains(to) || to.starts_with("tband-ffi/"), "the page lacks {to}");
        for file in [from, to] {
            assert!(read(root().join(file)).contains(name), "{file} has no {name}");
        }
    }
}

/// Returns the texts between backticks.
fn spans(page: &str) -> Vec<&str> {
    page.split('`').skip(1).step_by(2).collect()
}

/// A file or folder of the project.
fn is_path(span: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let endings =
        [".rs", ".h", ".c", ".md", ".toml", ".txt", ".js", ".html", ".css", ".py", ".pyi", ".yml"];
    let has_ending = endings.iter().any(|it| span.ends_with(it));
    span.chars().all(is_plain) && (span.ends_with('/') || has_ending)
}

#[test]
fn what_the_page_names_is_there() {
    let page = read(root().join(PAGE));
    // The picture of the path is not a list of spans.
    let words = page.split(|c: char| c.is_whitespace()).filter(|word| word.contains('/'));
    let words = words.map(|word| word.trim_matches(|c| "`,.;:()".contains(c)));
    let named: BTreeSet<&str> =
        spans(&page).into_iter().chain(words).filter(|it| is_path(it)).collect();
    assert!(named.len() > 60, "{named:?}");
    for path in named {
        assert!(root().join(path).exists(), "{path} is not there");
    }
}

/// The text of all source files in a folder.
fn sources(folder: &Path, all: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let is_source = || {
            ["rs", "h", "c", "js", "toml"]
                .iter()
                .any(|it| path.extension().is_some_and(|of| of == *it))
        };
        if name == "target" || name == "build" || name.starts_with('.') {
        } else if path.is_dir() {
            sources(&path, all);
        } else if path.is_file() && is_source() && !path.starts_with(root().join("tests/changing"))
        {
            *all += &read(&path);
        }
    }
}

/// Types, functions, constants and macros.
#[test]
fn what_the_page_calls_by_name_is_in_the_sources() {
    let page = read(root().join(PAGE));
    let is_name = |span: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        span.len() > 2
            && span.chars().all(is_plain)
            && span.contains(|c: char| c.is_ascii_uppercase() || c == '_')
    };
    let names: BTreeSet<&str> = spans(&page)
        .into_iter()
        .map(|span| span.trim_end_matches("()").trim_end_matches('!'))
        .flat_map(|span| span.split("::"))
        .filter(|span| is_name(span))
        .collect();
    assert!(names.len() > 30, "{names:?}");
    let mut all = String::new();
    sources(root(), &mut all);
    let words: BTreeSet<&str> =
        all.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let gone: Vec<_> = names.iter().filter(|name| !words.contains(**name)).collect();
    assert!(gone.is_empty(), "{PAGE} names {gone:?}, which no source has");
}

/// The packages of the workspace, as cargo describes them.
fn packages() -> Vec<serde_json::Value> {
    let mut metadata = Command::new("cargo");
    metadata.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let metadata = run_quiet(metadata.current_dir(root())).expect("cargo metadata");
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).expect("JSON");
    metadata["packages"].as_array().expect("packages").clone()
}

/// A library that is not compiled for tests, which takes as long as itself, has none that would not be run.
#[test]
fn libraries_without_tests_have_none() {
    let mut without = 0;
    for package in packages() {
        for target in package["targets"].as_array().expect("targets") {
            let is_library =
                target["kind"].as_array().is_some_and(|it| it.iter().any(|it| it == "lib"));
            if is_library && target["test"] == false {
                let file = Path::new(target["src_path"].as_str().expect("a path"));
                let mut text = String::new();
                sources(file.parent().expect("a folder"), &mut text);
                assert!(!text.contains("#[cfg(test)]"), "{} has tests", file.display());
                without += 1;
            }
        }
    }
    assert!(without >= 4, "{without}");
}

/// A program of tests, or of one that is listed in parts, a module: package, program, module. Without a program: all programs
/// of the package.
type TestProgram = (String, Option<String>, Option<String>);

/// Returns the programs of the index: a word after `--test` is a program, a word that ends with colons a module of it, and a
/// command without `--test` contains all programs of its package.
fn listed(page: &str) -> Vec<TestProgram> {
    let (_, index) = page.split_once("| subject | command |").expect("the index");
    let mut listed = Vec::new();
    for span in spans(index) {
        let Some(args) = span.strip_prefix("cargo test -p ") else { continue };
        let mut words = args.split(' ').peekable();
        let package = words.next().expect("a package");
        if !words.clone().any(|word| ["--test", "--lib", "--bin"].contains(&word)) {
            listed.push((package.to_owned(), None, None));
        }
        while let Some(word) = words.next() {
            if word != "--test" {
                continue;
            }
            let program = words.next().expect("a program");
            let of = |module| (package.to_owned(), Some(program.to_owned()), module);
            let mut modules = 0;
            while let Some(word) = words.next_if(|it| *it == "--" || it.ends_with("::")) {
                if let Some(module) = word.strip_suffix("::") {
                    listed.push(of(Some(module.to_owned())));
                    modules += 1;
                }
            }
            if modules == 0 {
                listed.push(of(None));
            }
        }
    }
    listed
}

#[test]
fn the_index_has_every_program_of_tests() {
    let page = read(root().join(PAGE));
    let listed = listed(&page);
    let index: BTreeSet<_> = listed.iter().cloned().collect();
    assert_eq!(index.len(), listed.len(), "one is listed twice");
    let mut programs = BTreeSet::new();
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_owned();
    for package in &packages() {
        let whole = (text(&package["name"]), None, None);
        if index.contains(&whole) {
            programs.insert(whole);
            continue;
        }
        for target in package["targets"].as_array().expect("targets") {
            let is_test =
                target["kind"].as_array().is_some_and(|it| it.iter().any(|it| it == "test"));
            if !is_test {
                continue;
            }
            let (package, name) = (text(&package["name"]), Some(text(&target["name"])));
            let is_in_parts = index
                .iter()
                .any(|(of, it, module)| (of, it) == (&package, &name) && module.is_some());
            if is_in_parts {
                let main = read(text(&target["src_path"]));
                let modules =
                    main.lines().filter_map(|it| it.strip_prefix("mod ")?.strip_suffix(';'));
                // It has no tests.
                let modules = modules.filter(|it| *it != "support");
                programs
                    .extend(modules.map(|it| (package.clone(), name.clone(), Some(it.to_owned()))));
            } else {
                programs.insert((package, name, None));
            }
        }
    }
    let missing: Vec<_> = programs.difference(&index).collect();
    assert!(missing.is_empty(), "{PAGE} has no command for {missing:?}");
    let gone: Vec<_> = index.difference(&programs).collect();
    assert!(gone.is_empty(), "{PAGE} has a command for {gone:?}");
}
