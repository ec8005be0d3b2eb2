//! Values of options that take more than a word to understand, with errors that say what would be right.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};
use tband_app::exports::Export;
use tband_app::options::values::{self, moment};
use tband_conv::clock::moment::Moment;
use tband_conv::dump::ObjectSelector;

/// Value of `--core-count`; `None` is auto.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoreCount(pub Option<u32>);

pub fn core_count(text: &str) -> Result<CoreCount, String> {
    values::core_count(text).map(CoreCount)
}

/// Value of `conv --to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToValue {
    Time(Moment),
    /// As Tonbandgerät's tool has it, where `--to` names the format. `--output-format` is what the help names.
    Format(&'static Export),
}

/// Formats are words, and times begin with a digit.
pub fn conv_to(text: &str) -> Result<ToValue, String> {
    match Export::named(text) {
        Some(export) => Ok(ToValue::Format(export)),
        None if text.starts_with(|it: char| it.is_ascii_alphabetic()) => {
            Err("a time such as 1.5ms or 2s is needed; --output-format names a format".to_owned())
        }
        None => moment(text).map(ToValue::Time),
    }
}

/// Value of `init --clock`: a whole number of Hz.
pub fn hertz(text: &str) -> Result<u32, String> {
    let frequency = values::frequency(text)?;
    let hz = u32::try_from(frequency.numerator()).ok().filter(|_| frequency.denominator() == 1);
    hz.ok_or_else(|| "a whole number of Hz, up to 4294967295, is needed, such as 168M".to_owned())
}

/// An object by its name, or its number.
pub fn parse_object(text: &str) -> Result<ObjectSelector, String> {
    Ok(values::parse_object(text))
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
        let names = PossibleValuesParser::new(tband_conv::dump::event_names());
        names.parse_ref(command, arg, value).map_err(|mut error| {
            error.remove(ContextKind::ValidValue);
            let tip = "'tband-cli stats' lists the events that a recording has";
            let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
            error.insert(ContextKind::Suggested, tips);
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(tband_conv::dump::event_names().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_converted_to_a_format_and_up_to_a_time() {
        for export in tband_app::exports::EXPORTS {
            assert_eq!(conv_to(export.name), Ok(ToValue::Format(export)));
        }
        assert_eq!(conv_to("2ms"), Ok(ToValue::Time(Moment::Ns(2_000_000))));
        assert_eq!(conv_to("7"), Ok(ToValue::Time(Moment::Ticks(7))));
        for wrong in ["", "ctf", "2 parsecs", "-1ms", "Perfetto"] {
            assert!(conv_to(wrong).is_err(), "{wrong}");
        }
    }
}
