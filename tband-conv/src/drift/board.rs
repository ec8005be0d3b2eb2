//! The board of an input, where several boards are read together: its cores follow those of the boards before it, and its
//! names have the board's name in front where another board has the same name.

use std::collections::BTreeSet;

use tband_format::decode::Decoded;
use tband_format::{Event, Str};

use crate::cores::MAX_CORES;
use crate::item::Item;
use crate::model::Boards;

/// The board of an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Board {
    /// Which one it is, from 0.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// The number that its core 0 has among the cores of all boards.
    pub first_core: u32,
    /// Names that several boards have, each with the id of the event that names the object.
    pub repeated: std::rc::Rc<BTreeSet<(u8, Vec<u8>)>>,
}

impl Board {
    /// The boards of inputs; none if they are of one board.
    pub fn all<'b>(of_inputs: impl Iterator<Item = Option<&'b Self>>) -> Boards {
        let (mut of_input, mut known) = (Vec::new(), Vec::new());
        for board in of_inputs {
            let Some(board) = board else { return Boards::default() };
            of_input.push(board.number);
            if board.number == known.len() {
                known.push((board.name.clone(), board.first_core));
            }
        }
        if known.len() > 1 { Boards::new(of_input, known) } else { Boards::default() }
    }

    /// An item with the numbers of cores, and the names, that it has among those of all boards. `text` has room for a name.
    pub fn item<'a>(&self, item: Item<'a>, text: &'a mut Vec<u8>) -> Item<'a> {
        let event = match item.event {
            Ok(Decoded { ts, event }) => Ok(Decoded { ts, event: self.event(event, text) }),
            Err(defect) => Err(defect),
        };
        Item { event, core: self.core(item.core), ..item }
    }

    /// Returns a core's number among those of all boards. Alignment has ensured that there is room for all of them.
    pub fn core(&self, core: u32) -> u32 {
        core.saturating_add(self.first_core).min(MAX_CORES - 1)
    }

    fn event<'a>(&self, event: Event<'a>, text: &'a mut Vec<u8>) -> Event<'a> {
        let event = match event {
            Event::CoreId { core_id } => Event::CoreId { core_id: self.core(core_id) },
            Event::TaskIsIdleTask { task_id, core_id } => {
                Event::TaskIsIdleTask { task_id, core_id: self.core(core_id) }
            }
            Event::MetadataDropped { core_id, cnt, size_needed } => {
                Event::MetadataDropped { core_id: self.core(core_id), cnt, size_needed }
            }
            Event::TaskCoreAffinitySet { task_id, core_mask } => {
                let core_mask = match core_mask {
                    u32::MAX => core_mask,
                    _ => core_mask.checked_shl(self.first_core).unwrap_or(0),
                };
                Event::TaskCoreAffinitySet { task_id, core_mask }
            }
            event => event,
        };
        let Some(name) = name_of(&event) else { return event };
        if !self.repeated.contains(&(event.id(), name.0.to_vec())) {
            return event;
        }
        text.clear();
        text.extend_from_slice(self.name.as_bytes());
        text.push(b'.');
        text.extend_from_slice(name.0);
        named(event, Str(text))
    }
}

/// Returns the name in an event that names an object.
pub(crate) const fn name_of<'a>(event: &Event<'a>) -> Option<Str<'a>> {
    match *event {
        Event::TaskName { name, .. }
        | Event::QueueName { name, .. }
        | Event::StreamBufferName { name, .. }
        | Event::EventGroupName { name, .. }
        | Event::TimerName { name, .. }
        | Event::IsrName { name, .. }
        | Event::EvtmarkerName { name, .. }
        | Event::ValmarkerName { name, .. } => Some(name),
        _ => None,
    }
}

/// The event with another name.
const fn named<'a>(event: Event<'a>, name: Str<'a>) -> Event<'a> {
    match event {
        Event::TaskName { task_id, .. } => Event::TaskName { task_id, name },
        Event::QueueName { queue_id, .. } => Event::QueueName { queue_id, name },
        Event::StreamBufferName { stream_buffer_id, .. } => {
            Event::StreamBufferName { stream_buffer_id, name }
        }
        Event::EventGroupName { event_group_id, .. } => {
            Event::EventGroupName { event_group_id, name }
        }
        Event::TimerName { timer_id, .. } => Event::TimerName { timer_id, name },
        Event::IsrName { isr_id, .. } => Event::IsrName { isr_id, name },
        Event::EvtmarkerName { evtmarker_id, .. } => Event::EvtmarkerName { evtmarker_id, name },
        Event::ValmarkerName { valmarker_id, .. } => Event::ValmarkerName { valmarker_id, name },
        event => event,
    }
}
