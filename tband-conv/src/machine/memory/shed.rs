//! Events that the target sheds when packets run out, by class.

use crate::model::ShedClass;

/// Classes, by their bits; each as far as something is known of it.
#[derive(Debug, Default)]
pub struct ShedClasses([Option<ShedClass>; 32]);

impl ShedClasses {
    fn class(&mut self, class: u32) -> Option<&mut ShedClass> {
        let place = self.0.get_mut(class as usize)?;
        Some(place.get_or_insert(ShedClass::new(class)))
    }

    /// Adds this many shed events of a class; returns the count so far. `None`: there is no such class.
    pub fn count(&mut self, class: u32, events: u32) -> Option<u64> {
        let class = self.class(class)?;
        class.events = class.events.saturating_add(events.into());
        Some(class.events)
    }

    /// A class is shed from now on, or is not any more.
    pub fn note(&mut self, class: u32, ns: i64, begins: bool) {
        let Some(class) = self.class(class) else { return };
        if let Some(since) = class.since_ns.take() {
            class.ns = class.ns.saturating_add(ns.saturating_sub(since).max(0));
        }
        if begins {
            class.times = class.times.saturating_add(1);
            class.since_ns = Some(ns);
        }
    }

    /// Returns the classes shed up to now.
    pub fn classes(&self, now_ns: i64) -> Vec<ShedClass> {
        let mut classes: Vec<_> = self.0.iter().flatten().cloned().collect();
        for class in &mut classes {
            if let Some(since) = class.since_ns {
                class.ns = class.ns.saturating_add(now_ns.saturating_sub(since).max(0));
            }
        }
        classes
    }
}
