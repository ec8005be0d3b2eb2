//! Records of the application's own as events of their own, with the types that their arguments have.
//!
//! There may be more classes of them than ids of events, and they are known only when they come. So each core that has
//! records has a second stream for them, of another class, whose events look the same in both versions: the number of
//! their class (2 bytes), their time (8), then the address of the format (8) or the number of the type (4), and the
//! arguments. Records that do not fit their format, whose format is not known, or that have a zero byte in a text, are events
//! like all others.

mod class;
mod classes;
mod field_type;

use tband_format::Event;

pub(super) use self::class::{Class, Field};
pub(super) use self::classes::Classes;
pub(super) use self::field_type::FieldType;
use super::CtfVersion;
use super::fixed::{FixedPacker, Head};
use crate::model::World;

/// Puts records into packets of streams of their own.
pub(super) struct Records {
    /// Formats and names, as far as they are known.
    world: World,
    classes: Classes,
    packer: FixedPacker,
}

/// A record in its trace.
pub(super) struct Recorded {
    class: u16,
    bytes: Vec<u8>,
}

impl Records {
    /// Of a trace in this version.
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

    /// What comes next is of this input: formats and names are those of its board.
    pub fn enter_input(&mut self, input: usize) {
        self.world.enter_input(input);
    }

    /// Learns from metadata what records mean that come after it.
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

    /// What an event is that is a record, with types of its own; `None` if it is none, or stays as it is.
    #[cold]
    pub fn read(&mut self, event: &Event<'_>) -> Option<Recorded> {
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
        Some(Recorded { class, bytes })
    }

    /// A record of this core, in a stream of this number.
    pub fn push(
        &mut self,
        (stream, core): (u8, u32),
        ts: u64,
        Recorded { class, bytes }: &Recorded,
        out: &mut impl FnMut(u8, &[u8]),
    ) {
        let id = class.to_le_bytes();
        self.packer.push_fields((stream, core), ts, id, out, |to| to.extend_from_slice(bytes));
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
