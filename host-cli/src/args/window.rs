//! Which part of a recording is of interest, in time.

use anyhow::bail;
use clap::Args;
use tband_conv::{ConvError, FoundMarker, Input, Moment, Options, Part, find_marker};
use tband_report::dump::judge;
use tband_report::{duration as shown, messages};

use super::choices::Target;
use super::values::{Around, To, around, conv_to, duration, moment};
use super::wrong_usage;
use crate::report::Report;

/// Where a window begins.
#[derive(Clone, Debug, Args)]
pub struct From {
    /// Nothing before this time, as 1.5ms, 2s or ticks
    ///
    /// On the target's clock, as in the recording. Units are ns, us, ms and s; a number alone is in
    /// ticks of the timestamps. What runs, waits or is open then is so from the start. In a dump, what
    /// has no time of its own takes that of the event before it.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub from: Option<Moment>,
}

/// A window by what is in the middle of it.
#[derive(Clone, Debug, Args)]
pub struct Middle {
    /// Only what is around this marker or time; see --span
    ///
    /// A time, or the name or text of an event marker: the first time that it fires or begins a span. That
    /// is in the middle of --span.
    #[arg(long, value_name = "WHERE", value_parser = around, conflicts_with = "from")]
    pub around: Option<Around>,

    /// How much of it
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

    /// Nothing after this time
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

    /// Nothing after a time; or a format: perfetto, ctf1, ctf2
    ///
    /// May be given for both. A time is as in --from. perfetto: a trace for ui.perfetto.dev; it need not be
    /// named. ctf2: a folder with a trace of the Common Trace Format, version 2, for babeltrace2 from 2.1 on.
    /// ctf1: the same in version 1.8, which Trace Compass and older babeltrace2 read. Both formats have all
    /// that was recorded, so they take no window.
    #[arg(long, value_name = "TO", value_parser = conv_to)]
    pub to: Vec<To>,

    #[command(flatten)]
    pub middle: Middle,
}

impl ConvWindow {
    /// Tells the two meanings of `--to` apart.
    pub fn split(&self) -> (Target, Window) {
        let (mut target, mut end) = (None, None);
        for to in &self.to {
            let is_second = match *to {
                To::Format(format) => target.replace(format).is_some(),
                To::Time(moment) => end.replace(moment).is_some(),
            };
            if is_second {
                wrong_usage("conv", "--to takes one format and one time at most");
            }
        }
        if end.is_some() && self.middle.around.is_some() {
            wrong_usage("conv", "--to with a time cannot be used with --around");
        }
        let window = Window { from: self.from.clone(), to: end, middle: self.middle.clone() };
        (target.unwrap_or(Target::Perfetto), window)
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
pub fn tell_if_empty(part: Option<&Part>, report: &Report) {
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
