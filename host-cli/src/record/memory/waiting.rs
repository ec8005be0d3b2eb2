//! A simulated chip with another recorder, which sends nothing until the start command is in its down-channel.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context;
use tband_conv::InputFormat;
use tband_program::Memory;

use super::super::dialect::Dialect;
use super::super::pump::{self, SourceEvent};
use super::super::source::StopFlag;
use super::super::started::started;
use super::InMemory;
use crate::args::TargetArgs;
use crate::args::sources::SourceKind;
use crate::target::{Attach, AttachedTarget, Target};

const BASE: u64 = 0x2000_0000;
const LEN: u64 = 0x2000;
const BLOCK: u64 = BASE + 0x40;
/// Two channels go up and one goes down.
const UP: u64 = BLOCK + 24 + 24;
const DOWN: u64 = UP + 24;
const RING: u64 = BASE + 0x1000;
const SIZE: u64 = 256;
const DOWN_RING: u64 = BASE + 0x800;
/// As in the recorders' own configurations: 7 bytes at once.
const DOWN_SIZE: u64 = 8;

struct Chip {
    ram: Vec<u8>,
    recording: Vec<u8>,
    /// Bytes of the recording that are in the channel, or were.
    sent: usize,
    commands: Vec<u8>,
    start: &'static [u8],
}

impl Chip {
    fn new(names: [&[u8]; 2], start: &'static [u8], recording: &[u8]) -> Self {
        let (ram, recording) = (vec![0; LEN as usize], recording.to_vec());
        let mut chip = Self { ram, recording, sent: 0, commands: Vec::new(), start };
        chip.put(BASE, b"Terminal\0");
        chip.put(BASE + 0x10, names[0]);
        chip.put(BASE + 0x20, names[1]);
        let base = BASE as u32;
        let words = [2, 1, base, base + 0x900, 16, 0, 0, 0, base + 0x10, RING as u32, SIZE as u32]
            .into_iter()
            .chain([0, 0, 0, base + 0x20, DOWN_RING as u32, DOWN_SIZE as u32, 0, 0, 0]);
        for (at, word) in (BLOCK + 16..).step_by(4).zip(words) {
            chip.put(at, &word.to_le_bytes());
        }
        chip.put(BLOCK, b"SEGGER RTT\0\0\0\0\0\0");
        chip
    }

    fn put(&mut self, at: u64, bytes: &[u8]) {
        let at = (at - BASE) as usize;
        self.ram[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn word(&self, at: u64) -> u64 {
        let at = (at - BASE) as usize;
        u32::from_le_bytes(self.ram[at..at + 4].try_into().unwrap()).into()
    }

    /// The firmware takes a byte of a command, and sends a few bytes if it was started.
    fn run(&mut self) {
        let read = self.word(DOWN + 16);
        if read != self.word(DOWN + 12) {
            self.commands.push(self.ram[(DOWN_RING - BASE + read) as usize]);
            self.put(DOWN + 16, &(((read + 1) % DOWN_SIZE) as u32).to_le_bytes());
        }
        for _ in 0..50 {
            let (write, read) = (self.word(UP + 12), self.word(UP + 16));
            let next = (write + 1) % SIZE;
            if next == read || !self.commands.starts_with(self.start) {
                return;
            }
            let Some(byte) = self.recording.get(self.sent).copied() else { return };
            self.put(RING + write, &[byte]);
            self.put(UP + 12, &(next as u32).to_le_bytes());
            self.sent += 1;
        }
    }
}

struct Probe(Arc<Mutex<Chip>>);

impl Attach for Probe {
    fn name(&self) -> String {
        "probe:simulated".to_owned()
    }

    fn attach(&mut self) -> anyhow::Result<AttachedTarget> {
        let target = Box::new(SharedChip(Arc::clone(&self.0)));
        Ok(AttachedTarget { target, ram: vec![(BASE, BASE + LEN)] })
    }
}

struct SharedChip(Arc<Mutex<Chip>>);

impl Memory for SharedChip {
    fn read(&mut self, at: u64, buf: &mut [u8]) -> anyhow::Result<()> {
        let mut chip = self.0.lock().unwrap();
        chip.run();
        let from = usize::try_from(at.checked_sub(BASE).context("no memory")?)?;
        buf.copy_from_slice(chip.ram.get(from..from + buf.len()).context("no memory")?);
        Ok(())
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> anyhow::Result<()> {
        self.0.lock().unwrap().put(at, bytes);
        Ok(())
    }
}

impl Target for SharedChip {}

/// Both recorders' channels, by their names; the command of 8 bytes does not fit at once.
#[test]
fn a_recorder_that_waits_in_the_target_is_started_and_stopped() {
    let recording: Vec<u8> = (0..20_000_u32).map(|it| (it % 251) as u8).collect();
    let systemview = (InputFormat::SystemView, [&b"SysView\0"[..]; 2], &[1][..], &[2][..]);
    let (start, stop) = (&[1, 1, 0, 0, 0, 0, 0xFD, 0xFF][..], &[1, 0, 0, 0, 0, 0, 0xFE, 0xFF][..]);
    let names = [&b"TzData\0"[..], b"TzCtrl\0"];
    for (format, names, start, end) in
        [systemview, (InputFormat::TraceRecorder, names, start, stop)]
    {
        let chip = Arc::new(Mutex::new(Chip::new(names, start, &recording)));
        let dialect = Dialect::of(format).unwrap().unwrap();
        let memory = InMemory::of(
            Box::new(Probe(Arc::clone(&chip))),
            &TargetArgs::default(),
            [Duration::ZERO; 2],
            &dialect.channels,
        );
        let source = started(Box::new(memory), dialect.exchange(SourceKind::Probe, ""));
        let stop = StopFlag::default();
        let (_sender, to_send) = channel();
        let incoming = pump::start(source, false, &stop, to_send).unwrap();
        let mut came = Vec::new();
        while came.len() < recording.len() {
            match incoming.recv().unwrap() {
                SourceEvent::Received(bytes, _) => came.extend(bytes),
                SourceEvent::Opened | SourceEvent::Level(_) => {}
                SourceEvent::Warning(text) => panic!("{text}"),
                _ => panic!("it has ended"),
            }
        }
        assert!(came == recording, "{format:?}");
        stop.set();
        while incoming.recv().is_ok() {}
        let mut chip = chip.lock().unwrap();
        (0..DOWN_SIZE).for_each(|_| chip.run());
        assert_eq!(chip.commands, [start, end].concat(), "{format:?}");
    }
}
