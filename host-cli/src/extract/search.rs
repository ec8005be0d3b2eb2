//! Finds rings of packets in unknown memory: each slot begins with the packets' magic number, and the slots of a recording have
//! a constant distance. Consecutive packets that were sent are found, too.

use memchr::memmem;
use tband_format::packet;

use super::image::Image;
use super::piece::Piece;
use crate::target::{Ring, Slot};

/// Bytes that are examined together.
const BLOCK: usize = 1 << 20;
/// Bytes of a slot that identify it.
const HEAD: usize = 12;
/// First bytes of a slot.
const MAGIC: [u8; 4] = packet::MAGIC.to_le_bytes();
/// Slots, least and greatest.
const SIZES: std::ops::RangeInclusive<u64> = 128..=4096;
/// Slots that are taken out together, at most: 64 MB.
const MOST_SLOTS: usize = 1 << 14;

/// A row of slots.
#[derive(Debug)]
pub struct Row {
    piece: Piece,
    /// Where each slot is in the file.
    offsets: Vec<u64>,
    /// The distance of slots; `None`: each packet ends where the next begins.
    size: Option<u64>,
    last: Slot,
}

/// The rows of slots in an image. Memory: a block, and the slots of a row.
///
/// # Errors
/// It cannot be read.
pub fn rows(
    image: &mut Image,
    mut found: impl FnMut(&mut Image, &Row) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut block = vec![0; BLOCK];
    for piece in image.pieces.clone() {
        let mut row: Option<Row> = None;
        let end = piece.offset.saturating_add(piece.len);
        let mut at = piece.offset;
        while at < end {
            let room = usize::try_from(end - at).unwrap_or(BLOCK).min(BLOCK);
            let Some(part) = block.get_mut(..room) else { break };
            let len = image.read_some(at, part)?;
            let bytes = part.get(..len).unwrap_or_default();
            for from in magics(bytes) {
                let Some(slot) = bytes.get(from..).and_then(Slot::read) else { continue };
                let offset = at + from as u64;
                if let Some(row) = &mut row
                    && row.try_take(slot, offset)
                {
                    continue;
                }
                if slot.is_clear() {
                    continue;
                }
                if let Some(row) =
                    row.replace(Row { piece, offsets: vec![offset], size: None, last: slot })
                {
                    found(image, &row)?;
                }
            }
            // A head that is cut in two is examined again.
            let step = if at + len as u64 >= end { len } else { len.saturating_sub(HEAD - 1) };
            if step == 0 {
                break;
            }
            at += step as u64;
        }
        if let Some(row) = row {
            found(image, &row)?;
        }
    }
    Ok(())
}

/// Where slots may begin, as far as their heads are there.
fn magics(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut at = 0;
    // It ends with the byte that it begins with, so the next one may begin within it.
    std::iter::from_fn(move || {
        let from = at + memmem::find(bytes.get(at..)?, &MAGIC)?;
        at = from + 1;
        (bytes.len() - from >= HEAD).then_some(from)
    })
}

impl Row {
    /// Whether a slot there belongs to the row, or is within its last one.
    fn try_take(&mut self, slot: Slot, offset: u64) -> bool {
        let Some(last) = self.offsets.last().copied() else { return false };
        let Some(distance) = offset.checked_sub(last) else { return false };
        if distance == 0 {
            return true;
        }
        if self.offsets.len() >= MOST_SLOTS {
            return false;
        }
        let content = self.last.content as u64;
        let size = match self.size {
            Some(size) => size,
            // An open packet, and one that was not sent, contain the length of a slot.
            None if self.last.whole as u64 > content => self.last.whole as u64,
            None if distance <= content => distance,
            None if SIZES.contains(&distance)
                && distance.is_multiple_of(8)
                && self.has_distance(distance) =>
            {
                distance
            }
            None => return false,
        };
        if distance < size || (self.size.is_none() && distance < content) {
            return true;
        }
        if distance != size {
            return false;
        }
        if distance != content {
            self.size = Some(size);
        }
        self.offsets.push(offset);
        self.last = slot;
        true
    }

    /// All slots so far have this distance.
    fn has_distance(&self, distance: u64) -> bool {
        self.offsets.windows(2).all(|pair| matches!(pair, [one, next] if next - one == distance))
    }

    /// Where it is in the file, and in the target if that is known.
    pub fn place(&self) -> String {
        let first = self.offsets.first().copied().unwrap_or_default();
        match self.piece.address {
            Some(address) => format!("{:#010x}", address + (first - self.piece.offset)),
            None => format!("byte {first} of the image"),
        }
    }

    /// Its slots, core by core.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn rings(&self, image: &mut Image) -> anyhow::Result<Vec<Ring>> {
        let mut rings: Vec<(u8, Ring)> = Vec::new();
        let end = self.piece.offset.saturating_add(self.piece.len);
        for (index, offset) in self.offsets.iter().enumerate() {
            let whole = self.last.whole.max(self.last.content) as u64;
            let next = self
                .offsets
                .get(index + 1)
                .map_or(self.size.unwrap_or(whole), |next| next - offset);
            let size = next.min(end.saturating_sub(*offset));
            let mut bytes = vec![0; usize::try_from(size)?];
            image.read_at(*offset, &mut bytes)?;
            let Some(slot) = Slot::read(&bytes) else { continue };
            let core = if slot.is_clear() || slot.is_metadata() { None } else { Some(slot.stream) };
            match (rings.last_mut(), core) {
                (Some((_, ring)), None) => ring.slots.push(bytes),
                (Some((of, ring)), Some(core)) if *of == core => ring.slots.push(bytes),
                // Metadata before the first packet of a core belongs to that core.
                (Some((of, ring)), Some(core))
                    if ring.slots.iter().all(|slot| {
                        Slot::read(slot).is_none_or(|it| it.is_clear() || it.is_metadata())
                    }) =>
                {
                    *of = core;
                    ring.slots.push(bytes);
                }
                (_, core) => {
                    let at =
                        self.piece.address.map(|address| address + (offset - self.piece.offset));
                    let ring = Ring {
                        at,
                        offset: *offset,
                        slots: vec![bytes],
                        discarded: None,
                        in_order: self.size.is_none(),
                    };
                    rings.push((core.unwrap_or_default(), ring));
                }
            }
        }
        Ok(rings.into_iter().map(|(_, ring)| ring).collect())
    }
}
