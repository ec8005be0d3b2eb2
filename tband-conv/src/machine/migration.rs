//! Tasks that migrate from one core to another.

use std::io;

use super::Timeline;
use super::memory::task::LastCore;
use crate::model::{Act, Actor, Change, End, EventTime, Flow, Flows, Sink, TaskRef};

impl Timeline {
    /// A task has got a core.
    #[inline(never)]
    pub(super) fn arrive_on_core(
        &mut self,
        sink: &mut (dyn Sink + '_),
        at: EventTime,
        task: TaskRef,
    ) -> io::Result<()> {
        let known = self.tasks.entry(task);
        let before = std::mem::replace(&mut known.ran_on, LastCore::core(at.core));
        self.migrate_from(sink, at, task, before)
    }

    /// A task has got a core, and this was known of the one before.
    #[cold]
    #[inline(never)]
    pub(super) fn migrate_from(
        &self,
        sink: &mut (dyn Sink + '_),
        at: EventTime,
        task: TaskRef,
        before: LastCore,
    ) -> io::Result<()> {
        let Some(from) = before.number().filter(|from| *from != at.core) else { return Ok(()) };
        let left_ns = self.tasks.get(task).map_or(0, |known| known.left_ns);
        sink.change(&self.world, at, &Change::Migrated { task, from, left_ns })?;
        if self.senders.mode == Flows::None {
            return Ok(());
        }
        let actor = Actor::Task(task);
        let from = End { ns: left_ns, core: from, actor, act: Act::LeaveCore(task) };
        let to = End { ns: at.ns, core: at.core, actor, act: Act::ComeToCore(task) };
        let uncertain_ns = self.uncertain_ns(from, to);
        let flow = Flow { from, to, woke: false, uncertain_ns };
        sink.change(&self.world, at, &Change::Flow(&flow))
    }
}
