//! The target's filters as it reports them, and the resulting unknown states of tasks.

use tband_format::classes::CLASSES;
use tband_format::classes::filter::{BEGIN, BY_FIRMWARE, BY_HOST, IDS, KIND, OBJECT, SHED};
use tband_format::classes::objects::OBJECT_KINDS;

use super::begins::PacketBegins;
use super::shed::ShedClasses;
use crate::model::{Omission, OmissionTime, PerCore, TaskState};

/// Maximum number of objects of a filter; a target has room for fewer.
const MAX_OBJECTS: usize = 256;
/// Maximum number of kept times.
const MAX_TIMES: usize = 256;

/// Ids of events that report why a task leaves its core.
const REASONS: &[u8] = &[88, 89, 90, 109, 110, 111, 136, 137, 154, 155, 163, 165];
/// Ids of events that report that a task may continue.
const WAKES: &[u8] = &[85, 86, 87];
const SWITCH: u8 = 84;

/// A filter as it is on the target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    ids: [u32; 8],
    /// The same, since packets run out, on any core.
    shed: [u32; 8],
    kinds: u32,
    /// Kind and number, sorted.
    objects: Vec<(u32, u32)>,
}

fn has(ids: &[u32; 8], id: u8) -> bool {
    ids.get(usize::from(id) / 32).is_some_and(|word| word >> (id % 32) & 1 != 0)
}

/// Takes these ids out of the others.
fn take(ids: &mut [u32; 8], which: &[u8]) {
    for id in which {
        if let Some(word) = ids.get_mut(usize::from(*id) / 32) {
            *word &= !(1 << (id % 32));
        }
    }
}

impl Filter {
    fn has(&self, id: u8) -> bool {
        has(&self.ids, id) || has(&self.shed, id)
    }

    /// One of these events is left out.
    pub fn has_any(&self, ids: &[u8]) -> bool {
        ids.iter().any(|id| self.has(*id))
    }

    /// Some object of this kind is left out.
    pub fn has_objects_of(&self, kind: &str) -> bool {
        let Some(kind) = OBJECT_KINDS.iter().position(|it| it.name == kind) else { return false };
        let kind = kind as u32;
        self.kinds >> kind & 1 != 0 || self.objects.iter().any(|(of, _)| *of == kind)
    }

    fn add(&mut self, of: u32, is: u32) {
        match of {
            _ if IDS.contains(&of) => {
                if let Some(word) = self.ids.get_mut(of as usize) {
                    *word |= is;
                }
            }
            SHED.. => {
                if let Some(word) = self.shed.get_mut(of.wrapping_sub(SHED) as usize) {
                    *word |= is;
                }
            }
            OBJECT..KIND if self.objects.len() < MAX_OBJECTS => {
                let object = (of.wrapping_sub(OBJECT), is);
                if let Err(place) = self.objects.binary_search(&object) {
                    self.objects.insert(place, object);
                }
            }
            _ if (KIND..KIND.saturating_add(32)).contains(&of) => {
                self.kinds |= 1_u32.wrapping_shl(of.wrapping_sub(KIND));
            }
            _ => {}
        }
    }

    /// Returns the items left out: classes that are left out completely, then others.
    pub fn left_out(&self) -> Vec<Omission> {
        let mut rest = self.ids;
        let mut all = Vec::new();
        for (number, class) in CLASSES.iter().enumerate() {
            if class.events.iter().all(|id| has(&self.ids, *id)) {
                all.push(Omission::Class(number));
                take(&mut rest, class.events);
            }
        }
        all.extend((0..=u8::MAX).filter(|id| has(&rest, *id)).map(Omission::Event));
        all.extend(self.shed());
        for kind in (0..32).filter(|kind| self.kinds >> kind & 1 != 0) {
            let has_some = self.objects.iter().any(|(of, _)| *of == kind);
            all.push(if has_some { Omission::KindButSome(kind) } else { Omission::Kind(kind) });
        }
        let is_of_kind = |kind: u32| self.kinds.checked_shr(kind).unwrap_or(0) & 1 != 0;
        let objects = self.objects.iter().filter(|(kind, _)| !is_of_kind(*kind));
        all.extend(objects.map(|(kind, number)| Omission::Object(*kind, *number)));
        all
    }

    /// Returns the shed classes. A class of which only a part is shed, such as events that form pairs with another class,
    /// counts if no other class covers it.
    fn shed(&self) -> Vec<Omission> {
        let mut rest = self.shed;
        let mut all = Vec::new();
        for whole in [true, false] {
            for (number, class) in CLASSES.iter().enumerate() {
                let is_shed = if whole {
                    class.events.iter().all(|id| has(&self.shed, *id))
                } else {
                    class.events.iter().any(|id| has(&rest, *id))
                };
                if is_shed {
                    all.push(Omission::Shed(number));
                    take(&mut rest, class.events);
                }
            }
        }
        all
    }
}

/// A filter that is being reported.
#[derive(Debug, Default)]
struct IncomingFilter {
    left: u32,
    by: u32,
    filter: Filter,
}

/// The filter, and the times of earlier ones.
#[derive(Debug)]
pub struct Filters {
    pub now: Filter,
    incoming: PerCore<IncomingFilter>,
    /// Ids that each core sheds.
    shed_by: PerCore<[u32; 8]>,
    /// State of a task that leaves its core, unless an event reports the reason: ready, or unknown if it may wait unseen.
    pub leaves_to: TaskState,
    /// The running tasks are unknown.
    pub are_runs_unknown: bool,
    /// The ends of waits are unknown.
    pub are_wakes_unknown: bool,
    times: Vec<OmissionTime>,
    /// Events that are not recorded since packets ran out.
    pub shed: ShedClasses,
    /// States at the beginning of packets that are left out.
    pub begins: PacketBegins,
}

impl Default for Filters {
    fn default() -> Self {
        Self {
            now: Filter::default(),
            incoming: PerCore::default(),
            shed_by: PerCore::default(),
            leaves_to: TaskState::Ready,
            are_runs_unknown: false,
            are_wakes_unknown: false,
            times: Vec::new(),
            shed: ShedClasses::default(),
            begins: PacketBegins::default(),
        }
    }
}

impl Filters {
    /// Adds a fact of a filter. After the last fact, returns the filter, the origin of the choice, and whether the core sheds
    /// events that it did not shed before, though others may have.
    pub fn fact(&mut self, core: u32, of: u32, is: u32) -> Option<(Filter, u32, bool)> {
        let incoming = self.incoming.entry(core);
        if of == BEGIN {
            *incoming = IncomingFilter {
                left: (is >> 8).saturating_add(1),
                by: is & 0xFF,
                filter: Filter::default(),
            };
        } else {
            incoming.filter.add(of, is);
        }
        // A fact without a begin belongs to a filter whose begin was lost, or that has been complete since.
        incoming.left = incoming.left.checked_sub(1)?;
        if incoming.left != 0 {
            return None;
        }
        let (mut filter, by) = (std::mem::take(&mut incoming.filter), incoming.by);
        // Each core sheds separately, and reports nothing about the others: events that one of them sheds may be missing.
        let shed = std::mem::take(&mut filter.shed);
        let before = std::mem::replace(self.shed_by.entry(core), shed);
        let sheds_more = shed.iter().zip(before).any(|(now, before)| now & !before != 0);
        for shed in self.shed_by.iter() {
            for (word, of_core) in filter.shed.iter_mut().zip(shed) {
                *word |= of_core;
            }
        }
        Some((filter, by, sheds_more))
    }

    /// The target was reset: its earlier reports no longer apply.
    pub fn forget(&mut self) {
        self.incoming = PerCore::default();
        self.shed_by = PerCore::default();
    }

    /// The filter is this one from now on; the one before.
    pub fn replace(&mut self, filter: Filter) -> Filter {
        let has_objects =
            ["QUEUE", "STREAM_BUFFER", "EVENT_GROUP"].map(|kind| filter.has_objects_of(kind));
        let may_wait_unseen = filter.has_any(REASONS) || has_objects.contains(&true);
        self.leaves_to = if may_wait_unseen { TaskState::Unknown } else { TaskState::Ready };
        self.are_runs_unknown = filter.has(SWITCH);
        self.are_wakes_unknown = filter.has_any(WAKES) || filter.has_objects_of("TASK");
        std::mem::replace(&mut self.now, filter)
    }

    /// Something is left out from now on, or is not any more.
    pub fn note(&mut self, what: String, by: u32, ns: i64, begins: bool) {
        if begins {
            let by = match by {
                BY_FIRMWARE => "firmware",
                BY_HOST => "host",
                _ => "unknown",
            };
            if self.times.len() < MAX_TIMES {
                self.times.push(OmissionTime { what, by, from_ns: ns, to_ns: None });
            }
        } else if let Some(time) =
            self.times.iter_mut().rfind(|time| time.what == what && time.to_ns.is_none())
        {
            time.to_ns = Some(ns);
        }
    }

    /// Times in which something was not recorded, the first ones.
    pub fn times(&self) -> &[OmissionTime] {
        &self.times
    }
}
