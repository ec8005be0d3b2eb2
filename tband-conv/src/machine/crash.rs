//! The firmware has crashed: values that come one by one, and the crash that they belong to.

use std::io;

use tband_format::Str;
use tband_format::named::{CrashKind, FaultFact};

use super::{AnyContext, Timeline};
use crate::model::{Change, Crash, EventTime, Sink, printable_text};

/// Note on a crash whose handler did not finish.
const UNENDED: &str = "its handler did not end";

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
        let values = self.crashes.take(at.core);
        self.crashed(at, kind, printable_text(text), values, context.sink)
    }

    /// Reports a crash whose handler did not finish, because it crashed itself or was reset: the firmware records the registers
    /// first.
    #[cold]
    pub(super) fn unended_crash(
        &mut self,
        at: EventTime,
        sink: &mut (impl Sink + ?Sized),
    ) -> io::Result<()> {
        let values = self.crashes.take(at.core);
        let has = |fact| values.iter().any(|(it, _)| *it == fact);
        if !has(FaultFact::PC) {
            return Ok(());
        }
        let is_exception = has(FaultFact::XPSR) || has(FaultFact::MCAUSE);
        let kind = if is_exception { CrashKind::EXCEPTION } else { CrashKind::OTHER };
        self.crashed(at, kind, UNENDED.to_owned(), values, sink)
    }

    fn crashed(
        &mut self,
        at: EventTime,
        kind: CrashKind,
        text: String,
        values: Vec<(FaultFact, u32)>,
        sink: &mut (impl Sink + ?Sized),
    ) -> io::Result<()> {
        let mut crash = Crash::new((at.ns, at.core), kind, text);
        crash.values = values;
        let number = crash.value(FaultFact::TASK).filter(|number| *number != 0);
        let named = number.and_then(|number| self.world.tasks.find(number));
        let task = named.or_else(|| self.cores.running(at.core));
        crash.task = task.map(|task| self.world.task_name(task).to_string());
        let build = [FaultFact::BUILD_FIRST, FaultFact::BUILD_SECOND].map(|it| crash.value(it));
        if let [Some(first), Some(second)] = build {
            self.world.is_of_program(first.swap_bytes(), second.swap_bytes());
        }
        crash.set_places(self.world.places_of_crash(crash.pc().unwrap_or(0)));
        self.crashes.keep(&crash);
        sink.change(&self.world, at, &Change::Crash(&crash))
    }
}
