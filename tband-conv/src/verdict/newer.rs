//! Events that this version does not know, and the recording describes.

use super::FaultList;
use crate::diagnostics::Problem;
use crate::machine::Timeline;

/// Maximum number of names in the message.
const MAX_LISTED: usize = 8;

/// Reports how many there are, and how they are called.
pub fn judge(timeline: &Timeline, found: &mut FaultList) {
    let events = timeline.newer_events();
    let all = events.all();
    if all == 0 {
        return;
    }
    let names: Vec<&str> = events.by_name().map(|(name, _)| name).collect();
    let listed = names.get(..MAX_LISTED.min(names.len())).unwrap_or_default().join(", ");
    let more = match names.len().saturating_sub(MAX_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more names"),
    };
    let events = if all == 1 { "event is" } else { "events are" };
    let text = format!(
        "{all} {events} of kinds that this version does not know ({listed}{more}); the recording has their layouts"
    );
    found.push((Problem::NewerEvents, all, text));
}
