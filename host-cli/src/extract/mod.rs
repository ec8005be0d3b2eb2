//! `extract`: takes recordings out of memory that was saved, or of a halted target, as after a crash.

mod core_file;
mod explain;
mod image;
mod piece;
mod search;
mod text;

use std::collections::HashSet;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tband_conv::counted;
use tband_conv::foreign::{recognised_format, recording_head};
use tband_program::{Code, Memory, Program, formats};
use tband_report::crashes;

use crate::args::ExtractArgs;
use crate::auto_convert::{convert, free_name};
use crate::numbered::numbered;
use crate::output::to_file;
use crate::report::Report;
use crate::target::{AttachedTarget, Recording, Ring, take, take_rings};
use crate::{Outcome, input, record};
use image::Image;

/// Size of a pointer in bytes if no program determines it: that of all chips whose memory users save.
const POINTER: usize = 4;

pub fn run(args: &ExtractArgs, report: &Report) -> anyhow::Result<Outcome> {
    let output = args.output.clone().unwrap_or_else(free_name);
    let name = Path::new(&args.image).display();
    let mut found = ExtractState::new(args, output, report);
    let source = args.image.to_str().filter(|text| record::memory::is_memory_source(text));
    if let Some(source) = source {
        let AttachedTarget { mut target, ram } =
            record::memory::named(source, &args.of_target())?.attach()?;
        if let Some(elf) = &args.elf {
            found.by_symbols(elf, &mut *target)?;
        } else {
            found.by_looks(&mut Image::of_target(&mut *target, &ram)?)?;
        }
        return found.finish();
    }
    if args.chip.is_some() {
        bail!("--chip is for a debug probe: extract probe:");
    }
    let image = std::slice::from_ref(&args.image);
    input::refuse_to_overwrite(image, &found.output, "recording.bin")?;
    if let Some(trace) = &args.convert {
        input::refuse_to_overwrite(image, trace, "pftrace")?;
    }
    let path = Path::new(&args.image);
    if path.is_dir() {
        bail!(
            "{name} is a folder: name the file with the memory in it; recordings need no extract"
        );
    }
    let mut image = Image::open(path, args.base)?;
    report.detail(&format!("{name}: {}", image.kind));
    match &args.elf {
        Some(elf) => found.by_symbols(elf, &mut image)?,
        None => found.by_looks(&mut image)?,
    }
    found.finish()
}

/// Another recorder wrote the file, as its beginning shows.
fn is_foreign(path: &Path) -> bool {
    File::open(path).and_then(recording_head).is_ok_and(|bytes| recognised_format(&bytes).is_some())
}

/// Hashes the content of the slots: some chips have their memory at two addresses.
fn fingerprint(rings: &[Ring]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for ring in rings {
        ring.slots.hash(&mut hasher);
    }
    hasher.finish()
}

/// Results so far.
struct ExtractState<'a> {
    args: &'a ExtractArgs,
    output: PathBuf,
    report: &'a Report,
    files: Vec<PathBuf>,
    outcome: Outcome,
}

impl<'a> ExtractState<'a> {
    fn new(args: &'a ExtractArgs, output: PathBuf, report: &'a Report) -> Self {
        Self { args, output, report, files: Vec::new(), outcome: Outcome::Clean }
    }

    /// Takes the recording of a program, and the program's facts about a crash.
    fn by_symbols(&mut self, elf: &Path, memory: &mut dyn Memory) -> anyhow::Result<()> {
        let ring = self.args.ring.as_deref();
        let hz = self.args.tick_rate.map(|it| (it.numerator(), it.denominator()));
        let program = Program::read(elf, ring)?;
        let name = || format!("{}", Path::new(&self.args.image).display());
        program.compare(memory, None).with_context(name)?;
        let recording = take(&program, memory, ring, hz);
        let mut recording = recording.with_context(name)?;
        let code = Code::read(elf)?;
        let crashes = explain::explain(&mut recording, (&code, &formats(elf)?), memory);
        if crashes.iter().any(|crash| code.is_another_than(crash)) {
            bail!(
                "{}: another program has crashed than that of {}: give the ELF file of the build that ran then, or none to take the recording without names",
                Path::new(&self.args.image).display(),
                elf.display()
            );
        }
        self.add("by the symbols of the program", &recording)?;
        for line in crashes::text(&crashes).lines().filter(|line| !line.is_empty()) {
            self.report.line(line);
        }
        Ok(())
    }

    /// Takes the apparent rings of packets.
    fn by_looks(&mut self, image: &mut Image) -> anyhow::Result<()> {
        let mut known = HashSet::new();
        search::rows(image, |image, row| {
            let rings = row.rings(image)?;
            if !known.insert(fingerprint(&rings)) {
                self.report.note(&format!("{}: the same memory again", row.place()));
                return Ok(());
            }
            let recording = take_rings(&rings, POINTER);
            // Names alone are where the library writes them before it sends them.
            if recording.amount > 0 {
                self.add(&format!("at {}", row.place()), &recording)
            } else {
                Ok(())
            }
        })
    }

    /// Writes a recording to the next file.
    fn add(&mut self, place: &str, recording: &Recording) -> anyhow::Result<()> {
        for finding in &recording.findings {
            self.outcome = Outcome::Damaged;
            self.report.warn(finding);
        }
        if recording.amount == 0 {
            return Ok(());
        }
        let file = name_of(&self.output, self.files.len() + 1);
        to_file(&file, false, |out| Ok(out.write_all(&recording.bytes)?))?;
        self.report.line(&format!(
            "{}: {}, {place}",
            file.display(),
            counted(recording.bytes.len(), "byte")
        ));
        self.files.push(file);
        Ok(())
    }

    /// Converts the recordings found, if requested.
    fn finish(self) -> anyhow::Result<Outcome> {
        let Self { args, report, files, mut outcome, .. } = self;
        if files.is_empty() {
            let hint = if args.elf.is_some() {
                "was the recording started, and is the program of --elf the one that ran?"
            } else {
                "packets are found without a program, frames only with that: add --elf FIRMWARE.elf"
            };
            let name = Path::new(&args.image).display();
            if args.elf.is_none() && is_foreign(Path::new(&args.image)) {
                bail!(
                    "{name}: no tband recording is in it; it is a recording of another recorder, which all other commands read as it is: \
                     tband-cli stats {name}"
                );
            }
            bail!("{name}: no recording is in it; {hint}");
        }
        if args.elf.is_none() {
            report.note(
                "names that the target keeps elsewhere need its program: add --elf FIRMWARE.elf",
            );
        }
        let Some(trace) = &args.convert else { return Ok(outcome) };
        for (number, file) in (1..).zip(&files) {
            let trace = name_of(trace, number);
            let converted =
                convert(Some(&trace), std::slice::from_ref(file), (false, None), report)?;
            outcome = outcome.and(converted);
        }
        Ok(outcome)
    }
}

/// The file of this number; the first has the name that was given, others `name.N.ending`.
fn name_of(path: &Path, number: usize) -> PathBuf {
    if number == 1 { path.to_owned() } else { numbered(path, number) }
}
