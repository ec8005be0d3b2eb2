//! Every core with both versions of the wrappers, and ports for cores that QEMU does not have.

use std::process::Command;
use std::sync::OnceLock;

use tband_tests::c::include;
use tband_tests::{cargo, finish, root, run};
use xtask::kernel;

use crate::{ACCESS_CONTROL_LIST, Core, M4, M33, STREAMING, privileged_and_unprivileged};

static M3: Core = Core {
    name: "cortex-m3",
    port: "GCC_ARM_CM3_MPU",
    flags: "-mcpu=cortex-m3 -DconfigCPU_CLOCK_HZ=25000000",
    linker_flags: "",
    machine: "mps2-an385",
    triple: "thumbv7m-none-eabi",
    toolchain: OnceLock::new(),
};

/// The kernel has no specific port for it.
static M7: Core = Core {
    name: "cortex-m7",
    port: "GCC_ARM_CM4_MPU",
    flags: "-mcpu=cortex-m7 -mfpu=fpv5-sp-d16 -mfloat-abi=hard -DconfigCPU_CLOCK_HZ=25000000 \
            -DconfigTOTAL_MPU_REGIONS=8",
    linker_flags: "-Wl,--defsym=board_psram=0x60000000",
    machine: "mps2-an500",
    triple: "thumbv7em-none-eabihf",
    toolchain: OnceLock::new(),
};

static M55: Core = Core {
    name: "cortex-m55",
    port: "GCC_ARM_CM55_NTZ_NONSECURE",
    flags: "-mcpu=cortex-m55 -mfloat-abi=hard -DBOARD_AN547 -DconfigENABLE_MVE=0 \
            -DconfigCPU_CLOCK_HZ=32000000 -DconfigTOTAL_MPU_REGIONS=16",
    linker_flags: "-Wl,--defsym=board_code=0x10000000 -Wl,--defsym=board_ram=0x31000000 \
                   -Wl,--defsym=board_psram=0x70000000",
    machine: "mps3-an547",
    triple: "thumbv8m.main-none-eabihf",
    toolchain: OnceLock::new(),
};

#[test]
fn cortex_m4_with_wrappers_1() {
    privileged_and_unprivileged(&M4, 1, &[]);
}

#[test]
fn cortex_m4_with_wrappers_2() {
    privileged_and_unprivileged(&M4, 2, &[]);
}

#[test]
fn cortex_m33_with_wrappers_1() {
    privileged_and_unprivileged(&M33, 1, &[]);
}

#[test]
fn cortex_m33_with_wrappers_2() {
    privileged_and_unprivileged(&M33, 2, &[]);
}

#[test]
fn cortex_m3_with_both_wrappers() {
    privileged_and_unprivileged(&M3, 1, &[]);
    privileged_and_unprivileged(&M3, 2, &[ACCESS_CONTROL_LIST]);
}

#[test]
fn cortex_m7_with_both_wrappers() {
    privileged_and_unprivileged(&M7, 1, &[]);
    privileged_and_unprivileged(&M7, 2, &[ACCESS_CONTROL_LIST]);
}

#[test]
fn cortex_m55_with_both_wrappers() {
    privileged_and_unprivileged(&M55, 1, &[]);
    privileged_and_unprivileged(&M55, 2, &[ACCESS_CONTROL_LIST]);
}

#[test]
fn streams_with_both_wrappers() {
    privileged_and_unprivileged(&M4, 2, &[STREAMING]);
    privileged_and_unprivileged(&M33, 1, &[STREAMING]);
    privileged_and_unprivileged(&M33, 2, &[STREAMING]);
}

/// Of what the worker may not use the recorder knows the numbers all the same, also in interrupts on top of it.
#[test]
fn access_control_lists_are_for_tasks_and_not_for_the_recorder() {
    privileged_and_unprivileged(&M4, 2, &[ACCESS_CONTROL_LIST]);
    privileged_and_unprivileged(&M33, 2, &[ACCESS_CONTROL_LIST, STREAMING]);
}

/// The crate for programs in Rust returns the same to an unprivileged task as the functions of C.
#[test]
fn unprivileged_rust_code_reads_no_recorder_memory() {
    run(cargo()
        .current_dir(root())
        .args(["build", "--quiet", "--locked", "-p", "tband-rust-part", "--profile", "firmware"])
        .args(["--target", "thumbv7em-none-eabihf", "--target-dir"])
        .arg(root().join("target/test-mpu/rust-part")));
    privileged_and_unprivileged(&M4, 2, &["RUST_PART=1"]);
}

/// The kernel's functions that the recorder itself calls are recorded like others, and disturb nothing.
#[test]
fn calls_of_the_kernel_are_recorded_too() {
    privileged_and_unprivileged(&M4, 2, &["CLASS_API=1"]);
}

/// Returns the compiler's messages about tband's own files, and those of the kernel that have hooks, with a port of the kernel.
fn compile_with(port: &str, flags: &[&str]) -> Result<(), String> {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let sources = ["tasks.c", "queue.c", "timers.c", "stream_buffer.c", "event_groups.c"];
    let own_sources = ["port/tband_shim.c", "freertos-hooks/tband_freertos.c"];
    let own_sources = own_sources.iter().map(|name| root().join(name));
    for source in own_sources.chain(sources.iter().map(|name| kernel.join(name))) {
        let mut command = Command::new("arm-none-eabi-gcc");
        command.args(["-mthumb", "-Os", "-Wall", "-Wextra", "-fsyntax-only"]);
        // In place of the port's own way, which is the kernel's CMake.
        command.args(["-Wno-unused-parameter", "-Dtband_configUSE_BACKEND_STREAMING=1"]);
        if !source.starts_with(&kernel) {
            command.arg("-Werror");
        }
        let folders = [kernel.join("include"), kernel.join("portable/GCC").join(port)];
        folders.iter().for_each(|folder| {
            command.arg("-isystem").arg(folder);
        });
        command
            .args(["-Dtband_configFREERTOS_TRACE_ENABLE=1", "-Dtband_configMEMORY_PROTECTION=1"]);
        let folders = [
            "tests/mpu/program",
            "tests/firmware",
            "include",
            "freertos-hooks",
            "port",
            "examples/mps2-an386/config",
        ];
        include(&mut command, folders.map(|name| root().join(name)));
        include(&mut command, [root().join("examples/mps2-board")]);
        let finished = finish(command.args(flags).arg(&source));
        if !finished.ok {
            return Err(format!("{port} {flags:?}: {}", finished.text()));
        }
    }
    Ok(())
}

/// Ports for cores that QEMU does not have, or not with memory protection.
#[test]
fn unsupported_programs_compile_or_state_the_reason() {
    let common = ["-DconfigCPU_CLOCK_HZ=1000000", "-DconfigTOTAL_MPU_REGIONS=8"];
    let trust_zone = &[
        "-DconfigENABLE_TRUSTZONE=1",
        "-DconfigRUN_FREERTOS_SECURE_ONLY=0",
        "-DconfigMINIMAL_SECURE_STACK_SIZE=1024",
    ][..];
    let no_fpu = &["-DconfigENABLE_FPU=0"][..];
    let mve = &["-DconfigENABLE_MVE=1", "-mfloat-abi=hard"][..];
    for (core, port, flags) in [
        ("cortex-m0plus", "ARM_CM0", no_fpu),
        ("cortex-m23", "ARM_CM23_NTZ/non_secure", no_fpu),
        ("cortex-m23", "ARM_CM23/non_secure", &[no_fpu, trust_zone].concat()[..]),
        ("cortex-m33", "ARM_CM33/non_secure", trust_zone),
        ("cortex-m35p", "ARM_CM35P_NTZ/non_secure", &[]),
        ("cortex-m35p", "ARM_CM35P/non_secure", trust_zone),
        ("cortex-m55", "ARM_CM55/non_secure", &[mve, trust_zone].concat()[..]),
        // As the compiler has no Cortex-M85.
        ("cortex-m55", "ARM_CM85_NTZ/non_secure", mve),
        ("cortex-m55", "ARM_CM85/non_secure", &[mve, trust_zone].concat()[..]),
    ] {
        let cpu = format!("-mcpu={core}");
        for wrappers in [
            &["-DconfigUSE_MPU_WRAPPERS_V1=1", "-DconfigENABLE_ACCESS_CONTROL_LIST=0"][..],
            &["-DconfigENABLE_ACCESS_CONTROL_LIST=0"],
            &["-DconfigENABLE_ACCESS_CONTROL_LIST=1"],
        ] {
            let flags = [&[cpu.as_str()], &common[..], flags, wrappers].concat();
            compile_with(port, &flags).unwrap_or_else(|output| panic!("{output}"));
        }
    }
    let flags = [
        "-mcpu=cortex-r5",
        "-DconfigTOTAL_MPU_REGIONS=16",
        "-DconfigSETUP_TICK_INTERRUPT()=",
        "-DconfigENABLE_ACCESS_CONTROL_LIST=0",
    ];
    let output = compile_with("ARM_CRx_MPU", &flags).expect_err("a core of another kind");
    assert!(output.contains("is known for Cortex-M only"), "{output}");
}
