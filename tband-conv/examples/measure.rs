//! One measured run over a recording, for `cargo xtask bench host`.
//!
//! `measure decode|timeline|stats|conv|conv-rows|dump|dump-json FILE [OUT]` reads FILE, writes OUT if it is given, and prints
//! `events=N bytes_out=N peak_rss_kib=N nanoseconds=N`. Callgrind counts the instructions of whole
//! runs of it, and the benchmark takes the difference of two sizes.

use std::error::Error;
use std::fs::File;
use std::hint::black_box;
use std::io::{self, BufWriter, Write};
use std::time::Instant;

use tband_conv::sinks::{Interrupts, Perfetto, Stats};
use tband_conv::timeline::{At, Change, Sink, World};
use tband_conv::{
    DumpFormat, EventReader, Input, Item, Mode, Options, Origin, Visitor, convert, dump,
};
use tband_format::Decoded;

/// Counts what is written.
struct Counted<W>(W, u64);

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes)?;
        self.1 += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// What every sink costs at least: it counts the steps, and when the last one was, and so needs each of
/// them, but nothing of what they say.
#[derive(Debug, Default)]
struct Steps {
    count: u64,
    last_ns: i64,
}

impl Sink for Steps {
    #[inline(always)]
    fn change(&mut self, _: &World, at: At, _: &Change<'_>) -> io::Result<()> {
        self.count = self.count.wrapping_add(1);
        self.last_ns = self.last_ns.max(at.ns);
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(what), Some(path)) = (args.next(), args.next()) else {
        return Err("usage: measure decode|timeline|stats|conv FILE [OUT]".into());
    };
    let input = Input::new("recording", || Ok(Box::new(File::open(&path)?)));
    let inputs = [input];
    let options = Options::default();
    let start = Instant::now();
    let (events, bytes_out) = match what.as_str() {
        "decode" => (decode(&inputs[0])?, 0),
        "stats" => {
            let mut sink = Stats::default();
            let events = convert(&inputs, &options, &mut sink)?.events;
            black_box(&sink);
            (events, 0)
        }
        "timeline" => {
            let mut steps = Steps::default();
            let events = convert(&inputs, &options, &mut steps)?.events;
            black_box(&steps);
            (events, 0)
        }
        "conv" | "conv-rows" => {
            let out: Box<dyn Write> = match args.next() {
                Some(path) => Box::new(BufWriter::new(File::create(path)?)),
                None => Box::new(io::sink()),
            };
            let interrupts = if what == "conv" { Interrupts::Cpu } else { Interrupts::Rows };
            let mut sink = Perfetto::new(Counted(out, 0)).with_interrupts(interrupts);
            let events = convert(&inputs, &options, &mut sink)?.events;
            (events, sink.into_inner().1)
        }
        "dump" | "dump-json" => {
            let format = if what == "dump" { DumpFormat::Text } else { DumpFormat::Json };
            (dump(&inputs[0], Mode::FreeRtos, format, io::sink())?.events, 0)
        }
        _ => return Err(format!("nothing to measure: {what}").into()),
    };
    let nanoseconds = start.elapsed().as_nanos();
    let peak_rss_kib = peak_rss_kib().unwrap_or(0);
    println!(
        "events={events} bytes_out={bytes_out} peak_rss_kib={peak_rss_kib} nanoseconds={nanoseconds}"
    );
    Ok(())
}

/// Reads and decodes every frame and does nothing with the events.
fn decode(input: &Input<'_>) -> Result<u64, Box<dyn Error>> {
    struct Nothing;

    impl Visitor for Nothing {
        type Error = io::Error;

        #[inline(always)]
        fn event(&mut self, _: &Origin<'_>, decoded: &Decoded<'_>) -> io::Result<()> {
            black_box(decoded);
            Ok(())
        }

        fn other(&mut self, _: &Item<'_>) -> io::Result<()> {
            Ok(())
        }
    }

    let mut reader = EventReader::new(input.open()?, 0, Mode::FreeRtos);
    reader.visit(&mut Nothing)?;
    Ok(reader.events())
}

/// The most memory that this process had so far; `None` where the system does not say.
fn peak_rss_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}
