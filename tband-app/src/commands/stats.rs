//! `stats`: what a recording says in numbers.

use std::io::{self, Write};

use tband_conv::load::{Owners, Windows};
use tband_conv::{ConvError, Input, Options};
use tband_report::TimeUnit;
use tband_report::load::{LoadRows, MAX_ROWS};
use tband_report::stats::{self, Measured, Table};

use super::{Command, Output};
use crate::done::{Done, Failure};

/// Its entry in the list.
pub const COMMAND: Command = Command {
    name: "stats",
    about: "Print what tasks, interrupts, queues and markers did, in numbers",
    outputs: &[TEXT, JSON, CSV],
    passes: |_, _| 2,
    memory: 2 << 20,
};

/// For people.
pub const TEXT: Output = Output {
    name: "text",
    ending: ".stats.txt",
    media_type: "text/plain",
    run: |inputs, options, wanted, out| {
        run(inputs, options, (out, wanted.every, LoadRows::lines), |tables| {
            Ok(stats::text(tables, wanted.all))
        })
    },
};

/// One object.
pub const JSON: Output = Output {
    name: "json",
    ending: ".stats.json",
    media_type: "application/json",
    run: |inputs, options, wanted, out| {
        let json = |tables: &[Table]| stats::json(tables, wanted.all).map_err(io::Error::other);
        run(inputs, options, (out, wanted.every, LoadRows::all), json)
    },
};

/// One number a line.
pub const CSV: Output = Output {
    name: "csv",
    ending: ".stats.csv",
    media_type: "text/csv",
    run: |inputs, options, wanted, out| {
        run(inputs, options, (out, wanted.every, LoadRows::all), |tables| {
            stats::csv(tables, wanted.all)
        })
    },
};

/// Makes the table of the load over time: lines for people, or all rows.
type LoadTable = fn(&LoadRows) -> Table;

fn run(
    inputs: &[Input<'_>],
    options: &Options,
    (out, every, load): (&mut dyn Write, Option<i64>, LoadTable),
    shown: impl FnOnce(&[Table]) -> io::Result<String>,
) -> Result<Done, Failure> {
    let Measured { tables, summary, .. } = match every {
        None => stats::measure(inputs, options)?,
        Some(length) => {
            let mut sink = Owners::new(Windows::new(length, LoadRows::new(length)));
            let mut measured = stats::measure_with(inputs, options, &mut sink)?;
            let rows = sink.into_inner().into_inner();
            if rows.is_full() {
                return Err(Failure::NoSuch(format!(
                    "--every {}: the load has more than {MAX_ROWS} rows: take longer windows, or a part of the recording with --from and --to",
                    TimeUnit::Ns.duration(length)
                )));
            }
            let table = load(&rows).in_unit(TimeUnit::of(&measured.summary.diagnostics));
            let place = measured.tables.iter().position(|it| it.key == "tasks");
            measured.tables.insert(place.unwrap_or(0), table);
            measured
        }
    };
    let text = shown(&tables).map_err(ConvError::Write)?;
    out.write_all(text.as_bytes()).map_err(ConvError::Write)?;
    Ok(Done::of(summary))
}
