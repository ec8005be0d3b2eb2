//! The cost of recordings of other recorders: a part of `cargo xtask bench host`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;
use tband_programs::output;

use super::foreign::{self, Format};
use super::host::{Bench, Wire};
use super::imported::{EventCost, ImporterCost, ProcessorCost};
use super::measured::MeasuredCommand;
use super::same_events::write_frames;

/// Events of the small recording and of the big one, of about so many.
const EVENTS: [u64; 2] = [20_000, 140_000];

/// A format, with the most instructions that an event may take in `stats`.
struct MeasuredFormat {
    what: MeasuredCommand,
    /// What users run first: the conversion to the default format.
    conv: MeasuredCommand,
    /// `None`: what tband's own exporter writes.
    format: Option<Format>,
    /// As a multiple of those of the same events in frames.
    most: f64,
}

/// `most`: as in [`MeasuredFormat`].
const fn measured(name: &'static str, format: Option<Format>, most: f64) -> MeasuredFormat {
    // Recordings of active objects do not have the frequency of their times.
    let has_frequency = !matches!(format, Some(Format::Qs | Format::Rkh));
    let (stats, conv): (&[&str], &[&str]) = match has_frequency {
        true => (&["stats"], &["conv", "-q"]),
        false => (&["stats", "--tick-rate", "1000000"], &["conv", "-q", "--tick-rate", "1000000"]),
    };
    let most_of_all = [u64::MAX; 2];
    let what = MeasuredCommand { name, args: stats, most: most_of_all, writes: None };
    let conv = MeasuredCommand { name, args: conv, most: most_of_all, writes: Some("pftrace") };
    MeasuredFormat { what, conv, format, most }
}

const IMPORTERS: [MeasuredFormat; 6] = [
    measured("systemview", Some(Format::SystemView), 2.7),
    measured("tracerecorder", Some(Format::TraceRecorder), 2.3),
    measured("qs", Some(Format::Qs), 2.4),
    measured("rkh", Some(Format::Rkh), 2.4),
    measured("ctf", Some(Format::Ctf), 2.7),
    measured("flux", None, 3.5),
];

impl Bench {
    /// Returns the cost of `stats` and `conv` of recordings of each format. The processor time takes long to measure.
    ///
    /// # Errors
    /// A run fails.
    pub fn importers(&self, root: &Path, is_timed: bool) -> Result<Vec<ImporterCost>> {
        let costs = IMPORTERS.iter().map(|MeasuredFormat { what, conv, format, most }| {
            let imported = match format {
                Some(format) => self.extended(root, *format)?,
                None => [self.flux(EVENTS[0])?, self.flux(EVENTS[1])?],
            };
            let frames = imported.each_ref().map(|recording| {
                let path = recording.with_extension("frames");
                write_frames(recording, &path).map(|()| path)
            });
            let [small, big] = frames;
            let frames = [small?, big?];
            let [small, big] = &imported;
            let events = self.events_of(big)?.saturating_sub(self.events_of(small)?).max(1);
            let cost = |of: &dyn Fn([&Path; 2]) -> Result<u64>| -> Result<EventCost> {
                let of = |[small, big]: &[PathBuf; 2]| of([small, big]);
                Ok(EventCost { imported: of(&imported)?, of_frames: of(&frames)? })
            };
            let instructions = cost(&|pair| Ok(self.growth(what, pair, events)?.0))?;
            let processor = |what| cost(&|pair| self.processor_growth(what, pair, events));
            let processor_ns = match is_timed {
                true => Some(ProcessorCost { stats: processor(what)?, conv: processor(conv)? }),
                false => None,
            };
            Ok(ImporterCost { name: what.name, instructions, most: *most, processor_ns })
        });
        costs.collect()
    }

    /// A small recording and a big one of a format.
    fn extended(&self, root: &Path, format: Format) -> Result<[PathBuf; 2]> {
        let written = |rounds| foreign::write(root, self.folder.path(), format, rounds);
        let of_one = self.events_of(&written(2)?)? - self.events_of(&written(1)?)?;
        let [small, big] = EVENTS.map(|count| written(count.div_ceil(of_one.max(1)) as usize));
        Ok([small?, big?])
    }

    /// A recording of about so many events, as flux.
    fn flux(&self, events: u64) -> Result<PathBuf> {
        // An event is a frame of nearly nine bytes.
        let frames = self.recording(Wire::Frames, events * 9)?;
        let path = frames.with_extension("recTr");
        let mut convert = Command::new(&self.tool);
        convert.args(["conv", "-q", "--output-format", "flux"]).arg(&frames).arg("-o").arg(&path);
        output(&mut convert).context("cannot convert to flux")?;
        Ok(path)
    }

    /// Events of a recording of any format.
    fn events_of(&self, recording: &Path) -> Result<u64> {
        let printed = output(Command::new(&self.tool).args(["stats", "--json"]).arg(recording))?;
        let stats: Value = serde_json::from_slice(&printed.stdout)
            .with_context(|| format!("no statistics of {}", recording.display()))?;
        let kinds = stats["events"].as_array().context("no events")?;
        Ok(kinds.iter().filter_map(|kind| kind["count"].as_u64()).sum())
    }
}
