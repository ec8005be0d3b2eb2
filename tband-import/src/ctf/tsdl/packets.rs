//! Metadata in packets: their text, one after the other.

use crate::ctf::model::MetadataError;
use crate::ctf::model::class::Order;

const MAGIC: u32 = 0x75D1_1D57;
/// Bytes of a packet's header.
const HEADER: usize = 37;

/// The byte order of metadata in packets; `None`: it is text.
pub fn order(bytes: &[u8]) -> Option<Order> {
    let first = *bytes.first_chunk()?;
    if u32::from_le_bytes(first) == MAGIC {
        Some(Order::Little)
    } else if u32::from_be_bytes(first) == MAGIC {
        Some(Order::Big)
    } else {
        None
    }
}

/// The text of all packets.
///
/// # Errors
/// [`MetadataError`], if a packet is damaged or cut.
pub fn unpack(bytes: &[u8], order: Order) -> Result<Vec<u8>, MetadataError> {
    let (mut text, mut at) = (Vec::new(), 0_usize);
    while at < bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let wrong = |what: &str| {
            MetadataError::new(0, format!("byte {at}: {what}: the file is damaged; copy it again"))
        };
        let Some(header) = rest.first_chunk::<HEADER>() else {
            return Err(wrong("a part of a metadata packet"));
        };
        let number = |offset: usize| {
            let four = header.get(offset..).and_then(|it| it.first_chunk()).copied();
            let four = four.unwrap_or_default();
            match order {
                Order::Little => u32::from_le_bytes(four),
                Order::Big => u32::from_be_bytes(four),
            }
        };
        if number(0) != MAGIC {
            return Err(wrong("no metadata packet begins here"));
        }
        let (content, packet) = (number(24), number(28));
        // Compression, encryption and checksum schemes.
        if header.get(32..35).is_some_and(|it| it != [0, 0, 0]) {
            return Err(MetadataError::new(
                0,
                "it is compressed, encrypted or has checksums, which no known tracer writes",
            ));
        }
        let (content, packet) = (content as usize / 8, packet as usize / 8);
        if content < HEADER || packet < content {
            return Err(wrong("a metadata packet whose sizes are impossible"));
        }
        let Some(part) = rest.get(HEADER..content) else {
            return Err(wrong("a metadata packet without its end"));
        };
        text.extend_from_slice(part);
        at = at.saturating_add(packet);
    }
    Ok(text)
}
