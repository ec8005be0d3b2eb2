//! Metadata of the discarded part, so that a recording which begins later still has names and times.

use std::collections::BTreeMap;

use tband_format::Event;
use tband_format::field::Value;

use crate::target::{frame, frame_at};

/// Maximum number of kept facts.
const MANY: usize = 1 << 16;

/// The core, if it is the core's own; the event's id; the numbers of its object.
type FactKey = (u32, u8, [u32; 2]);

/// The last report of each fact.
#[derive(Debug, Default)]
pub struct KnownState {
    facts: BTreeMap<FactKey, Vec<u8>>,
    /// The core that is reported, once one is.
    core: Option<u32>,
    /// The timer's frequency, once one is reported, as a fraction: metadata has it rounded only.
    frequency: Option<(u64, u64)>,
}

/// State with which a recording continues after the known metadata.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Continuation {
    /// The time of its first event, in ticks.
    pub ticks: u64,
    /// The core of that, if it is another one than was reported last.
    pub core: Option<u32>,
}

impl KnownState {
    /// Whether such an event reports a fact.
    pub fn is_of_interest(event: &Event<'_>) -> bool {
        event.is_metadata() || matches!(event, Event::CoreId { .. } | Event::TsFrequency { .. })
    }

    /// Learns a discarded event.
    pub fn learn(&mut self, event: &Event<'_>) {
        match event {
            Event::CoreId { core_id } => self.core = Some(*core_id),
            Event::TsFrequency { numerator, denominator } => {
                self.frequency = Some((*numerator, *denominator));
            }
            event if event.is_metadata() => {
                let about = about(self.core.unwrap_or_default(), event);
                if self.facts.len() < MANY || self.facts.contains_key(&about) {
                    self.facts.insert(about, frame(event));
                }
            }
            _ => {}
        }
    }

    /// Returns all facts, as frames; then the core of the next events. The frequency has a time, which must not be before that
    /// of the first event of its core.
    pub fn frames(&self, begin: Continuation) -> Vec<Vec<u8>> {
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
        let mut last = None;
        if let Some((numerator, denominator)) = self.frequency {
            last = begin.core.or(self.core);
            frames.extend(last.map(core));
            frames.push(frame_at(begin.ticks, &Event::TsFrequency { numerator, denominator }));
        }
        frames.extend(self.core.filter(|core| last != Some(*core)).map(core));
        frames
    }
}

fn about(core: u32, event: &Event<'_>) -> FactKey {
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
    // An interrupt may have another name on another core; each core counts its lost metadata separately.
    let is_of_core = matches!(event, Event::IsrName { .. } | Event::MetadataDropped { .. });
    (if is_of_core { core } else { 0 }, event.wire_id(), numbers)
}

#[cfg(test)]
mod tests {
    use tband_format::Str;

    use super::*;

    #[test]
    fn the_last_name_of_each_thing_is_known_and_the_core() {
        let mut known = KnownState::default();
        assert!(known.frames(Continuation::default()).is_empty());
        let task = |task_id, name| Event::TaskName { task_id, name: Str(name) };
        let isr = |name| Event::IsrName { isr_id: 3, name: Str(name) };
        for event in [task(1, b"old"), task(2, b"b"), task(1, b"a")] {
            known.learn(&event);
        }
        known.learn(&Event::TaskSwitchedIn { task_id: 1 });
        let frames = [frame(&task(1, b"a")), frame(&task(2, b"b"))];
        assert_eq!(known.frames(Continuation::default()), frames);
        known.learn(&isr(b"of 0"));
        known.learn(&Event::CoreId { core_id: 1 });
        known.learn(&isr(b"of 1"));
        let core = |core_id| Event::CoreId { core_id };
        let all =
            [core(0), isr(b"of 0"), task(1, b"a"), task(2, b"b"), core(1), isr(b"of 1"), core(1)];
        assert_eq!(known.frames(Continuation::default()), all.map(|event| frame(&event)));
    }

    /// The last one counts, at the time of the next event.
    #[test]
    fn the_frequency_is_known_and_has_the_time_of_the_first_event() {
        let frequency = |numerator| Event::TsFrequency { numerator, denominator: 3 };
        let core = |core_id| frame(&Event::CoreId { core_id });
        let mut known = KnownState::default();
        known.learn(&frequency(7));
        known.learn(&frequency(8));
        let begin = Continuation { ticks: 5000, core: None };
        let at_begin = frame_at(5000, &frequency(8));
        assert_eq!(known.frames(begin).concat(), at_begin);
        known.learn(&Event::CoreId { core_id: 1 });
        assert_eq!(known.frames(begin), [core(1), at_begin.clone()]);
        let begin = Continuation { core: Some(0), ..begin };
        assert_eq!(known.frames(begin), [core(0), at_begin, core(1)]);
    }
}
