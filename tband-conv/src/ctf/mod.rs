//! Recordings as traces of the Common Trace Format (CTF), for babeltrace2, Trace Compass and similar tools: a folder with a
//! file for each stream, and one that describes all events. The description is generated from the registry and from the schemas
//! in the recordings.
//!
//! Packets are packets of CTF 2 already, so their events are copied unchanged. Headers are copied, too, except where one core
//! has several recordings, which are separate streams. Everything else is encoded again: frames, and for CTF 1.8, which has no
//! numbers of variable length, everything. With the event names of the Linux kernel's tracer, the trace has only switches,
//! wakes and interrupts, as the timeline reports them.

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
use self::declared::DeclaredSchemas;
pub use self::kernel::convert_scheduling_to_ctf;
use self::records::Classes;
use self::sink::EventsToCtf;
use self::streams::Streams;
use self::times::Times;
use crate::clock::frequency::Frequency;
use crate::convert::Summary;
use crate::convert::second_pass::SecondPass;
use crate::diagnostics::Problem;
use crate::error::ConvError;
use crate::input::Input;
use crate::model::Events;
use crate::options::Options;
use crate::output::Output;
use crate::scan::Scan;
use crate::sinks::FinalState;
use crate::wire::Wire;

/// Which version of CTF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CtfVersion {
    /// 1.8.
    One,
    /// 2.
    Two,
}

/// Statistics of a written trace.
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
    /// Events beyond the range that readers can show, 292 years, which are shown at its end.
    pub beyond: u64,
    /// The tick with which the trace begins, if it does not begin with the timer: the first event's is beyond 146 years.
    pub first_ticks: u64,
    /// How often the clock of the trace counts in a second; the nearest to the recording's, if that is a fraction.
    pub hz: u64,
}

/// Writes a trace into a folder, and returns the other findings of the conversion. Files are read twice, those of packets four
/// times for CTF 2.
///
/// Lost packets and discarded events are reported as the format defines, by sequence numbers and counts. A trace cannot
/// represent other faults of a recording: see [`convert()`](crate::convert()). It cannot represent a timer whose frequency changes
/// either; times are ticks of the first frequency. Readers count nanoseconds in 63 bits: a recording that begins beyond half of
/// that range begins at 0 instead, and later times are shown at the end of the range.
///
/// # Errors
/// [`ConvError`] if an input cannot be read or is not a recording, a window is requested, or a file cannot be written.
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
    let declared = DeclaredSchemas::of(&schemas);
    let clock = scan.outset.clock(options.tick_rate);
    let hz = hertz(clock.frequency());
    let times = Times::new(&clock, hz);
    let mut streams = Streams::new(output);
    let first_ticks = times.first();
    let mut summary = CtfSummary { hz, first_ticks, ..CtfSummary::default() };
    let mut is_unchanged = Vec::new();
    for (input, layout) in inputs.iter().zip(&scan.layouts) {
        let is_packets = version == CtfVersion::Two && input.wire() == Some(Wire::Packets);
        let may_be = is_packets && declared.has_all(&layout.schemas);
        // Records get their own types.
        let may_be = may_be && !layout.has_records;
        is_unchanged.push(may_be && unchanged::may_be(input, layout, times)?);
    }
    for (index, (input, layout)) in inputs.iter().zip(&scan.layouts).enumerate() {
        if is_unchanged.get(index) == Some(&true) {
            unchanged::copy((input, index), layout, (&mut streams, &mut summary))?;
        }
    }
    let mut classes = Classes::default();
    let pass = SecondPass::new(inputs, options, scan);
    let found = if is_unchanged.contains(&false) {
        let to = (&mut streams, &mut summary);
        let mut sink = EventsToCtf::new(to, version, times, is_unchanged, &declared);
        let found = pass.run(&mut Events::new(&mut sink))?;
        classes = sink.into_classes();
        found
    } else {
        pass.run(&mut FinalState::new(|_| {}))?
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

/// Returns the nearest whole number of Hz, at least 1.
fn hertz(frequency: Frequency) -> u64 {
    let (numerator, denominator) = (frequency.numerator(), frequency.denominator());
    let half = u128::from(denominator / 2);
    let hz = (u128::from(numerator) + half) / u128::from(denominator);
    u64::try_from(hz).unwrap_or(u64::MAX).max(1)
}
