//! Halts: no tick and no other event for much longer than a tick. The cases test recordings of equal rounds.

use tband_conv::diagnostics::Problem;
use tband_conv::sinks::Stats;
use tband_conv::{Input, Options, convert};
use tband_format::Event::*;
use tband_format::classes::{CLASSES, STATED};
use tband_recordings::set_up::{MHZ, begin, found};
use tband_recordings::{Recording, str};

/// Ticks of a simulated target on a busy machine come late by this and that.
#[test]
fn ticks_that_come_irregularly_are_late_without_a_halt() {
    let info = TraceInfo {
        format_version: 11,
        core_count: 1,
        flags: CLASSES.iter().fold(1 | STATED, |flags, class| flags | class.flag),
        kernel_version: Some(110_200),
        tick_rate_hz: Some(1000),
    };
    let (mut recording, mut now) = (begin(info, MHZ), 0);
    for tick_count in 0..404_u32 {
        // Once the task works for twice as long as any tick before was late.
        let (late_ms, work) = match tick_count {
            ..400 => (u64::from(tick_count) * 17 % 45, 200),
            400 => (0, 100_000),
            _ => (0, 200),
        };
        now += late_ms * 1000;
        recording = recording.at(now, Evtmarker { evtmarker_id: 1, msg: str("x") });
        now += 800;
        recording = recording
            .at(now, TickIncrement { tick_count })
            .at(now, TaskToRdyState { task_id: 1 })
            .at(now, TaskSwitchedIn { task_id: 1 });
        now += work;
        recording =
            recording.at(now, CurtaskDelay { ticks: 1 }).at(now, TaskSwitchedIn { task_id: 2 });
    }
    assert_eq!(found(&recording).count(Problem::Halt), 0, "{:?}", found(&recording));
}

/// A program that was stopped twice for 2 s by a signal; see `halt.bin`.
#[test]
fn a_recording_of_a_stopped_program() {
    let recording = Recording(include_bytes!("halt.bin").to_vec());
    let found = found(&recording);
    let halt = found.get(Problem::Halt).unwrap();
    assert_eq!(halt.count, 2);
    assert!(
        halt.text.contains("at 0.489491 s on core 0, no tick for 2.0 s: halted"),
        "{}",
        halt.text
    );
    let mut stats = Stats::default();
    convert(&[Input::from_bytes("r", &recording.0)], &Options::default(), &mut stats).unwrap();
    let load = stats.cores().next().unwrap();
    assert!((3_940_000_000..3_945_000_000).contains(&load.unknown_ns), "{load:?}");
}
