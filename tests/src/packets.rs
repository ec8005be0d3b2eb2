//! Recordings in packets: decoded with `tband-format`, and as the equivalent frames.

use tband_format::packet::{METADATA_STREAM, Packet};
use tband_format::{Event, encode_frame};

/// The packets of a recording, which is nothing but whole packets, one after the other.
#[must_use]
pub fn packets(mut recording: &[u8]) -> Vec<Packet<'_>> {
    let mut packets = Vec::new();
    while !recording.is_empty() {
        let packet = Packet::read(recording)
            .unwrap_or_else(|error| panic!("packet {}: {error}", packets.len()));
        recording = &recording[packet.header().packet_len..];
        packets.push(packet);
    }
    packets
}

/// The same recording in frames: without what packets begin with. Panics where a packet of a core has anything but
/// events, or its times go back.
#[must_use]
pub fn as_frames(recording: &[u8]) -> Vec<u8> {
    let mut frames = Vec::new();
    for packet in packets(recording) {
        let header = *packet.header();
        if header.stream == METADATA_STREAM {
            frames.extend_from_slice(packet.content());
            continue;
        }
        frames.extend(frames_of(&packet));
    }
    frames
}

/// The events of one packet of a core, in frames: without what packets begin with.
#[must_use]
pub fn frames_of(packet: &Packet<'_>) -> Vec<u8> {
    let header = packet.header();
    let (mut frames, mut scratch) = (Vec::new(), vec![0; 1 << 16]);
    let mut last = header.begin;
    for decoded in packet.events() {
        let decoded = decoded.unwrap_or_else(|error| panic!("{header:?}: {error}"));
        let ts = decoded.ts.expect("events in packets have a time");
        assert!(last <= ts && ts <= header.end, "{header:?}: {ts} after {last}");
        last = ts;
        if !matches!(decoded.event, Event::RunningTask { .. } | Event::OpenIsr { .. }) {
            let len = encode_frame(&decoded.event, ts, &mut scratch).expect("a frame");
            frames.extend_from_slice(&scratch[..len]);
        }
    }
    frames
}

/// Each packet of core 0 begins with the task that runs, as the switches say, and the interrupts that are open. There are
/// more than a hundred with a task.
pub fn assert_begin_with_state(recording: &[u8]) {
    let (mut running, mut reported, mut open) = (None, 0, Vec::new());
    for packet in packets(recording) {
        let header = *packet.header();
        if header.stream != 0 {
            continue;
        }
        let (mut listed, mut has_event) = (Vec::new(), false);
        for decoded in packet.events() {
            match decoded.unwrap_or_else(|error| panic!("{header:?}: {error}")).event {
                Event::RunningTask { task_id } => {
                    assert!(running.is_none_or(|known| known == task_id), "{header:?}");
                    reported += 1;
                }
                Event::OpenIsr { isr_id } => listed.push(isr_id),
                event => {
                    if !has_event {
                        has_event = true;
                        assert_eq!(listed, open, "{header:?}");
                    }
                    follow(&event, &mut running, &mut open);
                }
            }
        }
    }
    assert!(reported > 100, "{reported}");
}

fn follow(event: &Event<'_>, running: &mut Option<u32>, open: &mut Vec<u32>) {
    match *event {
        Event::TaskSwitchedIn { task_id } => *running = Some(task_id),
        Event::IsrEnter { isr_id } => open.push(isr_id),
        Event::IsrExit { isr_id }
        | Event::IsrExitToScheduler { isr_id }
        | Event::IsrExitMissed { isr_id } => {
            let last = open.iter().rposition(|&it| it == isr_id).expect("it is open");
            open.remove(last);
        }
        _ => {}
    }
}
