//! Values of signals.

use super::labels::Labels;

/// The new value of a signal.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not known, or nothing.
    Unknown,
    /// A bit, or a number.
    Number(i64),
    /// A number of double precision.
    Real(f64),
    /// One of the [`Labels`](super::Labels).
    Label(u32),
    /// A text of the target, safe to show.
    Text(Box<str>),
    /// It happens.
    Moment,
    /// An event at this moment, with its cause.
    Related(Box<Relation>),
}

/// The cause of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Text of the event.
    pub text: String,
    /// The signal of the cause.
    pub from: u32,
    /// When that was, in ns.
    pub from_ns: i64,
}

impl Value {
    /// It as a number of double precision; NaN if it is not known, or no number.
    pub const fn real(&self) -> f64 {
        match self {
            Self::Number(number) => *number as f64,
            Self::Real(number) => *number,
            _ => f64::NAN,
        }
    }

    /// It as a text, if it is one.
    pub fn text<'a>(&'a self, labels: &'a Labels) -> Option<&'a str> {
        match self {
            Self::Label(label) => Some(labels.text(*label)),
            Self::Text(text) => Some(text),
            Self::Related(relation) => Some(&relation.text),
            Self::Unknown | Self::Number(_) | Self::Real(_) | Self::Moment => None,
        }
    }
}
