//! Classes of events: what firmware switches on and off together when it is built, and how its recordings say which are
//! on.
//!
//! The flags of `trace_info` have a bit for each class, and one that marks these bits as valid: firmware without a kernel, and
//! older recordings, do not set it. `port/recorder/tband_classes.h` sets the bits. The same bits select the events that a
//! [`filter`] leaves out at run time.

pub mod buffers;
pub mod filter;
pub mod objects;

/// Bit of the flags of `trace_info`: the bits of [`CLASSES`] say which classes are on.
pub const STATED: u32 = 1 << 2;

/// A class of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its bit in the flags of `trace_info`.
    pub flag: u32,
    /// Name, as in the guide: `STREAM_BUFFER`.
    pub name: &'static str,
    /// The macro of `tband_config.h` that switches it.
    pub switch: &'static str,
    /// Ids of its events that have a time.
    pub events: &'static [u8],
}

macro_rules! classes {
    ($($bit:literal $name:literal $switch:literal $events:expr;)*) => {
        &[$(Class {
            flag: 1 << $bit,
            name: $name,
            switch: concat!("tband_config", $switch, "_TRACE_ENABLE"),
            events: &$events,
        }),*]
    };
}

/// All classes, by rising bit. Bits are append-only, and those from 20 on are those of [`buffers`]. Failed creation is recorded by
/// several classes, and belongs to none of them here.
pub const CLASSES: &[Class] = classes! {
    3 "MARKER" "MARKER" [7, 8, 9, 11, 123, 124, 125, 127, 232, 234];
    4 "OWN_ISR" "ISR" [4, 5];
    5 "TASK" "FREERTOS_TASK" [84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 98];
    6 "QUEUE" "FREERTOS_QUEUE" [99, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112];
    7 "TASK_EXTRA" "FREERTOS_TASK_EXTRA" [192, 193];
    8 "QUEUE_EXTRA" "FREERTOS_QUEUE_EXTRA" [174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188];
    9 "NOTIFICATION" "FREERTOS_NOTIFICATION" [131, 132, 133, 134, 135, 136, 137, 138, 139];
    10 "STREAM_BUFFER" "FREERTOS_STREAM_BUFFER" [140, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155];
    11 "EVENT_GROUP" "FREERTOS_EVENT_GROUP" [156, 158, 159, 160, 161, 162, 163, 164, 165, 166, 239];
    12 "TIMER" "FREERTOS_TIMER" [167, 169, 170, 171, 172, 173];
    13 "HEAP" "FREERTOS_HEAP" [197, 198];
    14 "LOW_POWER" "FREERTOS_LOW_POWER" [199, 200];
    15 "ISR" "FREERTOS_ISR" [4, 5, 203, 208];
    16 "STACK" "FREERTOS_STACK" [194];
    17 "SCHEDULER_STEP" "FREERTOS_SCHEDULER_STEP" [190, 191, 195, 196];
    18 "TICK" "FREERTOS_TICK" [201, 202];
    19 "API" "FREERTOS_API" [204, 205];
};

/// Returns the classes that are on (`true`) or off (`false`) by the flags of a `trace_info`; `None` if the flags do not state it.
#[must_use]
pub fn classes(flags: u32, on: bool) -> Option<impl Iterator<Item = &'static Class>> {
    (flags & STATED != 0)
        .then(|| CLASSES.iter().filter(move |class| (flags & class.flag != 0) == on))
}

/// Classes that firmware switches together, by name: bits of [`CLASSES`].
pub const GROUPS: &[(&str, u32)] = &[
    ("SCHEDULING", 1 << 5 | 1 << 7 | 1 << 17),
    ("COMMUNICATION", 1 << 6 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11),
    ("INTERRUPTS", 1 << 4 | 1 << 15),
    ("TIME", 1 << 12 | 1 << 14 | 1 << 18),
    ("MEMORY", 1 << 13 | 1 << 16),
    ("APPLICATION", 1 << 3),
    ("CALLS", 1 << 19),
    ("EVERYTHING", 0x000F_FFF8),
];

/// Returns the bits of the classes that an event belongs to; 0: it can only be filtered by its id, if at all.
#[must_use]
pub const fn classes_of(id: u8) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < CLASSES.len() {
        let mut event = 0;
        while event < CLASSES[at].events.len() {
            if CLASSES[at].events[event] == id {
                bits |= CLASSES[at].flag;
            }
            event += 1;
        }
        at += 1;
    }
    bits
}
