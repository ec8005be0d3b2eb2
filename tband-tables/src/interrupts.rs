//! Interrupts, as they nest on each core.

use std::collections::BTreeMap;
use std::io;

use tband_conv::model::{EventTime, IsrRef, World};
use tband_conv::tracks::Now;

use crate::row::Rows;

/// Interrupts that are followed within each other; damage could open any number.
const MAX_DEPTH: usize = 1000;

/// Follows interrupts and writes them as they end.
#[derive(Default)]
pub struct Interrupts {
    open: BTreeMap<u32, Vec<(IsrRef, i64, bool)>>,
}

impl Interrupts {
    /// One begins within those that are open.
    pub fn enter(&mut self, at: EventTime, isr: IsrRef, begin_seen: bool) {
        let open = self.open.entry(at.core).or_default();
        if open.len() < MAX_DEPTH {
            open.push((isr, at.ns, begin_seen));
        }
    }

    /// The innermost ends, or is not known any more.
    pub fn exit(
        &mut self,
        out: (&mut impl Rows, &str),
        now: Now<'_>,
        isr: IsrRef,
        end_seen: bool,
    ) -> io::Result<()> {
        let open = self.open.entry(now.core).or_default();
        match open.pop_if(|(innermost, ..)| *innermost == isr) {
            Some(ended) => row(out, now.world, (ended, open.len()), now.at(), end_seen),
            None => Ok(()),
        }
    }

    /// The recording ends.
    pub fn finish(
        &mut self,
        (table, recording): (&mut impl Rows, &str),
        world: &World,
        end_ns: i64,
    ) -> io::Result<()> {
        for (core, mut open) in std::mem::take(&mut self.open) {
            while let Some(ended) = open.pop() {
                let at = EventTime { ns: end_ns, core };
                row((table, recording), world, (ended, open.len()), at, false)?;
            }
        }
        Ok(())
    }
}

fn row(
    (table, recording): (&mut impl Rows, &str),
    world: &World,
    ((isr, begin_ns, begin_seen), depth): ((IsrRef, i64, bool), usize),
    at: EventTime,
    end_seen: bool,
) -> io::Result<()> {
    table.row(&[
        recording.into(),
        begin_ns.into(),
        at.ns.max(begin_ns).into(),
        at.core.into(),
        world.isrs.get(isr).map_or(0, |known| known.id).into(),
        (&world.isr_name(isr, at.core).to_string()).into(),
        depth.into(),
        begin_seen.into(),
        end_seen.into(),
    ])
}
