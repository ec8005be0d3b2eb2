//! Which test programs each command runs.

/// Programs of tests that are run together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// What one runs after each edit: nothing that builds firmware, starts an emulator or a browser.
    Quick,
    /// What shows that the product works on this machine: all but what only a release needs.
    Usual,
    /// What only a release needs: packages of all targets, tables of costs, pictures.
    Release,
    /// All of it.
    Everything,
}

/// What only a release needs: package, target.
const RELEASE: [(&str, &str); 5] = [
    ("tband-cli", "other_hosts"),
    ("tband-tests", "budgets"),
    ("tband-tests", "dist"),
    ("tband-tests", "pictures"),
    ("xtask", "budgets"),
];

/// What the quick tier leaves out besides: it builds firmware or programs in C by the dozen, runs emulators,
/// browsers, model checkers, or converts recordings that take long in tests.
const LONG: [(&str, &str); 25] = [
    ("tband-cli", "browser"),
    ("tband-cli", "ctf"),
    ("tband-cli", "mistakes"),
    ("tband-cli", "python_wheel"),
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

impl Tier {
    /// Whether it runs this program.
    #[must_use]
    pub fn has(self, package: &str, name: &str) -> bool {
        let is_in = |list: &[(&str, &str)]| list.contains(&(package, name));
        match self {
            Self::Quick => !is_in(&RELEASE) && !is_in(&LONG),
            Self::Usual => !is_in(&RELEASE),
            Self::Release => is_in(&RELEASE),
            Self::Everything => true,
        }
    }
}
