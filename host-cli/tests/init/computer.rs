//! Programs for the kernel's POSIX port: `init --apply`, one build, one run on this machine, and a complete recording.

use std::fs;
use std::path::Path;
use std::process::Command;

use tband_tests::without_rust::WithoutRust;
use tband_tests::{root, run as must};
use xtask::kernel;

use crate::built::{assert_complete, sdk};
use crate::{Project, assert_has, assert_same, cli, copy, finish, put};

const MAIN: &str = include_str!("built/computer/main.c");
const CONFIG: &str = include_str!("built/computer/FreeRTOSConfig.h");
const LISTS: &str = include_str!("built/computer/lists.cmake");
const MAKEFILE: &str = include_str!("built/computer/make.mk");
/// Tonbandgerät's own headers of a program for a computer, in another words: a clock, and a snapshot that ends the program.
const OLD_CONFIG: &str = "#ifndef TBAND_CONFIG_H\n#define TBAND_CONFIG_H\n#include <stdint.h>\n#define tband_configENABLE 1\n\
    #define tband_configFREERTOS_TRACE_ENABLE 1\nuint64_t now(void);\n#define tband_portTIMESTAMP() now()\n\
    #define tband_portTIMESTAMP_RESOLUTION_NS 1\n#define tband_configUSE_BACKEND_SNAPSHOT 1\nvoid full(void);\n\
    #define tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK() full()\n#endif\n";
const OLD_PORT: &str = "#ifndef TBAND_PORT_H\n#define TBAND_PORT_H\n#include \"FreeRTOS.h\"\n#include \"task.h\"\n\
    #define tband_portENTER_CRITICAL_FROM_ANY() taskENTER_CRITICAL()\n#define tband_portEXIT_CRITICAL_FROM_ANY() taskEXIT_CRITICAL()\n#endif\n";
/// Code of such a program.
const OLD_CODE: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n#include \"FreeRTOS.h\"\n\
    uint64_t now(void) {\n  struct timespec it;\n  clock_gettime(CLOCK_MONOTONIC, &it);\n  return (uint64_t)it.tv_sec * 1000000000u + (uint64_t)it.tv_nsec;\n}\n\
    void full(void) {\n  FILE *out = fopen(\"recording.bin\", \"wb\");\n  fwrite((const void *)tband_get_metadata_buf(0), 1, tband_get_metadata_buf_amnt(0), out);\n\
    \x20 fwrite((const void *)tband_get_core_snapshot_buf(0), 1, tband_get_core_snapshot_buf_amnt(0), out);\n  fclose(out);\n  exit(0);\n}\n";

/// A program's project with the kernel's files that it needs.
fn project(name: &str, text: &str) -> Project {
    let project =
        Project::of(&[(name, text), ("inc/FreeRTOSConfig.h", CONFIG), ("src/main.c", MAIN)]);
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    for file in ["tasks.c", "queue.c", "list.c", "timers.c", "portable/MemMang/heap_4.c"] {
        put(&project.path("FreeRTOS-Kernel").join(file), &fs::read(kernel.join(file)).unwrap());
    }
    for folder in ["include", "portable/ThirdParty/GCC/Posix"] {
        copy(&kernel.join(folder), &project.path("FreeRTOS-Kernel").join(folder));
    }
    project
}

/// Builds with CMake.
fn with_cmake(machine: &WithoutRust, folder: &Path) {
    must(machine.command("cmake").args(["-B", "build"]).current_dir(folder));
    must(machine.command("cmake").args(["--build", "build"]).current_dir(folder));
}

/// Adds the recorder, builds once, runs, and checks the recording. Returns the messages of `init`.
fn assert_records(project: &Project, build: impl FnOnce(&WithoutRust, &Path)) -> String {
    let before = project.files();
    let sdk = sdk().path();
    let options = ["init", "--apply", "--sdk", sdk.to_str().unwrap()];
    let added = finish(cli(&options).arg(&project.path));
    assert_eq!(added.code, Some(0), "{}", added.stderr);
    let after = project.files();
    let again = finish(cli(&options).arg(&project.path));
    assert_has(&again.stderr, &["nothing to change"]);
    assert!(project.files() == after, "{}", again.stderr);
    let ran = finish(cli(&["doctor"]).arg(&project.path));
    assert_eq!(ran.code, Some(0), "{}", String::from_utf8_lossy(&ran.stdout));
    build(&WithoutRust::new(), &project.path);
    must(Command::new(project.path("build/simulation")).current_dir(&project.path));
    assert_complete(&project.path("recording.bin"));
    fs::remove_file(project.path("recording.bin")).unwrap();
    fs::remove_dir_all(project.path("build")).unwrap();
    project.remove(0);
    assert_same(&before, &project.files());
    added.stderr
}

#[test]
fn with_cmake_in_one_build() {
    let project = project("CMakeLists.txt", LISTS);
    let printed = assert_records(&project, with_cmake);
    assert_has(
        &printed,
        &["CMakeLists.txt:6: the kernel's POSIX port", "CLOCK_MONOTONIC", "recording.bin"],
    );
}

#[test]
fn with_make_in_one_build() {
    let project = project("Makefile", MAKEFILE);
    assert_records(&project, |machine, folder| {
        must(machine.command("make").current_dir(folder));
    });
}

#[test]
fn tonbandgeraet_is_replaced_in_one_build() {
    let lists = LISTS
        .replace(
            "  src/main.c)",
            "  # The recorder:\n  ../tband/src/tband.c\n  ../tband/src/tband_freertos.c\n  ../tband/src/tband_backend.c\n  src/main.c src/old.c)",
        )
        .replace("PRIVATE inc ", "PRIVATE ../tband/inc/ inc ");
    let config = CONFIG.replace("#endif", "#include \"tband.h\"\n#endif").replace(
        "#define INCLUDE_vTaskDelay",
        "#define configUSE_TRACE_FACILITY 1\n#define INCLUDE_xTaskGetIdleTaskHandle 1\n#define INCLUDE_vTaskDelay",
    );
    let project = project("CMakeLists.txt", &lists);
    project.put("inc/FreeRTOSConfig.h", &config);
    project.put("inc/tband_config.h", OLD_CONFIG);
    project.put("inc/tband_port.h", OLD_PORT);
    project.put("src/old.c", OLD_CODE);
    let started = "  tband_trigger_snapshot();\n  vTaskStartScheduler";
    let main = MAIN.replace("  vTaskStartScheduler", started).replace("count < 400", "count >= 0");
    project.put("src/main.c", &main);
    for name in ["src/tband.c", "src/tband_freertos.c", "src/tband_backend.c", "inc/tband.h"] {
        project.put(&format!("../tband/{name}"), "#error \"of Tonbandgeraet\"\n");
    }
    let diagnosis = finish(cli(&["doctor"]).arg(&project.path));
    let facts = String::from_utf8_lossy(&diagnosis.stdout);
    assert_has(
        &facts,
        &[
            "recorder         Tonbandgerät, CMakeLists.txt:",
            "\nnext: replace Tonbandgerät: tband-cli init\n",
        ],
    );
    let printed = assert_records(&project, with_cmake);
    assert_has(&printed, &["Tonbandgerät, which tband replaces"]);
    // With a library of its name the project is left as it is.
    project.put("CMakeLists.txt", &format!("{lists}add_library(tband x.c)\n"));
    assert_has(&project.refused(&[]), &["start/tonbandgeraet.md"]);
}

#[test]
fn a_configuration_that_cmake_makes_and_a_kernel_outside() {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    // An older CMake than 3.13 links nothing to targets of other folders without a policy.
    let lists = format!(
        "cmake_minimum_required(VERSION 3.10)\nproject(simulation C)\n\
         configure_file(inc/FreeRTOSConfig.h.in ${{CMAKE_BINARY_DIR}}/made/FreeRTOSConfig.h)\n\
         set(FREERTOS_CONFIG_FILE_DIRECTORY ${{CMAKE_BINARY_DIR}}/made)\nset(FREERTOS_PORT GCC_POSIX)\nset(FREERTOS_HEAP 4)\n\
         add_subdirectory({} kernel)\nadd_executable(simulation src/main.c)\ntarget_link_libraries(simulation freertos_kernel)\n",
        kernel.display()
    );
    let project = Project::of(&[
        ("CMakeLists.txt", &lists),
        ("inc/FreeRTOSConfig.h.in", CONFIG),
        ("src/main.c", MAIN),
    ]);
    let printed = assert_records(&project, with_cmake);
    assert_has(&printed, &["changed     inc/FreeRTOSConfig.h.in", "kernel      FreeRTOS V11."]);
}
