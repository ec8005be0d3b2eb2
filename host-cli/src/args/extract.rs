//! Arguments of `extract`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use tband_conv::clock::frequency::Frequency;

use super::{TargetArgs, examples};

/// Arguments of `extract`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::EXTRACT)]
pub struct ExtractArgs {
    /// Program that ran; finds its recording by its symbols
    ///
    /// As it was linked, with symbols; with debug info (-g) a crash has its function, file, line and callers. Without a program, packets are
    /// found by what they look like, and frames are not found.
    #[arg(long, value_name = "ELF")]
    pub elf: Option<PathBuf>,

    /// Address of a raw image's first byte, as 0x20000000
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub base: Option<u64>,

    /// Variable that frames go to, a tband_ring
    ///
    /// For frames with the streaming or the external backend: extract reads the bytes that the consumer has not taken from the ring yet.
    #[arg(long, value_name = "NAME", requires = "elf")]
    pub ring: Option<String>,

    /// How often the timestamps' timer counts: Hz
    ///
    /// Needed if the begin of the packets, which has it, is overwritten. It is put into the recording.
    #[arg(long, value_name = "HZ", requires = "elf")]
    pub tick_rate: Option<Frequency>,

    /// Where to put the recording
    ///
    /// Without it recording.bin, or the next such name that is free. Further recordings go to FILE.2.bin, FILE.3.bin and so
    /// on.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Convert it: to a Perfetto trace, or a page if it ends in .html
    #[arg(long, value_name = "OUT")]
    pub convert: Option<PathBuf>,

    /// With probe: the chip, as STM32F405RG
    #[arg(long, value_name = "NAME")]
    pub chip: Option<String>,

    /// Image of the memory: raw, Intel HEX, S-records, ELF or ESP-IDF core dump
    ///
    /// Or a halted target: gdb:HOST:PORT, probe: or ram:PATH@ADDRESS, as for record.
    #[arg(value_name = "IMAGE")]
    pub image: OsString,
}

impl ExtractArgs {
    /// Returns the target's options, if its memory is read.
    pub fn of_target(&self) -> TargetArgs {
        let Self { elf, chip, tick_rate, .. } = self;
        TargetArgs { elf: elf.clone(), chip: chip.clone(), no_halt: false, tick_rate: *tick_rate }
    }
}

/// Hexadecimal if it begins with 0x.
fn address(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "an address is needed, such as 0x20000000".to_owned())
}
