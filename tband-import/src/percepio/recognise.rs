//! The three layouts of TraceRecorder, by their start markers.

use memchr::memmem;

use crate::format::InputFormat;
use crate::recognised::Recognised;

const RING: [u8; 12] = [5, 6, 7, 8, 0x75, 0x76, 0x77, 0x78, 0xF5, 0xF6, 0xF7, 0xF8];
const SNAPSHOT: [u8; 12] = [1, 2, 3, 4, 0x71, 0x72, 0x73, 0x74, 0xF1, 0xF2, 0xF3, 0xF4];
/// Versions of the PSF format that may exist.
const VERSIONS: std::ops::RangeInclusive<u16> = 4..=0x20;

/// Recognises the recordings of TraceRecorder.
pub fn recognise(bytes: &[u8]) -> Option<Recognised> {
    if let Some(text) = stream(bytes) {
        return Some(Recognised::new(InputFormat::TraceRecorder, text));
    }
    let found = |marker: &[u8]| memmem::find(bytes, marker);
    if let Some(at) = found(&RING) {
        let header = bytes.get(at + RING.len()..).and_then(psf);
        let about = header
            .map_or(String::new(), |(order, version)| format!(" ({order}, format {version:#04X})"));
        let text = format!("a dump of Percepio TraceRecorder's ring buffer{about}");
        return Some(Recognised::new(InputFormat::TraceRecorder, text));
    }
    found(&SNAPSHOT).map(|_| {
        let text = "a snapshot of Percepio's classic trace recorder";
        Recognised::new(InputFormat::TraceRecorder, text)
    })
}

/// A stream from its start.
fn stream(bytes: &[u8]) -> Option<String> {
    let (order, version) = psf(bytes)?;
    Some(format!("a Percepio TraceRecorder stream (PSF, {order}, format {version:#04X})"))
}

/// Byte order and version of a PSF header.
fn psf(bytes: &[u8]) -> Option<(&'static str, u16)> {
    let (magic, rest) = bytes.split_first_chunk::<4>()?;
    let (version, _) = rest.split_first_chunk::<2>()?;
    let (order, version) = match magic {
        b"\0FSP" => ("little endian", u16::from_le_bytes(*version)),
        b"PSF\0" => ("big endian", u16::from_be_bytes(*version)),
        _ => return None,
    };
    VERSIONS.contains(&version).then_some((order, version))
}
