//! The bench's firmware for an Xtensa core, without CMake: the files that `tests/bench/CMakeLists.txt` names for a board of
//! `tests/cpus`, and its settings as macros.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::xtensa::{compile, link};

/// The settings that are the same for all measurements on this core.
const MACROS: [&str; 9] = [
    "BENCH_TRACE=1",
    "BENCH_TIMER_PLAIN=1",
    "BENCH_COUNTER_START=3000000ULL",
    "BENCH_CORES=1",
    "BENCH_BACKEND_SNAPSHOT=1",
    "BENCH_METADATA_SIZE=256",
    "BENCH_CPU=1",
    "BENCH_CPU_xtensa=1",
    "APP_RTOS=1",
];

/// Builds the firmware in a folder and returns the program.
///
/// # Errors
/// A step failed; the text has its output.
pub(super) fn build(
    root: &Path,
    folder: &Path,
    kernel: &Path,
    library: &Path,
    settings: &[&str],
) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let (bench, cpus) = (root.join("tests/bench"), root.join("tests/cpus"));
    let mps2 = root.join("examples/mps2-board");
    let mut options: Vec<String> = ["-O2", "-std=gnu11", "-ffreestanding"]
        .into_iter()
        .chain(["-ffunction-sections", "-fdata-sections"])
        .map(str::to_owned)
        .collect();
    options.extend(MACROS.iter().map(|it| format!("-D{it}")));
    for setting in settings {
        match setting.split_once('=') {
            Some(("BENCH_MEASURE", part)) => {
                options.push(format!("-DBENCH_MEASURE_{}=1", part.to_uppercase()));
            }
            Some(("BENCH_PACKET_SIZE", "")) => {}
            Some(("BENCH_PACKET_SIZE", _)) => options.push(format!("-D{setting}")),
            _ => bail!("{setting} is not measured on Xtensa"),
        }
    }
    let include = |folder: &Path| format!("-I{}", folder.display());
    // The configurations are those of the bench; the header of the board is that of the sources.
    let with_header = |board: &Path| {
        let first = [bench.clone(), bench.join("config"), board.to_path_buf(), mps2.clone()];
        let tband = ["include", "port", "freertos-hooks"].map(|it| root.join(it));
        let others = [kernel.join("include"), cpus.join("xtensa"), cpus.join("shared/nolibc")];
        let folders = first.iter().chain(&others).chain(&tband).map(|it| include(it));
        options.iter().cloned().chain(folders).collect::<Vec<_>>()
    };
    let of_board = ["xtensa/board.c", "xtensa/port.c", "shared/fault.c"].map(|it| cpus.join(it));
    let of_cpus = ["xtensa/start.S", "xtensa/arithmetic.c", "xtensa/semihost.c", "shared/mem.c"];
    let of_kernel = ["tasks.c", "queue.c", "list.c", "portable/MemMang/heap_4.c"];
    let others = [
        bench.join("main.c"),
        bench.join("workload.c"),
        mps2.join("failed.c"),
        root.join("freertos-hooks/tband_freertos.c"),
        root.join("port/tband_shim.c"),
    ];
    let others = others.into_iter().chain(of_cpus.map(|it| cpus.join(it)));
    let others: Vec<_> = others.chain(of_kernel.map(|it| kernel.join(it))).collect();
    let mut objects = vec![];
    for (sources, options) in
        [(&of_board[..], with_header(&cpus.join("shared"))), (&others, with_header(&mps2))]
    {
        for source in sources {
            let object = folder.join(format!("{}.o", objects.len()));
            compile(&options, source, &object)?;
            objects.push(object);
        }
    }
    objects.push(library.to_path_buf());
    let scripts = [root.join("port/records/tband_strings.ld"), cpus.join("xtensa/board.ld")];
    let elf = folder.join("tband-bench.elf");
    link(&scripts.map(|it| format!("-T{}", it.display())), &objects, &elf)?;
    Ok(elf)
}
