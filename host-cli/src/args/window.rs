//! Which part of a recording is of interest, in time.

use anyhow::bail;
use clap::Args;
use tband_app::Export;
use tband_conv::{ConvError, FoundMarker, Input, Moment, Options, Part, find_marker};
use tband_report::dump::judge;
use tband_report::{duration as shown, messages};

use super::choices::{ExportName, all_exports, some_exports};
use super::values::{Around, To, around, conv_to, duration, moment};
use super::wrong_usage;
use crate::report::Report;

/// Where a window begins.
#[derive(Clone, Debug, Args)]
pub struct From {
    /// Start at this time, as 1.5ms, 2s or ticks
    ///
    /// On the target's clock, as in the recording. Units are ns, us, ms and s; a number without a unit is in ticks of
    /// the timestamp timer. The output starts with the state at this time: what runs, waits or is open. In a dump, an
    /// event without a time of its own has that of the event before it.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub from: Option<Moment>,
}

/// A window by what is in the middle of it.
#[derive(Clone, Debug, Args)]
pub struct Middle {
    /// Only the time around this marker or time
    ///
    /// --span says how much. A time, or the name or text of an event marker: the first time that it fires or begins a span. That is the
    /// middle of the output.
    #[arg(long, value_name = "WHERE", value_parser = around, conflicts_with = "from")]
    pub around: Option<Around>,

    /// Length of the time around --around
    #[arg(
        long,
        hide_short_help = true,
        value_name = "TIME",
        value_parser = duration,
        requires = "around",
        default_value = "2ms"
    )]
    pub span: i64,
}

/// A window in time.
#[derive(Clone, Debug, Args)]
pub struct Window {
    #[command(flatten)]
    pub from: From,

    /// End at this time
    #[arg(long, value_name = "TIME", value_parser = moment, conflicts_with = "around")]
    pub to: Option<Moment>,

    #[command(flatten)]
    pub middle: Middle,
}

/// A window in time, and what to convert to.
#[derive(Clone, Debug, Args)]
pub struct ConvWindow {
    #[command(flatten)]
    pub from: From,

    /// End at this time
    #[arg(long, value_name = "TIME", value_parser = conv_to)]
    pub to: Vec<To>,

    #[arg(long, value_parser = ExportName, value_name = "FORMAT", default_value = Export::usual().name,
        help = some_exports(), long_help = all_exports(),
        hide_possible_values = true, hide_default_value = true)]
    pub output_format: &'static Export,

    #[command(flatten)]
    pub middle: Middle,
}

impl ConvWindow {
    /// What to convert to, and the window, whichever option names the format.
    pub fn split(&self) -> (&'static Export, Window) {
        let (mut format, mut end) = (None, None);
        for to in &self.to {
            let is_second = match *to {
                To::Format(to) => format.replace(to).is_some(),
                To::Time(moment) => end.replace(moment).is_some(),
            };
            if is_second {
                wrong_usage("conv", "--to can be given once");
            }
        }
        let format = match (format, self.output_format) {
            (Some(to), chosen) if chosen != Export::usual() && chosen != to => {
                wrong_usage("conv", "--to and --output-format name different formats");
            }
            (to, chosen) => to.unwrap_or(chosen),
        };
        if end.is_some() && self.middle.around.is_some() {
            wrong_usage("conv", "--to cannot be used with --around");
        }
        let window = Window { from: self.from.clone(), to: end, middle: self.middle.clone() };
        (format, window)
    }
}

impl Window {
    /// The whole recording is of interest.
    pub const fn is_all(&self) -> bool {
        self.from.from.is_none() && self.to.is_none() && self.middle.around.is_none()
    }

    /// How often inputs are read to find it.
    pub const fn passes(&self) -> usize {
        if matches!(self.middle.around, Some(Around::Marker(_))) { 2 } else { 0 }
    }

    /// Its two ends.
    pub fn ends(
        &self,
        command: &str,
        inputs: &[Input<'_>],
        options: &Options,
        report: &Report,
    ) -> anyhow::Result<(Option<Moment>, Option<Moment>)> {
        let (from, to) = (self.from.from, self.to);
        match (from, to) {
            // Ticks and time cannot be compared without the recording.
            (Some(Moment::Ticks(from)), Some(Moment::Ticks(to)))
            | (Some(Moment::Ns(from)), Some(Moment::Ns(to)))
                if from > to =>
            {
                wrong_usage(command, "--from lies after --to")
            }
            _ => {}
        }
        let half = self.middle.span / 2;
        let around = |ns: u64| {
            let (from, to) = (ns.saturating_add_signed(-half), ns.saturating_add_signed(half));
            (Some(Moment::Ns(from)), Some(Moment::Ns(to)))
        };
        Ok(match &self.middle.around {
            None => (from, to),
            Some(Around::Time(Moment::Ticks(ticks))) => {
                let end = |ns| Some(Moment::TicksAndNs(*ticks, ns));
                (end(-half), end(half))
            }
            Some(Around::Time(Moment::Ns(ns) | Moment::TicksAndNs(ns, _))) => around(*ns),
            Some(Around::Marker(name)) => {
                let Some(FoundMarker { first_ns, count, .. }) = find_marker(inputs, options, name)?
                else {
                    bail!("{}", judge(inputs, options)?.1.no_marker(name));
                };
                let at = shown(first_ns);
                match count {
                    1 => report.note(&format!("--around {name}: at {at}")),
                    _ => report.note(&format!(
                        "--around {name}: at {at}, the first of {count} times; for another one give \
                         its time"
                    )),
                }
                around(first_ns.unsigned_abs())
            }
        })
    }
}

/// Says it if there is nothing in a window.
pub fn report_if_empty(part: Option<&Part>, report: &Report) {
    report.tell(messages::empty_window(part));
}

/// The error of a window that ends before it begins, in the words of the command line.
pub fn named(error: ConvError) -> anyhow::Error {
    match error {
        ConvError::EmptyWindow { from_ns, to_ns } => anyhow::anyhow!(
            "--from lies after --to: that is at {}, this at {}",
            shown(from_ns),
            shown(to_ns)
        ),
        other => other.into(),
    }
}
