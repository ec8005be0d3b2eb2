//! Recordings as traces of the Common Trace Format (CTF), for babeltrace2, Trace Compass and their like: a folder with
//! a file for each stream, and one that describes all events, written from the registry and from what recordings say of
//! others.
//!
//! Packets are packets of CTF 2 already, so their events go into the trace as they are; headers too, but where one
//! core has several recordings, which are streams of their own. All else is encoded anew: frames, and for CTF 1.8,
//! which has no numbers of variable length, everything. In the words of the Linux kernel's tracer there are switches,
//! wakes and interrupts only, as the timeline reports them.

mod counts;
mod declared;
mod fixed;
mod json;
mod kernel;
mod records;
mod sink;
mod streams;
mod times;
mod tsdl;
mod unchanged;

use std::io;

use self::counts::Counts;
use self::declared::Declared;
pub use self::kernel::convert_scheduling_to_ctf;
use self::records::Classes;
use self::sink::EventsToCtf;
use self::streams::Streams;
use self::times::Times;
use crate::clock::frequency::Frequency;
use crate::convert::{Summary, survey_scanned};
use crate::diagnostics::Problem;
use crate::error::ConvError;
use crate::input::Input;
use crate::options::Options;
use crate::output::Output;
use crate::scan::Scan;
use crate::wire::Wire;

/// Which version of CTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CtfVersion {
    /// 1.8.
    One,
    /// 2.
    Two,
}

/// What went into a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CtfSummary {
    /// Events, metadata included.
    pub events: u64,
    /// Packets that went into it with their events as they were.
    pub unchanged: u64,
    /// Events that have no place in it: strings with a NUL inside, or longer than a packet; those with the id of others
    /// that the recording describes otherwise.
    pub left_out: u64,
    /// Events that are later than what readers can show, 292 years, and have that time.
    pub beyond: u64,
    /// The tick with which the trace begins, if it does not begin with the timer: the first event's is beyond 146 years.
    pub first_ticks: u64,
    /// How often the clock of the trace counts in a second; the nearest to the recording's, if that is a fraction.
    pub hz: u64,
}

/// Writes a trace into a folder, and gives what a conversion has found besides. Files are read twice, those of packets four
/// times for CTF 2.
///
/// Lost packets and discarded events are reported in the way of the format, by sequence numbers and counts. What else
/// is wrong with a recording has no place in a trace: see [`convert`](crate::convert). A timer whose frequency
/// changes has none either; times are ticks of the first one. Readers count nanoseconds in 63 bits: what begins beyond
/// half of that begins at 0, and what is later is shown at the end.
///
/// # Errors
/// [`ConvError`] if an input cannot be read or is no recording, a window is asked for, or a file cannot be written.
pub fn convert_to_ctf(
    inputs: &[Input<'_>],
    options: &Options,
    version: CtfVersion,
    output: &mut Output<'_>,
) -> Result<(Summary, CtfSummary), ConvError> {
    if options.has_window() {
        return Err(ConvError::NoWindow { what: "CTF" });
    }
    let scan = Scan::run(inputs, options)?;
    let schemas: Vec<_> = scan.layouts.iter().map(|layout| layout.schemas.clone()).collect();
    let declared = Declared::of(&schemas);
    let clock = scan.outset.clock(options.tick_rate);
    let hz = hertz(clock.frequency());
    let times = Times::new(&clock, hz);
    let mut streams = Streams::new(output);
    let first_ticks = times.first();
    let mut summary = CtfSummary { hz, first_ticks, ..CtfSummary::default() };
    let mut is_unchanged = Vec::new();
    for (input, layout) in inputs.iter().zip(&scan.layouts) {
        let is_packets = version == CtfVersion::Two && input.wire() == Some(Wire::Packets);
        let may_be = is_packets && declared.have(&layout.schemas);
        // Records get types of their own.
        let may_be = may_be && !layout.has_records;
        is_unchanged.push(may_be && unchanged::may_be(input, layout, times)?);
    }
    for (index, (input, layout)) in inputs.iter().zip(&scan.layouts).enumerate() {
        if is_unchanged.get(index) == Some(&true) {
            unchanged::copy((input, index), layout, (&mut streams, &mut summary))?;
        }
    }
    let mut classes = Classes::default();
    let found = if is_unchanged.contains(&false) {
        let to = (&mut streams, &mut summary);
        let mut sink = EventsToCtf::new(to, version, times, is_unchanged, &declared);
        let found = survey_scanned(inputs, options, scan, Some(&mut sink))?;
        classes = sink.into_classes();
        found
    } else {
        survey_scanned(inputs, options, scan, None)?
    };
    streams.close().map_err(ConvError::Write)?;
    let counts = Counts {
        hz,
        first_ticks,
        precision: counts::precision(inputs, hz),
        is_unknown: found.diagnostics.get(Problem::NoResolution).is_some(),
    };
    let text = match version {
        CtfVersion::One => tsdl::metadata(counts, &declared, &classes),
        CtfVersion::Two => json::metadata(counts, &declared, &classes),
    };
    write(output, "metadata", text.as_bytes()).map_err(ConvError::Write)?;
    Ok((found, summary))
}

fn write(output: &mut Output<'_>, name: &str, bytes: &[u8]) -> io::Result<()> {
    let mut file = output.file(name)?;
    file.write_all(bytes)?;
    file.flush()
}

/// The nearest whole number of Hz, 1 at least.
fn hertz(frequency: Frequency) -> u64 {
    let (numerator, denominator) = (frequency.numerator(), frequency.denominator());
    let half = u128::from(denominator / 2);
    let hz = (u128::from(numerator) + half) / u128::from(denominator);
    u64::try_from(hz).unwrap_or(u64::MAX).max(1)
}
