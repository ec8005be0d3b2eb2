//! The timer of the timestamps, and its clock.

use std::path::MAIN_SEPARATOR;

use anyhow::{bail, ensure};

use super::environment::Environment;
use super::kernel::Kernel;
use crate::args::InitArgs;
use crate::chip::Cpu;
use crate::doctor::headers::Macro;
use crate::survey::Survey;

/// The timer of a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timer {
    /// A 32-bit counter: its expression, and its Hz.
    Counter(String, u32),
    /// The core's timer, with its clock: a number or a variable, and a declaration of the variable.
    Core(String, &'static str),
    /// The core's timer, with the clock in the kernel's configuration.
    Kernel,
    /// A timer that a port of the chip or environment starts; for STM32 its clock in Hz.
    Stm32(u32),
    Rp2040,
    Nrf,
    EspIdf,
    Zephyr,
    /// Clocks of computers.
    Posix,
    Windows,
    /// That of a header of the project, which stays.
    Own,
}

/// The chosen timer, and the place that its clock is from.
#[derive(Clone, Debug)]
pub struct Choice {
    pub timer: Timer,
    pub place: String,
}

/// Families of STM32 whose TIM2 has 32 bits, which the port for STM32 needs.
const WITH_32_BITS: [&str; 10] = [
    "STM32F2", "STM32F3", "STM32F4", "STM32F7", "STM32G4", "STM32H5", "STM32H7", "STM32L4",
    "STM32L5", "STM32U5",
];

/// The variable of CMSIS with the clock, and its declaration.
const OF_CMSIS: &str = "SystemCoreClock";
const DECLARATION: &str = "extern uint32_t SystemCoreClock; /* of CMSIS */";

/// Chooses the timer.
///
/// # Errors
/// The clock is unknown, or an option has a wrong value.
pub fn choose(
    survey: &Survey,
    environments: &[Environment],
    cpu: Cpu,
    kernel: Option<&Kernel>,
    args: &InitArgs,
) -> anyhow::Result<Choice> {
    let choice = |timer, place: &str| Ok(Choice { timer, place: place.to_owned() });
    // Its module has a timer on a computer, too.
    let is_zephyr = environments.iter().any(|it| it.is_zephyr());
    if !is_zephyr && (cpu.is_posix() || cpu.is_windows()) {
        ensure!(
            args.clock.is_none(),
            "--clock is for firmware: {} has a clock of its system",
            cpu.name()
        );
        return if cpu.is_posix() {
            choice(Timer::Posix, "CLOCK_MONOTONIC, 1 GHz")
        } else {
            choice(Timer::Windows, "QueryPerformanceCounter()")
        };
    }
    if let (Some(expression), Some(hz)) = (&args.counter, args.clock) {
        let is_line = !expression.trim().is_empty() && !expression.contains(['\n', '\r', '\\']);
        ensure!(is_line, "--counter needs a C expression in one line, such as (TIM2->CNT)");
        return choice(Timer::Counter(expression.trim().to_owned(), hz), "--counter");
    }
    if let Some(hz) = args.clock {
        return choice(Timer::Core(hz.to_string(), ""), "--clock");
    }
    let is = |it: Environment| environments.contains(&it);
    if is(Environment::EspIdf) {
        return choice(Timer::EspIdf, "esp_timer, 1 MHz");
    }
    if is_zephyr {
        return choice(Timer::Zephyr, "k_cycle_get_64()");
    }
    if is(Environment::PicoSdk) {
        return choice(Timer::Rp2040, "the chip's timer, 1 MHz");
    }
    if is(Environment::Nrf5) {
        return choice(Timer::Nrf, "TIMER2, 1 MHz");
    }
    if let Some(found) = of_cube(survey) {
        return Ok(found);
    }
    if let Some(found) = kernel.and_then(|it| of_kernel(it, survey)) {
        return Ok(found);
    }
    if is(Environment::Arduino) || of_framework(survey, "arduino") {
        return choice(Timer::Core("F_CPU".to_owned(), ""), "F_CPU");
    }
    if let Some(place) = variable(survey) {
        return choice(Timer::Core(OF_CMSIS.to_owned(), DECLARATION), &place);
    }
    bail!(
        "the clock of the {} is not known: neither configCPU_CLOCK_HZ, SystemCoreClock nor a .ioc file is in the project. Add \
         --clock HZ, for example --clock 64M",
        cpu.core
    )
}

/// The clock in the kernel's configuration. Without the kernel's events the port does not include that: it needs the value.
fn of_kernel(kernel: &Kernel, survey: &Survey) -> Option<Choice> {
    let root = survey.root.display().to_string();
    let root = format!("{}{MAIN_SEPARATOR}", root.trim_end_matches(['/', MAIN_SEPARATOR]));
    let (value, number, place) = match kernel.header.get("configCPU_CLOCK_HZ") {
        Macro::Is { value, number, place } => (value, number, place),
        Macro::Unsure if kernel.is_recorded() => {
            return Some(Choice { timer: Timer::Kernel, place: "configCPU_CLOCK_HZ".to_owned() });
        }
        Macro::Unsure | Macro::Unset => return None,
    };
    let place = place.strip_prefix(&root).unwrap_or(&place);
    // Without the type that it is converted to.
    let value = value.rsplit_once(')').map_or(value.as_str(), |it| it.1).trim();
    let place = format!("{place}: configCPU_CLOCK_HZ {value}");
    let timer = match number.and_then(|it| u32::try_from(it).ok()).or_else(|| value.parse().ok()) {
        _ if kernel.is_recorded() => Timer::Kernel,
        Some(hz) if hz > 0 => Timer::Core(hz.to_string(), ""),
        _ if value == OF_CMSIS => Timer::Core(OF_CMSIS.to_owned(), DECLARATION),
        _ => return None,
    };
    Some(Choice { timer, place })
}

/// A framework of PlatformIO.
fn of_framework(survey: &Survey, name: &str) -> bool {
    let is_line = |line: &str| {
        let value = line.trim().strip_prefix("framework").map(str::trim_start);
        value.and_then(|it| it.strip_prefix('=')).is_some_and(|it| it.contains(name))
    };
    let file = survey.build_at_root("platformio.ini");
    file.is_some_and(|it| it.code().any(|(_, line)| is_line(line)))
}

/// The file that defines CMSIS' variable.
fn variable(survey: &Survey) -> Option<String> {
    let defining = survey.sources.iter().find_map(|it| Some((it, it.clock_line?)));
    defining.map(|(it, line)| format!("{}:{line}: SystemCoreClock", survey.name(&it.path)))
}

/// The timer and the clock in the file of CubeMX.
fn of_cube(survey: &Survey) -> Option<Choice> {
    let mut files = survey.build.iter().filter(|it| it.name.ends_with(".ioc"));
    let (file, None) = (files.next()?, files.next()) else { return None };
    let value = |key: &str| {
        file.text.lines().zip(1..).find_map(|(line, number)| {
            let value = line.strip_prefix(key)?.strip_prefix('=')?;
            Some((value.trim(), number))
        })
    };
    let hz = |key: &str| value(key).and_then(|(it, at)| Some((it.parse::<u32>().ok()?, at)));
    let chip = value("Mcu.UserName").or_else(|| value("Mcu.Name")).map_or("", |it| it.0);
    let uses_timer = file.text.lines().any(|it| {
        let is_part = it.starts_with("Mcu.IP") && it.ends_with("=TIM2");
        is_part || (it.starts_with("NVIC.TimeBase") && it.contains("TIM2")) || it.contains("_TIM2_")
    });
    let has_timer = WITH_32_BITS.iter().any(|it| chip.starts_with(it)) && !uses_timer;
    if let (true, Some((hz, at))) = (has_timer, hz("RCC.APB1TimFreq_Value")) {
        let place = format!("{}:{at}: TIM2 at RCC.APB1TimFreq_Value", file.name);
        return Some(Choice { timer: Timer::Stm32(hz), place });
    }
    let keys = ["RCC.CortexFreq_Value", "RCC.HCLKFreq_Value", "RCC.SYSCLKFreq_VALUE"];
    let (key, (hz, at)) = keys.iter().find_map(|key| Some((key, hz(key)?)))?;
    let place = format!("{}:{at}: {key}", file.name);
    Some(Choice { timer: Timer::Core(hz.to_string(), ""), place })
}
