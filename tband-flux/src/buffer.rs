//! A buffer of either kind, and the handler that takes its contents.

use crate::encoding::{BoundedMemory, entry};
use crate::error::Error;
use crate::handler::Handler;
use crate::items::Items;
use crate::linear::Linear;
use crate::ring::Ring;
use crate::sequences::Sequences;

/// Memory that holds entries until a handler takes them.
///
/// A *linear* buffer passes its contents to the handler when an entry does not fit, and accepts the entries of several
/// traces. A *ring* keeps the newest entries of one trace, and passes them on when it is flushed.
#[derive(Debug)]
pub struct Buffer<'m, H> {
    kind: BufferKind<'m>,
    handler: H,
    /// The trace that wrote the last entry.
    trace: Option<u32>,
    lost: u32,
}

#[derive(Debug)]
enum BufferKind<'m> {
    Linear(Linear<'m>),
    Ring(Ring<'m>),
}

/// Something to write.
pub type Write<'w> = &'w mut dyn FnMut(&mut BoundedMemory<'_>);

impl<'m, H: Handler> Buffer<'m, H> {
    /// Creates a linear buffer.
    #[must_use]
    pub const fn linear(memory: &'m mut [u8], handler: H) -> Self {
        let kind = BufferKind::Linear(Linear::new(memory));
        Self { kind, handler, trace: None, lost: 0 }
    }

    /// Creates a ring: `kept` bytes for the definitions of its trace, the rest for slots of `slot` bytes, below 65535.
    /// Returns `None` if two slots do not fit.
    #[must_use]
    pub fn ring(memory: &'m mut [u8], kept: usize, slot: usize, handler: H) -> Option<Self> {
        let kind = BufferKind::Ring(Ring::new(memory, kept, slot)?);
        Some(Self { kind, handler, trace: None, lost: 0 })
    }

    /// Returns the number of lost entries: those that did not fit, and in a ring those that newer ones have overwritten.
    #[must_use]
    pub const fn lost(&self) -> u32 {
        self.lost
    }

    /// Returns the handler that takes the contents.
    pub const fn handler(&mut self) -> &mut H {
        &mut self.handler
    }

    /// Returns the size of the longest entry that fits with this number of sequences.
    pub(crate) const fn capacity(&self, sequences: usize) -> usize {
        match &self.kind {
            BufferKind::Linear(linear) => linear.capacity(),
            BufferKind::Ring(ring) => ring.capacity(sequences),
        }
    }

    /// Returns whether a trace may begin here.
    pub(crate) const fn may_begin(&self) -> bool {
        matches!(self.kind, BufferKind::Linear(_)) || self.trace.is_none()
    }

    const fn count<T>(&mut self, result: Result<T, Error>) -> Result<T, Error> {
        if matches!(result, Err(Error::Full)) {
            self.lost = self.lost.saturating_add(1);
        }
        result
    }

    /// Writes what defines a trace or an item.
    pub(crate) fn define(&mut self, to: &TraceView<'_>, write: Write<'_>) -> Result<(), Error> {
        let result = match &mut self.kind {
            BufferKind::Linear(_) => return self.add(to, write),
            BufferKind::Ring(ring) => ring.define(to.limit, write),
        };
        if result.is_ok() {
            self.trace = Some(to.trace);
        }
        self.count(result)
    }

    /// Begins the sequence of an item, which is the newest of those in `to`.
    pub(crate) fn open(
        &mut self,
        to: &TraceView<'_>,
        item: u32,
        write: Write<'_>,
    ) -> Result<(), Error> {
        match &mut self.kind {
            BufferKind::Linear(_) => self.add(to, write),
            BufferKind::Ring(ring) => {
                let overwritten = ring.begin(to.sequences, Some(item));
                self.lost = self.lost.saturating_add(overwritten);
                Ok(())
            }
        }
    }

    /// Writes a sample or the end of a sequence.
    pub(crate) fn add(&mut self, to: &TraceView<'_>, write: Write<'_>) -> Result<(), Error> {
        let result = match &mut self.kind {
            BufferKind::Linear(linear) => {
                // The head names the trace itself.
                let is_other = self.trace.is_some_and(|trace| trace != to.trace) && !to.is_head;
                let switched = if is_other {
                    let switch = &mut |room: &mut BoundedMemory<'_>| entry::switch(room, to.trace);
                    linear.put(&mut self.handler, to.limit, switch)
                } else {
                    Ok(())
                };
                if is_other && switched.is_ok() {
                    self.trace = Some(to.trace);
                }
                switched.and_then(|()| linear.put(&mut self.handler, to.limit, write))
            }
            BufferKind::Ring(ring) => match ring.attempt(to.limit, write) {
                Err(Error::Full) => {
                    let overwritten = ring.begin(to.sequences, None);
                    self.lost = self.lost.saturating_add(overwritten);
                    ring.attempt(to.limit, write)
                }
                other => other,
            },
        };
        if result.is_ok() {
            self.trace = Some(to.trace);
        }
        self.count(result)
    }

    /// Writes an addition to the last sample, which is meaningless without it.
    pub(crate) fn attach(&mut self, to: &TraceView<'_>, write: Write<'_>) -> Result<(), Error> {
        let result = match &mut self.kind {
            BufferKind::Linear(_) => return self.add(to, write),
            BufferKind::Ring(ring) if ring.has_last() => ring.attempt(to.limit, write),
            BufferKind::Ring(_) => Err(Error::Full),
        };
        self.count(result)
    }

    /// Hands out what there is.
    pub(crate) fn flush(
        &mut self,
        items: &Items<'_>,
        sequences: &Sequences<'_>,
    ) -> Result<(), Error> {
        match &mut self.kind {
            BufferKind::Linear(linear) => {
                if linear.drain(&mut self.handler) {
                    Ok(())
                } else {
                    Err(Error::Handler)
                }
            }
            BufferKind::Ring(ring) => ring.hand_out(&mut self.handler, items, sequences),
        }
    }
}

/// The buffer's view of a trace that writes.
#[derive(Debug)]
pub struct TraceView<'t> {
    pub trace: u32,
    /// Bytes that an entry has at most.
    pub limit: usize,
    pub sequences: &'t Sequences<'t>,
    /// The entry is the trace's head.
    pub is_head: bool,
}
