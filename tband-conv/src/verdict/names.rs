//! Names that seem to be cut off: by the kernel (`configMAX_TASK_NAME_LEN`) or the recorder (`tband_configMAX_STR_LEN`).
//! The recording does not report these limits.

use std::collections::BTreeMap;

use super::Found;
use crate::diagnostics::Problem;
use crate::model::World;

/// Bytes that names keep by default: none of more comes through.
const DEFAULT: usize = 20;
/// Bytes that the kernel's limit leaves where it is one that projects have, and the recorder's.
const LIMITS: [usize; 8] = [7, 9, 11, 15, 19, DEFAULT, 23, 31];

/// Reports the longest names, if they are as long as a limit lets through, and either that is the default, or several
/// objects have the same one.
pub fn judge(world: &World, found: &mut Found) {
    let mut names: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    macro_rules! count {
        ($($objects:ident $what:literal,)*) => {
            $(for (_, object) in world.$objects.iter() {
                if let Some(name) = object.name.as_deref() {
                    *names.entry((name, $what)).or_default() += 1;
                }
            })*
        };
    }
    count! {
        tasks "tasks", queues "queues", stream_buffers "stream buffers", event_groups "event groups",
        timers "timers", markers "markers", values "values",
    }
    let longest = names.keys().map(|(name, _)| name.len()).max().unwrap_or(0);
    let cut = || names.iter().filter(|((name, _), _)| name.len() == longest);
    let amount = cut().map(|(_, count)| *count).fold(0, u64::saturating_add);
    let Some((&(name, what), &count)) = cut().max_by_key(|(_, count)| **count) else { return };
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
