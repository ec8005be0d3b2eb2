//! The firmware's crash, as a mark in the group *Errors*, with its recorded values.

use super::events::{Arg, EventType};
use super::packets::Name;
use super::trace::Trace;
use crate::model::Crash;

/// Maximum number of shown crashes; no working firmware has more.
const MANY: u64 = 1000;

impl Trace {
    #[cold]
    pub(super) fn crash(&mut self, crash: &Crash) {
        if self.errors.crashes >= MANY {
            return;
        }
        self.errors.crashes += 1;
        let about = "Where the firmware has crashed, with the recorded registers. The events after it are the \
                     firmware's reaction to the crash.";
        let track = self.errors_track(|errors| &mut errors.crash, "crash", 0, about);
        let name = crash.to_string();
        let what = |(what, value): &(tband_format::FaultFact, u32)| {
            let name = what.name().map_or_else(|| format!("value {}", what.0), str::to_owned);
            (name, *value)
        };
        let values: Vec<_> = crash.values.iter().map(what).collect();
        let callers: Vec<_> = (1..).zip(crash.places.iter().skip(1)).collect();
        let callers: Vec<_> =
            callers.iter().map(|(depth, it)| (format!("caller {depth}"), it.as_str())).collect();
        let places = crash.places.first().map(|it| ("function", Arg::Text(it)));
        let callers = callers.iter().map(|(name, it)| (name.as_str(), Arg::Text(it)));
        let values = values.iter().map(|(name, value)| (name.as_str(), Arg::Address(*value)));
        let unknown = crash.unknown.as_deref().map(|it| ("not known", Arg::Text(it)));
        let args: Vec<_> = places.into_iter().chain(callers).chain(unknown).chain(values).collect();
        let name = Some(Name::Inline(name.as_bytes()));
        self.packets.event_with(crash.ns, EventType::Instant, track, name, &args, None);
    }
}
