//! Names of objects as they stand behind their numbers, in brackets.
//!
//! A name is looked up and rendered once, and then copied, until metadata may have changed it.

use tband_format::api_function;

use super::labels::{Label, Meaning};
use crate::events::MAX_CORES;
use crate::timeline::World;

/// Bytes of names that are kept; what is longer is rendered each time.
const SHORT: usize = 32;
/// Numbers below this have a place.
const PLACES: usize = 4096;

/// The names that were needed so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// By meaning and place; an empty text where there is no name.
    kept: [Vec<Option<Label<SHORT>>>; Meaning::COUNT],
}

impl Names {
    /// Names may be others from now on.
    pub fn forget(&mut self) {
        self.kept.iter_mut().for_each(Vec::clear);
    }

    /// Appends the name behind a number, if it has one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn write(
        &mut self,
        buf: &mut Vec<u8>,
        world: &World,
        (meaning, id): (Meaning, u64),
        core: u32,
    ) {
        if meaning == Meaning::Nothing {
            return;
        }
        // Interrupts have a name on each core.
        let place = match meaning {
            Meaning::Isr => id.wrapping_mul(MAX_CORES.into()).wrapping_add(core.into()),
            _ => id,
        };
        match self.kept[meaning as usize].get(place as usize) {
            Some(Some(label)) => label.write(buf),
            _ => self.look_up(buf, world, (meaning, id), core),
        }
    }

    #[inline(never)]
    fn look_up(
        &mut self,
        buf: &mut Vec<u8>,
        world: &World,
        (meaning, id): (Meaning, u64),
        core: u32,
    ) {
        let Ok(id) = u32::try_from(id) else { return };
        let name = named(world, core, meaning, id);
        let text = name.map_or_else(String::new, |name| format!("({name})"));
        buf.extend_from_slice(text.as_bytes());
        let mut place = id as usize;
        if meaning == Meaning::Isr {
            if core >= MAX_CORES {
                return;
            }
            place = place.saturating_mul(MAX_CORES as usize).saturating_add(core as usize);
        }
        if place < PLACES && text.len() <= SHORT {
            let kept = &mut self.kept[meaning as usize];
            if kept.len() <= place {
                kept.resize(place + 1, None);
            }
            kept[place] = Some(Label::new(&text));
        }
    }
}

/// The name of what a field speaks of.
fn named(world: &World, core: u32, meaning: Meaning, id: u32) -> Option<&str> {
    match meaning {
        Meaning::Nothing => None,
        Meaning::Task => world.name_of_task(id),
        Meaning::Queue => world.name_of_queue(id),
        Meaning::StreamBuffer => world.name_of_stream_buffer(id),
        Meaning::EventGroup => world.name_of_event_group(id),
        Meaning::Timer => world.name_of_timer(id),
        Meaning::Isr => world.name_of_isr(id, core),
        Meaning::Function => api_function(id),
        Meaning::Marker => world.name_of_marker(id),
        Meaning::Value => world.name_of_value(id),
    }
}
