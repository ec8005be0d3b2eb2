//! Classes of events: what firmware switches on and off together when it is built, and how its recordings say which are
//! on.
//!
//! The flags of `trace_info` have a bit for each class, and one that says that the others are stated: firmware without
//! a kernel, and older recordings, do not state them. `port/tband_classes.h` sets the bits.

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
}

macro_rules! classes {
    ($($bit:literal $name:literal $switch:literal)*) => {
        &[$(Class {
            flag: 1 << $bit,
            name: $name,
            switch: concat!("tband_config", $switch, "_TRACE_ENABLE"),
        }),*]
    };
}

/// All classes, by rising bit. Bits are append-only.
pub const CLASSES: &[Class] = classes! {
    3 "MARKER" "MARKER"
    4 "OWN_ISR" "ISR"
    5 "TASK" "FREERTOS_TASK"
    6 "QUEUE" "FREERTOS_QUEUE"
    7 "TASK_EXTRA" "FREERTOS_TASK_EXTRA"
    8 "QUEUE_EXTRA" "FREERTOS_QUEUE_EXTRA"
    9 "NOTIFICATION" "FREERTOS_NOTIFICATION"
    10 "STREAM_BUFFER" "FREERTOS_STREAM_BUFFER"
    11 "EVENT_GROUP" "FREERTOS_EVENT_GROUP"
    12 "TIMER" "FREERTOS_TIMER"
    13 "HEAP" "FREERTOS_HEAP"
    14 "LOW_POWER" "FREERTOS_LOW_POWER"
    15 "ISR" "FREERTOS_ISR"
    16 "STACK" "FREERTOS_STACK"
    17 "SCHEDULER_STEP" "FREERTOS_SCHEDULER_STEP"
    18 "TICK" "FREERTOS_TICK"
    19 "API" "FREERTOS_API"
};

/// The classes that are on (`true`) or off (`false`) by the flags of a `trace_info`; `None` if they do not say it.
#[must_use]
pub fn classes(flags: u32, on: bool) -> Option<impl Iterator<Item = &'static Class>> {
    (flags & STATED != 0)
        .then(|| CLASSES.iter().filter(move |class| (flags & class.flag != 0) == on))
}
