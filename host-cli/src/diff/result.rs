//! Reads the recordings of both groups, and compares them.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::Path;

use anyhow::ensure;
use tband_conv::clock::frequency::Frequency;
use tband_diff::output::{Results, json, markdown, page, text};
use tband_diff::{Comparison, Criteria, Figure, Verdict, compare};
use tband_query::{Query, Value};
use tband_report::printable::{printable, printable_json};
use tband_rules::rule::Rules;

use super::differences::{Facts, sentences};
use super::figures::{Scale, Statement, is_figure, statements, words};
use crate::Outcome;
use crate::args::{AssertArgs, DiffArgs, ReportArgs, wrong_usage};
use crate::input::refuse_to_overwrite;
use crate::output::{print, to_file};
use crate::report::Report;
use crate::tables::fill::{InputGrouping, LoadResult, ReadRequest, UnknownFrequency};
use crate::tables::rows::{integer, real, rows, text as text_of};

/// Facts about all recordings.
const FACTS: &str = "SELECT recording, file, build_id, tick_rate_hz, frequency, cores, is_clean, end_ns - begin_ns FROM recordings";

/// The value of `--fail-on` for the overall result.
const WORSE: &str = "worse";

/// Compares them.
pub fn run(mut args: DiffArgs, report: &Report) -> anyhow::Result<Outcome> {
    check_usage(&mut args);
    let files = args.fail_on.iter().filter(|it| *it != WORSE);
    let rules: Vec<Rules> = files
        .map(|file| crate::assert::read_rules(Path::new(file), report))
        .collect::<anyhow::Result<_>>()?;
    let DiffArgs { recordings, other, only, subject, .. } = &args;
    let (inputs, first_of_b) = ([&recordings.inputs[..], other].concat(), recordings.inputs.len());
    for path in [&args.json, &args.markdown].into_iter().flatten() {
        refuse_to_overwrite(&inputs, path, "txt")?;
    }
    let groups = Groups {
        reading: ReadRequest {
            command: "diff",
            recordings,
            inputs: &inputs,
            program: &args.program,
            window: &args.window,
            load_window_ns: None,
            together: InputGrouping::Each,
            compares_times: true,
            is_compared: false,
        },
        first_of_b,
    };
    let criteria = Criteria {
        threshold: args.threshold / 100.0,
        beyond_spread: args.beyond_spread,
        tick_ns: 0.0,
    };
    let compared = groups.compare((only, subject), criteria, report)?;
    let results = compared.results(args.all);
    if write(&args, &results, report)? {
        return outcome(args, &rules, &compared.comparison, report);
    }
    // Standard output only has JSON or Markdown.
    outcome(args, &rules, &compared.comparison, &Report::new(0, true))
}

/// Two groups of recordings that are to be compared.
pub struct Groups<'a> {
    /// How they are read, those of A first.
    pub reading: ReadRequest<'a>,
    /// The place of the first recording of B, or of its first folder of tables.
    pub first_of_b: usize,
}

/// The result of the comparison.
pub struct DiffResult {
    comparison: Comparison,
    names: [Vec<String>; 2],
    differences: Vec<String>,
}

impl DiffResult {
    /// Returns the results for the outputs.
    pub fn results(&self, is_all: bool) -> Results<'_> {
        let Self { comparison, names: [a, b], differences } = self;
        Results { comparison, names: (a, b), differences, is_all }
    }
}

impl Groups<'_> {
    /// Reads all recordings, and compares the figures of the subjects whose names match a pattern. The tick of the timestamps is that of
    /// the recordings.
    pub fn compare(
        &self,
        (only, subject): (&[String], &str),
        criteria: Criteria,
        report: &Report,
    ) -> anyhow::Result<DiffResult> {
        let mut query = Query::open()?;
        let facts = query.add_statement(FACTS)?;
        let mut prepared = Vec::new();
        for statement in statements(only, subject)? {
            let place = query.add_statement(&statement.sql)?;
            prepared.push((statement, place));
        }
        let filling = self.reading.fill(&query, report)?;
        let groups = groups(&filling, self.first_of_b)?;
        let all = facts_of(&mut query, facts, &filling, &groups)?;
        let [a, b] = &all;
        ensure!(!a.is_empty() && !b.is_empty(), "each of the two groups needs a recording");
        let lengths: HashMap<&str, f64> =
            a.iter().chain(b).map(|it| (it.name.as_str(), it.length_ns)).collect();
        let mut figures = Vec::new();
        for (statement, place) in &prepared {
            figures.extend(values(&mut query, (statement, *place), &groups, &lengths)?);
        }
        let ticks = a.iter().chain(b).filter_map(|it| it.tick_ns);
        let criteria = Criteria { tick_ns: ticks.fold(0.0, f64::max), ..criteria };
        let comparison = compare(figures, (a.len(), b.len()), criteria);
        let names = [a, b].map(|group| group.iter().map(|it| it.name.clone()).collect());
        Ok(DiffResult { comparison, names, differences: sentences(a, b) })
    }
}

/// The least relative change that matters, unless the user names another.
const THRESHOLD: f64 = 0.05;

/// Compares the two recordings of a report. `None`: standard input can be read only once, or one has times in ticks, which is
/// reported.
pub fn of_report(
    args: &ReportArgs,
    report: &Report,
) -> anyhow::Result<Option<tband_report::page::PageComparison>> {
    let inputs = [&args.recordings.inputs[..], &args.compare].concat();
    if inputs.iter().any(|input| input == "-") {
        return Ok(None);
    }
    let first = args.recordings.inputs.len();
    let groups = Groups {
        reading: ReadRequest {
            command: "report",
            recordings: &args.recordings,
            inputs: &inputs,
            program: &args.program,
            window: &args.window,
            load_window_ns: None,
            together: InputGrouping::Two(first),
            compares_times: true,
            is_compared: false,
        },
        first_of_b: 1,
    };
    let criteria = Criteria { threshold: THRESHOLD, beyond_spread: false, tick_ns: 0.0 };
    // The report itself has the messages about both recordings.
    let compared = match groups.compare((&[], "*"), criteria, &Report::new(0, true)) {
        Err(error) if error.is::<UnknownFrequency>() => {
            report.warn(&error.to_string());
            return Ok(None);
        }
        compared => compared?,
    };
    let results = compared.results(false);
    Ok(Some(tband_report::page::PageComparison { text: text(&results), json: page(&results) }))
}

/// Rejects invalid combinations. Two recordings without a `--` are one on each side.
fn check_usage(args: &mut DiffArgs) {
    if args.other.is_empty() {
        match args.recordings.inputs.len() {
            2 => args.other.extend(args.recordings.inputs.pop()),
            _ => wrong_usage(
                "diff",
                "two groups of recordings are needed, with -- between them: tband-cli diff OLD... -- NEW...",
            ),
        }
    }
    if let Some(asked) = args.only.iter().find(|asked| !is_figure(asked)) {
        let (asked, known) = (printable(asked), words().join(", "));
        wrong_usage("diff", &format!("no figure {asked:?}; the figures are {known}"));
    }
    let is_stdout = |path: &Option<std::path::PathBuf>| path.as_deref() == Some(Path::new("-"));
    if args.json.is_some() && args.json == args.markdown && !is_stdout(&args.json) {
        wrong_usage("diff", "--json and --markdown name the same file");
    }
    if is_stdout(&args.json) && is_stdout(&args.markdown) {
        wrong_usage("diff", "- (stdout) can have JSON or Markdown only");
    }
    let all = || args.recordings.inputs.iter().chain(&args.other);
    let stdin = all().filter(|input| *input == "-").count();
    let has_rules = args.fail_on.iter().any(|it| it != WORSE);
    if stdin > 1 || (stdin == 1 && has_rules) {
        wrong_usage("diff", "- (stdin) can be read once only: name files");
    }
}

/// The group of each recording: 0 is A, 1 is B.
fn groups(filling: &LoadResult, first_of_b: usize) -> anyhow::Result<BTreeMap<String, usize>> {
    let group = |place: usize| usize::from(place >= first_of_b);
    let read =
        filling.recordings.iter().enumerate().map(|(place, it)| (it.name.clone(), group(place)));
    let mut groups: BTreeMap<_, _> = read.collect();
    for (place, names) in filling.folders.iter().enumerate() {
        for name in names {
            let before = groups.insert(name.clone(), group(place));
            ensure!(
                before.is_none(),
                "{name} is in two of the folders: compare folders without common recordings"
            );
        }
    }
    Ok(groups)
}

/// Returns the facts about the recordings of A and B.
fn facts_of(
    query: &mut Query,
    place: usize,
    filling: &LoadResult,
    groups: &BTreeMap<String, usize>,
) -> anyhow::Result<[Vec<Facts>; 2]> {
    let classes: HashMap<&str, Option<String>> = filling
        .recordings
        .iter()
        .map(|it| (it.name.as_str(), tband_report::built::classes(&it.summary)))
        .collect();
    let mut all = [Vec::new(), Vec::new()];
    rows(query, place, &mut |_, values| {
        let [name, file, build, tick_rate, frequency, cores, is_clean, length] = values else {
            return;
        };
        let Some(name) = text_of(name) else { return };
        let Some(group) = groups.get(&name).and_then(|group| all.get_mut(*group)) else { return };
        let frequency = text_of(frequency);
        let mut properties = vec![
            ("build", text_of(build)),
            ("kernel ticks per second", text_of(tick_rate)),
            ("timestamps at", frequency.clone()),
            ("cores", text_of(cores)),
        ];
        if let Some(classes) = classes.get(name.as_str()) {
            properties.push(("records", classes.clone()));
        }
        group.push(Facts {
            file: text_of(file).unwrap_or_default(),
            name,
            properties,
            is_clean: matches!(is_clean, Value::Flag(true) | Value::Int(1)),
            tick_ns: frequency.and_then(|it| tick_ns(&it)),
            length_ns: integer(length).map_or(0.0, |ns| ns as f64),
        });
    })?;
    Ok(all)
}

/// The tick of a frequency as the tables have it, such as "25 MHz".
fn tick_ns(frequency: &str) -> Option<f64> {
    let text = frequency.strip_suffix("Hz")?.replace(' ', "");
    let hz = text.parse::<Frequency>().ok()?.hz();
    (hz > 0.0).then(|| 1e9 / hz)
}

/// The figures of a statement, one for each subject.
fn values(
    query: &mut Query,
    (statement, place): (&Statement, usize),
    groups: &BTreeMap<String, usize>,
    lengths: &HashMap<&str, f64>,
) -> anyhow::Result<Vec<Figure>> {
    let mut figures: BTreeMap<String, Figure> = BTreeMap::new();
    rows(query, place, &mut |_, values| {
        let [recording, subject, _, low, high, ..] = values else { return };
        let (Some(recording), Some(subject)) = (text_of(recording), text_of(subject)) else {
            return;
        };
        let value = real(if statement.takes_least { low } else { high });
        let value = match statement.scale {
            Scale::Plain => value,
            Scale::AboveZero => value.filter(|value| *value > 0.0),
            Scale::OfRecording => value.and_then(|ns| {
                let length = lengths.get(recording.as_str()).filter(|length| **length > 0.0)?;
                Some(ns * 100.0 / length)
            }),
        };
        let (Some(value), Some(group)) =
            (value.filter(|it| it.is_finite()), groups.get(&recording))
        else {
            return;
        };
        let figure = figures.entry(subject).or_insert_with_key(|subject| statement.figure(subject));
        if *group == 0 { figure.a.push(value) } else { figure.b.push(value) }
    })?;
    Ok(figures.into_values().collect())
}

/// Writes all requested outputs. Text is printed unless stdout has one of the others. Returns whether stdout takes text.
fn write(args: &DiffArgs, results: &Results<'_>, report: &Report) -> anyhow::Result<bool> {
    let mut is_used = false;
    let mut to = |path: &Option<std::path::PathBuf>, text: &dyn Fn() -> anyhow::Result<String>| {
        let Some(path) = path else { return Ok(()) };
        let text = text()?;
        if path == Path::new("-") {
            is_used = true;
            return print(text.as_bytes());
        }
        to_file(path, true, |out| Ok(out.write_all(text.as_bytes())?))
    };
    to(&args.json, &|| Ok(printable_json(serde_json::to_string_pretty(&json(results))?) + "\n"))?;
    to(&args.markdown, &|| Ok(markdown(results)))?;
    if !is_used && !report.is_quiet() {
        print(text(results).as_bytes())?;
    }
    Ok(!is_used)
}

/// The exit code. Recordings are judged by rules now.
fn outcome(
    args: DiffArgs,
    rules: &[Rules],
    comparison: &Comparison,
    report: &Report,
) -> anyhow::Result<Outcome> {
    let DiffArgs { recordings, other, program, window, fail_on, .. } = args;
    let mut codes = Vec::new();
    if fail_on.iter().any(|it| it == WORSE) {
        codes.push(match comparison.has_verdicts() && comparison.tested() > 0 {
            false => Outcome::Open,
            true => Outcome::of(comparison.count(Verdict::Worse) == 0),
        });
    }
    let baseline = recordings.inputs.clone();
    let judged = AssertArgs {
        rules: OsString::new(),
        recordings: crate::args::Recordings { inputs: other, ..recordings },
        program,
        window,
        each: true,
        explain: false,
        learn: false,
        baseline,
        write_baseline: None,
        all: false,
        junit: None,
        sarif: None,
        json: None,
        markdown: None,
        github: false,
    };
    for rules in rules {
        codes.push(crate::assert::judge(rules, &judged, report)?);
    }
    let has = |code| codes.contains(&code);
    Ok(match () {
        () if has(Outcome::Damaged) => Outcome::Damaged,
        () if has(Outcome::Open) => Outcome::Open,
        () => Outcome::Clean,
    })
}
