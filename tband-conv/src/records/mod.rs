//! Log records of the application: their formats, as far as they are known, and their content.

mod dictionary;
mod elements;
mod fields;
mod formats;
mod mark;
mod message;
mod printf;
mod program;
mod symbol;
mod values;

pub(crate) use self::dictionary::{Dictionary, number, sort};
pub(crate) use self::fields::{Fields, RecordKind};
pub(crate) use self::formats::Format;
pub use self::formats::formats_of_section;
pub(crate) use self::mark::Mark;
pub(crate) use self::message::{Message, Pair};
pub(crate) use self::program::{LoadedProgram, ProgramFacts, build_of};
pub use self::program::{ProgramId, is_identity};
pub use self::symbol::ProgramSymbol;
pub(crate) use self::values::Argument;
