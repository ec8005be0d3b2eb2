//! The memory of an export or a command grows with the objects of the target, not with the recording: counted by an allocator.

use std::io::{self, Seek, SeekFrom, Write};

use tband_app::commands::{COMMANDS, Run};
use tband_app::exports::{EXPORTS, Export, OutputKind, Settings};
use tband_app::options::CommandSettings;
use tband_conv::{Input, Options};
use tband_format::Event;
use tband_fuzz::{PeakAlloc, peak_of};
use tband_recordings::{frame, str, two_tasks};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Slices of a report: fewer than the shorter recording has.
const MAX_SLICES: usize = 10_000;

/// Discards the output, and tracks the position.
#[derive(Default)]
struct DiscardingWriter {
    at: u64,
    end: u64,
}

impl Write for DiscardingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.at += bytes.len() as u64;
        self.end = self.end.max(self.at);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for DiscardingWriter {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => self.end.saturating_add_signed(by),
            SeekFrom::Current(by) => self.at.saturating_add_signed(by),
        };
        Ok(self.at)
    }
}

/// Switches, interrupts, levels, values, texts that differ, and losses.
fn recording(turns: u64) -> Vec<u8> {
    let mut recording = two_tasks();
    for turn in 1..=turns {
        let ts = 100 * turn;
        let text = format!("turn {turn}");
        for (at, event) in [
            (1, Event::TaskSwitchedIn { task_id: 1 + (turn % 2) as u32 }),
            (2, Event::IsrEnter { isr_id: 3 }),
            (3, Event::QueueSendFromIsr { queue_id: 4, len_after: (turn % 9) as u32 }),
            (4, Event::IsrExit { isr_id: 3 }),
            (5, Event::Evtmarker { evtmarker_id: 1, msg: str(&text) }),
            (6, Event::Valmarker { valmarker_id: 1, val: turn.cast_signed() }),
        ] {
            recording.0.extend(frame(ts + at, event));
        }
        if turn % 1000 == 0 {
            recording = recording.at(ts + 9, Event::DroppedEvtCnt { cnt: (turn / 1000) as u32 });
        }
    }
    recording.0
}

/// Converts, and returns the peak of allocated bytes.
fn peak(export: &Export, bytes: &[u8]) -> usize {
    let inputs = [Input::from_bytes("r", bytes)];
    let (options, settings) = (Options::default(), Settings::default());
    peak_of(|| {
        let made = match export.form {
            OutputKind::Stream(write) => write(&inputs, &options, &settings, &mut io::sink()),
            OutputKind::File(write) => {
                write(&inputs, &options, &settings, &mut DiscardingWriter::default())
            }
            OutputKind::Folder(write) => {
                write(&inputs, &options, &settings, &mut |_| Ok(Box::new(io::sink())))
            }
            OutputKind::SendFolder(write) => {
                write(&inputs, &options, &settings, &mut |_| Ok(Box::new(io::sink())))
            }
            OutputKind::Missing(how) => panic!("{how}"),
        };
        made.unwrap();
    })
}

/// Does the same for a command.
fn peak_of_command(run: Run, bytes: &[u8]) -> usize {
    let inputs = [Input::from_bytes("r", bytes)];
    let wanted = CommandSettings { max_slices: MAX_SLICES, ..CommandSettings::default() };
    peak_of(|| drop(run(&inputs, &Options::default(), &wanted, &mut io::sink()).unwrap()))
}

fn is_bounded(name: &str, bound: usize, [short, long]: [usize; 2]) {
    assert!(long < bound, "{name}: {long} bytes");
    assert!(long < short + (1 << 19), "{name}: {short}, then {long} bytes");
}

/// One after another: the counts are those of the complete process.
#[test]
fn memory_is_bounded() {
    let recordings = [8_000, 32_000].map(recording);
    for export in EXPORTS {
        // Its own package tests it: it keeps a group of rows before it writes any.
        if export.name == "parquet" {
            continue;
        }
        let peaks = recordings.each_ref().map(|bytes| peak(export, bytes));
        is_bounded(export.name, export.memory, peaks);
    }
    for command in COMMANDS {
        for output in command.outputs {
            let peaks = recordings.each_ref().map(|bytes| peak_of_command(output.run, bytes));
            is_bounded(output.ending, command.memory, peaks);
        }
    }
}
