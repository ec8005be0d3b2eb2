//! The composition of a recording, in tenths of its length: a benchmark is only as good as its input.
//!
//! Kinds are determined from the names of events, not from the intent of the simulation. Metadata, `core_id`, and the state at
//! the beginning of packets, all of which the recorder adds, have no kind.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use tband_conv::events::EventReader;
use tband_conv::item::{Defect, Mode};
use tband_format::Event;

use super::simulation::EventKind;

/// Number of parts of a recording that are counted separately.
pub const PARTS: usize = 10;

/// Event counts of a part of a recording.
#[derive(Clone, Debug, Default)]
pub struct Part {
    counts: [u64; EventKind::ALL.len()],
    /// Tasks that got a core, by number.
    tasks: std::collections::BTreeSet<u32>,
    /// Events that the target lost.
    lost: u64,
}

impl Part {
    /// Its events.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Share of a kind, 0 to 1.
    #[must_use]
    pub fn share(&self, kind: EventKind) -> f64 {
        self.counts[kind as usize] as f64 / self.events().max(1) as f64
    }

    /// How many different tasks got a core.
    #[must_use]
    pub fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// Events that the target lost.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }
}

/// Event counts of a recording.
#[derive(Clone, Debug, Default)]
pub struct Mix {
    parts: [Part; PARTS],
    dropped: u32,
}

fn kind_of(event: &Event<'_>) -> Option<EventKind> {
    let is_added =
        matches!(event, Event::CoreId { .. } | Event::RunningTask { .. } | Event::OpenIsr { .. });
    if event.is_metadata() || is_added {
        return None;
    }
    Some(match event.name() {
        name if name.starts_with("isr_") => EventKind::Isr,
        "task_switched_in" => EventKind::Switch,
        name if name.contains("queue") => EventKind::Queue,
        name if name.contains("marker") => EventKind::Marker,
        _ => EventKind::Rest,
    })
}

impl Mix {
    /// Reads a recording of this size, in bytes.
    ///
    /// # Errors
    /// It cannot be read, or has frames that are not events.
    pub fn of(recording: impl Read, size: u64) -> Result<Self> {
        let mut mix = Self::default();
        let mut reader = EventReader::new(recording, 0, Mode::FreeRtos);
        while let Some(item) = reader.next_item()? {
            let tenth = u128::from(item.offset) * PARTS as u128 / u128::from(size.max(1));
            let tenth = usize::try_from(tenth).unwrap_or(PARTS).min(PARTS - 1);
            match item.event {
                Ok(decoded) => mix.count(tenth, &decoded.event),
                Err(Defect::Missing(missing)) => {
                    mix.parts[tenth].lost += u64::from(missing.discarded)
                }
                Err(_) => bail!("damage at byte {}", item.offset),
            }
        }
        Ok(mix)
    }

    /// Reads a recording.
    ///
    /// # Errors
    /// It cannot be read, or has frames that are not events.
    pub fn of_file(path: &Path) -> Result<Self> {
        let cannot = || format!("cannot read {}", path.display());
        let file = File::open(path).with_context(cannot)?;
        let size = file.metadata().with_context(cannot)?.len();
        Self::of(file, size).with_context(cannot)
    }

    fn count(&mut self, tenth: usize, event: &Event<'_>) {
        let Some(kind) = kind_of(event) else { return };
        let part = &mut self.parts[tenth];
        part.counts[kind as usize] += 1;
        match *event {
            Event::TaskSwitchedIn { task_id } => drop(part.tasks.insert(task_id)),
            Event::DroppedEvtCnt { cnt } if cnt > self.dropped => {
                part.lost += u64::from(cnt - self.dropped);
                self.dropped = cnt;
            }
            _ => {}
        }
    }

    /// Its tenths.
    #[must_use]
    pub const fn parts(&self) -> &[Part; PARTS] {
        &self.parts
    }

    /// Returns a kind of event whose share deviates from its target by more than this, in a tenth that has events; with the
    /// tenth and its share.
    #[must_use]
    pub fn deviation(&self, tolerance: f64) -> Option<(usize, EventKind, f64)> {
        let all = self.parts.iter().enumerate();
        all.flat_map(|(tenth, part)| EventKind::ALL.map(|kind| (tenth, kind, part.share(kind))))
            .find(|(_, kind, share)| (share - f64::from(kind.share()) / 100.0).abs() > tolerance)
    }
}

/// As a table, shares in percent.
impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<6}{:>10}", "tenth", "events")?;
        for kind in EventKind::ALL {
            write!(f, "{:>12}", kind.name())?;
        }
        writeln!(f, "{:>7}{:>7}", "tasks", "lost")?;
        for (number, part) in self.parts.iter().enumerate() {
            write!(f, "{:<6}{:>10}", number + 1, part.events())?;
            for kind in EventKind::ALL {
                write!(f, "{:>10.1} %", part.share(kind) * 100.0)?;
            }
            writeln!(f, "{:>7}{:>7}", part.tasks(), part.lost())?;
        }
        Ok(())
    }
}
