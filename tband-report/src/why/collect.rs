//! Collects the activations of one subject: their lengths, and the longest of them with their splits.

use std::collections::BTreeSet;
use std::io;

use tband_conv::activations::{Activation, ActivationSink, PartKind};
use tband_conv::model::World;

use super::split::{Row, rows};
use super::{Length, Question, SubjectKind};

/// Maximum number of kept lengths; beyond it every other one is dropped, and percentiles are estimates.
const MAX_LENGTHS: usize = 1 << 20;
/// Names that an error lists.
const MAX_NAMES: usize = 50;

/// Lengths of complete activations.
#[derive(Debug, Default)]
pub struct Lengths {
    kept: Vec<i64>,
    /// One length in this many is kept.
    step: u64,
    seen: u64,
    max: i64,
}

impl Lengths {
    fn add(&mut self, ns: i64) {
        self.max = self.max.max(ns);
        self.step = self.step.max(1);
        if self.seen.is_multiple_of(self.step) {
            self.kept.push(ns);
        }
        self.seen += 1;
        if self.kept.len() >= MAX_LENGTHS {
            let mut index = 0_usize;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.step = self.step.saturating_mul(2);
        }
    }

    /// The least length that at least this share of all do not exceed.
    pub fn percentile(&self, percent: usize) -> Option<i64> {
        let mut sorted = self.kept.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * percent).div_ceil(100).max(1) - 1;
        sorted.get(place).copied()
    }

    /// The greatest length.
    pub fn max(&self) -> Option<i64> {
        (self.seen > 0).then_some(self.max)
    }

    /// Percentiles are those of a sample.
    pub const fn is_sample(&self) -> bool {
        self.step > 1
    }
}

/// An activation with the names of its recording.
#[derive(Clone, Debug)]
pub struct NamedActivation {
    pub name: String,
    pub number: u64,
    pub release: &'static str,
    pub object: Option<String>,
    pub woken_by: Option<String>,
    pub priority: Option<u32>,
    pub released_ns: i64,
    pub ready_ns: i64,
    pub started_ns: Option<i64>,
    pub ended_ns: i64,
    pub inverted_ns: i64,
    pub resumes: u32,
    pub merged: u32,
    pub begin_seen: bool,
    pub end_seen: bool,
    pub length_ns: i64,
    pub rows: Vec<Row>,
    pub sums: [i64; PartKind::COUNT],
}

impl NamedActivation {
    pub fn of(world: &World, it: &Activation, length_ns: i64) -> Self {
        Self {
            name: it.subject.name(world),
            number: it.number,
            release: it.release.name(),
            object: it.release.object(world),
            woken_by: world.waker_name(it.woken_by, it.core),
            priority: it.priority,
            released_ns: it.released_ns,
            ready_ns: it.ready_ns,
            started_ns: it.started_ns,
            ended_ns: it.ended_ns,
            inverted_ns: it.inverted_ns,
            resumes: it.resumes,
            merged: it.merged,
            begin_seen: it.begin_seen,
            end_seen: it.end_seen,
            length_ns,
            rows: rows(world, it),
            sums: PartKind::ALL.map(|kind| it.sum(kind)),
        }
    }

    /// From its release to its end, in ns.
    pub const fn response_ns(&self) -> i64 {
        self.ended_ns.saturating_sub(self.released_ns)
    }

    /// Returns the names of the tasks that take part in it, its own first.
    pub fn tasks(&self) -> Vec<String> {
        let mut names = vec![self.name.clone()];
        for name in self.rows.iter().flat_map(|row| &row.tasks) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }
}

/// Receives all activations, and keeps the requested ones.
#[derive(Debug)]
pub struct Collector<'q> {
    question: &'q Question,
    pub count: (u64, u64),
    pub lengths: Lengths,
    pub worst: Vec<NamedActivation>,
    names: BTreeSet<String>,
}

impl<'q> Collector<'q> {
    pub fn new(question: &'q Question) -> Self {
        Self {
            question,
            count: (0, 0),
            lengths: Lengths::default(),
            worst: Vec::new(),
            names: BTreeSet::new(),
        }
    }

    /// Returns the message that there is no such subject, with the existing ones.
    pub fn no_such(&self) -> String {
        let Question { subject, kind, .. } = self.question;
        let kind = kind.name();
        let mut names: Vec<_> = self.names.iter().map(String::as_str).collect();
        if names.is_empty() {
            return format!("{kind} {subject} has no activations, and no other {kind} has");
        }
        let more = names.len().saturating_sub(MAX_NAMES);
        names.truncate(MAX_NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{kind} {subject} has no activations; these have: {}{more}", names.join(", "))
    }

    fn length(&self, it: &Activation) -> i64 {
        match self.question.by {
            Length::Response => it.min_response_ns(),
            // One that never got a core has waited for one until it ended.
            Length::Start => {
                let waited = it.busy_ns().min(it.min_response_ns());
                it.start_delay_ns().unwrap_or(waited)
            }
            Length::Locked => it.sum(PartKind::Locked),
            Length::Inverted => it.inverted_ns,
        }
    }
}

impl ActivationSink for Collector<'_> {
    fn activation(&mut self, world: &World, it: &Activation) -> io::Result<()> {
        let question = self.question;
        if SubjectKind::of(it.subject) != question.kind {
            return Ok(());
        }
        let name = it.subject.name(world);
        let is_it = name == question.subject
            || question.subject.parse::<u32>().is_ok_and(|id| id == it.subject.id(world));
        if !is_it {
            self.names.insert(name);
            return Ok(());
        }
        self.count.0 += 1;
        let length = self.length(it);
        if it.is_whole() {
            self.count.1 += 1;
            self.lengths.add(length);
        }
        if question.at.is_some_and(|at| at < it.released_ns || at >= it.ended_ns)
            || question.late.is_some_and(|late| length <= late)
        {
            return Ok(());
        }
        // Of two that are equally long the earlier one is shown first.
        let place = self.worst.partition_point(|found| found.length_ns >= length);
        if place < question.worst {
            self.worst.insert(place, NamedActivation::of(world, it, length));
            self.worst.truncate(question.worst);
        }
        Ok(())
    }
}
