//! The event registry: the one place where events are declared.
//!
//! An entry gives id, group, kind (`timed`: a timestamp follows the id; `meta`: it does not), wire
//! name, Rust name, fields and a doc line. From the entries come [`Event`], its decoder and encoder,
//! [`EVENTS`] for generic readers, the C constants in `tband.h` and the event table of the docs.
//!
//! Ids are append-only and never reused. 0x00–0x7F are Tonbandgerät's (113–121 stay unused), new
//! events take 0x80–0xDF, 0xE0–0xFF are left for later.

use crate::decode::{DecodeError, Decoded, Take, Whole};
use crate::field::{Field, FieldKind, QueueKind, Str, Value};
use crate::reader::Reader;
use crate::writer::FrameWriter;

/// Which part of the recorder an event belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Useful in any firmware.
    Base,
    /// About FreeRTOS objects.
    FreeRtos,
}

/// A field of an event, for generic readers.
#[derive(Clone, Copy, Debug)]
pub struct FieldDef {
    /// Name, as in dumps and in the docs.
    pub name: &'static str,
    /// Type.
    pub kind: FieldKind,
}

/// What the registry says about an event.
#[derive(Clone, Copy, Debug)]
pub struct EventDef {
    /// First byte of the event.
    pub id: u8,
    /// Name, as in dumps and in the docs.
    pub name: &'static str,
    /// Which part of the recorder it belongs to.
    pub group: Group,
    /// Carries no timestamp and is kept in the metadata buffer.
    pub metadata: bool,
    /// Fields after id and timestamp.
    pub fields: &'static [FieldDef],
    /// What it means, in a sentence.
    pub doc: &'static str,
}

impl EventDef {
    /// Longest payload in bytes, without the string that may close it.
    #[must_use]
    pub fn max_fixed_len(&self) -> usize {
        let ts = if self.metadata { 0 } else { 10 };
        1 + ts + self.fields.iter().filter_map(|field| field.kind.max_len()).sum::<usize>()
    }

    /// The event closes with a string.
    #[must_use]
    pub fn has_str(&self) -> bool {
        self.fields.iter().any(|field| field.kind.max_len().is_none())
    }
}

/// Every event of the format, by rising id.
pub const EVENTS: &[EventDef] = Event::DEFS;

/// Which ids are events with a timestamp.
static IS_TIMED: [bool; 256] = {
    let mut table = [false; 256];
    let mut index = 0;
    while index < EVENTS.len() {
        table[EVENTS[index].id as usize] = !EVENTS[index].metadata;
        index += 1;
    }
    table
};

/// An event of this id has a timestamp.
#[inline(always)]
pub(crate) fn is_timed(id: u8) -> bool {
    IS_TIMED.get(usize::from(id)).is_some_and(|it| *it)
}

macro_rules! is_metadata {
    (meta) => {
        true
    };
    (timed) => {
        false
    };
}

/// Reads one field, naming event and field in the error.
fn read<'a, T: Field<'a>>(
    reader: &mut Reader<'a>,
    event: &'static str,
    field: &'static str,
) -> Result<T, DecodeError> {
    T::read(reader).map_err(|error| DecodeError::BadField { event, field, error })
}

macro_rules! registry {
    ($(
        $(#[doc = $doc:literal])+
        $id:literal $group:ident $kind:ident $name:ident $variant:ident { $($field:ident: $ty:ty),* };
    )*) => {
        /// Every event of the format, with its fields.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Event<'a> {
            $(
                $(#[doc = $doc])+
                $variant {
                    $(
                        #[doc = concat!("Wire field `", stringify!($field), "`.")]
                        $field: $ty,
                    )*
                },
            )*
        }

        impl<'a> Event<'a> {
            /// What [`EVENTS`] shows.
            const DEFS: &'static [EventDef] = &[$(
                EventDef {
                    id: $id,
                    name: stringify!($name),
                    group: Group::$group,
                    metadata: is_metadata!($kind),
                    fields: &[$(FieldDef {
                        name: stringify!($field),
                        kind: <$ty as Field<'a>>::KIND,
                    }),*],
                    doc: concat!($($doc),+).trim_ascii(),
                },
            )*];

            /// Id byte of the event.
            #[must_use]
            pub const fn id(&self) -> u8 {
                match self { $(Self::$variant { .. } => $id,)* }
            }

            /// Name of the event, as in dumps and in the docs.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$variant { .. } => stringify!($name),)* }
            }

            /// Which part of the recorder the event belongs to.
            #[must_use]
            pub const fn group(&self) -> Group {
                match self { $(Self::$variant { .. } => Group::$group,)* }
            }

            /// The event carries no timestamp.
            #[must_use]
            pub const fn is_metadata(&self) -> bool {
                match self { $(Self::$variant { .. } => is_metadata!($kind),)* }
            }

            /// Calls `visit` with name and value of each field that is present, in wire order.
            pub fn for_each_field(&self, mut visit: impl FnMut(&'static str, Value<'a>)) {
                match *self {
                    $(Self::$variant { $($field),* } => {
                        $(if let Some(value) = Field::value($field) {
                            visit(stringify!($field), value);
                        })*
                    })*
                }
            }

            #[inline(always)]
            pub(crate) fn decode(payload: &'a [u8]) -> Result<Decoded<'a>, DecodeError> {
                Self::decode_sound(Reader::new(payload)).ok_or_else(|| Self::explain(payload))
            }

            /// Decodes without a word about what is wrong, which keeps the way of sound events short.
            #[inline(always)]
            fn decode_sound(mut reader: Reader<'a>) -> Option<Decoded<'a>> {
                let id = reader.byte().ok()?;
                let ts = if is_timed(id) { reader.timestamp()? } else { 0 };
                Self::fields_with(id, ts, reader, Whole)
            }

            /// Reads the fields of an event and hands it on, from a place of its own for each kind of
            /// event: so what is done with it need not find out again which one it is.
            #[inline(always)]
            pub(crate) fn fields_with<T: Take<'a>>(
                id: u8,
                ts: u64,
                mut reader: Reader<'a>,
                take: T,
            ) -> Option<T::Out> {
                match id {
                    $($id => {
                        $(let $field = Field::read_loosely(&mut reader)?;)*
                        // So none of them has read too much.
                        if reader.is_at_end() {
                            let event = Self::$variant { $($field),* };
                            let ts = if is_metadata!($kind) { None } else { Some(ts) };
                            Some(take.take(Decoded { ts, event }))
                        } else {
                            None
                        }
                    })*
                    _ => None,
                }
            }

            /// What is wrong with a payload that does not decode.
            #[cold]
            #[inline(never)]
            fn explain(payload: &'a [u8]) -> DecodeError {
                fn left_behind<'a>(
                    id: u8,
                    reader: &mut Reader<'a>,
                ) -> Result<&'static str, DecodeError> {
                    match id {
                        $($id => {
                            if !is_metadata!($kind) {
                                read::<u64>(reader, stringify!($name), "ts")?;
                            }
                            $(read::<$ty>(reader, stringify!($name), stringify!($field))?;)*
                            Ok(stringify!($name))
                        })*
                        id => Err(DecodeError::UnknownId { id }),
                    }
                }
                let mut reader = Reader::new(payload);
                let Ok(id) = reader.byte() else {
                    return DecodeError::Empty;
                };
                match left_behind(id, &mut reader) {
                    Ok(event) => DecodeError::Trailing { event, left: reader.left() },
                    Err(error) => error,
                }
            }

            /// Bytes of the event before framing.
            pub(crate) fn payload_len(&self, ts: u64) -> usize {
                let head = 1 + if self.is_metadata() { 0 } else { ts.payload_len() };
                head + match *self {
                    $(Self::$variant { $($field),* } => 0 $(+ Field::payload_len($field))*,)*
                }
            }

            /// Writes id, timestamp and fields.
            ///
            /// # Safety
            /// The writer has room for [`payload_len`](Self::payload_len) bytes and their COBS codes.
            pub(crate) unsafe fn write(&self, ts: u64, writer: &mut FrameWriter) {
                // SAFETY: the caller made room for the whole event.
                unsafe {
                    writer.u8(self.id());
                    if !self.is_metadata() {
                        writer.varint64(ts);
                    }
                    match *self {
                        $(Self::$variant { $($field),* } => {
                            $(Field::write($field, writer);)*
                        })*
                    }
                }
            }
        }
    };
}

registry! {
    /// Events that follow are of this core.
    0 Base timed core_id CoreId { core_id: u32 };
    /// Total number of events dropped so far.
    1 Base timed dropped_evt_cnt DroppedEvtCnt { cnt: u32 };
    /// Length of one timestamp tick in nanoseconds; 1 if it never appears.
    2 Base meta ts_resolution_ns TsResolutionNs { ns_per_ts: u64 };
    /// Name of an interrupt.
    3 Base meta isr_name IsrName { isr_id: u32, name: Str<'a> };
    /// The core enters an interrupt.
    4 Base timed isr_enter IsrEnter { isr_id: u32 };
    /// The core leaves an interrupt.
    5 Base timed isr_exit IsrExit { isr_id: u32 };
    /// Name of an event marker.
    6 Base meta evtmarker_name EvtmarkerName { evtmarker_id: u32, name: Str<'a> };
    /// An instant on an event marker.
    7 Base timed evtmarker Evtmarker { evtmarker_id: u32, msg: Str<'a> };
    /// A span opens on an event marker; spans nest.
    8 Base timed evtmarker_begin EvtmarkerBegin { evtmarker_id: u32, msg: Str<'a> };
    /// The innermost open span of an event marker ends.
    9 Base timed evtmarker_end EvtmarkerEnd { evtmarker_id: u32 };
    /// Name of a value marker.
    10 Base meta valmarker_name ValmarkerName { valmarker_id: u32, name: Str<'a> };
    /// A value marker takes a value.
    11 Base timed valmarker Valmarker { valmarker_id: u32, val: i64 };

    /// A task starts to run on this core.
    84 FreeRtos timed task_switched_in TaskSwitchedIn { task_id: u32 };
    /// A task becomes ready to run.
    85 FreeRtos timed task_to_rdy_state TaskToRdyState { task_id: u32 };
    /// A suspended task is resumed by a task.
    86 FreeRtos timed task_resumed TaskResumed { task_id: u32 };
    /// A suspended task is resumed by an interrupt.
    87 FreeRtos timed task_resumed_from_isr TaskResumedFromIsr { task_id: u32 };
    /// A task is suspended.
    88 FreeRtos timed task_suspended TaskSuspended { task_id: u32 };
    /// The running task delays itself for a number of kernel ticks.
    89 FreeRtos timed curtask_delay CurtaskDelay { ticks: u32 };
    /// The running task delays itself until the kernel's tick count reaches a value.
    90 FreeRtos timed curtask_delay_until CurtaskDelayUntil { time_to_wake: u32 };
    /// A task is given a priority.
    91 FreeRtos timed task_priority_set TaskPrioritySet { task_id: u32, priority: u32 };
    /// A mutex holder inherits the priority of a task that waits for the mutex.
    92 FreeRtos timed task_priority_inherit TaskPriorityInherit { task_id: u32, priority: u32 };
    /// A mutex holder falls back from an inherited priority.
    93 FreeRtos timed task_priority_disinherit TaskPriorityDisinherit { task_id: u32, priority: u32 };
    /// A task is created.
    94 FreeRtos timed task_created TaskCreated { task_id: u32 };
    /// Name of a task.
    95 FreeRtos meta task_name TaskName { task_id: u32, name: Str<'a> };
    /// A task is the idle task of a core.
    96 FreeRtos meta task_is_idle_task TaskIsIdleTask { task_id: u32, core_id: u32 };
    /// A task is the kernel's timer task.
    97 FreeRtos meta task_is_timer_task TaskIsTimerTask { task_id: u32 };
    /// A task is deleted.
    98 FreeRtos timed task_deleted TaskDeleted { task_id: u32 };
    /// A queue, semaphore, mutex or queue set is created.
    99 FreeRtos timed queue_created QueueCreated { queue_id: u32 };
    /// Name of a queue, semaphore, mutex or queue set.
    100 FreeRtos meta queue_name QueueName { queue_id: u32, name: Str<'a> };
    /// What kind of object a queue id stands for.
    101 FreeRtos meta queue_kind QueueKind { queue_id: u32, kind: QueueKind };
    /// An item is sent to a queue, or a semaphore or mutex is given.
    102 FreeRtos timed queue_send QueueSend { queue_id: u32, len_after: u32 };
    /// As queue_send, by an interrupt.
    103 FreeRtos timed queue_send_from_isr QueueSendFromIsr { queue_id: u32, len_after: u32 };
    /// The item of a queue of length one is overwritten.
    104 FreeRtos timed queue_overwrite QueueOverwrite { queue_id: u32, len_after: u32 };
    /// As queue_overwrite, by an interrupt.
    105 FreeRtos timed queue_overwrite_from_isr QueueOverwriteFromIsr { queue_id: u32, len_after: u32 };
    /// An item is received from a queue, or a semaphore or mutex is taken.
    106 FreeRtos timed queue_receive QueueReceive { queue_id: u32, len_after: u32 };
    /// As queue_receive, by an interrupt.
    107 FreeRtos timed queue_receive_from_isr QueueReceiveFromIsr { queue_id: u32, len_after: u32 };
    /// A queue is emptied.
    108 FreeRtos timed queue_reset QueueReset { queue_id: u32 };
    /// The running task waits to peek at a queue.
    109 FreeRtos timed curtask_block_on_queue_peek CurtaskBlockOnQueuePeek { queue_id: u32, ticks_to_wait: u32 };
    /// The running task waits for room in a queue.
    110 FreeRtos timed curtask_block_on_queue_send CurtaskBlockOnQueueSend { queue_id: u32, ticks_to_wait: u32 };
    /// The running task waits for an item, a semaphore or a mutex.
    111 FreeRtos timed curtask_block_on_queue_receive CurtaskBlockOnQueueReceive { queue_id: u32, ticks_to_wait: u32 };
    /// Number of items in a queue, or count of a semaphore.
    112 FreeRtos timed queue_cur_length QueueCurLength { queue_id: u32, length: u32 };
    /// Name of a task-local event marker.
    122 FreeRtos meta task_evtmarker_name TaskEvtmarkerName { evtmarker_id: u32, task_id: u32, name: Str<'a> };
    /// An instant on a task-local event marker of the running task.
    123 FreeRtos timed task_evtmarker TaskEvtmarker { evtmarker_id: u32, msg: Str<'a> };
    /// A span opens on a task-local event marker of the running task.
    124 FreeRtos timed task_evtmarker_begin TaskEvtmarkerBegin { evtmarker_id: u32, msg: Str<'a> };
    /// The innermost open span of a task-local event marker of the running task ends.
    125 FreeRtos timed task_evtmarker_end TaskEvtmarkerEnd { evtmarker_id: u32 };
    /// Name of a task-local value marker.
    126 FreeRtos meta task_valmarker_name TaskValmarkerName { valmarker_id: u32, task_id: u32, name: Str<'a> };
    /// A task-local value marker of the running task takes a value.
    127 FreeRtos timed task_valmarker TaskValmarker { valmarker_id: u32, val: i64 };

    /// What made the recording: version of the event set, number of cores, flags (bit 0: FreeRTOS),
    /// and where there is a kernel its version (major * 10000 + minor * 100 + patch) and tick rate.
    128 Base meta trace_info TraceInfo {
        format_version: u32,
        core_count: u32,
        flags: u32,
        kernel_version: Option<u32>,
        tick_rate_hz: Option<u32>
    };
    /// Names the firmware build that made the recording.
    129 Base meta build_id BuildId { id: Str<'a> };
    /// Metadata events, counted from reset, that found the metadata buffer of a core full. Streams
    /// that start later lack them.
    130 Base meta metadata_dropped MetadataDropped { core_id: u32, cnt: u32 };
}

/// Bits of the `flags` field of `trace_info`.
pub mod trace_info_flags {
    /// The firmware runs FreeRTOS and its kernel events are recorded.
    pub const FREERTOS: u32 = 1;
}

/// The registry's entry for an id.
#[must_use]
pub fn by_id(id: u8) -> Option<&'static EventDef> {
    EVENTS.binary_search_by_key(&id, |def| def.id).ok().and_then(|index| EVENTS.get(index))
}

/// The registry's entry for an event name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static EventDef> {
    EVENTS.iter().find(|def| def.name == name)
}
