//! The banner of J-Link's RTT server before the target's bytes: some lines of text.

use tband_format::packet::MAGIC;

/// It begins so, which no recording does.
const BEGIN: &[u8] = b"SEGGER J-Link";
/// Bytes with which a recording of tband begins: RTT has packets.
pub const OWN: &[&[u8]] = &[&MAGIC.to_le_bytes()];
/// It is shorter than this.
const MOST: usize = 8192;

/// Removes the banner, if there is one.
pub enum Banner {
    /// So much has come of what may be one, and the recording begins with one of these.
    Begins(Vec<u8>, &'static [&'static [u8]]),
    /// There was no banner, or it is over.
    Over,
}

impl Banner {
    /// Of a connection that has just begun. The recording begins with one of `begins`.
    pub const fn new(begins: &'static [&'static [u8]]) -> Self {
        Self::Begins(Vec::new(), begins)
    }

    /// Returns the bytes of the recording so far, with these as the next ones. A possible banner is held back.
    pub fn without(&mut self, bytes: &[u8]) -> Vec<u8> {
        let Self::Begins(begin, begins) = self else { return bytes.to_vec() };
        begin.extend(bytes);
        let is_banner = begin.starts_with(BEGIN);
        let first = begins.iter().filter_map(|it| memchr::memmem::find(begin, it)).min();
        let from = match first {
            Some(first) if is_banner => first,
            None if is_banner && begin.len() < MOST => return Vec::new(),
            None if !is_banner && BEGIN.starts_with(begin) => return Vec::new(),
            _ => 0,
        };
        self.rest().split_off(from)
    }

    /// Returns the bytes held back, if no more come.
    pub fn rest(&mut self) -> Vec<u8> {
        match std::mem::replace(self, Self::Over) {
            Self::Begins(begin, _) => begin,
            Self::Over => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(pieces: &[&[u8]]) -> Vec<u8> {
        let mut banner = Banner::new(OWN);
        let mut all: Vec<u8> = pieces.iter().flat_map(|piece| banner.without(piece)).collect();
        all.extend(banner.rest());
        all
    }

    #[test]
    fn a_banner_is_left_out_wherever_it_is_cut() {
        let text =
            b"SEGGER J-Link V7.88 - Real time terminal output\r\nSN=5\r\nProcess: JLinkExe\r\n";
        let packet = [&MAGIC.to_le_bytes()[..], b"SEGGER J-Link"].concat();
        let all = [&text[..], &packet].concat();
        for cut in 0..=all.len() {
            let (one, other) = all.split_at(cut);
            assert_eq!(passed(&[one, other, b"x"]), [&packet[..], b"x"].concat(), "{cut}");
        }
    }

    #[test]
    fn what_is_no_banner_is_all_there() {
        for bytes in [&b"S"[..], b"SEGGER J", b"SEGGES J-Link", b"\x02\x01\0", b""] {
            for cut in 0..=bytes.len() {
                assert_eq!(passed(&[&bytes[..cut], &bytes[cut..]]), bytes);
            }
        }
        // A text without an end is shown, and `record` reports that it is not a recording.
        let long = [BEGIN, &[b'x'; MOST]].concat();
        assert_eq!(passed(&[&long]), long);
    }
}
