//! The item that an importer's entry is.

use tband_format::decode::{DecodeError, FrameError};
use tband_import::gaps::ReportedLoss;
use tband_import::output::{Content, Output, Record};

use crate::cores::MAX_CORES;
use crate::item::packet_loss::PacketLoss;
use crate::item::{Defect, Item, Mode, check};

/// An offset that is relative to `base`, in the recording.
#[inline]
pub fn offset(base: i64, at: i64) -> u64 {
    u64::try_from(base.saturating_add(at)).unwrap_or(0)
}

/// The item that an entry of an output is, whose offset is relative to `base`.
pub fn item<'a>(out: &'a Output, record: &Record<'a>, base: i64, mode: Mode) -> Item<'a> {
    // A file of several cores may be one of the last core.
    let mut core = if record.core() < MAX_CORES { record.core() } else { 0 };
    let (len, event) = match record {
        Record::Event(event) => {
            let unknown = DecodeError::UnknownId { id: event.id };
            (event.len, event.decode().ok_or(Defect::Undecodable(FrameError::Event(unknown))))
        }
        Record::Other(entry) => {
            let event = match &entry.content {
                Content::Event(decoded) => Ok(out.event(entry, decoded)),
                Content::Break(what) => Err(Defect::Foreign(*what)),
                Content::Lost(lost) => Err(Defect::Missing(missing(core, lost))),
            };
            (entry.len, event)
        }
    };
    let event = match event {
        _ if record.core() >= MAX_CORES => Err(Defect::CoreOutOfRange(record.core())),
        Ok(decoded) => check(&decoded.event, &mut core, mode).map(|()| decoded),
        Err(defect) => Err(defect),
    };
    Item { core, offset: offset(base, record.at()), len: len.into(), event, reported: None }
}

/// What a recorder reports to be missing on a core.
fn missing(core: u32, lost: &ReportedLoss) -> PacketLoss {
    let &ReportedLoss { from, to, packets, first, events } = lost;
    let stream = u8::try_from(core).unwrap_or(u8::MAX);
    PacketLoss { stream, from, to, packets, first, discarded: events }
}
