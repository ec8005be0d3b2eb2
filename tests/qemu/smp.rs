//! `examples/riscv-smp`: the real kernel on cores that run at the same time, each a thread of the emulator. The output is
//! compared with the program's own log, event for event.
//!
//! No two runs are the same. `TBAND_SMP_ROUNDS=20000` in front of the command lets it run for minutes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use tband_conv::diagnostics::{Problem, Severity};
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_recordings::Engine;
use tband_recordings::agrees;
use tband_tests::own_log::{
    Cores, Field, RecordedEvent, compare, lengths_follow, of_frames, of_packets, read_log,
};
use tband_tests::{root, temp_dir};
use xtask::board::run_firmware_in_parallel;
use xtask::kernel;

use crate::{build_firmware, build_folder};

/// How many rounds each core has at least.
fn rounds() -> u32 {
    std::env::var("TBAND_SMP_ROUNDS").map_or(60, |count| count.parse().expect("a number of rounds"))
}

fn example() -> PathBuf {
    root().join("examples/riscv-smp")
}

fn library() -> PathBuf {
    tband_tests::library::library("riscv32imac-unknown-none-elf")
}

/// A way to record.
#[derive(Clone, Copy, Debug)]
struct RecordingMode {
    cores: usize,
    backend: &'static str,
    format: &'static str,
}

impl RecordingMode {
    fn build(self) -> PathBuf {
        let Self { cores, backend, format } = self;
        let kernel = kernel::path(root()).unwrap_or_else(|error| panic!("{error:#}"));
        let settings = [
            format!("FREERTOS_KERNEL_PATH={}", kernel.display()),
            format!("TBAND_LIBRARY={}", library().display()),
            format!("TBAND_BACKEND={backend}"),
            format!("TBAND_FORMAT={format}"),
            format!("APP_CORES={cores}"),
            format!("APP_ROUNDS={}", rounds()),
            "APP_LOG=ON".to_owned(),
        ];
        let folder = build_folder(&format!("smp-{cores}-{backend}-{format}"));
        build_firmware(&example(), &folder, &example().join("rv32imac.cmake"), &settings)
            .unwrap_or_else(|error| panic!("{error:#}"));
        folder.join("riscv-smp.elf")
    }

    /// Runs it, compares, and prints the result.
    fn check(self) {
        let Self { cores, backend, format } = self;
        let elf = self.build();
        let folder = temp_dir();
        let emulator = format!("qemu-system-riscv32 -M virt -bios none -smp cpus={cores}");
        run_firmware_in_parallel(&emulator, &elf, folder.path())
            .unwrap_or_else(|error| panic!("{self:?}: {error:#}"));
        let file = |name: String| folder.path().join(name);
        let logs: Vec<_> =
            (0..cores).map(|core| read_log(&file(format!("log{core}.bin")))).collect();
        let keeps_the_last = backend == "post-mortem";

        let parts: Vec<Vec<u8>> = if backend == "snapshot" && format == "frames" {
            (0..cores).map(|core| fs::read(file(format!("core{core}.bin"))).expect("it")).collect()
        } else {
            vec![fs::read(file("trace.bin".to_owned())).expect("a recording")]
        };
        let recorded = if format == "packets" {
            of_packets(&parts[0], cores, keeps_the_last)
        } else {
            let parts: Vec<_> = parts.iter().map(Vec::as_slice).enumerate().collect();
            of_frames(&parts, cores)
        };
        let found = compare(&logs, &recorded, keeps_the_last);
        let lengths = if found.discarded == 0 && backend != "streaming" {
            lengths_follow(&recorded)
        } else {
            0
        };
        let moved = tasks_that_moved(&recorded);
        println!("{self:?}: {found:?}, {lengths} lengths, {moved} tasks moved");
        for (core, of_core) in recorded.cores.iter().enumerate() {
            let least = if keeps_the_last { 100 } else { 500 };
            assert!(of_core.events.len() > least, "core {core}: {} events", of_core.events.len());
        }
        assert!(moved >= 2, "{moved} tasks moved");
        if backend == "streaming" {
            assert!(found.off > 0, "stops and starts missed nothing");
        }
        self.check_conversion(&parts, &recorded);
    }

    /// Checks that the converter finds only losses, that its numbers equal those of the events, which equal those of the log,
    /// and that Perfetto's engine has the same.
    fn check_conversion(self, parts: &[Vec<u8>], recorded: &Cores) {
        let inputs: Vec<_> = parts
            .iter()
            .enumerate()
            .map(|(core, bytes)| match parts.len() {
                1 => Input::from_bytes("recording", bytes),
                _ => Input::from_bytes(format!("core{core}.bin"), bytes).on_core(core as u32),
            })
            .collect();
        let mut stats = Stats::default();
        let summary = convert(&inputs, &Options::default(), &mut stats).expect("a recording");
        let is_whole = recorded.discarded == 0
            && recorded.cores.iter().all(|core| {
                core.discarded_at_end == 0
                    && core.events.iter().all(|event| event.discarded_before == 0)
            });
        if !is_whole {
            return;
        }
        // The kernel's port leaves ticks out where the emulator is late, which the timer contradicts.
        let complaints: Vec<_> = summary
            .diagnostics
            .iter()
            .filter(|finding| finding.problem.severity() != Severity::Note)
            .filter(|finding| !matches!(finding.problem, Problem::OffPace | Problem::TimerStops))
            .map(|finding| finding.to_string())
            .collect();
        assert!(complaints.is_empty(), "{self:?}: {complaints:?}");
        for (core, of_core) in recorded.cores.iter().enumerate() {
            // What a ring has kept may begin inside an interrupt.
            if self.backend == "post-mortem" {
                continue;
            }
            for isr in [3, 7, 16] {
                let enters = |event: &&RecordedEvent| {
                    event.name == "isr_enter" && event.field("isr_id") == Some(&Field::Number(isr))
                };
                let count = of_core.events.iter().filter(enters).count() as u64;
                let counted = stats
                    .isrs()
                    .filter(|it| it.core as usize == core && i64::from(it.id) == isr)
                    .map(|it| it.count);
                assert_eq!(counted.sum::<u64>(), count, "{self:?}: interrupt {isr} of core {core}");
            }
        }
        // The times of tasks, interrupts and unknown owners add up to all of each core.
        for core in stats.cores() {
            let sum = core.task_ns + core.idle_ns + core.isr_ns + core.unknown_ns;
            assert_eq!(sum, stats.length_ns(), "{self:?}: {core:?}");
        }
        let ran: i64 = stats.tasks().map(|task| task.run_ns).sum();
        let of_cores: i64 = stats.cores().map(|core| core.task_ns + core.idle_ns).sum();
        assert_eq!(ran, of_cores, "{self:?}");
        match Engine::find() {
            Some(engine) => {
                let name = format!("smp-{}-{}-{}", self.cores, self.backend, self.format);
                // Queues and running tasks; the counters of deleted tasks end with a separate row.
                agrees::check(&engine, &name, &inputs, &Options::default(), &[]);
            }
            None => eprintln!("SKIPPED: Perfetto's engine is not here"),
        }
    }
}

/// How many tasks ran on more than one core.
fn tasks_that_moved(recorded: &Cores) -> usize {
    let mut cores: BTreeMap<i64, BTreeSet<usize>> = BTreeMap::new();
    for (core, of_core) in recorded.cores.iter().enumerate() {
        for event in of_core.events.iter().filter(|event| event.name == "task_switched_in") {
            if let Some(Field::Number(task)) = event.field("task_id") {
                cores.entry(*task).or_default().insert(core);
            }
        }
    }
    cores.values().filter(|cores| cores.len() > 1).count()
}

pub fn check(cores: usize, backend: &'static str, format: &'static str) {
    RecordingMode { cores, backend, format }.check();
}

/// With stops and starts while the other cores continue.
#[test]
fn streams_of_four_cores() {
    check(4, "streaming", "packets");
}

#[test]
fn snapshots_of_two_cores() {
    check(2, "snapshot", "frames");
}

#[test]
fn post_mortem_recordings_of_four_cores() {
    check(4, "post-mortem", "packets");
}
