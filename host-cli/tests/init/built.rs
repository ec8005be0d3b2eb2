//! Firmware for an emulated board: `init --apply`, one build, one run, and a complete recording.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use tband_tests::library::work;
use tband_tests::without_rust::WithoutRust;
use tband_tests::{root, run as must};
use xtask::board::{Board, run_firmware};
use xtask::kernel;
use xtask::sdk::Sdk;

use crate::{Project, cli, copy, finish, put};

const TARGET: &str = "thumbv7em-none-eabihf";
/// The board's counter: QEMU has no cycle counter.
const TIMER: [&str; 4] = ["--counter", "*(volatile uint32_t *)0x40028018", "--clock", "25M"];
const MAIN: &str = include_str!("built/main.c");
const SAVE: &str = include_str!("built/save.c");
const LISTS: &str = include_str!("built/lists.cmake");
const MAKEFILE: &str = include_str!("built/make.mk");

/// The SDK as `cargo xtask dist` builds it, with the library of this target.
pub fn sdk() -> &'static Sdk {
    static SDK: OnceLock<Sdk> = OnceLock::new();
    SDK.get_or_init(|| {
        Sdk::build(root(), &work(), &[TARGET]).unwrap_or_else(|error| panic!("{error:#}"))
    })
}

/// A user's project, without a trace of tband in its build files and its configuration.
fn project(name: &str, text: &str) -> Project {
    let example = root().join("examples");
    let config = fs::read_to_string(example.join("mps2-an386/FreeRTOSConfig.h")).unwrap();
    let (config, _) = config.split_once("/* --- Tracing").unwrap();
    let config = format!("{config}#endif\n")
        .replace("configUSE_IDLE_HOOK            1", "configUSE_IDLE_HOOK 0");
    let config = config.replace("configUSE_TICK_HOOK            1", "configUSE_TICK_HOOK 0");
    let config =
        config.replace("configCHECK_FOR_STACK_OVERFLOW 2", "configCHECK_FOR_STACK_OVERFLOW 0");
    let config =
        config.replace("configUSE_MALLOC_FAILED_HOOK   1", "configUSE_MALLOC_FAILED_HOOK 0");
    let config = config.replace(
        "#define vPortSVCHandler",
        "#define xPortSysTickHandler SysTick_Handler\n#define vPortSVCHandler",
    );
    let files =
        [(name, text), ("FreeRTOSConfig.h", &config), ("src/main.c", MAIN), ("src/save.c", SAVE)];
    let project = Project::of(&files);
    for file in
        ["startup.c", "board.c", "board.h", "failed.c", "semihost.c", "semihost.h", "mps2.ld"]
    {
        put(
            &project.path("board").join(file),
            &fs::read(example.join("mps2-board").join(file)).unwrap(),
        );
    }
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let rtos = project.path("FreeRTOS-Kernel");
    for file in [
        "tasks.c",
        "queue.c",
        "list.c",
        "timers.c",
        "event_groups.c",
        "stream_buffer.c",
        "croutine.c",
        "CMakeLists.txt",
        "portable/CMakeLists.txt",
        "portable/MemMang/heap_4.c",
    ] {
        put(&rtos.join(file), &fs::read(kernel.join(file)).unwrap());
    }
    for folder in ["include", "portable/GCC/ARM_CM4F"] {
        copy(&kernel.join(folder), &rtos.join(folder));
    }
    project
}

/// Adds the recorder, builds once, runs, and checks the recording.
fn assert_records(project: &Project, build: impl FnOnce(&WithoutRust, &Path), elf: &str) {
    let before = project.files();
    let sdk = sdk().path();
    let options = ["init", "--apply", "--sdk", sdk.to_str().unwrap()];
    let ran = finish(cli(&options).args(TIMER).arg(&project.path));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = finish(cli(&["doctor"]).arg(&project.path));
    assert_eq!(ran.code, Some(0), "{}", String::from_utf8_lossy(&ran.stdout));
    build(&WithoutRust::new(), &project.path);
    let out = project.path("out");
    run_firmware(Board::Mps2An386.emulator(), &project.path(elf), &out, None)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let ran = finish(cli(&["doctor"]).arg(project.path(elf)));
    let printed = String::from_utf8_lossy(&ran.stdout);
    for fact in ["records          packets, snapshot\n", "events           8192 bytes"] {
        assert!(printed.contains(fact), "{printed}");
    }
    assert_complete(&out.join("trace.bin"));
    fs::remove_dir_all(&out).unwrap();
    fs::remove_dir_all(project.path("build")).unwrap();
    project.remove(0);
    crate::assert_same(&before, &project.files());
}

/// Checks a recording of the program with two tasks.
pub fn assert_complete(recording: &Path) {
    let ran = finish(cli(&["check"]).arg(recording));
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert_eq!(ran.code, Some(0), "{printed}{}", ran.stderr);
    let ran = finish(cli(&["stats"]).arg(recording));
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    for name in ["producer", "consumer", "IDLE"] {
        assert!(printed.contains(name), "{printed}");
    }
}

#[test]
fn with_cmake_in_one_build() {
    let project = project("CMakeLists.txt", LISTS);
    put(&project.path("toolchain.cmake"), &fs::read(Board::Mps2An386.toolchain(root())).unwrap());
    assert_records(
        &project,
        |machine, folder| {
            let mut cmake = machine.command("cmake");
            must(
                cmake
                    .args(["-B", "build", "-DCMAKE_TOOLCHAIN_FILE=toolchain.cmake"])
                    .current_dir(folder),
            );
            must(machine.command("cmake").args(["--build", "build"]).current_dir(folder));
        },
        "build/firmware.elf",
    );
}

#[test]
fn with_make_in_one_build() {
    let project = project("Makefile", MAKEFILE);
    assert_records(
        &project,
        |machine, folder| {
            let mut make: Command = machine.command("make");
            must(make.current_dir(folder));
        },
        "build/firmware.elf",
    );
}
