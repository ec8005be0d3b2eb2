//! Compiling C and C++ as a user would, and running firmware against the fake port in `tests/c`.
//!
//! The compiler is the one that the `cc` crate finds for the host, with its environment variables.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use tband_programs::is_short;
use tempfile::TempDir;

use crate::{archive, finish, read, root, run, temp_dir, write};

/// Warnings that users' projects turn on, all of them errors.
pub const STRICT: &[&str] =
    &["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wundef", "-Werror"];

/// A language standard that tband supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// The oldest C.
    C99,
    /// The oldest with static assertions.
    C11,
    /// The usual C.
    C17,
    /// The newest C.
    C23,
    /// The oldest C++; for the headers, as all C++.
    Cxx11,
    /// C++14.
    Cxx14,
    /// The usual C++.
    Cxx17,
    /// The newest C++.
    Cxx20,
}

impl Standard {
    /// Those of C.
    pub const C: [Self; 4] = [Self::C99, Self::C11, Self::C17, Self::C23];
    /// Those of C++.
    pub const CXX: [Self; 4] = [Self::Cxx11, Self::Cxx14, Self::Cxx17, Self::Cxx20];
    /// The oldest and the newest of both.
    pub const OUTERMOST: [Self; 4] = [Self::C99, Self::C23, Self::Cxx11, Self::Cxx20];
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::C99,
        Self::C11,
        Self::C17,
        Self::C23,
        Self::Cxx11,
        Self::Cxx14,
        Self::Cxx17,
        Self::Cxx20,
    ];

    /// Suffix of a source file.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::C99 | Self::C11 | Self::C17 | Self::C23 => "c",
            Self::Cxx11 | Self::Cxx14 | Self::Cxx17 | Self::Cxx20 => "cpp",
        }
    }

    /// The compiler's option, without extensions of the compiler.
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self {
            Self::C99 => "-std=c99",
            Self::C11 => "-std=c11",
            Self::C17 => "-std=c17",
            // Its name until compilers knew the year.
            Self::C23 => "-std=c2x",
            Self::Cxx11 => "-std=c++11",
            Self::Cxx14 => "-std=c++14",
            Self::Cxx17 => "-std=c++17",
            Self::Cxx20 => "-std=c++20",
        }
    }
}

/// The compiler for C or C++, which `cc` finds out by running it.
fn host_compiler(is_cpp: bool) -> cc::Tool {
    static FOUND: [OnceLock<cc::Tool>; 2] = [const { OnceLock::new() }; 2];
    let find = || {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let version = run(Command::new(rustc).arg("-vV"));
        let version = String::from_utf8(version).expect("text");
        let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
        cc::Build::new()
            .cpp(is_cpp)
            .target(host)
            .host(host)
            .opt_level(0)
            // Off would be -w, which beats -Werror.
            .warnings(true)
            .cargo_metadata(false)
            .get_compiler()
    };
    FOUND[usize::from(is_cpp)].get_or_init(find).clone()
}

/// The compiler for a standard, without options for warnings.
#[must_use]
pub fn compiler(standard: Standard) -> Command {
    let mut command = host_compiler(standard.suffix() == "cpp").to_command();
    // Functions and lines are all that a sanitizer's report has; more takes a fifth of the time.
    command.arg("-g1").arg(standard.option());
    command
}

/// The include path of the library's headers.
#[must_use]
pub fn includes() -> [PathBuf; 2] {
    [root().join("include"), root().join("freertos-hooks")]
}

/// Adds folders to a compiler's include path.
pub fn include<P: AsRef<Path>>(command: &mut Command, folders: impl IntoIterator<Item = P>) {
    for folder in folders {
        command.arg("-I").arg(folder.as_ref());
    }
}

/// The text of a configuration header: what a test cares about, and tracing on.
#[must_use]
pub fn config_text(config: &[(&str, &str)]) -> String {
    let mut text = String::new();
    if !config.iter().any(|(name, _)| *name == "tband_configENABLE") {
        text.push_str("#define tband_configENABLE 1\n");
    }
    for (name, value) in config {
        let _ = writeln!(text, "#define {name} {value}");
    }
    text
}

/// The program of a name in a folder, or in one of the folders in it.
fn program(folder: &Path, name: &str) -> PathBuf {
    let file = format!("{name}.c");
    let entries = std::fs::read_dir(folder).expect("a folder");
    let folders = entries.map(|entry| entry.expect("an entry").path());
    let mut places = std::iter::once(folder.to_owned()).chain(folders).map(|it| it.join(&file));
    places.find(|it| it.is_file()).unwrap_or_else(|| panic!("no folder has the program {name}"))
}

/// The compiler for programs whose warnings are errors, with sanitizers where there is time.
fn strict_compiler(options: &[&str]) -> Command {
    let mut compile = compiler(Standard::C11);
    compile.args(STRICT).args([
        "-Wstrict-prototypes",
        "-Wmissing-prototypes",
        // Looks at the flow of values, for warnings, and takes three quarters of the time of -O1. With -O2 and -Os the
        // same sources run on emulated boards.
        "-Og",
    ]);
    // They take half of the compiler's time.
    if is_short() {
        compile.arg("-DHAS_NO_GUARDS");
    } else {
        compile.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    }
    compile.args(options);
    compile
}

/// An object that is the same in each program, whatever the configuration is: compiled once a process.
fn common_object(source: &str, options: &[&str]) -> Arc<OnceLock<Vec<u8>>> {
    static COMPILED: Mutex<BTreeMap<String, Arc<OnceLock<Vec<u8>>>>> = Mutex::new(BTreeMap::new());
    let compiled = Arc::clone(lock(&COMPILED).entry(format!("{source} {options:?}")).or_default());
    compiled.get_or_init(|| {
        let (folder, c) = (temp_dir(), root().join("tests/c"));
        let config = [("tband_configUSE_BACKEND_STREAMING", "1")];
        write(folder.path().join("tband_config.h"), config_text(&config));
        let mut compile = strict_compiler(options);
        include(&mut compile, [folder.path(), &c.join("fake_port"), &c]);
        include(&mut compile, includes());
        let object = folder.path().join("object.o");
        run(compile.arg("-c").arg(c.join(source)).arg("-o").arg(&object));
        std::fs::read(object).expect("an object")
    });
    compiled
}

/// The option for a linker that takes a third of the time of GNU's usual one, if there is any.
fn fast_linker() -> Option<&'static str> {
    static FOUND: OnceLock<Option<&'static str>> = OnceLock::new();
    let is_there =
        |option: &&str| finish(compiler(Standard::C11).arg(option).arg("-Wl,--version")).ok;
    *FOUND.get_or_init(|| ["-fuse-ld=gold", "-fuse-ld=lld"].into_iter().find(is_there))
}

/// Also after a test that failed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program from `tests/c`, linked to the shim, the fake port and the library, with sanitizers unless few variants are asked for.
#[derive(Debug)]
pub struct Firmware {
    folder: TempDir,
}

impl Firmware {
    /// Compiles `<name>.c`, which is in `tests/c` or one of its folders, with a configuration. Warnings are errors.
    #[must_use]
    pub fn new(name: &str, config: &[(&str, &str)]) -> Self {
        Self::with_library(name, None, config)
    }

    /// As [`new`](Self::new), with a further library before tband's.
    #[must_use]
    pub fn with_library(name: &str, library: Option<&Path>, config: &[(&str, &str)]) -> Self {
        let c = root().join("tests/c");
        Self::build(&[&program(&c, name)], library, &c.join("fake_port"), config, &[])
    }

    /// As [`new`](Self::new), with other options of the compiler after the usual ones.
    #[must_use]
    pub fn with_options(name: &str, config: &[(&str, &str)], options: &[&str]) -> Self {
        let c = root().join("tests/c");
        Self::build(&[&program(&c, name)], None, &c.join("fake_port"), config, options)
    }

    /// As [`new`](Self::new), with other sources and the folder of another `tband_port.h`.
    #[must_use]
    pub fn with_port(sources: &[&PathBuf], port: &Path, config: &[(&str, &str)]) -> Self {
        Self::build(sources, None, port, config, &[])
    }

    /// Compiles it, unless this process has done so already: tests run one program with many arguments.
    fn build(
        sources: &[&PathBuf],
        library: Option<&Path>,
        port: &Path,
        config: &[(&str, &str)],
        options: &[&str],
    ) -> Self {
        static BUILT: Mutex<BTreeMap<String, Arc<OnceLock<File>>>> = Mutex::new(BTreeMap::new());
        let key = format!("{sources:?} {library:?} {port:?} {options:?} {}", config_text(config));
        let built = Arc::clone(lock(&BUILT).entry(key).or_default());
        let mut compiled = None;
        let program = built.get_or_init(|| {
            let firmware = Self::compile(sources, library, port, config, options);
            let program = File::open(firmware.path()).expect("it was compiled");
            compiled = Some(firmware);
            program
        });
        let again = || Self::duplicate(program);
        let compile_again = || Self::compile(sources, library, port, config, options);
        compiled.or_else(again).unwrap_or_else(compile_again)
    }

    /// Returns a copy of a program whose folder may be gone: the file exists as long as it is open; `None` where the system
    /// does not name open files. Another process writes it, because a file that is open for writing cannot be run, and a
    /// program started at the same time would inherit it.
    fn duplicate(program: &File) -> Option<Self> {
        let open = format!("/proc/{}/fd/{}", std::process::id(), program.as_raw_fd());
        std::fs::metadata(&open).ok()?;
        let firmware = Self { folder: temp_dir() };
        run(Command::new("cp").arg(open).arg(firmware.path()));
        assert!(firmware.path().metadata().expect("a copy").len() > 0, "an empty copy");
        Some(firmware)
    }

    fn compile(
        sources: &[&PathBuf],
        library: Option<&Path>,
        port: &Path,
        config: &[(&str, &str)],
        options: &[&str],
    ) -> Self {
        let folder = temp_dir();
        write(folder.path().join("tband_config.h"), config_text(config));
        let mut compile = strict_compiler(options);
        include(&mut compile, [folder.path(), port]);
        include(&mut compile, includes());
        include(&mut compile, [root().join("tests/c"), root().join("port")]);
        compile.args(sources);
        // Some programs look into the shim and include it themselves.
        if !sources.iter().any(|source| read(source).contains("#include \"tband_shim.c\"")) {
            compile.arg(root().join("port/tband_shim.c"));
        }
        let fakes = port.join("fake_port.c").is_file().then_some("fake_port/fake_port.c");
        for (at, source) in fakes.into_iter().chain(["guards.c"]).enumerate() {
            let object = folder.path().join(format!("common{at}.o"));
            write(&object, common_object(source, options).get().expect("it is compiled"));
            compile.arg(object);
        }
        compile.args(fast_linker()).arg("-Wl,--gc-sections").args(library).arg(archive());
        compile.args(["-lpthread", "-ldl", "-lm"]);
        run(compile.arg("-o").arg(folder.path().join("firmware")));
        Self { folder }
    }

    /// The program's file.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("firmware")
    }

    /// Runs the program, which must succeed, and returns what it wrote to stdout: the bytes that the
    /// port received.
    #[must_use]
    pub fn run(&self, args: &[&str]) -> Vec<u8> {
        run(Command::new(self.folder.path().join("firmware")).args(args))
    }
}

/// Compiles one source text to an object; the compiler's complaints if it does not compile.
///
/// `include_path` comes before the library's headers.
///
/// # Errors
/// What the compiler printed.
pub fn compile_text(
    standard: Standard,
    options: &[&str],
    include_path: &[&Path],
    text: &str,
    object: &Path,
) -> Result<(), String> {
    compile_text_with(compiler(standard), standard, options, include_path, text, object)
}

/// As [`compile_text`], with the compiler of a target.
///
/// # Errors
/// What the compiler printed.
pub fn compile_text_with(
    mut command: Command,
    standard: Standard,
    options: &[&str],
    include_path: &[&Path],
    text: &str,
    object: &Path,
) -> Result<(), String> {
    let source = object.with_extension(standard.suffix());
    write(&source, text);
    command.args(options);
    include(&mut command, include_path);
    include(&mut command, includes());
    let finished = finish(command.arg("-c").arg(&source).arg("-o").arg(object));
    if finished.ok { Ok(()) } else { Err(finished.text()) }
}
