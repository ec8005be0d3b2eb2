//! The fields of the event `filter`: which events are not recorded.
//!
//! Each change records the complete state again, as facts that follow each other on one core: first [`BEGIN`] with the number of
//! facts, then only the differences from "everything is recorded".

use super::classes_of;
use crate::registry::Event;

/// Field `of`: 32 ids from 32 times this number on; `is` has a bit for each that is not recorded.
pub const IDS: core::ops::Range<u32> = 0..8;
/// Field `of`: the complete state follows. `is` is the author of the last change, and from bit 8 on the number of facts that
/// follow.
pub const BEGIN: u32 = 8;
/// Field `of`, and the kind of the object: object number `is` is not recorded; or it alone is, if the kind is not.
pub const OBJECT: u32 = 16;
/// Field `of`, plus the kind: no object of this kind is recorded, except for some.
pub const KIND: u32 = 32;
/// Field `of`, plus the group of 32 ids as in [`IDS`]: ids that are not recorded because packets run out, whatever else is
/// selected.
pub const SHED: u32 = 64;

/// Selection by a command of the host: the event of this id.
pub const CHOOSE_EVENT: u32 = 0;
/// Like [`CHOOSE_EVENT`]: the classes of these bits.
pub const CHOOSE_CLASSES: u32 = 1;
/// Like [`CHOOSE_EVENT`]: everything.
pub const CHOOSE_ALL: u32 = 2;
/// Like [`CHOOSE_EVENT`], plus a kind: the object of this number.
pub const CHOOSE_OBJECT: u32 = 16;
/// Like [`CHOOSE_EVENT`], plus a kind: all objects of the kind.
pub const CHOOSE_KIND: u32 = 32;

/// Author of a change of the filter: the firmware itself.
pub const BY_FIRMWARE: u32 = 0;
/// Like [`BY_FIRMWARE`]: a command of the host.
pub const BY_HOST: u32 = 1;

/// Events that are switched together: if only one of them were recorded, the state that the first begins would never end.
const PAIRS: &[&[u8]] = &[&[4, 5, 203, 208], &[8, 9], &[124, 125], &[199, 200], &[204, 205]];

/// Returns whether an event may be left out: events of classes, and failed creation; not metadata, and not the events that
/// recordings need to be read.
#[must_use]
pub const fn may_be_left_out(id: u8) -> bool {
    const CREATE_FAILED: u8 = Event::CreateFailed { object: crate::named::Created(0) }.id();
    classes_of(id) != 0 || id == CREATE_FAILED
}

/// Returns the ids that are switched with this one, including it, as words of 32 bits.
#[must_use]
pub const fn with_its_pair(id: u8) -> [u32; 8] {
    let mut words = [0; 8];
    words[id as usize / 32] |= 1 << (id % 32);
    let mut pair = 0;
    while pair < PAIRS.len() {
        let (mut at, mut is_in) = (0, false);
        while at < PAIRS[pair].len() {
            is_in |= PAIRS[pair][at] == id;
            at += 1;
        }
        at = 0;
        while is_in && at < PAIRS[pair].len() {
            words[PAIRS[pair][at] as usize / 32] |= 1 << (PAIRS[pair][at] % 32);
            at += 1;
        }
        pair += 1;
    }
    words
}
