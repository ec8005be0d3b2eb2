//! Every port compiles with the compiler and flags of its cores, without a warning, with each backend
//! and with the real kernel's headers; every one has a README; the helper that extends a timer is right.

mod chips;
mod own_scheduler;
mod release;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tband_tests::c::{Standard, compiler, include, includes};
use tband_tests::events::{SNAPSHOT_OF_32_KIB, assert_events, trace_info};
use tband_tests::{archive, finish, read, root, run, temp_dir, write};
use xtask::kernel;

const STRICT: &[&str] = &["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2"];

const ARM: &str = "arm-none-eabi-gcc";
const RISCV: &str = "riscv64-unknown-elf-gcc";
const PICOLIBC: &str = "--specs=picolibc.specs";

/// A port folder, without `_FREERTOS`, the kernel port that goes with it, and the cores it is for.
struct Port {
    name: &'static str,
    kernel: &'static str,
    compiler: &'static str,
    cores: &'static [&'static [&'static str]],
}

const PORTS: &[Port] = &[
    Port {
        name: "GCC_ARM_CM0",
        kernel: "ARM_CM0",
        compiler: ARM,
        cores: &[&["-mthumb", "-mcpu=cortex-m0"], &["-mthumb", "-mcpu=cortex-m0plus"]],
    },
    Port {
        name: "GCC_ARM_CM3",
        kernel: "ARM_CM3",
        compiler: ARM,
        cores: &[&["-mthumb", "-mcpu=cortex-m3"]],
    },
    Port {
        name: "GCC_ARM_CM4F",
        kernel: "ARM_CM4F",
        compiler: ARM,
        cores: &[
            &["-mthumb", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"],
            &["-mthumb", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=softfp"],
        ],
    },
    Port {
        name: "GCC_ARM_CM7",
        kernel: "ARM_CM7/r0p1",
        compiler: ARM,
        cores: &[&["-mthumb", "-mcpu=cortex-m7", "-mfpu=fpv5-d16", "-mfloat-abi=hard"]],
    },
    Port {
        name: "GCC_ARM_CM33",
        kernel: "ARM_CM33_NTZ/non_secure",
        compiler: ARM,
        cores: &[
            &["-mthumb", "-mcpu=cortex-m33", "-mfpu=fpv5-sp-d16", "-mfloat-abi=hard"],
            &["-mthumb", "-mcpu=cortex-m33+nofp"],
        ],
    },
    Port {
        name: "GCC_RISCV",
        kernel: "RISC-V",
        compiler: RISCV,
        cores: &[
            &[PICOLIBC, "-march=rv32imac_zicsr", "-mabi=ilp32"],
            &[PICOLIBC, "-march=rv32imc_zicsr", "-mabi=ilp32"],
        ],
    },
];

/// Definitions in `tband_config.h` for each backend.
const BACKENDS: &[&str] = &[
    "#define tband_configUSE_BACKEND_SNAPSHOT 1\n",
    "#define tband_configUSE_BACKEND_STREAMING 1\n\
     #define tband_portBACKEND_STREAM_DATA(buf, len) ((void)(buf), (void)(len), false)\n",
    "#define tband_configUSE_BACKEND_EXTERNAL 1\n",
    "#define tband_configFORMAT TBAND_FORMAT_PACKETS\n#define tband_configUSE_BACKEND_STREAMING 1\n",
];

/// Compiles shim and hooks with a port; returns the compiler's messages on failure.
fn compile(
    port: &Port,
    folder: &Path,
    core: &[&str],
    config: &str,
    with_kernel: bool,
) -> Result<(), String> {
    compile_with(port, folder, core, config, with_kernel, &[])
}

/// As [`compile`], with more options for the compiler.
fn compile_with(
    port: &Port,
    folder: &Path,
    core: &[&str],
    config: &str,
    with_kernel: bool,
    options: &[&str],
) -> Result<(), String> {
    let scratch = temp_dir();
    let enable = format!(
        "#define tband_configENABLE 1\n#define tband_configFREERTOS_TRACE_ENABLE {}\n",
        u8::from(with_kernel)
    );
    write(scratch.path().join("tband_config.h"), enable + config);
    for source in ["port/tband_shim.c", "freertos-hooks/tband_freertos.c"] {
        let mut command = Command::new(port.compiler);
        command.args(core).args(STRICT).args(options);
        include(&mut command, [scratch.path(), folder, &root().join("port")]);
        include(&mut command, includes());
        if with_kernel {
            let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
            let here = root().join("tests/ports");
            let folders =
                [kernel.join("include"), kernel.join("portable/GCC").join(port.kernel), here];
            for folder in folders {
                command.arg("-isystem").arg(folder);
            }
        }
        command.arg("-c").arg(root().join(source)).arg("-o").arg(scratch.path().join("out.o"));
        let finished = finish(&mut command);
        if !finished.ok {
            return Err(format!("{command:?}\n{}", finished.text()));
        }
    }
    Ok(())
}

fn port_folder(port: &Port, with_kernel: bool) -> PathBuf {
    let name = if with_kernel { format!("{}_FREERTOS", port.name) } else { port.name.to_owned() };
    root().join("port").join(name)
}

/// Each core with one backend; module `release` has all.
#[test]
fn every_port_compiles_for_its_cores() {
    ports_compile(|turn| &BACKENDS[turn % 4..][..1]);
}

/// With the backends that the number of the combination chooses.
fn ports_compile(backends: impl Fn(usize) -> &'static [&'static str]) {
    let mut turn = 0;
    let mut compiled = 0;
    for port in PORTS {
        for core in port.cores {
            for with_kernel in [false, true] {
                turn += 1;
                for backend in backends(turn) {
                    let folder = port_folder(port, with_kernel);
                    // The kernel knows its clock.
                    let clock = "#define tband_portCPU_CLOCK_HZ 64000000\n";
                    let config = format!("{backend}{}", if with_kernel { "" } else { clock });
                    if let Err(output) = compile(port, &folder, core, &config, with_kernel) {
                        panic!("{}: {output}", folder.display());
                    }
                    compiled += 1;
                }
            }
        }
    }
    println!("{compiled} combinations of port, core and backend");
}

/// The alternatives that the ports' READMEs name.
#[test]
fn every_timer_compiles() {
    let counter = "#define tband_configUSE_BACKEND_SNAPSHOT 1\n\
                   #define tband_portCOUNTER32() (*(volatile uint32_t *)0x40000010)\n\
                   #define tband_portCOUNTER32_HZ 1000000\n";
    let mtime = "#define tband_configUSE_BACKEND_SNAPSHOT 1\n\
                 #define tband_portMTIME_ADDRESS 0x0200BFF8\n\
                 #define tband_portMTIME_HZ 10000000\n";
    // With the kernel mtime is the one that every_port_compiles_for_its_cores() has.
    let cycles = "#define tband_configUSE_BACKEND_SNAPSHOT 1\n\
                  #define tband_portCPU_CLOCK_HZ 100000000\n";
    for port in PORTS {
        let config = if port.compiler == ARM { counter } else { mtime };
        let compiled = compile(port, &port_folder(port, false), port.cores[0], config, false);
        compiled.unwrap_or_else(|output| panic!("{}: {output}", port.name));
        let config = if port.compiler == ARM { counter } else { cycles };
        let compiled = compile(port, &port_folder(port, true), port.cores[0], config, true);
        compiled.unwrap_or_else(|output| panic!("{} with kernel: {output}", port.name));
    }
}

/// Several harts share one timer: not the cycle counters, which are separate.
#[test]
fn several_risc_v_cores_share_a_timer() {
    let riscv = PORTS.last().expect("ports");
    let cores = "#define tband_configUSE_BACKEND_SNAPSHOT 1\n\
                 #define tband_configSNAPSHOT_BUF_ATTRIBUTE\n\
                 #define tband_portNUMBER_OF_CORES 2\n\
                 #define tband_portGET_CORE_ID() my_core()\n\
                 static inline int my_core(void) { return 0; }\n";
    let folder = port_folder(riscv, false);
    let compile =
        |timer| compile(riscv, &folder, riscv.cores[0], &format!("{cores}{timer}"), false);
    compile("#define tband_portTIME_HZ 10000000\n").unwrap_or_else(|output| panic!("{output}"));
    let output = compile("#define tband_portCPU_CLOCK_HZ 100000000\n").expect_err("no timer");
    assert!(output.contains("#define tband_portTIME_HZ 10000000"), "{output}");
}

/// What a port does not know it asks for, with the line to add.
#[test]
fn a_missing_frequency_is_named() {
    let folder = temp_dir();
    let snapshot = "#define tband_configUSE_BACKEND_SNAPSHOT 1\n";
    let riscv = PORTS.last().expect("ports");
    for (port, header, macros, missing) in [
        (&PORTS[0], "tband_cortex_m.h", "", "tband_portCPU_CLOCK_HZ"),
        (&PORTS[1], "tband_cortex_m.h", "", "tband_portCPU_CLOCK_HZ"),
        (
            &PORTS[1],
            "tband_cortex_m.h",
            "#define tband_portCOUNTER32() 0\n",
            "tband_portCOUNTER32_HZ",
        ),
        (riscv, "tband_riscv.h", "", "tband_portCPU_CLOCK_HZ"),
        (riscv, "tband_riscv.h", "#define tband_portMTIME_ADDRESS 8\n", "tband_portMTIME_HZ"),
    ] {
        write(folder.path().join("tband_port.h"), format!("{macros}#include \"{header}\"\n"));
        let output = compile(port, folder.path(), port.cores[0], snapshot, false)
            .expect_err("something is missing");
        assert!(output.contains(&format!("#define {missing} ")), "{missing}:\n{output}");
    }
    // A port that was copied and left as it is: no clock is right for everybody.
    for port in PORTS {
        let output = compile(port, &port_folder(port, false), port.cores[0], snapshot, false)
            .expect_err("the clock is not known");
        assert!(output.contains("how fast is the core? Put into tband_port.h"), "{output}");
    }
    let template = root().join("port/template");
    let output = compile(&PORTS[1], &template, PORTS[1].cores[0], snapshot, false)
        .expect_err("the timer is not known");
    assert!(output.contains("how fast does your timer count?"), "{output}");
    assert!(output.contains("#define tband_portTIMESTAMP_FREQUENCY_HZ 64000000"), "{output}");
    assert!(!output.contains("the port does not define"), "{output}");
}

#[test]
fn every_port_folder_is_compiled_here_and_has_a_readme() {
    // tests/freertos_posix; tests/headers; parts of the shim, which all programs compile
    let parts = ["arm_a_r", "filters", "recorder", "records", "senders", "template", "triggers"];
    // Compiled with the kernel and run in tests/cpus.
    let run = ["GCC_AARCH64", "GCC_ARM9", "GCC_ARM_CA9", "GCC_ARM_CR5", "GCC_RISCV", "WINDOWS"];
    for entry in fs::read_dir(root().join("port")).expect("the ports") {
        let path = entry.expect("a port").path();
        if !path.is_dir() {
            continue;
        }
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let base = name.strip_suffix("_FREERTOS").unwrap_or(&name);
        assert!(
            name == "POSIX_FREERTOS"
                || parts.contains(&&*name)
                || run.contains(&base)
                || PORTS.iter().any(|port| port.name == base)
                || chips::has(&name),
            "port/{name} is not compiled by any test"
        );
        let readme = read(path.join("README.md")).to_lowercase();
        let readme = readme.split_whitespace().collect::<Vec<_>>().join(" ");
        if run.contains(&base) {
            for topic in ["interrupt", "alignment", "fpu", "caches", "cannot show"] {
                assert!(readme.contains(topic), "port/{name}/README.md does not say: {topic}");
            }
        }
        if !parts.contains(&&*name) {
            for topic in ["timer", "critical section", "core id", "transport"] {
                assert!(readme.contains(topic), "port/{name}/README.md does not say: {topic}");
            }
        }
    }
}

/// QEMU has no cycle counter. On the host its registers are memory, at their own addresses, with the ports'
/// timer and a clock that is known at run time.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn the_cycle_counter_is_started_by_the_recorder() {
    let folder = temp_dir();
    let config = "#define tband_configENABLE 1\n#define tband_configUSE_BACKEND_SNAPSHOT 1\n\
                  #define tband_configTRACE_DROP_CNT_EVERY 0\n";
    write(folder.path().join("tband_config.h"), config);
    let port = "#include <stdint.h>\nextern uint32_t SystemCoreClock;\n\
                #define tband_portCPU_CLOCK_HZ SystemCoreClock\n#include \"tband_cortex_m_timer.h\"\n\
                #define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)\n\
                #define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)\n";
    write(folder.path().join("tband_port.h"), port);
    let program = folder.path().join("dwt");
    let mut compile = compiler(Standard::C11);
    include(&mut compile, [folder.path(), &root().join("port"), &root().join("tests/c")]);
    include(&mut compile, includes());
    compile.args(["-Wall", "-Wextra", "-Werror", "-Wl,--gc-sections"]);
    compile.arg(root().join("tests/ports/dwt.c")).arg(root().join("port/tband_shim.c"));
    run(compile.arg(archive()).arg("-o").arg(&program));
    assert_events(
        &run(&mut Command::new(&program)),
        &[
            "- ts_resolution_ns ns_per_ts=3",
            &trace_info(1, SNAPSHOT_OF_32_KIB),
            "1000 ts_frequency numerator=400000000 denominator=1",
            "2000 isr_exit isr_id=0",
            "2000 ts_frequency numerator=800000000 denominator=1",
            "2000 isr_exit isr_id=1",
        ],
    );
}

/// A C program on the host, since the helper is a C header.
#[test]
fn a_32_bit_counter_is_extended_rightly() {
    let folder = temp_dir();
    let program = folder.path().join("extend32");
    let mut compile = compiler(Standard::C11);
    include(&mut compile, [root().join("port")]);
    compile.args(["-Wall", "-Wextra", "-Werror", "-fsanitize=undefined"]);
    run(compile.arg(root().join("tests/ports/extend32.c")).arg("-o").arg(&program));
    let finished = finish(&mut Command::new(&program));
    assert!(finished.ok, "{}", finished.text());
}
