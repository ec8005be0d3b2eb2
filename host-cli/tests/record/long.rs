//! `record` for 8 hours of the target's time, at the highest rate, simulated as fast as it is read: its memory does not grow.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::support::*;
use tband_format::Event;
use tband_format::packet::{Header, METADATA_STREAM};

/// The timer counts ns, so the 32 bits of it that events have wrap after 4.3 s.
const TURN: u64 = 1 << 32;
const HOURS: u64 = 8;
const TURNS: u64 = HOURS * 3_600_000_000_000 / TURN;
/// Events of each round, 10 us apart as at 100 000 per second.
const EVENTS: u64 = 1000;

/// The first event's time: shortly before the end of a round, while the timer runs through all of it.
const BEGIN: u64 = TURN - 12_000_000;

/// Returns the packets of a round: names first, and those of the core.
fn turn() -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut frames = frame(0, Event::TsResolutionNs { ns_per_ts: 1 });
    for task in 1..=8 {
        let name = format!("worker {task}");
        frames.extend(frame(
            0,
            Event::TaskName { task_id: task, name: tband_recordings::str(&name) },
        ));
    }
    for number in 1..=EVENTS {
        let event = match number % 4 {
            0 => Event::QueueSend { queue_id: 1, len_after: 1 },
            1 => Event::TaskSwitchedIn { task_id: 1 + (number / 4 % 8) as u32 },
            2 => Event::QueueReceive { queue_id: 1, len_after: 0 },
            _ => Event::Valmarker { valmarker_id: 1, val: number as i64 },
        };
        frames.extend(frame(BEGIN + number * 10_000, event));
    }
    let pieces = tband_recordings::packed::pieces(&frames, 512);
    let is_names = |piece: &Vec<u8>| Header::read(piece).unwrap().0.stream == METADATA_STREAM;
    let (names, core): (Vec<_>, Vec<_>) = pieces.into_iter().partition(is_names);
    (names.concat(), core)
}

/// Most memory that the program has had, in bytes.
fn peak(program: &Program) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", program.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    1024 * line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
}

#[test]
fn eight_hours_in_bounded_memory() {
    let folder = Folder::new("record-long");
    let (names, core) = turn();
    let args = ["record", "-o", "r.bin", "--keep", "3x4M", "--until", "marker:never", "-"];
    let mut command = cli(&args);
    command.current_dir(&folder.0).stdin(Stdio::piped());
    let mut program = start(piped(&mut command)).unwrap();
    let mut stdin = program.stdin().unwrap();
    let (mut sequence, mut sent, mut early) = (0_u16, 0_u64, 0);
    for turn in 0..TURNS {
        let mut bytes = if turn == 0 { names.clone() } else { Vec::new() };
        for piece in &core {
            let mut piece = piece.clone();
            let header = Header::read(&piece).unwrap().0;
            let (begin, end) = (header.begin + turn * TURN, header.end + turn * TURN);
            Header { begin, end, sequence, ..header }.write(&mut piece).unwrap();
            sequence = sequence.wrapping_add(1);
            bytes.extend(piece);
        }
        sent += bytes.len() as u64;
        stdin.write_all(&bytes).unwrap();
        // All buffers have been full once.
        if turn == TURNS / 3 {
            early = peak(&program);
        }
    }
    // It has read everything except the content of a pipe and the waiting blocks.
    let late = peak(&program);
    drop(stdin);
    let ran = ran(program.output().unwrap()).assert_code(0);
    println!(
        "{sent} bytes: {early} bytes of memory after a third, {late} in the end; {}",
        ran.stderr
    );
    // Frames of metadata beside them.
    let events = ran.stderr.split(", ").find_map(|word| word.strip_suffix(" events"));
    assert!(events.unwrap().parse::<u64>().unwrap() >= TURNS * EVENTS, "{}", ran.stderr);
    assert!(!ran.stderr.contains("lost") && !ran.stderr.contains("damaged"), "{}", ran.stderr);
    // Two bytes an event would be more.
    assert!(late < early + (8 << 20) && early > 0, "{early} became {late}");
    // The requested number of files, with the last packets in them.
    let kept = folder.names().len();
    assert_eq!(kept, 3, "{:?}", folder.names());
}
