//! Bytes between packets: text, fillings, and other bytes that are known not to be packets.

use tband_format::packet::MAGIC;

use super::change::Change;
use super::inserted::is_text;
use super::quote::Quote;
use super::telnet;

/// Maximum number of kept bytes of a run.
const KEPT: usize = 64;
/// Zeros, or FF, that are a filling.
const FILLING: u64 = 16;
/// Characters that are a text.
const TEXT: u64 = 4;

/// A run of bytes that are not a packet.
#[derive(Debug, Default)]
pub struct StrayBytes {
    first: Vec<u8>,
    len: u64,
    /// The run has bytes other than text.
    has_other: bool,
    /// The byte that the run ends with, and how often.
    tail: (u8, u64),
    /// The change that a packet in it shows.
    shows: Option<Change>,
    /// A packet begins with its first byte and ends with the input, or with a filling.
    is_cut: bool,
}

/// The cause of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Not known: damage.
    Unknown,
    /// A packet of which this change was not undone.
    Changed(Change),
    /// A packet cut by the end of the input or of the written part, or otherwise by this change.
    Cut(Option<Change>),
    /// No packet was there.
    Beside(Change, Quote),
}

impl StrayBytes {
    /// More of it.
    pub fn add(&mut self, bytes: &[u8]) {
        let room = KEPT.saturating_sub(self.first.len());
        self.first.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        self.len = self.len.saturating_add(bytes.len() as u64);
        self.has_other |= !bytes.iter().all(|byte| is_text(*byte));
        let Some(&last) = bytes.last() else { return };
        let run = bytes.iter().rev().take_while(|byte| **byte == last).count();
        let before = if run == bytes.len() && self.tail.0 == last { self.tail.1 } else { 0 };
        self.tail = (last, before.saturating_add(run as u64));
    }

    /// A packet in it shows this change.
    pub fn note_change(&mut self, change: Change) {
        self.shows.get_or_insert(change);
    }

    /// The packet that begins with its first byte is cut.
    pub const fn cut(&mut self) {
        self.is_cut = true;
    }

    /// How many bytes at its end were never written, if it is at the end of the input.
    pub fn filling(&self) -> u64 {
        let (byte, len) = self.tail;
        if matches!(byte, 0 | 0xFF) && len >= FILLING { len } else { 0 }
    }

    /// Returns its cause, without its last bytes if they are a filling that is reported separately.
    pub fn cause(&self, is_without_filling: bool) -> Cause {
        let first = self.first.as_slice();
        let is_whole = self.len == first.len() as u64;
        let beside = |change| Cause::Beside(change, Quote::of(first));
        let is_packet = first.starts_with(&MAGIC.to_le_bytes());
        if self.is_cut || is_without_filling && is_packet {
            return Cause::Cut(self.shows);
        }
        if let Some(change) = self.shows {
            return Cause::Changed(change);
        }
        if self.filling() == self.len && self.len > 0 {
            return beside(Change::Fill);
        }
        if is_whole && matches!(first, [0xEF, 0xBB, 0xBF] | [0xFF, 0xFE] | [0xFE, 0xFF]) {
            return beside(Change::TextEncoding);
        }
        if is_whole && first.starts_with(&[0xFF]) && first.len() > 1 && telnet::are_commands(first)
        {
            return beside(Change::Telnet);
        }
        if is_whole && first.iter().all(|byte| *byte == 0x1A) {
            return beside(Change::EndOfText);
        }
        // The end of a line that PowerShell puts after the last one, in UTF-16.
        if is_whole && matches!(first, b"\r\0\n\0" | b"\0\r\0\n") {
            return beside(Change::TextEncoding);
        }
        let is_line_end = is_whole && first.iter().all(|byte| matches!(byte, b'\r' | b'\n'));
        if !self.has_other && (self.len >= TEXT || is_line_end) {
            return beside(Change::Text);
        }
        Cause::Unknown
    }
}
