//! Which part of a recording is of interest, in time.

use clap::Args;
use tband_app::exports::Export;
use tband_app::options::values::{WindowCentre, around, duration, moment};
use tband_app::options::{Window as AppWindow, WindowEnds};
use tband_conv::clock::moment::Moment;
use tband_conv::{Input, Options};

use super::choices::{ExportName, all_exports, some_exports};
use super::values::{ToValue, conv_to};
use super::wrong_usage;
use crate::failed::failed;
use crate::report::Report;

/// Where a window begins.
#[derive(Clone, Debug, Args)]
pub struct WindowBeginArgs {
    /// Start at this time, as 1.5ms, 2s or ticks
    ///
    /// On the target's clock, as in the recording. Units are ns, us, ms and s; a number without a unit is in ticks of
    /// the timestamp timer. The output starts with the state at this time: what runs, waits or is open. In a dump, an
    /// event without a time has that of the event before it.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub from: Option<Moment>,
}

/// A window around a moment.
#[derive(Clone, Debug, Args)]
pub struct WindowMiddleArgs {
    /// Only the time around this marker or time
    ///
    /// A time, or the name or text of an event marker: the first time that it fires or begins a span. That is the middle of the output;
    /// --span sets its length.
    #[arg(long, value_name = "WHERE", value_parser = around, allow_hyphen_values = true, conflicts_with = "from")]
    pub around: Option<WindowCentre>,

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
    pub from: WindowBeginArgs,

    /// End at this time
    #[arg(long, value_name = "TIME", value_parser = moment, conflicts_with = "around")]
    pub to: Option<Moment>,

    #[command(flatten)]
    pub middle: WindowMiddleArgs,
}

/// A window in time, and what to convert to.
#[derive(Clone, Debug, Args)]
pub struct ConvWindow {
    #[command(flatten)]
    pub from: WindowBeginArgs,

    /// End at this time
    #[arg(long, value_name = "TIME", value_parser = conv_to)]
    pub to: Vec<ToValue>,

    #[arg(long, value_parser = ExportName, value_name = "FORMAT", default_value = Export::usual().name,
        help = some_exports(), long_help = all_exports(),
        hide_possible_values = true, hide_default_value = true)]
    pub output_format: &'static Export,

    #[command(flatten)]
    pub middle: WindowMiddleArgs,
}

impl ConvWindow {
    /// What to convert to, and the window, whichever option names the format.
    pub fn split(&self) -> (&'static Export, AppWindow) {
        let (mut format, mut end) = (None, None);
        for to in &self.to {
            let is_second = match *to {
                ToValue::Format(to) => format.replace(to).is_some(),
                ToValue::Time(moment) => end.replace(moment).is_some(),
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
        (format, window.window())
    }
}

impl Window {
    /// As it was asked for.
    pub fn window(&self) -> AppWindow {
        let WindowMiddleArgs { around, span } = self.middle.clone();
        AppWindow { from: self.from.from, to: self.to, around, span }
    }
}

/// Both ends of a window of a command.
pub fn ends(
    window: &AppWindow,
    command: &str,
    (inputs, options): (&[Input<'_>], &Options),
    report: &Report,
) -> anyhow::Result<WindowEnds> {
    if window.is_reversed() {
        wrong_usage(command, "--from is after --to");
    }
    let (ends, message) = window.ends(inputs, options).map_err(failed)?;
    report.messages(message);
    Ok(ends)
}
