//! The addresses of the project are in `Cargo.toml` only, so that replacing them is one change.

use xtask::address::{AUTHORS, REPOSITORY};

use super::{files, read};

/// The manifest that has them.
const PLACE: &str = "Cargo.toml";

/// The address of the repository without how it is reached, and the mail address.
fn addresses() -> [&'static str; 2] {
    let (_, repository) = REPOSITORY.split_once("://").expect("an address");
    let (_, mail) = AUTHORS.split_once('<').expect("a mail address");
    [repository, mail.trim_end_matches('>')]
}

/// Addresses in a text that end as those of a repository of this name do, or lead into one.
fn repositories(text: &str) -> Vec<&str> {
    let is_end = |c: char| c.is_whitespace() || "\"'`<>()[]{}|,;\\".contains(c);
    let words = text.split(is_end).map(|word| word.trim_end_matches(['.', ':', '/']));
    // A symlink:// of PlatformIO is a folder.
    let is_remote = |word: &&str| {
        (word.contains("://") && !word.contains("symlink://")) || word.starts_with("git@")
    };
    let is_ours =
        |word: &&str| word.split(['/', ':']).any(|part| part == "tband" || part == "tband.git");
    words.filter(is_remote).filter(is_ours).collect()
}

#[test]
fn other_spellings_are_found() {
    let text = "See <https://example.org/a/tband>, git@example.org:a/tband.git\n\
                and [here](https://example.org/a/tband/issues). Not https://example.org/tband-cli, /opt/tband, a/tband or\n\
                symlink://tband.";
    let expected = [
        "https://example.org/a/tband",
        "git@example.org:a/tband.git",
        "https://example.org/a/tband/issues",
    ];
    assert_eq!(repositories(text), expected);
}

#[test]
fn one_file_has_the_addresses() {
    let place = read(PLACE);
    assert!(addresses().iter().all(|address| place.matches(address).count() == 1), "{place}");
    let (mut found, mut count) = (Vec::new(), 0);
    for (name, text) in files() {
        if [PLACE, "xtask/src/ship/address.rs", "xtask/tests/project/addresses.rs"]
            .contains(&&*name)
        {
            continue;
        }
        let known = addresses().into_iter().filter(|address| text.contains(address));
        let other = repositories(&text);
        found.extend(known.chain(other).map(|address| format!("{name}: {address}")));
        count += 1;
    }
    assert!(count > 1000, "{count} files");
    assert!(found.is_empty(), "only {PLACE} has addresses of the project:\n{}", found.join("\n"));
}

/// Keys of manifests that name an address, in the words of each format.
fn keys(name: &str) -> Option<&'static [&'static str]> {
    let file = name.rsplit('/').next().unwrap_or(name);
    Some(match file {
        "Cargo.toml" => &["repository", "homepage", "documentation"],
        "pyproject.toml" => &["[project.urls]", "authors", "maintainers"],
        "library.json" => &["\"repository\"", "\"homepage\"", "\"authors\""],
        "idf_component.yml" => {
            &["url:", "repository:", "documentation:", "issues:", "maintainers:"]
        }
        _ if file.ends_with(".pdsc") => &["<url>", "<repository"],
        _ => return None,
    })
}

/// A manifest inherits the address, or has none.
fn is_allowed(line: &str) -> bool {
    line.ends_with(".workspace = true") || line == "<url></url>"
}

#[test]
fn other_manifests_inherit_or_have_none() {
    let mut manifests = 0;
    for (name, text) in files() {
        let Some(keys) = keys(&name).filter(|_| name != PLACE) else { continue };
        manifests += 1;
        let lines = text.lines().map(str::trim);
        let wrong =
            lines.filter(|line| keys.iter().any(|key| line.starts_with(key)) && !is_allowed(line));
        assert_eq!(wrong.collect::<Vec<_>>(), [""; 0], "{name}: only {PLACE} has an address");
    }
    assert!(manifests > 30, "{manifests}");
    assert!(!is_allowed("repository = \"https://example.org/tband\""));
    // The package for Python has what its manifest for Rust inherits.
    assert!(read("tband-python/Cargo.toml").contains("\nrepository.workspace = true\n"));
}
