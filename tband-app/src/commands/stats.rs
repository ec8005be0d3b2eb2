//! `stats`: statistics of a recording.

use std::io::{self, Write};

use tband_conv::activations::Activations;
use tband_conv::load::{Owners, Windows};
use tband_conv::model::{Flows, Sink};
use tband_conv::{ConvError, Input, Options};
use tband_report::load::{LoadRows, MAX_ROWS};
use tband_report::messages::Label;
use tband_report::response::Cases;
use tband_report::stats::{self, Measurement, Table};
use tband_report::time_unit::TimeUnit;

use super::{Command, Output};
use crate::command_result::{CommandResult, Failure};
use crate::options::CommandSettings;

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
        run(inputs, options, (out, wanted, LoadRows::lines), |tables| {
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
        run(inputs, options, (out, wanted, LoadRows::all), json)
    },
};

/// One number a line.
pub const CSV: Output = Output {
    name: "csv",
    ending: ".stats.csv",
    media_type: "text/csv",
    run: |inputs, options, wanted, out| {
        run(inputs, options, (out, wanted, LoadRows::all), |tables| stats::csv(tables, wanted.all))
    },
};

/// Makes the table of the load over time: lines for people, or all rows.
type LoadTable = fn(&LoadRows) -> Table;

/// What follows the recording beside the numbers.
type StatsSinks = (Option<Owners<Windows<LoadRows>>>, Option<Activations<Cases>>);

fn run(
    inputs: &[Input<'_>],
    options: &Options,
    (out, wanted, load): (&mut dyn Write, &CommandSettings, LoadTable),
    shown: impl FnOnce(&[Table]) -> io::Result<String>,
) -> Result<CommandResult, Failure> {
    let every = wanted.every.map(|length| Owners::new(Windows::new(length, LoadRows::new(length))));
    let mut followed: StatsSinks =
        (every, wanted.response_times.then(|| Activations::new(Cases::default())));
    let Measurement { mut tables, summary, stats } = match &mut followed {
        (None, None) => stats::measure(inputs, options)?,
        both => {
            let mut options = options.clone();
            if both.1.is_some() {
                // The release of an item is in its flow.
                options.flows = Flows::All;
            }
            let (mut none, mut nothing) = ((), ());
            let every: &mut dyn Sink = both.0.as_mut().map_or(&mut none, |sink| sink);
            let response_times: &mut dyn Sink = both.1.as_mut().map_or(&mut nothing, |sink| sink);
            stats::measure_with(inputs, &options, &mut (every, response_times))?
        }
    };
    let (every, response_times) = followed;
    let unit = TimeUnit::of(&summary.diagnostics);
    let mut add = |table: Table| {
        let place = tables.iter().position(|it| it.key == "tasks");
        tables.insert(place.unwrap_or(0), table.in_unit(unit));
    };
    let mut note = None;
    if let Some(response_times) = response_times {
        match stats.cores().count() {
            0 | 1 => add(response_times.inner().table()),
            _ => note = Some((Label::Note, SEVERAL_CORES.to_owned())),
        }
    }
    if let Some((sink, length)) = every.zip(wanted.every) {
        let rows = sink.into_inner().into_inner();
        if rows.is_full() {
            return Err(Failure::NoSuch(format!(
                "--every {}: the load has more than {MAX_ROWS} rows: take longer windows, or a part of the recording with --from and --to",
                TimeUnit::Ns.duration(length)
            )));
        }
        add(load(&rows));
    }
    let text = shown(&tables).map_err(ConvError::Write)?;
    out.write_all(text.as_bytes()).map_err(ConvError::Write)?;
    Ok(CommandResult::of(summary).with(note))
}

/// The reason why response times are not computed.
const SEVERAL_CORES: &str = "response times are computed for one core only: on several cores a task also waits for tasks of the other cores";
