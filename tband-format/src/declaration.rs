//! Descriptions of the events outside of the base for recorders: an `event_schema` frame for each, computed at compile
//! time.

use crate::Str;
use crate::registry::{DECLARED, Event, EventDef};
use crate::schema::SchemaKind;

/// Longest frame that describes an event, in bytes, closing zero included: the smallest packet of metadata has room for it.
pub const MAX_DECLARATION: usize = 92;

/// The frame that describes an event.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    bytes: [u8; MAX_DECLARATION],
    len: usize,
}

/// The declaration of each event of [`DECLARED`], in its order.
pub static DECLARATIONS: [Declaration; DECLARED.len()] = {
    let mut declarations = [Declaration { bytes: [0; MAX_DECLARATION], len: 0 }; DECLARED.len()];
    let mut index = 0;
    while index < DECLARED.len() {
        declarations[index] = Declaration::of(&DECLARED[index]);
        index += 1;
    }
    declarations
};

/// A frame of one or two blocks that is being written.
struct Frame {
    declaration: Declaration,
    /// Code byte of the open block.
    code: usize,
}

impl Frame {
    const fn new() -> Self {
        Self { declaration: Declaration { bytes: [0; MAX_DECLARATION], len: 1 }, code: 0 }
    }

    const fn byte(mut self, byte: u8) -> Self {
        let at = self.declaration.len;
        assert!(
            at + 1 < MAX_DECLARATION,
            "shorten the names of the event and its fields: what describes it has to fit into a small packet"
        );
        self.declaration.len = at + 1;
        if byte == 0 {
            self.declaration.bytes[self.code] = (at - self.code) as u8;
            self.code = at;
        } else {
            self.declaration.bytes[at] = byte;
        }
        self
    }

    const fn text(mut self, text: &str) -> Self {
        let mut at = 0;
        while at < text.len() {
            self = self.byte(text.as_bytes()[at]);
            at += 1;
        }
        self
    }
}

impl Declaration {
    /// Returns the declaration of an event, for `event_schema`.
    #[must_use]
    pub const fn of(def: &EventDef) -> Self {
        const ID: u8 = Event::EventSchema { event_id: 0, timed: 0, schema: Str(&[]) }.id();
        let mut frame = Frame::new().byte(ID).byte(def.id).byte(!def.metadata as u8).text(def.name);
        let mut index = 0;
        while index < def.fields.len() {
            let field = &def.fields[index];
            let Some(kind) = SchemaKind::from_field(field.name, field.kind) else {
                panic!("no schema can say the kind of a field");
            };
            frame = frame.byte(if index == 0 { b' ' } else { b',' });
            frame = frame.text(field.name).byte(b':').text(kind.name());
            index += 1;
        }
        frame.byte(0).declaration
    }

    /// Returns the frame with its closing zero.
    #[must_use]
    pub const fn frame(&self) -> &[u8] {
        self.bytes.split_at(self.len).0
    }
}
