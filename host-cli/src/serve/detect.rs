//! Tells Perfetto traces from recordings by their first bytes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, bail};
use flate2::read::GzDecoder;

const HEAD: u64 = 64 * 1024;
/// Packets in a row that are proof enough; recordings look like one packet at most, by chance.
const ENOUGH: usize = 4;

/// Tag of a packet in a trace.
const PACKET: u8 = 0x0A;

/// The file is a Perfetto trace, compressed or not.
pub fn is_perfetto(path: &Path) -> anyhow::Result<bool> {
    let cannot = || format!("cannot read {}", path.display());
    let head = head(File::open(path).with_context(cannot)?).with_context(cannot)?;
    match *head {
        [] => bail!("{}: is empty", path.display()),
        [0x1F, 0x8B, ..] => {
            let unpacked = head_of_gzip(&head)
                .with_context(|| format!("{}: cannot be decompressed", path.display()))?;
            if !begins_with_packets(&unpacked) {
                bail!("{}: compressed, but not a Perfetto trace; decompress it", path.display());
            }
            Ok(true)
        }
        _ => Ok(begins_with_packets(&head)),
    }
}

fn head(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    reader.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// What the head of a compressed file decompresses to, as far as it goes.
fn head_of_gzip(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut unpacked = Vec::new();
    let result = GzDecoder::new(packed).take(HEAD).read_to_end(&mut unpacked);
    match result {
        Err(error) if unpacked.is_empty() => Err(error),
        _ => Ok(unpacked),
    }
}

fn begins_with_packets(head: &[u8]) -> bool {
    let cut = head.len() as u64 == HEAD;
    let mut rest = head;
    for number in 0..ENOUGH {
        let Some((&PACKET, behind)) = rest.split_first() else {
            // The end of a short trace.
            return number > 0 && rest.is_empty();
        };
        let Some((len, behind)) = varint(behind) else { return false };
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        match behind.get(len..) {
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
    fn traces_are_told_from_recordings() {
        assert!(begins_with_packets(&[PACKET, 2, 1, 1, PACKET, 0]));
        assert!(begins_with_packets(&[[PACKET, 1, 7]; 9].concat()));
        assert!(!begins_with_packets(&[PACKET, 2, 1, 1, PACKET]));
        assert!(!begins_with_packets(&[4, 0x5F, 1, b'a', 0]));
        // A name of seven letters, behind the same byte that opens a packet.
        let recording = b"\x0A\x5F\x01letters\0\x04\x54\x0A\x01\0";
        assert!(!begins_with_packets(recording));
        assert!(!begins_with_packets(b"\n\nA text.\n"));
    }
}
