//! Where bytes go.

/// Receives bytes, one after the other.
pub trait ByteSink {
    /// Takes some.
    fn bytes(&mut self, bytes: &[u8]);

    /// Takes one.
    fn byte(&mut self, byte: u8) {
        self.bytes(&[byte]);
    }
}

#[cfg(feature = "alloc")]
impl ByteSink for alloc::vec::Vec<u8> {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        self.push(byte);
    }
}

/// Memory of a fixed size. What does not fit is left out, and so is everything after it.
#[derive(Debug)]
pub struct BoundedMemory<'m> {
    memory: &'m mut [u8],
    used: usize,
    is_over: bool,
}

impl<'m> BoundedMemory<'m> {
    /// Creates an output that fills this memory.
    #[must_use]
    pub const fn new(memory: &'m mut [u8]) -> Self {
        Self { memory, used: 0, is_over: false }
    }

    /// Returns the number of bytes that were written; `None` if some did not fit.
    #[must_use]
    pub const fn written(&self) -> Option<usize> {
        if self.is_over { None } else { Some(self.used) }
    }
}

impl ByteSink for BoundedMemory<'_> {
    // Once in a firmware, not where it is called.
    #[inline(never)]
    fn bytes(&mut self, bytes: &[u8]) {
        let end = self.used.saturating_add(bytes.len());
        match self.memory.get_mut(self.used..end) {
            Some(place) if !self.is_over => {
                for (to, from) in place.iter_mut().zip(bytes) {
                    *to = *from;
                }
                self.used = end;
            }
            _ => self.is_over = true,
        }
    }
}
