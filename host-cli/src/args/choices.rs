//! Options that take one of a few words.

use std::ffi::OsStr;
use std::marker::PhantomData;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command};
use tband_app::choice::Choice;
use tband_app::exports::{EXPORTS, Export};

/// Parses the words of a [`Choice`].
#[derive(Clone, Copy, Debug)]
pub struct Words<C>(PhantomData<C>);

/// A parser of the words of a [`Choice`].
pub const fn words<C: Choice>() -> Words<C> {
    Words(PhantomData)
}

/// Parses one of these words, which are in the error if it is none.
fn parse_choice<V: Clone + Send + Sync + 'static>(
    (command, arg, value): (&Command, Option<&Arg>, &OsStr),
    words: impl Iterator<Item = &'static str>,
    named: impl Fn(&str) -> Option<V>,
) -> Result<V, clap::Error> {
    let word = PossibleValuesParser::new(words).parse_ref(command, arg, value)?;
    named(&word).ok_or_else(|| clap::Error::new(clap::error::ErrorKind::InvalidValue))
}

impl<C: Choice> TypedValueParser for Words<C> {
    type Value = C;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<C, clap::Error> {
        parse_choice((command, arg, value), C::ALL.iter().map(|it| it.1), C::from_name)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |(_, word, about): &(C, &'static str, &'static str)| {
            PossibleValue::new(*word).help(*about)
        };
        Some(Box::new(C::ALL.iter().map(value)))
    }
}

/// Parses what recordings are converted to.
#[derive(Clone, Copy, Debug)]
pub struct ExportName;

impl TypedValueParser for ExportName {
    type Value = &'static Export;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<&'static Export, clap::Error> {
        parse_choice((command, arg, value), EXPORTS.iter().map(|it| it.name), Export::named)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value =
            |export: &Export| PossibleValue::new(export.name).help(capitalized(export.about));
        Some(Box::new(EXPORTS.iter().map(value)))
    }
}

/// The names of some exports, for the short help.
pub fn some_exports() -> String {
    let names: Vec<&str> = EXPORTS.iter().take(5).map(|it| it.name).collect();
    format!("Format: {}, ...", names.join(", "))
}

/// What each export is for, for the long help.
pub fn all_exports() -> String {
    let each = EXPORTS.iter().map(|it| format!("{}: {}.", it.name, it.about));
    format!("{}\n\n{}", some_exports(), each.collect::<Vec<_>>().join(" "))
}

/// Returns the text with a capital letter.
fn capitalized(text: &str) -> String {
    let (first, rest) = text.split_at_checked(1).unwrap_or_default();
    first.to_ascii_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use crate::args::Cli;

    /// Where the help does not list what an option takes, the option's own text has it.
    #[test]
    fn words_that_the_help_leaves_out_are_in_the_text_of_the_option() {
        let mut count = 0;
        for command in Cli::command().get_subcommands() {
            for arg in command.get_arguments().filter(|arg| arg.is_hide_possible_values_set()) {
                // The names of all events; the help refers to their list.
                if arg.get_id() == "event" {
                    continue;
                }
                let help = arg.get_long_help().or(arg.get_help()).unwrap().to_string();
                let words: Vec<&str> =
                    help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').collect();
                for value in arg.get_possible_values() {
                    let (name, id) = (value.get_name(), arg.get_id());
                    assert!(words.contains(&name), "{}: --{id}: no {name}", command.get_name());
                    count += 1;
                }
            }
        }
        assert!(count > 30, "{count}");
    }
}
