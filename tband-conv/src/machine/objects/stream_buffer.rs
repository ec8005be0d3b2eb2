//! Stream, message and batching buffers: levels in bytes, failures.

use std::io;

use crate::machine::memory::gaps::ObjectReport;
use crate::machine::memory::task::{LastNotified, can_end_stream_wait, is_acquisition};
use crate::machine::{AnyContext, EventActor, Timeline};
use crate::model::{
    Act, BufferCause, Change, End, Flows, ForgottenState, Outcome, StreamBufferChange,
    StreamBufferRef, Wait,
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
        let Some(buffer) = self.create(context, id, Self::end_stream_buffer)? else {
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
        self.gaps.learnt(ObjectReport::StreamBuffer(buffer));
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
    pub(in crate::machine) fn transfer_bytes(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        level: u32,
        cause: BufferCause,
    ) -> io::Result<()> {
        let from_isr = context.by == EventActor::Isr;
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
            by = self.end_bytes_wait(context.at.core, act);
        }
        let actor = self.by(context);
        self.set_cause(context.at, actor, act, 0);
        if self.senders.mode != Flows::None {
            let now = self.end(context, act);
            self.match_bytes(context, buffer, level, sent, now, by)?;
        }
        self.stream_buffer_level(context, buffer, level, cause)
    }

    /// An interrupt wakes the task that waits for a stream buffer before it reports its act on the buffer.
    fn bytes_ended_wait(&mut self, context: &mut AnyContext<'_, '_>, act: Act) -> io::Result<()> {
        let (core, number) = (context.at.core, self.acts_so_far);
        let last = self.last_notified.filter(|last| last.core == core && last.number == number);
        let Some(LastNotified { task, .. }) = last else {
            return Ok(());
        };
        let end = self.end(context, act);
        let over = self.tasks.get_mut(task).and_then(|task| task.waiting.over.as_mut());
        let Some(over) = over.filter(|over| can_end_stream_wait(over.wait, act)) else {
            return Ok(());
        };
        over.by = end;
        if std::mem::replace(&mut over.reported, true) {
            return Ok(());
        }
        let wait = over.wait;
        self.outcome(context, task, wait, Outcome::Satisfied)
    }

    /// As [`end_wait_with`](Self::end_wait_with). Some bytes may have come after a time-out as well, so they alone do
    /// not prove how the wait ended.
    fn end_bytes_wait(&mut self, core: u32, act: Act) -> Option<End> {
        let over = self.running(core)?.waiting.over.take()?;
        over.by.filter(|_| over.reported && is_acquisition(over.wait, act))
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

    /// Handles an act that does not change the level: by the running task, which ends its wait if it was for this act, or by an
    /// interrupt.
    pub(in crate::machine) fn report_stream_buffer_failure(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        change: StreamBufferChange,
        act: fn(StreamBufferRef) -> Act,
    ) -> io::Result<()> {
        let by_task = context.by != EventActor::Isr;
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
    pub(in crate::machine) fn wait_for_bytes(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
        ticks: u32,
        wait: fn(StreamBufferRef) -> Wait,
    ) -> io::Result<()> {
        match self.stream_buffer(context, id)? {
            Some(buffer) => self.wait(context.at.core, wait(buffer), ticks),
            None => self.wait_for_unknown(context.at.core),
        }
    }

    pub(in crate::machine) fn stream_buffer_deleted(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        id: u32,
    ) -> io::Result<()> {
        match self.stream_buffer(context, id)? {
            Some(buffer) => self.end_stream_buffer(context, buffer),
            None => Ok(()),
        }
    }

    /// It is no more.
    pub(in crate::machine) fn end_stream_buffer(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        buffer: StreamBufferRef,
    ) -> io::Result<()> {
        self.senders.forget_buffer(buffer);
        self.delete(context.at.ns, buffer);
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
        let change = Change::Forgotten(ForgottenState::StreamBuffer(buffer));
        context.sink.change(&self.world, context.at, &change)
    }
}
