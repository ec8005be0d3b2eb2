//! Log records of the application as separate events, with the types of their arguments.
//!
//! There may be more classes of records than event ids, and each is known only when its first record is read. So each core that
//! has records has a second stream for them, of another class, whose events look the same in both versions: the number of their
//! class (2 bytes), their time (8), then the address of the format (8) or the number of the type (4), and the arguments.
//! Records that do not fit their format, whose format is unknown, or that contain a zero byte in a text are ordinary events.

mod class;
mod classes;
mod field_type;

use tband_format::Event;

pub(super) use self::class::{Class, Field};
pub(super) use self::classes::Classes;
pub(super) use self::field_type::FieldType;
use super::CtfVersion;
use super::fixed::{FixedPacker, Head, StreamOfCore};
use crate::model::World;

/// Writes records into packets of separate streams.
pub(super) struct Records {
    /// Formats and names, as far as they are known.
    world: World,
    classes: Classes,
    packer: FixedPacker,
}

/// A record in its trace.
pub(super) struct CtfRecord {
    class: u16,
    bytes: Vec<u8>,
}

impl Records {
    /// Creates the records of a trace in this version.
    pub fn new(version: CtfVersion) -> Self {
        let head = match version {
            CtfVersion::One => Head::One { class: 1 },
            CtfVersion::Two => Head::Two { class: 2 },
        };
        Self {
            world: World::default(),
            classes: Classes::default(),
            packer: FixedPacker::new(head),
        }
    }

    /// This is known at the start.
    pub fn start(&mut self, world: &World) {
        self.world = world.clone();
    }

    /// Switches to another input: its formats and names are those of its board.
    pub fn enter_input(&mut self, input: usize) {
        self.world.enter_input(input);
    }

    /// Learns the meaning of later records from metadata.
    #[cold]
    pub fn learn(&mut self, event: &Event<'_>) {
        if let Event::Format { .. }
        | Event::Symbol { .. }
        | Event::Constant { .. }
        | Event::Program { .. }
        | Event::FormatsOf { .. }
        | Event::BuildId { .. } = event
        {
            let _ = self.world.learn(0, 0, event);
        }
    }

    /// Returns the record in an event, with its own types. Returns `None` if the event is not a record, or is written
    /// unchanged.
    #[cold]
    pub fn read(&mut self, event: &Event<'_>) -> Option<CtfRecord> {
        let record = self.world.fields(event)?;
        if record.arguments.iter().any(field_type::has_zero) {
            return None;
        }
        let class = self.classes.of(&record, &self.world.dictionary)?;
        let mut bytes = Vec::new();
        match *event {
            Event::Record { at, .. } => bytes.extend(u64::from(at).to_le_bytes()),
            Event::Typed { no, .. } => bytes.extend(no.to_le_bytes()),
            _ => return None,
        }
        record.arguments.iter().for_each(|argument| field_type::write(&mut bytes, argument));
        Some(CtfRecord { class, bytes })
    }

    /// A record of this core, in a stream of this number.
    pub fn push(
        &mut self,
        of: StreamOfCore,
        ts: u64,
        CtfRecord { class, bytes }: &CtfRecord,
        out: &mut impl FnMut(u8, &[u8]),
    ) {
        let id = class.to_le_bytes();
        self.packer.push_fields(of, ts, id, out, |to| to.extend_from_slice(bytes));
    }

    /// Closes all packets.
    pub fn flush(&mut self, out: &mut impl FnMut(u8, &[u8])) {
        self.packer.flush(out);
    }

    /// The classes that there were.
    pub fn into_classes(self) -> Classes {
        self.classes
    }
}
