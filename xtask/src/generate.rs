//! `cargo xtask generate`: creates recordings of any size, for benchmarks and tests.
//!
//! A simulated FreeRTOS target ([`simulation`]) is recorded as one stream, or as one file per core. The same options give the
//! same bytes on every machine. The content of a recording is not taken for granted: [`mix`] counts it, tenth by tenth.

mod acts;
pub mod fleet;
pub mod mix;
mod objects;
mod packed;
mod random;
pub mod simulation;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, Result};
use tband_format::{Event, encode_frame};

use mix::Mix;
use packed::EventPacker;
use simulation::Simulation;

/// Options of the generated recording.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Bytes after which the recording ends, with the next complete frame; for packets, the bytes that frames would have.
    pub size: u64,
    /// Cores of the target; at least one.
    pub cores: u32,
    /// Tasks of each core; at least ten.
    pub tasks: u32,
    /// Start of the random numbers.
    pub seed: u64,
    /// The target loses a few events once per this many; never if 0.
    pub loss_every: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { size: 100_000, cores: 1, tasks: simulation::TASKS, seed: 1, loss_every: 0 }
    }
}

impl Options {
    /// The recording has this many bytes so far.
    const fn reached(&self, bytes: u64) -> ControlFlow<()> {
        if bytes < self.size { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Generates one stream with the events of all cores.
///
/// # Errors
/// The error of `out`.
pub fn stream(options: &Options, out: impl Write) -> io::Result<u64> {
    let mut frames = Frames { out, written: 0 };
    // The stream contains the core on which it starts.
    let mut current = None;
    Simulation::new(options).run(|core, ts, event| {
        if let Some((ts, core_id)) = core_id(&mut current, core, ts) {
            frames.write(ts, &core_id)?;
        }
        frames.write(ts, event)?;
        Ok(options.reached(frames.written))
    })?;
    frames.out.flush()?;
    Ok(frames.written)
}

/// Generates the same events as [`stream`], one recording a core.
#[must_use]
pub fn split(options: &Options) -> Vec<Vec<u8>> {
    let mut files: Vec<_> =
        (0..options.cores).map(|_| Frames { out: Vec::new(), written: 0 }).collect();
    let mut total = 0;
    let mut current = None;
    let done = Simulation::new(options).run(|core, ts, event| {
        if let Some((ts, core_id)) = core_id(&mut current, core, ts) {
            // The size in the stream.
            total += Frames { out: io::sink(), written: 0 }.write(ts, &core_id)?;
        }
        if let Some(file) = files.get_mut(core as usize) {
            total += file.write(ts, event)?;
        }
        Ok(options.reached(total))
    });
    debug_assert!(done.is_ok(), "memory does not fail");
    files.into_iter().map(|file| file.out).collect()
}

/// Generates the same events as [`stream`] in packets of this many bytes, with the numbers of lost events in their headers,
/// where packets have them. Returns the bytes of the packets.
///
/// # Errors
/// The error of `out`.
pub fn packets(options: &Options, packet_size: usize, out: impl Write) -> io::Result<u64> {
    let mut packed = EventPacker::new(packet_size, out);
    let mut frames = Frames { out: io::sink(), written: 0 };
    let mut current = None;
    Simulation::new(options).run(|core, ts, event| {
        if let Some((ts, core_id)) = core_id(&mut current, core, ts) {
            frames.write(ts, &core_id)?;
        }
        frames.write(ts, event)?;
        packed.write(core, ts, event)?;
        Ok(options.reached(frames.written))
    })?;
    packed.finish()
}

/// Returns the event that reports another core, with its time; time 0 marks the start of the stream.
fn core_id(current: &mut Option<u32>, core: u32, ts: u64) -> Option<(u64, Event<'static>)> {
    let event = Event::CoreId { core_id: core };
    match current.replace(core) {
        None => Some((0, event)),
        Some(before) if before != core => Some((ts, event)),
        Some(_) => None,
    }
}

struct Frames<W> {
    out: W,
    written: u64,
}

impl<W: Write> Frames<W> {
    fn write(&mut self, ts: u64, event: &Event<'_>) -> io::Result<u64> {
        let mut frame = [0; 128];
        let len = encode_frame(event, ts, &mut frame).map_err(io::Error::other)?;
        self.out.write_all(&frame[..len])?;
        self.written += len as u64;
        Ok(len as u64)
    }
}

/// Reads a size such as `500`, `64k`, `10M` or `2G`.
///
/// # Errors
/// It is no such size.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.trim_end_matches(['B', 'b']) {
        text if text.ends_with(['k', 'K']) => (&text[..text.len() - 1], 1_000),
        text if text.ends_with('M') => (&text[..text.len() - 1], 1_000_000),
        text if text.ends_with('G') => (&text[..text.len() - 1], 1_000_000_000),
        text => (text, 1),
    };
    let size = digits.parse().ok().and_then(|number: u64| number.checked_mul(unit));
    size.ok_or_else(|| "write a number of bytes, such as 500, 64k, 10M or 2G".to_owned())
}

/// Writes a recording to a file, in packets of `packet_size` bytes if given, reads it again and prints its content.
///
/// # Errors
/// The file cannot be written or read.
pub fn run(options: &Options, packet_size: Option<usize>, path: &Path) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let file = File::create(path).with_context(cannot)?;
    let out = BufWriter::with_capacity(1 << 18, file);
    let written = match packet_size {
        Some(packet_size) => packets(options, packet_size, out),
        None => stream(options, out),
    };
    let written = written.with_context(cannot)?;
    println!("{}: {written} bytes", path.display());
    print!("{}", Mix::of_file(path)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tband_conv::events::EventReader;
    use tband_conv::item::Mode;
    use tband_conv::{Options as ConvOptions, convert};

    fn bytes(options: &Options) -> Vec<u8> {
        let mut bytes = Vec::new();
        stream(options, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse_size("500"), Ok(500));
        assert_eq!(parse_size("64kB"), Ok(64_000));
        assert_eq!(parse_size("2G"), Ok(2_000_000_000));
        for wrong in ["", "M", "x", "-1", "99999999999G"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    /// All events are in both; those that packets do not have are in their headers.
    #[test]
    fn packets_have_the_events_of_the_stream() {
        for cores in [1, 3] {
            let options = Options { cores, loss_every: 1000, ..Options::default() };
            let mut packed = Vec::new();
            let written = packets(&options, 512, &mut packed).unwrap();
            assert_eq!(written, packed.len() as u64);
            let times = |bytes: &[u8]| {
                let mut reader = EventReader::new(bytes, 0, Mode::FreeRtos);
                let mut events = Vec::new();
                while let Some(item) = reader.next_item().unwrap() {
                    let Ok(decoded) = item.event else { continue };
                    if let Some(ts) = decoded.ts.filter(|_| {
                        !matches!(
                            decoded.event,
                            Event::CoreId { .. }
                                | Event::DroppedEvtCnt { .. }
                                | Event::RunningTask { .. }
                                | Event::OpenIsr { .. }
                        )
                    }) {
                        events.push((item.core, ts, format!("{:?}", decoded.event)));
                    }
                }
                events.sort_by_key(|(core, ts, _)| (*core, *ts));
                (events, reader.link().map(|link| link.discarded))
            };
            let (in_frames, _) = times(&bytes(&options));
            let (in_packets, discarded) = times(&packed);
            assert_eq!(in_packets, in_frames);
            assert!(discarded.is_some_and(|discarded| discarded > 0), "{discarded:?}");
        }
    }

    #[test]
    fn recordings_are_the_same_each_time_and_clean() {
        for cores in [1, 3] {
            let options = Options { cores, ..Options::default() };
            let first = bytes(&options);
            assert!((100_000..100_200).contains(&first.len()), "{}", first.len());
            assert_eq!(first, bytes(&options));
            let input = tband_conv::Input::from_bytes("g", &first);
            let summary = convert(&[input], &ConvOptions::default(), &mut ()).unwrap();
            assert!(summary.diagnostics.iter().next().is_none(), "{:?}", summary.diagnostics);
        }
    }
}
