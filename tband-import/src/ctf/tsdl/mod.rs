//! The language of CTF 1.8 for metadata, TSDL.

mod blocks;
mod enumeration;
mod lexer;
mod packets;
mod parser;
mod types;

use self::parser::Parser;
use super::model::{Declaration, MetadataError};

/// Reads metadata, as text or in packets.
///
/// # Errors
/// [`MetadataError`] with the line that is wrong.
pub fn read(bytes: &[u8]) -> Result<Declaration, MetadataError> {
    match packets::order(bytes) {
        Some(order) => Parser::new(&packets::unpack(bytes, order)?).trace(),
        None => Parser::new(bytes).trace(),
    }
}
