//! The part of the SDK that one project needs.

use anyhow::{Context, ensure};

use super::environment::Environment;
use crate::chip::Cpu;
use crate::sdk::Sdk;

/// Folders of `port` that every port may include.
const PARTS: [&str; 5] = ["filters", "recorder", "records", "senders", "triggers"];

/// Returns the files, by their paths in the SDK. `port`: the folder of the chosen port.
///
/// # Errors
/// The SDK has no library for the CPU.
pub fn of<'s>(
    sdk: &'s Sdk,
    cpu: Cpu,
    port: Option<&str>,
    environments: &[Environment],
) -> anyhow::Result<Vec<(String, &'s [u8])>> {
    let library = format!("lib/{}/libtband.a", cpu.target);
    let has = |it: Environment| environments.contains(&it);
    let is_needed = |path: &str| match path.split('/').collect::<Vec<_>>().as_slice() {
        ["include" | "freertos-hooks" | "cmake", ..] | ["port", _] => true,
        ["port", folder, ..] => PARTS.contains(folder) || port == Some(*folder),
        ["licenses", "libtband.txt"] | ["LICENSE-MIT" | "LICENSE-APACHE" | "tband.mk"] => true,
        ["library.json"] => has(Environment::PlatformIo),
        ["esp-idf", ..] => has(Environment::EspIdf),
        ["zephyr", "example", ..] => false,
        ["zephyr", ..] => environments.iter().any(|it| it.is_zephyr()),
        _ => path == library,
    };
    let files: Vec<_> = sdk.files().filter(|(path, _)| is_needed(path)).collect();
    let has_library = files.iter().any(|(path, _)| *path == library);
    ensure!(has_library, missing(sdk, cpu));
    files
        .iter()
        .find(|(path, _)| path == "port/tband_shim.c")
        .context("the SDK has no port/tband_shim.c")?;
    Ok(files)
}

/// The message for a CPU without a library.
fn missing(sdk: &Sdk, cpu: Cpu) -> String {
    let libraries = sdk.below("lib").filter_map(|(path, _)| {
        let target = path.strip_prefix("lib/")?.strip_suffix("/libtband.a")?;
        Some(target.to_owned())
    });
    // A package has the library of the machine that it was made on.
    let remedy = if cpu.is_posix() || cpu.is_windows() {
        "In a clone of tband on such a computer, run \"cargo xtask dist\" there and pass --sdk target/dist/tband-VERSION.tar.gz; \
         or build the library from tband's sources"
    } else {
        "Build the library from tband's sources"
    };
    format!(
        "the SDK has no library for {} ({}); it has: {}. {remedy}: docs/src/guide/start/installing.md#which-cpus",
        cpu.name(),
        cpu.target,
        libraries.collect::<Vec<_>>().join(", ")
    )
}
