//! Events and objects that a filter on the target leaves out: they may occur, but are not recorded.

mod name;
pub mod shed;

/// Something that is not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Omission {
    /// A class of events, by its place in `tband_format::classes::CLASSES`.
    Class(usize),
    /// An event, by its id, whose class is recorded otherwise.
    Event(u8),
    /// All objects of a kind, by its place in `tband_format::classes::objects::OBJECT_KINDS`.
    Kind(u32),
    /// All objects of a kind but those that were chosen.
    KindButSome(u32),
    /// An object, by kind and number.
    Object(u32, u32),
    /// A class, by its place in `tband_format::classes::CLASSES`, since packets run out.
    Shed(usize),
}

/// A time in which events are not recorded, by a choice of the firmware or the host.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OmissionTime {
    /// The class, event or object: `class QUEUE`.
    pub what: String,
    /// Origin of the choice: `firmware`, `host`.
    pub by: &'static str,
    /// From when on, in ns.
    pub from_ns: i64,
    /// Until when; `None`: to the end of the recording.
    pub to_ns: Option<i64>,
}
