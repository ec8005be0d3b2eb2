//! Events that only the recording describes, by name.

use std::collections::BTreeMap;

use tband_format::described_event::DescribedEvent;

/// Maximum number of kept names. The number of ids is limited, and one firmware may use each name in a recording.
const MAX_NAMES: usize = 256;

/// Counts by name, as far as names are kept.
#[derive(Debug, Default)]
pub struct NewerEvents {
    by_name: BTreeMap<Box<str>, u64>,
    all: u64,
}

impl NewerEvents {
    #[cold]
    pub fn count(&mut self, event: &DescribedEvent<'_>) {
        self.all = self.all.saturating_add(1);
        let schema = event.schema();
        if let Some(count) = self.by_name.get_mut(schema.name()) {
            *count = count.saturating_add(1);
        } else if self.by_name.len() < MAX_NAMES {
            self.by_name.insert(schema.name().into(), 1);
        }
    }

    /// Returns the count of all names.
    pub const fn all(&self) -> u64 {
        self.all
    }

    /// Names, and how many there are of each.
    pub fn by_name(&self) -> impl Iterator<Item = (&str, u64)> {
        self.by_name.iter().map(|(name, count)| (&**name, *count))
    }
}
