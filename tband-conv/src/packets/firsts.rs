//! The first packet of each core in each recording: a core that begins late, although another core begins with its first
//! packet, has lost the packets before.

use tband_format::packet::Header;

/// Maximum number of recordings in one input with kept first packets.
const MAX_RECORDINGS: usize = 1 << 10;

/// The first packet of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FirstPacket {
    /// The core.
    pub stream: u8,
    /// Its sequence number.
    pub sequence: u16,
    /// Offset in the input.
    pub offset: u64,
}

/// Packets that are missing before the first one of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MissingFirstPackets {
    /// Index of the input.
    pub input: usize,
    /// The first existing packet.
    pub first: FirstPacket,
}

/// The first packets of the cores, for each recording in an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstPackets {
    recordings: Vec<Vec<FirstPacket>>,
}

impl FirstPackets {
    /// Another recording begins.
    pub fn start_recording(&mut self) {
        if self.recordings.last().is_none_or(|last| !last.is_empty())
            && self.recordings.len() < MAX_RECORDINGS
        {
            self.recordings.push(Vec::new());
        }
    }

    /// Takes the first packet of a core in the present recording. A later one of the same core is ignored.
    pub fn add(&mut self, header: &Header, offset: u64) {
        let &Header { stream, sequence, .. } = header;
        if self.recordings.is_empty() {
            self.recordings.push(Vec::new());
        }
        let Some(last) = self.recordings.last_mut() else { return };
        if last.iter().all(|first| first.stream != stream) {
            last.push(FirstPacket { stream, sequence, offset });
        }
    }

    /// Appends those of a later section of the same input.
    pub fn append(&mut self, later: &Self) {
        let room = MAX_RECORDINGS.saturating_sub(self.recordings.len());
        self.recordings.extend(later.recordings.iter().take(room).cloned());
    }
}

/// Returns the packets that are missing at the begin of each recording, of all inputs. The first recordings of all inputs count
/// as one, and so on, because a target with several cores may give one file for each of them, unless each input is of another
/// board. If no core begins with packet 0, the recording was joined late, and no loss is known.
pub(crate) fn find_missing(inputs: &[FirstPackets], are_boards: bool) -> Vec<MissingFirstPackets> {
    if are_boards && inputs.len() > 1 {
        let alone = |(input, firsts)| {
            let found = find_missing(std::slice::from_ref(firsts), false).into_iter();
            found.map(move |missing| MissingFirstPackets { input, ..missing })
        };
        return inputs.iter().enumerate().flat_map(alone).collect();
    }
    let mut found = Vec::new();
    let most = inputs.iter().map(|input| input.recordings.len()).max().unwrap_or(0);
    for index in 0..most {
        // The earliest packet of each core, in whichever input it is.
        let mut earliest: Vec<MissingFirstPackets> = Vec::new();
        for (input, firsts) in inputs.iter().enumerate() {
            for &first in firsts.recordings.get(index).into_iter().flatten() {
                let this = MissingFirstPackets { input, first };
                match earliest.iter_mut().find(|it| it.first.stream == first.stream) {
                    Some(other) if other.first.sequence > first.sequence => *other = this,
                    Some(_) => {}
                    None => earliest.push(this),
                }
            }
        }
        if earliest.iter().any(|it| it.first.sequence == 0) {
            found.extend(earliest.into_iter().filter(|it| it.first.sequence > 0));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(recordings: &[&[(u8, u16)]]) -> FirstPackets {
        let mut firsts = FirstPackets::default();
        for recording in recordings {
            firsts.start_recording();
            for &(stream, sequence) in *recording {
                let header = Header {
                    stream,
                    sequence,
                    content_len: 40,
                    packet_len: 40,
                    begin: 0,
                    end: 0,
                    discarded: 0,
                };
                firsts.add(&header, 7);
            }
        }
        firsts
    }

    fn missing(inputs: &[FirstPackets]) -> Vec<(usize, u8, u16)> {
        let found = find_missing(inputs, false).into_iter();
        found.map(|it| (it.input, it.first.stream, it.first.sequence)).collect()
    }

    #[test]
    fn a_core_that_begins_late_has_lost_packets_if_another_one_begins_with_packet_0() {
        assert_eq!(missing(&[input(&[&[(0, 0), (1, 3), (2, 0)]])]), [(0, 1, 3)]);
        assert_eq!(missing(&[input(&[&[(1, 3), (0, 0)]])]), [(0, 1, 3)]);
        // Joined late.
        assert_eq!(missing(&[input(&[&[(0, 7), (1, 3)]])]), []);
        assert_eq!(missing(&[input(&[&[(0, 3)]])]), []);
        // A later packet of a core is not its first one.
        assert_eq!(missing(&[input(&[&[(0, 0), (1, 0), (1, 5)]])]), []);
        // Each recording for itself.
        assert_eq!(missing(&[input(&[&[(0, 0), (1, 0)], &[(0, 0), (1, 2)]])]), [(0, 1, 2)]);
        assert_eq!(missing(&[input(&[&[(0, 0), (1, 0)], &[(0, 4), (1, 2)]])]), []);
    }

    #[test]
    fn files_of_one_core_each_are_one_recording() {
        assert_eq!(missing(&[input(&[&[(1, 3)]]), input(&[&[(0, 0)]])]), [(0, 1, 3)]);
        assert_eq!(missing(&[input(&[&[(0, 0)]]), input(&[&[(1, 3)]])]), [(1, 1, 3)]);
        // The rest of a core's packets in another file is not a loss.
        assert_eq!(missing(&[input(&[&[(0, 0)]]), input(&[&[(0, 9)]])]), []);
    }
}
