//! The tables of `docs/src/reference/cost.md`: the measured values, with the rivals.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Context, Result};

use super::cores::CoreCosts;
use super::defaults::default_table;
use super::figure::{Figure, number};
use super::filters::FILTERS;
use super::triggers::TRIGGERS;
use super::trust::trust_table;
use super::{Growth, Report, StackUse};
use crate::command::run_quiet;
use crate::cost_page::Table;

impl Report {
    /// All of them but that of the classes.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        vec![
            default_table(&self.defaults),
            Table { name: "frames", text: costs(&self.figures) },
            Table { name: "packets", text: measured(&self.packets) },
            FILTERS.page(&self.filters),
            TRIGGERS.page(&self.triggers),
            trust_table(&self.trust),
            Table { name: "cores", text: self.cores_table() },
            Table { name: "cpus", text: self.cpus_table() },
            Table { name: "metadata", text: metadata(&self.metadata) },
            Table { name: "growth", text: growth(&self.growth) },
            Table { name: "stack", text: stacks(&self.stacks) },
        ]
    }

    /// The same events on each core, in both formats, beside those on the Cortex-M4.
    fn cores_table(&self) -> String {
        let m4 = [("Cortex-M4", "frames", &self.figures), ("Cortex-M4", "packets", &self.packets)];
        let columns: Vec<_> = m4.into_iter().chain(columns(&self.cores)).collect();
        side_by_side(&self.cores, &columns)
    }

    /// The same on CPUs beside microcontrollers.
    fn cpus_table(&self) -> String {
        side_by_side(&self.cpus, &columns(&self.cpus).collect::<Vec<_>>())
    }
}

/// A core, a format, and the figures.
type Column<'a> = (&'a str, &'a str, &'a Vec<Figure>);

fn columns(costs: &[CoreCosts]) -> impl Iterator<Item = Column<'_>> {
    costs.iter().map(|it| (it.name, it.format(), &it.figures))
}

/// The figures that `costs` have, in a row each.
fn side_by_side(costs: &[CoreCosts], columns: &[Column<'_>]) -> String {
    let mut text = String::from("| ");
    for (core, format, _) in columns {
        let _ = write!(text, "| {core}, {format} ");
    }
    let _ = writeln!(text, "|\n|{}", "---|".repeat(columns.len() + 1));
    for row in costs.first().map(|it| &it.figures[..]).unwrap_or_default() {
        let _ = write!(text, "| {} |", row.name);
        for (_, _, figures) in columns {
            let found = figures.iter().find(|figure| figure.key == row.key);
            let _ = write!(text, " {} |", found.map_or("–".into(), |it| number(it.value)));
        }
        text.push('\n');
    }
    text
}

/// The compilers that the numbers depend on, as the page names them.
///
/// # Errors
/// One of them does not run.
pub fn compilers() -> Result<String> {
    let output = |command: &mut Command| -> Result<String> {
        Ok(String::from_utf8(run_quiet(command)?.stdout)?)
    };
    // rustc 1.95.0 (...); 12.2.1
    let rustc = output(Command::new("rustc").arg("--version"))?;
    let rustc = rustc.split_whitespace().nth(1).context("rustc says no version")?;
    let gcc = output(Command::new("arm-none-eabi-gcc").arg("-dumpfullversion"))?;
    let short = |version: &str| version.splitn(3, '.').take(2).collect::<Vec<_>>().join(".");
    Ok(format!("rustc {} and GCC {}", short(rustc), short(gcc.trim())))
}

/// Measured only.
fn measured(figures: &[Figure]) -> String {
    let mut text = "| | tband |\n|---|---|\n".to_owned();
    for figure in figures {
        let _ = writeln!(text, "| {} | {} |", figure.name, number(figure.value));
    }
    text
}

/// Measured, rivals.
fn costs(figures: &[Figure]) -> String {
    let mut text =
        "| | tband | SystemView | TraceRecorder | Tonbandgerät |\n|---|---|---|---|---|\n"
            .to_owned();
    for figure in figures {
        let _ = write!(text, "| {} | {} |", figure.name, number(figure.value));
        for rival in figure.rivals {
            let _ = write!(text, " {} |", if rival.is_empty() { "–" } else { rival });
        }
        text.push('\n');
    }
    text
}

/// Two sizes of the buffer side by side.
fn metadata(figures: &[Figure]) -> String {
    let mut text = "| | 256 bytes | 16 KiB |\n|---|---|---|\n".to_owned();
    let of_small = figures.iter().filter_map(|it| Some((it, it.key.strip_suffix("_256")?)));
    for (small, key) in of_small {
        let large = figures.iter().find(|it| it.key.strip_suffix("_16384") == Some(key));
        let large = large.map_or("–".into(), |it| number(it.value));
        let _ = writeln!(text, "| {} | {} | {large} |", small.name, number(small.value));
    }
    text
}

fn growth(rows: &[Growth]) -> String {
    let mut text = "| uptime | instructions | bytes |\n|---|---|---|\n".to_owned();
    for Growth { uptime, instructions, bytes, .. } in rows {
        let _ = writeln!(text, "| {uptime} | {} | {} |", number(*instructions), number(*bytes));
    }
    text
}

/// A backend, and its numbers.
type BackendFigures<'a> = (&'a str, [u32; 4]);

/// Targets that need the same are one.
fn stacks(stacks: &[StackUse]) -> String {
    let mut text = "| target | backend | event | of several numbers | with a drop count or another packet in front, or \
                    the buffer just full | metadata, all of these included |\n|---|---|---|---|---|---|\n"
        .to_owned();
    let numbers = |of: &StackUse| [of.hook, of.numbers, of.rare, of.metadata];
    let needs = |target: &str| {
        let of_target = stacks.iter().filter(|it| it.target == target);
        of_target.map(|it| (it.backend.name(), numbers(it))).collect::<Vec<_>>()
    };
    // Names of targets, and the stack of each backend there.
    let mut groups: Vec<(Vec<&str>, Vec<BackendFigures<'_>>)> = Vec::new();
    for StackUse { target, .. } in stacks {
        let (name, _) = target.split_once("-").unwrap_or((target, ""));
        let needs = needs(target);
        match groups.iter_mut().find(|(_, same)| *same == needs) {
            Some((names, _)) if !names.contains(&name) => names.push(name),
            Some(_) => {}
            None => groups.push((vec![name], needs)),
        }
    }
    for (names, needs) in groups {
        let mut names = format!(" {}", names.join(", "));
        for (backend, [event, several, rare, metadata]) in needs {
            let _ = writeln!(
                text,
                "|{names} | {backend} | {event} | {several} | {rare} | {metadata} |"
            );
            names.clear();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost_page::CostPage;
    use crate::workspace_root;

    /// The measurement takes minutes; this test finds tables with other columns at once.
    #[test]
    fn the_tables_of_the_page_have_these_columns() {
        let page = CostPage::read(&workspace_root()).unwrap();
        for (name, head) in [
            ("frames", costs(&[])),
            ("packets", measured(&[])),
            ("metadata", metadata(&[])),
            ("growth", growth(&[])),
            ("stack", stacks(&[])),
            ("exports", crate::bench_exports::table(&[]).text),
        ] {
            let table = page.table(name).unwrap();
            assert!(table.starts_with(&head), "{name}: {table}");
            let cells = |row: &str| row.matches('|').count();
            let columns = head.lines().next().map(cells);
            assert!(table.lines().all(|row| Some(cells(row)) == columns), "{name}: {table}");
        }
    }
}
