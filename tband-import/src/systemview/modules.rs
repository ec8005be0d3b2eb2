//! Events of modules: what their ids mean.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// Modules that are kept, and bytes of each description.
const MAX_EVENTS: usize = 4096;

/// The events of all modules.
#[derive(Debug, Default)]
pub struct Modules(HashMap<u32, Event, FixedState>);

/// An event of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Module and event.
    pub name: String,
    /// How its numbers are shown.
    pub format: String,
}

impl Modules {
    /// Learns a description: `M=Name,0 First a=%u,1 Second`, whose events begin with this id.
    pub fn learn(&mut self, first: u32, text: &[u8]) {
        let text = String::from_utf8_lossy(text);
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default().trim();
        let module = name.strip_prefix("M=").unwrap_or(name).to_owned();
        for part in parts {
            let part = part.trim_start();
            let (number, rest) = part.split_once(' ').unwrap_or((part, ""));
            let Ok(number) = number.parse::<u32>() else { continue };
            let (event, format) = rest.split_once(' ').unwrap_or((rest, ""));
            if self.0.len() < MAX_EVENTS {
                let event =
                    Event { name: format!("{module}: {event}"), format: format.trim().to_owned() };
                self.0.insert(first.saturating_add(number), event);
            }
        }
    }

    /// The event of an id.
    pub fn get(&self, id: u32) -> Option<&Event> {
        self.0.get(&id)
    }
}
