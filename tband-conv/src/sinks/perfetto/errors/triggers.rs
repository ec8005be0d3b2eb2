//! Triggers of the firmware, as marks in a row *triggers*.

use super::super::events::{Arg, EventType};
use super::super::packets::Name;
use super::super::trace::Trace;
use super::super::tracks::{Parent, Track, TrackContent};
use crate::model::Trigger;

/// Triggers that are shown; more are of firmware that arms them all the time.
const MANY: u64 = 10_000;

impl Trace {
    #[cold]
    pub(in super::super) fn trigger(&mut self, trigger: &Trigger) {
        if self.errors.triggers >= MANY {
            return;
        }
        self.errors.triggers += 1;
        if self.errors.trigger == 0 {
            let about = "Where a trigger of the firmware has fired, right after the event that it waited for, and where \
                         the events to record after it end.";
            let track = Track {
                about,
                ..Track::new(Parent::Root, "triggers".to_owned(), TrackContent::Slices)
            };
            self.errors.trigger = self.tracks.make(&mut self.packets, track);
        }
        let name = trigger.to_string();
        let mut args = Vec::new();
        if let Some(at) = &trigger.at {
            args.push(("event", Arg::Text(&at.event)));
            args.push(("number in the firmware", Arg::Number(at.trigger.into())));
        }
        let name = Some(Name::Inline(name.as_bytes()));
        let track = self.errors.trigger;
        self.packets.event_with(trigger.ns, EventType::Instant, track, name, &args, None);
    }
}
