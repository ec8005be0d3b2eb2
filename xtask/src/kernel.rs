//! Where the FreeRTOS kernel's sources are, and a configuration for them.
//!
//! They are not part of this project. The package in `examples/freertos-kernel` depends on a crate that
//! carries them unchanged, so that cargo fetches and pins them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::command::run_quiet;

/// A `FreeRTOSConfig.h` with everything on that the hooks have events for.
pub const FREERTOS_CONFIG: &str = "\
#define configUSE_PREEMPTION 1
#define configTICK_RATE_HZ 1000
#ifdef TICK_TYPE_WIDTH_64_BITS
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_64_BITS
#else /* before V10.6 */
#define configUSE_16_BIT_TICKS 0
#endif
#define configMINIMAL_STACK_SIZE 128
#define configMAX_PRIORITIES 5
#define configMAX_TASK_NAME_LEN 12
#define configTOTAL_HEAP_SIZE 65536
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configUSE_MUTEXES 1
#define configUSE_RECURSIVE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configUSE_QUEUE_SETS 1
#define configQUEUE_REGISTRY_SIZE 4
#define configUSE_TIMERS 1
#define configTIMER_TASK_PRIORITY 2
#define configTIMER_QUEUE_LENGTH 5
#define configTIMER_TASK_STACK_DEPTH 128
#define configUSE_TRACE_FACILITY 1
#define INCLUDE_xTaskGetIdleTaskHandle 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_xTaskResumeFromISR 1
#define INCLUDE_vTaskPrioritySet 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_xTaskDelayUntil 1
#include \"tband.h\"
";

/// Folder of the kernel's sources: `FREERTOS_KERNEL_PATH` if it is set, else fetched by cargo.
pub fn path(root: &Path) -> Result<PathBuf> {
    let kernel = match env::var_os("FREERTOS_KERNEL_PATH") {
        Some(path) => PathBuf::from(path),
        None => fetched(root)?,
    };
    if !kernel.join("tasks.c").is_file() {
        bail!("no FreeRTOS kernel in {} (there is no tasks.c)", kernel.display());
    }
    Ok(kernel)
}

fn fetched(root: &Path) -> Result<PathBuf> {
    let manifest = root.join("examples/freertos-kernel/Cargo.toml");
    let output = run_quiet(
        Command::new("cargo")
            .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
            .arg(&manifest),
    )
    .context(
        "cannot fetch the FreeRTOS kernel; set FREERTOS_KERNEL_PATH to a copy of its sources",
    )?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let package = metadata["packages"]
        .as_array()
        .and_then(|packages| packages.iter().find(|package| package["name"] == "freertos-next"));
    let Some(path) = package.and_then(|package| package["manifest_path"].as_str()) else {
        bail!("{} does not depend on freertos-next", manifest.display());
    };
    Ok(Path::new(path).with_file_name("FreeRTOS-Kernel"))
}
