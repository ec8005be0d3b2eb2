//! How a case is converted: read from its first bytes, so that the fuzzer changes it as it changes
//! the recording.

use std::io::{self, Read};
use std::rc::Rc;

use tband_conv::clock::frequency::Frequency;
use tband_conv::clock::moment::Moment;
use tband_conv::dump::{DumpFormat, DumpOptions, ObjectSelector};
use tband_conv::encoding::notation::Format;
use tband_conv::item::Mode;
use tband_conv::model::Flows;
use tband_conv::records::{ProgramId, ProgramSymbol, formats_of_section};
use tband_conv::{Input, Options};

use crate::ctf::trace_of;

/// Bytes of a case before its recording.
pub const HEADER: usize = 3;

/// How the recording becomes inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inputs {
    One,
    /// The same for two cores.
    Twice,
    /// Cut in the middle, for two cores.
    Halves,
    /// Twice in a row, as after a restart.
    Repeated,
}

/// Work in addition to the conversion. Not everything is done in every case, so that a case is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtraWork {
    /// A dump.
    Dump(DumpFormat),
    /// The events are counted.
    Count,
}

/// How a case is converted.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The case has payloads, not a recording.
    pub framed: bool,
    /// The case has the contents of packets, not a recording.
    pub packed: bool,
    /// How the recording is converted.
    pub options: Options,
    /// Work in addition to the conversion.
    pub beside: ExtraWork,
    /// What the dump leaves out.
    pub dump_options: DumpOptions,
    inputs: Inputs,
    format: Format,
    /// Most bytes that a reader gives at a time.
    gulp: usize,
}

/// Formats of records of every type, as a program's section has them.
const FORMATS: &[u8] = b"s:%s\x03\0m:%p\x03\0iI:a=%d b=%*.*x\x03\0qQ[%lld %#llo\x03\0fd]%.*g %a %n %\x03\0?cbBhHiI:%d%c%5000d\x03\0";

impl Setup {
    /// Reads it from the head of a case; returns the rest too. Missing bytes count as 0.
    #[must_use]
    pub fn read(case: &[u8]) -> (Self, &[u8]) {
        let (head, rest) = case.split_at(case.len().min(HEADER));
        let byte = |at| head.get(at).copied().unwrap_or(0);
        let (reading, converting, dumping) = (byte(0), byte(1), byte(2));
        let mut options = Options::default();
        options.census = true;
        options.mode =
            [Mode::Auto, Mode::FreeRtos, Mode::BareMetal, Mode::Auto][bits(reading, 1, 2)];
        options.window = [None, Some(1000), Some(64), Some(0)][bits(converting, 0, 2)];
        options.flows = [Flows::All, Flows::Wakes, Flows::None, Flows::All][bits(converting, 2, 2)];
        let rates = [None, None, Frequency::new(64_000_000, 1), Frequency::new(1, 3)];
        options.tick_rate = rates[bits(dumping, 6, 2)];
        options.core_count = [None, Some(1), Some(2), Some(64)][bits(converting, 4, 2)];
        let beside = [
            ExtraWork::Dump(DumpFormat::Json),
            ExtraWork::Dump(DumpFormat::TextWithOffsets),
            ExtraWork::Count,
            ExtraWork::Count,
        ];
        // At addresses that hit: those of small numbers, and of what the case itself has.
        let of_case = formats_of_section(0, rest.get(..256).unwrap_or(rest));
        let build = (converting & 1 == 1).then_some(0x0000_0001_0000_0002);
        options.program = ProgramId { build, ..ProgramId::default() };
        let program = options.program.clone();
        options.record_formats =
            of_case.into_iter().chain(formats_of_section(0, FORMATS)).collect();
        let record_formats = options.record_formats.clone();
        let number = u64::from(dumping >> 4);
        let set = |bit: u32| dumping >> bit & 1 == 1;
        let (mode, tick_rate) = (options.mode, options.tick_rate);
        let setup = Self {
            framed: reading & 1 == 1,
            packed: bits(reading, 5, 2) == 3,
            options,
            beside: beside[bits(converting, 6, 2)],
            dump_options: DumpOptions {
                mode,
                format: DumpFormat::Text,
                from: set(0).then_some(Moment::Ns(number * 100)),
                to: set(1).then_some(Moment::Ticks(u64::MAX >> (number * 4))),
                core: set(2).then_some(u32::from(dumping >> 4)),
                events: Vec::new(),
                limit: set(3).then_some(number),
                tick_rate,
                program,
                record_formats,
                symbols: vec![ProgramSymbol {
                    at: 1,
                    len: 3,
                    is_thumb: false,
                    name: "one".to_owned(),
                }],
                task: set(4).then_some(ObjectSelector::Id(1)),
                queue: None,
            },
            inputs: [Inputs::One, Inputs::Twice, Inputs::Halves, Inputs::Repeated]
                [bits(reading, 3, 2)],
            format: [Format::Bin, Format::Hex, Format::Auto, Format::Bin][bits(reading, 5, 2)],
            gulp: if reading >> 7 == 1 { 3 } else { usize::MAX },
        };
        (setup, rest)
    }

    /// The inputs of the conversion.
    #[must_use]
    pub fn inputs<'a>(&self, recording: &'a [u8]) -> Vec<Input<'a>> {
        if let Some((trace, stream)) = trace_of(recording) {
            let of_stream = |bytes: &'a [u8], core| {
                let input = Input::new("stream", self.open_chunked(bytes, &[])).on_core(core);
                input.of_trace(Rc::clone(&trace))
            };
            return match self.inputs {
                Inputs::One => vec![of_stream(stream, 0)],
                _ => vec![of_stream(stream, 0), of_stream(stream, 1)],
            };
        }
        let (front, back) = recording.split_at(recording.len() / 2);
        match self.inputs {
            Inputs::One => vec![self.input("a", recording, &[])],
            Inputs::Repeated => vec![self.input("a", recording, recording)],
            Inputs::Twice => {
                vec![self.input("a", recording, &[]), self.input("b", recording, &[]).on_core(1)]
            }
            Inputs::Halves => {
                vec![self.input("a", front, &[]), self.input("b", back, &[]).on_core(1)]
            }
        }
    }

    /// An input of these bytes, one part after the other.
    fn input<'a>(&self, name: &str, front: &'a [u8], back: &'a [u8]) -> Input<'a> {
        if self.format != Format::Hex {
            return Input::new(name, self.open_chunked(front, back)).in_format(self.format);
        }
        let gulp = self.gulp;
        let open = move || -> io::Result<Box<dyn Read + 'a>> {
            Ok(Box::new(ChunkedReader { reader: io::Cursor::new(hex_of(front, back)), gulp }))
        };
        Input::new(name, open).in_format(self.format)
    }

    /// Opens these bytes, one part after the other.
    fn open_chunked<'a>(
        &self,
        front: &'a [u8],
        back: &'a [u8],
    ) -> impl Fn() -> io::Result<Box<dyn Read + 'a>> + use<'a> {
        let gulp = self.gulp;
        move || Ok(Box::new(ChunkedReader { reader: front.chain(back), gulp }))
    }
}

/// A number of some bits of a byte.
fn bits(byte: u8, from: u32, count: u32) -> usize {
    usize::from(byte >> from) & ((1 << count) - 1)
}

fn hex_of(front: &[u8], back: &[u8]) -> Vec<u8> {
    let digit = |value: u8| char::from_digit(value.into(), 16).map_or(b'?', |digit| digit as u8);
    front.iter().chain(back).flat_map(|byte| [digit(byte >> 4), digit(byte & 15), b' ']).collect()
}

/// Returns at most some bytes at a time.
struct ChunkedReader<R> {
    reader: R,
    gulp: usize,
}

impl<R: Read> Read for ChunkedReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = buf.len().min(self.gulp);
        self.reader.read(&mut buf[..len])
    }
}
