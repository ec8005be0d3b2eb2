//! `tband-cli doctor` about projects whose build stops, and about what a build takes: it agrees with the compiler.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tband_tests::{root, run};

use crate::project::{HOOKS, PORT, Project, SHIM, tband_cli};

/// Returns the message for a project that lacks something.
#[track_caller]
fn faults(project: &Project) -> String {
    tband_cli(&["doctor"], &project.path(""), 1)
}

#[track_caller]
fn sound(project: &Project) -> String {
    let printed = tband_cli(&["doctor"], &project.path(""), 0);
    assert!(printed.contains(": nothing is missing\n"), "{printed}");
    printed
}

/// Lines of `tband_config.h` that the compiler refuses, and a part of the message.
const REFUSED: [(&str, &str); 16] = [
    ("FORMAT 3", "tband_configFORMAT must be"),
    ("FORMAT TBAND_FORMAT_PACKET", "tband_configFORMAT must be"),
    ("MAX_STR_LEN 0", "tband_configMAX_STR_LEN must be 1 to 65535"),
    ("METADATA_BUF_SIZE 512;", "tband_configMETADATA_BUF_SIZE must be at least 1"),
    ("USE_METADATA_BUF yes", "tband_configUSE_METADATA_BUF must be 0 or 1"),
    ("FREERTOS_HEAP_TRACE_ENABLE 2", "tband_configFREERTOS_HEAP_TRACE_ENABLE must be 0 or 1"),
    ("BACKEND_SNAPSHOT_BUF_SIZE (128)", "the snapshot buffer has no room"),
    ("FREERTOS_VERSION 100600", "which is V11.0 or later"),
    ("FREERTOS_VERSION tskKERNEL_VERSION_NUMBER", "tband_configFREERTOS_VERSION must be a number"),
    ("START_ON_READER 1", "only a recording over RTT"),
    ("USE_RTT 1", "RTT is for packets and the streaming backend"),
    ("USE_SHEDDING 1", "shedding is for packets"),
    ("FREERTOS_STACK_SAMPLE_EVERY 256", "must be 1 to 255"),
    (
        "FREERTOS_API_TRACE_ENABLE 1\n#define tband_configFREERTOS_VERSION 100400",
        "calls of the kernel can be recorded from FreeRTOS V11",
    ),
    ("FORMAT TBAND_FORMAT_PACKETS\n#define tband_configPACKET_SIZE 130", "must be 128 to 4096"),
    ("FORMAT TBAND_FORMAT_PACKETS\n#define tband_configPACKET_COUNT 0", "must be 1 to 32767"),
];

/// Lines that it accepts.
const ACCEPTED: [&str; 9] = [
    "FORMAT (TBAND_FORMAT_PACKETS)",
    "MAX_STR_LEN (16 + 16)",
    "FREERTOS_VERSION (11 * 10000 + 3 * 100)",
    "USE_METADATA_BUF (0)",
    "METADATA_BUF_SIZE 0x200u",
    "FREERTOS_API_TRACE_ENABLE 1",
    "FORMAT TBAND_FORMAT_PACKETS\n#define tband_configPACKET_SIZE (1 << 9)",
    "MAX_STR_LEN 40 // bytes",
    "USE_TRIGGERS 1",
];

fn with(line: &str) -> Project {
    Project::with_kernel().add("tband_config.h", &format!("#define tband_config{line}\n"))
}

#[test]
fn doctor_and_the_compiler_refuse_the_same_configurations() {
    for (line, message) in REFUSED {
        let project = with_kernel_folder(with(line), "11.3.0");
        let printed = faults(&project);
        assert_eq!(printed.matches("\nmissing: ").count(), 1, "{line}: {printed}");
        assert!(printed.contains(message), "{line}: {printed}");
        let refused = if line.contains("VERSION") { HOOKS } else { SHIM };
        assert!(project.refused(refused).contains(message), "{line}");
    }
    for line in ACCEPTED {
        let project = with_kernel_folder(with(line), "11.3.0");
        sound(&project);
        project.objects(&[SHIM, HOOKS]);
    }
}

/// Adds the kernel's folder, as far as a version needs it.
fn with_kernel_folder(project: Project, version: &str) -> Project {
    let folder = project.path("kernel/include");
    fs::create_dir_all(&folder).expect("created");
    let parts: Vec<&str> = version.split('.').collect();
    let task_h: String = ["MAJOR", "MINOR", "BUILD"]
        .iter()
        .zip(parts)
        .map(|(name, part)| format!("#define tskKERNEL_VERSION_{name} {part}\n"))
        .collect();
    project
        .file("kernel/tasks.c", "")
        .file("kernel/include/FreeRTOS.h", "")
        .file("kernel/include/task.h", &task_h)
}

#[test]
fn an_old_kernel_needs_its_version() {
    for (version, advice) in [
        ("10.3.1", "#define tband_configFREERTOS_VERSION 100"),
        ("10.2.1", "#define tband_configFREERTOS_VERSION 100"),
        ("10.4.3", "#define tband_configFREERTOS_VERSION 100"),
        ("10.0.1", "task.h has an older version"),
        ("11.1.0", "#define tband_configFREERTOS_VERSION 110000"),
    ] {
        let project = with_kernel_folder(Project::with_kernel(), version);
        let printed = faults(&project);
        assert!(printed.contains("means  the build stops: "), "{version}: {printed}");
        assert!(printed.contains(advice), "{version}: {printed}");
    }
    for (version, number) in [("10.3.1", "100301"), ("10.4.3", "100400"), ("11.1.0", "110100")] {
        let project = with(&format!("FREERTOS_VERSION {number}"));
        sound(&with_kernel_folder(project, version));
    }
    let printed = sound(&with_kernel_folder(Project::with_kernel(), "11.2.0"));
    assert!(printed.contains("next: build it, then"), "{printed}");
    // Without the kernel the next step has the condition.
    let printed = sound(&Project::with_kernel());
    assert!(printed.contains("next: for a kernel before V11.2, whose version is not"), "{printed}");
    let printed = sound(&with("FREERTOS_VERSION 110200"));
    assert!(printed.contains("next: build it, then"), "{printed}");
    // A build file names a kernel outside of the folder, or the version.
    let outside = with_kernel_folder(Project::new(), "10.3.1");
    let makefile =
        format!("KERNEL := {}\nCFLAGS += -I$(KERNEL)/include\n", outside.path("kernel").display());
    let printed = faults(&Project::with_kernel().file("Makefile", &makefile));
    assert!(printed.contains("tband_configFREERTOS_VERSION"), "{printed}");
    let flag = "CFLAGS += -Dtband_configFREERTOS_VERSION=100301\n";
    sound(&with_kernel_folder(Project::with_kernel(), "10.3.1").file("Makefile", flag));
}

/// From V10.5 on the kernel has the running task's handle by default.
#[test]
fn the_running_task_of_a_new_kernel_is_known() {
    let without = || {
        Project::with_kernel()
            .replace("FreeRTOSConfig.h", "configUSE_MUTEXES 1", "configUSE_MUTEXES 0")
            .replace("FreeRTOSConfig.h", "#define INCLUDE_xTaskGetCurrentTaskHandle 1", "")
            .add("tband_config.h", "#define tband_configFREERTOS_VERSION 100400\n")
    };
    sound(&without());
    sound(&with_kernel_folder(without(), "10.5.0").replace("tband_config.h", "100400", "100500"));
    let printed = faults(&with_kernel_folder(without(), "10.4.6"));
    assert!(printed.contains("INCLUDE_xTaskGetCurrentTaskHandle 1"), "{printed}");
}

/// The hooks are for V10.1 and later: of an older kernel `init` records markers only.
#[test]
fn the_events_of_a_kernel_before_v10_1_are_not_missed() {
    for version in ["10.0.1", "9.0.0", "8.2.3"] {
        let project = || with_kernel_folder(Project::with_kernel(), version);
        let markers = project()
            .replace("tband_config.h", "TRACE_ENABLE 1", "TRACE_ENABLE 0")
            .file("FreeRTOSConfig.h", "#define configNUMBER_OF_CORES 1\n");
        let fact = format!("FreeRTOS         V{version}, older than V10.1: markers");
        let printed = sound(&markers);
        assert!(printed.contains(&fact), "{printed}");
        // A copy of the kernel with another layout of folders.
        let text = tband_tests::read(markers.path("kernel/include/task.h"));
        fs::remove_dir_all(markers.path("kernel")).expect("removed");
        assert!(sound(&markers.file("task.h", &text)).contains(&fact), "{version}");
        let printed = faults(&project());
        assert!(printed.contains("the hooks are for FreeRTOS V10.1.0"), "{printed}");
        let printed = faults(&project().without("tband_config.h"));
        assert!(!printed.contains("#include \"tband.h\""), "{printed}");
    }
}

/// A project with CMake whose kernel is in `kernel`.
fn with_cmake(lines: &str) -> Project {
    let text = format!(
        "project(app C)\nadd_library(tband_config INTERFACE)\n\
         target_include_directories(tband_config INTERFACE ${{CMAKE_CURRENT_SOURCE_DIR}})\n{lines}"
    );
    with_kernel_folder(Project::with_kernel(), "10.3.1").file("CMakeLists.txt", &text)
}

const PROGRAM: &str = "add_executable(app main.c kernel/tasks.c kernel/queue.c)\n\
                       target_include_directories(app PRIVATE . kernel/include)\n";

#[test]
fn cmake_must_know_the_target_of_the_kernel() {
    let add = "add_subdirectory(tband)\n";
    let link = "target_link_libraries(app PRIVATE tband::tband)\n";
    for lines in [
        format!("{add}{PROGRAM}{link}"),
        format!(
            "{add}add_executable(app main.c)\ntarget_sources(app PRIVATE\n  kernel/tasks.c)\n{link}"
        ),
        format!("{add}file(GLOB files kernel/*.c)\nadd_executable(app main.c ${{files}})\n{link}"),
        format!("{add}add_library(rtos kernel/tasks.c)\nadd_executable(app main.c)\n{link}"),
    ] {
        let printed = faults(&with_cmake(&lines));
        assert!(printed.contains("\nmissing: TBAND_FREERTOS_TARGET\n"), "{printed}");
        let target = if lines.contains("rtos") { "rtos" } else { "app" };
        assert!(
            printed.contains(&format!("do     set(TBAND_FREERTOS_TARGET {target})")),
            "{printed}"
        );
        assert!(printed.contains("/CMakeLists.txt:"), "{printed}");
        // The version comes with the target.
        sound(&with_cmake(&format!("set(TBAND_FREERTOS_TARGET {target})\n{lines}")));
    }
    let late = format!("{add}set(TBAND_FREERTOS_TARGET app)\n{PROGRAM}{link}");
    let printed = faults(&with_cmake(&late));
    assert!(printed.contains("\nmissing: TBAND_FREERTOS_TARGET before tband\n"), "{printed}");
    let other = format!("set(TBAND_FREERTOS_TARGET kernel)\n{add}{PROGRAM}{link}");
    let printed = faults(&with_cmake(&other));
    assert!(printed.contains("there is no target kernel"), "{printed}");
    // The kernel's own CMake has this target; others are not known.
    sound(&with_cmake(&format!(
        "{add}add_subdirectory(kernel)\nadd_executable(app main.c)\n{link}target_link_libraries(app PRIVATE freertos_kernel)\n"
    )));
    // A build without tband's CMake.
    let printed = faults(&with_cmake(PROGRAM));
    assert!(printed.contains("tband_configFREERTOS_VERSION"), "{printed}");
}

#[test]
fn cmake_must_know_the_configuration() {
    let lines = "add_subdirectory(tband)\nadd_executable(app main.c)\ntarget_link_libraries(app tband::tband)\n";
    let printed = faults(&Project::new().file("CMakeLists.txt", lines));
    assert!(printed.contains("\nmissing: the target tband_config\n"), "{printed}");
    assert!(printed.contains("add_library(tband_config INTERFACE)"), "{printed}");
    let late = format!("{lines}add_library(tband_config INTERFACE)\n");
    let printed = faults(&Project::new().file("CMakeLists.txt", &late));
    assert!(printed.contains("\nmissing: the target tband_config before tband\n"), "{printed}");
}

/// Projects that are correct, and look like others that are not.
#[test]
fn cmake_is_read_as_cmake_reads_it() {
    let add = "add_subdirectory(tband)\nadd_executable(app main.c)\ntarget_link_libraries(app tband::tband)\n";
    let config = "add_library(tband_config INTERFACE)\n";
    let project = || {
        let project = Project::new();
        fs::create_dir_all(project.path("tband_demo")).expect("created");
        project.file("tband_demo/CMakeLists.txt", "")
    };
    for lines in [
        format!("add_subdirectory(tband_demo)\n{config}{add}"),
        format!("#[[ add_subdirectory(tband)\n]]\n{config}{add}"),
        format!("set(C tband_config)\nadd_library(${{C}} INTERFACE)\n{add}"),
        format!("message(STATUS \"build # 1\") {config}{add}"),
        format!("message(STATUS [[ \" ( ]] \"\\\"\")\n{config}{add}"),
        format!("include(../common.cmake)\n{add}"),
        format!(
            "function(add name)\n  add_library(${{name}} INTERFACE)\nendfunction()\nadd(tband_config)\n{add}"
        ),
    ] {
        sound(&project().file("CMakeLists.txt", &lines));
    }
    for lines in [
        format!("add_subdirectory(tband_demo)\n{add}"),
        format!("#[[ {config}]]\n{add}"),
        format!("message(STATUS \"build # 1\") {add}"),
    ] {
        let printed = faults(&project().file("CMakeLists.txt", &lines));
        assert!(printed.contains("\nmissing: the target tband_config\n"), "{printed}");
    }
    // The name of the project is that of a target.
    let kernel = "set(TBAND_FREERTOS_TARGET app)\nadd_subdirectory(tband)\n\
        add_executable(${PROJECT_NAME} main.c kernel/tasks.c)\ntarget_link_libraries(app tband::tband)\n";
    sound(&with_cmake(kernel));
}

#[test]
fn a_build_without_tband_is_found() {
    let program = "project(app C)\nadd_executable(app main.c)\n";
    let make = "app.elf: main.c\n\t$(CC) $(CFLAGS) -o $@ $^\n";
    for (name, text) in
        [("CMakeLists.txt", format!("# tband_config\n{program}")), ("Makefile", make.to_owned())]
    {
        let printed = faults(&Project::new().file(name, &text));
        assert!(printed.contains("\nmissing: tband in the build\n"), "{printed}");
        assert_eq!(printed.matches("\nmissing: ").count(), 1, "{printed}");
    }
    for (name, text) in [
        ("CMakeLists.txt", format!("{program}target_link_libraries(app Tband)\n")),
        ("CMakeLists.txt", format!("{program}include(../recorder.cmake)\n")),
        ("CMakeLists.txt", "project(app C)\n".to_owned()),
        ("Makefile", format!("include ../recorder.mk\n{make}")),
    ] {
        sound(&Project::new().file(name, &text));
    }
}

#[test]
fn a_project_that_starts_no_recording_is_found() {
    let silent = || Project::new().file("main.c", "int main(void) { return 0; }\n");
    let printed = faults(&silent());
    assert!(printed.contains("\nmissing: a call that starts the recording\n"), "{printed}");
    assert!(printed.contains("do     call tband_trigger_snapshot()"), "{printed}");
    let printed = faults(&silent().streaming());
    assert!(printed.contains("do     call tband_start_streaming()"), "{printed}");
    sound(&silent().file("record.cpp", "void start() { tband_trigger_snapshot(); }\n"));
    sound(&Project::new().without("main.c"));
    // The program's other sources are outside of the folder.
    let others = silent().replace("main.c", "int main", "#include \"recording.h\"\nint main");
    sound(&others);
    faults(&others.file("recording.h", ""));
    let outside = Project::new();
    let makefile = format!("SRC := {}/main.c ../main.c\n", outside.path("").display());
    sound(&silent().file("Makefile", &makefile));
}

/// Lines of `FreeRTOSConfig.h` that change nothing for tband, or are not known.
#[test]
fn macros_and_headers_of_others_are_no_faults() {
    let include = "#include \"tband.h\"";
    let before = |lines: &str| {
        Project::with_kernel().replace("FreeRTOSConfig.h", include, &format!("{lines}\n{include}"))
    };
    sound(&before("#define traceENABLED 1"));
    sound(&Project::with_kernel().add("FreeRTOSConfig.h", "#define vPortSVCHandler SVC_Handler\n"));
    let own = "#define traceTASK_SWITCHED_IN() mine()";
    let allowed = "#define tband_configALLOW_OWN_TRACE_MACROS 1\n";
    sound(&before(own).add("tband_config.h", allowed));
    faults(&before(own).add("tband_config.h", &allowed.replace('1', "0")));
    // Flags of the compiler define them too.
    let flags = "CFLAGS += '-DtraceTASK_SWITCHED_IN()=mine()'\n";
    faults(&Project::with_kernel().file("Makefile", flags));
    sound(&Project::with_kernel().file("Makefile", flags).add("tband_config.h", allowed));
    sound(&Project::with_kernel().file("Makefile", &flags.replace("-D", "-U")));
    // Those of a header outside of the folder are not known; those of C and the kernel have none of them.
    let unset = |header: &str| {
        let name = "#define configUSE_TRACE_FACILITY";
        before(&format!("#include {header}")).replace("FreeRTOSConfig.h", name, "#define other")
    };
    sound(&unset("\"../common/rtos_settings.h\""));
    faults(&unset("<stdint.h>"));
    let elsewhere = "#include \"../common/rtos_settings.h\"\n";
    sound(&Project::with_kernel().file("FreeRTOSConfig.h", elsewhere));
    sound(&Project::with_kernel().file("tband_config.h", "#include \"../common/settings.h\"\n"));
}

/// As in Tonbandgerät's examples: the timer is in `tband_config.h`, and the port is a critical section.
#[test]
fn the_port_may_be_in_the_configuration() {
    let config = "#include <stdbool.h>\n#include <stdint.h>\n\
        #define tband_configENABLE                1\n#define tband_configISR_TRACE_ENABLE      0\n\
        #define tband_configFREERTOS_TRACE_ENABLE 1\n#define tband_configTRACE_DROP_CNT_EVERY 100\n\
        uint64_t clock_ns(void);\n#define tband_portTIMESTAMP()             clock_ns()\n\
        #define tband_portTIMESTAMP_RESOLUTION_NS 1\n#define tband_configUSE_BACKEND_SNAPSHOT 1\n\
        void is_full(void);\n#define tband_portBACKEND_SNAPSHOT_BUF_FULL_CALLBACK() is_full()\n";
    let port = "#include \"FreeRTOS.h\"\n#include \"task.h\"\n\
        #define tband_portENTER_CRITICAL_FROM_ANY() taskENTER_CRITICAL();\n\
        #define tband_portEXIT_CRITICAL_FROM_ANY() taskEXIT_CRITICAL();\n";
    let project =
        || Project::with_kernel().file("tband_config.h", config).file("tband_port.h", port);
    sound(&project());
    project().objects(&[SHIM]);
    for name in ["tband_portTIMESTAMP()", "tband_portTIMESTAMP_RESOLUTION_NS 1"] {
        let other =
            project().replace("tband_config.h", &format!("#define {name}"), "#define other");
        assert!(faults(&other).contains("\nmissing: a part of the port\n"), "{name}");
        other.refused(SHIM);
    }
    // The port of a folder that the build names.
    let elsewhere = Project::new();
    let makefile = format!("CFLAGS += -I{}\n", elsewhere.path("").display());
    let printed = sound(&Project::new().without("tband_port.h").file("Makefile", &makefile));
    assert!(printed.contains("tband_port.h     "), "{printed}");
}

#[test]
fn the_port_must_fit_the_configuration() {
    let no_stream = PORT.replace("#define tband_portBACKEND_STREAM_DATA", "#define tband_other");
    let cores = "#define tband_portNUMBER_OF_CORES 2\n";
    for (project, message) in [
        (Project::new().streaming().file("tband_port.h", &no_stream), "nowhere to send data"),
        (Project::new().add("tband_port.h", cores), "does not say which one it runs on"),
        (
            Project::with_kernel()
                .replace(
                    "FreeRTOSConfig.h",
                    "#include \"tband.h\"",
                    "#define configNUMBER_OF_CORES 2\n#include \"tband.h\"",
                )
                .file("tband_port.h", PORT),
            "the kernel runs on more cores than the port records",
        ),
    ] {
        let printed = faults(&project);
        assert!(printed.contains(message), "{printed}");
    }
    let template = tband_tests::read(root().join("port/template/tband_port.h"));
    let printed = faults(&Project::new().file("tband_port.h", &template));
    assert!(printed.contains("how fast does your timer count?"), "{printed}");
    // Macros that call tband's own are its hooks, too.
    let lines = "#undef traceTASK_DELAY\n#define traceTASK_DELAY() \\\n  do { mine(); tband_traceTASK_DELAY(); } while (0)\n";
    let last = "#include \"log.h\"\n";
    let project = Project::with_kernel().file("log.h", lines).add("FreeRTOSConfig.h", last);
    sound(&project);
}

/// Whatever conditions decide that are not known here.
#[test]
fn a_condition_that_is_not_known_is_no_fault() {
    for lines in [
        "#ifdef BOARD_A\n#define tband_configMAX_STR_LEN 0\n#endif\n",
        "#if BOARD == 3\n#error \"no tband there\"\n#endif\n",
        "#include \"generated_tband.h\"\n",
        "#if 0\n#define tband_configMAX_STR_LEN 0\n#endif\n",
        "#ifndef tband_configENABLE\n#error \"none\"\n#elif tband_configENABLE\n#else\n#define tband_configMAX_STR_LEN 0\n#endif\n",
    ] {
        let printed = sound(&Project::new().add("tband_config.h", lines));
        // The missing header may choose another format.
        assert_eq!(printed.contains("costs"), !lines.contains("include"), "{printed}");
    }
    // The guard of a header is certain, and other names are not.
    for (lines, is_certain) in [
        ("#ifndef CONFIG_H_\n#define CONFIG_H_\n", true),
        ("#if !defined( CONFIG_H_ )\n\n  # define CONFIG_H_\n", true),
        ("#ifndef BOARD\n#define BOARD 1\n", false),
        ("#ifndef BOARD\n", false),
    ] {
        let text = format!("{lines}#define tband_configMAX_STR_LEN 0\n#endif\n");
        let project = Project::new().add("tband_config.h", &text);
        let printed = if is_certain { faults(&project) } else { sound(&project) };
        assert_eq!(printed.contains("tband_configMAX_STR_LEN must be"), is_certain, "{printed}");
    }
    let certain = "#if tband_configENABLE && (3 > 2)\n#error \"two\"\n#endif\n";
    let printed = faults(&Project::new().add("tband_config.h", certain));
    assert!(printed.contains("the build stops: two\n"), "{printed}");
}

#[test]
fn the_costs_are_those_of_the_cpu_and_of_all_cores() {
    let packets = "#define tband_configFORMAT TBAND_FORMAT_PACKETS\n";
    let project =
        |build: &str| Project::new().add("tband_config.h", packets).file("CMakeLists.txt", build);
    let printed = sound(&project("add_compile_options(-mcpu=cortex-m4)\n"));
    assert!(printed.contains("(Cortex-M4F, one core, -O2);"), "{printed}");
    assert!(!printed.contains("not measured"), "{printed}");
    let printed = sound(&project("add_compile_options(-mcpu=cortex-m0plus)\n"));
    assert!(printed.contains("(Cortex-M0+, one core, -O2);"), "{printed}");
    assert!(
        printed.contains("(Cortex-M4F, one core, -Os; not measured on Cortex-M0+)"),
        "{printed}"
    );
    let printed = sound(&project("add_compile_options(-mcpu=cortex-m7)\n"));
    assert!(
        printed.contains("(Cortex-M4F, one core, -O2; not measured on Cortex-M7)"),
        "{printed}"
    );
    // The Pico: two cores, each with a ring and a metadata buffer.
    let cores = "#define tband_portNUMBER_OF_CORES 2\n#define tband_portGET_CORE_ID() 0\n\
        #define tband_portSPIN_LOCK() ((void)0)\n#define tband_portSPIN_UNLOCK() ((void)0)\n";
    let pico =
        project("include(pico_sdk_import.cmake)\npico_sdk_init()\n").add("tband_port.h", cores);
    let printed = sound(&pico);
    assert!(printed.contains("; not measured on Cortex-M0+ with 2 cores)"), "{printed}");
    assert!(
        printed.contains("(Cortex-M0+, one core, -O2; not measured with 2 cores)"),
        "{printed}"
    );
    assert!(printed.contains(" bytes of 2 cores, and 8192 for events, 4096 a core\n"), "{printed}");

    // The same by the kernel's number of cores, as in the guide's project.
    let port = tband_tests::read(root().join("port/RP2040_FREERTOS/tband_port.h"));
    let kernel = "#ifndef FREERTOS_CONFIG_H\n#define FREERTOS_CONFIG_H\n#define configNUMBER_OF_CORES 2\n\
        #define configUSE_TRACE_FACILITY 1\n#define INCLUDE_xTaskGetIdleTaskHandle 1\n#define configUSE_MUTEXES 1\n\
        #include \"tband.h\"\n#endif\n";
    let guide = project("pico_sdk_init()\n")
        .add("tband_config.h", "#define tband_configFREERTOS_TRACE_ENABLE 1\n")
        .file("tband_port.h", &port)
        .file("FreeRTOSConfig.h", kernel);
    let of_guide = sound(&guide);
    assert!(
        of_guide.contains(" bytes of 2 cores, and 8192 for events, 4096 a core\n"),
        "{of_guide}"
    );

    let ram = |printed: &str| -> u64 {
        let line = printed.lines().find(|it| it.trim_start().starts_with("RAM ")).expect("RAM");
        let numbers =
            line.split(|it: char| !it.is_ascii_digit()).filter_map(|it| it.parse::<u64>().ok());
        if line.contains("about") {
            let numbers: Vec<u64> = numbers.collect();
            numbers[0] + numbers[2]
        } else {
            numbers.sum()
        }
    };
    let program = linked(&pico, &["-mcpu=cortex-m0plus", "-mthumb"]);
    let of_program = tband_cli(&["doctor"], &program, 0);
    assert!(of_program.contains("is linked, for armv6m, interface"), "{of_program}");
    assert!(of_program.contains("  cores            2\n"), "{of_program}");
    assert!(
        of_program.contains("(Cortex-M0+, one core, -O2; not measured with 2 cores)"),
        "{of_program}"
    );
    assert!(of_program.contains("events           8192 bytes, of all cores\n"), "{of_program}");
    let (estimated, real) = (ram(&printed), ram(&of_program));
    assert!(real.abs_diff(estimated) < real / 20, "{estimated} instead of {real}");
}

/// GCC names the architecture, so only the FPU tells a Cortex-M7 from a Cortex-M4.
#[test]
fn the_figures_of_a_program_are_those_of_its_cpu() {
    for (options, figures) in [
        (&["-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"][..], "one core, -O2);"),
        (&["-mcpu=cortex-m7", "-mfloat-abi=hard", "-mfpu=fpv5-d16"], "; not measured on Cortex-M7"),
        (&["-mcpu=cortex-m7"], "; not measured on ARMv7E-M"),
    ] {
        let project = Project::new();
        let program = linked(&project, &[options, &["-mthumb"]].concat());
        let printed = tband_cli(&["doctor", "--rate", "1"], &program, 0);
        assert!(printed.contains(figures), "{options:?}: {printed}");
        let printed = tband_cli(&["doctor", "--rate", "0"], &program, 2);
        assert!(printed.contains("0 is not in 1..=4294967295"), "{printed}");
    }
}

#[test]
fn a_program_whose_symbols_have_no_type_was_not_stripped() {
    let project = Project::new().file("start.s", ".thumb\n.global start\nstart: b start\n");
    let [source, program, stripped] =
        ["start.s", "program.elf", "stripped.elf"].map(|it| project.path(it));
    let options = ["-mcpu=cortex-m4", "-nostdlib", "-Wl,-e,start", "-o"];
    run(Command::new("arm-none-eabi-gcc").args(options).arg(&program).arg(source));
    let printed = tband_cli(&["doctor"], &program, 1);
    assert!(printed.contains("\nmissing: tband\n"), "{printed}");
    run(Command::new("arm-none-eabi-objcopy").arg("--strip-all").args([&program, &stripped]));
    assert!(tband_cli(&["doctor"], &stripped, 2).contains("it was stripped"));
}

/// Links the shim for a microcontroller, with all that a recording needs of it; the library is left out.
fn linked(project: &Project, cpu: &[&str]) -> PathBuf {
    project_file(
        project,
        "start.c",
        "#include \"tband.h\"\nvoid start(void);\nvoid start(void) { (void)tband_trigger_snapshot(); }\n",
    );
    let program = project.path("program.elf");
    let mut link = Command::new("arm-none-eabi-gcc");
    link.args(cpu).args(["-Os", "-ffunction-sections", "-fdata-sections", "-nostartfiles"]);
    link.args(["-Wl,-e,start", "-Wl,--gc-sections", "-Wl,--unresolved-symbols=ignore-all"]);
    link.arg("-Wl,--undefined=tband_debugger_setup");
    for folder in [
        project.path(""),
        root().join("include"),
        root().join("freertos-hooks"),
        root().join("port"),
    ] {
        link.arg("-I").arg(folder);
    }
    link.arg(project.path("start.c")).arg(root().join(SHIM)).arg("-o").arg(&program);
    run(&mut link);
    program
}

fn project_file(project: &Project, name: &str, text: &str) {
    tband_tests::write(project.path(name), text);
}
