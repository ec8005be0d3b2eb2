//! Cores whose port is that of another one here, and each core with hooks that rely on the kernel's critical sections.

use std::sync::OnceLock;

use tband_tests::root;

use super::{Core, M0, M33, bare_metal, cortex_m, microbit, riscv, trust};

static M3: Core = Core {
    name: "cortex-m3",
    compiler: "arm-none-eabi-gcc",
    flags: "-mthumb -mcpu=cortex-m3",
    linker_flags: "",
    triple: "thumbv7m-none-eabi",
    emulator: "qemu-system-arm -M mps2-an385",
    toolchain: OnceLock::new(),
};

static M7: Core = Core {
    name: "cortex-m7",
    compiler: "arm-none-eabi-gcc",
    flags: "-mthumb -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard",
    linker_flags: "-Wl,--defsym=board_psram=0x60000000",
    triple: "thumbv7em-none-eabihf",
    emulator: "qemu-system-arm -M mps2-an500",
    toolchain: OnceLock::new(),
};

#[test]
fn cortex_m7_without_an_rtos() {
    bare_metal("m7", &M7, &[]);
}

#[test]
fn cortex_m33_without_an_rtos() {
    bare_metal("m33", &M33, &[]);
}

#[test]
fn cortex_m3_with_freertos() {
    cortex_m("m3-freertos", &M3, "GCC_ARM_CM3", &[], 25_000);
}

#[test]
fn cortex_m7_with_freertos() {
    cortex_m("m7-freertos", &M7, "GCC_ARM_CM7", &[], 25_000);
}

#[test]
fn hooks_rely_on_critical_sections_of_a_cortex_m0() {
    let port = root().join("port/GCC_ARM_CM0_FREERTOS");
    let port = format!("TBAND_PORT_DIR={}", port.display());
    let settings = [&*microbit(), "BOARD_RAM=4M", &port, &trust(&M0)];
    cortex_m("m0-trusting", &M0, "GCC_ARM_CM0", &settings, 16_000);
}

#[test]
fn hooks_rely_on_critical_sections_of_a_cortex_m7() {
    cortex_m("m7-trusting", &M7, "GCC_ARM_CM7", &[&trust(&M7)], 25_000);
}

#[test]
fn hooks_rely_on_critical_sections_of_a_cortex_m33() {
    cortex_m("m33-trusting", &M33, "GCC_ARM_CM33_NTZ_NONSECURE", &[&trust(&M33)], 20_000);
}

#[test]
fn riscv_with_the_cycle_counter() {
    riscv("mcycle");
}
