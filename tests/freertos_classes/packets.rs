//! The same programs recorded in packets: event for event what frames have.

use std::sync::OnceLock;

use tband_tests::class_check::{CLASSES, Run, compare};
use tband_tests::packets::{as_frames, packets};

use crate::run_with;

/// In small packets, so that each event is the first of a packet now and then.
fn in_packets() -> &'static (Vec<u8>, Run) {
    static RUN: OnceLock<(Vec<u8>, Run)> = OnceLock::new();
    RUN.get_or_init(|| {
        let (recording, log) = run_with("packets", &["CLASSES_PACKET_SIZE=256".to_owned()]);
        let run = Run::new(as_frames(&recording), &log);
        (recording, run)
    })
}

#[test]
fn every_class_is_recorded_as_in_frames() {
    let (_, run) = in_packets();
    for (class, _) in CLASSES {
        compare(run, class);
    }
}

/// Each packet begins with the task that runs then, as the switches say.
#[test]
fn packets_begin_with_who_runs() {
    use tband_format::Event;
    let (recording, _) = in_packets();
    let (mut running, mut told, mut open) = (None, 0, Vec::new());
    for packet in packets(recording) {
        let header = *packet.header();
        if header.stream != 0 {
            continue;
        }
        let mut listed = Vec::new();
        let mut is_listed = false;
        for decoded in packet.events() {
            let decoded = decoded.expect("an event");
            match decoded.event {
                Event::RunningTask { task_id } => {
                    assert!(running.is_none_or(|known| known == task_id), "{header:?}");
                    told += 1;
                }
                Event::OpenIsr { isr_id } => listed.push(isr_id),
                event => {
                    if !is_listed {
                        is_listed = true;
                        assert_eq!(listed, open, "{header:?}");
                    }
                    match event {
                        Event::TaskSwitchedIn { task_id } => running = Some(task_id),
                        Event::IsrEnter { isr_id } => open.push(isr_id),
                        Event::IsrExit { isr_id }
                        | Event::IsrExitToScheduler { isr_id }
                        | Event::IsrExitMissed { isr_id } => {
                            let last =
                                open.iter().rposition(|&it| it == isr_id).expect("it is open");
                            open.remove(last);
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    assert!(told > 100, "{told}");
}
