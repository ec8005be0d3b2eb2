//! flux.

use crate::format::InputFormat;
use crate::recognised::Recognised;

/// Recognises a flux recording by its head entry.
pub fn recognise(bytes: &[u8]) -> Option<Recognised> {
    let id = bytes.strip_prefix(&[0, 1])?;
    id.starts_with(b"flux").then(|| Recognised::new(InputFormat::Flux, "a flux recording"))
}
