//! Bytes that are not events: padding of packets, damage, and bytes after the last event.

use super::{CtfStream, MOST, Packet, State, Step};
use crate::ctf::decode::{Cursor, ReadStop};
use crate::gaps::Break;
use crate::output::Output;

impl CtfStream {
    /// The rest of a packet cannot be read.
    pub(super) fn lose_rest(&mut self, packet: Packet, what: &'static str) -> Step {
        let left = (packet.len / 8).saturating_sub(packet.at / 8);
        let left = if packet.len == u64::MAX { u64::MAX } else { left };
        self.lost(Break::Damage(what), left)
    }

    /// So many bytes are passed over; or all up to the next packet.
    pub(super) fn lost(&mut self, why: Break, left: u64) -> Step {
        self.engine.has_gap();
        self.state = match (left, self.trace.magic()) {
            (u64::MAX, Some(_)) => State::Seeks(why, 0),
            (left, _) => State::Skips(why, 0, left),
        };
        Step::Again
    }

    /// Passes over bytes: to the next packet, or so many.
    pub(super) fn pass(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> Step {
        let (why, passed, found) = match (self.state, self.trace.magic()) {
            (State::Seeks(why, passed), Some(magic)) => {
                // The first bytes were looked at before.
                let from = usize::from(passed == 0);
                let rest = bytes.get(from..).unwrap_or_default();
                let found = memchr::memmem::find(rest, &magic).map(|at| at + from);
                (why, passed, found)
            }
            (State::Skips(why, passed, left), _) => {
                let found = usize::try_from(left).ok().filter(|left| *left <= bytes.len());
                (why, passed, found)
            }
            (State::Seeks(why, passed), None) => (why, passed, None),
            _ => return Step::Again,
        };
        if let Some(len) = found.or_else(|| at_end.then_some(bytes.len())) {
            out.broken(self.core, why, passed, passed.saturating_add(len as u64));
            self.state = State::Between;
            return if len > 0 { Step::Used(len) } else { Step::Again };
        }
        // The last bytes may be the first of a packet, or the last of the file.
        let len = bytes.len().saturating_sub(3);
        let total = passed.saturating_add(len as u64);
        self.state = match self.state {
            State::Skips(_, _, left) => State::Skips(why, total, left.saturating_sub(len as u64)),
            _ => State::Seeks(why, total),
        };
        Step::Used(len)
    }

    /// After the content of a packet.
    pub(super) fn rest(&mut self, left: u64, bytes: &[u8], at_end: bool, out: &mut Output) -> Step {
        if let Some(step) = self.packet_in_rest(left, bytes, at_end, out) {
            return step;
        }
        match usize::try_from(left) {
            Ok(0) => {
                self.state = State::Between;
                Step::Again
            }
            Ok(left) if left <= bytes.len() => {
                self.state = State::Between;
                Step::Used(left)
            }
            _ if at_end => self.lost(Break::Cut, u64::MAX),
            _ => {
                let len = bytes.len().saturating_sub(1);
                self.state = State::Rest(left - len as u64);
                Step::Used(len)
            }
        }
    }

    /// A packet begins before the one before it ends: the size of that was changed. What an older packet has left there is
    /// earlier, and no packet.
    pub(super) fn packet_in_rest(
        &mut self,
        left: u64,
        bytes: &[u8],
        at_end: bool,
        out: &mut Output,
    ) -> Option<Step> {
        let within = bytes.get(..usize::try_from(left).unwrap_or(bytes.len())).unwrap_or(bytes);
        let at = memchr::memmem::find(within, &self.trace.magic()?)?;
        if at > 0 {
            self.state = State::Rest(left - at as u64);
            return Some(Step::Used(at));
        }
        let now = self.decoder.now;
        let mut cursor = Cursor { bytes, at: 0, before: 0, end: u64::MAX };
        let read = self.header(&mut cursor);
        let is_later = self.decoder.now >= now;
        self.decoder.now = now;
        match read {
            Err(ReadStop::Short) if !at_end && bytes.len() < MOST => Some(Step::Used(0)),
            Ok(_) if is_later => {
                let what = "a packet whose size reaches over the next packet";
                out.broken(self.core, Break::Damage(what), 0, 0);
                self.state = State::Between;
                Some(Step::Again)
            }
            _ => {
                self.state = State::Rest(left.saturating_sub(1));
                Some(Step::Used(1))
            }
        }
    }

    /// Zeros fill the part of a file that was not written.
    pub(super) fn skip_zeros(&mut self, bytes: &[u8]) -> Step {
        let len = bytes.iter().take_while(|byte| **byte == 0).count();
        if len > 0 {
            return Step::Used(len);
        }
        self.state = match self.trace.magic() {
            Some(_) => State::Between,
            None => State::Skips(Break::Unwritten, 0, u64::MAX),
        };
        Step::Again
    }
}
