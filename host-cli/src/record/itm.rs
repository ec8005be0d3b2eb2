//! SWO: extracts the bytes of one stimulus port of the ITM from the packets of the trace pin (Armv7-M Architecture Reference
//! Manual, appendix D4). Packets of other ports, of the hardware and of timestamps are left out.
//!
//! It does not detect losses: the packets of tband have a check, which shows missing bytes.

use std::io;

use super::source::{Link, ReadResult, Source, StopFlag};

/// Zero bytes that a synchronization packet has before its last byte, at least. No other packet has as many.
const SYNC_ZEROS: u8 = 5;
const SYNC_END: u8 = 0x80;
const OVERFLOW: u8 = 0x70;
/// Global timestamps, and how long they are at most.
const GLOBAL_1: u8 = 0x94;
const GLOBAL_2: u8 = 0xB4;
const LONGEST: u8 = 4;
const LONGEST_GLOBAL_2: u8 = 6;
/// In a header and in bytes of timestamps: another byte follows.
const CONTINUES: u8 = 0x80;

/// Within a packet: the kind of the next byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Header,
    /// One of this many bytes of a source.
    Payload {
        left: u8,
        is_wanted: bool,
    },
    /// One of at most this many bytes; the last one is marked as such.
    Continued {
        left: u8,
    },
}

/// Takes the packets apart, byte by byte.
struct Decoder {
    /// The stimulus port, 0 to 31.
    port: u8,
    state: State,
    /// The stimulus ports are those of another page of 32.
    is_other_page: bool,
    /// Zero bytes before this one, up to [`SYNC_ZEROS`].
    zeros: u8,
}

impl Decoder {
    const fn new(port: u8) -> Self {
        Self { port, state: State::Header, is_other_page: false, zeros: 0 }
    }

    /// The byte if it is one of the port's.
    fn take(&mut self, byte: u8) -> Option<u8> {
        let is_sync = byte == SYNC_END && self.zeros == SYNC_ZEROS;
        self.zeros = if byte == 0 { (self.zeros + 1).min(SYNC_ZEROS) } else { 0 };
        if is_sync {
            // Whatever the bytes before were.
            self.state = State::Header;
            self.is_other_page = false;
            return None;
        }
        match self.state {
            State::Header => {
                self.state = self.header(byte);
                None
            }
            State::Payload { left, is_wanted } => {
                self.state = match left {
                    0 | 1 => State::Header,
                    _ => State::Payload { left: left - 1, is_wanted },
                };
                is_wanted.then_some(byte)
            }
            State::Continued { left } => {
                self.state = match left {
                    2.. if byte & CONTINUES != 0 => State::Continued { left: left - 1 },
                    _ => State::Header,
                };
                None
            }
        }
    }

    /// Returns the state after a header.
    fn header(&mut self, header: u8) -> State {
        let size = match header & 3 {
            0 => return self.protocol(header),
            3 => 4,
            size => size,
        };
        let is_stimulus = header & 4 == 0;
        let is_wanted = is_stimulus && header >> 3 == self.port && !self.is_other_page;
        State::Payload { left: size, is_wanted }
    }

    /// Returns the state after a header of the protocol itself: timestamps, extensions, and reserved ones.
    fn protocol(&mut self, header: u8) -> State {
        match header {
            OVERFLOW => State::Header,
            GLOBAL_1 => State::Continued { left: LONGEST },
            GLOBAL_2 => State::Continued { left: LONGEST_GLOBAL_2 },
            _ => {
                // An extension of one byte for the stimulus ports: their page.
                if header & 0x8F == 0x08 {
                    self.is_other_page = header & 0x70 != 0;
                }
                // 0x80 alone is the end of a synchronization packet whose begin was not seen.
                let has_more = header & CONTINUES != 0 && header != SYNC_END;
                if has_more { State::Continued { left: LONGEST } } else { State::Header }
            }
        }
    }
}

/// Decodes the bytes of another source.
pub struct Itm {
    port: u8,
    source: Box<dyn Source>,
}

impl Itm {
    /// The port is 0 to 31.
    pub fn new(port: u8, source: Box<dyn Source>) -> Self {
        Self { port, source }
    }
}

impl Source for Itm {
    fn name(&self) -> String {
        format!("itm:{}:{}", self.port, self.source.name())
    }

    fn open(&mut self, stop: &StopFlag) -> anyhow::Result<Option<Box<dyn Link>>> {
        let link = self.source.open(stop)?;
        Ok(link.map(|link| -> Box<dyn Link> {
            Box::new(Stimuli { link, decoder: Decoder::new(self.port) })
        }))
    }

    fn can_return(&self) -> bool {
        self.source.can_return()
    }

    fn expect_reopening(&mut self) {
        self.source.expect_reopening();
    }
}

struct Stimuli {
    link: Box<dyn Link>,
    decoder: Decoder,
}

impl Link for Stimuli {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<ReadResult> {
        let len = match self.link.read(buf)? {
            ReadResult::Bytes(len) => len,
            other => return Ok(other),
        };
        let mut kept = 0;
        for at in 0..len.min(buf.len()) {
            if let Some(byte) = buf.get(at).and_then(|&byte| self.decoder.take(byte))
                && let Some(place) = buf.get_mut(kept)
            {
                *place = byte;
                kept += 1;
            }
        }
        Ok(if kept == 0 { ReadResult::Nothing } else { ReadResult::Bytes(kept) })
    }
}

#[cfg(test)]
mod tests {
    use super::{Decoder, State};

    fn stimuli(port: u8, bytes: &[u8]) -> Vec<u8> {
        let mut decoder = Decoder::new(port);
        bytes.iter().filter_map(|&byte| decoder.take(byte)).collect()
    }

    /// As a chip would send it: headers are port * 8 + 1, 2 or 3 for 1, 2 or 4 bytes.
    #[test]
    fn one_port_of_all_packets() {
        let cases: [(&str, &[u8]); 12] = [
            ("one byte", &[9, 1, 10, 2, 3, 11, 4, 5, 6, 7]),
            ("other ports", &[1, 99, 9, 1, 249, 99, 250, 9, 9, 10, 2, 3, 11, 4, 5, 6, 7]),
            ("exceptions", &[9, 1, 0x0E, 15, 0x10, 10, 2, 3, 11, 4, 5, 6, 7]),
            ("program counters", &[9, 1, 0x17, 9, 9, 9, 9, 10, 2, 3, 0x15, 0, 11, 4, 5, 6, 7]),
            ("local times", &[9, 1, 0xC0, 0x89, 9, 10, 2, 3, 0x20, 11, 4, 5, 6, 7]),
            ("a longest time", &[9, 1, 0xF0, 0x89, 0x89, 0x89, 9, 10, 2, 3, 11, 4, 5, 6, 7]),
            ("global times", &[0x94, 0x89, 9, 9, 1, 0xB4, 0x89, 0x89, 9, 10, 2, 3, 11, 4, 5, 6, 7]),
            ("overflow", &[9, 1, 0x70, 10, 2, 3, 0x70, 11, 4, 5, 6, 7]),
            ("sync", &[0, 0, 0, 0, 0, 0x80, 9, 1, 0, 0, 0, 0, 0, 0x80, 10, 2, 3, 11, 4, 5, 6, 7]),
            ("a late begin", &[0, 0, 0x80, 9, 1, 10, 2, 3, 11, 4, 5, 6, 7]),
            ("pages", &[9, 1, 0x18, 9, 99, 0x08, 10, 2, 3, 11, 4, 5, 6, 7]),
            ("extensions", &[9, 1, 0x9C, 0x89, 9, 10, 2, 3, 0x1C, 11, 4, 5, 6, 7]),
        ];
        for (name, bytes) in cases {
            assert_eq!(stimuli(1, bytes), [1, 2, 3, 4, 5, 6, 7], "{name}");
        }
    }

    #[test]
    fn values_that_look_like_synchronization_are_none() {
        let bytes = [11, 0, 0, 0, 0, 9, 0x80, 9, 0, 11, 0, 0, 0, 0x80, 10, 0x70, 0x94];
        let expected = [0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0x80, 0x70, 0x94];
        assert_eq!(stimuli(1, &bytes), expected);
    }

    /// Bytes are missing: the next ones are misread, up to the next synchronization packet.
    #[test]
    fn after_damage_it_goes_on_at_the_next_synchronization() {
        let good = [0, 0, 0, 0, 0, 0x80, 11, 4, 5, 6, 7];
        for header in 0..=255 {
            for len in 0..6 {
                let cut = [&[header, 1, 1, 0x81, 0x91, 1][..=len], &good].concat();
                assert!(stimuli(1, &cut).ends_with(&[4, 5, 6, 7]), "{header:#x}, {len}");
            }
        }
    }

    /// After any bytes the parser has a valid state, and the output is not longer than the input.
    #[test]
    fn any_bytes() {
        let mut state = 1_u32;
        let bytes: Vec<u8> = (0..200_000)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect();
        for port in 0..32 {
            assert!(stimuli(port, &bytes).len() < bytes.len());
        }
        let mut decoder = Decoder::new(0);
        for byte in bytes.iter().chain(&[0, 0, 0, 0, 0, 0x80]) {
            decoder.take(*byte);
        }
        assert_eq!(decoder.state, State::Header);
    }
}
