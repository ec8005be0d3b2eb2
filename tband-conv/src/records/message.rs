//! The content of a record: its text, its arguments, and the numbers in it that have names.

use super::dictionary::Dictionary;
use super::elements::{self, Ending};
use super::formats::Format;
use super::mark::Mark;
use super::printf::print;
use super::values::{Argument, read};
use crate::number::Number;
use tband_import::counted::counted;

/// A span of the firmware that a record begins or ends, and that does not belong to the running task: any task may end it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pair {
    /// Its type and object.
    pub of: String,
    /// The elements of the record.
    pub text: Vec<u8>,
}

/// A record that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    pub mark: Mark,
    /// If its span is one of a pair of types.
    pub pair: Option<Pair>,
    /// May be any bytes, as texts of the target are.
    pub text: Vec<u8>,
    /// None if the format is not known.
    pub arguments: Option<Vec<Argument>>,
    /// Numbers with a name in the format.
    pub counters: Vec<(String, Number)>,
}

impl Message {
    /// Returns the message of a record with the format at an address, if that is known.
    pub fn of((format, names): (Option<&Format<'_>>, &Dictionary), at: u32, record: &[u8]) -> Self {
        let unknown = |what: &str| {
            Self::from_text(format!(
                "record with a format that {what}, at {at:#x}: {}",
                counted(record.len(), "byte")
            ))
        };
        let Some(format) = format else { return unknown("is not known") };
        let Some(arguments) = read(&format.types, record) else {
            return unknown("does not fit it");
        };
        let arguments = arguments.into_iter().map(|it| it.named(names)).collect::<Vec<_>>();
        let (text, named) = print(&format.text, &arguments);
        let counter =
            |(name, of): (&str, usize)| Some((name.to_owned(), arguments.get(of)?.number()?));
        let counters = named.into_iter().filter_map(counter).collect();
        Self { mark: format.mark, pair: None, text, arguments: Some(arguments), counters }
    }

    /// Returns a message with only a text.
    pub fn from_text(text: String) -> Self {
        let (arguments, counters) = (None, Vec::new());
        Self { mark: Mark::Message, pair: None, text: text.into_bytes(), arguments, counters }
    }

    /// Returns the message of a record of a type, which contains the types of its elements.
    pub fn of_elements(names: &Dictionary, no: u32, record: &[u8]) -> Self {
        let (arguments, ending) = elements::read(record);
        let arguments = arguments.into_iter().map(|it| it.named(names)).collect::<Vec<_>>();
        let mut text = match names.type_name(no) {
            Some(name) => name.to_owned().into_bytes(),
            None => format!("record {no}").into_bytes(),
        };
        let mut shown: Vec<_> = arguments.iter().map(Argument::default_form).collect();
        if ending != Ending::Whole {
            shown.push("…".as_bytes().to_vec());
        }
        for element in &shown {
            text.push(b' ');
            text.extend(element);
        }
        let (mark, pair) = match names.pair(no) {
            Some((what, mark)) => {
                let mut of = what.to_owned();
                if elements::is_about_object(record) && !arguments.is_empty() {
                    of = format!("{of} {}", String::from_utf8_lossy(&shown.remove(0)));
                }
                (mark, Some(Pair { of, text: shown.join(&b' ') }))
            }
            None => (Mark::Message, None),
        };
        Self { mark, pair, text, arguments: Some(arguments), counters: Vec::new() }
    }
}
