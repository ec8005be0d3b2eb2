//! The main program: code that a core runs without an RTOS whenever no interrupt is open.
//!
//! The timeline shows it as a task that runs from the first event to the last, one on each core, because interrupts interrupt a task.
//! The recording has no events for it; its name is reported as that of an interrupt number that does not exist.

use std::collections::BTreeSet;
use std::io;

use tband_format::Str;

use super::{AnyContext, Context, EventActor, Timeline};
use crate::diagnostics::Place;
use crate::model::{Change, EventTime, Sink, TaskState, Waker, printable_text};

/// Its name, unless the target gives it another.
const NAME: &str = "main";

impl Timeline {
    /// The target has no RTOS: the main program runs on these cores from the start. Gaps do not change that.
    ///
    /// # Errors
    /// The sink's error.
    pub(crate) fn main_program(
        &mut self,
        start_ns: i64,
        cores: &BTreeSet<u32>,
        sink: &mut (dyn Sink + '_),
    ) -> io::Result<()> {
        self.runs_main_program = true;
        let cores: Vec<u32> = cores.iter().copied().collect();
        self.run_main(start_ns, &cores, sink)
    }

    /// The main program of this run of the target runs on these cores from a time on.
    pub(super) fn run_main(
        &mut self,
        start_ns: i64,
        cores: &[u32],
        sink: &mut (dyn Sink + '_),
    ) -> io::Result<()> {
        let runs = self.world.runs;
        let name = self.world.main_name.clone().filter(|_| runs.has(self.world.main_named));
        let board = self.world.boards.name(self.world.board());
        let name = name.unwrap_or_else(|| match board {
            Some(board) => format!("{board}.{NAME}"),
            None => NAME.to_owned(),
        });
        for &core in cores {
            // Tasks are counted from 1, too.
            let Some(task) = self.world.task(core.saturating_add(1)) else { continue };
            if let Some(entry) = self.world.tasks.get_mut(task) {
                entry.name = Some(name_on(&name, core, cores.len()));
                entry.life.used = true;
            }
            self.tasks.entry(task).leaves_to = TaskState::Ready;
            self.core(core).running = Some(task);
            let at = EventTime { ns: start_ns, core };
            let place = Place::default().into();
            let mut context = Context { at, by: EventActor::NoActor, place, sink: &mut *sink };
            self.set_state(&mut context, task, TaskState::Running(core), Waker::Other)?;
        }
        Ok(())
    }

    /// The main program is called so.
    pub(super) fn rename_main(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        name: Str<'_>,
    ) -> io::Result<()> {
        if !self.runs_main_program {
            return Ok(());
        }
        let running = self.cores.iter().filter_map(|(core, it)| Some((core, it.running?)));
        let running: Vec<_> = running.collect();
        for &(core, task) in &running {
            let name = name_on(&printable_text(name), core, running.len());
            let Some(entry) = self.world.tasks.get_mut(task) else { continue };
            if entry.name.as_ref() != Some(&name) {
                entry.name = Some(name);
                context.sink.change(&self.world, context.at, &Change::TaskRenamed(task))?;
            }
        }
        Ok(())
    }
}

/// Returns the name of the main program on one of several cores.
fn name_on(name: &str, core: u32, cores: usize) -> String {
    if cores > 1 { format!("{name} (core {core})") } else { name.to_owned() }
}
