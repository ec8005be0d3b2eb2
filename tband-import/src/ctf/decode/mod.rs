//! Reads fields out of bytes, as the metadata describes them.

mod bits;
mod fields;
mod text;

pub use self::bits::{Cursor, ReadStop};
pub use self::fields::{Decoder, bytes_of, signed};
pub use self::text::show;
