//! Events that the target reports as not recorded.

use std::io;

use super::memory::core::Core;
use super::{AnyContext, Timeline};
use crate::diagnostics::Problem;
use tband_import::counted::counted;

impl Timeline {
    /// The target reported how many events it has dropped so far.
    pub(super) fn dropped(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        count: u32,
    ) -> io::Result<()> {
        self.drop_counts = self.drop_counts.saturating_add(1);
        let result = self.dropped_so_far(context, count);
        if context.at.ns > self.core(context.at.core).ticks.due_ns {
            self.tick_is_overdue(context)?;
        }
        self.reach(context.at, context.place.input);
        result
    }

    fn dropped_so_far(&mut self, context: &mut AnyContext<'_, '_>, count: u32) -> io::Result<()> {
        let number = context.at.core;
        let core = self.core(number);
        let before = std::mem::replace(&mut core.dropped, count);
        let mut known = self.dropped.max(before);
        if count < before {
            let text =
                format!("the count of dropped events falls from {before} to {count}: restart");
            self.report_finding(context, Problem::Restart, 1, &text)?;
            self.resets.reported_for_all();
            self.restart_count(None);
            self.core(number).dropped = count;
            known = 0;
        }
        // All cores share the count: losses that another core has reported are not new.
        let lost = count.saturating_sub(known);
        if lost == 0 {
            return Ok(());
        }
        self.dropped = count;
        let text = format!("{} lost on the target before this point", counted(lost, "event"));
        self.report_finding(context, Problem::EventsLost, lost.into(), &text)
    }

    /// The target was restarted: its count starts from 0 again, for this input or for all.
    #[cold]
    pub(super) fn restart_count(&mut self, input: Option<usize>) {
        self.dropped = 0;
        let concerned = |core: &&mut Core| input.is_none_or(|input| core.input == input);
        for core in self.cores.iter_mut().filter(concerned) {
            (core.dropped, core.metadata_dropped) = (0, 0);
        }
    }

    /// The target reported how many names did not fit its metadata buffer.
    #[cold]
    pub(super) fn metadata_dropped(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        core_id: u32,
        count: u32,
        size_needed: Option<u32>,
    ) -> io::Result<()> {
        let core = self.core(core_id);
        let before = std::mem::replace(&mut core.metadata_dropped, count);
        let lost = count.saturating_sub(before);
        if lost == 0 {
            return Ok(());
        }
        let remedy = match size_needed {
            // It has 16 bits on the target.
            Some(size @ 1..0xFFFF) => {
                format!("set tband_configMETADATA_BUF_SIZE to {size} or more")
            }
            _ => "raise tband_configMETADATA_BUF_SIZE".to_owned(),
        };
        let names = counted(lost, "name");
        let text =
            format!("{names} lost on core {core_id}: its metadata buffer was full ({remedy})");
        self.report_finding(context, Problem::MetadataLost, lost.into(), &text)
    }
}
