//! QS, the trace of QP: frames with a sequence number, a record and a checksum.

mod about;
mod dictionary;
mod layout;
mod preamble;
mod reader;
mod record;
mod show;
mod sizes;
#[cfg(test)]
mod tests;
mod user;

pub use preamble::is_text;
pub use reader::Qs;
