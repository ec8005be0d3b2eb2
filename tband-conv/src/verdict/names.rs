//! Names that seem to be cut off: by the kernel (`configMAX_TASK_NAME_LEN`) or the recorder (`tband_configMAX_STR_LEN`).
//! The recording does not report these limits.

use std::collections::BTreeMap;

use super::FaultList;
use crate::diagnostics::Problem;
use crate::model::{EventGroup, Marker, Queue, StreamBuffer, Task, Timer, World};

/// Default maximum length of names, in bytes.
const DEFAULT: usize = 20;
/// Name lengths in bytes that common values of the kernel's limit, and the recorder's limit, leave.
const LIMITS: [usize; 8] = [7, 9, 11, 15, 19, DEFAULT, 23, 31];

/// Reports the longest names, if they have the length of a limit, and either that is the default, or several objects have the
/// same one.
pub fn judge(world: &World, found: &mut FaultList) {
    // In each run of the target the same objects are named again.
    let mut names: BTreeMap<(&str, &str, u32), u64> = BTreeMap::new();
    macro_rules! count {
        ($($objects:ident $what:literal $run:expr,)*) => {
            $(for (_, object) in world.$objects.iter_current() {
                if let Some(name) = object.name.as_deref().map(|name| world.own_name(name)) {
                    *names.entry((name, $what, $run(object))).or_default() += 1;
                }
            })*
        };
    }
    count! {
        tasks "tasks" |it: &Task| it.life.run, queues "queues" |it: &Queue| it.life.run,
        stream_buffers "stream buffers" |it: &StreamBuffer| it.life.run,
        event_groups "event groups" |it: &EventGroup| it.life.run, timers "timers" |it: &Timer| it.life.run,
        markers "markers" |it: &Marker| it.run, values "values" |it: &Marker| it.run,
    }
    let longest = names.keys().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let cut = || names.iter().filter(|((name, ..), _)| name.len() == longest);
    let amount = cut().map(|(_, count)| *count).fold(0, u64::saturating_add);
    let Some((&(name, what, _), &count)) = cut().max_by_key(|(_, count)| **count) else { return };
    let text = match count {
        2.. if LIMITS.contains(&longest) => format!(
            "{count} {what} are called {name}, which has {longest} characters, and no name has more: it seems to be \
             cut off there"
        ),
        _ if longest == DEFAULT => format!(
            "{name} has {longest} characters, and no name has more: as many as are kept if nothing else is set"
        ),
        _ => return,
    };
    found.push((Problem::NameCut, amount, text));
}
