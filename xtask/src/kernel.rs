//! Where the FreeRTOS kernel's sources are, and a configuration for them.
//!
//! They are not part of this project. The package in `examples/freertos-kernel` depends on a crate that
//! carries them unchanged, so that cargo fetches and pins them; the one in `tests/old_kernels/kernels` does so
//! for older kernels.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::command::run_quiet;
use crate::rust_target::host_target;

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

/// Returns the folder of the kernel's sources: `FREERTOS_KERNEL_PATH` if it is set, otherwise one fetched by cargo.
pub fn path(root: &Path) -> Result<PathBuf> {
    let kernel = match env::var_os("FREERTOS_KERNEL_PATH") {
        Some(path) => PathBuf::from(path),
        None => fetched(root)?,
    };
    if !kernel.join("tasks.c").is_file() {
        bail!("no FreeRTOS kernel in {} (tasks.c is missing)", kernel.display());
    }
    Ok(kernel)
}

fn fetched(root: &Path) -> Result<PathBuf> {
    package(&root.join("examples/freertos-kernel/Cargo.toml"), "freertos-next")
        .map(|folder| folder.join("FreeRTOS-Kernel"))
        .context(
            "cannot fetch the FreeRTOS kernel; set FREERTOS_KERNEL_PATH to a copy of its sources",
        )
}

/// Returns folders of real kernels that are older than those of the examples, the oldest first: V10.0.1, for which there are no
/// hooks, V10.1.1 and V10.2.0. Each has only the port for Cortex-M4F. Fetched by cargo.
///
/// # Errors
/// They cannot be fetched; the text has cargo's output.
pub fn old(root: &Path) -> Result<[PathBuf; 3]> {
    let manifest = root.join("tests/old_kernels/kernels/Cargo.toml");
    let cube = package(&manifest, "freertos-sys")?.join("platforms");
    let sdk = package(&manifest, "ambiq-hal-sys")?.join("ambiq-sparkfun-sdk/third_party");
    let of_chip = |chip: &str| cube.join(chip).join("Middlewares/Third_Party/FreeRTOS/Source");
    Ok([
        of_chip("cmsis_freertos_stm32f4"),
        sdk.join("FreeRTOSv10.1.1/Source"),
        of_chip("cmsis_freertos_stm32h7"),
    ])
}

/// Returns the schemas that tests validate reports with: the common XSD of JUnit's XML, and that of SARIF 2.1.0. Fetched by
/// cargo.
///
/// # Errors
/// They cannot be fetched; the text has cargo's output.
pub fn schemas(root: &Path) -> Result<[PathBuf; 2]> {
    let manifest = root.join("tests/schemas/Cargo.toml");
    let junit = package(&manifest, "junit-report")?.join("tests/JUnit.xsd");
    Ok([junit, package(&manifest, "serde-sarif")?.join("src/schema.json")])
}

/// Returns the folder of a package that another depends on, with its dependencies for this machine. It is looked up once per
/// process: tests need the kernel for each firmware.
fn package(manifest: &Path, name: &str) -> Result<PathBuf> {
    static FOUND: Mutex<BTreeMap<PathBuf, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let key = manifest.join(name);
    if let Some(folder) = found.get(&key) {
        return Ok(folder.clone());
    }
    let folder = ask_for_package(manifest, name)?;
    found.insert(key, folder.clone());
    Ok(folder)
}

fn ask_for_package(manifest: &Path, name: &str) -> Result<PathBuf> {
    let output = run_quiet(
        Command::new("cargo")
            .args(["metadata", "--format-version", "1", "--locked", "--filter-platform"])
            .arg(host_target()?)
            .arg("--manifest-path")
            .arg(manifest),
    )?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let package = metadata["packages"]
        .as_array()
        .and_then(|packages| packages.iter().find(|package| package["name"] == name));
    let Some(path) = package.and_then(|package| package["manifest_path"].as_str()) else {
        bail!("{} does not depend on {name}", manifest.display());
    };
    Ok(Path::new(path).with_file_name(""))
}

/// Returns a kernel's version in the form of `tband_configFREERTOS_VERSION`.
///
/// # Errors
/// It has no `task.h` with the version.
pub fn version(kernel: &Path) -> Result<u32> {
    let path = kernel.join("include/task.h");
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut version = 0;
    for part in ["MAJOR", "MINOR", "BUILD"] {
        let name = format!("tskKERNEL_VERSION_{part}");
        let number = text.lines().find_map(|line| {
            let rest = line.trim().strip_prefix("#define")?.trim().strip_prefix(&name)?;
            rest.trim().parse::<u32>().ok()
        });
        version = version * 100 + number.with_context(|| format!("no {name} in task.h"))?;
    }
    Ok(version)
}
