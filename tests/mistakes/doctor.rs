//! Messages of `tband-cli doctor` about projects, and about the programs built from them.

use std::fs;
use std::path::Path;

use tband_tests::{archive, read, root};

use crate::project::{HOOKS, PORT, Project, SHIM, tband_cli};

const INCLUDE: &str = "#include \"tband.h\"";

/// Returns its message about a project's folder, or a file of it.
#[track_caller]
fn doctor(project: &Project, name: &str, code: i32) -> String {
    tband_cli(&["doctor"], &project.path(name), code)
}

/// Checks its message about this fault: the place, and the advice.
#[track_caller]
fn assert_finding(project: &Project, title: &str, place: &str, advice: &str) {
    let printed = doctor(project, "", 1);
    assert!(printed.contains(&format!("\nmissing: {title}\n")), "{printed}");
    assert!(
        printed.lines().any(|it| it.starts_with("  where ") && it.ends_with(place)),
        "{printed}"
    );
    assert!(printed.contains(advice), "{printed}");
    // Nothing else is wrong.
    assert_eq!(printed.matches("\nmissing: ").count(), 1, "{printed}");
    assert!(printed.ends_with("next: correct what is missing, and run this again\n"), "{printed}");
}

#[test]
fn a_sound_project_lacks_nothing() {
    for project in [Project::new(), Project::with_kernel()] {
        let printed = doctor(&project, "", 0);
        assert!(printed.contains(": nothing is missing\n"), "{printed}");
        assert!(printed.contains("frames, snapshot\n"), "{printed}");
        assert!(printed.contains("and 32768 for events\n"), "{printed}");
        assert!(printed.contains("at 10000 events/s\n"), "{printed}");
    }
    let printed = doctor(&Project::new(), "", 0);
    assert!(
        printed.contains("40 instructions a task switch")
            || printed.contains("85 instructions a task switch"),
        "{printed}"
    );
    assert!(printed.contains("; the build files do not name your CPU);"), "{printed}");
    let packets =
        "#define tband_configFORMAT TBAND_FORMAT_PACKETS\n#define tband_configPACKET_COUNT (20U)\n";
    let project = Project::new().add("tband_config.h", packets);
    let printed = tband_cli(&["doctor", "--rate", "50000"], &project.path(""), 0);
    assert!(printed.contains("and 10240 for events\n"), "{printed}");
    assert!(printed.contains("5.1 an event; 255.0 kB/s at 50000 events/s\n"), "{printed}");
    assert!(printed.contains("about 2008 events, 40 ms\n"), "{printed}");
}

/// Figures of a microcontroller say nothing about a program of the kernel's simulator.
#[test]
fn the_cost_on_a_computer_is_not_that_of_a_microcontroller() {
    let lists = "set(FREERTOS_PORT GCC_POSIX)\n";
    let windows = "\nint64_t now(void) { int64_t it; QueryPerformanceCounter(&it); return it; }\n";
    for project in [
        Project::with_kernel(),
        Project::new().file("CMakeLists.txt", lists),
        Project::new().add("tband_port.h", windows),
    ] {
        let printed = doctor(&project, "", 0);
        for name in ["flash", "RAM", "CPU"] {
            let line = format!("  {name:<16} not measured on a computer");
            assert!(printed.contains(&line), "{printed}");
        }
        assert!(!printed.contains("Cortex"), "{printed}");
        assert!(printed.contains("9.1 an event"), "{printed}");
    }
    let sections = Project::with_kernel().option("-ffunction-sections").option("-fdata-sections");
    let program = sections.build(&["main.c", SHIM, HOOKS, "port/POSIX_FREERTOS/tband_port.c"]);
    let printed = tband_cli(&["doctor"], &program, 0);
    assert!(printed.contains("  CPU              not measured on a computer"), "{printed}");
    assert!(!printed.contains("Cortex") && printed.contains("in this program"), "{printed}");
}

#[test]
fn what_a_project_lacks_is_found() {
    let kernel = Project::with_kernel;
    let port = "tband_port.h: tband_portTIMESTAMP_FREQUENCY_HZ";
    assert_finding(
        &kernel().without("tband_config.h"),
        "tband_config.h",
        "",
        "#define tband_configENABLE 1",
    );
    assert_finding(
        &kernel().without("tband_port.h"),
        "tband_port.h",
        "",
        "port/template/tband_port.h",
    );
    assert_finding(
        &kernel().replace("tband_config.h", "tband_configENABLE 1", "tband_configENABLE 0"),
        "tband_configENABLE",
        "tband_config.h:1",
        "#define tband_configENABLE 1",
    );
    assert_finding(
        &kernel().replace(
            "tband_config.h",
            "#define tband_configFREERTOS_TRACE_ENABLE 1",
            "/* later */",
        ),
        "tband_configFREERTOS_TRACE_ENABLE",
        "tband_config.h",
        "#define tband_configFREERTOS_TRACE_ENABLE 1",
    );
    assert_finding(
        &kernel().replace("tband_config.h", "#define tband_configUSE_BACKEND_SNAPSHOT 1", ""),
        "a backend",
        "tband_config.h",
        "#define tband_configUSE_BACKEND_SNAPSHOT 1",
    );
    assert_finding(
        &kernel().add("tband_config.h", "#define tband_configUSE_BACKEND_STREAMING 1\n"),
        "one backend",
        "tband_config.h",
        "choose one",
    );
    assert_finding(
        &kernel().add("tband_config.h", "#define tband_configPACKET_COUNTS 4\n"),
        "a macro of this name",
        "tband_config.h:4: tband_configPACKET_COUNTS",
        "#define tband_configPACKET_COUNT 4",
    );
    assert_finding(
        &kernel().replace("FreeRTOSConfig.h", INCLUDE, "// #include \"tband.h\""),
        INCLUDE,
        "FreeRTOSConfig.h",
        "as the last line of FreeRTOSConfig.h",
    );
    assert_finding(
        &kernel().add("FreeRTOSConfig.h", "\n#define configLATE 1\n"),
        "#include \"tband.h\" at the end",
        "",
        "move it to the end of the file",
    );
    for name in ["configUSE_TRACE_FACILITY", "INCLUDE_xTaskGetIdleTaskHandle"] {
        let project =
            kernel().replace("FreeRTOSConfig.h", &format!("{name} 1"), &format!("{name} 0"));
        assert_finding(&project, name, "", &format!("#define {name} 1"));
    }
    let macros = format!("#define traceTASK_SWITCHED_IN() mine()\n{INCLUDE}");
    assert_finding(
        &kernel().replace("FreeRTOSConfig.h", INCLUDE, &macros),
        "the kernel's trace macros for tband",
        "traceTASK_SWITCHED_IN",
        "tband_configALLOW_OWN_TRACE_MACROS",
    );
    assert_finding(
        &Project::new().replace(
            "tband_port.h",
            "#define tband_portTIMESTAMP_FREQUENCY_HZ 1000000",
            "",
        ),
        "a part of the port",
        port,
        "#define tband_portTIMESTAMP_FREQUENCY_HZ",
    );
    assert_finding(
        &kernel()
            .file("tband_port.h", &format!("#include \"tband_dwt_timer.h\"\n{PORT}"))
            .file("CMakeLists.txt", "add_compile_options(-mcpu=cortex-m0plus)\n"),
        "a timer that the chip has",
        "(DWT)",
        "port/GCC_ARM_CM0",
    );
}

/// The POSIX port also has a source file, so its header alone is not a port.
#[test]
fn the_rest_of_the_posix_port_is_missed() {
    let port =
        "#include \"tband_posix.h\"\n#define tband_portTIMESTAMP() tband_posix_timestamp()\n";
    let project = || Project::with_kernel().file("tband_port.h", port);
    assert_finding(&project(), "tband_posix.h", "tband_port.h", "port/POSIX_FREERTOS");
    // Its folder is on the include path, or its files were copied.
    let named = "target_include_directories(tband_config INTERFACE tband/port/POSIX_FREERTOS)\n";
    doctor(&project().file("CMakeLists.txt", named), "", 0);
    let text = read(root().join("port/POSIX_FREERTOS/tband_port.h"));
    let posix = read(root().join("port/POSIX_FREERTOS/tband_posix.h"));
    doctor(&project().file("tband_port.h", &text).file("tband_posix.h", &posix), "", 0);
}

/// The guide shows the message, except for the costs.
#[test]
fn the_guide_shows_its_messages() {
    let project = Project::with_kernel()
        .add("tband_config.h", "#define tband_configFORMAT TBAND_FORMAT_PACKETS\n")
        .replace("FreeRTOSConfig.h", "configUSE_TRACE_FACILITY 1", "configUSE_TRACE_FACILITY 0");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tband-cli"));
    let output =
        tband_programs::output(command.arg("doctor").current_dir(project.path(""))).unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let (printed, _) = printed.split_once("\ncosts\n").unwrap();
    let shown: String =
        printed.lines().map(|line| format!("    {line}").trim_end().to_owned() + "\n").collect();
    let guide = read(root().join("docs/src/guide/start/doctor.md"));
    assert!(guide.contains(&shown), "{shown}");
}

/// What conditions and flags decide is not guessed.
#[test]
fn what_is_not_known_is_not_missing() {
    let either = "#ifdef X\n#define tband_configENABLE 0\n#else\n#define tband_configENABLE 1\n#endif\n#define tband_configUSE_BACKEND_SNAPSHOT 1\n";
    doctor(&Project::new().file("tband_config.h", either), "", 0);
    let flags = Project::new()
        .file("tband_config.h", "#define tband_configENABLE 1\n")
        .file("Makefile", "CFLAGS += -Dtband_configUSE_BACKEND_STREAMING=1\n");
    let printed = doctor(&flags, "", 0);
    assert!(!printed.contains("costs"), "{printed}");
    // Copies of tband and of the kernel have their own configurations.
    let project = Project::with_kernel();
    for name in
        ["lib/tband/freertos-hooks", "lib/tband/examples", "lib/kernel/include", "lib/kernel/demo"]
    {
        fs::create_dir_all(project.path(name)).unwrap();
    }
    let project = project
        .file("lib/tband/freertos-hooks/tband_freertos_hooks.h", "")
        .file("lib/tband/examples/tband_config.h", "")
        .file("lib/kernel/tasks.c", "")
        .file("lib/kernel/include/FreeRTOS.h", "")
        .file("lib/kernel/demo/FreeRTOSConfig.h", "");
    doctor(&project, "", 0);
    // With several projects the choice is ambiguous.
    fs::create_dir(project.path("other")).unwrap();
    let project = project.file("other/tband_config.h", "");
    let printed = doctor(&project, "", 2);
    assert!(printed.contains("several tband_config.h"), "{printed}");
}

#[test]
fn constants_of_0_are_off() {
    let with = |value: &str| {
        let new = format!("configUSE_TRACE_FACILITY {value}");
        Project::with_kernel().replace("FreeRTOSConfig.h", "configUSE_TRACE_FACILITY 1", &new)
    };
    for value in ["0x0", "0U", "(0)", "pdFALSE", "((BaseType_t) 0)", "(1 - 1)"] {
        let printed = doctor(&with(value), "", 1);
        assert!(printed.contains("\nmissing: configUSE_TRACE_FACILITY\n"), "{value}: {printed}");
    }
    for value in ["0x1", "1U", "(2 - 1)"] {
        doctor(&with(value), "", 0);
    }
}

#[test]
fn folders_of_builds_are_left_out() {
    let project = Project::with_kernel()
        .file("build/CMakeCache.txt", "")
        .file("build/tband_config.h", "#define tband_configENABLE 0\n")
        .file("target/CACHEDIR.TAG", "")
        .file("target/FreeRTOSConfig.h", "");
    doctor(&project, "", 0);
}

#[test]
fn a_file_that_was_not_read_is_reported() {
    let endless = Project::with_kernel()
        .file("loop.h", "#include \"loop.h\"\n")
        .add("tband_config.h", "#include \"loop.h\"\n");
    let printed = doctor(&endless, "", 0);
    assert!(printed.contains("loop.h: more than 40 files include each other"), "{printed}");
    let once = endless.file("loop.h", "#pragma once\n#include \"loop.h\"\n");
    let printed = doctor(&once, "", 0);
    assert!(!printed.contains("not read"), "{printed}");
    let large = once.file("large.h", &"\n".repeat(2 << 20));
    let printed = doctor(&large, "", 0);
    let line = printed.lines().find(|it| it.contains("not read"));
    assert!(
        line.is_some_and(|it| it.ends_with("large.h: too large, or not readable")),
        "{printed}"
    );
}

#[test]
fn a_program_shows_whether_the_kernel_calls_the_recorder() {
    const SOURCES: [&str; 4] = ["main.c", SHIM, HOOKS, "port/POSIX_FREERTOS/tband_port.c"];
    let apart = ["-ffunction-sections", "-fdata-sections"];
    let sections = |project: Project| apart.iter().fold(project, |it, option| it.option(option));
    let sound = sections(Project::with_kernel());
    let program = sound.build(&SOURCES);
    let printed = tband_cli(&["doctor"], &program, 0);
    assert!(printed.contains("FreeRTOS         is linked\n"), "{printed}");
    let processor =
        format!("tband            is linked, for {}, interface ", std::env::consts::ARCH);
    assert!(printed.contains(&processor), "{printed}");
    assert!(printed.contains("records          frames, snapshot\n"), "{printed}");
    assert!(printed.contains("events           32768 bytes, of all cores\n"), "{printed}");
    assert!(printed.contains("\ncosts\n  flash            "), "{printed}");

    // The same with a kernel that does not know the recorder.
    let without = sections(Project::with_kernel()).replace("FreeRTOSConfig.h", INCLUDE, "");
    let mut files = sound.objects(&SOURCES);
    files.push(without.kernel_object());
    files.push(archive().to_owned());
    let program = sound.link(&files).unwrap();
    let printed = tband_cli(&["doctor"], &program, 1);
    assert!(printed.contains("missing: the kernel's events\n"), "{printed}");
    assert!(printed.contains("the kernel was compiled without tband.h"), "{printed}");

    let hello = sections(Project::new().file("main.c", "int main(void) { return 0; }\n"));
    let program = hello.link(&hello.objects(&["main.c"])).unwrap();
    let printed = tband_cli(&["doctor"], &program, 1);
    assert!(printed.contains("missing: tband\n"), "{printed}");
    any_beginning_is_taken(&hello, &program);
}

/// Files that are not a program, or a part of one, never make it panic.
fn any_beginning_is_taken(project: &Project, program: &Path) {
    let bytes = fs::read(program).unwrap();
    for len in [0, 1, 16, 52, 64, 100, 1000, bytes.len() / 2, bytes.len() - 64, bytes.len() - 1] {
        let path = project.path("part");
        fs::write(&path, &bytes[..len]).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tband-cli"));
        let output = tband_programs::output(command.arg("doctor").arg(&path)).unwrap();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{len}: {output:?}");
    }
}
