//! Events that this version does not know, and the recording describes.

use super::Found;
use crate::diagnostics::Problem;
use crate::machine::Timeline;

/// Names that are said.
const SAID: usize = 8;

/// Reports how many there are, and how they are called.
pub fn judge(timeline: &Timeline, found: &mut Found) {
    let events = timeline.newer_events();
    let all = events.all();
    if all == 0 {
        return;
    }
    let names: Vec<&str> = events.by_name().map(|(name, _)| name).collect();
    let said = names.get(..SAID.min(names.len())).unwrap_or_default().join(", ");
    let more = match names.len().saturating_sub(SAID) {
        0 => String::new(),
        more => format!(" and {more} more names"),
    };
    let (events, are) = if all == 1 { ("event is", "it is") } else { ("events are", "they are") };
    let text = format!(
        "{all} {events} of kinds that this version does not know ({said}{more}); the recording says how {are} written"
    );
    found.push((Problem::NewerEvents, all, text));
}
