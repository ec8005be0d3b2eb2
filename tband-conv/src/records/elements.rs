//! Records that say what their elements are: letters of types, each with its value. port/records/tband_elements.h writes them.

use super::dictionary::Dictionary;
use super::values::{Argument, Reader, Type};

/// Stands for elements that had no room.
const CUT: u8 = b'+';
/// The letter of an object.
const OBJECT: u8 = b'o';
/// Most elements; more do not fit into a record.
const MOST: usize = 65_536;

/// The first element is the object that it is about.
pub(super) fn is_about_object(record: &[u8]) -> bool {
    record.first() == Some(&OBJECT)
}

/// The elements of a record, and whether that is all of it.
pub(super) fn read(record: &[u8], names: &Dictionary) -> (Vec<Argument>, bool) {
    let mut reader = Reader::new(record);
    let mut found = Vec::new();
    while let Some(letter) = reader.byte() {
        let element = Type::of(letter).filter(|_| letter != CUT && found.len() < MOST);
        let Some(element) = element.and_then(|of| reader.argument(of)) else {
            return (found, false);
        };
        found.push(element.named(names));
    }
    (found, true)
}
