//! `cargo xtask licenses`: writes the notices that licences of packages require in shipped files, from the lock file.
//!
//! The texts are committed, so that building needs neither cargo-about nor the network. A test compares them with cargo's list
//! of the packages in each part.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::command::run_quiet;
use crate::dist::{FIRMWARE_TARGETS, RELEASED};
use crate::tool::Tool;

const ABOUT: Tool = Tool { name: "cargo-about", version: "0.9.3", features: "cli" };

/// The text before and after the names of the packages that have a licence.
const RULE: &str =
    "\n--------------------------------------------------------------------------------\n";

/// Where tband-cli runs. macOS has no packages that Linux has not.
const SYSTEMS: &[&str] =
    &["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-msvc"];

/// The target of the page's converter.
const WEB: &[&str] = &["wasm32-unknown-unknown"];

/// A package and its version.
pub type Package = (String, String);

/// Something that ships, with other packages in it.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its package.
    pub package: &'static str,
    /// The folder of the lock file.
    workspace: &'static str,
    /// The folder of the package.
    folder: &'static str,
    /// Its notices, from the project's folder.
    pub notices: &'static str,
    /// Its features beside those that are on by default.
    features: &'static str,
    /// The targets that it is built for.
    targets: &'static [&'static str],
    /// The targets that the test queries; empty: this machine.
    checked_targets: &'static [&'static str],
}

/// All that ships.
pub const PARTS: [Part; 4] = [
    Part {
        package: "tband-cli",
        workspace: ".",
        folder: "host-cli",
        // The published package contains it.
        notices: "host-cli/NOTICES.txt",
        features: RELEASED,
        targets: SYSTEMS,
        checked_targets: &[],
    },
    Part {
        package: "tband-ffi",
        workspace: "firmware",
        folder: "firmware/tband-ffi",
        notices: "licenses/libtband.txt",
        features: "",
        targets: FIRMWARE_TARGETS,
        checked_targets: FIRMWARE_TARGETS,
    },
    Part {
        package: "tband-web",
        workspace: ".",
        folder: "tband-web",
        notices: "licenses/web.txt",
        features: "",
        targets: WEB,
        checked_targets: WEB,
    },
    Part {
        package: "tband-python",
        workspace: ".",
        folder: "tband-python",
        // The wheel takes it from its own folder.
        notices: "tband-python/NOTICES.txt",
        features: "",
        targets: SYSTEMS,
        checked_targets: &[],
    },
];

/// Writes the notices of all parts.
///
/// # Errors
/// cargo-about cannot be installed, a package cannot be downloaded, or it has a licence that `licenses/about.toml` does
/// not accept.
pub fn run(root: &Path) -> Result<()> {
    let about = ABOUT.find_or_install(root)?;
    run_quiet(Command::new("cargo").args(["fetch", "--locked"]).current_dir(root))?;
    for part in &PARTS {
        let mut command = Command::new(&about);
        // Offline: only files in the packages, so that the text is the same each time.
        command.args(["about", "generate", "--locked", "--offline", "--fail"]);
        command.args(["--config", "licenses/about.toml", "--format", "json"]);
        command.args(["--features", part.features]);
        command.arg("--manifest-path").arg(Path::new(part.folder).join("Cargo.toml"));
        for target in part.targets {
            command.args(["--target", target]);
        }
        let found = run_quiet(command.current_dir(root))?.stdout;
        let found = serde_json::from_slice(&found).context("cargo-about's JSON")?;
        fs::write(root.join(part.notices), notices(&found)?)
            .with_context(|| format!("cannot write {}", part.notices))?;
        println!("{}", part.notices);
    }
    Ok(())
}

/// The beginning of notices with packages.
const WITH_PACKAGES: &str = "\
tband is under MIT or Apache-2.0, at your option. Its binaries contain the packages below, whose licences ask for these
notices, and Rust's standard library, which is under MIT or Apache-2.0 too. The notices of the standard library's own
packages are in share/doc/rust/COPYRIGHT-library.html of the Rust toolchain that built the binaries.
";

/// All of the notices without packages.
const WITHOUT_PACKAGES: &str = "\
tband is under MIT or Apache-2.0, at your option. Its library contains no other packages, but Rust's core library, which is
under MIT or Apache-2.0 too. The notices of the core library are in share/doc/rust/COPYRIGHT-library.html of the Rust toolchain
that built the library.
";

/// Licences that ask for a statement before their text, and the statement.
const STATEMENTS: [(&str, &str); 1] = [(
    "MPL-2.0",
    "\
The files of this package are in the program unchanged, and stay under this licence. Their source, in the version above, is at the
address above.

",
)];

/// Writes notices from the JSON of cargo-about, without the packages of this workspace, which also are in it if they can be
/// published.
///
/// # Errors
/// The JSON has another form.
fn notices(found: &Value) -> Result<String> {
    let is_fetched = |package: &Value| package["source"].is_string();
    let list = |of: &'_ Value, name: &str| -> Result<Vec<Value>> {
        of[name].as_array().cloned().with_context(|| format!("no list of {name}"))
    };
    let text = |of: &Value, name: &str| -> Result<String> {
        of[name].as_str().map(str::to_owned).with_context(|| format!("no {name} in {of}"))
    };
    let crates = list(found, "crates")?;
    let crates: Vec<_> = crates.iter().filter(|it| is_fetched(&it["package"])).collect();
    if crates.is_empty() {
        return Ok(WITHOUT_PACKAGES.to_owned());
    }
    let mut out = format!("{WITH_PACKAGES}\n");
    for it in crates {
        let package = &it["package"];
        let (name, version) = (text(package, "name")?, text(package, "version")?);
        out += &format!("{name} {version}: {}\n", text(it, "license")?);
    }
    for licence in list(found, "licenses")? {
        let owners = list(&licence, "used_by")?;
        let owners: Vec<_> =
            owners.iter().map(|it| &it["crate"]).filter(|it| is_fetched(it)).collect();
        if owners.is_empty() {
            continue;
        }
        let id = text(&licence, "id")?;
        out += &format!("{RULE}{} ({id}), of\n", text(&licence, "name")?);
        for owner in owners {
            let address = owner["repository"].as_str().map(|it| format!(", {it}"));
            let (name, version) = (text(owner, "name")?, text(owner, "version")?);
            out += &format!("  {name} {version}{}\n", address.unwrap_or_default());
        }
        // The line above ends with the first character of the rule.
        out += RULE.trim_start();
        out.push('\n');
        out.extend(STATEMENTS.iter().filter(|it| it.0 == id).map(|it| it.1));
        out += &text(&licence, "text")?;
        out.push('\n');
    }
    Ok(out)
}

/// Checks that the committed notices are those of the lock file.
///
/// # Errors
/// They are not; the text has the package, and the command to run.
pub fn check(root: &Path) -> Result<()> {
    for part in &PARTS {
        let locked = root.join(part.workspace).join("Cargo.lock");
        let locked = fs::read_to_string(&locked)
            .with_context(|| format!("cannot read {}", locked.display()))?;
        let locked = registry_packages(&locked);
        let notices = fs::read_to_string(root.join(part.notices))
            .with_context(|| format!("no {}; run cargo xtask licenses", part.notices))?;
        compare(&notices, &packages(root, part)?, &locked)
            .with_context(|| format!("{}: run cargo xtask licenses", part.notices))?;
    }
    Ok(())
}

/// Returns the packages that a part is built of, without those of this workspace. Cargo downloads missing ones.
///
/// # Errors
/// Cargo does not know the part.
pub fn packages(root: &Path, part: &Part) -> Result<BTreeSet<Package>> {
    let mut cargo = Command::new("cargo");
    cargo.args(["tree", "--locked", "--edges", "normal", "--prefix", "none"]);
    cargo.args(["--format", "{p}", "--package", part.package, "--features", part.features]);
    for target in part.checked_targets {
        cargo.args(["--target", target]);
    }
    let output =
        String::from_utf8(run_quiet(cargo.current_dir(root.join(part.workspace)))?.stdout)?;
    Ok(output.lines().filter_map(package_in_tree).collect())
}

/// Parses a line of `cargo tree`, `name v1.2.3 (description)`; `None` if the package is in a folder here.
fn package_in_tree(line: &str) -> Option<Package> {
    let mut words = line.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    let is_fetched = words.all(|word| matches!(word, "(proc-macro)" | "(*)"));
    is_fetched.then(|| (name.to_owned(), version.to_owned()))
}

/// The packages of a lock file that come from a registry. Those of this workspace have no source.
fn registry_packages(lock: &str) -> BTreeSet<Package> {
    let value = |line: &str, key: &str| {
        let value = line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')?;
        Some(value.to_owned())
    };
    let lines: Vec<&str> = lock.lines().collect();
    let packages = lines.windows(3).filter_map(|it| {
        value(it[2], "source")?;
        Some((value(it[0], "name")?, value(it[1], "version")?))
    });
    packages.collect()
}

/// Compares notices with the packages of a part here. They may contain more, for other systems, if it is in the lock file.
fn compare(notices: &str, built_of: &BTreeSet<Package>, locked: &BTreeSet<Package>) -> Result<()> {
    let named = named(notices);
    for (name, version) in built_of {
        ensure!(
            named.contains_key(&(name.clone(), version.clone())),
            "{name} {version} is missing"
        );
    }
    for (package @ (name, version), has_text) in &named {
        ensure!(locked.contains(package), "{name} {version} is not a registry's in Cargo.lock");
        ensure!(has_text, "the licence of {name} {version} is missing");
    }
    Ok(())
}

/// Parses the name and version of a package in notices.
fn package(text: &str) -> Option<Package> {
    let (name, version) = text.split_once(' ')?;
    let is_version = version.starts_with(|it: char| it.is_ascii_digit());
    (is_version && !version.contains(' ')).then(|| (name.to_owned(), version.to_owned()))
}

/// The packages that notices list, and the licence of each.
pub(super) fn of_packages(notices: &str) -> BTreeMap<Package, String> {
    let list = notices.split(RULE).next().unwrap_or_default().lines();
    let pairs = list.filter_map(|line| {
        let (name, licence) = line.split_once(": ")?;
        Some((package(name)?, licence.to_owned()))
    });
    pairs.collect()
}

/// The packages that notices list, and whether the text of a licence follows.
fn named(notices: &str) -> BTreeMap<Package, bool> {
    let parts = notices.split(RULE).skip(1);
    let mut named: BTreeMap<Package, bool> =
        of_packages(notices).into_keys().map(|it| (it, false)).collect();
    // The owners, and the text, which may contain rules too.
    let parts: Vec<&str> = parts.collect();
    let is_head = |part: &str| part.trim().lines().next().is_some_and(|it| it.ends_with("), of"));
    for (owners, text) in parts.iter().zip(parts.iter().skip(1)) {
        if !is_head(owners) {
            continue;
        }
        for line in owners.lines().filter_map(|line| line.strip_prefix("  ")) {
            let owner = package(line.split_once(',').map_or(line, |(owner, _)| owner));
            if let Some(has_text) = owner.and_then(|owner| named.get_mut(&owner)) {
                *has_text |= !text.trim().is_empty();
            }
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn set(packages: &[(&str, &str)]) -> BTreeSet<Package> {
        packages.iter().map(|(name, version)| (name.to_string(), version.to_string())).collect()
    }

    #[test]
    fn the_committed_notices_are_those_of_the_lock_file() {
        check(&crate::workspace_root()).unwrap_or_else(|error| panic!("{error:#}"));
    }

    /// Proves that the check is effective: known packages of the parts are found.
    #[test]
    fn what_ships_is_built_of_these() {
        let root = crate::workspace_root();
        let known = [Some("probe-rs"), None, Some("foldhash"), Some("prost")];
        for (part, known) in PARTS.iter().zip(known) {
            let packages = packages(&root, part).unwrap_or_else(|error| panic!("{error:#}"));
            let found = packages.iter().find(|(it, _)| Some(it.as_str()) == known);
            assert_eq!(found.is_some(), known.is_some(), "{}: {packages:?}", part.package);
            // The recorder is this project's code only, so that no registry is needed for it.
            assert!(known.is_some() || packages.is_empty(), "{packages:?}");
            assert!(!packages.iter().any(|(it, _)| it.starts_with("tband")), "{packages:?}");
        }
    }

    const NOTICES: &str = "\
Some words: these.

one 1.0.0: MIT
two-b 2.0.0+x: MIT OR Apache-2.0

--------------------------------------------------------------------------------
MIT License (MIT), of
  one 1.0.0, https://example.com/one
  two-b 2.0.0+x
--------------------------------------------------------------------------------

Permission is hereby granted
  three 3.0.0
";

    #[test]
    fn notices_that_do_not_fit_are_refused() {
        let both = set(&[("one", "1.0.0"), ("two-b", "2.0.0+x")]);
        let more = set(&[("one", "1.0.0"), ("two-b", "2.0.0+x"), ("three", "3.0.0")]);
        assert_eq!(named(NOTICES).into_keys().collect::<BTreeSet<_>>(), both);
        compare(NOTICES, &both, &more).unwrap();
        // A text with a rule in it, and a licence after it.
        let mut ruled = NOTICES.replace("one 1.0.0: MIT\n", "one 1.0.0: MIT\nfour 4.0.0: Zlib\n");
        ruled = ruled.replace("granted", &format!("granted{RULE}and so on"));
        ruled += &format!("{RULE}zlib License (Zlib), of\n  four 4.0.0{RULE}As is.\n");
        assert!(named(&ruled).len() == 3 && named(&ruled).values().all(|it| *it), "{ruled}");
        // Packages for other systems only.
        compare(NOTICES, &set(&[("one", "1.0.0")]), &both).unwrap();
        let output = |notices: &str, built_of: &BTreeSet<Package>, locked: &BTreeSet<Package>| {
            compare(notices, built_of, locked).unwrap_err().to_string()
        };
        assert_eq!(output(NOTICES, &more, &more), "three 3.0.0 is missing");
        let newer = set(&[("one", "1.0.1")]);
        assert_eq!(output(NOTICES, &newer, &more), "one 1.0.1 is missing");
        let less = set(&[("one", "1.0.0")]);
        assert_eq!(
            output(NOTICES, &less, &less),
            "two-b 2.0.0+x is not a registry's in Cargo.lock"
        );
        let without = NOTICES.replace("  two-b 2.0.0+x\n", "");
        assert_eq!(output(&without, &both, &both), "the licence of two-b 2.0.0+x is missing");
        let (head, _) = NOTICES.split_once("Permission").unwrap();
        assert_eq!(output(head, &both, &both), "the licence of one 1.0.0 is missing");
    }

    #[test]
    fn notices_have_no_package_of_this_workspace() {
        let package = |name: &str, source: Option<&str>, repository: Option<&str>| json!({ "name": name, "version": "1.0.0", "source": source, "repository": repository });
        let one = package("one", Some("registry"), Some("https://example.com/?a=b"));
        let two = package("two", Some("registry"), None);
        let own = package("own", None, Some("https://example.com/own"));
        let licence = |id: &str, owners: &[&Value]| {
            let owners: Vec<_> = owners.iter().map(|it| json!({ "crate": it })).collect();
            json!({ "name": format!("The {id}"), "id": id, "text": format!("text\r\nof {id}\n"), "used_by": owners })
        };
        let found = json!({
            "crates": [
                { "package": one, "license": "MIT" },
                { "package": own, "license": "MIT" },
                { "package": two, "license": "MPL-2.0" },
            ],
            "licenses": [licence("A", &[&own]), licence("MIT", &[&own, &one]), licence("MPL-2.0", &[&two])],
        });
        let text = notices(&found).unwrap();
        let line = RULE.trim();
        let expected = format!(
            "{WITH_PACKAGES}\none 1.0.0: MIT\ntwo 1.0.0: MPL-2.0\n\
            \n{line}\nThe MIT (MIT), of\n  one 1.0.0, https://example.com/?a=b\n{line}\n\ntext\r\nof MIT\n\n\
            \n{line}\nThe MPL-2.0 (MPL-2.0), of\n  two 1.0.0\n{line}\n\n{}text\r\nof MPL-2.0\n\n",
            STATEMENTS[0].1
        );
        assert_eq!(text, expected);
        let both = set(&[("one", "1.0.0"), ("two", "1.0.0")]);
        compare(&text, &both, &both).unwrap();
        let own = json!({ "crates": [{ "package": own, "license": "MIT" }], "licenses": [licence("MIT", &[&own])] });
        assert_eq!(notices(&own).unwrap(), WITHOUT_PACKAGES);
        for odd in [json!({}), json!({ "crates": [{ "package": one }], "licenses": [] })] {
            assert!(notices(&odd).is_err(), "{odd}");
        }
    }

    #[test]
    fn packages_in_trees_and_lock_files() {
        let package = |name: &str, version: &str| Some((name.to_owned(), version.to_owned()));
        assert_eq!(package_in_tree("spin v0.10.1"), package("spin", "0.10.1"));
        assert_eq!(package_in_tree("derive v1.0.0 (proc-macro) (*)"), package("derive", "1.0.0"));
        assert_eq!(package_in_tree("tband-core v0.1.0 (/a folder/tband-core)"), None);
        assert_eq!(package_in_tree("tband-core v0.1.0 (/a/tband-core) (*)"), None);
        assert_eq!(package_in_tree(""), None);
        // The second one is of this workspace.
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"x\"\n\n\
            [[package]]\nname = \"b\"\nversion = \"1.0.0\"\ndependencies = [\n";
        let locked = registry_packages(lock);
        assert_eq!(locked, set(&[("a", "1.0.0")]));
        let own = NOTICES.replace("one 1.0.0", "b 1.0.0");
        let error = compare(&own, &BTreeSet::new(), &locked).unwrap_err().to_string();
        assert_eq!(error, "b 1.0.0 is not a registry's in Cargo.lock");
    }
}
