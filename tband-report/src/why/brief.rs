//! The splits of given activations, in a few lines each.

use std::io;

use tband_conv::activations::{Activation, ActivationSink, Activations};
use tband_conv::model::{Flows, World};
use tband_conv::{ConvError, Input, Options, convert};

use super::SubjectKind;
use super::advice::advice;
use super::collect::NamedActivation;
use super::text::{lines, share};
use crate::time_unit::TimeUnit;

/// An activation whose split is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivationQuery {
    /// The kind of its subject.
    pub kind: SubjectKind,
    /// The name of its subject.
    pub name: String,
    /// The time at which it was released, in ns.
    pub released_ns: i64,
}

/// The split of an activation in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivationSplit {
    /// The largest part of the time, with its share.
    pub most: String,
    /// All rows, longest first.
    pub rows: Vec<String>,
    /// The advice.
    pub advice: Option<String>,
}

/// Finds the splits of activations; none for one that does not exist. Reads each input two times.
///
/// # Errors
/// As [`convert()`].
pub fn splits(
    inputs: &[Input<'_>],
    options: &Options,
    wanted: &[ActivationQuery],
) -> Result<Vec<Option<ActivationSplit>>, ConvError> {
    let mut options = options.clone();
    // The release of an item is in its flow.
    options.flows = Flows::All;
    let mut sink = Activations::new(Finder { wanted, found: vec![None; wanted.len()] });
    convert(inputs, &options, &mut sink)?;
    Ok(sink.into_inner().found)
}

/// Receives all activations, and keeps the requested ones.
#[derive(Debug)]
struct Finder<'w> {
    wanted: &'w [ActivationQuery],
    found: Vec<Option<ActivationSplit>>,
}

impl ActivationSink for Finder<'_> {
    fn activation(&mut self, world: &World, it: &Activation) -> io::Result<()> {
        for (wanted, found) in self.wanted.iter().zip(&mut self.found) {
            let is_it = wanted.released_ns == it.released_ns
                && wanted.kind == SubjectKind::of(it.subject)
                && found.is_none()
                && wanted.name == it.subject.name(world);
            if is_it {
                *found = Some(split(&NamedActivation::of(world, it, it.min_response_ns())));
            }
        }
        Ok(())
    }
}

fn split(found: &NamedActivation) -> ActivationSplit {
    let most = found.rows.iter().filter(|row| !row.is_detail).max_by_key(|row| row.ns);
    let most = most.map(|row| format!("{:.0} % {}", share(row, found.response_ns()), row.text));
    ActivationSplit {
        most: most.unwrap_or_default(),
        rows: lines(found, TimeUnit::Ns),
        advice: advice(found),
    }
}
