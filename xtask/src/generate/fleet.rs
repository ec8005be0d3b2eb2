//! `cargo xtask fleet`: creates recordings of three devices, whose firmware is replaced by a worse build.
//!
//! The faults are known, so that an answer to a query can be compared with them. In the older build `log` writes when there is
//! no other work. In the younger one it is more urgent than `control`, which sometimes waits for it, and it uses more of its
//! stack. One device loses events, with each build.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tband_format::{Event, FORMAT_VERSION, Str, registry::trace_info_flags};

use super::packed::EventPacker;
use super::random::Random;

/// The devices, each with the day on which it gets the younger build.
pub const DEVICES: [(&str, u32); 3] = [("pump-1", 4), ("pump-2", 5), ("pump-3", 6)];
/// The days of a month on which each device records.
pub const DAYS: u32 = 7;
/// The builds, the older one first.
pub const BUILDS: [&str; 2] = ["1.4.0", "1.5.0"];
/// The device that loses events.
pub const LOSES: &str = "pump-2";
/// Bytes of the stack of `log` that are never used, with each build.
pub const LOG_STACK: [u32; 2] = [260, 44];
/// Bytes of the stacks of `control` and `comm` that are never used, with either build.
pub const OTHER_STACKS: [u32; 2] = [312, 188];
/// How long `log` writes, which is how long `control` waits for it at least, in µs.
pub const WRITES_US: u64 = 1500;
/// Most that a task waits for the CPU otherwise, in µs.
pub const USUAL_US: u64 = 12;

const CYCLES: u64 = 200;
const CYCLE_US: u64 = 5000;
/// `log` writes once per this many cycles.
const WRITES_EVERY: u64 = 25;
/// Stacks are reported once per this many.
const STACKS_EVERY: u64 = 50;
/// Events are lost once per this many.
const LOSES_EVERY: u64 = 60;
const PACKET_SIZE: usize = 512;

const IDLE: u32 = 1;
const CONTROL: u32 = 2;
const COMM: u32 = 3;
const LOG: u32 = 4;
const TICK: u32 = 15;

/// One of the recordings.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Below the fleet's folder: `DEVICE/DATE/1.bin`.
    pub path: PathBuf,
    /// The recorded device.
    pub device: &'static str,
    /// The build of its firmware.
    pub build: &'static str,
    /// Events that it has lost.
    pub lost: u32,
}

/// Creates all recordings below a folder; they are the same each time.
///
/// # Errors
/// A file cannot be written.
pub fn make(folder: &Path) -> Result<Vec<Recording>> {
    let mut recordings = Vec::new();
    for day in 1..=DAYS {
        for (device, new_from) in DEVICES {
            let build = usize::from(day >= new_from);
            let path = folder.join(device).join(format!("2026-11-{day:02}")).join("1.bin");
            let cannot = || format!("cannot write {}", path.display());
            path.parent().map_or(Ok(()), fs::create_dir_all).with_context(cannot)?;
            let out = BufWriter::new(File::create(&path).with_context(cannot)?);
            let random = Random(recordings.len() as u64 + 1);
            let firmware = Firmware {
                build,
                loses: device == LOSES,
                random,
                now: 0,
                skips: 0,
                lost: 0,
                out: EventPacker::new(PACKET_SIZE, out),
            };
            let lost = firmware.run().with_context(cannot)?;
            recordings.push(Recording { path, device, build: BUILDS[build], lost });
        }
    }
    Ok(recordings)
}

/// A device while it records.
struct Firmware<W> {
    build: usize,
    loses: bool,
    random: Random,
    /// In µs.
    now: u64,
    /// Events that are still to be lost.
    skips: u32,
    lost: u32,
    out: EventPacker<W>,
}

impl<W: Write> Firmware<W> {
    /// Records to the end; the events that were lost.
    fn run(mut self) -> io::Result<u32> {
        self.begin()?;
        for cycle in 0..CYCLES {
            self.now = (cycle + 1) * CYCLE_US;
            self.cycle(cycle)?;
        }
        let lost = self.lost;
        self.out.finish()?;
        Ok(lost)
    }

    fn begin(&mut self) -> io::Result<()> {
        self.at(0, &Event::TsResolutionNs { ns_per_ts: 1000 })?;
        self.at(
            0,
            &Event::TraceInfo {
                format_version: FORMAT_VERSION,
                core_count: 1,
                flags: trace_info_flags::FREERTOS,
                kernel_version: Some(110_200),
                tick_rate_hz: Some(1000),
            },
        )?;
        self.at(0, &Event::BuildId { id: Str(BUILDS[self.build].as_bytes()) })?;
        self.at(0, &Event::IsrName { isr_id: TICK, name: Str(b"SysTick") })?;
        for (task_id, name) in [(IDLE, "IDLE"), (CONTROL, "control"), (COMM, "comm"), (LOG, "log")]
        {
            self.at(0, &Event::TaskName { task_id, name: Str(name.as_bytes()) })?;
        }
        self.at(0, &Event::TaskIsIdleTask { task_id: IDLE, core_id: 0 })?;
        // The mistake of the younger build.
        let log = [1, 4][self.build];
        for (task_id, priority) in [(IDLE, 0), (CONTROL, 3), (COMM, 2), (LOG, log)] {
            self.at(1, &Event::TaskPrioritySet { task_id, priority })?;
        }
        self.at(1, &Event::TaskSwitchedIn { task_id: IDLE })
    }

    /// The tick wakes `control`, which computes and wakes `comm`; now and then it wakes `log` too.
    fn cycle(&mut self, cycle: u64) -> io::Result<()> {
        let writes = cycle % WRITES_EVERY == WRITES_EVERY - 1;
        self.at(0, &Event::IsrEnter { isr_id: TICK })?;
        self.at(2, &Event::TaskToRdyState { task_id: CONTROL })?;
        if writes {
            self.at(1, &Event::TaskToRdyState { task_id: LOG })?;
        }
        self.at(2, &Event::IsrExit { isr_id: TICK })?;
        if writes && self.build == 1 {
            self.write_log()?;
        }
        if self.loses && cycle % LOSES_EVERY == LOSES_EVERY - 1 {
            self.skips = 1 + self.random.below(5) as u32;
        }
        self.switch(CONTROL)?;
        self.at(400, &Event::TaskToRdyState { task_id: COMM })?;
        self.at(5, &Event::CurtaskDelay { ticks: 5 })?;
        self.switch(COMM)?;
        self.at(200, &Event::CurtaskDelay { ticks: 5 })?;
        if writes && self.build == 0 {
            self.write_log()?;
        }
        if cycle.is_multiple_of(STACKS_EVERY) {
            let stacks = [OTHER_STACKS[0], OTHER_STACKS[1], LOG_STACK[self.build]];
            // They have used the most in the end.
            let less = (CYCLES - cycle - 1) as u32 / STACKS_EVERY as u32 * 16;
            for (task_id, bytes) in [CONTROL, COMM, LOG].into_iter().zip(stacks) {
                let bytes = bytes + less;
                self.at(3, &Event::TaskStackHighWaterMark { task_id, bytes })?;
            }
        }
        self.switch(IDLE)
    }

    fn write_log(&mut self) -> io::Result<()> {
        self.switch(LOG)?;
        self.at(WRITES_US, &Event::CurtaskDelay { ticks: 125 })
    }

    /// Within the usual waiting time of a task.
    fn switch(&mut self, task_id: u32) -> io::Result<()> {
        let after = 2 + self.random.below(4);
        self.at(after, &Event::TaskSwitchedIn { task_id })
    }

    /// Adds an event, this many µs after the one before.
    fn at(&mut self, after: u64, event: &Event<'_>) -> io::Result<()> {
        self.now += after;
        if self.skips > 0 {
            self.skips -= 1;
            self.lost += 1;
            if self.skips > 0 {
                return Ok(());
            }
            return self.out.write(0, self.now, &Event::DroppedEvtCnt { cnt: self.lost });
        }
        self.out.write(0, self.now, event)
    }
}
