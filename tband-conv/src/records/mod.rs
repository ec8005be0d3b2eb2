//! Records of the application's own: their formats, as far as they are known, and what a record says.

mod dictionary;
mod elements;
mod formats;
mod message;
mod printf;
mod values;

pub(crate) use self::dictionary::Dictionary;
pub use self::formats::formats_of_section;
pub(crate) use self::formats::{Formats, Mark};
pub(crate) use self::message::Message;
pub(crate) use self::values::Argument;
