//! Text in UTF-16, or with a byte order mark, as editors and PowerShell write it: read as the ASCII text that it is.

use std::io::{self, Read};

use crate::wire::buffer::read_retrying;

/// How the characters of a text are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextWidth {
    /// In UTF-8, after a byte order mark.
    Marked,
    /// In UTF-16, lower byte first.
    Little,
    /// In UTF-16, upper byte first.
    Big,
}

const MARKS: [(&[u8], TextWidth); 3] = [
    (&[0xEF, 0xBB, 0xBF], TextWidth::Marked),
    (&[0xFF, 0xFE], TextWidth::Little),
    (&[0xFE, 0xFF], TextWidth::Big),
];

impl TextWidth {
    /// That of a text that begins with these bytes, if it is not plain ASCII.
    pub fn of(raw: &[u8]) -> Option<Self> {
        let marked = MARKS.iter().find(|(mark, _)| raw.starts_with(mark)).map(|(_, wide)| *wide);
        let is_ascii = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n');
        marked.or_else(|| match raw {
            [first, 0, second, 0, ..] if is_ascii(first) && is_ascii(second) => Some(Self::Little),
            [0, first, 0, second, ..] if is_ascii(first) && is_ascii(second) => Some(Self::Big),
            _ => None,
        })
    }

    /// Returns the text without its wide encoding. A character that is not ASCII leaves no digit.
    pub fn into_ascii<R: Read>(self, inner: R) -> AsciiReader<R> {
        AsciiReader { inner, wide: self, begun: Vec::new(), is_at_start: true }
    }
}

/// Reads a text as ASCII.
pub struct AsciiReader<R> {
    inner: R,
    wide: TextWidth,
    /// Bytes of a character, or of a mark, that are not all there.
    begun: Vec<u8>,
    is_at_start: bool,
}

impl<R: Read> Read for AsciiReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut raw = [0; 4096];
        loop {
            let room = out.len().min(raw.len());
            let Some(room) = raw.get_mut(..room).filter(|room| !room.is_empty()) else {
                return Ok(0);
            };
            let len = read_retrying(&mut self.inner, room)?;
            self.begun.extend_from_slice(raw.get(..len).unwrap_or_default());
            if self.is_at_start && self.begun.len() < 3 && len > 0 {
                continue;
            }
            if std::mem::take(&mut self.is_at_start)
                && let Some((mark, _)) = MARKS.iter().find(|(mark, _)| self.begun.starts_with(mark))
            {
                self.begun.drain(..mark.len());
            }
            let given = self.fill(out);
            if given > 0 || len == 0 {
                return Ok(given);
            }
        }
    }
}

impl<R> AsciiReader<R> {
    /// Writes as many characters as there are, and as fit.
    fn fill(&mut self, out: &mut [u8]) -> usize {
        let each = if self.wide == TextWidth::Marked { 1 } else { 2 };
        let mut given = 0;
        for (to, from) in out.iter_mut().zip(self.begun.chunks_exact(each)) {
            *to = match (self.wide, from) {
                (TextWidth::Little, [byte, 0])
                | (TextWidth::Big, [0, byte])
                | (TextWidth::Marked, [byte]) => *byte,
                _ => b'?',
            };
            given += 1;
        }
        self.begun.drain(..given * each);
        given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_ascii() {
        let utf16 = |mark: &[u8], of: fn(u16) -> [u8; 2]| -> Vec<u8> {
            let text = "C1 1f\r\n".encode_utf16().flat_map(of);
            mark.iter().copied().chain(text).collect()
        };
        for raw in [
            utf16(&[0xFF, 0xFE], u16::to_le_bytes),
            utf16(&[], u16::to_le_bytes),
            utf16(&[0xFE, 0xFF], u16::to_be_bytes),
            utf16(&[], u16::to_be_bytes),
            b"\xEF\xBB\xBFC1 1f\r\n".to_vec(),
        ] {
            let mut text = String::new();
            TextWidth::of(&raw).unwrap().into_ascii(&raw[..]).read_to_string(&mut text).unwrap();
            assert_eq!(text, "C1 1f\r\n");
        }
        assert_eq!(TextWidth::of(b"C1 1f"), None);
    }
}
