//! Records that contain the types of their elements: letters of types, each with its value. port/records/tband_elements.h
//! writes them.

use super::values::{Argument, Reader, Type};

/// Marks elements that had no room.
const CUT: u8 = b'+';
/// The letter of an object.
const OBJECT: u8 = b'o';
/// Most elements; more do not fit into a record.
const MOST: usize = 65_536;

/// The first element is the object that it is about.
pub(super) fn is_about_object(record: &[u8]) -> bool {
    record.first() == Some(&OBJECT)
}

/// How the elements of a record end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Whole,
    /// Others had no room.
    Cut,
    /// The next bytes are not elements.
    Damaged,
}

/// Returns the elements of a record, up to the end or to bytes that are not an element.
pub(super) fn read(record: &[u8]) -> (Vec<Argument>, Ending) {
    let mut reader = Reader::new(record);
    let mut found = Vec::new();
    while let Some(letter) = reader.byte() {
        let element = Type::of(letter).filter(|_| letter != CUT && found.len() < MOST);
        let Some(element) = element.and_then(|of| reader.argument(of)) else {
            let is_cut = letter == CUT && reader.is_at_end();
            return (found, if is_cut { Ending::Cut } else { Ending::Damaged });
        };
        found.push(element);
    }
    (found, Ending::Whole)
}
