//! Functions that the engine lacks: percentiles. Each returns one of the values, so times remain whole nanoseconds.

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Error, Result};

use crate::ranked_numbers::RankedNumbers;

/// The type of the numbers; they are stored as integers with the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    Integers,
    Reals,
}

/// The gathered values of a group.
#[derive(Debug, Default)]
struct GroupValues {
    ranked: RankedNumbers,
    numbers: Option<Numbers>,
    /// From 0 to 1.
    share: f64,
}

/// A function of a column and, except for the median, a number: the part of the values that is not greater.
#[derive(Clone, Copy, Debug)]
struct Percentile {
    /// The value for all rows; `None`: the function has no such argument, and it is one half.
    of: Option<f64>,
}

impl Aggregate<GroupValues, Value> for Percentile {
    fn init(&self, _: &mut Context<'_>) -> Result<GroupValues> {
        Ok(GroupValues { share: 0.5, ..GroupValues::default() })
    }

    fn step(&self, context: &mut Context<'_>, gathered: &mut GroupValues) -> Result<()> {
        if let Some(of) = self.of {
            let share = match context.get_raw(1) {
                ValueRef::Integer(value) => value as f64 / of,
                ValueRef::Real(value) => value / of,
                _ => f64::NAN,
            };
            if !(0.0..=1.0).contains(&share) {
                return Err(wrong(&format!("the second argument is a number from 0 to {of}")));
            }
            gathered.share = share;
        }
        let (numbers, number) = match context.get_raw(0) {
            ValueRef::Null => return Ok(()),
            ValueRef::Integer(value) => (Numbers::Integers, value),
            ValueRef::Real(value) => (Numbers::Reals, ordered(value)),
            _ => return Err(wrong("percentiles are of numbers, and this is a text: use CAST")),
        };
        if *gathered.numbers.get_or_insert(numbers) != numbers {
            return Err(wrong("integers and reals are mixed: use CAST(... AS REAL)"));
        }
        gathered.ranked.push(number).map_err(|error| wrong(&error.to_string()))
    }

    fn finalize(&self, _: &mut Context<'_>, gathered: Option<GroupValues>) -> Result<Value> {
        let Some(GroupValues { ranked, numbers: Some(numbers), share }) = gathered else {
            return Ok(Value::Null);
        };
        // The nearest rank: the least value that this part of all is not greater than.
        let rank = (share * ranked.len() as f64).ceil() as usize;
        let number = ranked.nth(rank.saturating_sub(1));
        let number = number.map_err(|error| wrong(&error.to_string()))?;
        Ok(match (number, numbers) {
            (None, _) => Value::Null,
            (Some(number), Numbers::Integers) => Value::Integer(number),
            (Some(number), Numbers::Reals) => Value::Real(real(number)),
        })
    }
}

/// An integer for a real: they have the same order.
fn ordered(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    // Of negative ones, greater bits are smaller numbers.
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

/// The real of such an integer.
fn real(number: i64) -> f64 {
    let bits = if number < 0 { number ^ i64::MAX } else { number };
    f64::from_bits(bits.cast_unsigned())
}

/// Their names.
pub const NAMES: [&str; 3] = ["median", "percentile", "quantile_disc"];

fn wrong(text: &str) -> Error {
    Error::UserFunctionError(text.into())
}

/// Adds them all.
pub fn add(db: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    let kinds = [(1, None), (2, Some(100.0)), (2, Some(1.0))];
    for (name, (arguments, of)) in NAMES.into_iter().zip(kinds) {
        db.create_aggregate_function(name, arguments, flags, Percentile { of })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn integers_of_reals_have_their_order(one in prop::num::f64::NORMAL, other in prop::num::f64::NORMAL) {
            prop_assert_eq!(real(ordered(one)).to_bits(), one.to_bits());
            prop_assert_eq!(ordered(one) < ordered(other), one < other);
        }
    }
}
