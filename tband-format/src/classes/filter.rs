//! What the event `filter` says: which events are not recorded.
//!
//! A state is said anew each time, by facts that follow each other on one core: first [`BEGIN`], which says how many facts
//! come, then only what differs from "everything is recorded".

use super::classes_of;
use crate::registry::Event;

/// Field `of`: 32 ids from 32 times this number on; `is` has a bit for each that is not recorded.
pub const IDS: core::ops::Range<u32> = 0..8;
/// Field `of`: the state is said anew. `is` is by whom it was changed last, and from bit 8 how many facts follow.
pub const BEGIN: u32 = 8;
/// Field `of`, and the kind of the object: object number `is` is not recorded; or it alone is, if the kind is not.
pub const OBJECT: u32 = 16;
/// Field `of`, and the kind: no object of this kind is recorded, but for some.
pub const KIND: u32 = 32;
/// Field `of`, and which 32 ids as in [`IDS`]: those of which nothing is recorded since packets run out, whatever else is chosen.
pub const SHED: u32 = 64;

/// What a command of the host chooses: the event of this id.
pub const CHOOSE_EVENT: u32 = 0;
/// As [`CHOOSE_EVENT`]: the classes of these bits.
pub const CHOOSE_CLASSES: u32 = 1;
/// As [`CHOOSE_EVENT`]: everything.
pub const CHOOSE_ALL: u32 = 2;
/// As [`CHOOSE_EVENT`], plus a kind: the object of this number.
pub const CHOOSE_OBJECT: u32 = 16;
/// As [`CHOOSE_EVENT`], plus a kind: all objects of the kind.
pub const CHOOSE_KIND: u32 = 32;

/// Whoever has changed a filter: the firmware itself.
pub const BY_FIRMWARE: u32 = 0;
/// As [`BY_FIRMWARE`]: a command of the host.
pub const BY_HOST: u32 = 1;

/// Events that go together: where one of them is not recorded, the other is not either, or what the first begins would
/// never end.
const PAIRS: &[&[u8]] = &[&[4, 5, 203, 208], &[8, 9], &[124, 125], &[199, 200], &[204, 205]];

/// An event may be left out: what belongs to a class, and creation that fails. Not metadata, not what recordings are
/// read by.
#[must_use]
pub const fn may_be_left_out(id: u8) -> bool {
    const CREATE_FAILED: u8 = Event::CreateFailed { object: crate::Created(0) }.id();
    classes_of(id) != 0 || id == CREATE_FAILED
}

/// The ids that are switched with this one, which is among them, as words of 32 bits.
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
