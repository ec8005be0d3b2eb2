//! CPUs beside Cortex-M and RV32IMAC: real kernels and bare programs in QEMU and Wine, in each of the ways to record. The firmware's
//! own counts are compared with the recording.
//!
//! Here is a short test for each CPU; the module `release` has the others.

mod boards;
mod cpu;
mod parallel;
mod release;
mod run_artifacts;
mod timers;
mod windows;
mod xtensa_port;

use std::process::Command;

use tband_tests::library::library;
use tband_tests::{finish, root, temp_dir};

use crate::boards::{
    AARCH64, AARCH64_GIC3, ARM7TDMI, ARM926, CORTEX_A9, CORTEX_R5, CORTEX_R5_BIG, CORTEX_R82,
    RISCV32_E, RISCV32_F, RISCV64, XTENSA,
};

#[test]
fn cpus_without_atomics_record_the_kernel() {
    ARM926.assert_kernel_recorded();
    ARM7TDMI.assert_kernel_recorded();
}

#[test]
fn a_cortex_a9_records_the_kernel() {
    CORTEX_A9.assert_kernel_recorded();
}

#[test]
fn a_cortex_r5_records_the_kernel_in_both_byte_orders() {
    CORTEX_R5.assert_kernel_recorded();
    CORTEX_R5_BIG.assert_kernel_recorded();
}

#[test]
fn an_aarch64_records_the_kernel_with_both_interrupt_controllers() {
    AARCH64.assert_kernel_recorded();
    AARCH64_GIC3.assert_kernel_recorded();
}

#[test]
fn risc_vs_of_each_abi_record_the_kernel() {
    RISCV64.assert_kernel_recorded();
    RISCV32_F.assert_kernel_recorded();
    RISCV32_E.assert_kernel_recorded();
}

/// V11.2, which the packages of the registry have, lacks this port.
#[test]
fn two_cores_record_the_kernel_with_its_own_port() {
    if CORTEX_R82.has_kernel_port() {
        CORTEX_R82.assert_kernel_recorded();
    } else {
        eprintln!(
            "SKIPPED: two cores with the kernel's own port are NOT tried: the kernel has no ARM_CR82; FREERTOS_KERNEL_PATH can \
             name one that has it"
        );
    }
}

/// Whether the compilers for Xtensa are there, or can be installed.
fn has_xtensa() -> bool {
    let installed = xtask::xtensa::install();
    if let Err(error) = &installed {
        eprintln!("SKIPPED: Xtensa is NOT tried: {error:#}");
    }
    installed.is_ok()
}

#[test]
fn an_xtensa_records_the_kernel() {
    if has_xtensa() {
        XTENSA.assert_kernel_recorded();
    }
}

/// The older core would take undefined instructions.
#[test]
fn a_library_does_not_link_with_a_program_for_an_older_core() {
    let folder = temp_dir();
    let mut link = Command::new("arm-none-eabi-gcc");
    link.args([
        "-mcpu=arm926ej-s",
        "-DAPP_MODE=APP_PACKETS",
        "-nostartfiles",
        "-nostdlib",
        "-Wl,-e,main",
    ]);
    for name in ["include", "port", "tests/cpus/shared"] {
        link.arg("-I").arg(root().join(name));
    }
    tband_tests::write(
        folder.path().join("tband_port.h"),
        "#include <stdint.h>\n#define tband_portTIMESTAMP() 0ULL\n#define tband_portTIMESTAMP_RESOLUTION_NS 1000\n\
         #define tband_portENTER_CRITICAL_FROM_ANY() ((void)0)\n#define tband_portEXIT_CRITICAL_FROM_ANY() ((void)0)\n",
    );
    tband_tests::write(
        folder.path().join("main.c"),
        "#include \"tband.h\"\nint main(void) { return tband_start_streaming(); }\n",
    );
    link.arg("-I")
        .arg(folder.path())
        .arg(folder.path().join("main.c"))
        .arg(root().join("port/tband_shim.c"));
    let linked = finish(
        link.arg(library(CORTEX_A9.triple)).arg("-o").arg(folder.path().join("program.elf")),
    );
    let printed = linked.text();
    assert!(!linked.ok && printed.contains("tband_shim_for_library_abi_3_armv7a'"), "{printed}");
}
