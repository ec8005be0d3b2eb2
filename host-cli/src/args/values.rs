//! Values of options that take more than a word to understand, with errors that say what would be right.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};
use tband_app::Export;
use tband_conv::align::AlignBy;
use tband_conv::{Moment, Which};
pub use tband_report::moment;

/// Value of `--core-count`; `None` is auto.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreCount(pub Option<u32>);

pub fn core_count(text: &str) -> Result<CoreCount, String> {
    let max = tband_conv::MAX_CORES;
    match text.parse() {
        _ if text == "auto" => Ok(CoreCount(None)),
        Ok(count) if (1..=max).contains(&count) => Ok(CoreCount(Some(count))),
        _ => Err(format!("a number from 1 to {max} or auto is needed")),
    }
}

/// A length of time, in ns.
pub fn duration(text: &str) -> Result<i64, String> {
    match moment(text)? {
        Moment::Ns(ns) => i64::try_from(ns).map_err(|_| "the time is too large".to_owned()),
        _ => Err("a time with a unit is needed, such as 2ms or 300us".to_owned()),
    }
}

/// Value of `conv --to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    Time(Moment),
    /// As Tonbandgerät's tool has it, where `--to` names the format. `--output-format` is what the help names.
    Format(&'static Export),
}

/// Formats are words, and times begin with a digit.
pub fn conv_to(text: &str) -> Result<To, String> {
    match Export::named(text) {
        Some(export) => Ok(To::Format(export)),
        None if text.starts_with(|it: char| it.is_ascii_alphabetic()) => {
            Err("a time such as 1.5ms or 2s is needed; --output-format names a format".to_owned())
        }
        None => moment(text).map(To::Time),
    }
}

/// Value of `--around`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Around {
    Time(Moment),
    /// Name or text of an event marker.
    Marker(String),
}

/// What looks like a time is one.
pub fn around(text: &str) -> Result<Around, String> {
    let is_time = text.starts_with(|it: char| it.is_ascii_digit());
    match moment(text) {
        Ok(moment) if is_time => Ok(Around::Time(moment)),
        _ if text.is_empty() => Err("a marker or a time is needed".to_owned()),
        _ => Ok(Around::Marker(text.to_owned())),
    }
}

/// Value of `--align`.
pub fn align_by(text: &str) -> Result<AlignBy, String> {
    match text.split_once(':') {
        None if text == "clock-sync" => Ok(AlignBy::ClockSync),
        Some(("marker", name)) if !name.is_empty() => Ok(AlignBy::Marker(name.to_owned())),
        _ => Err("clock-sync or marker:NAME is needed".to_owned()),
    }
}

/// An object by its name, or its number.
pub fn which(text: &str) -> Result<Which, String> {
    Ok(text.parse().map_or_else(|_| Which::Name(text.to_owned()), Which::Id))
}

/// Value of `--event`: one of many names, so an error does not list them.
#[derive(Clone, Copy, Debug)]
pub struct EventNames;

impl TypedValueParser for EventNames {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let names = PossibleValuesParser::new(tband_conv::event_names());
        names.parse_ref(command, arg, value).map_err(|mut error| {
            error.remove(ContextKind::ValidValue);
            let tip = "'tband-cli stats' lists the events that a recording has";
            let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
            error.insert(ContextKind::Suggested, tips);
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(tband_conv::event_names().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_aligned_by_pairs_or_by_a_marker() {
        assert_eq!(align_by("clock-sync"), Ok(AlignBy::ClockSync));
        assert_eq!(align_by("marker:a:b"), Ok(AlignBy::Marker("a:b".to_owned())));
        for wrong in ["", "sync", "marker", "marker:", "pulse:1"] {
            assert!(align_by(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_trace_is_converted_to_a_format_and_up_to_a_time() {
        for export in tband_app::EXPORTS {
            assert_eq!(conv_to(export.name), Ok(To::Format(export)));
        }
        assert_eq!(conv_to("2ms"), Ok(To::Time(Moment::Ns(2_000_000))));
        assert_eq!(conv_to("7"), Ok(To::Time(Moment::Ticks(7))));
        for wrong in ["", "ctf", "2 parsecs", "-1ms", "Perfetto"] {
            assert!(conv_to(wrong).is_err(), "{wrong}");
        }
    }
}
