//! The item that an importer's entry is.

use tband_import::{Content, Entry, Output, ReportedLoss};

use crate::cores::MAX_CORES;
use crate::item::packet_loss::PacketLoss;
use crate::item::{Defect, Item, Mode, check};

/// The offset of an entry.
#[inline]
pub fn offset(base: i64, entry: &Entry) -> u64 {
    u64::try_from(base.saturating_add(entry.at)).unwrap_or(0)
}

/// The item that an entry is, whose offset is relative to `base`.
#[inline]
pub fn item<'a>(out: &'a Output, entry: &Entry, base: i64, mode: Mode) -> Item<'a> {
    // A file of several cores may be one of the last core.
    let mut core = if entry.core < MAX_CORES { entry.core } else { 0 };
    let event = match &entry.content {
        _ if entry.core >= MAX_CORES => Err(Defect::CoreOutOfRange(entry.core)),
        Content::Event(decoded) => {
            let decoded = out.event(entry, decoded);
            check(&decoded.event, &mut core, mode).map(|()| decoded)
        }
        Content::Break(what) => Err(Defect::Foreign(*what)),
        Content::Lost(lost) => Err(Defect::Missing(missing(core, lost))),
    };
    let offset = offset(base, entry);
    Item { core, offset, len: entry.len.into(), event, reported: None }
}

/// What a recorder reports to be missing on a core.
fn missing(core: u32, lost: &ReportedLoss) -> PacketLoss {
    let &ReportedLoss { from, to, packets, first, events } = lost;
    let stream = u8::try_from(core).unwrap_or(u8::MAX);
    PacketLoss { stream, from, to, packets, first, discarded: events }
}
