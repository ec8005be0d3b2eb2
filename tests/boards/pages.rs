//! What holds for every page.

use std::collections::BTreeSet;
use std::fs;

use tband_tests::{read, root};

const FOLDER: &str = "docs/src/guide/boards";

fn pages() -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join(FOLDER)).expect("the pages");
    let mut pages: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("a page").path();
            (path.file_name().expect("a name").to_string_lossy().into_owned(), read(&path))
        })
        .collect();
    pages.sort();
    assert!(pages.len() > 5, "{}", pages.len());
    pages
}

#[test]
fn each_page_is_short_and_states_the_tests() {
    for (name, text) in pages() {
        let lines = text.lines().count();
        assert!(lines <= 65, "{name} has {lines} lines");
        for word in ["**Tested**", "**Untested**", "tband-cli"] {
            assert!(text.contains(word), "{name} does not say: {word}");
        }
    }
}

/// Paths of tband's in a page are there, and the tarball that it names is this one.
#[test]
fn what_a_page_names_is_there() {
    let version = format!("tband-{}", xtask::dist::VERSION);
    let mut count = 0;
    for (name, text) in pages() {
        let words = text.split(|c: char| c.is_whitespace() || "`()[],;:\"".contains(c));
        for word in words.map(|word| word.trim_end_matches('.')).collect::<BTreeSet<_>>() {
            let path = word
                .strip_prefix(&format!("{version}/"))
                .or_else(|| word.strip_prefix("tband/"))
                .or_else(|| (word.starts_with("port/")).then_some(word));
            assert!(!word.starts_with("tband-0.") || word.starts_with(&version), "{name}: {word}");
            let Some(path) = path.filter(|path| !path.starts_with("lib/") && !path.contains('*'))
            else {
                continue;
            };
            let is_there = root().join(path).exists()
                || (path == "tband.mk" && root().join("cmake").join(path).exists());
            assert!(is_there, "{name}: {word}");
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}
