//! The main program: what a core runs without an RTOS whenever no interrupt is open.
//!
//! It is shown as a task that runs from the first event to the last, on each core one, since that is what
//! interrupts interrupt. Nothing is recorded of it; its name is reported as that of an interrupt that cannot be.

use std::collections::BTreeSet;
use std::io;

use super::{By, Context, Timeline};
use crate::diagnostics::Place;
use crate::model::{At, Sink, TaskState, Waker};

/// Its name, unless the target gives it another.
const NAME: &str = "main";

impl Timeline {
    /// There is no RTOS: the main program runs on these cores, from the start on. Gaps do not change that.
    ///
    /// # Errors
    /// What the sink reports.
    pub(crate) fn main_program(
        &mut self,
        start_ns: i64,
        cores: &BTreeSet<u32>,
        sink: &mut (dyn Sink + '_),
    ) -> io::Result<()> {
        self.runs_main_program = true;
        for &core in cores {
            // Tasks are counted from 1, too.
            let Some(task) = self.world.task(core.saturating_add(1)) else { continue };
            let name = self.world.main_name.as_deref().unwrap_or(NAME);
            let name =
                if cores.len() > 1 { format!("{name} (core {core})") } else { name.to_owned() };
            if let Some(entry) = self.world.tasks.get_mut(task) {
                entry.name = Some(name);
            }
            self.tasks.entry(task).leaves_to = TaskState::Ready;
            self.core(core).running = Some(task);
            let at = At { ns: start_ns, core };
            let place = Place::default().into();
            let mut context = Context { at, by: By::Nobody, place, sink: &mut *sink };
            self.set_state(&mut context, task, TaskState::Running(core), Waker::Other)?;
        }
        Ok(())
    }
}
