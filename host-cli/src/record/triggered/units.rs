//! Received bytes, split where a recording may be cut: into packets, or frames.

use tband_format::decode::{Decoded, decode_payload};
use tband_format::packet::{HEADER_LEN, Header, METADATA_STREAM, Packet, PacketError};
use tband_format::{Event, cobs};

use crate::gaps::packets;
use crate::record::store::dictionary::{MOST, has_frames};

/// The kind of a piece of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A packet, with the fill bytes of its slot.
    Packet(Header),
    /// A frame, with the zero byte that closes it.
    Frame,
    /// Neither.
    Other,
}

/// Splits received bytes.
#[derive(Debug, Default)]
pub struct Splitter {
    held: Vec<u8>,
    /// Frames or packets, once that is known.
    has_packets: Option<bool>,
}

impl Splitter {
    /// Returns the units that are complete by now, in order.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<(Unit, Vec<u8>)> {
        self.held.extend_from_slice(bytes);
        if packets(&self.held).next().is_some() {
            self.has_packets = Some(true);
        } else if self.has_packets.is_none() && (self.held.len() >= MOST || has_frames(&self.held))
        {
            self.has_packets = Some(false);
        }
        self.has_packets.map_or_else(Vec::new, |has_packets| self.split(has_packets))
    }

    /// Returns the rest, because no more will come: frames, if the bytes are too few to decide, and an incomplete unit.
    pub fn take(&mut self) -> Vec<(Unit, Vec<u8>)> {
        let mut units = if self.has_packets.is_none() { self.split(false) } else { Vec::new() };
        if !self.held.is_empty() {
            units.push((Unit::Other, std::mem::take(&mut self.held)));
        }
        units
    }

    fn split(&mut self, has_packets: bool) -> Vec<(Unit, Vec<u8>)> {
        let mut units = Vec::new();
        let mut rest = self.held.as_slice();
        while let Some((unit, len)) = next(rest, has_packets)
            && let Some((begin, end)) = rest.split_at_checked(len)
        {
            units.push((unit, begin.to_vec()));
            rest = end;
        }
        self.held = rest.to_vec();
        units
    }
}

/// The unit that some bytes begin with, and its length; none if it is not all there.
fn next(bytes: &[u8], has_packets: bool) -> Option<(Unit, usize)> {
    if !has_packets {
        let end = bytes.iter().position(|byte| *byte == 0).map(|end| (Unit::Frame, end + 1));
        // No frame is as long.
        return end.or_else(|| (bytes.len() > MOST).then_some((Unit::Other, bytes.len())));
    }
    let Some(at) = packets(bytes).next() else {
        // The end may be the begin of a header.
        let len = bytes.len().saturating_sub(HEADER_LEN - 1);
        return (len > 0).then_some((Unit::Other, len));
    };
    if at > 0 {
        return Some((Unit::Other, at));
    }
    let (header, _) = Header::read(bytes).ok()?;
    match read(bytes) {
        Ok(_) => {
            (bytes.len() >= header.packet_len).then_some((Unit::Packet(header), header.packet_len))
        }
        Err(PacketError::Truncated { .. }) => None,
        Err(_) => {
            let after = bytes.get(1..).and_then(|rest| packets(rest).next());
            Some((Unit::Other, after.map_or(HEADER_LEN, |at| at + 1)))
        }
    }
}

/// In RTT packets have no check.
fn read(bytes: &[u8]) -> Result<Packet<'_>, PacketError> {
    match Packet::read(bytes) {
        Err(PacketError::Unchecked) => Packet::read_unchecked(bytes),
        read => read,
    }
}

impl Unit {
    /// Passes on each event of it. Unreadable ones are left out.
    pub fn each(&self, bytes: &[u8], mut give: impl FnMut(&Event<'_>)) {
        self.each_with_time(bytes, |decoded| give(&decoded.event));
    }

    /// As [`each`](Self::each), with the times of timed events.
    pub fn each_with_time(&self, bytes: &[u8], mut give: impl FnMut(&Decoded<'_>)) {
        match self {
            Self::Other => {}
            Self::Frame => frames(bytes, &mut give),
            Self::Packet(_) => {
                let Ok(packet) = read(bytes) else { return };
                if packet.header().stream == METADATA_STREAM {
                    frames(packet.content(), &mut give);
                } else {
                    packet.events().flatten().for_each(|decoded| give(&decoded));
                }
            }
        }
    }
}

fn frames(bytes: &[u8], give: &mut impl FnMut(&Decoded<'_>)) {
    for frame in bytes.split(|byte| *byte == 0).filter(|frame| !frame.is_empty()) {
        let mut room = vec![0; frame.len()];
        if let Ok(payload) = cobs::decode(frame, &mut room)
            && let Ok(decoded) = decode_payload(payload)
        {
            give(&decoded);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tband_format::Str;
    use tband_recordings::{frame, packed};

    fn recording() -> Vec<u8> {
        let name = Event::TaskName { task_id: 1, name: Str(b"a") };
        let switches = (1..200).map(|at| frame(at, Event::TaskSwitchedIn { task_id: 1 }));
        [frame(0, name)].into_iter().chain(switches).flatten().collect()
    }

    /// With any size of pieces, nothing is lost, and each unit is complete.
    #[test]
    fn units_are_whole_and_are_all_that_came() {
        let frames = recording();
        let packets = packed::packed(&frames, 256);
        let broken = [&[9; 50], &packets[..300], &[0x55; 40], &packets[..]].concat();
        for (bytes, events) in [(&frames, 200), (&packets, 200), (&broken, 200)] {
            for len in [1, 7, 100, usize::MAX] {
                let mut splitter = Splitter::default();
                let mut units: Vec<_> =
                    bytes.chunks(len.min(bytes.len())).flat_map(|it| splitter.feed(it)).collect();
                units.extend(splitter.take());
                let mut count = 0;
                for (unit, bytes) in &units {
                    unit.each(bytes, |_| count += 1);
                }
                assert!(count >= events, "{len}: {count}");
                let all: Vec<u8> = units.into_iter().flat_map(|(_, bytes)| bytes).collect();
                assert_eq!(&all, bytes, "{len}");
            }
        }
    }

    #[test]
    fn noise_is_passed_on() {
        let mut splitter = Splitter::default();
        let noise: Vec<u8> = (0..60_000_u32).map(|at| (at * 7 + at / 13) as u8 | 1).collect();
        let mut len = splitter.feed(&noise).iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        assert!(splitter.held.len() <= MOST, "{}", splitter.held.len());
        len += splitter.take().iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        assert_eq!(len, noise.len());
    }
}
