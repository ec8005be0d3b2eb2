//! Reads the fields of one event out of its payload.

use core::fmt;

/// Why a field could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldError {
    /// The payload ends inside the field.
    Truncated,
    /// A varint is longer than its type allows or its value does not fit.
    Overflow,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "the frame ends inside it",
            Self::Overflow => "its varint is too long or too large",
        })
    }
}

impl core::error::Error for FieldError {}

/// A cursor over the payload of one event.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts at the first byte of `payload`.
    #[must_use]
    pub const fn new(payload: &'a [u8]) -> Self {
        Self { rest: payload }
    }

    /// Bytes that have not been read yet.
    #[must_use]
    pub const fn left(&self) -> usize {
        self.rest.len()
    }

    /// Nothing is left.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// All that is left, as a string field takes it.
    pub fn rest(&mut self) -> &'a [u8] {
        core::mem::take(&mut self.rest)
    }

    /// One byte.
    ///
    /// # Errors
    /// [`FieldError::Truncated`] at the end of the payload.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, FieldError> {
        let (&byte, rest) = self.rest.split_first().ok_or(FieldError::Truncated)?;
        self.rest = rest;
        Ok(byte)
    }

    /// A varint of at most 5 bytes.
    ///
    /// # Errors
    /// [`FieldError`] if it is cut off or does not fit 32 bits.
    #[inline]
    pub fn varint32(&mut self) -> Result<u32, FieldError> {
        // Most ids and counts are below 128.
        if let Some((&byte, rest)) = self.rest.split_first()
            && byte < 0x80
        {
            self.rest = rest;
            return Ok(byte.into());
        }
        self.varint(5).and_then(|value| u32::try_from(value).map_err(|_| FieldError::Overflow))
    }

    /// A varint of at most 10 bytes.
    ///
    /// # Errors
    /// [`FieldError`] if it is cut off or does not fit 64 bits.
    #[inline]
    pub fn varint64(&mut self) -> Result<u64, FieldError> {
        self.varint(10)
    }

    fn varint(&mut self, max_bytes: usize) -> Result<u64, FieldError> {
        let mut value = 0_u64;
        for (index, &byte) in self.rest.iter().enumerate().take(max_bytes) {
            value |= u64::from(byte & 0x7F) << (7 * index);
            if byte < 0x80 {
                // The tenth byte of a 64-bit varint holds its single top bit.
                if index == 9 && byte > 1 {
                    return Err(FieldError::Overflow);
                }
                self.rest = self.rest.get(index + 1..).unwrap_or_default();
                return Ok(value);
            }
        }
        Err(if self.rest.len() < max_bytes { FieldError::Truncated } else { FieldError::Overflow })
    }

    /// Sign and magnitude as a varint; negative zero is `i64::MIN`.
    ///
    /// # Errors
    /// As [`varint64`](Self::varint64).
    pub fn s64(&mut self) -> Result<i64, FieldError> {
        let raw = self.varint64()?;
        // The magnitude has 63 bits, so neither the cast nor the negation can overflow.
        let magnitude = (raw >> 1).cast_signed();
        Ok(match (raw & 1, magnitude) {
            (0, _) => magnitude,
            (_, 0) => i64::MIN,
            _ => -magnitude,
        })
    }
}
