//! Writes packets, for hosts and tests. The recorder on the target writes the same in place.

use core::fmt;

use super::header::{HEADER_LEN, Header};
use super::time;
use crate::field::packed::Bytes;
use crate::registry::Event;

/// Why an event is not in a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotPushed {
    /// The packet is full.
    Full,
    /// Its time is before that of the previous event, or before the packet's begin.
    TimeSteppedBack,
    /// Its time is 2^62 ticks or more after that of the previous event.
    TooFarAhead,
    /// There is a NUL in a string.
    Nul,
}

impl fmt::Display for NotPushed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "the packet is full",
            Self::TimeSteppedBack => "its time is before that of the event in front of it",
            Self::TooFarAhead => "its time is 2^62 ticks or more after that of the event before it",
            Self::Nul => "strings in packets end at their first NUL, and this one has one inside",
        })
    }
}

impl core::error::Error for NotPushed {}

/// A packet that is being written.
#[derive(Debug)]
pub struct PacketWriter<'a> {
    packet: &'a mut [u8],
    /// After the last event.
    at: usize,
    begin: u64,
    /// Time of the last event.
    last: u64,
}

impl<'a> PacketWriter<'a> {
    /// Creates a packet in all of `packet`, at most [`MAX_LEN`](super::MAX_LEN) bytes, from `begin` on, in
    /// ticks.
    pub const fn new(packet: &'a mut [u8], begin: u64) -> Self {
        Self { packet, at: HEADER_LEN, begin, last: begin }
    }

    /// Continues a packet whose events end at `at`, the last one with the time `last`: the values that
    /// [`at`](Self::at) and [`last`](Self::last) returned.
    pub const fn resume(packet: &'a mut [u8], begin: u64, (at, last): (usize, u64)) -> Self {
        Self { packet, at, begin, last }
    }

    /// Returns the size of header and events so far in bytes.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Returns the time of the last event, or of the begin.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Puts an event after the others. `ts` in ticks, also for metadata.
    ///
    /// # Errors
    /// [`NotPushed`]; the packet is as it was.
    pub fn push(&mut self, ts: u64, event: &Event<'_>) -> Result<(), NotPushed> {
        let distance = ts.checked_sub(self.last).ok_or(NotPushed::TimeSteppedBack)?;
        let (time, len) = time::encode(ts, distance).ok_or(NotPushed::TooFarAhead)?;
        let room = self.packet.get_mut(self.at..).ok_or(NotPushed::Full)?;
        let mut bytes = Bytes::new(room);
        let is_written = (|| {
            bytes.byte(event.wire_id())?;
            bytes.all(time.get(..len)?)?;
            event.write_packed(&mut bytes)
        })();
        if is_written.is_none() {
            return Err(if event.has_nul() { NotPushed::Nul } else { NotPushed::Full });
        }
        self.at += bytes.len();
        self.last = ts;
        Ok(())
    }

    /// Returns whether no event was written yet.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.at == HEADER_LEN
    }

    /// Writes the header, and returns the packet's bytes. `end` in ticks, not before the last event; `discarded`
    /// events of the core so far. Returns `None` if `end` is earlier, or if the size is not valid for a packet.
    #[must_use]
    pub fn finish(self, stream: u8, sequence: u16, end: u64, discarded: u32) -> Option<&'a [u8]> {
        let packet_len = self.packet.len();
        self.finish_as(packet_len, (stream, sequence), end, discarded)
    }

    /// Like [`finish`](Self::finish), for a packet that ends with its last event, as packets that were sent do.
    #[must_use]
    pub fn finish_short(
        self,
        stream: u8,
        sequence: u16,
        end: u64,
        discarded: u32,
    ) -> Option<&'a [u8]> {
        let packet_len = self.at;
        self.finish_as(packet_len, (stream, sequence), end, discarded)
    }

    fn finish_as(
        self,
        packet_len: usize,
        (stream, sequence): (u8, u16),
        end: u64,
        discarded: u32,
    ) -> Option<&'a [u8]> {
        if end < self.last {
            return None;
        }
        let (content_len, begin) = (self.at, self.begin);
        let packet = self.packet.get_mut(..packet_len)?;
        Header { stream, sequence, content_len, packet_len, begin, end, discarded }
            .write(packet)?;
        Some(packet)
    }
}
