//! How the bytes of a recording are represented: as they are, as hex or base64 text, or compressed.
//!
//! The representation is found from evidence rather than from the first byte, which may be damaged. Bytes of which some decode
//! are a recording. In a text, or in the part between markers, nearly every character is a digit.

use std::io::{self, BufReader, Read};

use tband_format::cobs;
use tband_format::decode::decode_payload;
use tband_import::recognised_format::Recognition;

use crate::encoding::base64::{Base64Reader, is_base64};
use crate::encoding::gunzip::{compressed_otherwise, gunzip, is_stored_zip, is_tar};
use crate::encoding::hex::{HexReader, is_hex};
use crate::encoding::markers;
use crate::encoding::text::{Character, Characters};
use crate::encoding::text_width::TextWidth;
use crate::error::NotationError;
use crate::wire::buffer::read_retrying;
use crate::wire::frames::{FrameEnd, FrameReader, MAX_FRAME};
use crate::wire::has_packets;

/// How the bytes of a recording are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Format {
    /// As they are.
    #[default]
    Bin,
    /// Two hex digits a byte.
    Hex,
    /// Four base64 digits for three bytes.
    Base64,
    /// Compressed with gzip; the decompressed bytes are recognised as for [`Auto`](Self::Auto).
    Gzip,
    /// One of the others, by its content.
    Auto,
}

/// A reader of one input, from its start.
pub type BoxRead<'a> = Box<dyn Read + 'a>;

/// Bytes that are examined to recognise the representation.
const HEAD: usize = 64 * 1024;
/// Bytes that suffice from a source that delivers small pieces: for binary data, and for text.
const ENOUGH: usize = 64;
const ENOUGH_TEXT: usize = 1024;
/// Bytes of a text that are searched for the start of its recording.
const LOG: usize = 1 << 20;

/// How a recording is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Notation {
    gzip: bool,
    /// The representation itself, or inside of the compression.
    inside: TextContent,
    /// Only the part between markers of the text is read.
    marked: bool,
    /// The text is not plain ASCII.
    wide: Option<TextWidth>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextContent {
    Bin,
    Hex,
    Base64,
}

impl Notation {
    fn of(format: Format, raw: &[u8]) -> Self {
        let gzip = format == Format::Gzip || (format == Format::Auto && is_gzip(raw));
        let unpacked = if gzip { readable(gunzip(raw), LOG) } else { Vec::new() };
        let bytes = if gzip { &unpacked } else { raw };
        let wide = if format == Format::Bin { None } else { TextWidth::of(bytes) };
        let narrow = wide.map(|wide| readable(wide.into_ascii(bytes), LOG));
        let bytes = narrow.as_deref().unwrap_or(bytes);
        let marked = markers::after_start(bytes).is_some();
        let (inside, marked) = match format {
            Format::Bin => (TextContent::Bin, false),
            Format::Hex => (TextContent::Hex, marked),
            Format::Base64 => (TextContent::Base64, marked),
            Format::Gzip | Format::Auto => recognise(bytes, marked),
        };
        Self { gzip, inside, marked, wide }
    }

    /// A reader of the recording's bytes.
    pub fn decode<'a>(self, reader: BoxRead<'a>) -> BoxRead<'a> {
        let reader = if self.gzip {
            Box::new(gunzip(BufReader::with_capacity(HEAD, reader)))
        } else {
            reader
        };
        let reader = match self.wide.filter(|_| self.inside != TextContent::Bin) {
            Some(wide) => Box::new(wide.into_ascii(reader)),
            None => reader,
        };
        match self.inside {
            TextContent::Bin => reader,
            TextContent::Hex => Box::new(HexReader::of(reader, self.marked)),
            TextContent::Base64 => Box::new(Base64Reader::of(reader, self.marked)),
        }
    }
}

/// Facts known about an input from its first bytes.
#[derive(Debug)]
pub(crate) struct Beginning {
    pub notation: Notation,
    /// The first bytes of the input as they are.
    raw: Vec<u8>,
    /// The first bytes of the recording.
    pub head: Vec<u8>,
}

impl Beginning {
    /// Reads the beginning of an input.
    pub fn read(input: &mut dyn Read, format: Format) -> io::Result<Self> {
        let mut raw = vec![0; HEAD];
        // The bytes are examined again when there are twice as many.
        let (mut len, mut next) = (0, 1);
        while len < next || !is_enough(raw.get(..len).unwrap_or_default(), format) {
            if len >= next {
                next = if len < ENOUGH { ENOUGH } else { len.saturating_mul(2).max(ENOUGH_TEXT) };
            }
            if len == raw.len() {
                raw.resize(len.saturating_mul(2), 0);
            }
            let free = raw.get_mut(len..).unwrap_or_default();
            match read_retrying(&mut &mut *input, free)? {
                0 => break,
                more => len += more,
            }
        }
        raw.truncate(len);
        if format == Format::Auto
            && let Some(error) = compressed_otherwise(&raw)
            && (is_stored_zip(&raw) || !has_events(&raw))
        {
            return Err(error.into());
        }
        let notation = Notation::of(format, &raw);
        let head = readable(notation.decode(Box::new(&*raw)), HEAD);
        if format == Format::Auto && is_tar(&head) {
            return Err(NotationError::Tar.into());
        }
        Ok(Self { notation, head, raw })
    }

    /// Returns a reader of the complete input; `rest` is the part still to be read.
    pub fn whole<'a>(&self, rest: BoxRead<'a>) -> BoxRead<'a> {
        self.notation.decode(Box::new(io::Cursor::new(self.raw.clone()).chain(rest)))
    }

    /// What to try if the input turns out not to be a recording.
    pub fn hint(&self) -> &'static str {
        if is_perfetto(&self.head) {
            return "; it is a Perfetto trace already: 'tband-cli serve' shows it";
        }
        match recognise(&self.raw, markers::after_start(&self.raw).is_some()).0 {
            _ if self.notation != Notation::of(Format::Bin, &[]) => {
                "; name the file that the target recorded, or say its --format"
            }
            _ if is_gzip(&self.raw) => "; it is compressed: use --format auto",
            _ if is_dump(&self.raw) => {
                "; it is a dump with addresses, as of xxd or hexdump -C: write digits only (xxd -r turns its own dumps back, xxd -p writes digits)"
            }
            TextContent::Hex => "; it looks like hex text: use --format hex",
            TextContent::Base64 => "; it looks like base64 text: use --format base64",
            _ if self.raw.starts_with(&[0xC1, 0x1F, 0xFC, 0xC1]) => {
                "; it may be a stream file of a CTF trace; tband cannot read those of other recorders yet"
            }
            _ if self.raw.starts_with(b"\x7fELF") => {
                "; it is an ELF file: name what the program recorded; 'tband-cli extract' takes it out of a core file"
            }
            TextContent::Bin => {
                "; name the file with the bytes that the target recorded; 'tband-cli extract' takes them out of saved memory"
            }
        }
    }
}

/// Its first line has an address before its digits.
fn is_dump(raw: &[u8]) -> bool {
    let line = raw.trim_ascii_start();
    let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let rest = line.get(digits..).unwrap_or_default();
    digits >= 7 && (rest.starts_with(b":") || rest.starts_with(b"  "))
}

/// It can be distinguished from these bytes, and need not be waited for more.
fn is_enough(raw: &[u8], format: Format) -> bool {
    // An escape sets a colour.
    let of_text = |byte: &&u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n' | 0x1B);
    let text = raw.iter().filter(of_text).count();
    let is_text = text * 8 > raw.len() * 7;
    match format {
        Format::Bin => !raw.is_empty(),
        Format::Gzip => raw.len() >= HEAD,
        Format::Auto if raw.starts_with(&GZIP) => raw.len() >= HEAD,
        Format::Hex | Format::Base64 | Format::Auto if is_text => {
            raw.len() >= LOG || (raw.len() >= ENOUGH_TEXT && is_enough_text(raw))
        }
        Format::Hex | Format::Base64 | Format::Auto => raw.len() >= ENOUGH,
    }
}

/// A text is digits, or it has a marker with enough of them.
fn is_enough_text(text: &[u8]) -> bool {
    match markers::after_start(text) {
        Some(inside) => inside.len() >= ENOUGH_TEXT || markers::has_end(inside),
        None => {
            is_foreign(text) || recognise(text, false).0 != TextContent::Bin || has_events(text)
        }
    }
}

const GZIP: [u8; 3] = [0x1F, 0x8B, 8];

/// Whether they begin as a gzip file, and can be decompressed.
fn is_gzip(raw: &[u8]) -> bool {
    // Upper flags of the fourth byte have no meaning.
    let is_header = raw.starts_with(&GZIP) && raw.get(3).is_some_and(|flags| flags & 0xE0 == 0);
    is_header && !readable(gunzip(raw), HEAD).is_empty()
}

/// Returns the bytes up to the first error, at most this many.
fn readable(reader: impl Read, len: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    // The bytes before an error are kept.
    let _ = reader.take(len as u64).read_to_end(&mut bytes);
    bytes
}

/// Returns the representation of bytes, and whether the recording is between markers.
fn recognise(bytes: &[u8], marked: bool) -> (TextContent, bool) {
    if is_foreign(bytes) || has_events(bytes) {
        return (TextContent::Bin, false);
    }
    // A log's prefix is recognised from complete lines, and the last line may be cut here.
    let lines = memchr::memrchr(b'\n', bytes).and_then(|end| bytes.get(..end));
    let of_lines = lines.filter(|_| marked).map(|lines| characters(lines, marked));
    let of_lines = of_lines.filter(|found| found.iter().any(|byte| *byte != BOUNDARY));
    let characters = of_lines.unwrap_or_else(|| characters(bytes, marked));
    let mut of = [0; 3];
    let [all, hex, base64] = &mut of;
    for &byte in characters.iter().filter(|byte| **byte != BOUNDARY) {
        *all += 1;
        *hex += usize::from(is_hex(byte));
        *base64 += usize::from(is_base64(byte));
    }
    // Some characters may be damaged, and words before the digits do not rule out text.
    let nearly_all = |count: usize| count > 0 && count * 5 >= *all * 4;
    let decodes = || {
        let known = |byte: &u8| is_base64(*byte) || *byte == BOUNDARY;
        let digits = characters.iter().copied().filter(known);
        let digits: Vec<u8> = digits.map(|it| if it == BOUNDARY { b'=' } else { it }).collect();
        has_events(&readable(Base64Reader::new(&*digits), HEAD))
    };
    let inside = match (*hex == *all && *all > 0, nearly_all(*hex)) {
        (true, _) => TextContent::Hex,
        _ if nearly_all(*base64) && decodes() => TextContent::Base64,
        (_, true) => TextContent::Hex,
        _ if marked => TextContent::Hex,
        _ => TextContent::Bin,
    };
    (inside, marked)
}

/// Is between texts.
const BOUNDARY: u8 = b'\n';

/// Returns the characters of a text that belong to the recording, and the boundaries between texts.
fn characters(text: &[u8], marked: bool) -> Vec<u8> {
    let mut all = Characters::new(text, marked, is_base64);
    let mut characters = Vec::new();
    // Bytes that are at hand can be read.
    while let Ok(Some(next)) = all.next() {
        characters.push(match next {
            Character::Is(byte, _) => byte,
            Character::Boundary => BOUNDARY,
        });
    }
    characters
}

/// It is the recording of another recorder.
fn is_foreign(bytes: &[u8]) -> bool {
    matches!(tband_import::recognise::recognise(bytes, true), Recognition::Is(_))
}

/// Whether there are packets, or at least half of the complete frames are events. Text and compressed data rarely contain one
/// by chance.
fn has_events(bytes: &[u8]) -> bool {
    if has_packets(bytes) {
        return true;
    }
    let mut frames = FrameReader::new(bytes);
    let mut scratch = vec![0; MAX_FRAME];
    let (mut good, mut bad) = (0_usize, 0_usize);
    while let Ok(Some(frame)) = frames.next_frame() {
        let payload = cobs::decode(frame.bytes, &mut scratch);
        match frame.end {
            FrameEnd::EndOfInput => {}
            FrameEnd::Zero if payload.is_ok_and(|it| decode_payload(it).is_ok()) => good += 1,
            _ => bad += 1,
        }
    }
    good > 0 && good >= bad
}

/// Tag of a packet in a Perfetto trace.
const PACKET: u8 = 0x0A;
/// Number of consecutive packets that prove a recording; other data contains at most one by chance.
const ENOUGH_PACKETS: usize = 4;

/// The first bytes are those of a Perfetto trace rather than of a recording.
pub(crate) fn is_perfetto(head: &[u8]) -> bool {
    let cut = head.len() >= HEAD;
    let mut rest = head;
    for number in 0..ENOUGH_PACKETS {
        let Some((&PACKET, after)) = rest.split_first() else {
            // The end of a short trace.
            return number > 0 && rest.is_empty();
        };
        let Some((len, after)) = varint(after) else { return false };
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        match after.get(len..) {
            Some(next) => rest = next,
            None => return cut && number > 0,
        }
    }
    true
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (index, &byte) in bytes.iter().enumerate().take(9) {
        value |= u64::from(byte & 0x7F) << (7 * index);
        if byte < 0x80 {
            return Some((value, bytes.get(index + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_traces_from_recordings() {
        assert!(is_perfetto(&[PACKET, 2, 1, 1, PACKET, 0]));
        assert!(is_perfetto(&[[PACKET, 1, 7]; 9].concat()));
        assert!(!is_perfetto(&[PACKET, 2, 1, 1, PACKET]));
        assert!(!is_perfetto(&[4, 0x5F, 1, b'a', 0]));
        // A name of seven letters, after the same byte that opens a packet.
        let recording = b"\x0A\x5F\x01letters\0\x04\x54\x0A\x01\0";
        assert!(!is_perfetto(recording));
        assert!(!is_perfetto(b"\n\nA text.\n"));
    }
}
