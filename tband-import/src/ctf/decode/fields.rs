//! Reads fields into their slots.

use super::bits::{Cursor, ReadStop, whole};
use crate::ctf::model::class::Order;
use crate::ctf::model::field::{
    Count, Field, FieldUse, FixedNumbers, Int, PlainKind, PlainMember, Struct,
};

/// The result of the last read: a value for each slot, the time, and the id of the event.
#[derive(Debug)]
pub struct Decoder {
    /// Numbers; of bytes and texts where they are, see [`bytes_of`].
    pub slots: Vec<u64>,
    /// In cycles.
    pub now: u64,
    /// Id of the event.
    pub id: u64,
}

/// Bytes of a slot that holds their place.
pub fn bytes_of(bytes: &[u8], slot: u64) -> &[u8] {
    let (begin, len) = ((slot >> 32) as usize, (slot & 0xFFFF_FFFF) as usize);
    bytes.get(begin..begin.saturating_add(len)).unwrap_or_default()
}

const fn place(begin: usize, len: usize) -> u64 {
    (begin as u64) << 32 | len as u64 & 0xFFFF_FFFF
}

impl Decoder {
    /// With so many slots.
    pub fn new(slots: usize) -> Self {
        Self { slots: vec![0; slots], now: 0, id: 0 }
    }

    #[inline]
    fn set(&mut self, slot: u32, value: u64) {
        if let Some(place) = self.slots.get_mut(slot as usize) {
            *place = value;
        }
    }

    /// The value of a slot.
    #[inline]
    pub fn get(&self, slot: u32) -> u64 {
        self.slots.get(slot as usize).copied().unwrap_or(0)
    }

    fn count(&self, count: Count) -> u64 {
        match count {
            Count::Fixed(count) => count,
            Count::Slot(slot) => self.get(slot),
        }
    }

    /// Takes a reading of the clock; the upper bits may be missing.
    #[inline]
    pub fn reach(&mut self, raw: u64, bits: u8) {
        if bits >= 64 {
            self.now = raw;
            return;
        }
        let mask = (1_u64 << bits) - 1;
        let mut now = self.now & !mask | raw & mask;
        if now < self.now {
            now = now.wrapping_add(mask + 1);
        }
        self.now = now;
    }

    #[inline]
    fn note(&mut self, of: FieldUse, raw: u64, bits: u8) {
        match of {
            FieldUse::Value => {}
            FieldUse::Time => self.reach(raw, bits),
            FieldUse::Id => self.id = raw,
        }
    }

    /// Reads a field.
    ///
    /// # Errors
    /// [`ReadStop`]; then slots may have new values.
    #[inline]
    pub fn read(&mut self, field: &Field, cursor: &mut Cursor<'_>) -> Result<(), ReadStop> {
        if let Field::Struct(structure) = field
            && let Some(plain) = &structure.plain
        {
            cursor.align(structure.align)?;
            return self.plain(plain, cursor);
        }
        self.read_any(field, cursor)
    }

    fn read_any(&mut self, field: &Field, cursor: &mut Cursor<'_>) -> Result<(), ReadStop> {
        match field {
            Field::Int(int) => self.int(int, cursor).map(drop),
            Field::Struct(structure) => self.structure(structure, cursor),
            &Field::Float { slot, bits, align, order } => {
                cursor.align(align)?;
                let raw = cursor.number(bits, order, false)?;
                self.set(slot, raw);
                Ok(())
            }
            &Field::Text { slot, unit } => self.text(slot, unit, cursor),
            &Field::Bytes { slot, count, is_text } => {
                let (begin, bytes) = cursor.take(self.count(count))?;
                let len = match is_text {
                    true => memchr::memchr(0, bytes).unwrap_or(bytes.len()),
                    false => bytes.len(),
                };
                self.set(slot, place(begin, len));
                Ok(())
            }
            &Field::Array { count, align, ref element } => {
                cursor.align(align)?;
                for _ in 0..self.count(count) {
                    let before = cursor.at;
                    self.read(element, cursor)?;
                    if cursor.at == before {
                        // Nothing is in it, however often.
                        break;
                    }
                }
                Ok(())
            }
            &Field::Variant { slot, is_signed, ref options } => {
                let value = signed(self.get(slot), is_signed);
                let has = |ranges: &[(i128, i128)]| {
                    ranges.iter().any(|(low, high)| (*low..=*high).contains(&value))
                };
                let Some(choice) = options.iter().find(|choice| has(&choice.ranges)) else {
                    return Err(ReadStop::Wrong("a variant whose selector has no option"));
                };
                choice.field.as_ref().map_or(Ok(()), |field| self.read(field, cursor))
            }
        }
    }

    fn int(&mut self, int: &Int, cursor: &mut Cursor<'_>) -> Result<u64, ReadStop> {
        let raw = if int.is_variable {
            cursor.variable(int.is_signed)?
        } else {
            cursor.align(int.align)?;
            cursor.number(int.bits, int.order, int.is_signed)?
        };
        self.set(int.slot, raw);
        self.note(int.of, raw, int.bits);
        Ok(raw)
    }

    fn text(&mut self, slot: u32, unit: u8, cursor: &mut Cursor<'_>) -> Result<(), ReadStop> {
        cursor.align(8)?;
        let begin = (cursor.at / 8) as usize;
        let end = usize::try_from(cursor.end / 8).unwrap_or(usize::MAX).min(cursor.bytes.len());
        let rest = cursor.bytes.get(begin..end).unwrap_or_default();
        let unit = usize::from(unit);
        let found = match unit {
            1 => memchr::memchr(0, rest),
            _ => rest
                .chunks_exact(unit)
                .position(|it| it.iter().all(|byte| *byte == 0))
                .map(|it| it * unit),
        };
        let Some(len) = found else {
            let is_all = cursor.end <= cursor.bytes.len() as u64 * 8;
            return Err(if is_all {
                ReadStop::Wrong("a text without its end")
            } else {
                ReadStop::Short
            });
        };
        cursor.at = ((begin + len + unit) as u64) * 8;
        self.set(slot, place(begin, len));
        Ok(())
    }

    #[inline]
    fn structure(&mut self, structure: &Struct, cursor: &mut Cursor<'_>) -> Result<(), ReadStop> {
        cursor.align(structure.align)?;
        for (_, member) in &structure.members {
            self.read(member, cursor)?;
        }
        Ok(())
    }

    #[inline]
    fn plain(&mut self, plain: &FixedNumbers, cursor: &mut Cursor<'_>) -> Result<(), ReadStop> {
        if plain.members.is_empty() {
            return Ok(());
        }
        // The structure is aligned to whole bytes.
        let begin = (cursor.skip(plain.len as u64 * 8)? / 8) as usize;
        let bytes = cursor.bytes.get(begin..).unwrap_or_default();
        for &PlainMember { slot, offset, kind, of } in &plain.members {
            let at = offset as usize;
            let rest = bytes.get(at..).unwrap_or_default();
            let (raw, bits) = match kind {
                PlainKind::Little(bits) => (little(rest, bits), bits),
                PlainKind::Other { bytes, order, is_signed } => {
                    (other(rest, bytes, order, is_signed), bytes * 8)
                }
                PlainKind::Bytes { len, is_text } => {
                    let bytes = rest.get(..len as usize).unwrap_or(rest);
                    let len = match is_text {
                        true => memchr::memchr(0, bytes).unwrap_or(bytes.len()),
                        false => bytes.len(),
                    };
                    (place(begin + at, len), 64)
                }
            };
            self.set(slot, raw);
            self.note(of, raw, bits);
        }
        Ok(())
    }
}

/// The number of 1 to 64 bits, in whole bytes, at the front, the lowest byte first.
#[inline]
fn little(rest: &[u8], bits: u8) -> u64 {
    match rest.first_chunk() {
        Some(word) => u64::from_le_bytes(*word) & u64::MAX >> (64 - u32::from(bits)),
        None => whole(rest.get(..usize::from(bits / 8)).unwrap_or(rest), Order::Little),
    }
}

fn other(rest: &[u8], len: u8, order: Order, is_signed: bool) -> u64 {
    let raw = whole(rest.get(..usize::from(len)).unwrap_or(rest), order);
    let unused = 64 - u32::from(len) * 8;
    if is_signed { ((raw << unused).cast_signed() >> unused).cast_unsigned() } else { raw }
}

/// The number that a slot holds.
pub const fn signed(raw: u64, is_signed: bool) -> i128 {
    if is_signed { raw.cast_signed() as i128 } else { raw as i128 }
}
