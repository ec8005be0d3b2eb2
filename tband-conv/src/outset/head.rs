//! The start of an input that is not read in a first pass: the names and the rest of its metadata up to the first
//! two events of each core that has appeared by then.

use tband_format::Event;
use tband_format::registry::Group;

use crate::item::Item;
use crate::item::owned_event::OwnedEvent;
use crate::outset::Outset;
use crate::outset::deferred_metadata::DeferredMetadata;
use crate::outset::metadata_tracker::{MetadataTracker, is_naming};
use crate::outset::timers::{FirstTicks, Timer};

/// Maximum bytes of metadata at the start; with more the start ends.
const MAX_HEAD: usize = 1 << 20;

/// The start of an input.
#[derive(Debug, Default)]
pub(crate) struct Head {
    naming: MetadataTracker,
    deferred: DeferredMetadata,
    /// Metadata other than names of objects, by core.
    reported: Vec<(u32, OwnedEvent)>,
    bytes: usize,
    first: FirstTicks,
    timer: Timer,
    has_freertos: bool,
    /// An event that happened was seen.
    has_event: bool,
    is_known: bool,
    /// Number of events in the input that change no state of the target, and number of `core_id` among them.
    about: u64,
    core_ids: u64,
}

impl Head {
    /// Of this input.
    pub fn new(input: usize) -> Self {
        Self { naming: MetadataTracker::new(input), ..Self::default() }
    }

    /// Whether all of it was seen.
    pub const fn is_known(&self) -> bool {
        self.is_known
    }

    /// Takes the next frame of the input. Returns true if it completes the facts that are known before the first event.
    pub fn frame(&mut self, item: &Item<'_>) -> bool {
        let Ok(decoded) = item.event else { return false };
        let event = &decoded.event;
        let is_core_id = matches!(event, Event::CoreId { .. });
        let is_about =
            event.is_metadata() || is_core_id || matches!(event, Event::TsFrequency { .. });
        self.about = self.about.saturating_add(is_about.into());
        self.core_ids = self.core_ids.saturating_add(is_core_id.into());
        if self.is_known {
            return false;
        }
        self.has_freertos |= event.group() == Group::FreeRtos;
        self.timer.learn(event);
        if !event.is_metadata() {
            self.first.look_at(item.core);
        }
        if !is_about {
            self.has_event = true;
            self.naming.finish_start();
        }
        if event.is_metadata() {
            self.bytes = self.bytes.saturating_add(event.payload_len(0));
        } else if !is_core_id {
            self.first.event(decoded.ts);
        }
        if event.is_metadata() && !is_naming(event) {
            self.reported.push((item.core, event.into()));
        } else {
            self.naming.event((item.offset, item.core), event, &mut self.deferred);
        }
        self.is_known = self.first.are_all_known() || self.bytes > MAX_HEAD;
        is_naming(event) && !self.has_event
    }

    /// Events that change no state of the target, and those of them that are `core_id`.
    pub const fn about(&self) -> (u64, u64) {
        (self.about, self.core_ids)
    }

    /// Adds the facts to those of other inputs, as a first pass would have.
    pub fn add_to(&mut self, outset: &mut Outset) {
        self.is_known = true;
        for (core, event) in std::mem::take(&mut self.reported) {
            outset.world.learn_first(core, &event.get());
        }
        self.naming.close(&mut outset.world, &mut self.deferred);
        outset.deferred.append(std::mem::take(&mut self.deferred));
        if self.has_freertos {
            outset.note_freertos();
        }
        outset.add_timer(&self.first, self.timer);
    }
}
