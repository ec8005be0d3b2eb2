//! Which test programs each command runs.

/// Programs of tests that are run together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// What one runs after each edit: nothing that builds firmware, starts an emulator or a browser.
    Quick,
    /// What shows that the product works on this machine: all but what only a release needs.
    Usual,
    /// What only a release needs: packages, all targets and compilers, tables of costs, pictures.
    Release,
    /// All of it.
    Everything,
}

/// What only a release needs: package, target.
const RELEASE: [(&str, &str); 6] = [
    ("tband-cli", "packages"),
    ("tband-cli", "python_wheel"),
    ("tband-tests", "budgets"),
    ("tband-tests", "dist"),
    ("tband-tests", "pictures"),
    ("xtask", "budgets"),
];

/// What the quick tier leaves out besides: it builds firmware or programs in C by the dozen, runs emulators,
/// browsers, model checkers, or converts recordings that take long in tests.
const LONG: [(&str, &str); 24] = [
    ("tband-cli", "browser"),
    ("tband-cli", "ctf"),
    ("tband-cli", "mistakes"),
    ("tband-loom", "cores"),
    ("tband-loom", "packets"),
    ("tband-tests", "archive"),
    ("tband-tests", "boards"),
    ("tband-tests", "c_abi"),
    ("tband-tests", "changing"),
    ("tband-tests", "cmake"),
    ("tband-tests", "flux_emitter"),
    ("tband-tests", "freertos_classes"),
    ("tband-tests", "freertos_posix"),
    ("tband-tests", "headers"),
    ("tband-tests", "installing"),
    ("tband-tests", "mpu"),
    ("tband-tests", "old_kernels"),
    ("tband-tests", "ports"),
    ("tband-tests", "qemu"),
    ("tband-tests", "rust_freertos"),
    ("tband-tests", "targets"),
    ("tband-tests", "toolchains"),
    ("xtask", "bounded"),
    ("xtask", "new_backend"),
];

/// What takes longest, the longest first. They are begun in this order where nothing has run yet: one of them that is begun last
/// runs alone in the end, while other cores are idle.
const LONGEST: [(&str, &str); 12] = [
    ("tband-cli", "browser"),
    ("tband-tests", "c_abi"),
    ("tband-tests", "qemu"),
    ("tband-tests", "archive"),
    ("tband-tests", "freertos_posix"),
    ("tband-cli", "commands"),
    ("tband-conv", "perfetto"),
    ("tband-tests", "headers"),
    ("tband-tests", "old_kernels"),
    ("tband-cli", "mistakes"),
    ("tband-conv", "sinks"),
    ("tband-conv", "damage"),
];

/// How long a program may take that has not run on this machine, in milliseconds: no more than an order.
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

/// Programs of which the module `release` is what only a release needs.
const PARTLY: [(&str, &str); 12] = [
    ("tband-cli", "browser"),
    ("tband-tests", "c_abi"),
    ("tband-tests", "changing"),
    ("tband-tests", "cmake"),
    ("tband-tests", "header_agrees"),
    ("tband-tests", "headers"),
    ("tband-tests", "installing"),
    ("tband-tests", "mpu"),
    ("tband-tests", "ports"),
    ("tband-tests", "qemu"),
    ("tband-tests", "targets"),
    ("tband-tests", "toolchains"),
];

/// That module, as the names of its tests begin.
const MODULE: &str = "release::";

impl Tier {
    /// The arguments with which it runs this program; none if it does not run it.
    #[must_use]
    pub fn arguments(self, package: &str, name: &str) -> Option<&'static [&'static str]> {
        let is_in = |list: &[(&str, &str)]| list.contains(&(package, name));
        let (release, partly) = (is_in(&RELEASE), is_in(&PARTLY));
        match self {
            Self::Everything => Some(&[]),
            Self::Release if partly => Some(&[MODULE]),
            Self::Release => release.then_some(&[]),
            Self::Quick if is_in(&LONG) => None,
            Self::Quick | Self::Usual if partly => Some(&["--skip", MODULE]),
            Self::Quick | Self::Usual => (!release).then_some(&[]),
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
            "tband-loom" => "tests/loom",
            other => other,
        });
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let line = format!("name = \"{name}\"\npath = \"");
        let path = manifest.split_once(&line).and_then(|(_, rest)| rest.split('"').next());
        let found = ["tests/NAME.rs", "tests/NAME/main.rs"].map(|it| it.replace("NAME", name));
        let found = found.into_iter().find(|it| folder.join(it).is_file()).unwrap_or_default();
        let path = folder.join(path.map_or(found, str::to_owned));
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    #[test]
    fn the_lists_name_programs_and_modules_that_are_there() {
        for (package, name) in RELEASE.iter().chain(&LONG).chain(&LONGEST) {
            assert!(!source(package, name).is_empty());
        }
        for (package, name) in &PARTLY {
            assert!(source(package, name).contains("\nmod release;\n"), "{package} {name}");
            assert!(!RELEASE.contains(&(*package, *name)), "{package} {name} is in two lists");
        }
    }

    #[test]
    fn the_longest_are_begun_first() {
        let [first, last] =
            [LONGEST[0], LONGEST[LONGEST.len() - 1]].map(|(it, name)| guess(it, name));
        assert!(first > last && last > guess("tband-tests", "boards"));
        assert_eq!(guess("tband-tests", "dist"), guess("tband-tests", "boards"));
        assert!(guess("tband-tests", "boards") > guess("tband-conv", "stats"));
    }

    #[test]
    fn each_test_is_in_the_usual_tier_or_in_that_of_a_release() {
        for (package, name) in PARTLY {
            assert_eq!(Tier::Usual.arguments(package, name), Some(&["--skip", MODULE][..]));
            assert_eq!(Tier::Release.arguments(package, name), Some(&[MODULE][..]));
        }
        for (package, name) in RELEASE {
            assert_eq!(Tier::Usual.arguments(package, name), None);
            assert_eq!(Tier::Release.arguments(package, name), Some(&[][..]));
        }
        assert_eq!(Tier::Usual.arguments("tband-conv", "timeline"), Some(&[][..]));
        assert_eq!(Tier::Release.arguments("tband-conv", "timeline"), None);
        assert_eq!(Tier::Quick.arguments("tband-tests", "qemu"), None);
    }
}
