//! `doctor`: reports tband's parts in a project or a program, missing parts, their cost, and the next step.

mod attributes;
mod cmake;
mod compilation;
mod cost;
mod cpu;
mod figures;
mod files;
pub mod headers;
pub mod hook_flags;
mod kernel;
mod measured;
mod port;
mod preprocessor;
mod program;
mod project;
mod start;

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, ensure};
use tband_conv::counted;
use tband_report::printable::printable;

use crate::Outcome;
use crate::args::DoctorArgs;
use crate::output::print;
use crate::report::Report;

/// A fault, or a missing part.
struct Finding {
    title: &'static str,
    /// File and line, or the file that lacks something.
    place: String,
    means: String,
    advice: String,
}

/// The results.
#[derive(Default)]
struct Diagnosis {
    /// Name and value, one a line.
    facts: Vec<(&'static str, String)>,
    findings: Vec<Finding>,
    costs: Vec<(&'static str, String)>,
    /// The next step if there are no faults.
    next: &'static str,
}

impl Diagnosis {
    fn fact(&mut self, name: &'static str, value: impl Into<String>) {
        self.facts.push((name, value.into()));
    }

    fn cost(&mut self, name: &'static str, value: impl Into<String>) {
        self.costs.push((name, value.into()));
    }

    fn finding(
        &mut self,
        title: &'static str,
        place: impl Into<String>,
        means: impl Into<String>,
        advice: impl Into<String>,
    ) {
        self.findings.push(Finding {
            title,
            place: place.into(),
            means: means.into(),
            advice: advice.into(),
        });
    }

    /// For people.
    fn text(&self, name: &str) -> String {
        let verdict = match self.findings.len() {
            0 => "nothing is missing".to_owned(),
            count => counted(count, "finding"),
        };
        let mut text = format!("{}: {verdict}\n", printable(name));
        let lines = |text: &mut String, lines: &[(&'static str, String)]| {
            for (name, value) in lines {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "  {name:<16} {}", printable(value));
            }
        };
        lines(&mut text, &self.facts);
        for it in &self.findings {
            let _ = writeln!(text, "\nmissing: {}", it.title);
            let _ = writeln!(text, "  where  {}", printable(&it.place));
            let _ = writeln!(text, "  means  {}", printable(&it.means));
            for (index, line) in it.advice.lines().enumerate() {
                let label = if index == 0 { "do" } else { "" };
                let _ = writeln!(text, "  {label:<6} {}", printable(line));
            }
        }
        if !self.costs.is_empty() {
            text.push_str("\ncosts\n");
            lines(&mut text, &self.costs);
        }
        let next = if self.findings.is_empty() {
            self.next
        } else {
            "correct what is missing, and run this again"
        };
        let _ = writeln!(text, "\nnext: {next}");
        text
    }
}

pub fn run(args: &DoctorArgs, report: &Report) -> anyhow::Result<Outcome> {
    let path: &Path = &args.path;
    let kind = path.metadata().with_context(|| format!("cannot read {}", path.display()))?;
    let diagnosis = if kind.is_dir() {
        project::diagnose(path, args.config.as_deref(), args.rate)?
    } else {
        ensure!(args.config.is_none(), "--config is for the folder of a project");
        program::diagnose(path, args.rate)?
    };
    if !report.is_quiet() {
        print(diagnosis.text(&path.display().to_string()).as_bytes())?;
    }
    Ok(Outcome::of(diagnosis.findings.is_empty()))
}
