//! Recordings as traces of the Common Trace Format (CTF), for babeltrace2, Trace Compass and their like: a folder with
//! a file for each stream, and one that describes all events, written from the registry.
//!
//! Packets are packets of CTF 2 already, so their events go into the trace as they are; headers too, but where one
//! core has several recordings, which are streams of their own. All else is encoded anew: frames, and for CTF 1.8,
//! which has no numbers of variable length, everything. In the words of the Linux kernel's tracer there are switches,
//! wakes and interrupts only, as the timeline tells them.

mod fixed;
mod json;
mod kernel;
mod sink;
mod streams;
mod tsdl;
mod unchanged;

use std::io;

pub use self::kernel::convert_scheduling_to_ctf;
use self::sink::EventsToCtf;
use self::streams::Streams;
use crate::convert::convert_events;
use crate::error::ConvError;
use crate::frequency::Frequency;
use crate::input::Input;
use crate::options::Options;
use crate::output::Output;
use crate::scan::Scan;

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
    /// Events that have no place in it: strings with a NUL inside, or longer than a packet.
    pub left_out: u64,
    /// How often the clock of the trace counts in a second; the nearest to the recording's, if that is a fraction.
    pub hz: u64,
}

/// Writes a trace into a folder. Files are read three times.
///
/// Lost packets and discarded events are told in the way of the format, by sequence numbers and counts. What else
/// is wrong with a recording has no place in a trace: see [`convert`](crate::convert). A timer whose frequency
/// changes has none either; times are ticks of the first one.
///
/// # Errors
/// [`ConvError`] if an input cannot be read or is no recording, a window is asked for, or a file cannot be written.
pub fn convert_to_ctf(
    inputs: &[Input<'_>],
    options: &Options,
    version: CtfVersion,
    output: &mut Output<'_>,
) -> Result<CtfSummary, ConvError> {
    if options.from.is_some() || options.to.is_some() {
        return Err(ConvError::NoWindow { what: "CTF" });
    }
    let scan = Scan::run(inputs, options.mode)?;
    let hz = hertz(scan.clock(options.tick_rate).frequency());
    let mut streams = Streams::new(output);
    let mut summary = CtfSummary { hz, ..CtfSummary::default() };
    let is_unchanged: Vec<bool> =
        inputs.iter().map(|input| version == CtfVersion::Two && input.is_packets()).collect();
    for (index, input) in inputs.iter().enumerate() {
        if is_unchanged.get(index) == Some(&true) {
            unchanged::copy(input, index, &mut streams, &mut summary)?;
        }
    }
    if is_unchanged.contains(&false) {
        let mut sink = EventsToCtf::new(&mut streams, &mut summary, version, is_unchanged);
        convert_events(inputs, options, &mut sink)?;
    }
    streams.close().map_err(ConvError::Write)?;
    let text = match version {
        CtfVersion::One => tsdl::metadata(hz),
        CtfVersion::Two => json::metadata(hz),
    };
    write(output, "metadata", text.as_bytes()).map_err(ConvError::Write)?;
    Ok(summary)
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
