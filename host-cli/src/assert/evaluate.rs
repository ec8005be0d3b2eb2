//! All rules over one filling of the tables.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use tband_query::{Query, QueryError, Value};
use tband_rules::baseline::Baseline;
use tband_rules::judge::{Coverage, Finding, RuleResult, judge};
use tband_rules::learn::Observations;
use tband_rules::read::read;
use tband_rules::rule::{Check, Rule, Rules};
use tband_rules::sql::{MetricQuery, NamedSubject, compile, coverage_query, measure};

use crate::Outcome;
use crate::args::AssertArgs;
use crate::output::{print, to_file};
use crate::report::Report;
use crate::tables::fill::{InputGrouping, LoadedRecording, ReadRequest, UnknownFrequency};
use crate::tables::rows::{count, integer, real, rows, text};

/// Bytes of the largest file of rules.
const MAX_RULES: u64 = 16 << 20;
/// Subjects that a query of the file may name.
const MAX_SUBJECTS: usize = 1000;

/// Reads a file of rules. The place of a mistake is shown.
pub fn read_rules(path: &Path, report: &Report) -> anyhow::Result<Rules> {
    let shown = path.display();
    let cannot = || format!("cannot read rules from {shown}");
    let size = fs::metadata(path).with_context(cannot)?.len();
    anyhow::ensure!(size <= MAX_RULES, "{shown} has {size} bytes: it is not a file of rules");
    let bytes = fs::read(path).with_context(cannot)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        anyhow!(
            "{shown} is not text: name the file of rules first, as tband-cli assert RULES INPUT"
        )
    })?;
    read(&shown.to_string(), &text).map_err(|mistake| {
        mistake.place.iter().for_each(|line| report.line(line));
        anyhow!("{shown}:{mistake}")
    })
}

/// Prints the SELECT of each rule.
pub fn explain(rules: &Rules, baseline: Option<&Baseline>) -> anyhow::Result<Outcome> {
    let mut out = String::new();
    for rule in &rules.rules {
        let statement = compile(rule, baseline);
        out.push_str(&format!("-- {}\n{};\n\n", place(rules, rule), statement.sql));
    }
    print(out.as_bytes())?;
    Ok(Outcome::Clean)
}

/// Place and text of a rule, in one line.
fn place(rules: &Rules, rule: &Rule) -> String {
    let text = rule.describe(None).replace(char::is_control, " ");
    match rule.line {
        0 => format!("built in: {text}"),
        line => format!("{}:{line}: {text}", rules.file),
    }
}

/// A subject that a rule names, and where its statements are.
struct Subject {
    named: NamedSubject,
    exists: usize,
    names: usize,
}

/// A rule, and where its statements are.
struct PreparedRule<'r> {
    rule: &'r Rule,
    select: usize,
    subjects: Vec<Subject>,
    measure: Option<(MetricQuery, usize)>,
}

/// The rules over one database.
pub struct Evaluation<'r> {
    query: Query,
    coverage: usize,
    rules: Vec<PreparedRule<'r>>,
    baseline: Option<&'r Baseline>,
    /// Why times cannot be compared, if they cannot.
    untimed: Option<String>,
}

impl<'r> Evaluation<'r> {
    /// Prepares all statements: mistakes are found before any recording is read.
    pub fn prepare(
        rules: &'r Rules,
        baseline: Option<&'r Baseline>,
        report: &Report,
    ) -> anyhow::Result<Self> {
        let mut query = Query::open()?;
        let coverage = query.add_statement(&coverage_query())?;
        let mut prepared = Vec::new();
        for rule in &rules.rules {
            let mut add = |sql: &str| {
                query.add_statement(sql).map_err(|error| {
                    if let (QueryError::Mistake(mistake), Check::Sql(_)) = (&error, &rule.check) {
                        mistake.place.iter().flatten().for_each(|line| report.line(line));
                    }
                    anyhow!("{}: {error}", place(rules, rule))
                })
            };
            let statement = compile(rule, baseline);
            let select = add(&statement.sql)?;
            let mut subjects = Vec::new();
            for named in statement.subjects {
                let exists = add(&named.exists)?;
                let names = add(&named.names)?;
                subjects.push(Subject { named, exists, names });
            }
            let measure = match measure(rule) {
                Some(measure) => {
                    let place = add(&measure.sql)?;
                    Some((measure, place))
                }
                None => None,
            };
            prepared.push(PreparedRule { rule, select, subjects, measure });
        }
        Ok(Self { query, coverage, rules: prepared, baseline, untimed: None })
    }

    /// Why times cannot be compared, if they cannot.
    pub fn untimed(&self) -> Option<&str> {
        self.untimed.as_deref()
    }

    /// Reads the recordings.
    pub fn fill(
        &mut self,
        args: &AssertArgs,
        report: &Report,
    ) -> anyhow::Result<Vec<LoadedRecording>> {
        let reading = ReadRequest {
            command: "assert",
            recordings: &args.recordings,
            inputs: &args.recordings.inputs,
            program: &args.program,
            window: &args.window,
            load_window_ns: None,
            together: InputGrouping::of(args.each),
            compares_times: false,
            is_compared: !args.baseline.is_empty(),
        };
        self.read(&reading, report)
    }

    /// Reads these recordings.
    pub fn read(
        &mut self,
        reading: &ReadRequest<'_>,
        report: &Report,
    ) -> anyhow::Result<Vec<LoadedRecording>> {
        let filled = reading.fill(&self.query, report)?;
        self.untimed = coverage(&mut self.query, self.coverage)?.untimed;
        Ok(filled.recordings)
    }

    /// Judges all rules.
    pub fn judge(&mut self) -> anyhow::Result<Vec<RuleResult>> {
        let Self { query, rules, baseline, .. } = self;
        let coverage = coverage(query, self.coverage)?;
        anyhow::ensure!(coverage.recordings > 0, "there is no recording to judge");
        let mut judged = Vec::new();
        for PreparedRule { rule, select, subjects, .. } in rules {
            let (findings, is_missing) = match rule.check {
                Check::Sql(_) => of_query(query, *select)?,
                _ => (findings(query, *select)?, false),
            };
            if is_missing {
                judged.extend(judge(rule, findings, &[nothing_to_read()], &coverage, *baseline));
                continue;
            }
            let mut missing = Vec::new();
            for Subject { named, exists, names } in subjects {
                // A metric has rows of the subjects that exist.
                let is_metric = matches!(rule.check, Check::Metric { .. });
                if (!is_metric || findings.is_empty()) && !has_row(query, *exists)? {
                    missing.push((named.clone(), texts(query, *names)?));
                }
            }
            judged.extend(judge(rule, findings, &missing, &coverage, *baseline));
        }
        Ok(judged)
    }

    /// The values that later recordings are compared with.
    pub fn baseline(&mut self) -> anyhow::Result<Baseline> {
        let mut baseline = Baseline::default();
        let coverage = self.coverage;
        rows(&mut self.query, coverage, &mut |_, values| {
            if let Some(Value::Text(file)) = values.get(1) {
                baseline.add_recording(file);
            }
        })?;
        for row in self.measured()? {
            let Some((measure, _)) = self.rules.get(row.rule).and_then(|it| it.measure.as_ref())
            else {
                continue;
            };
            baseline.add(&measure.key, &row.subject, (row.low, row.high.max(row.least)));
        }
        Ok(baseline)
    }

    /// Writes them.
    pub fn write_baseline(&mut self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(&self.baseline()?.json())? + "\n";
        to_file(path, true, |out| Ok(out.write_all(text.as_bytes())?))
    }

    /// The values of each rule's metric, by recording and subject.
    pub fn measured(&mut self) -> anyhow::Result<Vec<Observations>> {
        let (mut seen, mut keys) = (Vec::new(), std::collections::HashSet::new());
        for (index, prepared) in self.rules.iter().enumerate() {
            let Some((measure, place)) = &prepared.measure else { continue };
            if self.untimed.is_some() && prepared.rule.compares_times() {
                continue;
            }
            // Two rules may have one metric of one subject.
            let mut is_new = |subject: &str, recording: &str| {
                keys.insert((measure.key.clone(), subject.to_owned(), recording.to_owned()))
            };
            rows(&mut self.query, *place, &mut |_, values| {
                if let [Value::Text(recording), Value::Text(subject), judged, low, high, least] =
                    values
                    && let (Some(low), Some(high)) = (real(low), real(high))
                    && is_new(subject, recording)
                {
                    let subject = (*subject).to_owned();
                    let (judged, least) = (count(judged), real(least).unwrap_or(f64::NEG_INFINITY));
                    seen.push(Observations { rule: index, subject, judged, low, high, least });
                }
            })?;
        }
        Ok(seen)
    }
}

/// That no table which a query reads has a row.
fn nothing_to_read() -> (NamedSubject, Vec<String>) {
    let named = NamedSubject {
        text: "row in the tables that the query reads".to_owned(),
        kind: "row",
        name: String::new(),
        exists: String::new(),
        names: String::new(),
    };
    (named, Vec::new())
}

fn coverage(query: &mut Query, place: usize) -> anyhow::Result<Coverage> {
    let mut coverage = Coverage::default();
    rows(query, place, &mut |_, values| {
        if let [_, file, events, lost, is_clean, gaps, untimed] = values {
            coverage.recordings += 1;
            let is_untimed = count(untimed) > 0;
            let is_clean = matches!(is_clean, Value::Flag(true) | Value::Int(1));
            // Without a frequency only the times are missing.
            if !is_clean && (count(gaps) > 0 || !is_untimed) {
                coverage.lossy += 1;
            }
            if is_untimed && coverage.untimed.is_none() {
                let file = text(file).unwrap_or_default();
                coverage.untimed = Some(UnknownFrequency { file }.to_string());
            }
            coverage.events = coverage.events.saturating_add(count(events));
            coverage.lost = coverage.lost.saturating_add(count(lost));
            coverage.gaps = coverage.gaps.saturating_add(count(gaps));
        }
    })?;
    Ok(coverage)
}

/// The rows of a compiled rule.
fn findings(query: &mut Query, place: usize) -> anyhow::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    rows(query, place, &mut |_, values| {
        if let [subject, recording, at, value, whole, judged, cut, broken, close] = values {
            findings.push(Finding {
                subject: text(subject),
                recording: text(recording),
                at_ns: integer(at),
                value: real(value),
                is_whole: integer(whole) == Some(1),
                judged: count(judged),
                cut: count(cut),
                broken: count(broken),
                close: count(close),
            });
        }
    })?;
    Ok(findings)
}

/// The rows of a query of the file, by subject; and whether there was nothing to read.
fn of_query(query: &mut Query, place: usize) -> anyhow::Result<(Vec<Finding>, bool)> {
    let mut findings: Vec<Finding> = Vec::new();
    rows(query, place, &mut |names, values| {
        let get = |name: &str| {
            let found =
                names.iter().zip(values).find(|(column, _)| column.name.eq_ignore_ascii_case(name));
            found.map(|(_, value)| *value)
        };
        let subject = get("subject").and_then(|value| text(&value));
        if let Some(known) = findings.iter_mut().find(|it| it.subject == subject) {
            known.broken = known.broken.saturating_add(1);
        } else if findings.len() < MAX_SUBJECTS {
            findings.push(Finding {
                subject,
                recording: get("recording").and_then(|value| text(&value)),
                at_ns: get("at_ns").and_then(|value| integer(&value)),
                value: get("value").and_then(|value| real(&value)),
                is_whole: true,
                broken: 1,
                ..Finding::default()
            });
        }
    })?;
    let is_missing = findings.is_empty() && !query.has_rows(place)?;
    Ok((findings, is_missing))
}

fn has_row(query: &mut Query, place: usize) -> anyhow::Result<bool> {
    let mut has = false;
    rows(query, place, &mut |_, _| {
        has = true;
    })?;
    Ok(has)
}

/// The names that exist.
fn texts(query: &mut Query, place: usize) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    rows(query, place, &mut |_, values| {
        if names.len() < MAX_SUBJECTS {
            names.extend(values.first().and_then(text));
        }
    })?;
    Ok(names)
}
