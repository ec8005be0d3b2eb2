//! Events outside of the base that recorders in tests describe: sets of made-up ones, so that the tests are the same
//! whether or not the registry has any.

use tband_format::declaration::{DECLARATIONS, Declaration};
use tband_format::field::FieldKind;
use tband_format::registry::{EventDef, FieldDef, Group};

/// No events outside of the base.
pub const NONE: usize = 0;
/// Those of the registry, which firmware describes.
pub const REGISTRY: usize = 1;
/// One event with a time and a number.
pub const ONE: usize = 2;
/// Events of each kind: with and without a time, fields and a text.
pub const EACH_KIND: usize = 3;
/// More events than a small packet has room for, each with the longest description.
pub const MANY: usize = 4;

pub const SETS: [&[Declaration]; 5] = [
    &[],
    &DECLARATIONS,
    &declarations::<1>(ONE_EVENT),
    &declarations::<6>(KINDS),
    &declarations::<9>(LONG),
];

/// The events of each set but that of the registry.
pub const EVENTS: [&[EventDef]; 5] =
    [&[], tband_format::registry::DECLARED, ONE_EVENT, KINDS, LONG];

const ONE_EVENT: &[EventDef] = &[event(215, "one_event", false, &[NUMBER])];
const KINDS: &[EventDef] = &[
    event(215, "without_fields", false, &[]),
    event(216, "with_number", false, &[NUMBER]),
    event(217, "with_numbers", false, &[NUMBER, WIDE]),
    event(218, "with_text", false, &[NUMBER, TEXT]),
    event(219, "known_by_number", true, &[NUMBER]),
    event(220, "known_by_name", true, &[NUMBER, TEXT]),
];
const LONG: &[EventDef] = &{
    const NAME: &str = "an_event_that_has_a_name_of_48_letters_and_digits";
    let mut events = [event(0, NAME.split_at(48).0, false, &[NUMBER, WIDE, TEXT]); 9];
    let mut index = 0;
    while index < events.len() {
        events[index].id = 215 + index as u8;
        index += 1;
    }
    events
};

const NUMBER: FieldDef = FieldDef { name: "number", kind: FieldKind::U32 };
const WIDE: FieldDef = FieldDef { name: "wide", kind: FieldKind::U64 };
const TEXT: FieldDef = FieldDef { name: "text", kind: FieldKind::Str };

const fn event(
    id: u8,
    name: &'static str,
    metadata: bool,
    fields: &'static [FieldDef],
) -> EventDef {
    EventDef { id, name, group: Group::Base, metadata, fields, doc: "" }
}

const fn declarations<const COUNT: usize>(events: &[EventDef]) -> [Declaration; COUNT] {
    assert!(events.len() == COUNT);
    let mut declarations = [Declaration::of(&events[0]); COUNT];
    let mut index = 1;
    while index < COUNT {
        declarations[index] = Declaration::of(&events[index]);
        index += 1;
    }
    declarations
}
