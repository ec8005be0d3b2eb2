//! The activations of all tasks, interrupts and timers for the page: a histogram of each, and the longest with their splits.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use serde_json::json;
use tband_conv::activations::{Activation, ActivationSink, Activations, Subject};
use tband_conv::model::{Change, EventTime, Sink, Switch, World};

use super::collect::NamedActivation;
use super::histogram::Histogram;
use super::page::{activation_value, exact};
use crate::response::Cases;
use crate::stats::Table;

/// Number of longest activations of a subject that are kept, at first.
const LONGEST: usize = 12;
/// Number of activations of a subject with the most priority inversion that are also kept, at first.
const INVERTED: usize = 4;
/// Maximum size of all kept activations, in bytes. With more subjects fewer of each are kept.
const MAX_BYTES: usize = 1 << 20;

/// Follows all activations of a recording. It is complete once the conversion has ended.
#[derive(Debug)]
pub struct Overview {
    follow: Activations<ActivationCollector>,
}

impl Default for Overview {
    fn default() -> Self {
        Self { follow: Activations::new(ActivationCollector::new(MAX_BYTES)) }
    }
}

impl Overview {
    /// Response times computed from the worst cases of the recording.
    #[must_use]
    pub fn response_times(&self) -> Table {
        self.follow.inner().cases.table()
    }

    /// Writes a JSON array with an object for each subject, in the order of their first end: `kind`, `name`, `id`, `row` (the
    /// result of `place`), `count`, `whole`, `max_ns` of the complete ones, `median_bin`, `p99_bin`, `bins` (each
    /// `[bin, whole, cut]`), `steps` (bins of the times between releases, none of which is cut), `longest` and `inverted`.
    pub(crate) fn write(
        &self,
        place: impl Fn(Subject) -> Option<usize>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        out.write_all(b"[")?;
        let mut separator = "";
        for it in &self.follow.inner().all {
            let head = json!({
                "kind": it.subject.kind(),
                "name": it.name,
                "id": it.id,
                "row": place(it.subject),
                "count": it.count,
                "whole": it.whole,
                "max_ns": it.max.map(exact),
                "median_bin": it.histogram.percentile(50),
                "p99_bin": it.histogram.percentile(99),
                "bins": it.histogram.json(),
                "steps": it.steps.json(),
            });
            let head = head.to_string();
            write!(out, "{separator}{}", head.trim_end_matches('}'))?;
            // Activations among the longest are not written twice.
            let is_new = |kept: &&ListedActivation| {
                it.longest.iter().all(|other| other.number != kept.number)
            };
            let further: Vec<_> = it.inverted.iter().filter(is_new).collect();
            for (key, list) in [("longest", it.longest.iter().collect()), ("inverted", further)] {
                let texts: Vec<_> =
                    list.iter().map(|kept: &&ListedActivation| &*kept.text).collect();
                write!(out, ",\"{key}\":[{}]", texts.join(","))?;
            }
            out.write_all(b"}")?;
            separator = ",";
        }
        out.write_all(b"]")
    }
}

impl Sink for Overview {
    fn initial(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.follow.initial(world, at, change)
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        self.follow.change(world, at, change)
    }

    fn switch(&mut self, world: &World, at: EventTime, switch: &Switch) -> io::Result<()> {
        self.follow.switch(world, at, switch)
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.follow.finish(world, end_ns)
    }
}

/// An activation that the page shows.
#[derive(Clone, Debug)]
struct ListedActivation {
    number: u64,
    /// The length that decides whether it is kept, in ns.
    length: i64,
    /// As JSON.
    text: Arc<str>,
}

/// The kept activations of one subject.
#[derive(Debug)]
struct SubjectActivations {
    subject: Subject,
    name: String,
    id: u32,
    count: u64,
    whole: u64,
    max: Option<i64>,
    histogram: Histogram,
    /// Times between releases, and the last release if none is missing after it.
    steps: Histogram,
    released: Option<i64>,
    longest: Vec<ListedActivation>,
    inverted: Vec<ListedActivation>,
    /// The greatest lengths that did not fit: no shorter one is kept.
    missed: (i64, i64),
}

impl SubjectActivations {
    const fn new(subject: Subject) -> Self {
        Self {
            subject,
            name: String::new(),
            id: 0,
            count: 0,
            whole: 0,
            max: None,
            histogram: Histogram::new(),
            steps: Histogram::new(),
            released: None,
            longest: Vec::new(),
            inverted: Vec::new(),
            missed: (i64::MIN, 0),
        }
    }

    /// Whether an activation belongs to the longest, and to those with the most inversion.
    fn is_listed(&self, (response, inverted): (i64, i64), most: (usize, usize)) -> (bool, bool) {
        let is_in = |list: &[ListedActivation], most: usize, length: i64, missed: i64| {
            let is_longer = list.last().is_some_and(|it| length > it.length);
            length > missed && (list.len() < most || (most > 0 && is_longer))
        };
        (
            is_in(&self.longest, most.0, response, self.missed.0),
            is_in(&self.inverted, most.1, inverted, self.missed.1),
        )
    }
}

/// Receives all activations.
#[derive(Debug)]
struct ActivationCollector {
    cases: Cases,
    places: HashMap<Subject, usize>,
    all: Vec<SubjectActivations>,
    /// Maximum numbers of kept activations of a subject: the longest, and those with the most inversion.
    most: (usize, usize),
    /// Size of the kept ones in bytes, and its limit.
    bytes: usize,
    max_bytes: usize,
}

impl ActivationCollector {
    fn new(max_bytes: usize) -> Self {
        let (places, all, cases) = (HashMap::new(), Vec::new(), Cases::default());
        Self { cases, places, all, most: (LONGEST, INVERTED), bytes: 0, max_bytes }
    }

    /// Keeps fewer of each subject until this many more bytes fit. Returns false if they do not fit though only one of each is
    /// kept.
    fn make_room(&mut self, bytes: usize) -> bool {
        while self.bytes.saturating_add(bytes) > self.max_bytes {
            if self.most == (1, 0) {
                return false;
            }
            self.most = ((self.most.0 / 2).max(1), self.most.1 / 2);
            self.bytes = 0;
            for it in &mut self.all {
                it.longest.truncate(self.most.0);
                it.inverted.truncate(self.most.1);
                let kept = it.longest.iter().chain(&it.inverted);
                self.bytes += kept.map(|kept| kept.text.len()).sum::<usize>();
            }
        }
        true
    }
}

/// Puts one into its place: of two that are equally long the earlier one is first.
fn insert(list: &mut Vec<ListedActivation>, kept: ListedActivation) {
    let place = list.partition_point(|it| it.length >= kept.length);
    list.insert(place, kept);
}

/// Removes the last entry of a list that is full. Returns its size in bytes.
fn leave_room(list: &mut Vec<ListedActivation>, most: usize) -> usize {
    if list.len() < most { 0 } else { list.pop().map_or(0, |left| left.text.len()) }
}

impl ActivationSink for ActivationCollector {
    fn finish(&mut self, world: &World) -> io::Result<()> {
        self.cases.learn_names(world);
        // The timeline has the last names too.
        for it in &mut self.all {
            (it.name, it.id) = (it.subject.name(world), it.subject.id(world));
        }
        Ok(())
    }

    fn activation(&mut self, world: &World, it: &Activation) -> io::Result<()> {
        self.cases.add(it);
        let place = *self.places.entry(it.subject).or_insert(self.all.len());
        if place == self.all.len() {
            self.all.push(SubjectActivations::new(it.subject));
        }
        let Some(of) = self.all.get_mut(place) else { return Ok(()) };
        let response = it.min_response_ns();
        of.count = of.count.saturating_add(1);
        of.histogram.add(response, it.is_whole());
        let released = Some(it.released_ns).filter(|_| it.begin_seen);
        if let Some((before, now)) = of.released.zip(released) {
            of.steps.add(now.saturating_sub(before), true);
        }
        of.released = released.filter(|_| it.end_seen);
        if it.is_whole() {
            of.whole = of.whole.saturating_add(1);
            of.max = of.max.max(Some(response));
        }
        let lengths = (response, it.inverted_ns);
        let (is_long, is_inverted) = of.is_listed(lengths, self.most);
        if !is_long && !is_inverted {
            return Ok(());
        }
        if is_long {
            self.bytes -= leave_room(&mut of.longest, self.most.0);
        }
        if is_inverted {
            self.bytes -= leave_room(&mut of.inverted, self.most.1);
        }
        let text: Arc<str> =
            activation_value(&NamedActivation::of(world, it, response)).to_string().into();
        let has_room = self.make_room(2 * text.len());
        let Self { all, most, bytes, .. } = self;
        let Some(of) = all.get_mut(place) else { return Ok(()) };
        let (is_long, is_inverted) = of.is_listed(lengths, *most);
        if !has_room {
            of.missed = (of.missed.0.max(response), of.missed.1.max(it.inverted_ns));
            return Ok(());
        }
        for (list, most, length, is_in) in [
            (&mut of.longest, most.0, response, is_long),
            (&mut of.inverted, most.1, it.inverted_ns, is_inverted),
        ] {
            if is_in {
                // The limit may be lower than before.
                *bytes -= leave_room(list, most);
                *bytes += text.len();
                insert(
                    list,
                    ListedActivation { number: it.number, length, text: Arc::clone(&text) },
                );
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use tband_conv::model::Flows;
    use tband_conv::{Input, Options, convert};
    use tband_format::Event::*;
    use tband_recordings::{Recording, str};

    use super::super::{Question, SubjectKind, ask, json as answer_json};
    use super::*;

    fn overview(inputs: &[Input<'_>], max_bytes: usize) -> Vec<Value> {
        let mut overview =
            Overview { follow: Activations::new(ActivationCollector::new(max_bytes)) };
        let mut options = Options::default();
        options.flows = Flows::All;
        convert(inputs, &options, &mut overview).unwrap();
        let mut text = Vec::new();
        overview.write(|_| None, &mut text).unwrap();
        serde_json::from_slice::<Value>(&text).unwrap().as_array().unwrap().clone()
    }

    /// Tasks wake, one after another, and work for longer and longer.
    fn rising(tasks: u32, rounds: u64) -> Recording {
        let mut recording = Recording::default()
            .meta(TsResolutionNs { ns_per_ts: 1 })
            .meta(TaskName { task_id: 1, name: str("IDLE") })
            .meta(TaskIsIdleTask { task_id: 1, core_id: 0 })
            .at(0, TaskSwitchedIn { task_id: 1 });
        let mut ts = 10;
        for round in 0..rounds {
            for task in 0..tasks {
                let task_id = 10 + task;
                recording = recording
                    .at(ts, TaskToRdyState { task_id })
                    .at(ts + 10, TaskSwitchedIn { task_id })
                    .at(ts + 20 + 10 * round, CurtaskDelay { ticks: 1 })
                    .at(ts + 25 + 10 * round, TaskSwitchedIn { task_id: 1 });
                ts += 100 + 10 * round;
            }
        }
        recording
    }

    #[test]
    fn the_longest_are_kept_and_all_are_counted() {
        let recording = rising(1, 100);
        let found = overview(&[Input::from_bytes("r", &recording.0)], MAX_BYTES);
        let [it] = &found[..] else { panic!("{found:?}") };
        assert_eq!(
            (&it["kind"], &it["name"], &it["id"]),
            (&"task".into(), &"task 10".into(), &10.into())
        );
        assert_eq!(
            (it["count"].as_u64(), it["longest"].as_array().unwrap().len()),
            (Some(100), LONGEST)
        );
        let counted: u64 = it["bins"]
            .as_array()
            .unwrap()
            .iter()
            .map(|bin| bin[1].as_u64().unwrap() + bin[2].as_u64().unwrap())
            .sum();
        assert_eq!(counted, 100);
        let lengths: Vec<_> = it["longest"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["response_ns"].as_i64().unwrap())
            .collect();
        let wanted: Vec<_> = (0..LONGEST as i64).map(|place| lengths[0] - 10 * place).collect();
        assert_eq!(lengths, wanted);
        assert_eq!(it["max_ns"], lengths[0]);
    }

    /// With too many tasks, fewer activations of each are kept, then none of some; the kept ones are the longest, and all are
    /// counted.
    #[test]
    fn memory_use_is_bounded() {
        let recording = rising(50, 20);
        let inputs = [Input::from_bytes("r", &recording.0)];
        let all = overview(&inputs, MAX_BYTES);
        let longest = |it: &Value| -> Vec<Value> { it["longest"].as_array().unwrap().clone() };
        assert!(all.iter().all(|it| longest(it).len() == LONGEST));
        let bytes = |found: &[Value]| -> usize {
            found.iter().flat_map(longest).map(|one| one.to_string().len()).sum()
        };
        let whole = bytes(&all);
        for (max, most) in [(whole / 3, LONGEST / 2), (whole / 10, 2), (whole / 30, 1), (0, 0)] {
            let few = overview(&inputs, max);
            assert!(bytes(&few) <= max, "{} of {max}", bytes(&few));
            assert!(few.iter().all(|it| longest(it).len() <= most), "{max}");
            assert_eq!(few.len(), all.len());
            for (it, other) in few.iter().zip(&all) {
                let kept = longest(it);
                assert_eq!(kept[..], longest(other)[..kept.len()]);
                assert_eq!((&it["bins"], &it["count"]), (&other["bins"], &other["count"]));
            }
        }
    }

    /// Counts, lengths and splits are those of `why`.
    #[test]
    fn the_overview_agrees_with_why() {
        let bytes = tband_recordings::project::bytes("web/examples/sensor-pipeline.bin");
        let inputs = [Input::from_bytes("r", &bytes)];
        let mut compared = 0;
        for it in overview(&inputs, MAX_BYTES) {
            let kind = match it["kind"].as_str().unwrap() {
                "task" => SubjectKind::Task,
                "interrupt" => SubjectKind::Interrupt,
                _ => SubjectKind::Timer,
            };
            let longest = it["longest"].as_array().unwrap();
            let question = Question {
                subject: it["name"].as_str().unwrap().to_owned(),
                kind,
                worst: longest.len(),
                ..Question::default()
            };
            let answer = answer_json(&ask(&inputs, &Options::default(), &question).unwrap());
            assert_eq!((&it["count"], &it["whole"]), (&answer["activations"], &answer["whole"]));
            assert_eq!(it["max_ns"], answer["max_ns"]);
            for (one, worst) in longest.iter().zip(answer["worst"].as_array().unwrap()) {
                for key in
                    ["number", "release", "released_ns", "response_ns", "inverted_ns", "advice"]
                {
                    assert_eq!(one[key], worst[key], "{key}");
                }
                let rows = worst["split"].as_array().unwrap().iter();
                let rows: Vec<_> = rows
                    .map(|row| {
                        let digit = |key: &str| u8::from(row[key].as_bool().unwrap());
                        json!([row["ns"], row["text"], digit("is_detail"), digit("is_inverted")])
                    })
                    .collect();
                assert_eq!(one["split"], json!(rows));
                compared += 1;
            }
            // The activation with the most inversion is included, even if it is not among the longest.
            let question = Question { by: super::super::Length::Inverted, worst: 1, ..question };
            let answer = answer_json(&ask(&inputs, &Options::default(), &question).unwrap());
            let most = &answer["worst"][0];
            let all = longest.iter().chain(it["inverted"].as_array().unwrap());
            assert!(
                most["inverted_ns"] == 0
                    || all.into_iter().any(|one| one["released_ns"] == most["released_ns"])
            );
        }
        assert!(compared > 50, "{compared}");
    }

    /// Numbers that a script cannot hold are texts.
    #[test]
    fn large_numbers_stay_exact() {
        let late = 1_780_000_000_000_000_123;
        let recording = Recording::default()
            .meta(TsResolutionNs { ns_per_ts: 1 })
            .at(late, TaskSwitchedIn { task_id: 1 })
            .at(late + 5, TaskToRdyState { task_id: 2 })
            .at(late + 7, TaskSwitchedIn { task_id: 2 })
            .at(late + 9, CurtaskDelay { ticks: 1 })
            .at(late + 11, TaskSwitchedIn { task_id: 1 });
        let found = overview(&[Input::from_bytes("r", &recording.0)], MAX_BYTES);
        let all: Vec<_> = found.iter().flat_map(|it| it["longest"].as_array().unwrap()).collect();
        assert!(!all.is_empty());
        for one in all {
            let text = one["released_ns"].as_str().unwrap();
            assert!(
                text.parse::<u64>().unwrap() >= late && one["response_ns"].is_number(),
                "{one}"
            );
        }
    }
}
