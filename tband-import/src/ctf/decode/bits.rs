//! A place in a packet, in bits.

use crate::ctf::model::class::Order;

/// Why reading stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadStop {
    /// More bytes are needed.
    Short,
    /// It reaches beyond the content of the packet.
    Beyond,
    /// There is no such thing.
    Wrong(&'static str),
}

/// A place in the bytes of a packet.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    pub bytes: &'a [u8],
    /// In bits from the first of these bytes.
    pub at: u64,
    /// Bits of the packet before the first of these bytes.
    pub before: u64,
    /// Where the content ends, in bits from the first of these bytes.
    pub end: u64,
}

impl<'a> Cursor<'a> {
    /// Goes to a multiple of so many bits from the begin of the packet.
    #[inline]
    pub fn align(&mut self, bits: u32) -> Result<(), ReadStop> {
        if bits > 1 {
            let at = self.before.wrapping_add(self.at);
            let gap = at.wrapping_neg() & u64::from(bits - 1);
            self.at = self.at.saturating_add(gap);
            if self.at > self.end {
                return Err(ReadStop::Beyond);
            }
        }
        Ok(())
    }

    /// Passes over so many bits.
    #[inline]
    pub fn skip(&mut self, bits: u64) -> Result<u64, ReadStop> {
        let begin = self.at;
        let end = begin.checked_add(bits).ok_or(ReadStop::Beyond)?;
        if end > self.end {
            return Err(ReadStop::Beyond);
        }
        if end > self.bytes.len() as u64 * 8 {
            return Err(ReadStop::Short);
        }
        self.at = end;
        Ok(begin)
    }

    /// So many whole bytes from here on, and where they are.
    #[inline]
    pub fn take(&mut self, len: u64) -> Result<(usize, &'a [u8]), ReadStop> {
        self.align(8)?;
        let begin = self.skip(len.checked_mul(8).ok_or(ReadStop::Beyond)?)? / 8;
        let (begin, len) = (begin as usize, len as usize);
        let bytes = self.bytes.get(begin..begin.saturating_add(len)).ok_or(ReadStop::Short)?;
        Ok((begin, bytes))
    }

    /// A number of 1 to 64 bits.
    pub fn number(&mut self, bits: u8, order: Order, is_signed: bool) -> Result<u64, ReadStop> {
        let begin = self.skip(bits.into())?;
        let first = (begin / 8) as usize;
        let within = (begin % 8) as u32;
        let mut raw = if within == 0 && bits.is_multiple_of(8) {
            let len = usize::from(bits / 8);
            let bytes = self.bytes.get(first..first + len).ok_or(ReadStop::Short)?;
            whole(bytes, order)
        } else {
            let len = (within as usize + usize::from(bits)).div_ceil(8);
            let bytes = self.bytes.get(first..first + len).ok_or(ReadStop::Short)?;
            let mut wide = 0_u128;
            match order {
                Order::Little => {
                    for &byte in bytes.iter().rev() {
                        wide = wide << 8 | u128::from(byte);
                    }
                    (wide >> within) as u64
                }
                Order::Big => {
                    for &byte in bytes {
                        wide = wide << 8 | u128::from(byte);
                    }
                    (wide >> (len as u32 * 8 - within - u32::from(bits))) as u64
                }
            }
        };
        let unused = 64 - u32::from(bits);
        raw <<= unused;
        Ok(if is_signed { (raw.cast_signed() >> unused).cast_unsigned() } else { raw >> unused })
    }

    /// A number in LEB128.
    pub fn variable(&mut self, is_signed: bool) -> Result<u64, ReadStop> {
        self.align(8)?;
        let (mut value, mut shift) = (0_u64, 0_u32);
        loop {
            let (_, byte) = self.take(1)?;
            let byte = byte.first().copied().unwrap_or(0);
            if shift < 64 {
                value |= u64::from(byte & 0x7F) << shift;
            } else if shift > 70 {
                return Err(ReadStop::Wrong("a number of variable length that does not end"));
            }
            shift += 7;
            if byte & 0x80 == 0 {
                if is_signed && shift < 64 && byte & 0x40 != 0 {
                    value |= u64::MAX << shift;
                }
                return Ok(value);
            }
        }
    }
}

/// A number that has whole bytes.
#[inline]
pub fn whole(bytes: &[u8], order: Order) -> u64 {
    let add = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    match order {
        Order::Little => bytes.iter().rev().fold(0, add),
        Order::Big => bytes.iter().fold(0, add),
    }
}
