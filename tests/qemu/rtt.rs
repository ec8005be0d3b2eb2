//! `examples/rtt`, with a probe that reads the memory of QEMU while the firmware runs, as J-Link and OpenOCD do: it searches
//! for the control block, and reads the data at varying speed, sometimes not at all.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use tband_format::Event;
use tband_format::packet::{METADATA_STREAM, Packet};
use tband_programs::start;
use tband_tests::packets::packets;
use tband_tests::temp_dir;
use xtask::board::{Board, emulator_command};
use xtask::demo::to_perfetto;

use crate::{archive, build_firmware, build_folder, root};

/// Where QEMU has the memory that its option names.
const MEMORY: u32 = 0x2100_0000;
const SAMPLES: usize = 200_000;

/// What a debug probe does with a target's memory, which is a file.
struct Probe {
    memory: File,
    /// Where the up-buffer's description is.
    up: u64,
    recording: Vec<u8>,
}

impl Probe {
    fn word(memory: &File, at: u64) -> u32 {
        let mut bytes = [0; 4];
        memory.read_exact_at(&mut bytes, at).expect("memory");
        u32::from_le_bytes(bytes)
    }

    /// Searches for the control block.
    fn attach(memory: File) -> Option<Self> {
        let mut start = vec![0; 1 << 16];
        memory.read_exact_at(&mut start, 0).expect("memory");
        let id = b"SEGGER RTT\0\0\0\0\0\0";
        let block = start.windows(16).position(|bytes| bytes == id)? as u64;
        assert_eq!([16, 20].map(|at| Self::word(&memory, block + at)), [1, 1]);
        Some(Self { memory, up: block + 24, recording: Vec::new() })
    }

    /// Reads the available data, in one piece. Returns the number of bytes.
    fn read(&mut self) -> usize {
        let [place, size, write, read] =
            [4, 8, 12, 16].map(|at| Self::word(&self.memory, self.up + at));
        assert!(write < size && read < size, "{write}, {read} of {size}");
        let end = if write < read { size } else { write };
        let mut bytes = vec![0; (end - read) as usize];
        self.memory.read_exact_at(&mut bytes, u64::from(place - MEMORY + read)).expect("memory");
        self.recording.extend(&bytes);
        let next = if end == size { 0_u32 } else { end };
        self.memory.write_all_at(&next.to_le_bytes(), self.up + 16).expect("memory");
        bytes.len()
    }
}

/// Values of marker 1 and of marker 2, and how many events were discarded.
fn count_values(recording: &[u8]) -> ([Vec<i64>; 2], usize) {
    let (mut values, mut discarded) = ([Vec::new(), Vec::new()], 0);
    let all = packets(recording);
    let of_core = |packet: &&Packet<'_>| packet.header().stream != METADATA_STREAM;
    for packet in all.iter().filter(of_core) {
        discarded = packet.header().discarded as usize;
        for decoded in packet.events() {
            if let Event::Valmarker { valmarker_id: id @ 1..=2, val } =
                decoded.expect("an event").event
            {
                values[id as usize - 1].push(val);
            }
        }
    }
    (values, discarded)
}

fn run(elf: &Path, wait: Duration, stalls: bool) -> Vec<u8> {
    let folder = temp_dir();
    let memory = folder.path().join("psram");
    File::create(&memory).and_then(|file| file.set_len(16 << 20)).expect("a file");
    let backend =
        format!("memory-backend-file,id=ram,size=16M,share=on,mem-path={}", memory.display());
    let mut command = emulator_command(Board::BareMetal.emulator());
    command
        .args(["-machine", "memory-backend=ram", "-object", &backend])
        .args(["-display", "none", "-monitor", "none", "-serial", "none"])
        .args(["-semihosting-config", "enable=on,target=native", "-kernel"])
        .arg(elf)
        .stdin(Stdio::null());
    let mut qemu = start(&mut command).expect("QEMU");
    let open = || OpenOptions::new().read(true).write(true).open(&memory).expect("the memory");
    let mut probe = loop {
        if let Some(probe) = Probe::attach(open()) {
            break probe;
        }
        assert!(qemu.try_wait().expect("QEMU").is_none(), "it ended without a control block");
        thread::yield_now();
    };
    thread::sleep(wait);
    let mut ended = None;
    let mut turn = 0_u32;
    while ended.is_none() {
        ended = qemu.try_wait().expect("QEMU");
        let read = probe.read();
        turn += u32::from(read != 0);
        if stalls && read != 0 && turn.is_multiple_of(20) {
            thread::sleep(Duration::from_millis(5));
        } else if read == 0 {
            thread::yield_now();
        }
    }
    assert!(ended.is_some_and(|status| status.success()), "{ended:?}");
    probe.recording
}

#[test]
fn a_probe_reads_all_that_was_not_counted_as_discarded() {
    for on_reader in [true, false] {
        let settings = [
            format!("TBAND_LIBRARY={}", archive(Board::BareMetal).display()),
            format!("SAMPLES={SAMPLES}"),
            format!("START_ON_READER={}", u8::from(on_reader)),
        ];
        let folder = build_folder(if on_reader { "rtt-on-reader" } else { "rtt" });
        let example = root().join("examples/rtt");
        let toolchain = example.join("cortex-m3.cmake");
        build_firmware(&example, &folder, &toolchain, &settings)
            .unwrap_or_else(|error| panic!("{error:#}"));
        for stalls in [false, true] {
            let recording = run(&folder.join("rtt.elf"), Duration::from_millis(100), stalls);
            let ([samples, before], discarded) = count_values(&recording);
            println!(
                "{} bytes: {} samples, {discarded} events discarded",
                recording.len(),
                samples.len()
            );
            assert!(samples.len() > 100, "{}", samples.len());
            assert!(samples.windows(2).all(|pair| pair[0] < pair[1]));
            // Ticks may be among those that are missing.
            let missing = SAMPLES - samples.len();
            assert!(missing <= discarded, "{missing} are missing, {discarded} discarded");
            assert!(discarded - missing < missing / 2 + 100, "{missing}, {discarded}");
            if on_reader {
                assert!(before.len() < 2, "recorded before the first read");
                assert_eq!(samples.first(), Some(&0));
            }
            let out = temp_dir();
            let bin = out.path().join("trace.bin");
            std::fs::write(&bin, &recording).expect("a file");
            if discarded == 0 {
                to_perfetto(&bin, &out.path().join("t.pftrace"))
                    .unwrap_or_else(|error| panic!("{error:#}"));
            }
        }
    }
}
