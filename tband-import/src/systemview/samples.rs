//! Data samples: what their 32 bits are.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::fields::Fields;

/// Registrations that are kept.
const MAX_SAMPLES: usize = 1024;
/// Values of tband are integers: floats are multiplied by this.
const SCALE: f64 = 1000.0;

/// How the samples of an id are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Unsigned,
    Signed,
    Float,
}

/// The registrations.
#[derive(Debug, Default)]
pub struct Samples {
    types: HashMap<u32, Type, FixedState>,
    /// A sample without a registration was taken for a float.
    pub has_inferred: bool,
}

impl Samples {
    /// Learns a registration: id, name, type, offset, minimum, maximum, scaling, unit; the last ones may be missing.
    /// Returns the id and a name with unit and scale.
    pub fn register(&mut self, fields: &mut Fields<'_>) -> (u32, String) {
        let id = fields.or_zero();
        let name = String::from_utf8_lossy(fields.or_empty()).into_owned();
        let kind = match fields.or_zero() {
            1 => Type::Signed,
            2 => Type::Float,
            _ => Type::Unsigned,
        };
        for _ in 0..4 {
            fields.or_zero();
        }
        let unit = String::from_utf8_lossy(fields.or_empty()).into_owned();
        if self.types.len() < MAX_SAMPLES {
            self.types.insert(id, kind);
        }
        let mut text = name;
        if !unit.is_empty() {
            text.push_str(&format!(" [{unit}]"));
        }
        if kind == Type::Float {
            text.push_str(" x 1000");
        }
        (id, text)
    }

    /// The sample is one of an id that was not registered, and the first.
    pub fn is_new(&mut self, id: u32) -> bool {
        if self.types.contains_key(&id) || self.types.len() >= MAX_SAMPLES {
            return false;
        }
        self.types.insert(id, Type::Float);
        self.has_inferred = true;
        true
    }

    /// The value of a sample.
    pub fn value(&self, id: u32, bits: u32) -> i64 {
        match self.types.get(&id) {
            Some(Type::Unsigned) => bits.into(),
            Some(Type::Signed) => bits.cast_signed().into(),
            // A conversion to an integer saturates.
            Some(Type::Float) | None => (f64::from(f32::from_bits(bits)) * SCALE).round() as i64,
        }
    }
}
