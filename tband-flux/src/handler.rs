//! The receiver of a buffer's contents.

/// Takes bytes out of a buffer, for example into a file, a UART or memory.
pub trait Handler {
    /// Takes bytes from the front, and returns how many; 0 if it can take none now. Called in the context of the code
    /// that writes or flushes.
    fn take(&mut self, bytes: &[u8]) -> usize;
}

impl<F: FnMut(&[u8]) -> usize> Handler for F {
    fn take(&mut self, bytes: &[u8]) -> usize {
        self(bytes)
    }
}

/// Passes all bytes on, in as many parts as the handler takes; returns false once it takes nothing.
pub fn hand_out(handler: &mut dyn Handler, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        let taken = handler.take(bytes);
        match bytes.get(taken..) {
            Some(rest) if taken > 0 => bytes = rest,
            _ => return false,
        }
    }
    true
}
