//! The rings of packets in a target's memory, as a recording.

use tband_format::Event;
use tband_format::packet::{HEADER_LEN, Header, MAGIC, METADATA_STREAM};

use super::metadata::frame;
use super::slot::{self, Slot, SlotContent};

/// A recording that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// Its bytes, for the other commands.
    pub bytes: Vec<u8>,
    /// How many packets with events, or how many bytes of events, are in it.
    pub amount: usize,
    /// Its findings.
    pub findings: Vec<String>,
}

/// The slots of one core, in the order of the memory.
#[derive(Clone, Debug, Default)]
pub struct Ring {
    /// Address of the first one, if it is known, and its description for messages.
    pub at: Option<u64>,
    /// Where the first one is in the file.
    pub offset: u64,
    /// Each with all of its bytes.
    pub slots: Vec<Vec<u8>>,
    /// The core's count of discarded events.
    pub discarded: Option<u32>,
    /// The first one is the oldest: they were sent, and are stored one after the other.
    pub in_order: bool,
}

/// Maximum content of a packet of metadata that is created here, in bytes.
const MOST_METADATA: usize = 4000;

impl Recording {
    /// It has packets, not frames.
    pub fn is_packets(&self) -> bool {
        self.bytes.starts_with(&MAGIC.to_le_bytes())
    }

    /// Puts events of metadata, as frames, in front, in the format of the recording.
    pub fn prepend_events(&mut self, frames: &[Vec<u8>]) {
        let mut all = Vec::new();
        if self.is_packets() {
            // The recording's own metadata begins with 0.
            all.extend(metadata_packets(frames, 0));
        } else {
            all.extend(frames.concat());
        }
        all.append(&mut self.bytes);
        self.bytes = all;
    }

    /// Puts names in front: frames of each core, from a table that holds complete frames. `sequence`: number of the next packet
    /// of metadata; a recording that grows needs unique numbers, because another 0 would start it again.
    pub fn names(&mut self, tables: &[Vec<u8>], hz: Option<(u64, u64)>, sequence: &mut u16) {
        let mut content = Vec::new();
        let mut packets = Vec::new();
        let mut put = |content: &mut Vec<u8>| {
            if !content.is_empty() {
                packets.extend(metadata_packet(*sequence, content));
                *sequence = sequence.wrapping_add(1);
                content.clear();
            }
        };
        if let Some((numerator, denominator)) = hz {
            content.extend(frame(&Event::TsFrequency { numerator, denominator }));
        }
        for (core, table) in (0..).zip(tables) {
            let owner = frame(&Event::CoreId { core_id: core });
            if tables.len() > 1 {
                content.extend(&owner);
            }
            for name in table
                .split_inclusive(|byte| *byte == 0)
                .filter(|it| it.len() > 1 && it.ends_with(&[0]))
            {
                if content.len() + name.len() > MOST_METADATA {
                    put(&mut content);
                    content.extend(&owner);
                }
                content.extend_from_slice(name);
            }
            put(&mut content);
        }
        put(&mut content);
        packets.extend(std::mem::take(&mut self.bytes));
        self.bytes = packets;
    }
}

/// Frames of metadata in packets, which come before the one of this number.
pub fn metadata_packets(frames: &[Vec<u8>], next: u16) -> Vec<u8> {
    let mut contents: Vec<Vec<u8>> = Vec::new();
    for frame in frames {
        match contents.last_mut() {
            Some(last) if last.len() + frame.len() <= MOST_METADATA => last.extend(frame),
            _ => contents.push(frame.clone()),
        }
    }
    let first = next.wrapping_sub(contents.len() as u16);
    let numbered = (0..).zip(&contents);
    numbered
        .flat_map(|(number, content)| metadata_packet(first.wrapping_add(number), content))
        .collect()
}

fn metadata_packet(sequence: u16, content: &[u8]) -> Vec<u8> {
    let mut packet = vec![0; HEADER_LEN];
    packet.extend_from_slice(content);
    let len = packet.len();
    let header = Header {
        stream: METADATA_STREAM,
        sequence,
        content_len: len,
        packet_len: len,
        begin: 0,
        end: 0,
        discarded: 0,
    };
    if header.write(&mut packet).is_some() { packet } else { Vec::new() }
}

/// The packets of all cores, those of each from the oldest on.
pub fn take_rings(rings: &[Ring], pointer: usize) -> Recording {
    let mut recording = Recording::default();
    let mut events = Vec::new();
    for ring in rings {
        take_ring(ring, pointer, &mut recording, &mut events);
    }
    // Names come before their uses.
    recording.bytes.extend(events);
    recording
}

fn take_ring(ring: &Ring, pointer: usize, recording: &mut Recording, events: &mut Vec<u8>) {
    let heads: Vec<Option<Slot>> = ring.slots.iter().map(|bytes| Slot::read(bytes)).collect();
    let of_core = |head: &Slot| !head.is_metadata() && !head.is_clear();
    let mut newest: Option<(usize, u16)> = None;
    for (index, head) in heads.iter().enumerate() {
        let Some(head) = head.filter(|head| of_core(head)) else { continue };
        if ring.slots.get(index).is_some_and(|bytes| head.has_changed(bytes)) {
            continue;
        }
        let is_newer = |than: u16| head.sequence.wrapping_sub(than) < 0x8000;
        if newest.is_none_or(|(_, than)| is_newer(than)) {
            newest = Some((index, head.sequence));
        }
    }
    let count = heads.len();
    let first = newest.filter(|_| !ring.in_order).map_or(0, |(index, _)| index + 1);
    let mut discarded = 0;
    let mut last: Option<u16> = None;
    for index in (first..first + count).map(|index| index % count.max(1)) {
        let size = ring.slots.first().map_or(0, Vec::len) as u64;
        let after = size.saturating_mul(index as u64);
        let at = ring.at.map(|at| at.saturating_add(after));
        let place = match at {
            Some(at) => format!("at {at:#010x}"),
            None => format!("at byte {}", ring.offset.saturating_add(after)),
        };
        let Some(bytes) = ring.slots.get(index) else { continue };
        let Some(head) = heads.get(index).copied().flatten() else {
            recording
                .findings
                .push(format!("{place}: no packet is there any more; its events are missing"));
            continue;
        };
        let open = ring.discarded.unwrap_or(discarded);
        match slot::take_changed_memory(&head, bytes, at, pointer, open) {
            SlotContent::Nothing => {}
            SlotContent::Damaged(_) if head.is_metadata() => {}
            SlotContent::Damaged(why) => recording.findings.push(format!(
                "{place}: packet {} of core {} is left out: {why}",
                head.sequence, head.stream
            )),
            SlotContent::Packet(packet) if head.is_metadata() => recording.bytes.extend(packet),
            SlotContent::Packet(packet) => {
                // One from before the last wrap would be out of order.
                let is_next = |last: u16| (1..0x8000).contains(&head.sequence.wrapping_sub(last));
                if ring.in_order || last.is_none_or(is_next) {
                    last = Some(head.sequence);
                    if let Ok((header, _)) = Header::read(&packet) {
                        discarded = header.discarded;
                    }
                    events.extend(packet);
                    recording.amount += 1;
                } else {
                    recording.findings.push(format!(
                        "{place}: packet {} of core {} is left out: it is of another recording",
                        head.sequence, head.stream
                    ));
                }
            }
        }
    }
}
