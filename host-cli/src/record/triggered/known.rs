//! Metadata of what is not kept, so that a recording which begins later has names all the same.

use std::collections::BTreeMap;

use tband_format::{Event, Value};

use crate::target::frame;

/// Facts that are kept.
const MANY: usize = 1 << 16;

/// The core, if it is the core's own; the event's id; the numbers that say what it is of.
type About = (u32, u8, [u32; 2]);

/// The last that was reported of each thing.
#[derive(Debug, Default)]
pub struct Known {
    facts: BTreeMap<About, Vec<u8>>,
    /// The core that is reported, once one is.
    core: Option<u32>,
}

impl Known {
    /// An event is kept no more.
    pub fn learn(&mut self, event: &Event<'_>) {
        match event {
            Event::CoreId { core_id } => self.core = Some(*core_id),
            event if event.is_metadata() => {
                let about = about(self.core.unwrap_or_default(), event);
                if self.facts.len() < MANY || self.facts.contains_key(&about) {
                    self.facts.insert(about, frame(event));
                }
            }
            _ => {}
        }
    }

    /// All of it, as frames; then the core whose events follow.
    pub fn frames(&self) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        let mut last = None;
        let core = |core_id| frame(&Event::CoreId { core_id });
        for ((of, ..), fact) in &self.facts {
            if self.core.is_some() && last != Some(*of) {
                last = Some(*of);
                frames.push(core(*of));
            }
            frames.push(fact.clone());
        }
        frames.extend(self.core.map(core));
        frames
    }
}

fn about(core: u32, event: &Event<'_>) -> About {
    let mut numbers = [0; 2];
    let mut places = numbers.iter_mut();
    event.for_each_field(|name, value| {
        if let Value::Unsigned(number) = value
            && name.ends_with("_id")
            && let Some(place) = places.next()
        {
            *place = u32::try_from(number).unwrap_or(u32::MAX);
        }
    });
    // An interrupt may be called something else on another core; how a core counts is the core's own.
    let is_of_core = matches!(event, Event::IsrName { .. } | Event::MetadataDropped { .. });
    (if is_of_core { core } else { 0 }, event.wire_id(), numbers)
}

#[cfg(test)]
mod tests {
    use tband_format::Str;

    use super::*;

    #[test]
    fn the_last_name_of_each_thing_is_known_and_the_core() {
        let mut known = Known::default();
        assert!(known.frames().is_empty());
        let task = |task_id, name| Event::TaskName { task_id, name: Str(name) };
        let isr = |name| Event::IsrName { isr_id: 3, name: Str(name) };
        for event in [task(1, b"old"), task(2, b"b"), task(1, b"a")] {
            known.learn(&event);
        }
        known.learn(&Event::TaskSwitchedIn { task_id: 1 });
        assert_eq!(known.frames(), [frame(&task(1, b"a")), frame(&task(2, b"b"))]);
        known.learn(&isr(b"of 0"));
        known.learn(&Event::CoreId { core_id: 1 });
        known.learn(&isr(b"of 1"));
        let core = |core_id| Event::CoreId { core_id };
        let all =
            [core(0), isr(b"of 0"), task(1, b"a"), task(2, b"b"), core(1), isr(b"of 1"), core(1)];
        assert_eq!(known.frames(), all.map(|event| frame(&event)));
    }
}
