//! Which files beside the metadata of a CTF trace are streams of it.

use crate::blank::after_blank;
use crate::ctf::CtfTrace;
use crate::format::InputFormat;
use crate::recognise::recognise;
use crate::recognised_format::Recognition;

/// A file that begins with these bytes may be a stream of a trace: no other recorder writes such a file.
#[must_use]
pub fn may_be_ctf_stream(bytes: &[u8]) -> bool {
    match recognise(bytes, true) {
        Recognition::Is(found) => found.format == InputFormat::Ctf,
        Recognition::NeedsMore | Recognition::No => true,
    }
}

/// A file that begins with these bytes is a stream of the trace, as far as they show: it begins with a packet of it, or, where packets
/// have no magic number, with nothing that another recorder writes.
#[must_use]
pub fn is_ctf_stream(trace: &CtfTrace, bytes: &[u8]) -> bool {
    match trace.magic() {
        Some(magic) => after_blank(bytes).starts_with(&magic),
        None => may_be_ctf_stream(bytes),
    }
}
