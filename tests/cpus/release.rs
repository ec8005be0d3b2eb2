//! All CPUs, in every way.

use crate::{CORTEX_A9, Cpu, REALVIEW};

const CORTEX_R5: Cpu = Cpu {
    folder: "cortex_r5",
    triple: "armv7r-none-eabihf",
    compiler: "arm-none-eabi-gcc",
    flags: &[
        "-mcpu=cortex-r5",
        "-mfpu=vfpv3-d16",
        "-mfloat-abi=hard",
        "-marm",
        "-mno-unaligned-access",
        "-DNO_VBAR",
        "-DKERNEL_SVC_HANDLER=FreeRTOS_SVC_Handler",
        "-DCHECK_ALIGNMENT",
    ],
    link: &["-Wl,--defsym=RAM_AT=0"],
    start: "shared/arm32_start.S",
    ld: "shared/arm32.ld",
    kernel: "ARM_CRx_No_GIC",
    emulator: REALVIEW,
};

const RISCV64: Cpu = Cpu {
    folder: "riscv64",
    triple: "riscv64gc-unknown-none-elf",
    compiler: "riscv64-unknown-elf-gcc",
    flags: &["-march=rv64gc", "-mabi=lp64d", "-mcmodel=medany", "-misa-spec=2.2"],
    link: &["-static"],
    start: "riscv64/start.S",
    ld: "riscv64/board.ld",
    kernel: "RISC-V",
    emulator: &["qemu-system-riscv64", "-M", "virt", "-bios", "none", "-m", "128M", "-nic", "none"],
};

/// In EL1, with a GICv2. Nothing here uses the FPU, which the kernel's handlers of interrupts do not save.
const AARCH64: Cpu = Cpu {
    folder: "aarch64",
    triple: "aarch64-unknown-none",
    compiler: "aarch64-linux-gnu-gcc",
    flags: &[
        "-mcpu=cortex-a53",
        "-mstrict-align",
        "-mgeneral-regs-only",
        "-Wa,-march=armv8-a+fp+simd",
        "-fno-pie",
        "-fno-stack-protector",
        "-DCHECK_ALIGNMENT",
        "-DGUEST",
        "-DAPP_NO_FLOAT",
    ],
    link: &["-static", "-no-pie", "-Wl,--defsym=RAM_AT=0x40080000"],
    start: "aarch64/start.S",
    ld: "aarch64/board.ld",
    kernel: "ARM_AARCH64",
    emulator: &[
        "qemu-system-aarch64",
        "-M",
        "virt,gic-version=2",
        "-cpu",
        "cortex-a53",
        "-m",
        "128M",
        "-nic",
        "none",
    ],
};

#[test]
fn an_aarch64_records_the_kernel_and_in_every_way() {
    AARCH64.records_the_kernel();
    AARCH64.records_in_every_way();
}

#[test]
fn a_cortex_a9_records_in_every_way() {
    CORTEX_A9.records_in_every_way();
}

#[test]
fn a_cortex_r5_records_the_kernel_and_in_every_way() {
    CORTEX_R5.records_the_kernel();
    CORTEX_R5.records_in_every_way();
}

#[test]
fn a_risc_v_of_64_bits_records_the_kernel_and_in_every_way() {
    RISCV64.records_the_kernel();
    RISCV64.records_in_every_way();
}
