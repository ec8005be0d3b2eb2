//! Stream, message and batching buffers: levels in bytes, failures.

use std::io;

use crate::machine::memory::{Known, LastNotified, gets, lets_go_on};
use crate::machine::{AnyContext, By, Timeline};
use crate::model::{
    Act, BufferCause, Change, End, Flows, Forgotten, Outcome, StreamBufferChange, StreamBufferRef,
    Wait,
};

impl Timeline {
    fn stream_buffer(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<Option<StreamBufferRef>> {
        let buffer = self.world.stream_buffer(id);
        if buffer.is_none() {
            self.too_many(context, "stream buffer", id)?;
        }
        Ok(buffer.map(|buffer| self.living(buffer)))
    }

    /// A number is used, for the first time or again.
    pub(in crate::machine) fn stream_buffer_created(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        size: u32,
    ) -> io::Result<()> {
        let Some(buffer) = self.creates(context, id, Self::stream_buffer_dies)? else {
            return self.too_many(context, "stream buffer", id);
        };
        if let Some(entry) = self.world.stream_buffers.get_mut(buffer) {
            entry.size = Some(size);
        }
        self.stream_buffer_level(context, buffer, 0, BufferCause::Created)
    }

    fn stream_buffer_level(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        buffer: StreamBufferRef,
        level: u32,
        cause: BufferCause,
    ) -> io::Result<()> {
        if let Some(entry) = self.world.stream_buffers.get_mut(buffer) {
            entry.level = Some(level);
        }
        self.gaps.learnt(Known::StreamBuffer(buffer));
        self.stream_buffer_changes(context, buffer, StreamBufferChange::Level(level, cause))
    }

    fn stream_buffer_changes(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        buffer: StreamBufferRef,
        change: StreamBufferChange,
    ) -> io::Result<()> {
        let by = self.by(context);
        context.sink.change(&self.world, context.at, &Change::StreamBuffer(buffer, change, by))
    }

    /// Bytes go in or out.
    pub(in crate::machine) fn bytes_pass(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        level: u32,
        cause: BufferCause,
    ) -> io::Result<()> {
        let from_isr = context.by == By::Isr;
        if !from_isr {
            self.note_not_blocked(context.at.core);
        }
        let Some(buffer) = self.stream_buffer(context, id)? else {
            return Ok(());
        };
        let (act, sent) = match cause {
            BufferCause::Send(amount) => (Act::SendBytes(buffer), Some(amount)),
            _ => (Act::ReceiveBytes(buffer), None),
        };
        let mut by = None;
        if from_isr {
            self.bytes_ended_wait(context, act)?;
        } else {
            by = self.bytes_got(context.at.core, act);
        }
        let actor = self.by(context);
        self.set_cause(context.at, actor, act, 0);
        if self.senders.mode != Flows::None {
            let now = self.end(context, act);
            self.match_bytes(context, (buffer, level), sent, now, by)?;
        }
        self.stream_buffer_level(context, buffer, level, cause)
    }

    /// An interrupt wakes the task that waits for a stream buffer before it says what it did there.
    fn bytes_ended_wait(&mut self, context: &mut AnyContext<'_, '_>, act: Act) -> io::Result<()> {
        let (core, number) = (context.at.core, self.acts_so_far);
        let last = self.last_notified.filter(|last| last.core == core && last.number == number);
        let Some(LastNotified { task, .. }) = last else {
            return Ok(());
        };
        let end = self.end(context, act);
        let over = self.tasks.get_mut(task).and_then(|task| task.waiting.over.as_mut());
        let Some(over) = over.filter(|over| lets_go_on(over.wait, act)) else {
            return Ok(());
        };
        over.by = end;
        if std::mem::replace(&mut over.reported, true) {
            return Ok(());
        }
        let wait = over.wait;
        self.outcome(context, task, wait, Outcome::Satisfied)
    }

    /// As [`got`](Self::got). Some bytes may have come after a time-out as well, so they alone do not
    /// prove why the wait ended.
    fn bytes_got(&mut self, core: u32, act: Act) -> Option<End> {
        let over = self.running(core)?.waiting.over.take()?;
        over.by.filter(|_| over.reported && gets(over.wait, act))
    }

    pub(in crate::machine) fn stream_buffer_reset(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        let Some(buffer) = self.stream_buffer(context, id)? else {
            return Ok(());
        };
        self.senders.forget_buffer(buffer);
        self.stream_buffer_level(context, buffer, 0, BufferCause::Reset)
    }

    /// What leaves the level as it is: by the running task, which ends its wait if it was about this act, or
    /// by an interrupt.
    pub(in crate::machine) fn stream_buffer_fails(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        change: StreamBufferChange,
        act: fn(StreamBufferRef) -> Act,
    ) -> io::Result<()> {
        let by_task = context.by != By::Isr;
        if by_task {
            self.note_not_blocked(context.at.core);
        }
        let Some(buffer) = self.stream_buffer(context, id)? else {
            return Ok(());
        };
        if by_task {
            self.failed(context, act(buffer))?;
        }
        self.stream_buffer_changes(context, buffer, change)
    }

    /// The running task is about to wait for bytes, or for room.
    pub(in crate::machine) fn waits_for_bytes(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        ticks: u32,
        wait: fn(StreamBufferRef) -> Wait,
    ) -> io::Result<()> {
        match self.stream_buffer(context, id)? {
            Some(buffer) => self.waits(context.at.core, wait(buffer), ticks),
            None => self.waits_for_the_unknown(context.at.core),
        }
    }

    pub(in crate::machine) fn stream_buffer_deleted(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        match self.stream_buffer(context, id)? {
            Some(buffer) => self.stream_buffer_dies(context, buffer),
            None => Ok(()),
        }
    }

    /// It is no more.
    pub(in crate::machine) fn stream_buffer_dies(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        buffer: StreamBufferRef,
    ) -> io::Result<()> {
        self.senders.forget_buffer(buffer);
        self.dies(context.at.ns, buffer);
        if let Some(entry) = self.world.stream_buffers.get_mut(buffer) {
            entry.level = None;
        }
        self.stream_buffer_changes(context, buffer, StreamBufferChange::Deleted)
    }

    pub(in crate::machine) fn forget_stream_buffer(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        buffer: StreamBufferRef,
    ) -> io::Result<()> {
        let Some(entry) = self.world.stream_buffers.get_mut(buffer) else {
            return Ok(());
        };
        if entry.level.take().is_none() {
            return Ok(());
        }
        let change = Change::Forgotten(Forgotten::StreamBuffer(buffer));
        context.sink.change(&self.world, context.at, &change)
    }
}
