//! What a program of `tests/c` with a sender has sent: `senders/sender_*.c`, which record values that rise by one.

use tband_conv::packets::{PacketPiece, PacketReader};
use tband_format::Event;
use tband_format::packet::METADATA_STREAM;

use crate::c::Firmware;
use crate::packets::packets;

/// What a sender's configuration has.
pub const CONFIG: [(&str, &str); 3] = [
    ("tband_configUSE_BACKEND_STREAMING", "1"),
    ("tband_configFORMAT", "TBAND_FORMAT_PACKETS"),
    ("FAKE_HAS_NO_TRANSPORT", "1"),
];

/// Runs a program. Returns its output, and the number of recorded values, which it prints last.
#[must_use]
pub fn run(program: &Firmware, args: &[&str]) -> (Vec<u8>, usize) {
    let mut printed = program.run(args);
    let count = printed.split_off(printed.len() - 4);
    (printed, u32::from_le_bytes(count.try_into().expect("four bytes")) as usize)
}

/// Received values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReceivedData {
    /// The values.
    pub values: Vec<i64>,
    /// Events that were discarded.
    pub discarded: usize,
    /// Packets that are missing.
    pub gaps: usize,
    /// Most events of a packet.
    pub most: usize,
}

impl ReceivedData {
    /// Reads a recording of complete packets. Panics if the values are not in order.
    #[must_use]
    pub fn of(recording: &[u8]) -> Self {
        let mut came = Self::default();
        let mut last: Option<u16> = None;
        for packet in packets(recording) {
            let header = *packet.header();
            if header.stream == METADATA_STREAM {
                continue;
            }
            let expected = last.map_or(0, |last| last.wrapping_add(1));
            came.gaps += usize::from(header.sequence.wrapping_sub(expected));
            last = Some(header.sequence);
            came.discarded = header.discarded as usize;
            came.most = came.most.max(packet.events().count());
            for decoded in packet.events() {
                if let Event::Valmarker { val, .. } = decoded.expect("an event").event {
                    assert!(came.values.last().is_none_or(|&last| last < val), "{val}");
                    came.values.push(val);
                }
            }
        }
        came
    }

    /// All `count` values are there or were discarded.
    #[must_use]
    pub fn is_all(&self, count: usize) -> bool {
        self.values.len() + self.discarded == count
    }

    /// Returns how many of `count` values were neither received nor counted.
    #[must_use]
    pub fn unknown(&self, count: usize) -> usize {
        count - self.discarded - self.values.len()
    }
}

/// Nothing but whole packets, and how many pieces are damaged.
#[must_use]
pub fn without_damage(recording: &[u8]) -> (Vec<u8>, usize) {
    let mut reader = PacketReader::new(recording);
    let (mut whole, mut damaged) = (Vec::new(), 0);
    while let Some(piece) = reader.next_piece().expect("bytes in memory") {
        match piece {
            PacketPiece::Packet { offset, packet } => {
                let offset = offset as usize;
                whole.extend(&recording[offset..offset + packet.header().packet_len]);
            }
            PacketPiece::Damage { .. } => damaged += 1,
        }
    }
    (whole, damaged)
}
