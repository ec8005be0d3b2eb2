//! `tband-cli init` and `tband-cli sdk`: small projects of each kind, and two that are built and run.

#[path = "../support/mod.rs"]
mod support;

mod built;
mod cases;
mod computer;
mod doctor;
mod files;
mod included;
mod options;
mod sdk;
mod undo;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use support::{RunOutput, cli, finish};
use tempfile::TempDir;

/// Targets of the SDK's libraries.
const TARGETS: [&str; 11] = [
    "thumbv6m-none-eabi",
    "thumbv7m-none-eabi",
    "thumbv7em-none-eabi",
    "thumbv7em-none-eabihf",
    "thumbv8m.main-none-eabi",
    "thumbv8m.main-none-eabihf",
    "riscv32imc-unknown-none-elf",
    "riscv32imac-unknown-none-elf",
    "riscv32imafc-unknown-none-elf",
    "x86_64-unknown-linux-gnu",
    "x86_64-pc-windows-gnu",
];

/// An SDK with tband's real sources. Only its libraries are not real.
fn sdk() -> &'static Path {
    static SDK: OnceLock<TempDir> = OnceLock::new();
    let made = SDK.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for name in ["include", "port", "freertos-hooks", "cmake", "esp-idf", "zephyr"] {
            copy(&root.join(name), &folder.path().join(name));
        }
        for name in ["LICENSE-MIT", "LICENSE-APACHE", "library.json", "licenses/libtband.txt"] {
            put(&folder.path().join(name), &fs::read(root.join(name)).unwrap());
        }
        put(&folder.path().join("tband.mk"), &fs::read(root.join("cmake/tband.mk")).unwrap());
        for target in TARGETS {
            for name in ["libtband.a", "libtband_flux.a"] {
                put(&folder.path().join("lib").join(target).join(name), target.as_bytes());
            }
        }
        folder
    });
    made.path()
}

fn copy(from: &Path, to: &Path) {
    for (name, content) in tree(from).into_iter().filter(|(name, _)| !name.ends_with('/')) {
        put(&to.join(name), &content);
    }
}

fn put(path: &Path, content: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// All files below a folder, by their paths in it.
fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            // Links are files here.
            if entry.file_type().unwrap().is_dir() {
                // So that an empty folder is a difference.
                files.insert(format!("{name}/"), Vec::new());
                folders.push(path);
            } else {
                files.insert(name, fs::read(&path).unwrap_or_default());
            }
        }
    }
    files
}

/// A project in a temporary folder, whose name has a space.
struct Project {
    _folder: TempDir,
    path: PathBuf,
}

impl Project {
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my firmware");
        fs::create_dir(&path).unwrap();
        let project = Self { _folder: folder, path };
        files.iter().for_each(|(name, text)| project.put(name, text));
        project
    }

    fn put(&self, name: &str, text: &str) {
        put(&self.path(name), text.as_bytes());
    }

    fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    #[track_caller]
    fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    #[track_caller]
    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        tree(&self.path)
    }

    /// Runs `init` with the SDK and these options in the project.
    fn init(&self, options: &[&str]) -> RunOutput {
        let mut command = cli(&["init", "--sdk", sdk().to_str().unwrap()]);
        finish(command.args(options).arg(&self.path))
    }

    /// Runs it with `--apply`, and checks the exit code.
    #[track_caller]
    fn apply(&self, options: &[&str], code: i32) -> RunOutput {
        let ran = self.init(&[&["--apply"], options].concat());
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        ran
    }

    #[track_caller]
    fn remove(&self, code: i32) -> RunOutput {
        self.remove_from(&[], code)
    }

    /// Runs `init --remove` with these options, and checks the exit code.
    #[track_caller]
    fn remove_from(&self, options: &[&str], code: i32) -> RunOutput {
        let ran = finish(cli(&["init", "--remove"]).args(options).arg(&self.path));
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        ran
    }

    /// Runs it, which fails and changes nothing; returns the message.
    #[track_caller]
    fn refused(&self, options: &[&str]) -> String {
        let before = self.files();
        let ran = self.init(&[&["--apply"], options].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(self.files() == before, "{}", ran.stderr);
        ran.stderr
    }

    /// Applies the patch, checks that a repetition changes nothing, calls `check`, and removes all again.
    #[track_caller]
    fn cycle(&self, options: &[&str], code: i32, check: impl FnOnce(&Self, &str)) {
        self.cycle_with_patch(options, code, |project, printed, _| check(project, printed));
    }

    /// Does the same; `check` gets the patch too.
    #[track_caller]
    fn cycle_with_patch(&self, options: &[&str], code: i32, check: impl FnOnce(&Self, &str, &str)) {
        let before = self.files();
        // Without --apply only new files are written.
        let shown = self.init(options);
        assert_eq!(shown.code, Some(code), "{}", shown.stderr);
        let files = self.files();
        assert!(before.iter().all(|(name, content)| files.get(name) == Some(content)));
        let first = self.apply(options, code);
        let after = self.files();
        let second = self.apply(options, code);
        assert!(self.files() == after, "{}", second.stderr);
        assert!(second.stderr.contains("nothing to change"), "{}", second.stderr);
        // Files have any encoding.
        check(self, &first.stderr, &String::from_utf8_lossy(&shown.stdout));
        let dir = options.iter().position(|it| *it == "--dir");
        self.remove_from(dir.map_or(&[], |at| &options[at..at + 2]), 0);
        assert_same(&before, &self.files());
    }
}

#[track_caller]
fn assert_same(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) {
    let names = |it: &BTreeMap<String, Vec<u8>>| it.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(before), names(after));
    for (name, content) in before {
        assert!(after[name] == *content, "{name}");
    }
}

#[track_caller]
fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no “{part}” in:\n{text}");
    }
}

/// A kernel's configuration.
const CONFIG: &str = "#ifndef FREERTOS_CONFIG_H\n#define FREERTOS_CONFIG_H\n\n#define configCPU_CLOCK_HZ 25000000\n\
    #define configUSE_TRACE_FACILITY 0\n\n#endif /* FREERTOS_CONFIG_H */\n";
/// A program that starts the kernel.
const MAIN: &str = "#include \"FreeRTOS.h\"\n#include \"task.h\"\n\nint main(void) {\n  prepare();\n  vTaskStartScheduler();\n  for (;;) {\n  }\n}\n";
/// A program without a kernel.
const LOOP: &str = "#include <stdint.h>\n\nint main(void)\n{\n    prepare();\n    while (1) {\n        step();\n    }\n}\n";
/// The kernel's version.
const TASK_H: &str = "#define tskKERNEL_VERSION_NUMBER \"V10.3.1\"\n#define tskKERNEL_VERSION_MAJOR 10\n#define tskKERNEL_VERSION_MINOR 3\n#define tskKERNEL_VERSION_BUILD 1\n";
/// A project of CMake with the kernel's own files of CMake.
const LISTS: &str = "cmake_minimum_required(VERSION 3.20)\nproject(firmware C)\nset(CMAKE_C_FLAGS \"-mcpu=cortex-m4 -mfloat-abi=hard\")\n\
    add_library(freertos_config INTERFACE)\nadd_executable(firmware src/main.c)\ntarget_link_libraries(firmware PRIVATE freertos_kernel)\n";

/// A project of CMake with the kernel.
fn with_cmake() -> Project {
    Project::of(&[("CMakeLists.txt", LISTS), ("FreeRTOSConfig.h", CONFIG), ("src/main.c", MAIN)])
}
