//! The class of an event that is a record: its name, and its fields with their types.

use std::collections::{BTreeMap, BTreeSet};

use tband_format::Str;

use super::field_type::FieldType;
use crate::model::is_control;
use crate::records::{Fields, Mark, RecordKind};

/// Letters of a name, of an event or of a value.
const MAX_NAME: usize = 120;

/// A field.
#[derive(Clone, Debug)]
pub(in crate::ctf) struct Field {
    /// Letters of ASCII, digits and underscores; no other field of the event has it.
    pub name: String,
    pub of: FieldType,
    /// Names of its values, as far as they occur.
    pub values: BTreeMap<u64, String>,
}

impl Field {
    const fn new(name: String, of: FieldType) -> Self {
        Self { name, of, values: BTreeMap::new() }
    }

    /// The name of the field before it that has its length, if it is memory.
    pub fn length(&self) -> String {
        length_of(&self.name)
    }
}

fn length_of(name: &str) -> String {
    format!("{name}_length")
}

/// The class of an event.
#[derive(Clone, Debug)]
pub(in crate::ctf) struct Class {
    pub name: String,
    /// The address of the format, or the number of the type, then the arguments.
    pub fields: Vec<Field>,
}

impl Class {
    /// Of such a record, whose type may have a name.
    pub fn of(record: &Fields, type_name: Option<&str>) -> Self {
        let (what, first) = match &record.kind {
            RecordKind::Format(mark, text) => {
                let mark = match mark {
                    Mark::Message => "",
                    Mark::Begin => "begin ",
                    Mark::End => "end ",
                };
                let at = Field::new("at".to_owned(), FieldType::Pointer);
                (format!("{mark}{}", plain(text)), at)
            }
            RecordKind::Typed { no, .. } => {
                let name = type_name.map_or_else(|| no.to_string(), |it| plain(it.as_bytes()));
                (name, Field::new("no".to_owned(), FieldType::Unsigned(32)))
            }
        };
        let cut = if record.is_whole { "" } else { " (cut)" };
        let mut taken = BTreeSet::from([first.name.clone()]);
        let mut fields = vec![first];
        for (at, (argument, name)) in record.arguments.iter().zip(record.names()).enumerate() {
            let of = FieldType::of(argument);
            let name = name.map_or_else(|| format!("arg{}", at + 1), |it| it.replace('.', "_"));
            fields.push(Field::new(free(&name, of, &mut taken), of));
        }
        Self { name: format!("record {what}{cut}"), fields }
    }
}

/// This name, or one like it that no other field has, nor a length of one.
fn free(name: &str, of: FieldType, taken: &mut BTreeSet<String>) -> String {
    let more = (2_usize..).map(|number| format!("{name}_{number}"));
    let is_free = |it: &String| {
        !taken.contains(it) && (of != FieldType::Memory || !taken.contains(&length_of(it)))
    };
    let found = std::iter::once(name.to_owned()).chain(more).find(is_free).unwrap_or_default();
    if of == FieldType::Memory {
        taken.insert(length_of(&found));
    }
    taken.insert(found.clone());
    found
}

/// A text on one line that is not too long for a name.
pub(super) fn plain(text: &[u8]) -> String {
    let text = Str(text).to_string();
    let text: String =
        text.trim().chars().map(|it| if is_control(it) { ' ' } else { it }).collect();
    match text.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
