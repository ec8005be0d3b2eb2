//! Packets around any bytes, whose checks are right: so changes of bytes reach the decoder of their events.

use tband_conv::events::EventReader;
use tband_conv::item::Mode;
use tband_conv::packets::Packer;
use tband_format::packet::{HEADER_LEN, Header, METADATA_STREAM};

/// Bytes of a case for each packet: two for its header, and its content.
const PIECE: usize = 66;

/// The recording whose packets have these contents.
#[must_use]
pub fn packed(text: &[u8]) -> Vec<u8> {
    let mut recording = Vec::new();
    let (mut sequences, mut begin, mut discarded) = ([0_u16; 4], 0_u64, 0_u32);
    for piece in text.chunks(PIECE) {
        let [of, how, content @ ..] = piece else { break };
        let place = usize::from(of & 3);
        let stream = [0, 1, 63, METADATA_STREAM][place];
        // Some are missing, some come twice, and the target may restart.
        let sequence = sequences[place].wrapping_add(u16::from(how & 3));
        sequences[place] = if how & 4 == 0 { sequence.wrapping_add(1) } else { 0 };
        discarded = if how & 8 == 0 { discarded } else { discarded.wrapping_add(5) };
        begin = if how & 16 == 0 { begin + u64::from(*how) * 7 } else { u64::from(*how) };
        let len = HEADER_LEN + content.len();
        let mut packet = vec![0; len];
        packet[HEADER_LEN..].copy_from_slice(content);
        let (content_len, packet_len, end) = (len, len, begin + (1 << 40));
        let header = Header { stream, sequence, content_len, packet_len, begin, end, discarded };
        header.write(&mut packet).expect("a packet's sizes");
        if of & 4 != 0 {
            packet[12..16].fill(0);
        }
        recording.extend(packet);
    }
    recording
}

/// The events of a recording of frames in packets as a target writes them.
#[must_use]
pub fn packets_of(recording: &[u8]) -> Vec<u8> {
    let mut reader = EventReader::new(recording, 0, Mode::FreeRtos);
    let (mut packer, mut packets, mut last) = (Packer::new(256), Vec::new(), [0; 64]);
    let mut out = |_, packet: &[u8]| packets.extend_from_slice(packet);
    while let Ok(Some(item)) = reader.next_item() {
        let Ok(decoded) = item.event else { continue };
        let last = &mut last[item.core as usize];
        *last = decoded.ts.unwrap_or(*last).max(*last);
        // A string with a NUL does not fit into a packet.
        let _ = packer.push(item.core as u8, *last, &decoded.event, &mut out);
    }
    packer.flush(&mut out);
    packets
}
