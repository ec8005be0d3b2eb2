//! The fuzzer's program: `cargo xtask fuzz` builds and runs it. Its arguments are libFuzzer's; what else it does, environment
//! variables ask for.

#![no_main]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

/// Counts what each case allocates.
#[global_allocator]
static MEMORY: tband_fuzz::PeakAlloc = tband_fuzz::PeakAlloc;

/// A folder: the initial cases of a fuzzer are written there, with at most [`SEED_LEN`] bytes, and nothing else is done.
const SEEDS: &str = "TBAND_FUZZ_SEEDS";
/// A number of bytes.
const SEED_LEN: &str = "TBAND_FUZZ_SEED_LEN";
/// Set: each case is shown before it is run.
const SHOW: &str = "TBAND_FUZZ_SHOW";

fn write_seeds(folder: &Path) -> Result<(), String> {
    let len = env::var(SEED_LEN).map_err(|error| format!("{SEED_LEN}: {error}"))?;
    let len = len.parse().map_err(|error| format!("{SEED_LEN} is {len}: {error}"))?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let seeds = tband_fuzz::seeds(&root, len).map_err(|error| format!("no recordings: {error}"))?;
    for (index, case) in seeds.iter().enumerate() {
        let path = folder.join(format!("seed-{index}"));
        fs::write(&path, case).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn prepare() {
    let Some(folder) = env::var_os(SEEDS).map(PathBuf::from) else { return };
    if let Err(error) = write_seeds(&folder) {
        eprintln!("cannot write seeds: {error}");
        process::exit(1);
    }
    process::exit(0);
}

libfuzzer_sys::fuzz_target!(init: prepare(), |case: &[u8]| {
    if env::var_os(SHOW).is_some() {
        print!("{}", tband_fuzz::show(case));
    }
    tband_fuzz::run(case);
});
