//! Every header can be included alone, first, and twice. Each standard has its turn; module `release` has all with each header.

use std::fs;
use std::path::PathBuf;

use tband_tests::c::Standard;
use tband_tests::root;

use crate::Project;

/// Headers below a folder of the repository.
fn headers(folder: &str) -> Vec<PathBuf> {
    let mut list = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "h") {
                list.push(path);
            }
        }
    }
    // The same turns on each machine.
    list.sort();
    list
}

/// In one standard of C and one of C++.
#[test]
fn each_header_compiles_alone_and_twice() {
    headers_compile(|turn| vec![Standard::C[turn % 4], Standard::CXX[turn % 4]]);
}

/// In the standards that the number of the combination chooses.
pub fn headers_compile(standards: impl Fn(usize) -> Vec<Standard>) {
    let mut all = headers("include");
    all.extend(headers("freertos-hooks"));
    assert!(all.len() >= 5, "{all:?}");
    let on = "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_STREAMING 1\n";
    for (number, config) in ["", on].into_iter().enumerate() {
        let project = Project::without_port(config);
        for (turn, header) in (number..).zip(&all) {
            let include = format!("#include \"{}\"\n", header.display());
            for standard in standards(turn) {
                // Later code must find the complete interface there, whichever header was included.
                let parts = [
                    "tband_requirements.h",
                    "tband_config_defaults.h",
                    "tband_config_check.h",
                    "tband_backends.h",
                    "tband_hooks_others.h",
                    "tband_library.h",
                ];
                // The emitter of flux, which is a separate library, does not have the recorder either.
                let is_part = parts.iter().any(|part| header.ends_with(part))
                    || header.file_name().is_some_and(|it| it.to_string_lossy().contains("flux"));
                let body = if is_part { "0" } else { "tband_tracing_enabled() ? 1 : 0" };
                let text = format!(
                    "{include}{include}int alone(void);\nint alone(void) {{ return {body}; }}\n"
                );
                project.compile(standard, &[], &text);
            }
        }
    }
}

#[test]
fn each_port_header_compiles_alone_and_twice() {
    port_headers_compile(|turn| &Standard::C[turn % 4..][..1]);
}

/// In the standards that the number of the header chooses.
pub fn port_headers_compile(standards: impl Fn(usize) -> &'static [Standard]) {
    let mut all = headers("port");
    // Those of certain chips need the chips' own headers: `tests/ports/chips.rs` compiles them against mocks. That of Windows
    // needs its SDK: `tests/cpus/windows.rs` compiles it. Senders need
    // macros, and the line's own headers: `tests/c/senders/` have them.
    all.retain(|header| {
        let path = header.to_string_lossy().to_lowercase();
        let others = ["stm32", "nrf", "rp2040", "esp_idf", "windows", "senders"];
        !others.iter().any(|chip| path.contains(chip))
    });
    assert!(all.len() >= 6, "{all:?}");
    let mut project = Project::without_port("");
    // As much of a kernel as the Cortex-M port takes from it.
    tband_tests::write(
        project.path("kernel/FreeRTOS.h"),
        "#define configCPU_CLOCK_HZ 64000000\n\
         #define portSET_INTERRUPT_MASK_FROM_ISR() 0\n\
         #define portCLEAR_INTERRUPT_MASK_FROM_ISR(mask) ((void)(mask))\n",
    );
    tband_tests::write(project.path("kernel/task.h"), "");
    project.includes.push(project.path("kernel"));
    // Common parts of ports are beside their folders.
    project.includes.push(root().join("port"));
    for (turn, header) in all.into_iter().enumerate() {
        let include = format!("#include \"{}\"\n", header.display());
        let uses = "#ifdef tband_portENTER_CRITICAL_FROM_ANY\n\
                    uint64_t section(void);\n\
                    uint64_t section(void) {\n\
                    tband_portENTER_CRITICAL_FROM_ANY();\n\
                    const uint64_t now = tband_portTIMESTAMP();\n\
                    tband_portEXIT_CRITICAL_FROM_ANY();\n\
                    return now + tband_portTIMESTAMP_FREQUENCY_HZ + tband_portGET_CORE_ID();\n\
                    }\n\
                    #endif\n";
        let text = format!("{include}{include}typedef int not_empty;\n{uses}");
        // They ask for the clock, and the template for its timer's.
        let is_template = header.ends_with("template/tband_port.h");
        let clock = ["tband_portCPU_CLOCK_HZ", "tband_portTIMESTAMP_FREQUENCY_HZ"];
        let clock = format!("-D{}=64000000", clock[usize::from(is_template)]);
        let options = ["-fsyntax-only", &clock];
        // Assembly for another CPU is not looked at by a check of the syntax. Only the shim, which is
        // C, includes ports.
        for &standard in standards(turn) {
            project.compile(standard, &options, &text);
        }
    }
}

#[test]
fn assembler_files_may_include_the_header() {
    // No tband_config.h is there: nothing after the guard may be read.
    let folder = tband_tests::temp_dir();
    let source = folder.path().join("startup.S");
    tband_tests::write(&source, "#include \"tband.h\"\n.globl startup\nstartup:\n");
    let says_so: [&[&str]; 3] = [
        &[],
        // IAR's.
        &["-U__ASSEMBLER__", "-D__IASMARM__=1"],
        &["-U__ASSEMBLER__", "-D__IAR_SYSTEMS_ASM__=1"],
    ];
    for options in says_so {
        let mut command = tband_tests::c::compiler(Standard::C11);
        tband_tests::c::include(&mut command, tband_tests::c::includes());
        command.args(options).arg("-c").arg(&source);
        tband_tests::run(command.arg("-o").arg(folder.path().join("startup.o")));
    }
}

/// Sources that were written for Tonbandgerät only include this.
#[test]
fn the_standard_library_comes_along() {
    let project = Project::without_port("");
    let text = "#include \"tband.h\"\n\
                const char *folder(void);\n\
                const char *folder(void) { return getenv(\"TBAND_OUT\"); }\n";
    for standard in Standard::ALL {
        project.compile(standard, &[], text);
    }
}
