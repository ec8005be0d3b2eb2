//! The ports on every other core that QEMU has: the examples again with other compiler flags, and a
//! firmware of its own for RISC-V.
//!
//! Each port's critical section and encoder run as the core's own machine code; counts and events are
//! compared as for the examples.

use std::path::{Path, PathBuf};

use tband_tests::events::user_lines;
use tband_tests::{read, root, write};
use xtask::board::build_firmware;
use xtask::demo::Backend;
use xtask::kernel;

use crate::bare_metal::{assert_counts, events};
use crate::counts::{compare_application, counts_of};
use crate::{Run, build_folder, port, run_on};

/// Builds and runs a project with flags for another core. Each has its own library.
fn run(name: &str, source: &Path, core: &Core, settings: &[&str]) -> Run {
    let folder = build_folder(name);
    let toolchain = folder.with_extension("cmake");
    write(
        &toolchain,
        format!(
            "set(CMAKE_SYSTEM_NAME Generic)\n\
             set(CMAKE_C_COMPILER {0})\n\
             set(CMAKE_ASM_COMPILER {0})\n\
             set(CMAKE_C_FLAGS_INIT \"{1} -ffunction-sections -fdata-sections\")\n\
             set(CMAKE_ASM_FLAGS_INIT \"{1}\")\n\
             set(CMAKE_EXE_LINKER_FLAGS_INIT \"{2}\")\n\
             set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n",
            core.compiler, core.flags, core.linker_flags
        ),
    );
    let mut all: Vec<_> = settings.iter().map(|&setting| setting.to_owned()).collect();
    all.push("TBAND_BACKEND=snapshot".to_owned());
    build_firmware(source, &folder, &toolchain, &all).unwrap_or_else(|error| panic!("{error:#}"));
    let program = source.file_name().expect("the project's name");
    let elf: PathBuf = folder.join(program).with_extension("elf");
    run_on(core.emulator, &elf, Backend::Snapshot)
}

struct Core {
    compiler: &'static str,
    flags: &'static str,
    linker_flags: &'static str,
    emulator: &'static [&'static str],
}

const M0: Core = Core {
    compiler: "arm-none-eabi-gcc",
    flags: "-mthumb -mcpu=cortex-m0",
    linker_flags: "",
    emulator: &["qemu-system-arm", "-M", "microbit"],
};

const M3: Core = Core {
    compiler: "arm-none-eabi-gcc",
    flags: "-mthumb -mcpu=cortex-m3",
    linker_flags: "",
    emulator: &["qemu-system-arm", "-M", "mps2-an385"],
};

const M7: Core = Core {
    compiler: "arm-none-eabi-gcc",
    flags: "-mthumb -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard",
    linker_flags: "-Wl,--defsym=board_psram=0x60000000",
    emulator: &["qemu-system-arm", "-M", "mps2-an500"],
};

const M33: Core = Core {
    compiler: "arm-none-eabi-gcc",
    flags: "-mthumb -mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard -DBOARD_AN505",
    linker_flags: "-Wl,--defsym=board_code=0x10000000 -Wl,--defsym=board_ram=0x38000000 \
                   -Wl,--defsym=board_psram=0x80000000",
    emulator: &["qemu-system-arm", "-M", "mps2-an505"],
};

const RISCV: Core = Core {
    compiler: "riscv64-unknown-elf-gcc",
    flags: "-march=rv32imac -mabi=ilp32 -misa-spec=2.2 -mcmodel=medany --specs=picolibc.specs",
    linker_flags: "",
    emulator: &["qemu-system-riscv32", "-M", "virt", "-bios", "none"],
};

/// The scenario of `examples/bare-metal` gives the same events on every core.
fn bare_metal(name: &str, core: &Core, settings: &[&str]) -> Run {
    let run = run(name, &root().join("examples/bare-metal"), core, settings);
    assert_counts(&run);
    assert_eq!(events(&run.trace), read(root().join("examples/bare-metal/expected.txt")));
    run
}

/// With the timer for cores that have none of their own.
#[test]
fn cortex_m0_without_an_rtos() {
    let board = format!("MPS2_BOARD_PATH={}", root().join("tests/qemu/cores/microbit").display());
    let run = bare_metal("m0", &M0, &[&board, &port("systick")]);
    // SysTick starts before the first event and is the last one: eight periods, but for the time that
    // the core takes to get to the first and from the last.
    let times: Vec<u64> = user_lines(&run.trace)
        .iter()
        .filter_map(|line| line.split(' ').next().and_then(|ts| ts.parse().ok()))
        .collect();
    let length = times.last().expect("events") - times[0];
    assert!(length.abs_diff(8 * 25_000) < 2000, "{length}");
}

#[test]
fn cortex_m7_without_an_rtos() {
    bare_metal("m7", &M7, &[]);
}

#[test]
fn cortex_m33_without_an_rtos() {
    bare_metal("m33", &M33, &[]);
}

/// The application of the FreeRTOS examples, with the kernel's port for the core.
fn freertos(name: &str, core: &Core, kernel_port: &str) {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let kernel = format!("FREERTOS_KERNEL_PATH={}", kernel.display());
    let kernel_port = format!("FREERTOS_PORT={kernel_port}");
    let source = root().join("examples/mps2-an386");
    let run = run(name, &source, core, &[&kernel, &kernel_port]);
    compare_application(&run.truth, &counts_of(&run.trace));
    run.assert_converts();
}

#[test]
fn cortex_m3_with_freertos() {
    freertos("m3-freertos", &M3, "GCC_ARM_CM3");
}

#[test]
fn cortex_m7_with_freertos() {
    freertos("m7-freertos", &M7, "GCC_ARM_CM7");
}

fn riscv(timer: &str) {
    let source = root().join("tests/qemu/cores/riscv");
    let run = run(&format!("riscv-{timer}"), &source, &RISCV, &[&format!("TIMER={timer}")]);
    assert_counts(&run);
    let round = |number: u32| {
        let mut lines = vec![
            "evtmarker_begin evtmarker_id=1 msg=\"waits\"".to_owned(),
            "isr_enter isr_id=3".to_owned(),
            format!("valmarker valmarker_id=1 val={number}"),
        ];
        if number % 2 == 1 {
            lines.push("isr_enter isr_id=7".to_owned());
            lines.push("evtmarker evtmarker_id=2 msg=\"inside\"".to_owned());
            lines.push("isr_exit isr_id=7".to_owned());
        }
        lines.push("isr_exit isr_id=3".to_owned());
        lines.push("evtmarker_end evtmarker_id=1".to_owned());
        lines
    };
    let expected: Vec<_> = (0..6).flat_map(round).collect();
    let recorded = events(&run.trace);
    let recorded: Vec<_> = recorded.lines().skip(5).collect(); // five names
    assert_eq!(recorded, expected);
}

#[test]
fn riscv_with_the_cycle_counter() {
    riscv("mcycle");
}

#[test]
fn riscv_with_mtime() {
    riscv("mtime");
}
