//! Flows: which act of one task or interrupt led to which act of another.

use std::io;

use super::{AnyContext, Context, EventActor, Timeline};
use crate::model::{
    Act, Actor, Change, End, EventTime, Flow, Flows, QueueCause, QueueRef, Sink, StreamBufferRef,
};

/// An item enters or leaves a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer {
    pub queue: QueueRef,
    /// The items in the queue after it.
    pub level: u32,
    pub cause: QueueCause,
}

impl Timeline {
    /// Returns the actor of the event.
    #[inline]
    pub(super) fn by<S: ?Sized>(&mut self, context: &Context<'_, S>) -> Option<Actor> {
        match context.by {
            EventActor::NoActor => None,
            by => self.actor(context.at.core, by == EventActor::Isr),
        }
    }

    /// Returns the actor on a core.
    #[inline]
    pub(super) fn actor(&mut self, core: u32, from_isr: bool) -> Option<Actor> {
        let core = self.core(core);
        match core.isrs.as_slice() {
            [] if from_isr => Some(Actor::UnknownIsr),
            [] => core.running.map(Actor::Task),
            [.., isr] => Some(Actor::Isr(*isr)),
        }
    }

    /// An act that happens now on this core.
    pub(super) fn end<S: Sink + ?Sized>(
        &mut self,
        context: &Context<'_, S>,
        act: Act,
    ) -> Option<End> {
        let EventTime { ns, core } = context.at;
        self.by(context).map(|actor| End { ns, core, actor, act })
    }

    /// Reports that one act followed from another, if both are known.
    pub(super) fn flow<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        from: Option<End>,
        to: Option<End>,
        woke: bool,
    ) -> io::Result<()> {
        let (Some(from), Some(to)) = (from, to) else {
            return Ok(());
        };
        let is_reported = match self.senders.mode {
            Flows::None => false,
            Flows::Wakes => from.actor != to.actor,
            Flows::All => true,
        };
        if !is_reported {
            return Ok(());
        }
        let uncertain_ns = self.uncertain_ns(from, to);
        // Timers that are assumed to be one may differ a little.
        if from.ns > to.ns && uncertain_ns == 0 {
            return Ok(());
        }
        let flow = Flow { from, to, woke, uncertain_ns };
        context.sink.frequent(&self.world, context.at, &Change::Flow(&flow))
    }

    /// Returns the possible error between the times of two acts, if it is at least the time between them.
    #[inline]
    pub(super) fn uncertain_ns(&self, from: End, to: End) -> i64 {
        let at = |end: End| EventTime { ns: end.ns, core: end.core };
        let uncertain = self.world.clocks.between(at(from), at(to));
        if uncertain >= to.ns.saturating_sub(from.ns) { uncertain } else { 0 }
    }

    /// Reports the causes of an act: the end of the actor's wait, and the sender of the received item.
    fn report_causes<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        woken_by: Option<End>,
        sent_by: Option<End>,
        now: Option<End>,
    ) -> io::Result<()> {
        self.flow(context, woken_by, now, true)?;
        // The first bytes of many, or the item of another sender, may not be what ended the wait.
        if sent_by == woken_by { Ok(()) } else { self.flow(context, sent_by, now, false) }
    }

    /// An item enters or leaves a queue. `woken_by` has ended the wait of the actor.
    pub(super) fn match_item<S: Sink + ?Sized>(
        &mut self,
        context: &mut Context<'_, S>,
        Transfer { queue, level, cause }: Transfer,
        now: Option<End>,
        woken_by: Option<End>,
    ) -> io::Result<()> {
        let mut from = None;
        match cause {
            QueueCause::Send => self.senders.push(queue, now),
            QueueCause::Overwrite => {
                self.senders.forget_queue(queue);
                self.senders.push(queue, now);
            }
            QueueCause::Receive => from = self.senders.pop(queue, level),
            QueueCause::Reset | QueueCause::Reported => self.senders.forget_queue(queue),
        }
        self.report_causes(context, woken_by, from, now)
    }

    /// Does the same as [`match_item`](Self::match_item) for the bytes of a stream buffer: `sent` of them were sent, or
    /// otherwise some were received.
    pub(super) fn match_bytes(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        buffer: StreamBufferRef,
        level: u32,
        sent: Option<u32>,
        now: Option<End>,
        woken_by: Option<End>,
    ) -> io::Result<()> {
        let mut from = None;
        if self.senders.mode == Flows::All {
            match sent {
                Some(amount) => self.senders.push_bytes(buffer, level, amount, now),
                None => from = self.senders.pop_bytes(buffer, level),
            }
        }
        self.report_causes(context, woken_by, from, now)
    }
}
