//! Ports for timers of certain chips: each compiles for its cores against headers of the chip's names (`chips/`), in both
//! formats, and the timers run on the host, on memory in place of the registers.

use std::path::PathBuf;
use std::process::Command;

use tband_tests::c::{Standard, compiler, include, includes};
use tband_tests::{finish, root, temp_dir, write};

use crate::{ARM, PICOLIBC, Port, RISCV, compile, compile_with};

const M0PLUS: &[&str] = &["-mthumb", "-mcpu=cortex-m0plus"];
const M4F: &[&str] = &["-mthumb", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mfloat-abi=hard"];
const M33: &[&str] = &["-mthumb", "-mcpu=cortex-m33", "-mfpu=fpv5-sp-d16", "-mfloat-abi=hard"];
const C3: &[&str] = &[PICOLIBC, "-march=rv32imc_zicsr", "-mabi=ilp32"];
const C6: &[&str] = &[PICOLIBC, "-march=rv32imac_zicsr", "-mabi=ilp32"];

/// Additional headers of the kernel's port for RP2040.
const RP2040_KERNEL: &str = "../ThirdParty/GCC/RP2040/include";
const ONE_CORE: &[&str] = &["-DconfigNUMBER_OF_CORES=1", "-DconfigTICK_CORE=0"];
const TWO_CORES: &[&str] = &[
    "-DconfigNUMBER_OF_CORES=2",
    "-DconfigTICK_CORE=0",
    "-DconfigRUN_MULTIPLE_PRIORITIES=1",
    "-DconfigUSE_CORE_AFFINITY=1",
    "-DconfigUSE_PASSIVE_IDLE_HOOK=0",
    "-DconfigSMP_SPINLOCK_0=14",
    "-DconfigSMP_SPINLOCK_1=15",
];

/// A port folder, a core of its chips, and their settings.
struct Chip {
    folder: &'static str,
    core: &'static [&'static str],
    /// The kernel's port; `None`: without the kernel.
    kernel: Option<&'static str>,
    options: &'static [&'static str],
    config: &'static str,
}

const fn chip(
    folder: &'static str,
    core: &'static [&'static str],
    kernel: Option<&'static str>,
    options: &'static [&'static str],
    config: &'static str,
) -> Chip {
    Chip { folder, core, kernel, options, config }
}

const CLOCK: &str = "#define tband_portSTM32_TIM_CLOCK_HZ 84000000\n";
/// A clock that is known at run time, and 1 MHz of it.
const VARIABLE: &str = "#include <stdint.h>\nextern uint32_t SystemCoreClock;\n\
                        #define tband_portSTM32_TIM_CLOCK_HZ SystemCoreClock\n\
                        #define tband_portSTM32_TIM_PRESCALER 84\n";
const TICKLESS: &[&str] = &["-DconfigUSE_TICKLESS_IDLE=1"];

const CHIPS: &[Chip] = &[
    chip("STM32_FREERTOS", M0PLUS, Some("ARM_CM0"), &[], CLOCK),
    chip("STM32_FREERTOS", M4F, Some("ARM_CM4F"), &[], VARIABLE),
    // A timer that continues in sleep is correct with tickless idle, where SysTick and the cycle counter are not.
    chip("STM32_FREERTOS", M0PLUS, Some("ARM_CM0"), TICKLESS, CLOCK),
    chip("STM32_FREERTOS", M33, Some("ARM_CM33_NTZ/non_secure"), TICKLESS, CLOCK),
    chip("NRF_FREERTOS", M4F, Some("ARM_CM4F"), TICKLESS, ""),
    chip("NRF_FREERTOS", M33, Some("ARM_CM33_NTZ/non_secure"), &[], ""),
    chip("RP2040_FREERTOS", M0PLUS, Some(RP2040_KERNEL), ONE_CORE, ""),
    chip("RP2040_FREERTOS", M0PLUS, Some(RP2040_KERNEL), TWO_CORES, ""),
    chip("RP2040_FREERTOS", M33, Some("ARM_CM33_NTZ/non_secure"), &[], ""),
    chip("ESP_IDF", C3, None, &[], ""),
    chip("ESP_IDF", C6, None, &[], ""),
];

/// Whether a folder of `port/` is compiled here.
pub fn has(folder: &str) -> bool {
    CHIPS.iter().any(|chip| chip.folder == folder)
}

fn headers() -> PathBuf {
    root().join("tests/ports/chips")
}

pub const FORMATS: [&str; 2] = [
    "#define tband_configUSE_BACKEND_SNAPSHOT 1\n",
    "#define tband_configUSE_BACKEND_STREAMING 1\n#define tband_configFORMAT TBAND_FORMAT_PACKETS\n",
];

/// In one format.
#[test]
fn every_chip_s_port_compiles_for_its_cores() {
    chips_compile(|turn| &FORMATS[turn % 2..][..1]);
}

/// In the formats that the number of the chip chooses.
pub fn chips_compile(formats: impl Fn(usize) -> &'static [&'static str]) {
    let headers = headers().display().to_string();
    for (turn, chip) in CHIPS.iter().enumerate() {
        for format in formats(turn) {
            let compiler = if chip.folder == "ESP_IDF" { RISCV } else { ARM };
            let kernel = chip.kernel.unwrap_or_default();
            let port = Port { name: chip.folder, kernel, compiler, cores: &[] };
            let folder = root().join("port").join(chip.folder);
            let options = [&["-isystem", &headers], chip.options].concat();
            let config = format!("{format}{}", chip.config);
            let with_kernel = chip.kernel.is_some();
            compile_with(&port, &folder, chip.core, &config, with_kernel, &options)
                .unwrap_or_else(|output| panic!("{} {:?}: {output}", chip.folder, chip.options));
        }
    }
}

/// Headers of timers with the ports for no RTOS, as their READMEs say.
#[test]
fn the_timers_compile_without_a_kernel() {
    let headers = headers().display().to_string();
    for (timer, core, macros) in [
        ("tband_stm32_timer.h", M4F, "#include \"main.h\"\n"),
        ("tband_nrf_timer.h", M4F, "#include \"nrf.h\"\n"),
        ("tband_nrf_rtc.h", M4F, "#include \"nrf.h\"\n"),
        ("tband_rp2040.h", M0PLUS, ""),
        ("tband_rp2040.h", M0PLUS, "#define tband_portNUMBER_OF_CORES 2\n"),
        ("tband_rp2040.h", M33, "#define tband_portNUMBER_OF_CORES 2\n"),
    ] {
        for format in FORMATS {
            let folder = temp_dir();
            let port = format!("{macros}#include \"{timer}\"\n#include \"tband_cortex_m.h\"\n");
            write(folder.path().join("tband_port.h"), port);
            let config = format!("{format}{CLOCK}");
            let port = Port { name: timer, kernel: "", compiler: ARM, cores: &[] };
            let options = ["-isystem", &headers];
            compile_with(&port, folder.path(), core, &config, false, &options)
                .unwrap_or_else(|output| panic!("{timer} {macros}: {output}"));
        }
    }
}

/// The one number that the ports cannot know is asked for.
#[test]
fn the_clock_of_a_timer_is_asked_for() {
    let folder = root().join("port/STM32_FREERTOS");
    let headers = headers().display().to_string();
    let core = [M4F, &["-isystem", &headers]].concat();
    let port = Port { name: "STM32", kernel: "ARM_CM4F", compiler: ARM, cores: &[] };
    let output = compile(&port, &folder, &core, FORMATS[0], true).expect_err("no clock");
    assert!(output.contains("#define tband_portSTM32_TIM_CLOCK_HZ 84000000"), "{output}");
    assert!(!output.contains("undeclared"), "{output}");
}

/// What the chips do with their registers is written down in `timers.c`.
#[test]
fn the_timers_run_on_memory_in_place_of_registers() {
    for (chip, port) in [
        (
            "STM32",
            "#include \"main.h\"\n#define tband_portSTM32_TIM_CLOCK_HZ 84000000\n\
             #define tband_portSTM32_TIM_PRESCALER 84\n\
             #define tband_portSTM32_TIM_CLOCK_ENABLE() __HAL_RCC_TIM2_CLK_ENABLE()\n\
             #include \"tband_stm32_timer.h\"\n",
        ),
        ("NRF_TIMER", "#include \"nrf.h\"\n#include \"tband_nrf_timer.h\"\n"),
        ("NRF_RTC", "#include \"nrf.h\"\n#include \"tband_nrf_rtc.h\"\n"),
        ("RP2040", "#include \"tband_rp2040.h\"\n"),
    ] {
        let folder = temp_dir();
        let timer = format!("{port}#include \"tband_cortex_m_timer.h\"\n");
        write(folder.path().join("timer.h"), timer);
        let program = folder.path().join("timers");
        let mut compile = compiler(Standard::C11);
        include(&mut compile, [folder.path(), &headers(), &root().join("port")]);
        include(&mut compile, includes());
        compile.args(["-Wall", "-Wextra", "-Werror", "-fsanitize=undefined"]);
        compile.arg(format!("-DCHIP_{chip}")).arg(root().join("tests/ports/timers.c"));
        let compiled = finish(compile.arg("-o").arg(&program));
        assert!(compiled.ok, "{chip}: {}", compiled.text());
        let finished = finish(&mut Command::new(&program));
        assert!(finished.ok, "{chip}: {}", finished.text());
    }
}
