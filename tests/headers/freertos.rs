//! The sources against the real kernel's headers: switches, and missing settings in FreeRTOSConfig.h.

use std::process::Command;

use tband_tests::c::{Standard, config_text};
use tband_tests::kernel::{FREERTOS_CONFIG, includes as kernel_includes};
use tband_tests::{read, root, run, write};

use crate::{Project, including};

/// A project with the kernel on its include path. The kernel's headers keep their own warnings.
struct KernelProject {
    project: Project,
    options: Vec<String>,
}

impl KernelProject {
    fn new(config: &[(&str, &str)], freertos_config: &str) -> Self {
        let config = [
            &[
                ("tband_configUSE_BACKEND_STREAMING", "1"),
                ("tband_configFREERTOS_TRACE_ENABLE", "1"),
            ],
            config,
        ]
        .concat();
        let project = Project::new(&config_text(&config));
        write(project.path("FreeRTOSConfig.h"), freertos_config);
        let mut options = vec![];
        for folder in kernel_includes() {
            options.push("-isystem".to_owned());
            options.push(folder.display().to_string());
        }
        Self { project, options }
    }

    fn try_compile(&self, standard: Standard, source: &str) -> Result<(), String> {
        self.try_compile_text(standard, &including(source))
    }

    fn try_compile_text(&self, standard: Standard, text: &str) -> Result<(), String> {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        self.project.try_compile(standard, &options, text)
    }
}

/// FreeRTOS is recorded at all.
const ALWAYS: &str = "tband_configFREERTOS_TRACE_ENABLE";

const SOURCES: [&str; 2] = ["port/tband_shim.c", "freertos-hooks/tband_freertos.c"];

#[test]
fn the_sources_compile_against_the_kernel_with_each_class_alone_with_all_and_with_none() {
    let defaults = read(root().join("include/tband_config_defaults.h"));
    let classes: Vec<&str> = defaults
        .lines()
        .filter_map(|line| line.strip_prefix("#ifndef "))
        .filter(|name| name.starts_with("tband_configFREERTOS_") && name.ends_with("TRACE_ENABLE"))
        .collect();
    assert!(classes.len() > 10, "{classes:?}");
    let only = |chosen: &str| -> Vec<(&str, &str)> {
        let mut config = vec![("tband_portISR_NUMBER()", "7")];
        config.extend(classes.iter().map(|&class| match class == chosen {
            true => (class, "1"),
            false => (class, if class == ALWAYS { "1" } else { "0" }),
        }));
        config
    };
    for class in classes.iter().filter(|class| **class != ALWAYS) {
        let project = KernelProject::new(&only(class), FREERTOS_CONFIG);
        for source in SOURCES {
            project
                .try_compile(Standard::C11, source)
                .unwrap_or_else(|complaint| panic!("only {class}: {complaint}"));
        }
    }
    for value in ["0", "1"] {
        let mut config: Vec<_> = classes.iter().map(|&class| (class, value)).collect();
        config.retain(|(class, _)| *class != ALWAYS);
        config.push(("tband_portISR_NUMBER()", "7"));
        let project = KernelProject::new(&config, FREERTOS_CONFIG);
        for source in SOURCES {
            for standard in Standard::C {
                project
                    .try_compile(standard, source)
                    .unwrap_or_else(|complaint| panic!("all {value}: {complaint}"));
            }
        }
    }
    let without_timers = FREERTOS_CONFIG.replace("configUSE_TIMERS 1", "configUSE_TIMERS 0");
    let cooperative = FREERTOS_CONFIG.replace("configUSE_PREEMPTION 1", "configUSE_PREEMPTION 0");
    for freertos_config in [without_timers, cooperative] {
        let project = KernelProject::new(&[], &freertos_config);
        for source in SOURCES {
            project.try_compile(Standard::C11, source).unwrap_or_else(|text| panic!("{text}"));
        }
    }
}

#[test]
fn reports_missing_kernel_configuration() {
    for (line, message) in [
        ("#define configUSE_TRACE_FACILITY 1\n", "#define configUSE_TRACE_FACILITY 1"),
        ("#define INCLUDE_xTaskGetIdleTaskHandle 1\n", "#define INCLUDE_xTaskGetIdleTaskHandle 1"),
        ("#include \"tband.h\"\n", "Add as the last line of FreeRTOSConfig.h"),
    ] {
        let freertos_config = FREERTOS_CONFIG.replace(line, "");
        assert_ne!(freertos_config, FREERTOS_CONFIG);
        let project = KernelProject::new(&[], &freertos_config);
        let complaint = project
            .try_compile(Standard::C11, "freertos-hooks/tband_freertos.c")
            .expect_err("it must not compile");
        assert!(complaint.contains(message), "no “{message}” in:\n{complaint}");
    }
}

/// Older compilers cannot ask whether a header exists. Undefining it is a warning, but not in a header of the
/// system.
#[test]
fn a_compiler_without_has_include_finds_the_kernel() {
    let mut project = KernelProject::new(&[("tband_portISR_NUMBER()", "7")], FREERTOS_CONFIG);
    write(project.project.path("old/compiler.h"), "#undef __has_include\n");
    let folder = project.project.path("old").display().to_string();
    project.options.extend(["-isystem", &folder, "-include", "compiler.h"].map(str::to_owned));
    for source in SOURCES {
        project.try_compile(Standard::C11, source).unwrap_or_else(|text| panic!("{text}"));
    }
    let text = "#include \"tband.h\"\n#ifdef __has_include\n#error has it\n#endif\nint unit;\n";
    let options: Vec<&str> = project.options.iter().map(String::as_str).collect();
    project
        .project
        .try_compile(Standard::C11, &options, text)
        .unwrap_or_else(|output| panic!("{output}"));
}

/// Features that are impossible with memory protection are reported; the rest is in `tests/mpu`.
#[test]
fn memory_protection_has_its_limits() {
    let output = "#define tband_configMEMORY_PROTECTION 1";
    let limits = [
        ("port/tband_shim.c", "110200", "1", "0", output),
        ("port/tband_shim.c", "110200", "1", "1", "known for Cortex-M only"),
        ("freertos-hooks/tband_freertos.c", "100600", "1", "1", "recorded from FreeRTOS V11 on"),
        ("freertos-hooks/tband_freertos.c", "110200", "2", "1", "recorded on one core only"),
    ];
    for (source, version, cores, reported, message) in limits {
        let config = [
            ("tband_configFREERTOS_VERSION", version),
            ("tband_configMEMORY_PROTECTION", reported),
        ];
        let mut project = KernelProject::new(&config, FREERTOS_CONFIG);
        project.options.push("-DportUSING_MPU_WRAPPERS=1".to_owned());
        project.options.push(format!("-DconfigNUMBER_OF_CORES={cores}"));
        let complaint = project.try_compile(Standard::C11, source).expect_err(message);
        assert!(complaint.contains(message), "{message}:\n{complaint}");
    }
}

#[test]
fn reports_a_kernel_outside_the_include_path() {
    let mut project = KernelProject::new(&[], FREERTOS_CONFIG);
    project.options.clear();
    for source in SOURCES {
        let complaint =
            project.try_compile(Standard::C11, source).expect_err("it must not compile");
        assert!(
            complaint.contains("FreeRTOS.h is not on the include path"),
            "{source}:\n{complaint}"
        );
    }
}

/// A handler in C++ has to find the functions of the hooks, which are C, when it is linked.
#[test]
fn handlers_in_cpp_call_the_hooks_by_their_names_in_c() {
    let project = KernelProject::new(&[("tband_portISR_NUMBER()", "7")], FREERTOS_CONFIG);
    let text = "#include \"FreeRTOS.h\"\n#include \"task.h\"\n\
                extern \"C\" void handler(void);\n\
                void handler(void) {\n\
                traceISR_ENTER();\n\
                traceISR_EXIT_TO_SCHEDULER();\n\
                }\n";
    project
        .try_compile_text(Standard::Cxx17, text)
        .unwrap_or_else(|complaint| panic!("{complaint}"));
    let object = project.project.path("unit.o");
    let symbols = run(Command::new("nm").arg("--undefined-only").arg(object));
    let symbols = String::from_utf8(symbols).expect("text");
    let names: Vec<_> = symbols.lines().filter_map(|line| line.split_whitespace().last()).collect();
    for name in ["tband_freertos_isr_enter", "tband_freertos_isr_exit"] {
        assert!(names.contains(&name), "no {name} in {names:?}");
    }
}

/// Another recorder's trace macros, before tband.h and after it: reported once, with what to do.
#[test]
fn another_recorder_in_the_same_build() {
    let macros = "#define traceTASK_SWITCHED_IN() theirs()\n#define traceTASK_CREATE(task) theirs()\n\
                  #define traceQUEUE_SEND(queue) theirs()\n#define traceQUEUE_RECEIVE(queue) theirs()\n";
    let recorders = [
        ("CMSIS Event Recorder", "#define RTE_Compiler_EventRecorder\n#define FREERTOS_EVR_H_\n"),
        ("CMSIS Event Recorder", "#define RTE_CMSIS_View_EventRecorder\n#define FREERTOS_EVR_H_\n"),
        ("SystemView", "#define SYSVIEW_FREERTOS_H\n"),
        ("TraceRecorder", "#define TRC_KERNEL_PORT_H\n#define TRC_USE_TRACEALYZER_RECORDER 1\n"),
        ("another recorder", ""),
    ];
    let include = "#include \"tband.h\"\n";
    assert!(FREERTOS_CONFIG.contains(include));
    for (name, guard) in recorders {
        let before = FREERTOS_CONFIG.replace(include, &format!("{guard}{macros}{include}"));
        let project = KernelProject::new(&[], &before);
        // A file of the kernel, or of the application.
        let of_kernel = "#include \"FreeRTOS.h\"\n".to_owned();
        for text in [of_kernel, including("freertos-hooks/tband_freertos.c")] {
            let output = project.try_compile_text(Standard::C11, &text).expect_err(name);
            assert_eq!(
                output.matches("Keep one:").count(),
                2,
                "{name}: once, and its line: {output}"
            );
            assert!(output.contains(name) && !output.contains("redefined"), "{name}: {output}");
        }
        // Without the kernel's events both work.
        let off = [
            ("tband_configUSE_BACKEND_STREAMING", "1"),
            ("tband_configFREERTOS_TRACE_ENABLE", "0"),
        ];
        write(project.project.path("tband_config.h"), config_text(&off));
        project
            .try_compile(Standard::C11, "port/tband_shim.c")
            .unwrap_or_else(|output| panic!("{output}"));

        if !guard.is_empty() {
            let undefined = macros.lines().filter_map(|line| {
                let name = line.strip_prefix("#define ")?.split_once('(')?.0;
                Some(format!("#undef {name}\n"))
            });
            let undefined: String = undefined.collect();
            let after =
                FREERTOS_CONFIG.replace(include, &format!("{include}{guard}{undefined}{macros}"));
            let project = KernelProject::new(&[], &after);
            let output = project
                .try_compile(Standard::C11, "freertos-hooks/tband_freertos.c")
                .expect_err(name);
            assert!(output.contains("Keep one:") && output.contains(name), "{name}: {output}");
            assert!(!output.contains("was defined again"), "{name}: {output}");
        }
    }
    // Headers that are there and switched off.
    let guards = "#define FREERTOS_EVR_H_\n#define TRC_KERNEL_PORT_H\n#define TRC_USE_TRACEALYZER_RECORDER 0\n";
    let idle = FREERTOS_CONFIG.replace(include, &format!("{guards}{include}"));
    let project = KernelProject::new(&[], &idle);
    for source in SOURCES {
        project.try_compile(Standard::C11, source).unwrap_or_else(|output| panic!("{output}"));
    }
}
