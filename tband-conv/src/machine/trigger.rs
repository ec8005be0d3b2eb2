//! Triggers of the firmware that have fired.

use std::io;

use tband_format::classes::objects::OBJECT_KINDS;
use tband_format::registry::by_id;
use tband_format::trigger::{TriggerState, condition};

use super::{AnyContext, Timeline};
use crate::model::{Change, FiringEvent, Omission, Trigger, World};

/// Maximum number of kept triggers: firmware with more arms them all the time.
const MANY: usize = 256;

impl World {
    /// Decodes the field `is` of an event `trigger`, with the current names of objects.
    pub(crate) fn fired_at(&self, is: i64) -> FiringEvent {
        let TriggerState { trigger, condition: number, event: id, of } = TriggerState::read(is);
        let def = by_id(id);
        let field = def.and_then(|def| def.fields.first()).map_or("", |field| field.name);
        let kind = (0_u32..).zip(OBJECT_KINDS).find(|(_, kind)| kind.field == field);
        let condition = condition(number)
            .map_or_else(|| format!("condition {number}"), |it| it.name.to_owned());
        FiringEvent {
            trigger,
            condition,
            event: def.map_or_else(|| format!("event {id}"), |def| def.name.to_owned()),
            object: kind.map(|(kind, _)| self.omission_name(Omission::Object(kind, of))),
        }
    }
}

impl Timeline {
    #[cold]
    pub(super) fn trigger(
        &mut self,
        context: &mut AnyContext<'_, '_>,
        n: u32,
        is: Option<i64>,
    ) -> io::Result<()> {
        let at = context.at;
        let fired = is.map(|is| self.world.fired_at(is));
        let trigger = Trigger { ns: at.ns, core: at.core, n, at: fired };
        context.sink.change(&self.world, at, &Change::Trigger(&trigger))?;
        if self.triggers.len() < MANY {
            self.triggers.push(trigger);
        }
        Ok(())
    }
}
