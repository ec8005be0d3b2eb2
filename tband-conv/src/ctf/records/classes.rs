//! The classes of all records of a trace, which are numbered as they come.

use std::collections::{BTreeSet, HashMap};

use super::class::{Class, plain};
use super::field_type::{FieldType, value_of};
use crate::records::{Dictionary, Fields, RecordKind};

/// Classes of a trace. Programs have hundreds of formats; more than this are damage, and stay records as they are.
const MOST: usize = 16_384;
/// Names of values in all of them.
const MOST_VALUES: usize = 100_000;

/// Common properties of the records of one class.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    kind: RecordKind,
    types: Vec<FieldType>,
    is_whole: bool,
}

/// Classes of records.
#[derive(Debug, Default)]
pub(in crate::ctf) struct Classes {
    all: Vec<Class>,
    numbers: HashMap<Key, u16>,
    /// Unique names of classes.
    names: BTreeSet<String>,
    /// How many names of values there are.
    values: usize,
}

impl Classes {
    /// Returns the number of a record's class, with the names of its values. Returns `None` if the table of classes is full.
    pub fn of(&mut self, record: &Fields, names: &Dictionary) -> Option<u16> {
        let types = record.arguments.iter().map(FieldType::of).collect();
        let key = Key { kind: record.kind.clone(), types, is_whole: record.is_whole };
        let number = match self.numbers.get(&key) {
            Some(known) => *known,
            None => self.add(key, record, names)?,
        };
        self.name_values(number, record, names);
        Some(number)
    }

    fn add(&mut self, key: Key, record: &Fields, names: &Dictionary) -> Option<u16> {
        let number = u16::try_from(self.all.len()).ok().filter(|it| usize::from(*it) < MOST)?;
        let type_name = match record.kind {
            RecordKind::Typed { no, .. } => names.type_name(no),
            RecordKind::Format(..) => None,
        };
        let mut class = Class::of(record, type_name);
        // Some readers distinguish events by their names. The number is unique, but a format may end with it.
        let name = class.name.clone();
        let mut numbers = number..;
        while !self.names.insert(class.name.clone()) {
            class.name = format!("{name} #{}", numbers.next()?);
        }
        self.all.push(class);
        self.numbers.insert(key, number);
        Some(number)
    }

    fn name_values(&mut self, number: u16, record: &Fields, names: &Dictionary) {
        let Some(class) = self.all.get_mut(usize::from(number)) else { return };
        // The first field is not an argument.
        for (field, argument) in class.fields.iter_mut().skip(1).zip(&record.arguments) {
            let (Some(value), Some(name)) = (value_of(argument), argument.name(names)) else {
                continue;
            };
            if self.values < MOST_VALUES && !field.values.contains_key(&value) {
                self.values += 1;
                field.values.insert(value, plain(name.as_bytes()));
            }
        }
    }

    /// All of them, by their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Class> {
        self.all.iter()
    }

    /// There are none.
    pub const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}
