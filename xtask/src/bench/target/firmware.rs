//! The firmware of `tests/bench`: builds it, runs it, and reads its output.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::board::{build_firmware, run_firmware_at};
use crate::command::run_quiet;
use crate::kernel;

use super::{EMPTY, xtensa};

/// What builds a firmware.
pub(super) enum Toolchain {
    /// CMake, with this file.
    CMake(PathBuf),
    /// The compilers for Xtensa, which CMake does not drive.
    Xtensa,
}

/// A core to measure on.
pub(super) struct Machine {
    pub(super) toolchain: Toolchain,
    /// QEMU and its machine.
    pub(super) emulator: &'static str,
    /// Counts of the bench's clock where single events are measured.
    pub(super) counts_per_instruction: f64,
}

pub(super) struct Bench<'a> {
    root: &'a Path,
    pub(super) folder: PathBuf,
    machine: Machine,
    /// The given library, or that of the first firmware, which all others use: it is the same for every configuration.
    library: OnceCell<PathBuf>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(root: &'a Path, machine: Machine, library: Option<PathBuf>) -> Self {
        let library = library.map_or_else(OnceCell::new, OnceCell::from);
        Self { root, folder: root.join("target/bench-target"), machine, library }
    }

    pub(super) fn build(&self, name: &str, settings: &[&str]) -> Result<PathBuf> {
        let build = self.folder.join(name);
        let kernel = kernel::path(self.root)?;
        let toolchain = match &self.machine.toolchain {
            Toolchain::CMake(file) => file,
            Toolchain::Xtensa => {
                let library = self.library.get().context("no library for Xtensa")?;
                return xtensa::build(self.root, &build, &kernel, library, settings);
            }
        };
        let mut all = vec![format!("FREERTOS_KERNEL_PATH={}", kernel.display())];
        // Empty: it is built.
        let library = self.library.get().map_or(Path::new(""), PathBuf::as_path);
        all.push(format!("TBAND_LIBRARY={}", library.display()));
        all.extend(settings.iter().map(|&setting| setting.to_owned()));
        build_firmware(&self.root.join("tests/bench"), &build, toolchain, &all)?;
        self.library.get_or_init(|| build.join("tband/lib/libtband.a"));
        Ok(build.join("tband-bench.elf"))
    }

    pub(super) fn run(&self, name: &str, settings: &[&str], shift: u32) -> Result<Samples> {
        let elf = self.build(name, settings)?;
        let out = self.folder.join("out").join(name);
        run_firmware_at(self.machine.emulator, &elf, &out, None, shift)?;
        let results = out.join("bench.bin");
        let bytes = fs::read(&results).with_context(|| format!("no {}", results.display()))?;
        Ok(Samples::parse(&bytes, self.machine.counts_per_instruction))
    }

    /// Flash and static RAM that the recorder adds, in bytes, by a build of this name.
    pub(super) fn size(&self, name: &str, more: &[&str]) -> Result<(f64, f64)> {
        const TRACE_BUFFER: i64 = 16384;
        let settings = ["BENCH_MEASURE=size", "BENCH_OPTIMISE=-Os"];
        let with = sections(&self.build(name, &[&settings[..], more].concat())?)?;
        let without =
            sections(&self.build("size-off", &[&settings[..], &["BENCH_TRACE=0"]].concat())?)?;
        let flash = (with.text + with.data) - (without.text + without.data);
        let ram = (with.data + with.bss) - (without.data + without.bss) - TRACE_BUFFER;
        Ok((flash as f64, ram as f64))
    }
}

pub(super) struct Sections {
    pub(super) text: i64,
    pub(super) data: i64,
    pub(super) bss: i64,
}

pub(super) fn sections(elf: &Path) -> Result<Sections> {
    let output = run_quiet(Command::new("arm-none-eabi-size").arg(elf))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<i64> = text
        .lines()
        .nth(1)
        .into_iter()
        .flat_map(|line| line.split_whitespace().take(3).filter_map(|word| word.parse().ok()))
        .collect();
    let [text, data, bss] = numbers[..] else {
        bail!("unexpected output of arm-none-eabi-size: {text}")
    };
    Ok(Sections { text, data, bss })
}

/// Bytes of the variables of these names, as many as there are.
pub(super) fn bytes_of_symbols(elf: &Path, names: &[&str]) -> Result<i64> {
    let output = run_quiet(Command::new("arm-none-eabi-nm").arg("-S").arg(elf))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let sizes = text.lines().filter_map(|line| {
        let [_, size, _, name] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            return None;
        };
        names.contains(&name).then(|| i64::from_str_radix(size, 16).ok())?
    });
    Ok(sizes.sum())
}

/// Measurements of one run.
pub(super) struct Samples {
    /// Kind and counts.
    pairs: Vec<(u32, u32)>,
    counts_per_instruction: f64,
}

impl Samples {
    fn parse(bytes: &[u8], counts_per_instruction: f64) -> Self {
        let word = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes);
        let pairs = bytes.chunks_exact(8).map(|pair| (word(&pair[..4]), word(&pair[4..])));
        Self { pairs: pairs.collect(), counts_per_instruction }
    }

    fn sorted(&self, kind: u32) -> Vec<u32> {
        let mut counts: Vec<u32> =
            self.pairs.iter().filter(|pair| pair.0 == kind).map(|pair| pair.1).collect();
        counts.sort_unstable();
        counts
    }

    /// Median instructions of a kind, the empty bracket's taken off.
    pub(super) fn median(&self, kind: u32) -> f64 {
        self.median_over(kind, EMPTY)
    }

    pub(super) fn median_over(&self, kind: u32, empty: u32) -> f64 {
        let middle = |sorted: Vec<u32>| sorted.get(sorted.len() / 2).copied().unwrap_or(0);
        self.instructions(middle(self.sorted(kind)), middle(self.sorted(empty)))
    }

    /// Most instructions of a kind. Only of kinds inside critical sections, where no interrupt's
    /// instructions come in between.
    pub(super) fn max(&self, kind: u32) -> f64 {
        let empty = self.sorted(EMPTY);
        let most = self.sorted(kind).last().copied().unwrap_or(0);
        self.instructions(most, empty.get(empty.len() / 2).copied().unwrap_or(0))
    }

    fn instructions(&self, counts: u32, empty: u32) -> f64 {
        (f64::from(counts.saturating_sub(empty)) / self.counts_per_instruction).round()
    }

    pub(super) fn single(&self, key: u32) -> f64 {
        self.sorted(key).first().map_or(f64::NAN, |&value| f64::from(value))
    }
}
