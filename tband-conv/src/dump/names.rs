//! Fields that are numbers of objects, with names after the numbers in brackets.
//!
//! Such a field is rendered once, and then copied, until metadata may have changed the name.

use crate::model::World;
use tband_format::api::api_function;

use super::digits::decimal;
use super::labels::{Label, NumberedObject, OF_FIELD};
use crate::cores::MAX_CORES;

/// Maximum bytes of a cached field; longer ones are rendered each time.
const SHORT: usize = 48;
/// Numbers below this have a place.
const PLACES: usize = 4096;

/// The fields that were needed so far.
#[derive(Clone, Debug)]
pub(super) struct Names {
    world: World,
    /// By meaning and place; empty until it is needed.
    kept: [Vec<Label<SHORT>>; NumberedObject::COUNT],
}

impl Names {
    /// Creates the names with the state known already.
    pub fn new(world: World) -> Self {
        Self { world, kept: Default::default() }
    }

    /// Returns the state known so far.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Names may be others from now on.
    pub fn change(&mut self) -> &mut World {
        self.kept.iter_mut().for_each(Vec::clear);
        &mut self.world
    }

    /// Appends a field with an object's number, and its name if it has one. Each meaning has its own label.
    #[inline]
    pub fn write(
        &mut self,
        buf: &mut Vec<u8>,
        (field, meaning, id): (&Label<OF_FIELD>, NumberedObject, u64),
        core: u32,
    ) {
        // Interrupts have a name on each core.
        let place = match meaning {
            NumberedObject::Isr => id.wrapping_mul(MAX_CORES.into()).wrapping_add(core.into()),
            _ => id,
        };
        match self.kept[meaning as usize].get(place as usize) {
            Some(label) if label.len > 0 => label.write(buf),
            _ => self.look_up(buf, (field, meaning, id), core),
        }
    }

    #[inline(never)]
    fn look_up(
        &mut self,
        buf: &mut Vec<u8>,
        (field, meaning, id): (&Label<OF_FIELD>, NumberedObject, u64),
        core: u32,
    ) {
        let begin = buf.len();
        field.write(buf);
        decimal(buf, id);
        let Ok(id) = u32::try_from(id) else { return };
        if let Some(name) = named(&self.world, core, meaning, id) {
            buf.push(b'(');
            buf.extend_from_slice(name.as_bytes());
            buf.push(b')');
        }
        let text = buf.get(begin..).unwrap_or_default();
        let mut place = id as usize;
        if meaning == NumberedObject::Isr {
            if core >= MAX_CORES {
                return;
            }
            place = place.saturating_mul(MAX_CORES as usize).saturating_add(core as usize);
        }
        if place < PLACES && text.len() <= SHORT {
            let kept = &mut self.kept[meaning as usize];
            if kept.len() <= place {
                kept.resize(place + 1, Label::new(b""));
            }
            kept[place] = Label::new(text);
        }
    }
}

/// Returns the name of the object in a field.
fn named(world: &World, core: u32, meaning: NumberedObject, id: u32) -> Option<&str> {
    match meaning {
        NumberedObject::Nothing => None,
        NumberedObject::Task => world.name_of_task(id),
        NumberedObject::Queue => world.name_of_queue(id),
        NumberedObject::StreamBuffer => world.name_of_stream_buffer(id),
        NumberedObject::EventGroup => world.name_of_event_group(id),
        NumberedObject::Timer => world.name_of_timer(id),
        NumberedObject::Isr => world.name_of_isr(id, core),
        NumberedObject::Function => api_function(id),
        NumberedObject::Marker => world.name_of_marker(id),
        NumberedObject::Value => world.name_of_value(id),
    }
}
