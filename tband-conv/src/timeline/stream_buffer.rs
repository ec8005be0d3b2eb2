//! Stream, message and batching buffers: levels in bytes, failures.

use std::io;

use super::change::{Change, Forgotten, Sink};
use super::gap::Known;
use super::object::{BufferCause, StreamBufferChange};
use super::{Step, StreamBufferRef, Timeline};

impl Timeline {
    fn stream_buffer<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<Option<StreamBufferRef>> {
        let buffer = self.world.stream_buffer(id);
        if buffer.is_none() {
            self.too_many(step, "stream buffer", id)?;
        }
        Ok(buffer.map(|buffer| self.living(buffer)))
    }

    /// A number is used, for the first time or again.
    pub(super) fn stream_buffer_created<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        size: u32,
    ) -> io::Result<()> {
        let buffer = self.creates(step, id, Self::stream_buffer_ends)?;
        if let Some(entry) = buffer.and_then(|buffer| self.world.stream_buffers.get_mut(buffer)) {
            entry.size = Some(size);
        }
        self.stream_buffer_level(step, id, 0, BufferCause::Created, false)
    }

    pub(super) fn stream_buffer_level<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        level: u32,
        cause: BufferCause,
        from_isr: bool,
    ) -> io::Result<()> {
        let Some(buffer) = self.stream_buffer(step, id)? else {
            return Ok(());
        };
        if let Some(entry) = self.world.stream_buffers.get_mut(buffer) {
            entry.level = Some(level);
            if !std::mem::replace(&mut entry.noted, true) {
                self.gaps.learnt(Known::StreamBuffer(buffer));
            }
        }
        let by = self.actor(step.at.core, from_isr);
        let change = StreamBufferChange::Level(level, cause);
        step.sink.change(&self.world, step.at, &Change::StreamBuffer(buffer, change, by))
    }

    /// What leaves the level as it is.
    pub(super) fn stream_buffer_failed<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
        change: StreamBufferChange,
        from_isr: bool,
    ) -> io::Result<()> {
        let Some(buffer) = self.stream_buffer(step, id)? else {
            return Ok(());
        };
        let by = self.actor(step.at.core, from_isr);
        step.sink.change(&self.world, step.at, &Change::StreamBuffer(buffer, change, by))
    }

    pub(super) fn stream_buffer_deleted<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        id: u32,
    ) -> io::Result<()> {
        let Some(buffer) = self.stream_buffer(step, id)? else {
            return Ok(());
        };
        self.dies(step.at.ns, buffer);
        if let Some(entry) = self.world.stream_buffers.get_mut(buffer) {
            entry.level = None;
        }
        let by = self.actor(step.at.core, false);
        let change = Change::StreamBuffer(buffer, StreamBufferChange::Deleted, by);
        step.sink.change(&self.world, step.at, &change)
    }

    pub(super) fn forget_stream_buffer<S: Sink + ?Sized>(
        &mut self,
        step: &mut Step<'_, S>,
        buffer: StreamBufferRef,
    ) -> io::Result<()> {
        let Some(entry) = self.world.stream_buffers.get_mut(buffer) else {
            return Ok(());
        };
        entry.noted = false;
        if entry.level.take().is_none() {
            return Ok(());
        }
        let change = Change::Forgotten(Forgotten::StreamBuffer(buffer));
        step.sink.change(&self.world, step.at, &change)
    }
}
