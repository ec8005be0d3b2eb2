//! Dumps events as text or as JSON lines: of one input in the order of the file, of several by time.
//!
//! One input streams: it is read once, and each frame gives one line. Until enough frames have decoded
//! to be sure that this is a recording, lines are held back, so that a wrong file gives an error
//! rather than pages of garbage.

mod filter;
mod lines;
mod times;

use std::io::Write;

use tband_format::{Event, decode_payload};

use self::filter::Sieve;
pub use self::filter::{DumpFilter, Moment, Which, event_names};
use self::lines::{Lines, Notice};
pub(crate) use self::times::Times;
use crate::diagnostics::{Place, Severity};
use crate::error::ConvError;
use crate::events::{EventReader, Item, Mode};
use crate::input::Input;
use crate::lane::RecordKind;
use crate::merge::{Merge, Merged, WINDOW};
use crate::scan::{Credibility, Scan};
use crate::timeline::Timeline;

/// What a dumped line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum DumpFormat {
    /// For people: time in ticks and ms, time since the line before, core, event, fields, names where
    /// they are known.
    #[default]
    Text,
    /// As text, with the offset of each frame in front.
    TextWithOffsets,
    /// One JSON object.
    Json,
}

/// What a dump found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DumpSummary {
    /// Frames that are events.
    pub events: u64,
    /// Events that have a line.
    pub shown: u64,
    /// Frames that are not events, and of several inputs also times that cannot be.
    pub defects: u64,
    /// Input, offset and text of the first of those.
    pub first_defect: Option<(Place, String)>,
    /// Events that the target lost, as far as it told.
    pub lost: u64,
}

/// Lines are held back up to this many bytes.
const HOLD_BACK: usize = 8 << 20;
const FLUSH_AT: usize = 64 * 1024;

/// Writes one line for each frame of `input`, which is opened once.
///
/// # Errors
/// [`ConvError`] if the input cannot be read or is no recording, or `out` fails.
pub fn dump(
    input: &Input<'_>,
    mode: Mode,
    format: DumpFormat,
    out: impl Write,
) -> Result<DumpSummary, ConvError> {
    dump_filtered(input, mode, format, DumpFilter::default(), out)
}

/// As [`dump`], with lines only for what passes a filter. Once its limit is reached the rest of the
/// input is not read, nor judged.
///
/// # Errors
/// As for [`dump`].
pub fn dump_filtered(
    input: &Input<'_>,
    mode: Mode,
    format: DumpFormat,
    filter: DumpFilter,
    mut out: impl Write,
) -> Result<DumpSummary, ConvError> {
    let mut times = Times::new(filter.tick_rate);
    let mut sieve = Sieve::new(filter);
    let mut events = EventReader::new(input.open()?, input.core(), mode);
    let mut lines = Lines::new(format);
    let mut summary = DumpSummary::default();
    let mut credibility = Credibility::default();
    loop {
        let item = events.next_item().map_err(|error| input.read_error(error))?;
        let Some(item) = item else { break };
        summary.count(&item);
        if !credibility.is_certain() {
            credibility.add(&item);
        }
        if let Ok(decoded) = &item.event {
            times.follow(decoded);
        }
        lines.learn(&item);
        if sieve.passes(&item, lines.world(), &mut times) {
            lines.item(&item, &mut times);
        }
        if sieve.is_done() {
            break;
        }
        // Whoever reads along does not wait for the next event to see the last ones.
        let full = match credibility.is_certain() {
            true if !events.has_frame() => 1,
            true => FLUSH_AT,
            false => HOLD_BACK,
        };
        lines.flush_at(full, &mut out)?;
    }
    summary.shown = sieve.passed();
    credibility.verdict(input, events.offset())?;
    lines.flush_at(0, &mut out)?;
    Ok(summary)
}

/// As [`dump_filtered`] for several inputs, whose events come in the order of time. They are read twice.
///
/// # Errors
/// [`ConvError`] if one cannot be read or is no recording, or `out` fails.
pub fn dump_merged(
    inputs: &[Input<'_>],
    mode: Mode,
    format: DumpFormat,
    filter: DumpFilter,
    mut out: impl Write,
) -> Result<DumpSummary, ConvError> {
    let scan = Scan::run(inputs, mode)?;
    let extents = (&scan.extents[..], &scan.starts[..]);
    let mut merge = Merge::new(inputs, extents, mode, WINDOW)?.with_silent();
    let mut times = Times::with(scan.clock(filter.tick_rate));
    let mut sieve = Sieve::new(filter);
    let mut lines = Lines::with_world(format, scan.world);
    let mut summary = DumpSummary::default();
    // Nothing is followed here: what stands at one time keeps the order of the inputs.
    let untouched = Timeline::default();
    while let Some(Merged { input, core, record, .. }) = merge.next_record(&untouched)? {
        let place = Place { input, offset: record.offset };
        if let RecordKind::Finding(problem) = record.kind {
            if problem.severity() != Severity::Note {
                let text = String::from_utf8_lossy(record.bytes);
                summary.defect(place, &text);
                times.reach(record.ticks);
                if sieve.passes_notice(core, &mut times) {
                    lines.notice(&Notice { core, offset: record.offset, text: &text });
                }
            }
        } else if let Ok(decoded) = decode_payload(record.bytes) {
            let (offset, payload) = (record.offset, record.bytes);
            let item =
                Item { core, offset, len: payload.len() as u64, payload, event: Ok(decoded) };
            summary.count(&item);
            times.follow(&decoded);
            lines.learn(&item);
            if sieve.passes(&item, lines.world(), &mut times) {
                lines.item(&item, &mut times);
            }
        }
        if sieve.is_done() {
            break;
        }
        lines.flush_at(FLUSH_AT, &mut out)?;
    }
    summary.shown = sieve.passed();
    lines.flush_at(0, &mut out)?;
    Ok(summary)
}

impl DumpSummary {
    fn count(&mut self, item: &Item<'_>) {
        match &item.event {
            Ok(decoded) => {
                self.events = self.events.saturating_add(1);
                if let Event::DroppedEvtCnt { cnt } = decoded.event {
                    self.lost = self.lost.max(cnt.into());
                }
            }
            Err(defect) => {
                let place = Place { input: 0, offset: item.offset };
                self.defect(place, &defect.to_string());
            }
        }
    }

    #[cold]
    fn defect(&mut self, place: Place, text: &str) {
        self.defects = self.defects.saturating_add(1);
        self.first_defect.get_or_insert_with(|| (place, text.to_owned()));
    }
}
