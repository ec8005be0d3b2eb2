//! A linear buffer: passes its contents to the handler when an entry does not fit, or on request.

use crate::encoding::BoundedMemory;
use crate::error::Error;
use crate::handler::Handler;

/// A linear buffer.
#[derive(Debug)]
pub struct Linear<'m> {
    memory: &'m mut [u8],
    used: usize,
}

impl<'m> Linear<'m> {
    pub const fn new(memory: &'m mut [u8]) -> Self {
        Self { memory, used: 0 }
    }

    /// Returns the size of the longest entry that fits.
    pub const fn capacity(&self) -> usize {
        self.memory.len()
    }

    /// Adds an entry of at most `limit` bytes.
    pub fn put(
        &mut self,
        handler: &mut dyn Handler,
        limit: usize,
        write: &mut dyn FnMut(&mut BoundedMemory<'_>),
    ) -> Result<(), Error> {
        let first = self.attempt(limit, write);
        if first != Err(Error::Full) {
            return first;
        }
        // An entry that is too long is not worth waiting for.
        self.drain(handler);
        self.attempt(limit, write)
    }

    fn attempt(
        &mut self,
        limit: usize,
        write: &mut dyn FnMut(&mut BoundedMemory<'_>),
    ) -> Result<(), Error> {
        let free = self.memory.get_mut(self.used..).unwrap_or_default();
        let is_whole = free.len() >= limit;
        let end = limit.min(free.len());
        let mut room = BoundedMemory::new(free.get_mut(..end).unwrap_or_default());
        write(&mut room);
        match room.written() {
            Some(len) => {
                self.used = self.used.saturating_add(len);
                Ok(())
            }
            None if is_whole => Err(Error::TooLong),
            None => Err(Error::Full),
        }
    }

    /// Passes the contents on until the handler takes nothing; returns true if nothing is left. The rest moves to
    /// the front.
    pub fn drain(&mut self, handler: &mut dyn Handler) -> bool {
        let mut taken = 0;
        while taken < self.used {
            let Some(bytes) = self.memory.get(taken..self.used) else { break };
            match handler.take(bytes) {
                0 => break,
                some => taken = taken.saturating_add(some).min(self.used),
            }
        }
        let rest = self.used.saturating_sub(taken);
        if taken > 0 {
            for to in 0..rest {
                let byte = self.memory.get(taken.saturating_add(to)).copied();
                if let (Some(byte), Some(place)) = (byte, self.memory.get_mut(to)) {
                    *place = byte;
                }
            }
            self.used = rest;
        }
        rest == 0
    }
}
