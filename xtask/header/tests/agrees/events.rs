//! The constants of the header are the registry's events.

use std::collections::BTreeMap;

use tband_format::field::FieldKind;
use tband_format::registry::EVENTS;

/// The part of a constant's name for a kind of field.
fn type_part(kind: &FieldKind) -> &'static str {
    match kind {
        FieldKind::U8 => "U8",
        // Firmware records enumerations as numbers.
        FieldKind::Enum { .. } | FieldKind::U32 => "U32",
        FieldKind::U64 => "U64",
        FieldKind::S64 => "S64",
        FieldKind::Str => "STR",
        FieldKind::Optional(inner) => type_part(inner),
    }
}

#[test]
fn each_constant_is_an_event_with_its_id_and_fields() {
    let mut constants = crate::constants(&crate::header());
    constants.retain(|name, _| name.starts_with("TBAND_EVT_"));
    let expected: BTreeMap<_, _> = EVENTS
        .iter()
        .map(|event| {
            let mut parts = vec!["TBAND_EVT"];
            if event.metadata {
                parts.push("META");
            }
            parts.extend(event.fields.iter().map(|field| type_part(&field.kind)));
            let name = event.name.to_uppercase();
            parts.push(&name);
            (parts.join("_"), u64::from(event.id))
        })
        .collect();
    assert_eq!(constants, expected);
    // Two that are written out here, so that neither side decides alone.
    assert_eq!(constants["TBAND_EVT_META_U32_U32_STR_TASK_VALMARKER_NAME"], 126);
    assert_eq!(constants["TBAND_EVT_U32_S64_VALMARKER"], 11);
}

#[test]
fn each_value_of_an_enumeration_is_the_registry_s() {
    let mut constants = crate::constants(&crate::header());
    constants.retain(|name, _| name.starts_with("TBAND_QUEUE_KIND_"));
    let expected = [
        ("TBAND_QUEUE_KIND_QUEUE", 0),
        ("TBAND_QUEUE_KIND_COUNTING_SEMAPHORE", 1),
        ("TBAND_QUEUE_KIND_BINARY_SEMAPHORE", 2),
        ("TBAND_QUEUE_KIND_MUTEX", 3),
        ("TBAND_QUEUE_KIND_RECURSIVE_MUTEX", 4),
        ("TBAND_QUEUE_KIND_QUEUE_SET", 5),
    ];
    assert_eq!(constants, expected.map(|(name, value)| (name.to_owned(), value)).into());
    let kinds = EVENTS.iter().flat_map(|event| event.fields).find_map(|field| match field.kind {
        FieldKind::Enum { values, .. } => Some(values),
        _ => None,
    });
    let values: Vec<_> = kinds.into_iter().flatten().map(|(value, _)| u64::from(*value)).collect();
    assert_eq!(values, [0, 1, 2, 3, 4, 5]);
}
