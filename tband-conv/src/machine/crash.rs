//! The firmware has crashed: values that come one by one, and the crash that they belong to.

use std::io;

use tband_format::{CrashKind, FaultFact, Str};

use super::{AnyContext, Timeline};
use crate::model::{Change, Crash, shown};

impl Timeline {
    /// A register, or another fact, of the next crash of this core.
    #[cold]
    pub(super) fn fault_fact(&mut self, core: u32, what: FaultFact, value: u32) {
        self.crashes.add(core, what, value);
    }

    #[cold]
    pub(super) fn crash(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        kind: CrashKind,
        text: Str<'_>,
    ) -> io::Result<()> {
        let at = context.at;
        let mut crash = Crash::new((at.ns, at.core), kind, shown(text));
        crash.values = self.crashes.take(at.core);
        let number = crash.value(FaultFact::TASK).filter(|number| *number != 0);
        let named = number.and_then(|number| self.world.tasks.find(number));
        let task = named.or_else(|| self.cores.running(at.core));
        crash.task = task.map(|task| self.world.task_name(task).to_string());
        crash.places = self.world.places_of_crash(crash.pc().unwrap_or(0)).to_vec();
        self.crashes.keep(&crash);
        context.sink.change(&self.world, at, &Change::Crash(&crash))
    }
}
