//! Every entry point on a kernel with two cores that run at the same time: none fails, blocks, or leaves the recorder unable to
//! record, whatever the other core does at that time.

use std::collections::BTreeSet;
use std::fs;

use tband_tests::entries::called;
use tband_tests::events::lines;
use tband_tests::packets::as_frames;
use tband_tests::{read, root, temp_dir};
use xtask::board::run_firmware_in_parallel;
use xtask::kernel;

use crate::{build_firmware, build_folder};

/// The names that were called.
fn on_both_cores(backend: &str, format: &str) -> BTreeSet<String> {
    let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
    let library = tband_tests::library::library("riscv32imac-unknown-none-elf");
    let settings = [
        format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
        format!("TBAND_LIBRARY={}", library.display()),
        format!("TBAND_BACKEND={backend}"),
        format!("TBAND_FORMAT={format}"),
    ];
    let folder = build_folder(&format!("entries-{backend}-{format}"));
    let toolchain = root().join("examples/riscv-smp/rv32imac.cmake");
    build_firmware(&root().join("tests/entries/smp"), &folder, &toolchain, &settings)
        .unwrap_or_else(|error| panic!("{error:#}"));
    let out = temp_dir();
    let emulator = "qemu-system-riscv32 -M virt -bios none -smp cpus=2";
    run_firmware_in_parallel(emulator, &folder.join("program.elf"), out.path())
        .unwrap_or_else(|error| panic!("{backend} {format}: {error:#}"));
    let failures = read(out.path().join("failures.txt"));
    assert!(failures.is_empty(), "{backend} {format}:\n{failures}");

    let names: BTreeSet<_> =
        read(out.path().join("names.txt")).lines().map(ToOwned::to_owned).collect();
    if backend == "STREAMING" {
        let recorded = fs::read(out.path().join("trace.bin")).expect("the recording");
        let events = match format {
            "PACKETS" => lines(&as_frames(&recorded)),
            _ => lines(&recorded),
        };
        let recorded: BTreeSet<_> = events
            .iter()
            .filter_map(|line| {
                line.split_once("evtmarker evtmarker_id=7 msg=\"")?.1.strip_suffix('"')
            })
            .map(ToOwned::to_owned)
            .collect();
        assert_eq!(recorded, names, "{backend} {format}");
    }
    names
}

#[test]
fn every_entry_point_on_both_cores() {
    let mut names = on_both_cores("STREAMING", "PACKETS");
    names.extend(on_both_cores("STREAMING", "FRAMES"));
    names.extend(on_both_cores("SNAPSHOT", "FRAMES"));
    names.extend(on_both_cores("POST_MORTEM", "PACKETS"));
    let missing: Vec<_> = called().into_iter().filter(|name| !names.contains(name)).collect();
    // The fault handler is not linked here, nor is there memory protection, a timer task or the class ISR.
    let elsewhere = |name: &String| {
        name.starts_with("tband_fault_")
            || name.starts_with("tband_freertos_allow")
            || name.ends_with("disallow")
    };
    assert!(missing.iter().all(elsewhere), "{missing:?}");
}
