//! Who takes what a buffer has.

/// Takes bytes out of a buffer: into a file, a UART, memory.
pub trait Handler {
    /// Takes bytes from the front on, and says how many; none if it can take nothing now. Called in the context of who
    /// writes or flushes.
    fn take(&mut self, bytes: &[u8]) -> usize;
}

impl<F: FnMut(&[u8]) -> usize> Handler for F {
    fn take(&mut self, bytes: &[u8]) -> usize {
        self(bytes)
    }
}

/// Hands out all of it, in as many pieces as the handler likes; false once it takes nothing.
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
