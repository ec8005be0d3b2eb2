//! Measures the events' instructions on CPUs beside Cortex-M and 32-bit RISC-V, on the boards of `tests/cpus`, with the kernel's
//! port and the recorder's port as users have them: their critical sections and timers.
//!
//! QEMU's virtual time is the number of instructions here too. Each CPU has a counter of it that a load or another
//! instruction reads.

use super::EVENTS_SHIFT;
use super::cores::Core;
use crate::xtensa;

/// Counts per instruction of a counter of nanoseconds.
const NANOSECONDS: f64 = (1_u32 << EVENTS_SHIFT) as f64;

pub(super) const CPUS: [Core; 5] = [
    Core {
        key: "cortex_a9",
        name: "Cortex-A9",
        toolchain: Some("cortex-a9.cmake"),
        triple: Some("armv7a-none-eabihf"),
        settings: &[],
        emulator: "qemu-system-arm -M xilinx-zynq-a9 -m 128M -nic none",
        // Of 100 MHz.
        counts_per_instruction: NANOSECONDS / 10.0,
        frames: ([88.0, 107.0, 94.0, 107.0, 174.0, 9.0], [178.0, 256.0, 321.0, 321.0, 2_020.0]),
        packets: ([54.0, 64.0, 54.0, 66.0, 125.0, 9.0], [204.0, 219.0, 278.0, 331.0, 1_500.0]),
    },
    Core {
        key: "cortex_r5",
        name: "Cortex-R5",
        toolchain: Some("cortex-r5.cmake"),
        triple: Some("armv7r-none-eabihf"),
        settings: &[],
        emulator: "qemu-system-arm -M realview-pb-a8 -cpu cortex-r5f -m 128M -nic none",
        counts_per_instruction: NANOSECONDS,
        frames: ([97.0, 113.0, 103.0, 115.0, 182.0, 9.0], [190.0, 273.0, 338.0, 338.0, 2_020.0]),
        packets: ([54.0, 60.0, 56.0, 68.0, 127.0, 9.0], [151.0, 217.0, 276.0, 322.0, 1_490.0]),
    },
    Core {
        key: "cortex_a53",
        name: "Cortex-A53, AArch64",
        toolchain: Some("cortex-a53.cmake"),
        triple: Some("aarch64-unknown-none"),
        settings: &[],
        emulator: "qemu-system-aarch64 -M virt,gic-version=2 -cpu cortex-a53 -m 128M -nic none",
        // Of 62.5 MHz.
        counts_per_instruction: NANOSECONDS / 16.0,
        frames: ([86.0, 96.0, 90.0, 96.0, 155.0, 9.0], [167.0, 235.0, 287.0, 287.0, 5_610.0]),
        packets: ([60.0, 65.0, 62.0, 69.0, 152.0, 9.0], [192.0, 235.0, 313.0, 358.0, 3_980.0]),
    },
    Core {
        key: "riscv64gc",
        name: "RISC-V (RV64GC)",
        toolchain: Some("riscv64gc.cmake"),
        triple: Some("riscv64gc-unknown-none-elf"),
        settings: &[],
        emulator: "qemu-system-riscv64 -M virt -bios none -m 128M -nic none",
        counts_per_instruction: NANOSECONDS,
        frames: ([96.0, 110.0, 95.0, 110.0, 187.0, 8.0], [200.0, 276.0, 350.0, 350.0, 6_300.0]),
        packets: ([53.0, 59.0, 60.0, 70.0, 145.0, 8.0], [230.0, 266.0, 345.0, 395.0, 4_440.0]),
    },
    Core {
        key: "xtensa",
        name: "Xtensa",
        toolchain: None,
        triple: Some(xtensa::TRIPLE),
        settings: &[],
        emulator: "qemu-system-xtensa -M sim -cpu dc233c -m 16M",
        // Of 10 MHz.
        counts_per_instruction: NANOSECONDS / 100.0,
        frames: ([137.0, 139.0, 135.0, 151.0, 207.0, 15.0], [240.0, 303.0, 376.0, 376.0, 2_210.0]),
        packets: ([71.0, 69.0, 74.0, 78.0, 102.0, 15.0], [243.0, 275.0, 294.0, 376.0, 1_730.0]),
    },
];
