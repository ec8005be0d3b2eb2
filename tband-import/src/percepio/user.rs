//! State of what the application records itself: open intervals and runnables, state machines, extensions.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use tband_format::{Event, Str};

use super::objects::Objects;
use crate::output::Output;

/// Things of each kind that are kept.
pub const MAX_KEPT: usize = 4096;
/// Intervals of a channel that are open at a time.
pub const MAX_OPEN: usize = 64;
/// Runnables inside of each other.
pub const MAX_DEPTH: usize = 32;

/// An interval is open: its instance, and the event marker that shows it.
#[derive(Clone, Copy, Debug)]
struct OpenInterval {
    instance: u64,
    marker: u32,
}

/// An extension: its number, and where its codes begin and end.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    pub number: u32,
    pub first: u16,
    pub end: u16,
}

/// State of what the application records.
#[derive(Debug, Default)]
pub struct User {
    /// Levels of stream and message buffers.
    pub levels: HashMap<u32, u32, FixedState>,
    /// Event markers of each channel of intervals, and those that are open.
    intervals: HashMap<u32, (Vec<u32>, Vec<OpenInterval>), FixedState>,
    /// State machines whose state is shown.
    pub machines: HashMap<u32, u32, FixedState>,
    /// Open runnables of each task.
    pub runnables: HashMap<u32, Vec<u32>, FixedState>,
    pub extensions: Vec<Extension>,
    /// Names of event markers that are not objects.
    names: HashMap<u32, Box<str>, FixedState>,
}

impl User {
    /// An extension has this code.
    pub fn is_of_extension(&self, code: u16) -> bool {
        self.extensions.iter().any(|it| (it.first..it.end).contains(&code))
    }

    /// Events are missing.
    pub fn forget_state(&mut self) {
        self.levels.clear();
        self.runnables.clear();
        self.machines.clear();
        for (_, open) in self.intervals.values_mut() {
            open.clear();
        }
    }

    /// The target was reset.
    pub fn forget_all(&mut self) {
        *self = Self::default();
    }

    /// A task is gone.
    pub fn forget_task(&mut self, task: u32) {
        self.runnables.remove(&task);
    }

    pub fn set_level(&mut self, buffer: u32, level: u32) {
        if self.levels.len() < MAX_KEPT || self.levels.contains_key(&buffer) {
            self.levels.insert(buffer, level);
        }
    }

    /// Names an event marker that is not an object, or one that is named after an object of another kind.
    pub fn name_marker(&mut self, core: u32, marker: u32, name: &str, out: &mut Output) {
        if self.names.get(&marker).is_some_and(|known| **known == *name) {
            return;
        }
        let event = Event::EvtmarkerName { evtmarker_id: marker, name: Str(name.as_bytes()) };
        out.metadata(core, &event);
        if self.names.len() < MAX_KEPT {
            self.names.insert(marker, name.into());
        }
    }

    /// An interval begins. Intervals of a channel may overlap, so each open one has its marker.
    pub fn begin(
        &mut self,
        objects: &mut Objects,
        channel: u32,
        instance: u64,
    ) -> Option<(u32, usize)> {
        if self.intervals.len() >= MAX_KEPT && !self.intervals.contains_key(&channel) {
            return None;
        }
        let (markers, open) = self.intervals.entry(channel).or_default();
        if open.len() >= MAX_OPEN {
            return None;
        }
        let free = markers.iter().position(|it| open.iter().all(|open| open.marker != *it));
        let at = free.unwrap_or(markers.len());
        if free.is_none() {
            markers.push(if at == 0 { channel } else { objects.fresh_number() });
        }
        let marker = *markers.get(at)?;
        open.push(OpenInterval { instance, marker });
        Some((marker, at))
    }

    pub fn end(&mut self, channel: u32, instance: u64) -> Option<u32> {
        let (_, open) = self.intervals.get_mut(&channel)?;
        let at = open.iter().rposition(|open| open.instance == instance)?;
        Some(open.remove(at).marker)
    }
}
