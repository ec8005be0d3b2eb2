//! Interrupts: threads that preempt tasks on their core, or a row for each.
//!
//! Each interrupt of each core is a thread, or row, of its own.

use std::io::Write;

use super::Perfetto;
use super::packets::{EventType, Name};
use super::sched::{OnCore, PRIORITY_OFFSET};
use super::threads::ISR_TIDS;
use super::tracks::{Group, Parent, Row, Shows, Uuid};
use crate::timeline::{At, IsrRef, World};

/// How interrupts are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Interrupts {
    /// As threads that preempt tasks in the row of their core: the time of tasks is their own, and
    /// what an interrupt wakes says so.
    #[default]
    Cpu,
    /// One row for each interrupt of each core, with spans and arrows. Tasks run on beneath.
    Rows,
}

/// What an interrupt of one core has in the trace; 0 stands for what is not made yet.
#[derive(Clone, Copy, Debug, Default)]
struct IsrTracks {
    tid: i32,
    /// Its thread, below which the row of its acts is.
    thread: Uuid,
    row: Uuid,
    /// Its interned name, where it has a row of its own.
    name: u64,
}

/// Interrupts by core and place in the table.
#[derive(Debug, Default)]
pub struct Isrs {
    pub shown: Interrupts,
    of_core: Vec<Vec<IsrTracks>>,
    /// Those with a thread, in the order of their numbers.
    threads: Vec<(IsrRef, u32)>,
    unknown: Uuid,
}

impl Isrs {
    fn entry(&mut self, isr: IsrRef, core: u32) -> Option<&mut IsrTracks> {
        let core = core as usize;
        if self.of_core.len() <= core {
            self.of_core.resize_with(core + 1, Vec::new);
        }
        let of_core = self.of_core.get_mut(core)?;
        if of_core.len() <= isr.index() {
            of_core.resize(isr.index() + 1, IsrTracks::default());
        }
        of_core.get_mut(isr.index())
    }

    /// The thread of an interrupt.
    #[inline]
    fn tid(&mut self, isr: IsrRef, core: u32) -> i32 {
        let known = self.of_core.get(core as usize).and_then(|of_core| of_core.get(isr.index()));
        match known {
            Some(known) if known.tid != 0 => known.tid,
            _ => self.new_tid(isr, core),
        }
    }

    #[cold]
    fn new_tid(&mut self, isr: IsrRef, core: u32) -> i32 {
        // No more than there are cores and interrupts, which are bounded.
        let number = i32::try_from(self.threads.len()).unwrap_or(i32::MAX);
        let tid = ISR_TIDS.saturating_add(number);
        self.threads.push((isr, core));
        if let Some(entry) = self.entry(isr, core) {
            entry.tid = tid;
        }
        tid
    }

    /// The thread of an interrupt, 0 if it has none.
    pub fn known_tid(&self, isr: IsrRef, core: u32) -> i32 {
        let of_core = self.of_core.get(core as usize);
        of_core.and_then(|of_core| of_core.get(isr.index())).map_or(0, |known| known.tid)
    }

    /// Interrupts that have a thread: which, its core, number and, if it has a row, its track.
    pub fn threads(&self) -> Vec<(IsrRef, u32, i32, Uuid)> {
        let tracks = |isr: IsrRef, core: u32| {
            let of_core = self.of_core.get(core as usize)?;
            of_core.get(isr.index()).copied()
        };
        let with_tracks = |&(isr, core): &(IsrRef, u32)| {
            let IsrTracks { tid, thread, .. } = tracks(isr, core)?;
            Some((isr, core, tid, thread))
        };
        self.threads.iter().filter_map(with_tracks).collect()
    }
}

/// What the thread of an interrupt is called.
pub fn thread_name(world: &World, isr: IsrRef, core: u32) -> String {
    match world.isr_name(isr, core).name() {
        Some(name) => format!("{name} ISR"),
        None => format!("ISR {}", world.isrs.get(isr).map_or(0, |isr| isr.id)),
    }
}

impl<W: Write> Perfetto<W> {
    #[inline]
    pub(super) fn isr_enters(&mut self, world: &World, at: At, isr: IsrRef) {
        let on_core = match self.isrs.shown {
            Interrupts::Cpu => {
                let tid = self.isrs.tid(isr, at.core);
                Some(OnCore { tid, priority: PRIORITY_OFFSET, is_idle: false })
            }
            Interrupts::Rows => {
                let row = self.isr_row(world, isr, at.core);
                let known = self.isrs.entry(isr, at.core).map_or(0, |known| known.name);
                let name = match known {
                    0 => self.isr_slice_name(world, isr, at.core),
                    known => Name::Interned(known),
                };
                self.packets.event(at.ns, EventType::SliceBegin, row, Some(name));
                None
            }
        };
        if let Some(core) = self.core(at.core) {
            core.isr_enters(at.ns, isr, on_core);
        }
    }

    #[inline]
    pub(super) fn isr_exits(&mut self, world: &World, at: At, isr: IsrRef) {
        if let Some(core) = self.core(at.core) {
            core.isr_exits(at.ns);
        }
        if let Interrupts::Rows = self.isrs.shown {
            let row = self.isr_row(world, isr, at.core);
            self.packets.event(at.ns, EventType::SliceEnd, row, None);
        }
    }

    #[cold]
    fn isr_slice_name<'w>(&mut self, world: &'w World, isr: IsrRef, core: u32) -> Name<'w> {
        let label = world.isr_name(isr, core);
        let name = match label.name() {
            Some(name) => self.packets.name(name.as_bytes()),
            None => match self.packets.name(label.to_string().as_bytes()) {
                Name::Interned(iid) => Name::Interned(iid),
                Name::Inline(_) => Name::Inline(b"isr"),
            },
        };
        if let (Name::Interned(iid), Some(known)) = (name, self.isrs.entry(isr, core)) {
            known.name = iid;
        }
        name
    }

    /// The row of what an interrupt does.
    #[inline]
    pub(super) fn isr_row(&mut self, world: &World, isr: IsrRef, core: u32) -> Uuid {
        match self.isrs.entry(isr, core) {
            Some(known) if known.row != 0 => known.row,
            _ => self.new_isr_row(world, isr, core),
        }
    }

    #[cold]
    fn new_isr_row(&mut self, world: &World, isr: IsrRef, core: u32) -> Uuid {
        let mut thread = 0;
        let row = match self.isrs.shown {
            Interrupts::Cpu => {
                self.isrs.tid(isr, core);
                thread = self.tracks.next();
                Row {
                    about: "What the interrupt does that arrows begin or end with.",
                    ..Row::new(Parent::Track(thread), "calls", Shows::Slices)
                }
            }
            Interrupts::Rows => {
                let mut name = world.isr_name(isr, core).to_string();
                if world.cores.len() > 1 {
                    name.push_str(&format!(", core {core}"));
                }
                Row::new(Parent::Group(Group::Interrupts), name, Shows::Slices)
            }
        };
        let row = self.tracks.make(&mut self.packets, row);
        if let Some(entry) = self.isrs.entry(isr, core) {
            (entry.thread, entry.row) = (thread, row);
        }
        row
    }

    /// The row of interrupts that are not recorded, but did something.
    pub(super) fn unknown_isr_row(&mut self) -> Uuid {
        if self.isrs.unknown == 0 {
            let row = Row {
                about: "What interrupts did whose begin and end are not recorded.",
                ..Row::new(Parent::Group(Group::Interrupts), "not recorded", Shows::Slices)
            };
            self.isrs.unknown = self.tracks.make(&mut self.packets, row);
        }
        self.isrs.unknown
    }
}
