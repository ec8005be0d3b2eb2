//! Which test programs each command runs.

use std::path::Path;

use anyhow::Result;

use crate::rust_target::add_target;
use crate::{core_library, dist, web, xtensa};

/// Programs of tests that are run together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The tests to run after each edit: none builds firmware, or starts an emulator or a browser.
    Quick,
    /// The tests that show that the product works on this machine: all except those only for a release.
    Usual,
    /// The tests only for a release: packages, all targets and compilers, tables of costs, pictures.
    Release,
    /// All tests.
    Everything,
}

/// Programs only for a release: package, target.
const RELEASE: [(&str, &str); 16] = [
    ("tband-app", "bounded"),
    ("tband-app", "in_proportion"),
    ("tband-cli", "engines"),
    ("tband-cli", "packages"),
    ("tband-cli", "python_wheel"),
    ("tband-query", "bounded"),
    ("tband-report", "in_proportion"),
    ("tband-tables", "bounded"),
    ("tband-tables", "tables"),
    ("tband-tests", "budgets"),
    ("tband-tests", "dist"),
    ("tband-tests", "mpu"),
    ("tband-tests", "old_kernels"),
    ("tband-tests", "pictures"),
    ("xtask", "bounded"),
    ("xtask", "budgets"),
];

/// Packages whose tests give the same result on each machine: generated files and their sources, the recorder in a model
/// checker. They are not compiled for other tiers, nor are the packages that they need.
const APART: [&str; 2] = ["tband-header", "tband-loom"];

/// Features of its programs: Parquet, whose packages take a tenth of the compiler's time.
const FEATURES: [&str; 2] = ["tband-cli/parquet", "tband-fuzz/parquet"];

/// Tests that the quick tier also leaves out: they build firmware or programs in C by the dozen, run emulators, browsers, model
/// checkers, or convert recordings that take long in tests.
const LONG: [(&str, &str); 37] = [
    ("tband-cli", "browser"),
    ("tband-cli", "ci_example"),
    ("tband-cli", "commands"),
    ("tband-cli", "crashed"),
    ("tband-cli", "ctf"),
    ("tband-cli", "findings"),
    ("tband-cli", "gdb_servers"),
    ("tband-cli", "inputs"),
    ("tband-cli", "left_behind"),
    ("tband-cli", "mistakes"),
    ("tband-cli", "senders"),
    ("tband-cli", "typed_records"),
    ("tband-cli", "while_running"),
    ("tband-tests", "ancestor_style"),
    ("tband-tests", "archive"),
    ("tband-tests", "boards"),
    ("tband-tests", "c_abi"),
    ("tband-tests", "cmake"),
    ("tband-tests", "coverage"),
    ("tband-tests", "cpus"),
    ("tband-tests", "flux_emitter"),
    ("tband-tests", "freertos_classes"),
    ("tband-tests", "freertos_posix"),
    ("tband-tests", "headers"),
    ("tband-tests", "installing"),
    ("tband-tests", "open_isrs"),
    ("tband-tests", "ports"),
    ("tband-tests", "qemu"),
    ("tband-tests", "records"),
    ("tband-tests", "rust_freertos"),
    ("tband-tests", "rust_guide"),
    ("tband-tests", "smp"),
    ("tband-tests", "stress"),
    ("tband-tests", "targets"),
    ("tband-tests", "toolchains"),
    ("xtask", "converter"),
    ("xtask", "mix"),
];

/// Programs of which it leaves out these modules or tests.
const LONG_PARTS: [(&str, &str, &[&str]); 3] = [
    ("tband-cli", "init", &["built::"]),
    ("tband-cli", "record", &["long::"]),
    ("tband-export", "waveforms", &["long_recordings_are_the_timeline_too"]),
];

/// The longest programs, the longest first. They are started in this order if nothing has run yet: one that is started last
/// runs alone at the end, while other cores are idle.
const LONGEST: [(&str, &str); 20] = [
    ("tband-cli", "browser"),
    ("tband-tests", "dist"),
    ("xtask", "budgets"),
    ("tband-tests", "cmake"),
    ("tband-tests", "budgets"),
    ("tband-cli", "packages"),
    ("tband-tests", "c_abi"),
    ("tband-tests", "cpus"),
    ("tband-tests", "qemu"),
    ("tband-cli", "python_wheel"),
    ("tband-tests", "installing"),
    ("tband-tests", "archive"),
    ("tband-tests", "mpu"),
    ("tband-cli", "commands"),
    ("tband-cli", "mistakes"),
    ("tband-tests", "headers"),
    ("tband-tests", "freertos_posix"),
    ("tband-conv", "perfetto"),
    ("tband-conv", "sinks"),
    ("tband-conv", "damage"),
];

/// Returns the assumed time of a program that has not run on this machine, in milliseconds: it only serves to order the
/// programs.
#[must_use]
pub fn guess(package: &str, name: &str) -> u64 {
    let rank = (0..).zip(LONGEST).find(|(_, it)| *it == (package, name));
    let is_long = LONG.iter().chain(&RELEASE).any(|it| *it == (package, name));
    match (rank, is_long) {
        (Some((rank, _)), _) => 400_000 - rank * 10_000,
        (None, true) => 100_000,
        (None, false) => 1000,
    }
}

/// Programs with modules that are only for a release.
const PARTLY: [(&str, &str, &[&str]); 13] = [
    ("tband-cli", "browser", &["release::"]),
    ("tband-cli", "commands", &["debugger::"]),
    ("tband-tests", "boards", &["validators::"]),
    ("tband-tests", "c_abi", &["release::"]),
    ("tband-tests", "cmake", &["release::", "versions::"]),
    ("tband-tests", "cpus", &["release::"]),
    ("tband-tests", "headers", &["release::", "switches::"]),
    ("tband-tests", "installing", &["release::"]),
    ("tband-tests", "ports", &["release::"]),
    (
        "tband-tests",
        "qemu",
        &["release::", "classes::", "cores::", "debugger::", "senders::", "shedding::", "smp::"],
    ),
    ("tband-tests", "targets", &["release::"]),
    ("tband-tests", "toolchains", &["release::"]),
    ("xtask", "project", &["release::"]),
];

/// Programs that only a release runs completely: in the usual tier they try fewer targets, have no sanitizers in their compiled
/// code, or do without Parquet.
const SHORTER: [(&str, &str); 8] = [
    ("tband-cli", "guide"),
    ("tband-cli", "help"),
    ("tband-cli", "tables"),
    ("tband-fuzz", "cases"),
    ("tband-query", "questions"),
    ("tband-tables", "tband_tables"),
    ("tband-tests", "archive"),
    ("tband-tests", "c_abi"),
];

/// Environment variables of the programs in the short tiers: property tests draw a quarter of their cases, or a sixteenth.
const SHORT: [(&str, &str); 2] =
    [(tband_programs::SHORT, "1"), (tband_programs::CASES_DIVISOR, "4")];
/// Each start of Perfetto's engine takes a second or two.
const SHORTEST: [(&str, &str); 3] = [
    (tband_programs::SHORT, "1"),
    (tband_programs::CASES_DIVISOR, "16"),
    (tband_programs::WITHOUT_ENGINE, "1"),
];
/// All programs together take more than an hour on a slow machine. The release tier draws all cases.
const EVERYTHING: [(&str, &str); 1] = [(tband_programs::CASES_DIVISOR, "16")];

impl Tier {
    /// The arguments with which it runs this program; none if it does not run it.
    #[must_use]
    pub fn arguments(self, package: &str, name: &str) -> Option<Vec<&'static str>> {
        let is_in = |list: &[(&str, &str)]| list.contains(&(package, name));
        let release = APART.contains(&package) || is_in(&RELEASE);
        let partly = PARTLY.iter().find(|(a, b, _)| (*a, *b) == (package, name));
        let modules = partly.map_or(&[][..], |(_, _, modules)| *modules);
        match self {
            Self::Everything => Some(Vec::new()),
            Self::Release if is_in(&SHORTER) => Some(Vec::new()),
            Self::Release if partly.is_some() => Some(modules.to_vec()),
            Self::Release => release.then(Vec::new),
            Self::Quick if is_in(&LONG) => None,
            Self::Quick | Self::Usual if release => None,
            Self::Quick | Self::Usual => {
                let long = LONG_PARTS.iter().filter(|(a, b, _)| (*a, *b) == (package, name));
                let long = long.filter(|_| self == Self::Quick).flat_map(|(.., parts)| *parts);
                Some(modules.iter().chain(long).flat_map(|part| ["--skip", part]).collect())
            }
        }
    }

    /// Makes the Rust targets available that its tests compile for. The quick tier compiles for the first firmware target only.
    ///
    /// # Errors
    /// One of them cannot be installed; the text has the command to run.
    pub fn install_targets(self, root: &Path) -> Result<()> {
        if self == Self::Quick {
            return core_library::find(root, dist::FIRMWARE_TARGETS[0]).map(drop);
        }
        core_library::install(root, dist::FIRMWARE_TARGETS)?;
        xtensa::install_if_possible();
        add_target(Path::new("rustup"), root, web::TARGET)
    }

    /// Packages that it does not compile.
    #[must_use]
    pub fn without(self) -> &'static [&'static str] {
        if self.is_short() { &APART } else { &[] }
    }

    /// Features that its programs are compiled with.
    #[must_use]
    pub fn features(self) -> &'static [&'static str] {
        if self.is_short() { &[] } else { &FEATURES }
    }

    /// Whether it includes the tests only for a release.
    #[must_use]
    pub fn has_release(self) -> bool {
        !self.is_short()
    }

    /// It is to take little time.
    fn is_short(self) -> bool {
        matches!(self, Self::Quick | Self::Usual)
    }

    /// Returns the environment variables of its programs.
    #[must_use]
    pub fn environment(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Quick => &SHORTEST,
            Self::Usual => &SHORT,
            Self::Everything => &EVERYTHING,
            Self::Release => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::workspace_root;

    /// The file of a program of tests, which its package names or which has its name.
    fn source(package: &str, name: &str) -> String {
        let folder = workspace_root().join(match package {
            "tband-cli" => "host-cli",
            "tband-tests" => "tests",
            "tband-fuzz" => "tests/fuzz",
            other => other,
        });
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let line = format!("name = \"{name}\"\npath = \"");
        let path = manifest.split_once(&line).and_then(|(_, rest)| rest.split('"').next());
        // The library's own tests have its name.
        let library = if name == package.replace('-', "_") { "src/lib.rs" } else { "" };
        let found =
            ["tests/NAME.rs", "tests/NAME/main.rs", library].map(|it| it.replace("NAME", name));
        let found = found.into_iter().find(|it| folder.join(it).is_file()).unwrap_or_default();
        let path = folder.join(path.map_or(found, str::to_owned));
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    #[test]
    fn the_lists_name_programs_and_modules_that_are_there() {
        for (package, name) in RELEASE.iter().chain(&LONG).chain(&LONGEST).chain(&SHORTER) {
            assert!(!source(package, name).is_empty());
        }
        for (package, name, modules) in &PARTLY {
            for module in *modules {
                let line = format!("\nmod {};\n", module.trim_end_matches(':'));
                assert!(source(package, name).contains(&line), "{package} {name} {module}");
            }
            assert!(!RELEASE.contains(&(*package, *name)), "{package} {name} is in two lists");
        }
        for (package, name, parts) in &LONG_PARTS {
            for part in *parts {
                let is_module = part.ends_with("::");
                let line = part.trim_end_matches(':');
                let line = if is_module {
                    format!("\nmod {line};\n")
                } else {
                    format!("\nfn {line}() {{")
                };
                assert!(source(package, name).contains(&line), "{package} {name} {part}");
            }
            assert!(!LONG.contains(&(*package, *name)), "{package} {name} is in two lists");
        }
    }

    #[test]
    fn the_longest_are_begun_first() {
        let [first, last] =
            [LONGEST[0], LONGEST[LONGEST.len() - 1]].map(|(it, name)| guess(it, name));
        assert!(first > last && last > guess("tband-tests", "boards"));
        assert_eq!(guess("tband-tests", "ports"), guess("tband-tests", "boards"));
        assert!(guess("tband-tests", "boards") > guess("tband-conv", "stats"));
    }

    #[test]
    fn each_test_is_in_the_usual_tier_or_in_that_of_a_release() {
        for (package, name, modules) in PARTLY {
            let usual = Tier::Usual.arguments(package, name).unwrap();
            let release = Tier::Release.arguments(package, name).unwrap();
            for module in modules {
                assert!(usual.windows(2).any(|it| it == ["--skip", module]), "{name} {module}");
                assert!(release.is_empty() || release.contains(module), "{name} {module}");
            }
            assert_eq!(usual.len(), 2 * modules.len());
        }
        for (package, name) in SHORTER {
            assert!(Tier::Usual.arguments(package, name).is_some());
            assert_eq!(Tier::Release.arguments(package, name), Some(Vec::new()));
        }
        for package in APART {
            assert_eq!(Tier::Usual.arguments(package, "cores"), None);
            assert_eq!(Tier::Release.arguments(package, "cores"), Some(Vec::new()));
        }
        for (package, name) in RELEASE {
            assert_eq!(Tier::Usual.arguments(package, name), None);
            assert_eq!(Tier::Release.arguments(package, name), Some(Vec::new()));
        }
        assert_eq!(Tier::Usual.arguments("tband-conv", "timeline"), Some(Vec::new()));
        assert_eq!(Tier::Release.arguments("tband-conv", "timeline"), None);
        assert_eq!(Tier::Quick.arguments("tband-tests", "qemu"), None);
        assert_eq!(Tier::Usual.arguments("tband-cli", "record"), Some(Vec::new()));
        assert_eq!(Tier::Quick.arguments("tband-cli", "record"), Some(vec!["--skip", "long::"]));
    }
}
