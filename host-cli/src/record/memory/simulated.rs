//! A simulated probe and chip: the chip's firmware runs at each access, as it does while a real probe reads, and the probe
//! stalls, is pulled and comes back.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{bail, ensure};
use tband_conv::packets::{PacketPiece, PacketReader};
use tband_format::packet::Header;
use tband_format::{Event, encode_frame, max_frame_len};
use tband_program::Memory;

use super::super::pump::{self, SourceEvent};
use super::super::source::{Source, StopFlag};
use super::InMemory;
use crate::args::TargetArgs;
use crate::target::{Attach, AttachedTarget, Channels, Target};

const BASE: u64 = 0x2000_0000;
const LEN: usize = 0x8000;
/// Another block of RTT, for text, is before it, and the id alone, as in an initialiser.
const TEXT_BLOCK: u64 = BASE + 0x0800;
const ID_ALONE: u64 = BASE + 0x0C00;
const BLOCK: u64 = BASE + 0x2004;
const UP: u64 = BLOCK + 24;
const DOWN: u64 = UP + 24;
const NAME: u64 = BASE + 0x0100;
const DOWN_RING: u64 = BASE + 0x3000;
const RING: u64 = BASE + 0x4000;
const SLOT: usize = 256;
const SLOTS: usize = 8;
const ID: &[u8] = b"SEGGER RTT\0\0\0\0\0\0";

/// A chip that runs.
struct Chip {
    ram: Vec<u8>,
    packets: Vec<Vec<u8>>,
    /// How many of them were recorded by now, and which of them found no room.
    recorded: usize,
    discarded: Vec<usize>,
    /// Accesses of the probe so far, and at which the firmware starts to record.
    accesses: usize,
    starts_at: usize,
    /// It executes commands: how many it has answered, and how many answers found no room.
    executes: bool,
    answers: [usize; 2],
    /// Number of steps until it is halted for a look.
    goes_on: usize,
    /// At these the cable is pulled, and at these the chip is reset.
    pulled_at: Vec<usize>,
    reset_at: Vec<usize>,
    is_reached: bool,
}

impl Chip {
    fn new(packets: Vec<Vec<u8>>) -> Self {
        let mut chip = Self {
            ram: vec![0; LEN],
            packets,
            recorded: 0,
            discarded: Vec::new(),
            accesses: 0,
            starts_at: 0,
            executes: false,
            answers: [0; 2],
            goes_on: 0,
            pulled_at: Vec::new(),
            reset_at: Vec::new(),
            is_reached: false,
        };
        chip.reset();
        chip
    }

    fn put(&mut self, at: u64, bytes: &[u8]) {
        let at = (at - BASE) as usize;
        self.ram[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn word(&self, at: u64) -> u32 {
        let at = (at - BASE) as usize;
        u32::from_le_bytes(self.ram[at..at + 4].try_into().unwrap())
    }

    fn put_word(&mut self, at: u64, word: u32) {
        self.put(at, &word.to_le_bytes());
    }

    /// The state after the start-up code: no block of tband yet.
    fn reset(&mut self) {
        self.ram.fill(0);
        self.put(NAME, b"tband\0Terminal\0");
        self.put(ID_ALONE, ID);
    }

    /// A block for text, as in SEGGER's own code.
    fn start_text(&mut self) {
        let text = [1, 0, NAME as u32 + 6, RING as u32 - 64, 64, 0, 0, 0];
        for (at, word) in (TEXT_BLOCK + 16..).step_by(4).zip(text) {
            self.put_word(at, word);
        }
        self.put(TEXT_BLOCK, ID);
    }

    /// `tband_start_streaming()`: the block, its id last.
    fn start(&mut self) {
        self.start_text();
        let size = (SLOT * SLOTS) as u32;
        let (up, down) = ([RING as u32, size, 0, 0, 0], [DOWN_RING as u32, 64, 0, 0, 0]);
        let block = [1, self.executes.into(), NAME as u32].into_iter().chain(up);
        for (at, word) in (BLOCK + 16..).step_by(4).zip(block.chain([NAME as u32]).chain(down)) {
            self.put_word(at, word);
        }
        self.put(BLOCK, ID);
    }

    /// The firmware runs one step: a packet is closed, or found no room.
    fn run(&mut self, is_read: bool) {
        // Not while the host releases the bytes that it has read: whether these were received would be ambiguous.
        if is_read && self.reset_at.first().is_some_and(|at| *at <= self.accesses) {
            self.reset_at.remove(0);
            // The content of the ring is gone with it.
            let size = SLOT * SLOTS;
            let [write, read] = [12, 16].map(|at| self.word(UP + at) as usize);
            let waiting = (write + size - read) % size / SLOT;
            // They are the last ones that found room.
            let kept = (0..self.recorded).rev().filter(|it| !self.discarded.contains(it));
            let lost: Vec<usize> = kept.take(waiting).collect();
            self.discarded.extend(lost);
            self.reset();
            self.starts_at = self.accesses + 5;
            return;
        }
        if self.accesses < self.starts_at || self.recorded >= self.packets.len() {
            return;
        }
        if self.word(UP + 8) == 0 {
            self.start();
        }
        let (write, read) = (self.word(UP + 12) as usize, self.word(UP + 16) as usize);
        let next = (write + SLOT) % (SLOT * SLOTS);
        if self.executes && self.word(DOWN + 12) != self.word(DOWN + 16) {
            self.put_word(DOWN + 16, self.word(DOWN + 12));
            self.answers[usize::from(next == read)] += 1;
        }
        if next == read {
            self.discarded.push(self.recorded);
        } else {
            let slot = self.packets[self.recorded].clone();
            self.put(RING + write as u64, &slot);
            self.put_word(UP + 12, next as u32);
        }
        self.recorded += 1;
    }

    fn access(&mut self, at: u64, len: usize, is_read: bool) -> anyhow::Result<usize> {
        self.accesses += 1;
        if self.pulled_at.first().is_some_and(|it| *it <= self.accesses) {
            self.pulled_at.remove(0);
            self.is_reached = false;
        }
        ensure!(self.is_reached, "the probe does not answer");
        self.run(is_read);
        let from = at.checked_sub(BASE).map(|from| from as usize);
        match from.filter(|from| from + len <= LEN) {
            Some(from) => Ok(from),
            None => bail!("no memory at {at:#x}"),
        }
    }
}

/// The host's access to it: the chip continues when the probe is gone.
struct Probe {
    chip: Arc<Mutex<Chip>>,
    /// How often it is missing when it is searched.
    missing: u32,
    ram: Vec<(u64, u64)>,
}

impl Attach for Probe {
    fn name(&self) -> String {
        "probe:simulated".to_owned()
    }

    fn attach(&mut self) -> anyhow::Result<AttachedTarget> {
        let mut chip = self.chip.lock().unwrap();
        // Nothing is read in that time.
        for _ in 0..2 * SLOTS {
            chip.run(false);
        }
        if self.missing > 0 {
            self.missing -= 1;
            bail!("this machine has no debug probe that is seen; is it plugged in?");
        }
        chip.is_reached = true;
        Ok(AttachedTarget {
            target: Box::new(SharedChip(Arc::clone(&self.chip))),
            ram: self.ram.clone(),
        })
    }
}

struct SharedChip(Arc<Mutex<Chip>>);

impl Memory for SharedChip {
    fn read(&mut self, at: u64, buf: &mut [u8]) -> anyhow::Result<()> {
        let mut chip = self.0.lock().unwrap();
        let from = chip.access(at, buf.len(), true)?;
        buf.copy_from_slice(&chip.ram[from..from + buf.len()]);
        Ok(())
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> anyhow::Result<()> {
        let mut chip = self.0.lock().unwrap();
        chip.access(at, bytes.len(), false)?;
        chip.put(at, bytes);
        Ok(())
    }
}

impl Target for SharedChip {
    fn begin_look(&mut self) -> anyhow::Result<()> {
        let mut chip = self.0.lock().unwrap();
        for _ in 0..chip.goes_on {
            chip.run(true);
        }
        Ok(())
    }
}

/// Packets as a ring has them: each fills its slot.
fn packets(count: u64) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    for number in 0..count {
        let event = Event::Valmarker { valmarker_id: 1, val: number as i64 };
        let mut frame = vec![0; max_frame_len(&event, number * 10)];
        let len = encode_frame(&event, number * 10, &mut frame).unwrap();
        frames.extend_from_slice(&frame[..len]);
    }
    let slot = |mut slot: Vec<u8>| {
        slot.truncate(Header::read(&slot).unwrap().0.content_len);
        slot.resize(SLOT, 0x5A);
        slot[10..12].copy_from_slice(&(SLOT as u16 * 8).to_le_bytes());
        slot[12..16].fill(0);
        slot
    };
    tband_recordings::packed::pieces(&frames, SLOT).into_iter().map(slot).collect()
}

fn source(probe: Probe) -> InMemory {
    let of_target = TargetArgs { elf: None, chip: None, no_halt: false, tick_rate: None };
    InMemory::of(Box::new(probe), &of_target, [Duration::ZERO; 2], &Channels::OWN)
}

/// Everything received until all is recorded and read, how often the source was opened and closed, and the reported failures.
#[derive(Default)]
struct RunResult {
    bytes: Vec<u8>,
    opened: usize,
    closed: Vec<String>,
    failed: Vec<String>,
    /// Failed sends.
    unsent: Vec<String>,
    /// How full the ring was at most, in per cent.
    fullest: u8,
}

fn follow(incoming: &Receiver<SourceEvent>, chip: &Arc<Mutex<Chip>>, stop: &StopFlag) -> RunResult {
    let mut came = RunResult::default();
    loop {
        let all_read = {
            let chip = chip.lock().unwrap();
            chip.recorded == chip.packets.len() && chip.word(UP + 12) == chip.word(UP + 16)
        };
        match incoming.recv_timeout(Duration::from_millis(100)) {
            Ok(SourceEvent::Opened) => came.opened += 1,
            Ok(SourceEvent::Received(bytes, _)) => came.bytes.extend(bytes),
            Ok(SourceEvent::Level(level)) => came.fullest = came.fullest.max(level),
            Ok(SourceEvent::Warning(_)) => {}
            Ok(SourceEvent::Closed(error)) => {
                came.closed.push(error.map_or_else(String::new, |it| it.to_string()))
            }
            Ok(SourceEvent::Unsent(error)) => came.unsent.push(error.to_string()),
            Ok(SourceEvent::Failed(error)) => came.failed.push(format!("{error:#}")),
            Err(RecvTimeoutError::Timeout) if !all_read => {}
            Err(_) => break,
        }
    }
    stop.set();
    came
}

/// Checks that the received bytes are complete packets, and that together with the discarded ones they are the complete
/// recording.
fn assert_all(came: &RunResult, chip: &Chip) {
    let expected: Vec<u8> = (0..chip.packets.len())
        .filter(|number| !chip.discarded.contains(number))
        .flat_map(|number| chip.packets[number].clone())
        .collect();
    assert_eq!(came.bytes.len(), expected.len());
    assert!(came.bytes == expected);
    let mut reader = PacketReader::new(&came.bytes[..]);
    let mut whole = 0;
    while let Some(piece) = reader.next_piece().unwrap() {
        assert!(matches!(piece, PacketPiece::Packet { .. }), "{piece:?}");
        whole += 1;
    }
    assert_eq!(whole + chip.discarded.len(), chip.packets.len());
}

/// Runs a recording of a chip to its end.
fn recorded(chip: Chip, missing: u32, reconnect: bool) -> (RunResult, Arc<Mutex<Chip>>) {
    run_with_commands(chip, missing, reconnect, &[])
}

/// Does the same, while these are sent to it as soon as there is a connection.
fn run_with_commands(
    chip: Chip,
    missing: u32,
    reconnect: bool,
    commands: &[&[u8]],
) -> (RunResult, Arc<Mutex<Chip>>) {
    let chip = Arc::new(Mutex::new(chip));
    let ram = vec![(BASE - 0x1000, BASE - 0x800), (BASE, BASE + LEN as u64)];
    let probe = Probe { chip: Arc::clone(&chip), missing, ram };
    let stop = StopFlag::default();
    let (sender, to_send) = channel();
    let incoming = pump::start(Box::new(source(probe)), reconnect, &stop, to_send).unwrap();
    if !commands.is_empty() {
        assert!(matches!(incoming.recv(), Ok(SourceEvent::Opened)));
        // Bytes sent without a connection are lost.
        assert!(matches!(incoming.recv(), Ok(SourceEvent::Received(..) | SourceEvent::Level(_))));
        commands.iter().for_each(|it| sender.send(it.to_vec()).unwrap());
    }
    (follow(&incoming, &chip, &stop), chip)
}

/// The block is found beside another one, in RAM with gaps. The firmware starts to record a while later, and is quicker than
/// the probe: exactly the packets that found no room are missing.
#[test]
fn a_block_is_found_and_read_while_the_firmware_runs() {
    let mut chip = Chip::new(packets(20_000));
    chip.starts_at = 200;
    let (came, chip) = recorded(chip, 0, false);
    let chip = chip.lock().unwrap();
    assert_all(&came, &chip);
    assert_eq!((came.opened, came.closed.len()), (1, 0));
    assert!(chip.packets.len() > 100);
}

/// The cable is pulled in the middle of looks; the firmware continues, and fills its ring.
#[test]
fn a_probe_that_is_pulled_and_comes_back() {
    let mut chip = Chip::new(packets(60_000));
    // At the description, the packets, and the release of read packets.
    chip.pulled_at = (0..12).map(|round| 60 + 41 * round).collect();
    let (came, chip) = recorded(chip, 2, true);
    let chip = chip.lock().unwrap();
    assert_all(&came, &chip);
    assert!(!chip.discarded.is_empty() && chip.pulled_at.is_empty());
    // One slot stays free.
    assert_eq!(came.fullest, 87);
    assert_eq!((came.opened, came.closed.len()), (13, 12));
    assert!(
        came.closed.iter().all(|why| why.contains("the probe does not answer")),
        "{:?}",
        came.closed
    );
    assert!(came.failed.iter().all(|why| why.contains("is it plugged in?")), "{:?}", came.failed);
    assert_eq!(came.failed.len(), 2);
}

/// The target starts again, and has its block a little later: the connection stays.
#[test]
fn a_chip_that_is_reset() {
    let mut chip = Chip::new(packets(60_000));
    chip.reset_at = (0..9).map(|round| 70 + 37 * round).collect();
    let (came, chip) = recorded(chip, 0, false);
    let chip = chip.lock().unwrap();
    assert_all(&came, &chip);
    assert!(chip.reset_at.is_empty());
    assert_eq!((came.opened, came.closed.len()), (1, 0));
}

/// Its ring is full each time it is halted: its answers still find room.
#[test]
fn a_chip_that_fills_its_ring_before_each_look_answers() {
    let mut chip = Chip::new(packets(60_000));
    (chip.executes, chip.goes_on) = (true, 2 * SLOTS);
    let commands: Vec<[u8; 4]> = (1..=5).map(|number| [0, b'a', number, 0]).collect();
    let commands: Vec<&[u8]> = commands.iter().map(|it| &it[..]).collect();
    let (came, chip) = run_with_commands(chip, 0, false, &commands);
    let chip = chip.lock().unwrap();
    assert_all(&came, &chip);
    assert_eq!((came.unsent.len(), chip.answers), (0, [commands.len(), 0]));
}

/// Firmware that takes no commands is still recorded when a command is sent.
#[test]
fn a_chip_that_takes_no_commands() {
    let mut chip = Chip::new(packets(20_000));
    chip.starts_at = 200;
    let (came, _) = run_with_commands(chip, 0, false, &[b"\0one\0", b"\0two\0"]);
    assert_eq!(came.unsent.len(), 2);
    assert!(came.unsent.iter().all(|why| why.contains("no down-channel")), "{:?}", came.unsent);
    assert_eq!(came.closed, [""; 0]);
}

/// Without `--reconnect` a fault is reported once and ends the recording.
#[test]
fn a_probe_that_is_not_there_or_reads_nothing() {
    let chip = || Arc::new(Mutex::new(Chip::new(packets(100))));
    let probe = Probe { chip: chip(), missing: 1, ram: vec![(BASE, BASE + LEN as u64)] };
    let error = source(probe).open(&StopFlag::default()).err().unwrap().to_string();
    assert!(error.contains("is it plugged in?"), "{error}");
    // A probe without known RAM needs the program.
    let probe = Probe { chip: chip(), missing: 0, ram: Vec::new() };
    let error = format!("{:#}", source(probe).open(&StopFlag::default()).err().unwrap());
    assert!(error.contains("probe:simulated: add --elf FIRMWARE.elf"), "{error}");
    // There is a block, but none of tband: the program does not record by RTT, or does not yet.
    let other = chip();
    other.lock().unwrap().start_text();
    other.lock().unwrap().starts_at = usize::MAX;
    let probe = Probe { chip: other, missing: 0, ram: vec![(BASE, BASE + LEN as u64)] };
    let error = format!("{:#}", source(probe).open(&StopFlag::default()).err().unwrap());
    assert!(error.contains("has no channel 'tband', but Terminal; call"), "{error}");
    // None of it can be read.
    let probe = Probe { chip: chip(), missing: 0, ram: vec![(0, 0x1000)] };
    let error = format!("{:#}", source(probe).open(&StopFlag::default()).err().unwrap());
    assert!(error.contains("no memory at 0x0"), "{error}");
}
