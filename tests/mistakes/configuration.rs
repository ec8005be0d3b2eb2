//! Mistakes in `tband_config.h`.

use crate::project::{HOOKS, Project, SHIM, tband_cli};
use crate::{Mistake, MistakeKind};

const PACKETS: &str = "#define tband_configFORMAT TBAND_FORMAT_PACKETS\n";

/// Returns the message of the shim with these additional lines in the configuration.
fn shim_with(lines: &str) -> String {
    Project::new().add("tband_config.h", lines).first_error(SHIM)
}

/// Returns the message for a project in which everything is off, or on, by this value.
fn enabled_by(value: &str) -> String {
    let line = format!("tband_configENABLE {value}");
    let project = Project::with_kernel().replace("tband_config.h", "tband_configENABLE 1", &line);
    [project.first_error("main.c"), project.first_error(SHIM), project.first_error(HOOKS)]
        .join("\n")
}

/// Returns the message for a configuration with a mistyped name.
fn mistyped(file: &str, line: &str) -> String {
    let project = Project::new().add(file, line);
    tband_cli(&["config"], &project.path(file), 1)
}

pub const KIND: MistakeKind = MistakeKind {
    title: "tband_config.h",
    who: "message of compiler, CMake, make or `tband-cli config`",
    mistakes: &[
        Mistake {
            what: "the file is not on the include path",
            messages: &["tband: tband_config.h was not found."],
            made: || Project::new().without("tband_config.h").first_error("main.c"),
        },
        Mistake {
            what: "`tband_configENABLE` has no value",
            messages: &[
                "tband: tband_configENABLE must be 0 or 1.",
                "#define tband_configENABLE 1",
            ],
            made: || enabled_by(""),
        },
        Mistake {
            what: "it is a word such as `yes` or `ON`",
            messages: &["tband: tband_configENABLE must be 0 or 1."],
            made: || enabled_by("yes"),
        },
        Mistake {
            what: "a semicolon follows the value",
            messages: &[
                "tband: tband_configENABLE must be 0 or 1.",
                // The compiler reports the line first.
                "tband_config.h:1:29: error: token \";\" is not valid in preprocessor expressions",
                "tband: tband_configUSE_BACKEND_SNAPSHOT must be 0 or 1",
                "tband: tband_configMETADATA_BUF_SIZE must be at least 1",
                "tband: tband_configFORMAT must be TBAND_FORMAT_FRAMES or TBAND_FORMAT_PACKETS",
            ],
            made: || {
                let backend = Project::with_kernel().replace(
                    "tband_config.h",
                    "BACKEND_SNAPSHOT 1",
                    "BACKEND_SNAPSHOT 1;",
                );
                [
                    enabled_by("1;"),
                    backend.first_error(HOOKS),
                    shim_with("#define tband_configMETADATA_BUF_SIZE 512;\n"),
                    shim_with("#define tband_configFORMAT TBAND_FORMAT_PACKETS;\n"),
                ]
                .join("\n")
            },
        },
        Mistake {
            what: "a switch is 2, a word or empty",
            messages: &["tband: tband_configFREERTOS_HEAP_TRACE_ENABLE must be 0 or 1"],
            made: || shim_with("#define tband_configFREERTOS_HEAP_TRACE_ENABLE ENABLED\n"),
        },
        Mistake {
            what: "the name should be `tband_configENABLE`",
            messages: &["tband: configTBAND_ENABLE is not a macro of tband"],
            made: || {
                Project::new()
                    .replace("tband_config.h", "tband_configENABLE", "configTBAND_ENABLE")
                    .first_error("main.c")
            },
        },
        Mistake {
            what: "`tband_config.h` includes `FreeRTOS.h`",
            messages: &[
                "tband: tband_config.h includes FreeRTOS.h, which reads tband_config.h itself.",
                "tband: tband_config.h includes FreeRTOS.h, FreeRTOSConfig.h or tband.h, which read tband_config.h",
            ],
            made: || {
                let project = Project::with_kernel()
                    .add("tband_config.h", "#include \"FreeRTOS.h\"\n")
                    .file("other.c", "#include \"tband.h\"\n");
                [project.first_error("other.c"), project.first_error(HOOKS)].join("\n")
            },
        },
        Mistake {
            what: "no backend is chosen",
            messages: &["tband: choose exactly one backend in tband_config.h"],
            made: || {
                Project::new()
                    .file("tband_config.h", "#define tband_configENABLE 1\n")
                    .first_error(SHIM)
            },
        },
        Mistake {
            what: "two backends are chosen",
            messages: &["tband: choose exactly one backend in tband_config.h"],
            made: || shim_with("#define tband_configUSE_BACKEND_STREAMING 1\n"),
        },
        Mistake {
            what: "it needs packets",
            messages: &["tband: the post-mortem backend overwrites packets"],
            made: || {
                Project::new()
                    .replace("tband_config.h", "SNAPSHOT", "POST_MORTEM")
                    .first_error(SHIM)
            },
        },
        Mistake {
            what: "no section for its memory",
            messages: &[
                "tband: the post-mortem backend's memory is cleared after a reset",
                "#define tband_configPACKET_BUF_ATTRIBUTE __attribute__((section(\\\".noinit\\\")))",
            ],
            made: || {
                Project::new()
                    .replace("tband_config.h", "SNAPSHOT", "POST_MORTEM")
                    .add("tband_config.h", PACKETS)
                    .first_error(SHIM)
            },
        },
        Mistake {
            what: "an unknown format",
            messages: &[
                "tband: tband_configFORMAT must be TBAND_FORMAT_FRAMES or TBAND_FORMAT_PACKETS",
            ],
            made: || shim_with("#define tband_configFORMAT 3\n"),
        },
        Mistake {
            what: "several cores",
            messages: &[
                "tband: the external backend gets packets of one core.",
                "#define tband_configUSE_BACKEND_STREAMING 1",
            ],
            made: || {
                let cores = "#define tband_portNUMBER_OF_CORES 2\n\
                             #define tband_portGET_CORE_ID() 0\n";
                Project::new()
                    .replace("tband_config.h", "SNAPSHOT", "EXTERNAL")
                    .add("tband_config.h", PACKETS)
                    .add("tband_port.h", cores)
                    .first_error(SHIM)
            },
        },
        Mistake {
            what: "the port defines a function for each packet",
            messages: &[
                "tband: packets of several cores are taken with tband_packet_take() or tband_stream_read();",
                "do not define tband_portBACKEND_STREAM_DATA",
            ],
            made: || {
                let cores = "#define tband_portNUMBER_OF_CORES 2\n\
                             #define tband_portGET_CORE_ID() 0\n";
                Project::new()
                    .streaming()
                    .add("tband_config.h", PACKETS)
                    .add("tband_port.h", cores)
                    .first_error(SHIM)
            },
        },
        Mistake {
            what: "for example 130 bytes",
            messages: &["tband: tband_configPACKET_SIZE must be 128 to 4096, and a multiple of 8"],
            made: || shim_with(&format!("{PACKETS}#define tband_configPACKET_SIZE 130\n")),
        },
        Mistake {
            what: "for example 0",
            messages: &["tband: tband_configPACKET_COUNT must be 1 to 32767"],
            made: || shim_with(&format!("{PACKETS}#define tband_configPACKET_COUNT 0\n")),
        },
        Mistake {
            what: "a mistyped macro",
            messages: &[
                "tband_configFREERTOS_TRACE_ENABEL is not a macro of tband",
                "do     #define tband_configFREERTOS_TRACE_ENABLE 1",
            ],
            made: || mistyped("tband_config.h", "#define tband_configFREERTOS_TRACE_ENABEL 1\n"),
        },
        Mistake {
            what: "a mistyped macro, with CMake",
            messages: &[
                "is not a macro of tband: it would be ignored.",
                "Did you mean tband_configMETADATA_BUF_SIZE?",
            ],
            made: || configured("#define tband_configMETADATA_BUFFER_SIZE 1024\n"),
        },
        Mistake {
            what: "a mistyped macro, with make",
            messages: &[
                "tband_configMETADATA_BUFFER_SIZE is not a macro of tband: it would be ignored.",
                "What was probably meant: tband-cli config ",
            ],
            made: || make_message("#define tband_configMETADATA_BUFFER_SIZE 1024\n", ""),
        },
        Mistake {
            what: "a wrong beginning: `configTBAND_`, `tband_config_`",
            messages: &[
                "configTBAND_USE_METADATA_BUF is not a macro of tband",
                "do     #define tband_configUSE_METADATA_BUF 0",
            ],
            made: || mistyped("tband_config.h", "#define configTBAND_USE_METADATA_BUF 0\n"),
        },
        Mistake {
            what: "a wrong beginning, with CMake",
            messages: &[
                "tband_config_USE_METADATA_BUF, in",
                "Did you mean tband_configUSE_METADATA_BUF?",
            ],
            made: || configured("#define tband_config_USE_METADATA_BUF 0\n"),
        },
        Mistake {
            what: "a wrong beginning, with make",
            messages: &[
                "configTBAND_USE_METADATA_BUF is not a macro of tband: it would be ignored.",
            ],
            made: || make_message("#define configTBAND_USE_METADATA_BUF 0\n", ""),
        },
        Mistake {
            what: "a mistyped macro in the compiler's flags",
            messages: &[
                "tband_configUSE_BACKEND_SNAPSHOTS is not a macro of tband: it would be ignored.",
            ],
            made: || make_message("", "CFLAGS=-O2 -Dtband_configUSE_BACKEND_SNAPSHOTS=1"),
        },
        Mistake {
            what: "make: `TBAND_CONFIG` is unset or wrong",
            messages: &[
                "tband: no tband_config.h in TBAND_CONFIG (",
                "set it to the folder that has it",
            ],
            made: || make_message("", "TBAND_CONFIG=else"),
        },
        Mistake {
            what: "make includes `tband.mk` of the sources",
            messages: &["is not a package, but of tband's sources", "cargo xtask dist"],
            made: make_message_from_sources,
        },
        Mistake {
            what: "make: the package has no library for the CPU",
            messages: &["tband: no library for ", "/lib, which has: "],
            made: || make_message("", "CC=arm-none-eabi-gcc -march=armv5te"),
        },
        Mistake {
            what: "a macro of the port is mistyped or old",
            messages: &[
                "tband_portTIMESTAMP_STRAT is not a macro of tband",
                "#define tband_portTIMESTAMP_START",
            ],
            made: || mistyped("tband_port.h", "#define tband_portTIMESTAMP_STRAT() go()\n"),
        },
        Mistake {
            what: "`tband_configFREERTOS_TRACE_ENABLE` is not defined",
            messages: &[
                "tband: FreeRTOSConfig.h includes tband.h, and tband_config.h does not say whether to record FreeRTOS.",
                "#define tband_configFREERTOS_TRACE_ENABLE 1",
            ],
            made: || {
                let config = crate::project::CONFIG;
                Project::with_kernel().file("tband_config.h", config).first_error("main.c")
            },
        },
        Mistake {
            what: "neither `tband_configFREERTOS_TRACE_ENABLE` nor `tband.h` in `FreeRTOSConfig.h`",
            messages: &[
                "tband: FreeRTOS is on the include path, and tband_config.h does not say whether to record it.",
            ],
            made: || {
                let config = crate::project::CONFIG;
                let project = Project::with_kernel().file("tband_config.h", config);
                project.replace("FreeRTOSConfig.h", "#include \"tband.h\"", "").first_error(SHIM)
            },
        },
        Mistake {
            what: "for example 64 bytes",
            messages: &[
                "tband: the snapshot buffer has no room to speak of",
                "#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 8192",
            ],
            made: || shim_with("#define tband_configBACKEND_SNAPSHOT_BUF_SIZE 64\n"),
        },
        Mistake {
            what: "0 bytes",
            messages: &[
                "tband: tband_configMETADATA_BUF_SIZE must be at least 1; to do without it:",
            ],
            made: || shim_with("#define tband_configMETADATA_BUF_SIZE 0\n"),
        },
        Mistake {
            what: "0",
            messages: &["tband: tband_configMAX_STR_LEN must be 1 to 65535"],
            made: || shim_with("#define tband_configMAX_STR_LEN 0\n"),
        },
        Mistake {
            what: "-1",
            messages: &["tband: tband_configTRACE_DROP_CNT_EVERY must be 0 to 4294967295"],
            made: || shim_with("#define tband_configTRACE_DROP_CNT_EVERY -1\n"),
        },
        Mistake {
            what: "for example 1000",
            messages: &["tband: tband_configFREERTOS_STACK_SAMPLE_EVERY must be 1 to 255"],
            made: || shim_with("#define tband_configFREERTOS_STACK_SAMPLE_EVERY 1000\n"),
        },
        Mistake {
            what: "`tband_configFREERTOS_VERSION` is that of another kernel",
            messages: &["tband: the hooks are not those of this kernel, which is V11.0 or later."],
            made: || {
                let line = "#define tband_configFREERTOS_VERSION 100600\n";
                Project::with_kernel().add("tband_config.h", line).first_error(HOOKS)
            },
        },
        Mistake {
            what: "an older kernel",
            messages: &["tband: the hooks are for FreeRTOS V10.1.0 and later"],
            made: || {
                let line = "#define tband_configFREERTOS_VERSION 90000\n";
                Project::with_kernel().add("tband_config.h", line).first_error("main.c")
            },
        },
        Mistake {
            what: "a macro of the kernel in place of the number",
            messages: &[
                "tband: tband_configFREERTOS_VERSION must be a number: major * 10000 + minor * 100 + build.",
                "#define tband_configFREERTOS_VERSION 110200",
            ],
            made: || {
                let line = "#define tband_configFREERTOS_VERSION tskKERNEL_VERSION_NUMBER\n";
                let project = Project::with_kernel().add("tband_config.h", line);
                [project.first_error("main.c"), project.first_error(HOOKS)].join("\n")
            },
        },
        Mistake {
            what: "a version before V10.4",
            messages: &["tband: the kernel is V10.6 or later. Put its version into tband_config.h"],
            made: || {
                let line = "#define tband_configFREERTOS_VERSION 100300\n";
                Project::with_kernel().add("tband_config.h", line).first_error(HOOKS)
            },
        },
        Mistake {
            what: "class `API` with an older kernel",
            messages: &["tband: calls of the kernel can be recorded from FreeRTOS V11.0.0 on."],
            made: || {
                let lines = "#define tband_configFREERTOS_VERSION 100600\n\
                             #define tband_configFREERTOS_API_TRACE_ENABLE 1\n";
                Project::with_kernel().add("tband_config.h", lines).first_error("main.c")
            },
        },
        Mistake {
            what: "class `ISR` without `tband_portISR_NUMBER()`",
            messages: &[
                "tband: tband_configFREERTOS_ISR_TRACE_ENABLE is 1, but the number of an interrupt is not known.",
            ],
            made: || {
                let line = "#define tband_configFREERTOS_ISR_TRACE_ENABLE 1\n";
                Project::with_kernel().add("tband_config.h", line).first_error("main.c")
            },
        },
    ],
};

/// Returns CMake's message about a configuration.
fn configured(line: &str) -> String {
    let project = Project::new().add("tband_config.h", line).file("CMakeLists.txt", LISTS);
    let mut cmake = std::process::Command::new("cmake");
    cmake.arg("-S").arg(project.path("")).arg("-B").arg(project.path("build"));
    cmake.arg(format!("-DTBAND_PATH={}", tband_tests::root().display()));
    cmake.arg(format!("-DTBAND_LIBRARY={}", tband_tests::archive().display()));
    let finished = tband_tests::finish(&mut cmake);
    assert!(!finished.ok, "CMake must refuse");
    finished.text().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A project as in a package of tband, with libraries for the machine and for a Cortex-M4F.
fn packaged(line: &str, makefile: &str) -> Project {
    let project = Project::new().add("tband_config.h", line).file("Makefile", makefile);
    let root = tband_tests::root();
    let package = project.path("tband");
    let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    for target in [&host, "thumbv7em-none-eabihf"] {
        tband_tests::write(package.join(format!("lib/{target}/libtband.a")), "");
    }
    for folder in ["include", "port", "freertos-hooks", "cmake"] {
        std::os::unix::fs::symlink(root.join(folder), package.join(folder)).expect("a link");
    }
    std::fs::copy(root.join("cmake/tband.mk"), package.join("tband.mk")).expect("copied");
    project
}

/// It does not matter whether tband.mk is included before the lines that set the compiler and its flags: the library is
/// that of the compiler that is called.
pub fn assert_make_takes_the_library_of_the_compiler() {
    let include = "TBAND_CONFIG := .\ninclude tband/tband.mk\n";
    let compiler =
        "CC = arm-none-eabi-gcc\nCFLAGS = -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16\n";
    let cpu = "CC := arm-none-eabi-gcc -mthumb\n";
    let flags = "CFLAGS := -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16\n";
    let show = "show: main.c $(TBAND_LIBRARY)\n\t@echo $(TBAND_LIBRARY) $^\n";
    for (makefile, target) in [
        (format!("{compiler}{include}{show}"), "thumbv7em-none-eabihf"),
        (format!("{include}{compiler}{show}"), "thumbv7em-none-eabihf"),
        (format!("{include}{cpu}{flags}{show}"), "thumbv7em-none-eabihf"),
        (
            format!("TBAND_TARGET := thumbv7em-none-eabihf\n{include}{show}"),
            "thumbv7em-none-eabihf",
        ),
        // clang with its target in either place, and a launcher such as ccache.
        (
            format!("CC := clang --target=arm-none-eabi\n{flags}{include}{show}"),
            "thumbv7em-none-eabihf",
        ),
        (
            format!("{include}CC := clang\n{flags}CFLAGS += --target=arm-none-eabi\n{show}"),
            "thumbv7em-none-eabihf",
        ),
        (
            format!("CC := env arm-none-eabi-gcc -mthumb\n{flags}{include}{show}"),
            "thumbv7em-none-eabihf",
        ),
        (format!("{include}{show}"), "-unknown-linux-gnu"),
        (format!("CC := cc\n{include}{show}"), "-unknown-linux-gnu"),
    ] {
        let project = packaged("", &makefile);
        let mut make = std::process::Command::new("make");
        make.arg("-C").arg(project.path("")).env_remove("CC").env_remove("CFLAGS");
        let finished = tband_tests::finish(make.arg("--no-print-directory"));
        let output = finished.text();
        let found: Vec<&str> = output.split_whitespace().collect();
        let library = |text: &&str| text.ends_with(&format!("{target}/libtband.a"));
        assert!(
            found.len() == 3 && found.iter().filter(|it| library(it)).count() == 2,
            "{makefile}: {output}"
        );
    }
}

/// Returns make's message about a configuration, and a variable on its command line: tband is as in a package.
fn make_message(line: &str, variable: &str) -> String {
    let project = packaged(
        line,
        "TBAND_CONFIG := .\ninclude tband/tband.mk\nmain.o: main.c\n\t$(CC) $(TBAND_CPPFLAGS) -c $<\n",
    );
    let mut make = std::process::Command::new("make");
    make.arg("-C").arg(project.path("")).args(["CC=cc", "CFLAGS="]);
    if line.is_empty() {
        let finished = tband_tests::finish(&mut make);
        assert!(finished.ok, "without a mistake make is content: {}", finished.text());
        make.arg(variable);
    }
    let finished = tband_tests::finish(&mut make);
    assert!(!finished.ok, "make must refuse");
    finished.text()
}

/// Returns make's message if a Makefile includes a folder that is not a package.
fn make_message_from_sources() -> String {
    let sources = tband_tests::root().join("cmake/tband.mk");
    let makefile = format!("TBAND_CONFIG := .\ninclude {}\nall:\n", sources.display());
    let project = Project::new().file("Makefile", &makefile);
    let finished =
        tband_tests::finish(std::process::Command::new("make").arg("-C").arg(project.path("")));
    assert!(!finished.ok, "make must refuse");
    finished.text()
}

const LISTS: &str = "cmake_minimum_required(VERSION 3.20)\n\
    project(user LANGUAGES C)\n\
    add_library(tband_config INTERFACE)\n\
    target_include_directories(tband_config INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})\n\
    add_subdirectory(${TBAND_PATH} tband)\n\
    add_executable(user main.c)\n\
    target_link_libraries(user PRIVATE tband::tband)\n";
