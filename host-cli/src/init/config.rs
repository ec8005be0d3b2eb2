//! The two headers that configure tband in a project.

use std::fmt::Write as _;

use anyhow::Context;

use super::timer::Timer;
use crate::chip::Cpu;
use crate::doctor::headers::OLDEST_KERNEL;
use crate::sdk::Sdk;

/// Kernels before this one have events of tasks and queues only.
pub const WITH_ALL_CLASSES: u32 = 100_300;
/// The classes that older kernels lack.
const CLASSES: [&str; 9] = [
    "TASK_EXTRA",
    "QUEUE_EXTRA",
    "NOTIFICATION",
    "STREAM_BUFFER",
    "EVENT_GROUP",
    "TIMER",
    "HEAP",
    "LOW_POWER",
    "STACK",
];
/// The port for computers with POSIX. It has a source, too.
pub const POSIX_PORT: &str = "POSIX_FREERTOS";
/// A port's guard, after which its settings are.
const GUARD: &str = "#define TBAND_PORT_H\n";

/// Returns `tband_config.h`. `version`: the kernel's, if it is recorded and known; `is_protected`: tasks may lack privileges;
/// `is_streamed`: the port writes into a file.
pub fn tband_config(
    records_kernel: bool,
    version: Option<u32>,
    is_protected: bool,
    is_streamed: bool,
) -> String {
    let kernel = u8::from(records_kernel);
    let mut text = format!(
        "/* tband configuration, written by tband-cli init; yours to change. include/tband_config_defaults.h has all macros. */\n\
         #ifndef TBAND_CONFIG_H\n#define TBAND_CONFIG_H\n\n\
         #define tband_configENABLE 1\n\
         #define tband_configFREERTOS_TRACE_ENABLE {kernel}\n"
    );
    if let Some(version) = version.filter(|it| records_kernel && *it >= OLDEST_KERNEL) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "#define tband_configFREERTOS_VERSION {version}");
        if version < WITH_ALL_CLASSES {
            for class in CLASSES {
                let _ = writeln!(text, "#define tband_configFREERTOS_{class}_TRACE_ENABLE 0");
            }
        }
    }
    if is_protected {
        text.push_str(
            "#define tband_configMEMORY_PROTECTION 1 /* the kernel's port has an MPU */\n",
        );
    }
    text.push_str("#define tband_configFORMAT TBAND_FORMAT_PACKETS\n");
    text.push_str(if is_streamed {
        "#define tband_configUSE_BACKEND_STREAMING 1 /* or ..._SNAPSHOT, ..._POST_MORTEM, ..._EXTERNAL */\n"
    } else {
        "#define tband_configUSE_BACKEND_SNAPSHOT 1 /* or ..._STREAMING, ..._POST_MORTEM, ..._EXTERNAL */\n"
    });
    text.push_str(
        "#define tband_configPACKET_COUNT 16 /* of 512 bytes: about 1500 events */\n\n\
         #endif /* TBAND_CONFIG_H */\n",
    );
    text
}

/// The folder of the port in the SDK; none if the project has its own, as modules of Zephyr.
pub fn port(cpu: Cpu, timer: &Timer, records_kernel: bool) -> Option<String> {
    Some(match timer {
        Timer::Stm32(_) => "STM32_FREERTOS".to_owned(),
        Timer::Rp2040 => "RP2040_FREERTOS".to_owned(),
        Timer::Nrf => "NRF_FREERTOS".to_owned(),
        Timer::EspIdf => "ESP_IDF".to_owned(),
        Timer::Posix => POSIX_PORT.to_owned(),
        Timer::Windows => "WINDOWS_FREERTOS".to_owned(),
        Timer::Zephyr | Timer::Own => return None,
        _ => format!("{}{}", cpu.port, if records_kernel { "_FREERTOS" } else { "" }),
    })
}

/// Returns `tband_port.h`: the port of the SDK with the timer's settings.
///
/// # Errors
/// The SDK has no such port.
pub fn tband_port(
    sdk: &Sdk,
    cpu: Cpu,
    timer: &Timer,
    records_kernel: bool,
) -> anyhow::Result<String> {
    let folder = port(cpu, timer, records_kernel).context("the SDK has no port for this timer")?;
    let name = format!("port/{folder}/tband_port.h");
    let text = sdk.get(&name).with_context(|| format!("the SDK has no {name}"))?;
    let text = String::from_utf8_lossy(text).into_owned();
    let settings = match timer {
        Timer::Counter(expression, hz) => format!(
            "\n#include <stdint.h>\n\n\
             #define tband_portCOUNTER32() ({expression})\n#define tband_portCOUNTER32_HZ {hz}\n"
        ),
        Timer::Core(clock, "") => format!("\n#define tband_portCPU_CLOCK_HZ {clock}\n"),
        Timer::Core(clock, declaration) => format!(
            "\n#include <stdint.h>\n\n{declaration}\n#define tband_portCPU_CLOCK_HZ {clock}\n"
        ),
        Timer::Stm32(hz) => format!("\n#define tband_portSTM32_TIM_CLOCK_HZ {hz}\n"),
        _ => String::new(),
    };
    if settings.is_empty() {
        return Ok(without_kernel(text, records_kernel));
    }
    let (before, after) =
        text.split_once(GUARD).with_context(|| format!("{name} in the SDK has no {GUARD}"))?;
    let text = format!("{before}{GUARD}{settings}{after}");
    Ok(without_kernel(text, records_kernel))
}

/// The ports of chips are for the kernel; without it only the critical section differs.
fn without_kernel(text: String, records_kernel: bool) -> String {
    if records_kernel {
        text
    } else {
        text.replace("\"tband_cortex_m_freertos.h\"", "\"tband_cortex_m.h\"")
    }
}
