//! Recordings of frames as recordings of packets, with the same events.

use tband_conv::events::EventReader;
use tband_conv::item::Mode;
use tband_conv::packets::Packer;
use tband_format::Event;

use crate::frame;

/// Returns a recording of frames in packets of this size: the part before the first event is the metadata of the start, and
/// counts of dropped events are in the headers.
#[must_use]
pub fn packed(frames: &[u8], size: usize) -> Vec<u8> {
    pieces(frames, size).concat()
}

/// As [`packed`], packet by packet.
#[must_use]
pub fn pieces(frames: &[u8], size: usize) -> Vec<Vec<u8>> {
    packed_by(Packer::new(size), frames, size)
}

/// As [`pieces`], by a packer of packets of this size.
#[must_use]
pub fn packed_by(mut packer: Packer, frames: &[u8], size: usize) -> Vec<Vec<u8>> {
    let mut reader = EventReader::new(frames, 0, Mode::FreeRtos);
    let mut packets = Vec::new();
    let mut out = |_, packet: &[u8]| packets.push(packet.to_vec());
    let (mut start, mut has_begun, mut dropped) = (Vec::new(), false, 0);
    let mut last = [0; 64];
    while let Some(item) = reader.next_item().unwrap() {
        let (core, decoded) = (item.core, item.event.expect("only events can be put into packets"));
        let is_core_id = matches!(decoded.event, Event::CoreId { .. });
        if !has_begun && (is_core_id || decoded.event.is_metadata()) {
            let event = frame(0, decoded.event);
            if start.len() + event.len() > size - 36 {
                packer.metadata(0, &std::mem::take(&mut start), &mut out);
            }
            start.extend(event);
            continue;
        }
        if !std::mem::replace(&mut has_begun, true) {
            packer.metadata(0, &std::mem::take(&mut start), &mut out);
        }
        // It has no time.
        if is_core_id {
            continue;
        }
        let reached = &mut last[core as usize];
        *reached = decoded.ts.unwrap_or(*reached).max(*reached);
        match decoded.event {
            Event::DroppedEvtCnt { cnt } if cnt <= dropped => {}
            Event::DroppedEvtCnt { cnt } => {
                packer.missing(core as u8, cnt - dropped, 0, &mut out);
                dropped = cnt;
            }
            event => packer.push(core as u8, *reached, &event, &mut out).unwrap(),
        }
    }
    if !has_begun {
        packer.metadata(0, &start, &mut out);
    }
    packer.flush(&mut out);
    packets
}
