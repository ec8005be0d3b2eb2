//! Events that only the recordings describe, as the trace describes them: of each id the first schema of all inputs. A
//! trace has one for each id, so events of another one have no place in it.

use std::collections::BTreeMap;

use tband_format::described_event::DescribedEvent;
use tband_format::schema::Schema;

use crate::item::schemas::Schemas;

/// Schemas by id.
#[derive(Debug, Default)]
pub(super) struct DeclaredSchemas<'s> {
    by_id: BTreeMap<u8, Schema<'s>>,
}

impl<'s> DeclaredSchemas<'s> {
    /// Of inputs that have these.
    pub fn of(inputs: &'s [Schemas]) -> Self {
        let mut by_id = BTreeMap::new();
        for (id, schema) in inputs.iter().flat_map(Schemas::first) {
            by_id.entry(id).or_insert(schema);
        }
        Self { by_id }
    }

    /// Ids and schemas.
    pub fn iter(&self) -> impl Iterator<Item = (u8, Schema<'s>)> {
        self.by_id.iter().map(|(id, schema)| (*id, *schema))
    }

    /// All events of an input with these schemas have their place.
    pub fn has_all(&self, schemas: &Schemas) -> bool {
        !schemas.has_changed()
            && schemas.first().all(|(id, schema)| self.by_id.get(&id) == Some(&schema))
    }

    /// This event has.
    pub fn has(&self, event: &DescribedEvent<'_>) -> bool {
        self.by_id.get(&event.id()) == Some(&event.schema())
    }
}
