//! What a trace looks like, whichever language its metadata is in.

pub mod class;
pub mod field;
mod names;
mod plain;
mod resolve;

use std::collections::HashMap;
use std::rc::Rc;

use self::class::{Class, Order};
use self::field::Field;
pub use self::resolve::resolve;

/// A trace as its metadata declares it.
#[derive(Debug, Default)]
pub struct Declaration {
    /// `1.8` or `2`.
    pub version: &'static str,
    /// One underscore in front of a name is not part of it.
    pub has_underscores: bool,
    pub order: Option<Order>,
    pub environment: Vec<(Rc<str>, Rc<str>)>,
    pub clocks: Vec<Clock>,
    pub packet_header: Option<Class>,
    pub streams: Vec<StreamDeclaration>,
    pub events: Vec<EventDeclaration>,
}

/// A clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    pub name: Rc<str>,
    /// In Hz; 1 at least.
    pub frequency: u64,
    /// Seconds and cycles at which it was 0, since its origin.
    pub offset: (i64, i64),
}

/// A class of streams, as declared.
#[derive(Debug, Default)]
pub struct StreamDeclaration {
    pub id: u64,
    pub packet_context: Option<Class>,
    pub event_header: Option<Class>,
    pub event_context: Option<Class>,
    /// Name of the clock, where fields do not name one.
    pub clock: Option<Rc<str>>,
}

/// A class of events, as declared.
#[derive(Debug, Default)]
pub struct EventDeclaration {
    pub line: usize,
    pub name: Rc<str>,
    pub id: u64,
    pub stream: Option<u64>,
    pub context: Option<Class>,
    pub payload: Option<Class>,
}

/// A trace whose references are places.
#[derive(Debug)]
pub struct Model {
    pub version: &'static str,
    pub order: Order,
    pub environment: Vec<(Rc<str>, Rc<str>)>,
    pub clocks: Vec<Clock>,
    pub packet_header: Option<Field>,
    /// Slot of the class of a packet's stream.
    pub stream_class: Option<u32>,
    /// Slot of the magic number.
    pub magic: Option<u32>,
    pub streams: Vec<Stream>,
    /// How many slots there are.
    pub slots: usize,
}

impl Model {
    /// An entry of the environment.
    pub fn environment(&self, name: &str) -> Option<&str> {
        self.environment.iter().find(|(it, _)| **it == *name).map(|(_, value)| &**value)
    }
}

/// A class of streams.
#[derive(Debug)]
pub struct Stream {
    pub id: u64,
    pub packet_context: Option<Field>,
    pub event_header: Option<Field>,
    pub event_context: Option<Field>,
    pub packet_size: Option<u32>,
    pub content_size: Option<u32>,
    pub end: Option<u32>,
    /// Slot, and bits of the number.
    pub discarded: Option<(u32, u8)>,
    pub sequence: Option<(u32, u8)>,
    /// Events have times.
    pub has_time: bool,
    /// Index of its clock.
    pub clock: Option<usize>,
    pub events: Vec<EventClass>,
    /// Index of an event by its id.
    pub by_id: HashMap<u64, usize, foldhash::fast::FixedState>,
}

/// A class of events.
#[derive(Debug)]
pub struct EventClass {
    pub name: Rc<str>,
    pub id: u64,
    pub context: Option<Field>,
    pub payload: Option<Field>,
}

/// Why metadata cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataError {
    /// Line of the text, from 1; 0 if none is to blame.
    pub line: usize,
    /// The error.
    pub text: String,
}

impl MetadataError {
    pub(crate) fn new(line: usize, text: impl Into<String>) -> Self {
        Self { line, text: text.into() }
    }
}

impl std::fmt::Display for MetadataError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        f.write_str(&self.text)
    }
}
