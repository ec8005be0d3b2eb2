//! Senders of the items in queues and stream buffers.
//!
//! Items of a queue are matched first in, first out, from its level: of `n` items the last ones are those whose senders are
//! known. Items that were in it before (at the start, after a gap) only cost the arrows that cannot be drawn, and never cause a
//! false one. Bytes of a stream buffer are matched in the same way. The number of senders is bounded for each object and in
//! total.

use std::collections::VecDeque;

use crate::model::{End, Flows, PerRef, Queue, QueueRef, StreamBuffer, StreamBufferRef};

/// Maximum number of kept senders of one object.
const MAX_KEPT: usize = 1024;
/// Maximum number of kept senders in total.
const MAX_KEPT_IN_ALL: usize = 1 << 16;

/// Where the bytes that one act put into a stream buffer end, counted from the first that is known.
#[derive(Clone, Copy, Debug)]
struct Run {
    end: u64,
    from: End,
}

#[derive(Clone, Debug, Default)]
struct Bytes {
    /// Bytes put in so far, lengths of messages included where they can be reported.
    sent: u64,
    /// Bytes in it, if known.
    level: Option<u32>,
    runs: VecDeque<Run>,
}

/// Senders of the items in queues and stream buffers.
#[derive(Debug, Default)]
pub struct Senders {
    pub mode: Flows,
    queues: PerRef<Queue, VecDeque<End>>,
    buffers: PerRef<StreamBuffer, Bytes>,
    kept: usize,
}

impl Senders {
    fn has_room(&self, kept: usize) -> bool {
        kept < MAX_KEPT && self.kept < MAX_KEPT_IN_ALL
    }

    /// An item is appended.
    pub fn push(&mut self, queue: QueueRef, from: Option<End>) {
        let kept = self.queues.get(queue).map_or(0, VecDeque::len);
        let Some(from) = from.filter(|_| self.has_room(kept)) else {
            // Its sender is not known, so those before it cannot be distinguished any more.
            return self.forget_queue(queue);
        };
        self.queues.entry(queue).push_back(from);
        self.kept += 1;
    }

    /// Removes the first item, which leaves this many; returns its sender if it is known.
    pub fn pop(&mut self, queue: QueueRef, level_after: u32) -> Option<End> {
        let items = self.queues.get_mut(queue)?;
        let mut first = None;
        while items.len() > level_after as usize {
            first = items.pop_front();
            self.kept = self.kept.saturating_sub(1);
        }
        first
    }

    /// Moves the last item to the front of this many.
    pub fn move_to_front(&mut self, queue: QueueRef, level: u32) {
        match self.queues.get_mut(queue) {
            Some(items) if items.len() == level as usize => items.rotate_right(items.len().min(1)),
            _ => self.forget_queue(queue),
        }
    }

    /// Forgets the items of a queue, or of all queues.
    pub fn forget_queue(&mut self, queue: QueueRef) {
        if let Some(items) = self.queues.get_mut(queue) {
            self.kept = self.kept.saturating_sub(items.len());
            items.clear();
        }
    }

    /// As [`forget_queue`](Self::forget_queue).
    pub fn forget_buffer(&mut self, buffer: StreamBufferRef) {
        if let Some(bytes) = self.buffers.get_mut(buffer) {
            self.kept = self.kept.saturating_sub(bytes.runs.len());
            bytes.runs.clear();
            bytes.level = None;
        }
    }

    /// Forgets the content of stream buffers.
    pub fn forget_buffers(&mut self) {
        for bytes in self.buffers.iter_mut() {
            self.kept = self.kept.saturating_sub(bytes.runs.len());
            bytes.runs.clear();
            bytes.level = None;
        }
    }

    pub fn push_bytes(
        &mut self,
        buffer: StreamBufferRef,
        level_after: u32,
        amount: u32,
        from: Option<End>,
    ) {
        let kept = self.buffers.entry(buffer).runs.len();
        let has_room = self.has_room(kept);
        let bytes = self.buffers.entry(buffer);
        let before = bytes.level.replace(level_after);
        let more = before.and_then(|before| level_after.checked_sub(before)).unwrap_or(amount);
        bytes.sent = bytes.sent.saturating_add(more.into());
        match from.filter(|_| has_room) {
            Some(from) => {
                bytes.runs.push_back(Run { end: bytes.sent, from });
                self.kept += 1;
            }
            None => self.forget_buffer(buffer),
        }
    }

    /// Removes the first bytes, which leaves this many; returns the sender of the first of them, if it is known.
    pub fn pop_bytes(&mut self, buffer: StreamBufferRef, level_after: u32) -> Option<End> {
        let bytes = self.buffers.get_mut(buffer)?;
        bytes.level = Some(level_after);
        let out = bytes.sent.saturating_sub(level_after.into());
        let mut first = None;
        while let Some(run) = bytes.runs.front()
            && run.end <= out
        {
            first = first.or(Some(run.from));
            bytes.runs.pop_front();
            self.kept = self.kept.saturating_sub(1);
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Act, Actor, World};

    fn queue() -> QueueRef {
        World::default().queue(1).unwrap()
    }

    fn sent(ns: i64) -> Option<End> {
        Some(End { ns, core: 0, actor: Actor::UnknownIsr, act: Act::Send(queue()) })
    }

    fn pop(senders: &mut Senders, level: u32) -> Option<i64> {
        senders.pop(queue(), level).map(|end| end.ns)
    }

    #[test]
    fn items_that_were_there_before_go_first() {
        let mut senders = Senders::default();
        // Two items are in it already.
        senders.push(queue(), sent(1));
        senders.push(queue(), sent(2));
        assert_eq!(pop(&mut senders, 3), None);
        assert_eq!(pop(&mut senders, 2), None);
        assert_eq!(pop(&mut senders, 1), Some(1));
        assert_eq!(pop(&mut senders, 0), Some(2));
        assert_eq!(pop(&mut senders, 0), None);
    }

    #[test]
    fn an_item_sent_to_the_front_goes_first() {
        let mut senders = Senders::default();
        senders.push(queue(), sent(1));
        senders.push(queue(), sent(2));
        senders.move_to_front(queue(), 2);
        assert_eq!(pop(&mut senders, 1), Some(2));
        // In front of an unknown item: none can be distinguished.
        senders.push(queue(), sent(3));
        senders.move_to_front(queue(), 3);
        assert_eq!([2, 1, 0].map(|level| pop(&mut senders, level)), [None; 3]);
        assert_eq!(senders.kept, 0);
    }

    #[test]
    fn the_number_of_senders_is_bounded() {
        let mut senders = Senders::default();
        for ns in 0..10_000 {
            senders.push(queue(), sent(ns));
            assert!(senders.kept <= MAX_KEPT);
        }
        senders.forget_queue(queue());
        assert_eq!(senders.kept, 0);
    }
}
