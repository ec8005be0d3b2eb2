//! The C files and headers with the compilers that build them for microcontrollers, in every standard of the
//! language with strict warnings: compiled only. tests/targets links, tests/qemu runs.

mod agreement;
mod lto;
mod release;
mod strings;

use std::path::{Path, PathBuf};
use std::process::Command;

use tband_tests::c::{STRICT, Standard, compile_text_with, config_text};
use tband_tests::kernel::{FREERTOS_CONFIG, sources as kernel};
use tband_tests::{root, run, temp_dir, write};

/// A compiler for the Cortex-M4F, and what the kernel's port for it is called.
struct Toolchain {
    name: &'static str,
    program: &'static str,
    options: &'static [&'static str],
    /// Whether it finds the headers of a C library automatically.
    has_library: bool,
}

const CPU: [&str; 4] = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"];

const TOOLCHAINS: [Toolchain; 5] = [
    Toolchain { name: "gcc", program: "arm-none-eabi-gcc", options: &[], has_library: true },
    Toolchain {
        name: "clang",
        program: "clang",
        options: &["--target=arm-none-eabi"],
        has_library: false,
    },
    // It is clang, with these options and macros.
    Toolchain {
        name: "clang as Arm Compiler 6",
        program: "clang",
        options: &[
            "--target=arm-arm-none-eabi",
            "-fshort-enums",
            "-fshort-wchar",
            "-D__ARMCC_VERSION=6220000",
            "-D__arm=1",
        ],
        has_library: false,
    },
    // As compilers are that do not have these: nothing may hang on them.
    Toolchain {
        name: "gcc without __has_include",
        program: "arm-none-eabi-gcc",
        // To take it away is a warning that has no name.
        options: &["-U__has_include", "-Wno-error"],
        has_library: true,
    },
    Toolchain {
        name: "gcc that does not say that it is",
        program: "arm-none-eabi-gcc",
        options: &["-U__GNUC__"],
        has_library: true,
    },
];

/// Folder of newlib's headers, which gcc knows.
fn library_headers() -> PathBuf {
    let listed = run(Command::new("arm-none-eabi-gcc")
        .args(["-E", "-M", "-include", "stdlib.h"])
        .args(["-x", "c", "/dev/null"]));
    let listed = String::from_utf8(listed).expect("paths");
    let stdlib = listed.split_whitespace().find(|path| path.ends_with("/stdlib.h"));
    let folder = Path::new(stdlib.expect("newlib's stdlib.h")).parent().expect("a folder");
    folder.to_owned()
}

/// A project for the kernel's port, with everything on that there is.
struct Project {
    folder: tempfile::TempDir,
    library: PathBuf,
}

const KERNEL_PORT: &str = "portable/GCC/ARM_CM4F";

impl Project {
    fn new(backend: &str) -> Self {
        let folder = temp_dir();
        let backend = format!("tband_configUSE_BACKEND_{backend}");
        let config = [
            (backend.as_str(), "1"),
            ("tband_configFREERTOS_TRACE_ENABLE", "1"),
            ("tband_configFREERTOS_STACK_TRACE_ENABLE", "1"),
            ("tband_configFREERTOS_SCHEDULER_STEP_TRACE_ENABLE", "1"),
            ("tband_configFREERTOS_TICK_TRACE_ENABLE", "1"),
            ("tband_configFREERTOS_API_TRACE_ENABLE", "1"),
        ];
        write(folder.path().join("tband_config.h"), config_text(&config));
        write(
            folder.path().join("tband_port.h"),
            "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\
             bool send(const uint8_t *data, size_t len);\n\
             #define tband_portBACKEND_STREAM_DATA(buf, len) send((buf), (len))\n\
             #include \"tband_cortex_m_freertos.h\"\n",
        );
        write(
            folder.path().join("FreeRTOSConfig.h"),
            format!(
                "#define configCPU_CLOCK_HZ 64000000\n\
                 #define configMAX_SYSCALL_INTERRUPT_PRIORITY 64\n\
                 #define configKERNEL_INTERRUPT_PRIORITY 255\n{FREERTOS_CONFIG}"
            )
            .replace("TICK_TYPE_WIDTH_64_BITS", "TICK_TYPE_WIDTH_32_BITS"),
        );
        Self { folder, library: library_headers() }
    }

    /// Compiles a text to `unit.o` there, and returns its path. The kernel's and the library's headers keep
    /// their own warnings.
    #[track_caller]
    fn compile(
        &self,
        toolchain: &Toolchain,
        standard: Standard,
        warnings: &[&str],
        text: &str,
    ) -> PathBuf {
        let system = [kernel().join("include"), kernel().join(KERNEL_PORT), self.library.clone()];
        let system = &system[..if toolchain.has_library { 2 } else { 3 }];
        let system: Vec<_> = system.iter().map(|path| path.display().to_string()).collect();
        let mut options = [&CPU[..], warnings, toolchain.options].concat();
        options.extend(system.iter().flat_map(|folder| ["-isystem", folder]));
        let mut command = Command::new(toolchain.program);
        command.arg(standard.option());
        // Where the headers of C++ are installed, they need what some toolchains here are tested without.
        if Standard::CXX.contains(&standard) {
            command.arg("-nostdinc++");
        }
        let object = self.folder.path().join("unit.o");
        let includes = [self.folder.path(), &root().join("port")];
        compile_text_with(command, standard, &options, &includes, text, &object)
            .unwrap_or_else(|text| panic!("{}, {standard:?}:\n{text}", toolchain.name));
        object
    }
}

/// Text that includes a file.
fn including(path: &Path) -> String {
    format!("#include \"{}\"\n", path.display())
}

/// The compilers that nearly everybody has; module `release` tries all, with every backend and standard.
#[test]
fn the_library_s_own_c_files_compile_with_gcc_and_clang() {
    let project = Project::new("STREAMING");
    for toolchain in &TOOLCHAINS[..2] {
        for standard in [Standard::C99, Standard::C23] {
            for file in ["port/tband_shim.c", "freertos-hooks/tband_freertos.c"] {
                project.compile(toolchain, standard, STRICT, &including(&root().join(file)));
            }
        }
    }
}

/// Symbols of an object that it neither defines nor can do without.
fn undefined(object: &Path) -> Vec<String> {
    let listed = run(Command::new("nm").arg("-u").arg(object));
    let listed = String::from_utf8(listed).expect("names");
    listed.lines().map(|line| line.trim().to_owned()).collect()
}

/// A project links without the kernel's files that it does not use, and by no other means than any linker
/// has: no reference is weak, and none leads to a file that may be missing.
#[test]
fn no_reference_is_weak_and_none_leads_to_a_file_that_may_be_missing() {
    let project = Project::new("STREAMING");
    let hooks = including(&root().join("freertos-hooks/tband_freertos.c"));
    for toolchain in &TOOLCHAINS {
        let object = project.compile(toolchain, Standard::C11, STRICT, &hooks);
        let undefined = undefined(&object);
        assert!(undefined.iter().any(|line| line == "U uxQueueGetQueueNumber"), "{undefined:?}");
        for line in &undefined {
            assert!(line.starts_with("U "), "{}: {line}", toolchain.name);
            let is_optional = ["StreamBuffer", "EventGroup", "GetTimerNumber", "HeapSize"];
            assert!(
                !is_optional.iter().any(|part| line.contains(part)),
                "{}: {line}",
                toolchain.name
            );
        }
        // Only those heaps that have the function call it.
        for heap in 1..=5 {
            let path = kernel().join(format!("portable/MemMang/heap_{heap}.c"));
            let object = project.compile(toolchain, Standard::C11, &["-Wall"], &including(&path));
            let symbols = String::from_utf8(run(Command::new("nm").arg(&object))).expect("names");
            assert!(symbols.contains("U tband_record_numbers"), "heap_{heap}: {symbols}");
            assert!(!symbols.contains("U xPortGetFreeHeapSize"), "heap_{heap}: {symbols}");
            assert_eq!(symbols.contains("T xPortGetFreeHeapSize"), heap != 3, "heap_{heap}");
        }
    }
}
