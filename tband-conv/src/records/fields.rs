//! The arguments of a record as fields, each with its type: as they were recorded, names apart.

use super::dictionary::Dictionary;
use super::elements::{self, Ending};
use super::formats::Format;
use super::mark::Mark;
use super::printf::print;
use super::values::{Argument, read};

/// The kind of a record, without its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RecordKind {
    /// It has this format, as text.
    Format(Mark, Vec<u8>),
    /// It is of this type, and may be about an object, which is its first field.
    Typed { no: u32, is_about_object: bool },
}

/// A record whose arguments are all known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fields {
    pub kind: RecordKind,
    pub arguments: Vec<Argument>,
    /// Its end is complete.
    pub is_whole: bool,
}

impl Fields {
    /// Returns the fields of a record with this format; `None` if it does not fit the format.
    pub fn of_format(format: &Format<'_>, record: &[u8]) -> Option<Self> {
        let arguments = read(&format.types, record)?;
        let is_whole = arguments.len() == format.types.len();
        let kind = RecordKind::Format(format.mark, format.text.to_vec());
        Some(Self { kind, arguments, is_whole })
    }

    /// Returns the fields of a record of a type; `None` if it is damaged.
    pub fn of_elements(no: u32, record: &[u8]) -> Option<Self> {
        let (arguments, ending) = elements::read(record);
        let is_about_object = elements::is_about_object(record) && !arguments.is_empty();
        let kind = RecordKind::Typed { no, is_about_object };
        let is_whole = ending == Ending::Whole;
        (ending != Ending::Damaged).then_some(Self { kind, arguments, is_whole })
    }

    /// The names that the format has for its arguments, in their order.
    pub fn names(&self) -> Vec<Option<String>> {
        let mut names = vec![None; self.arguments.len()];
        match &self.kind {
            RecordKind::Format(_, text) => {
                for (name, of) in print(text, &self.arguments).1 {
                    if let Some(named) = names.get_mut(of) {
                        *named = Some(name.to_owned());
                    }
                }
            }
            RecordKind::Typed { is_about_object, .. } => {
                if let Some(first) = names.first_mut().filter(|_| *is_about_object) {
                    *first = Some("object".to_owned());
                }
            }
        }
        names
    }
}

impl Argument {
    /// Returns the name of its value, as in [`named`](Self::named).
    pub fn name(&self, names: &Dictionary) -> Option<String> {
        match *self {
            Self::Pointer(at) => names.symbol(at, false),
            Self::Function(at) => names.symbol(at, true),
            Self::Constant(constant) => names.constant(constant).map(ToOwned::to_owned),
            _ => None,
        }
    }
}
