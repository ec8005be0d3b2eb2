//! Events that the registry does not have, with the schemas that their recordings have for them.

use core::str;

use crate::field::Value;
use crate::field::packed::Bytes;
use crate::reader::Reader;
use crate::schema::Schema;

/// An event that the registry does not have, with its schema. See [`decode_described`](crate::decode_described::decode_described).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DescribedEvent<'a> {
    /// Its id, the length of its schema's text as a varint, the text, and its fields as frames have them.
    bytes: &'a [u8],
}

impl<'a> DescribedEvent<'a> {
    fn parts(&self) -> Option<(u8, &'a str, &'a [u8])> {
        let mut reader = Reader::new(self.bytes);
        let id = reader.byte().ok()?;
        let len = reader.varint32().ok()?;
        let text = reader.bytes(len as usize).ok()?;
        Some((id, str::from_utf8(text).ok()?, reader.rest()))
    }

    /// Returns the id in the recording.
    #[must_use]
    pub const fn id(&self) -> u8 {
        match self.bytes {
            [id, ..] => *id,
            [] => 0,
        }
    }

    /// Returns its schema.
    #[must_use]
    pub fn schema(&self) -> Schema<'a> {
        Schema::validated(self.parts().map_or("", |(_, text, _)| text))
    }

    /// Returns its fields, encoded as in frames.
    pub(crate) fn values(&self) -> &'a [u8] {
        self.parts().map_or(&[], |(_, _, values)| values)
    }

    /// Calls `visit` with name and value of each field that is present, in the order of the recording.
    pub fn for_each_field(&self, mut visit: impl FnMut(&'a str, Value<'a>)) {
        let mut reader = Reader::new(self.values());
        for (name, kind) in self.schema().fields() {
            match kind.read_plain(&mut reader) {
                Ok(Some(value)) => visit(name, value),
                Ok(None) => {}
                Err(_) => return,
            }
        }
    }

    pub(crate) fn write_packed(&self, bytes: &mut Bytes<'_>) -> Option<()> {
        let mut reader = Reader::new(self.values());
        for (_, kind) in self.schema().fields() {
            kind.write_packed(kind.read_plain(&mut reader).ok()?, bytes)?;
        }
        Some(())
    }

    /// Creates the event from the result of [`bytes`](Self::bytes).
    pub(crate) const fn from_bytes(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub(crate) const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}
