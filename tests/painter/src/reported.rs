//! The activations that the converter finds in a recording, in the form in which the painted ones are compared.

use std::collections::BTreeMap;
use std::io;

use tband_conv::activations::{
    Activation, ActivationSink, Activations, LockHold, PathSegment, Subject,
};
use tband_conv::model::{Flows, World};
use tband_conv::{ConvError, Input, Options, convert};
use tband_recordings::Recording;

/// Ticks of the timestamps are 1 us.
const TICK_NS: i64 = 1000;

/// An activation and its parts. Times are in ns.
#[derive(Clone, Debug)]
pub struct ReportedActivation {
    /// As reported.
    pub activation: Activation,
    /// The release, in words.
    pub release: &'static str,
    /// Who made the task ready, by name.
    pub by: Option<String>,
    /// Begin, end and label.
    pub parts: Vec<(i64, i64, String)>,
    /// The label of each path of the split, with its length.
    pub split: Vec<(String, i64)>,
}

impl ReportedActivation {
    /// One label for each instant; `None` if a part begins or ends between two instants, further than `tolerance` from the first.
    #[must_use]
    pub fn labels(&self, tolerance: i64) -> Option<Vec<&str>> {
        let mut labels = Vec::new();
        for (begin, end, label) in &self.parts {
            if begin % TICK_NS > tolerance || end % TICK_NS > tolerance {
                return None;
            }
            labels.extend((begin / TICK_NS..end / TICK_NS).map(|_| label.as_str()));
        }
        Some(labels)
    }
}

/// Everything that is found.
#[derive(Debug, Default)]
pub struct ReportedActivations {
    /// Activations by the name of the task or interrupt.
    pub activations: BTreeMap<String, Vec<ReportedActivation>>,
    /// Holds of locks: name, begin, end, holder, waiters, whether the end was seen.
    pub holds: Vec<(LockHold, String, String)>,
    parts: BTreeMap<String, Vec<(i64, i64, String)>>,
}

fn key(world: &World, subject: Subject, number: u64) -> String {
    format!("{} {number}", subject.name(world))
}

impl ActivationSink for &mut ReportedActivations {
    fn activation(&mut self, world: &World, it: &Activation) -> io::Result<()> {
        let parts = self.parts.remove(&key(world, it.subject, it.number)).unwrap_or_default();
        let by = world.waker_name(it.woken_by, it.core);
        let split = it.split.iter().map(|(path, ns)| (path.describe(world), *ns)).collect();
        let found = ReportedActivation {
            release: it.release.name(),
            by,
            parts,
            split,
            activation: it.clone(),
        };
        self.activations.entry(it.subject.name(world)).or_default().push(found);
        Ok(())
    }

    fn part(&mut self, world: &World, part: &PathSegment<'_>) -> io::Result<()> {
        let label = part.path.describe(world);
        let parts = self.parts.entry(key(world, part.subject, part.number)).or_default();
        parts.push((part.begin_ns, part.end_ns, label));
        Ok(())
    }

    fn hold(&mut self, world: &World, hold: &LockHold) -> io::Result<()> {
        let holder = hold.holder.map_or("?".to_owned(), |it| world.task_name(it).to_string());
        self.holds.push((*hold, world.queue_name(hold.lock).to_string(), holder));
        Ok(())
    }
}

/// Follows a recording.
///
/// # Errors
/// If the converter refuses it.
pub fn find(recording: &Recording) -> Result<ReportedActivations, ConvError> {
    let mut all = ReportedActivations::default();
    let mut options = Options::default();
    options.flows = Flows::All;
    let inputs = [Input::from_bytes("painted", &recording.0)];
    convert(&inputs, &options, &mut Activations::new(&mut all))?;
    Ok(all)
}
