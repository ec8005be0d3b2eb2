//! Runs of the target, from one reset to the next, and the starts of the recording within them.
//!
//! A run ends every object, and every name. An object of the next run has a name if the recording reports one in that run.
//! Only where the recording reports no names at all after a reset, since the start is lost, an object has the name that its
//! number had before: it is most likely the same firmware.

use tband_format::registry::MAIN_PROGRAM;
use tband_format::{Event, Str};

use super::label::is_name;
use super::life::Runs;
use super::object::{Isr, Marker, MarkerKey, Scope};
use super::table::Table;
use super::world::World;

impl World {
    /// Whether the event gives a name that differs from an earlier start of the recording, which shows another run. Task
    /// numbers also show it, because a kernel does not give one out twice.
    pub(crate) fn has_conflict(&self, core: u32, event: &Event<'_>) -> bool {
        let starts = self.runs.starts;
        let is_other = |known: Option<&str>, named: u32, name| {
            named < starts && known.is_some_and(|known| !is_name(known, name))
        };
        match *event {
            Event::TaskName { task_id, name } => {
                let task = self.tasks.find(task_id).and_then(|task| self.tasks.get(task));
                task.is_some_and(|task| {
                    let life = task.life;
                    life.died_ns.is_none() && is_other(task.name.as_deref(), life.named, name)
                })
            }
            Event::IsrName { isr_id: MAIN_PROGRAM, name } => {
                is_other(self.main_name.as_deref(), self.main_named, name)
            }
            Event::IsrName { isr_id, name } => {
                let isr = self.isrs.find(isr_id).and_then(|isr| self.isrs.get(isr));
                isr.is_some_and(|isr| {
                    let known = isr.names.iter().find(|entry| entry.0 == core);
                    is_other(known.map(|entry| entry.1.as_str()), isr.named, name)
                })
            }
            Event::EvtmarkerName { evtmarker_id: id, name } => {
                let marker = self.markers.find((Scope::Global, id));
                let marker = marker.and_then(|marker| self.markers.get(marker));
                marker.is_some_and(|it| is_other(it.name.as_deref(), it.named, name))
            }
            Event::ValmarkerName { valmarker_id: id, name } => {
                let value = self.values.find((Scope::Global, id));
                let value = value.and_then(|value| self.values.get(value));
                value.is_some_and(|it| is_other(it.name.as_deref(), it.named, name))
            }
            _ => false,
        }
    }

    /// An interrupt that had this number and name in an earlier run is the same one again: it has no separate lifetime, and its
    /// figures are those of all runs.
    pub(crate) fn recall_isr(&mut self, core: u32, id: u32, name: Str<'_>) {
        if self.runs.run == 0 || self.isrs.find(id).is_some() {
            return;
        }
        let is_same = |it: &Isr| {
            it.id == id && it.names.iter().any(|(of, known)| *of == core && is_name(known, name))
        };
        let known = self.isrs.iter_current().find(|(_, it)| is_same(it)).map(|(known, _)| known);
        if let Some(known) = known {
            self.isrs.bind(id, known);
        }
    }
}

/// As [`World::recall_isr`], of a global marker.
pub(super) fn recall_marker(
    runs: Runs,
    table: &mut Table<MarkerKey, Marker>,
    key: MarkerKey,
    name: Str<'_>,
) {
    if runs.run == 0 || key.0 != Scope::Global || table.find(key).is_some() {
        return;
    }
    let is_same = |it: &Marker| {
        (it.scope, it.id) == key && it.name.as_deref().is_some_and(|known| is_name(known, name))
    };
    let known = table.iter_current().find(|(_, it)| is_same(it)).map(|(known, _)| known);
    if let Some(known) = known {
        table.bind(key, known);
    }
}

impl World {
    /// The target was reset: interrupts and markers of the next run are others.
    pub(crate) fn reset_unnumbered(&mut self, has_names: bool) {
        let starts = self.runs.starts;
        let is_new = |named: u32| has_names && named == starts;
        let over: Vec<u32> = self
            .isrs
            .iter_current()
            .filter(|(_, it)| !is_new(it.named))
            .map(|(_, it)| it.id)
            .collect();
        over.iter().for_each(|id| self.isrs.retire_key(*id));
        for table in [&mut self.markers, &mut self.values] {
            let over = table.iter_current().filter(|(_, it)| !is_new(it.named));
            let over: Vec<_> = over.map(|(_, it)| (it.scope, it.id)).collect();
            over.iter().for_each(|key| table.retire_key(*key));
        }
    }
}
