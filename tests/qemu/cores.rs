//! The ports on every other core that QEMU has: the examples again with other compiler flags, and separate firmware for RISC-V.
//!
//! Each port's critical section and encoder run as the core's own machine code; counts and events are compared as for the
//! examples. Further cores and pairs of core and setting are in module `release`.

mod release;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tband_tests::events::{lines, user_lines};
use tband_tests::library::library;
use tband_tests::{read, root, write};

use xtask::demo::Backend;
use xtask::kernel;

use crate::bare_metal::{assert_counts, events};
use crate::freertos::deepest_nesting;
use crate::{Run, build_firmware, build_folder, port, run_on};
use tband_tests::counts::{compare_application, counts_of};

/// How to build for a core, and QEMU's machine with it.
struct Core {
    name: &'static str,
    compiler: &'static str,
    flags: &'static str,
    linker_flags: &'static str,
    triple: &'static str,
    emulator: &'static str,
    /// Made once: the toolchain file for CMake.
    toolchain: OnceLock<PathBuf>,
}

impl Core {
    fn toolchain(&self) -> &Path {
        self.toolchain.get_or_init(|| {
            let toolchain = build_folder(&format!("{}.cmake", self.name));
            write(
                &toolchain,
                format!(
                    "set(CMAKE_SYSTEM_NAME Generic)\n\
                     set(CMAKE_C_COMPILER {0})\n\
                     set(CMAKE_CXX_COMPILER {3})\n\
                     set(CMAKE_ASM_COMPILER {0})\n\
                     set(CMAKE_C_FLAGS_INIT \"{1} -ffunction-sections -fdata-sections\")\n\
                     set(CMAKE_CXX_FLAGS_INIT \"${{CMAKE_C_FLAGS_INIT}} -fno-exceptions\")\n\
                     set(CMAKE_ASM_FLAGS_INIT \"{1}\")\n\
                     set(CMAKE_EXE_LINKER_FLAGS_INIT \"{2}\")\n\
                     set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n",
                    self.compiler,
                    self.flags,
                    self.linker_flags,
                    self.compiler.replace("gcc", "g++")
                ),
            );
            toolchain
        })
    }

    /// Builds and runs a project.
    fn run(&self, name: &str, source: &Path, settings: &[&str]) -> Run {
        let mut all = vec![
            format!("TBAND_LIBRARY={}", library(self.triple).display()),
            "TBAND_BACKEND=snapshot".to_owned(),
        ];
        all.extend(settings.iter().map(|&setting| setting.to_owned()));
        let folder = build_folder(name);
        build_firmware(source, &folder, self.toolchain(), &all)
            .unwrap_or_else(|error| panic!("{error:#}"));
        let program = source.file_name().expect("the project's name");
        let elf = folder.join(program).with_extension("elf");
        run_on(self.emulator, &elf, Backend::Snapshot)
    }
}

/// A real micro:bit has 16 KiB of memory; what runs without an RTOS is linked for that.
static M0: Core = Core {
    name: "cortex-m0",
    compiler: "arm-none-eabi-gcc",
    flags: "-mthumb -mcpu=cortex-m0 -DconfigCPU_CLOCK_HZ=16000000 -DconfigENABLE_MPU=0",
    linker_flags: "",
    triple: "thumbv6m-none-eabi",
    emulator: "qemu-system-arm -M microbit -global nrf51-soc.sram-size=0x2000000",
    toolchain: OnceLock::new(),
};

static M4F: Core = Core {
    name: "cortex-m4f",
    compiler: "arm-none-eabi-gcc",
    flags: "-mthumb -mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard",
    linker_flags: "",
    triple: "thumbv7em-none-eabihf",
    emulator: "qemu-system-arm -M mps2-an386",
    toolchain: OnceLock::new(),
};

/// The core starts in the secure state, and the kernel stays there.
static M33: Core = Core {
    name: "cortex-m33",
    compiler: "arm-none-eabi-gcc",
    flags: "-mthumb -mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard -DBOARD_AN505 \
            -DconfigCPU_CLOCK_HZ=20000000 -DconfigENABLE_FPU=1 -DconfigENABLE_MPU=0 \
            -DconfigENABLE_TRUSTZONE=0 -DconfigRUN_FREERTOS_SECURE_ONLY=1",
    linker_flags: "-Wl,--defsym=board_code=0x10000000 -Wl,--defsym=board_ram=0x38000000 \
                   -Wl,--defsym=board_psram=0x80000000",
    triple: "thumbv8m.main-none-eabihf",
    emulator: "qemu-system-arm -M mps2-an505",
    toolchain: OnceLock::new(),
};

static RISCV: Core = Core {
    name: "riscv",
    compiler: "riscv64-unknown-elf-gcc",
    flags: "-march=rv32imac -mabi=ilp32 -misa-spec=2.2 -mcmodel=medany --specs=picolibc.specs",
    linker_flags: "",
    triple: "riscv32imac-unknown-none-elf",
    emulator: "qemu-system-riscv32 -M virt -bios none",
    toolchain: OnceLock::new(),
};

/// The scenario of `examples/bare-metal` gives the same events on every core.
fn bare_metal(name: &str, core: &Core, settings: &[&str]) -> Run {
    let run = core.run(name, &root().join("examples/bare-metal"), settings);
    assert_counts(&run);
    assert_eq!(events(&run.trace), read(root().join("examples/bare-metal/expected.txt")));
    run
}

fn microbit() -> String {
    format!("MPS2_BOARD_PATH={}", root().join("tests/qemu/cores/microbit").display())
}

/// With the timer for cores that have no other.
#[test]
fn cortex_m0_without_an_rtos() {
    let run = bare_metal("m0", &M0, &[&microbit(), &port("systick")]);
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
fn cortex_m4f_without_an_rtos() {
    bare_metal("m4f", &M4F, &[]);
}

/// The application of the FreeRTOS examples, with the kernel's port for the core. A tick, which is
/// recorded as interrupt `tick_isr`, takes `tick_length` counts of the timestamp.
fn freertos(
    name: &str,
    core: &Core,
    source: &str,
    settings: &[&str],
    (tick_isr, tick_length): (u32, u64),
) -> Run {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let kernel = format!("FREERTOS_KERNEL_PATH={}", kernel.display());
    let settings = [&[&*kernel], settings].concat();
    let run = core.run(name, &root().join(source), &settings);
    compare_application(&run.truth, &counts_of(&run.trace));
    run.assert_converts();

    // A critical section may delay an interrupt, but then the next one comes sooner: no time is lost or
    // doubled.
    let enters = format!("isr_enter isr_id={tick_isr}");
    let ticks: Vec<u64> = lines(&run.trace)
        .iter()
        .filter_map(|line| line.split_once(' ').filter(|(_, event)| *event == enters))
        .map(|(ts, _)| ts.parse().expect("a time"))
        .collect();
    assert!(ticks.len() > 1000, "only {} ticks", ticks.len());
    for (number, tick) in (0..).zip(&ticks) {
        let due = ticks[0] + number * tick_length;
        assert!(
            tick.abs_diff(due) < tick_length * 3 / 4,
            "tick {number} at {tick} instead of {due}"
        );
    }
    run
}

/// `examples/mps2-an386` with another of the kernel's ports.
fn cortex_m(name: &str, core: &Core, kernel_port: &str, settings: &[&str], tick_length: u64) {
    let kernel_port = format!("FREERTOS_PORT={kernel_port}");
    let settings = [&[&*kernel_port], settings].concat();
    let run = freertos(name, core, "examples/mps2-an386", &settings, (15, tick_length));
    assert_eq!(deepest_nesting(&run.trace), ["15", "36", "37"], "SysTick, UART, DMA");
}

/// With the port's own timer, which is SysTick.
#[test]
fn cortex_m0_with_freertos() {
    let port = root().join("port/GCC_ARM_CM0_FREERTOS");
    let port = format!("TBAND_PORT_DIR={}", port.display());
    let settings = [&*microbit(), "BOARD_RAM=4M", &port];
    cortex_m("m0-freertos", &M0, "GCC_ARM_CM0", &settings, 16_000);
}

#[test]
fn cortex_m33_with_freertos() {
    cortex_m("m33-freertos", &M33, "GCC_ARM_CM33_NTZ_NONSECURE", &[], 20_000);
}

/// For CMake: where the kernel has a critical section, the recorder relies on it, and looks each time whether there is one.
fn trust(core: &Core) -> String {
    let flags = "-ffunction-sections -fdata-sections -Dtband_configTRUST_KERNEL_CRITICAL_SECTIONS=1 \
                 -Dtband_configCHECK_KERNEL_CRITICAL_SECTIONS=1";
    format!("CMAKE_C_FLAGS={} {flags}", core.flags)
}

#[test]
fn hooks_rely_on_critical_sections_of_a_riscv() {
    let trust = trust(&RISCV);
    freertos("riscv-trusting", &RISCV, "tests/qemu/cores/riscv_freertos", &[&trust], (7, 10_000));
}

fn riscv(timer: &str) {
    let source = root().join("tests/qemu/cores/riscv");
    let run = RISCV.run(&format!("riscv-{timer}"), &source, &[&format!("TIMER={timer}")]);
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
fn riscv_with_mtime() {
    riscv("mtime");
}

/// With the kernel's tick source, mtime, as timer, which is what the port takes.
#[test]
fn riscv_with_freertos() {
    freertos("riscv-freertos", &RISCV, "tests/qemu/cores/riscv_freertos", &[], (7, 10_000));
}
