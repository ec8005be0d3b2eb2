//! The messages about a dump: whether the recording is complete, as all commands judge that, and whether the filter's objects
//! exist.

use std::io;

use tband_conv::dump::{DumpOptions, DumpSummary, ObjectSelector};
use tband_conv::model::{Change, EventTime, Sink, World};
use tband_conv::sinks::FinalState;
use tband_conv::{ConvError, Input, Options, Summary, convert};

use crate::messages::{self, Message};

/// Maximum number of names that are listed if the requested one does not exist.
const MAX_LISTED: usize = 20;
/// Minimum similarity of two names, from 0 to 1, to suggest one for the other.
const ALIKE: f64 = 0.6;

/// The objects of a recording that a dump may select: a sink for the conversion that judges the recording.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    tasks: Vec<(u32, Option<String>)>,
    queues: Vec<(u32, Option<String>)>,
    markers: Vec<String>,
}

impl Objects {
    /// Takes the facts known at the end.
    fn of(world: &World) -> Self {
        Self {
            tasks: world.tasks.iter().map(|(_, it)| (it.id, it.name.clone())).collect(),
            queues: world.queues.iter().map(|(_, it)| (it.id, it.name.clone())).collect(),
            markers: world.markers.iter().filter_map(|(_, it)| it.name.clone()).collect(),
        }
    }

    /// Returns the message that no event marker has this name or text.
    #[must_use]
    pub fn no_marker(&self, wanted: &str) -> String {
        let mut text = format!("--around: no event marker has the name or text {wanted:?}");
        if let Some(name) = closest(wanted, self.markers.iter().map(String::as_str)) {
            text.push_str(&format!("; {name:?} is similar"));
        }
        text.push_str(&list("event marker", self.markers.clone(), "stats"));
        text
    }
}

impl Sink for Objects {
    fn change(&mut self, _: &World, _: EventTime, _: &Change<'_>) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self, world: &World, _: i64) -> io::Result<()> {
        *self = Self::of(world);
        Ok(())
    }
}

/// The result for the recording as a whole, with its objects.
pub type DumpFacts = (Summary, Objects);

/// Judges a recording that is dumped. It is read twice, up to the end of the dump's window.
///
/// # Errors
/// As for [`convert()`].
pub fn judge(inputs: &[Input<'_>], options: &Options) -> Result<DumpFacts, ConvError> {
    let mut objects = Objects::default();
    let mut sink = FinalState::new(|world| objects = Objects::of(world));
    let summary = convert(inputs, options, &mut sink)?;
    Ok((summary, objects))
}

/// Whether the dump ended before the recording did. Then only the part that was read is judged, not the recording.
#[must_use]
pub fn has_ended_early(filter: &DumpOptions, dumped: &DumpSummary) -> bool {
    filter.limit.is_some_and(|limit| dumped.shown >= limit)
}

/// Returns the messages about a dump, and whether nothing is lost or damaged. Without `whole` this covers the part that was
/// read.
///
/// # Errors
/// The filter names an object that does not exist; the text is for the user.
pub fn reported(
    inputs: &[Input<'_>],
    filter: &DumpOptions,
    dumped: &DumpSummary,
    whole: Option<&DumpFacts>,
) -> Result<(Vec<Message>, bool), String> {
    let wants_any = filter.limit != Some(0);
    let Some((summary, objects)) = whole else {
        let is_clean = dumped.defects == 0 && dumped.lost == 0;
        return Ok((messages::dump(inputs, dumped, wants_any), is_clean));
    };
    let mut found = Vec::new();
    if dumped.shown == 0 {
        let wanted =
            [("task", &filter.task, &objects.tasks), ("queue", &filter.queue, &objects.queues)];
        for (kind, wanted, known) in wanted {
            if let Some(wanted) = wanted {
                check_exists(kind, wanted, known)?;
            }
        }
        found.extend(messages::no_match_message(inputs, dumped).filter(|_| wants_any));
    }
    found.extend(messages::findings(summary));
    Ok((found, summary.diagnostics.is_clean()))
}

/// # Errors
/// The object does not exist: the text suggests a similar one, and lists those that exist.
fn check_exists(
    kind: &str,
    wanted: &ObjectSelector,
    known: &[(u32, Option<String>)],
) -> Result<(), String> {
    let is_it = |(id, name): &(u32, Option<String>)| match wanted {
        ObjectSelector::Id(wanted) => wanted == id,
        ObjectSelector::Name(wanted) => name.as_ref() == Some(wanted),
    };
    if known.iter().any(is_it) {
        return Ok(());
    }
    let mut text = match wanted {
        ObjectSelector::Id(id) => format!("--{kind}: there is no {kind} {id}"),
        ObjectSelector::Name(name) => format!("--{kind}: there is no {kind} of the name {name:?}"),
    };
    if let ObjectSelector::Name(wanted) = wanted
        && let Some(name) = closest(wanted, known.iter().filter_map(|it| it.1.as_deref()))
    {
        text.push_str(&format!("; {name:?} is similar"));
    }
    let name = |(id, name): &(u32, Option<String>)| match name {
        Some(name) => format!("{name} ({id})"),
        None => id.to_string(),
    };
    text.push_str(&list(kind, known.iter().map(name).collect(), "stats --all"));
    Err(text)
}

/// Which objects of a kind there are, and the command that has all of them.
fn list(kind: &str, mut names: Vec<String>, command: &str) -> String {
    names.sort();
    names.dedup();
    let more = names.len().saturating_sub(MAX_LISTED);
    names.truncate(MAX_LISTED);
    let listed = names.join(", ");
    match (names.is_empty(), more) {
        (true, _) => format!("; the recording has no {kind}"),
        (false, 0) => format!("; there are {listed}"),
        (false, more) => {
            format!("; there are {listed} and {more} more, which 'tband-cli {command}' lists")
        }
    }
}

/// The name that is most like another, if one is.
#[must_use]
pub fn closest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let wanted = wanted.to_lowercase();
    let alike = names.map(|name| (strsim::jaro(&wanted, &name.to_lowercase()), name));
    let best = alike.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(one.1)));
    best.filter(|(alike, _)| *alike > ALIKE).map(|(_, name)| name)
}
