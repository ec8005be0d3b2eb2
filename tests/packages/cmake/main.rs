//! Users' CMake projects: from the source tree and from an installed package, with both usual generators; and CMake's messages
//! about missing or unknown settings.
//!
//! The user's project is a bare-metal style program that records into a snapshot buffer and prints it.

mod compilers;
mod identity;
mod images;
mod release;
mod versions;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tband_tests::events::{SNAPSHOT_OF_32_KIB, assert_identified_events, trace_info};
use tband_tests::user_project::{CONFIG, PORT};
use tband_tests::without_rust::WithoutRust;
use tband_tests::{ProgramOutput, archive, finish, root, run, temp_dir, write};

const MAIN: &str = r##"#include <stdio.h>
#include "tband.h"

uint64_t my_timer_ticks(void) { return 42; }

int main(void) {
  if (tband_trigger_snapshot() != 0) return 1;
  tband_evtmarker(1, "hello");
  if (tband_stop_snapshot() != 0) return 1;
  for (size_t at = 0; at < tband_get_metadata_buf_amnt(0); at++) putchar(tband_get_metadata_buf(0)[at]);
  for (size_t at = 0; at < tband_get_core_snapshot_buf_amnt(0); at++) putchar(tband_get_core_snapshot_buf(0)[at]);
  return 0;
}
"##;

/// The lines of the user's project: `how` brings in tband.
fn lists(how: &str) -> String {
    format!(
        "cmake_minimum_required(VERSION 3.20)\n\
         project(user LANGUAGES C)\n\
         add_library(tband_config INTERFACE)\n\
         target_include_directories(tband_config INTERFACE ${{CMAKE_CURRENT_SOURCE_DIR}}/config)\n\
         {how}\n\
         add_executable(user main.c)\n\
         target_link_libraries(user PRIVATE tband::tband)\n"
    )
}

fn add_subdirectory() -> String {
    format!("add_subdirectory({} tband)", root().display())
}

/// A user's project in a separate folder, with a build folder inside.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(lists: &str) -> Self {
        let folder = temp_dir();
        write(folder.path().join("CMakeLists.txt"), lists);
        write(folder.path().join("main.c"), MAIN);
        write(folder.path().join("config/tband_config.h"), CONFIG);
        write(folder.path().join("config/tband_port.h"), PORT);
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `cmake` for the configure step.
    fn configure(&self, generator: &str) -> Command {
        let mut command = cmake();
        command.arg("-S").arg(self.folder.path()).arg("-B").arg(self.path("build"));
        command.args(["-G", generator]);
        command
    }

    fn fail_to_configure(&self, arguments: &[String]) -> String {
        let finished = finish(self.configure("Unix Makefiles").args(arguments));
        assert!(!finished.ok, "CMake must refuse");
        unwrapped(&finished)
    }

    /// Builds and runs the program. Returns the identity in its recording.
    fn build_and_run(&self) -> Option<String> {
        run(cmake().arg("--build").arg(self.path("build")));
        let recording = run(&mut Command::new(self.path("build/user")));
        assert_identified_events(
            &recording,
            &[
                "- ts_resolution_ns ns_per_ts=1000",
                &trace_info(1, SNAPSHOT_OF_32_KIB),
                "42 dropped_evt_cnt cnt=0",
                "42 evtmarker evtmarker_id=1 msg=\"hello\"",
            ],
        )
    }
}

/// CMake without what would choose compilers and flags for it.
fn cmake() -> Command {
    let mut command = Command::new("cmake");
    for name in ["CC", "CFLAGS", "CMAKE_GENERATOR", "DESTDIR", "RUSTFLAGS", "CARGO_TARGET_DIR"] {
        command.env_remove(name);
    }
    command
}

/// CMake's complaint without its line breaks.
fn unwrapped(finished: &ProgramOutput) -> String {
    finished.text().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn prebuilt() -> String {
    format!("-DTBAND_LIBRARY={}", archive().display())
}

#[track_caller]
fn assert_contains(complaint: &str, texts: &[&str]) {
    for text in texts {
        assert!(complaint.contains(text), "no “{text}” in:\n{complaint}");
    }
}

/// Files of the source tree that a build might touch.
fn source_files() -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    let names =
        ["cmake", "freertos-hooks", "include", "port", "tband-core", "tband-ffi", "tband-format"];
    let mut folders: Vec<_> = names.map(|name| root().join(name)).into();
    // Directly in the root, build systems leave folders.
    for name in ["CMakeCache.txt", "CMakeFiles", "Makefile", "build.ninja", "tband", "cargo"] {
        assert!(!root().join(name).exists(), "{name} in the source tree");
    }
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path.clone());
            }
            files.insert(path);
        }
    }
    files
}

#[test]
fn from_the_source_tree_with_the_library_built_by_cargo() {
    build_source_tree("Ninja");
}

fn build_source_tree(generator: &str) {
    let before = source_files();
    let project = Project::new(&lists(&add_subdirectory()));
    run(&mut project.configure(generator));
    // The library needs no package of a registry: cargo has none here, and cannot download one.
    let home = project.path("cargo-home");
    fs::create_dir(&home).expect("a folder");
    let mut build = cmake();
    build.arg("--build").arg(project.path("build")).env("CARGO_HOME", &home);
    run(build.env("CARGO_NET_OFFLINE", "true"));
    assert!(!home.join("registry").exists(), "cargo looked for packages");
    project.build_and_run();
    // Nothing to do is quick and works, too.
    project.build_and_run();
    assert_eq!(source_files(), before, "the source tree is left alone");
}

#[test]
fn from_an_installed_package() {
    let folder = temp_dir();
    let (build, prefix) = (folder.path().join("build"), folder.path().join("prefix"));
    // On its own, with no configuration, the project builds the library and installs.
    run(cmake().arg("-S").arg(root()).arg("-B").arg(&build).arg(prebuilt()));
    run(cmake().arg("--build").arg(&build));
    run(cmake().arg("--install").arg(&build).arg("--prefix").arg(&prefix));
    // The package works where it is moved to, without the source tree's files.
    let moved = folder.path().join("moved");
    fs::rename(&prefix, &moved).expect("moved");
    let project = Project::new(&lists("find_package(tband 0.1.0 EXACT REQUIRED)"));
    run(project.configure("Ninja").arg(format!("-DCMAKE_PREFIX_PATH={}", moved.display())));
    project.build_and_run();
    for license in ["LICENSE-MIT", "LICENSE-APACHE", "licenses/libtband.txt"] {
        assert!(moved.join("share/tband").join(license).is_file(), "{license} is installed");
    }
}

/// A project whose kernel is a few lines: what includes tband.h must be compiled for this version.
fn project_with_kernel(how: &str, expected: u32) -> Project {
    let project = Project::new(&lists(how));
    let checked = format!(
        "#include \"tband.h\"\n#if tband_configFREERTOS_VERSION != {expected}\n#error wrong\n#endif\n"
    );
    write(project.path("main.c"), format!("{checked}int main(void) {{ return 0; }}\n"));
    write(
        project.path("kernel/include/task.h"),
        "#define tskKERNEL_VERSION_NUMBER \"V10.5.1+\"\n\
         #define tskKERNEL_VERSION_MAJOR    10\n\
         #define tskKERNEL_VERSION_MINOR    5\n\
         #define tskKERNEL_VERSION_BUILD    1\n",
    );
    write(project.path("kernel/tasks.c"), format!("{checked}int kernel;\n"));
    project
}

/// The version in a kernel's task.h reaches what includes tband.h, wherever CMake learns of the kernel.
#[test]
fn the_kernel_s_version_is_found() {
    let with_path = "set(FREERTOS_KERNEL_PATH ${CMAKE_CURRENT_SOURCE_DIR}/kernel)\n";
    // After tband, and with its headers on the include path in its own way.
    let with_target = "add_subdirectory(kernel)\n";
    // The kernel's files among the program's.
    let in_program = "set(TBAND_FREERTOS_TARGET user)\n";
    for (before, after, program, expected) in [
        ("", "", "", 110_200),
        (with_path, "", "", 100_501),
        ("", with_target, "", 100_501),
        (in_program, "", "target_sources(user PRIVATE kernel/tasks.c)\n", 100_501),
    ] {
        let how = format!("{before}{}\n{after}", add_subdirectory());
        let project = project_with_kernel(&how, expected);
        let lists = format!("{}{program}", lists(&how));
        write(project.path("CMakeLists.txt"), lists);
        // Without a keyword, as the kernel's own CMake does up to V10.5: CMake wants one kind only.
        write(
            project.path("kernel/CMakeLists.txt"),
            "add_library(freertos_kernel STATIC tasks.c)\n\
             target_link_libraries(freertos_kernel m)\n\
             target_include_directories(freertos_kernel PRIVATE \
             $<TARGET_PROPERTY:tband_headers,INTERFACE_INCLUDE_DIRECTORIES> ../config)\n",
        );
        run(project.configure("Ninja").arg(prebuilt()));
        run(cmake().arg("--build").arg(project.path("build")));
    }
}

/// One line is enough where the kernel has another name, or none: here the hooks see what only the kernel's
/// own target has on its include path.
#[test]
fn the_hooks_see_the_headers_of_a_kernel_of_any_name() {
    let library = "add_library(rtos STATIC kernel/tasks.c)\n\
                   target_include_directories(rtos PRIVATE kernel/include)\n\
                   target_compile_definitions(rtos PRIVATE ONLY_HERE=1)\n\
                   target_link_libraries(rtos tband::headers)\n";
    let program = "target_sources(user PRIVATE kernel/tasks.c)\n\
                   target_include_directories(user PRIVATE kernel/include)\n\
                   target_compile_definitions(user PRIVATE ONLY_HERE=1)\n";
    for (name, after, at_end) in [("rtos", library, ""), ("user", "", program)] {
        let how = format!("set(TBAND_FREERTOS_TARGET {name})\n{}\n{after}", add_subdirectory());
        let project = project_with_kernel(&how, 100_501);
        write(project.path("CMakeLists.txt"), format!("{}{at_end}", lists(&how)));
        // Looked at while the shim is compiled.
        let port = format!(
            "{PORT}\n#if !__has_include(\"task.h\") || !defined(ONLY_HERE)\n#error not seen\n#endif\n"
        );
        write(project.path("config/tband_port.h"), port);
        run(project.configure("Ninja").arg(prebuilt()));
        run(cmake().arg("--build").arg(project.path("build")));
    }
    let how = format!("set(TBAND_FREERTOS_TARGET nothing)\n{}\n", add_subdirectory());
    let complaint = Project::new(&lists(&how)).fail_to_configure(&[prebuilt()]);
    assert_contains(
        &complaint,
        &["TBAND_FREERTOS_TARGET is nothing, and there is no such target", "kernel's tasks.c"],
    );
}

#[test]
fn reports_a_missing_configuration_target_with_the_remedy() {
    let with = lists(&add_subdirectory());
    let without: String = with
        .lines()
        .filter(|line| !line.contains("tband_config "))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_ne!(with, without);
    let complaint = Project::new(&without).fail_to_configure(&[prebuilt()]);
    assert_contains(
        &complaint,
        &[
            "the target tband_config is missing",
            "add_library(tband_config INTERFACE)",
            "target_include_directories(tband_config INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/config)",
            "#define tband_configENABLE 1",
            "port/template",
        ],
    );
}

/// A compiler that works as the host's does but lists these predefined macros; `fails` makes it
/// refuse to list any.
fn fake_compiler(folder: &Path, macros: &str, fails: bool) -> PathBuf {
    let path = folder.join("fake-cc");
    write(folder.join("macros.txt"), macros);
    let list = if fails {
        "echo 'fake-cc: no such option -dM' >&2; exit 1".to_owned()
    } else {
        format!("exec cat '{}'", folder.join("macros.txt").display())
    };
    let only = format!("exec cc -undef -imacros '{}' \"$@\"", folder.join("macros.txt").display());
    write(
        &path,
        format!(
            "#!/bin/sh\ncase \" $* \" in *' -dM '*) {list} ;; *' -E -P '*) {only} ;; esac\nexec cc \"$@\"\n"
        ),
    );
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made executable");
    path
}

#[test]
fn names_another_recorder_for_a_cpu_that_no_library_is_possible_for() {
    for (macros, reason) in [
        ("#define __RX__ 1\n", "RX: Rust has no target for it."),
        ("#define __MICROBLAZE__ 1\n", "MicroBlaze: Rust has no target for it."),
        // Of the other byte order.
        (
            "#define __m68k__ 1\n#define __BYTE_ORDER__ 4321\n#define __ORDER_BIG_ENDIAN__ 4321\n",
            "ColdFire: Rust's compiler fails on its core library.",
        ),
        ("#define __MSP430__ 1\n", "MSP430: its words have 16 bits"),
    ] {
        let project = Project::new(&lists(&add_subdirectory()));
        let compiler = fake_compiler(project.folder.path(), macros, false);
        let argument = format!("-DCMAKE_C_COMPILER={}", compiler.display());
        let complaint = project.fail_to_configure(&[argument]);
        assert_contains(
            &complaint,
            &[reason, "portable C: docs/src/guide/start/tonbandgeraet.md", "reads its recordings"],
        );
    }
}

/// Each CPU in the list of those that no library is possible for has the name that C has for it.
#[test]
fn the_names_of_cpus_without_a_library_are_those_of_the_shim() {
    let header = tband_tests::read(root().join("port/tband_architecture.h"));
    let list = tband_tests::read(root().join("cmake/without_library.txt"));
    let names: Vec<&str> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(' ').expect("a reason").0)
        .collect();
    assert!(names.len() > 10 && names.is_sorted(), "{names:?}");
    for name in names {
        assert!(header.contains(&format!("#define TBAND_NAME_BASE {name}\n")), "{name}");
    }
}

#[test]
fn reports_an_unknown_cpu() {
    const SPARC: &str = "#define __sparc__ 1\n#define __BYTE_ORDER__ 4321\n\
        #define __ORDER_BIG_ENDIAN__ 4321\n#define __SIZEOF_POINTER__ 4\n#define __arch64__ 1\n";
    let out = ["-DTBAND_RUST_TARGET=", "-DTBAND_LIBRARY=/path/to/libtband.a", "tband-cli reads"];
    for (macros, fails, texts) in [
        (
            SPARC,
            false,
            &["Architecture sparc64_big_endian, big endian, pointers of 4 bytes", "fake-cc"][..],
        ),
        (
            "#define __XTENSA__ 1\n",
            false,
            &["Architecture xtensa_windowed", "xtensa-esp32-none-elf"],
        ),
        (
            "#define __riscv 1\n#define __riscv_xlen 64\n#define __riscv_float_abi_single 1\n",
            false,
            &["Architecture rv64i_lp64f, little endian", "floating-point ABI", "lp64d"],
        ),
        (
            "#define __riscv 1\n#define __riscv_xlen 32\n#define __riscv_compressed 1\n",
            false,
            &["Architecture rv32ic", "targets for these extensions"],
        ),
        (
            "#define __arm__ 1\n#define __ARM_ARCH 5\n",
            false,
            &["Architecture armv5t,", "Armv5TE (-mcpu=arm926ej-s)"],
        ),
        ("", false, &["Architecture unknown_cpu", "-mcpu"]),
        ("", true, &["does not list its predefined macros", "no such option -dM"]),
    ] {
        let project = Project::new(&lists(&add_subdirectory()));
        let compiler = fake_compiler(project.folder.path(), macros, fails);
        let argument = format!("-DCMAKE_C_COMPILER={}", compiler.display());
        let complaint = project.fail_to_configure(&[argument]);
        assert_contains(&complaint, texts);
        assert_contains(&complaint, if fails { &out[..2] } else { &out });
    }
}

/// Toolchains whose target has no core library build it: Espressif's by name, another one from sources beside it.
#[test]
fn the_core_library_is_built_once_if_it_is_asked_for() {
    let folder = temp_dir();
    let cargo = folder.path().join("cargo");
    write(&cargo, "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$0.arguments\"\n");
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("made executable");
    let named = ["-DTBAND_TOOLCHAIN=esp", "-DTBAND_BUILD_STD=core"];
    let sources = ["-DTBAND_RUSTC=rustc", "-DTBAND_RUST_SOURCES=/sources"];
    for (settings, count) in [(&[][..], 0), (&named, 1), (&sources, 1)] {
        let mut build = cmake();
        build.args(settings).arg(format!("-DTBAND_CARGO={}", cargo.display()));
        build.args(["-DTBAND_PACKAGE=tband-ffi", "-DTBAND_TRIPLE=some-target"]);
        build.arg(format!("-DTBAND_SOURCE={}", root().display())).arg("-DTBAND_FOLDER=folder");
        run(build.arg("-P").arg(root().join("cmake/TbandCargoBuild.cmake")));
        let arguments = tband_tests::read(folder.path().join("cargo.arguments"));
        let of_core = arguments.lines().filter(|it| *it == "-Zbuild-std=core").count();
        assert_eq!(of_core, count, "{settings:?}: {arguments}");
        assert_eq!(arguments.starts_with("+esp\n"), settings == named, "{arguments}");
    }
}

/// With the sources of Rust's core library, which exist for no target in particular.
#[test]
fn a_rust_target_that_does_not_exist_is_refused() {
    let project = Project::new(&lists(&add_subdirectory()));
    let rustc = project.path("rustc");
    let core = project.path("sysroot/lib/rustlib/src/rust/library/core/src");
    fs::create_dir_all(&core).expect("a folder");
    write(core.join("lib.rs"), "");
    let sysroot = project.path("sysroot");
    let answers = format!(
        "#!/bin/sh\n[ \"$2\" = sysroot ] && echo {} && exit 0\nexec rustc \"$@\"\n",
        sysroot.display()
    );
    write(&rustc, answers);
    fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755)).expect("made executable");
    let mut configure = project.configure("Unix Makefiles");
    configure.arg(format!("-DTBAND_RUSTC={}", rustc.display())).arg("-DTBAND_RUSTUP=");
    let finished = finish(configure.arg("-DTBAND_RUST_TARGET=thumbv7em-none-eabhif"));
    assert!(!finished.ok);
    assert_contains(
        &unwrapped(&finished),
        &[
            "Rust has no target thumbv7em-none-eabhif",
            "--print target-list",
            "-DTBAND_RUST_TARGET=",
        ],
    );
}

/// Whatever macros the compiler defines.
#[test]
fn a_rust_target_that_is_named_is_taken() {
    let project = Project::new(&lists(&add_subdirectory()));
    let compiler = fake_compiler(project.folder.path(), "#define __XTENSA__ 1\n", true);
    let mut configure = project.configure("Unix Makefiles");
    configure.arg(format!("-DCMAKE_C_COMPILER={}", compiler.display()));
    run(configure.arg("-DTBAND_RUST_TARGET=xtensa-esp32s3-none-elf").arg("-DTBAND_RUSTUP="));
    let rules = fs::read_dir(project.path("build/tband/CMakeFiles/tband_archive_build.dir"));
    let rules = rules.expect("rules").map(|it| tband_tests::read(it.expect("a file").path()));
    assert!(rules.into_iter().any(|it| it.contains("-DTBAND_TRIPLE=xtensa-esp32s3-none-elf")));
}

#[test]
fn reports_missing_cargo_unless_a_library_is_given() {
    let project = Project::new(&lists(&add_subdirectory()));
    let machine = WithoutRust::new();
    let without_cargo = |command: &mut Command| {
        machine.enter(command);
        // Debian's cargo is not taken either.
        command.arg("-DCMAKE_SYSTEM_PREFIX_PATH=").arg("-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF");
    };
    let mut configure = project.configure("Unix Makefiles");
    without_cargo(&mut configure);
    let finished = finish(&mut configure);
    assert!(!finished.ok);
    assert_contains(
        &unwrapped(&finished),
        &["cargo was not found", "https://rustup.rs", "-DTBAND_LIBRARY=/path/to/libtband.a"],
    );

    fs::remove_dir_all(project.path("build")).expect("removed");
    let mut configure = project.configure("Unix Makefiles");
    without_cargo(&mut configure);
    run(configure.arg(prebuilt()));
    project.build_and_run();
}

#[test]
fn reports_a_rust_target_that_cannot_be_added() {
    let project = Project::new(&lists(&add_subdirectory()));
    let rustup = project.path("rustup");
    write(
        &rustup,
        "#!/bin/sh\n[ \"$2\" = list ] && exit 0\necho 'error: could not download file' >&2\nexit 1\n",
    );
    fs::set_permissions(&rustup, fs::Permissions::from_mode(0o755)).expect("made executable");
    let compiler = fake_compiler(
        project.folder.path(),
        "#define __arm__ 1\n#define __ARM_ARCH_PROFILE 'M'\n#define __ARM_ARCH 6\n",
        false,
    );
    let complaint = project.fail_to_configure(&[
        format!("-DCMAKE_C_COMPILER={}", compiler.display()),
        format!("-DTBAND_RUSTUP={}", rustup.display()),
        // It could compile the core library from its sources.
        "-DTBAND_RUSTC=".to_owned(),
    ]);
    assert_contains(
        &complaint,
        &[
            "the Rust target thumbv6m-none-eabi is missing and could not be added",
            "error: could not download file",
            "Add it with: rustup target add thumbv6m-none-eabi",
        ],
    );
}

#[test]
fn reports_a_missing_library() {
    let project = Project::new(&lists(&add_subdirectory()));
    let complaint = project.fail_to_configure(&["-DTBAND_LIBRARY=/not/there.a".to_owned()]);
    assert_contains(&complaint, &["TBAND_LIBRARY is /not/there.a, and there is no such file"]);
}
