//! Triggers of the firmware that have fired.

use std::io;

use tband_format::classes::objects::OBJECT_KINDS;
use tband_format::registry::by_id;
use tband_format::trigger::{Fired, condition};

use super::{AnyContext, Timeline};
use crate::model::{Change, FiredAt, LeftOut, Trigger, World};

/// Triggers that are kept: a recording with more is of firmware that arms them all the time.
const MANY: usize = 256;

impl World {
    /// What the field `is` of an event `trigger` says, by the names that things have now.
    pub(crate) fn fired_at(&self, is: i64) -> FiredAt {
        let Fired { trigger, condition: number, event: id, of } = Fired::read(is);
        let def = by_id(id);
        let field = def.and_then(|def| def.fields.first()).map_or("", |field| field.name);
        let kind = (0_u32..).zip(OBJECT_KINDS).find(|(_, kind)| kind.field == field);
        let condition = condition(number)
            .map_or_else(|| format!("condition {number}"), |it| it.name.to_owned());
        FiredAt {
            trigger,
            condition,
            event: def.map_or_else(|| format!("event {id}"), |def| def.name.to_owned()),
            object: kind.map(|(kind, _)| self.left_out_name(LeftOut::Object(kind, of))),
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
