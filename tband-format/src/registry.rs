//! The event registry: the only place where events are declared.
//!
//! An entry gives id, group, kind (`timed`: a timestamp follows the id; `meta`: none), wire name, Rust name, fields and a doc
//! line. From the entries are derived [`Event`], its decoder and encoder, [`EVENTS`] for generic readers, the C constants in
//! `tband.h` and the event table of the docs.
//!
//! Ids are append-only and never reused. 0x00–0x7F are Tonbandgerät's (113–121 stay unused), new events use 0x80–0xDF, and the ids
//! from [`FIRST_RARE_ID`], 0xE0, on are for events that hardly any recording has. 0xF8–0xFD are for tests of events that a reader
//! does not know.
//!
//! Events up to [`LAST_BASE_ID`] are the base that every reader knows; they never change. Recordings describe all others by
//! `event_schema`, so that readers without them can skip them and show their fields: [`DECLARED`] events at the start of the
//! recording, [`RARE`] ones where they are recorded.

use core::fmt::{self, Write as _};

use crate::declare::{is_metadata, registry};
use crate::described_event::DescribedEvent;
use crate::field::{Field, FieldKind, Str};
use crate::named::{
    CrashKind, Created, FaultFact, NotifyAction, QueueKind, StreamBufferKind, TimerCommand,
};
use crate::schema::{Schema, SchemaKind};
#[cfg(feature = "host")]
use crate::{
    declare::{read_packed, read_short, small, write_packed},
    decode::{DecodeError, Decoded, EventHandler},
    field::Value,
    field::fixed::{FIXED_WINDOW, FixedField},
    field::packed::{Bytes, PackedField, read_ticks, short_ticks, small_ticks, write_ticks},
    field::text::ReplaceText,
    reader::Reader,
    short_reader::ShortReader,
    writer::FrameWriter,
};

/// The part of the recorder that an event belongs to.
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

/// The registry's entry of an event.
#[derive(Clone, Copy, Debug)]
pub struct EventDef {
    /// First byte of the event.
    pub id: u8,
    /// Name, as in dumps and in the docs.
    pub name: &'static str,
    /// The part of the recorder that it belongs to.
    pub group: Group,
    /// Has no timestamp and is kept in the metadata buffer.
    pub metadata: bool,
    /// Fields after id and timestamp.
    pub fields: &'static [FieldDef],
    /// Its meaning, in a sentence.
    pub doc: &'static str,
}

impl EventDef {
    /// Returns the size of the longest payload in bytes, without the string that may end it.
    #[must_use]
    pub fn max_fixed_len(&self) -> usize {
        let ts = if self.metadata { 0 } else { 10 };
        1 + ts + self.fields.iter().filter_map(|field| field.kind.max_len()).sum::<usize>()
    }

    /// Returns the name of its constant in C, as text. The name contains the fields, so that using it with a function for other
    /// fields does not compile.
    #[must_use]
    pub fn constant(&self) -> impl fmt::Display {
        ConstantName(*self)
    }

    /// Returns whether a schema describes this event identically.
    #[must_use]
    pub fn is_described_by(&self, schema: &Schema<'_>) -> bool {
        let fields =
            self.fields.iter().map(|it| (it.name, SchemaKind::from_field(it.name, it.kind)));
        self.name == schema.name()
            && schema.fields().map(|(name, kind)| (name, Some(kind))).eq(fields)
    }

    /// Returns whether the event ends with a string.
    #[must_use]
    pub fn has_str(&self) -> bool {
        self.fields.iter().any(|field| field.kind.max_len().is_none())
    }
}

/// See [`EventDef::constant`].
struct ConstantName(EventDef);

impl fmt::Display for ConstantName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let def = &self.0;
        f.write_str(if def.metadata { "TBAND_EVT_META" } else { "TBAND_EVT" })?;
        // Values of enumerations stay below 128, so firmware records them as numbers.
        let types = def.fields.iter().map(|field| match field.kind {
            FieldKind::Enum { .. } => FieldKind::U32.type_name(),
            kind => kind.type_name(),
        });
        for word in types.chain([def.name]) {
            f.write_char('_')?;
            word.chars().try_for_each(|it| f.write_char(it.to_ascii_uppercase()))?;
        }
        Ok(())
    }
}

/// Every event of the format, by rising id.
pub const EVENTS: &[EventDef] = Event::DEFS;

/// The last event that every reader knows. Never raised: new events are [declared](DECLARED), or [rare](RARE).
pub const LAST_BASE_ID: u8 = 214;

/// The first id of events that hardly any recording has.
pub const FIRST_RARE_ID: u8 = 0xE0;

/// Returns the number of events with an id below this one.
const fn events_below(id: u8) -> usize {
    let mut index = 0;
    while index < EVENTS.len() && EVENTS[index].id < id {
        index += 1;
    }
    index
}

/// The events outside of the base, by rising id. A recorder describes them in each recording. Empty as long as no event was added.
pub const DECLARED: &[EventDef] =
    EVENTS.split_at(events_below(FIRST_RARE_ID)).0.split_at(events_below(LAST_BASE_ID + 1)).1;

/// Events that hardly any recording has, by rising id. A recorder describes such an event just before it records it, so that other
/// recordings contain no trace of it. The description must fit into the shortest common string limit, 20 bytes, or into 33 for
/// metadata, which is in frames only.
pub const RARE: &[EventDef] = EVENTS.split_at(events_below(FIRST_RARE_ID)).1;

/// Result of [`Event::id`] for an event with a time that is not in the registry.
pub const DESCRIBED_ID: u8 = 0xFF;
/// Result of [`Event::id`] for metadata that is not in the registry.
pub const DESCRIBED_METADATA_ID: u8 = 0xFE;

/// By id: true for events with a timestamp.
static IS_TIMED: [bool; 256] = {
    let mut table = [false; 256];
    let mut index = 0;
    while index < EVENTS.len() {
        table[EVENTS[index].id as usize] = !EVENTS[index].metadata;
        index += 1;
    }
    table
};

/// Returns whether events of this id have a timestamp.
#[inline]
fn is_timed(id: u8) -> bool {
    IS_TIMED.get(usize::from(id)).is_some_and(|it| *it)
}

/// Returns whether an event with these fields can be read [out of one word](ShortReader).
#[cfg(feature = "host")]
const fn is_short(fields: &[&str]) -> bool {
    fields.len() <= ShortReader::MOST
}

/// Reads one field, naming event and field in the error.
#[cfg(feature = "host")]
fn read<'a, T: Field<'a>>(
    reader: &mut Reader<'a>,
    event: &'static str,
    field: &'static str,
) -> Result<T, DecodeError> {
    T::read(reader).map_err(|error| DecodeError::BadField { event, field, error })
}

registry! {
    /// Events that follow are of this core.
    0 Base timed core_id CoreId { core_id: u32 };
    /// Total number of events dropped so far.
    1 Base timed dropped_evt_cnt DroppedEvtCnt { cnt: u32 };
    /// Length of one timestamp tick in nanoseconds; 1 if it never appears.
    2 Base meta ts_resolution_ns TsResolutionNs { ns_per_ts: u64 };
    /// Name of an interrupt; with the number 2^32 - 7 the name of the main program, without an RTOS.
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
    /// A mutex holder returns to its base priority.
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
    /// The kind of object with this queue id.
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

    /// The recorder: version of the event set, number of cores, flags (listed with the format), and with a kernel its
    /// version (major * 10000 + minor * 100 + patch) and tick rate.
    128 Base meta trace_info TraceInfo {
        format_version: u32,
        core_count: u32,
        flags: u32,
        kernel_version: Option<u32>,
        tick_rate_hz: Option<u32>
    };
    /// Names the firmware build that made the recording.
    129 Base meta build_id BuildId { id: Str<'a> };
    /// Number of metadata events, counted from reset, that did not fit in the metadata buffer of a core; and the
    /// necessary size of the buffer in bytes.
    130 Base meta metadata_dropped MetadataDropped { core_id: u32, cnt: u32, size_needed: Option<u32> };

    /// A task notifies a task: what the notification does, its value, and the task's notification
    /// value afterwards.
    131 FreeRtos timed task_notify TaskNotify {
        task_id: u32,
        index: u32,
        action: NotifyAction,
        value: u32,
        value_after: u32
    };
    /// As task_notify, by an interrupt.
    132 FreeRtos timed task_notify_from_isr TaskNotifyFromIsr {
        task_id: u32,
        index: u32,
        action: NotifyAction,
        value: u32,
        value_after: u32
    };
    /// An interrupt adds one to a task's notification value.
    133 FreeRtos timed task_notify_give_from_isr TaskNotifyGiveFromIsr { task_id: u32, index: u32, value_after: u32 };
    /// The running task takes from its notification value; a value of 0 means that its wait timed out.
    134 FreeRtos timed curtask_notify_take CurtaskNotifyTake { index: u32, value: u32, value_after: u32 };
    /// The running task's wait for a notification ends: the value, and 0 if the wait timed out, else 1.
    135 FreeRtos timed curtask_notify_wait CurtaskNotifyWait { index: u32, value: u32, received: u32 };
    /// The running task waits to take from its notification value.
    136 FreeRtos timed curtask_block_on_notify_take CurtaskBlockOnNotifyTake { index: u32, ticks_to_wait: u32 };
    /// The running task waits for a notification.
    137 FreeRtos timed curtask_block_on_notify_wait CurtaskBlockOnNotifyWait { index: u32, ticks_to_wait: u32 };
    /// The pending notification of a task, if there is one, is discarded.
    138 FreeRtos timed task_notify_state_clear TaskNotifyStateClear { task_id: u32, index: u32 };
    /// Bits of a task's notification value are cleared.
    139 FreeRtos timed task_notify_value_clear TaskNotifyValueClear { task_id: u32, index: u32, bits: u32 };

    /// A stream or message buffer is created; size and trigger level in bytes.
    140 FreeRtos timed stream_buffer_created StreamBufferCreated { stream_buffer_id: u32, size: u32, trigger_level: u32 };
    /// Name of a stream or message buffer.
    141 FreeRtos meta stream_buffer_name StreamBufferName { stream_buffer_id: u32, name: Str<'a> };
    /// The kind of buffer with this stream buffer id.
    142 FreeRtos meta stream_buffer_kind StreamBufferKind { stream_buffer_id: u32, kind: StreamBufferKind };
    /// A task sends bytes; the level afterwards, in bytes, includes the length fields of messages.
    143 FreeRtos timed stream_buffer_send StreamBufferSend { stream_buffer_id: u32, amount: u32, level_after: u32 };
    /// As stream_buffer_send, by an interrupt.
    144 FreeRtos timed stream_buffer_send_from_isr StreamBufferSendFromIsr { stream_buffer_id: u32, amount: u32, level_after: u32 };
    /// A task receives bytes.
    145 FreeRtos timed stream_buffer_receive StreamBufferReceive { stream_buffer_id: u32, amount: u32, level_after: u32 };
    /// As stream_buffer_receive, by an interrupt.
    146 FreeRtos timed stream_buffer_receive_from_isr StreamBufferReceiveFromIsr { stream_buffer_id: u32, amount: u32, level_after: u32 };
    /// A stream buffer is emptied.
    147 FreeRtos timed stream_buffer_reset StreamBufferReset { stream_buffer_id: u32 };
    /// As stream_buffer_reset, by an interrupt.
    148 FreeRtos timed stream_buffer_reset_from_isr StreamBufferResetFromIsr { stream_buffer_id: u32 };
    /// A stream buffer is deleted.
    149 FreeRtos timed stream_buffer_deleted StreamBufferDeleted { stream_buffer_id: u32 };
    /// A task could send nothing.
    150 FreeRtos timed stream_buffer_send_failed StreamBufferSendFailed { stream_buffer_id: u32 };
    /// As stream_buffer_send_failed, in an interrupt.
    151 FreeRtos timed stream_buffer_send_from_isr_failed StreamBufferSendFromIsrFailed { stream_buffer_id: u32 };
    /// A task received nothing.
    152 FreeRtos timed stream_buffer_receive_failed StreamBufferReceiveFailed { stream_buffer_id: u32 };
    /// As stream_buffer_receive_failed, in an interrupt.
    153 FreeRtos timed stream_buffer_receive_from_isr_failed StreamBufferReceiveFromIsrFailed { stream_buffer_id: u32 };
    /// The running task waits for room in a stream buffer.
    154 FreeRtos timed curtask_block_on_stream_buffer_send CurtaskBlockOnStreamBufferSend { stream_buffer_id: u32, ticks_to_wait: u32 };
    /// The running task waits for bytes in a stream buffer.
    155 FreeRtos timed curtask_block_on_stream_buffer_receive CurtaskBlockOnStreamBufferReceive { stream_buffer_id: u32, ticks_to_wait: u32 };

    /// An event group is created, with all bits clear.
    156 FreeRtos timed event_group_created EventGroupCreated { event_group_id: u32 };
    /// Name of an event group.
    157 FreeRtos meta event_group_name EventGroupName { event_group_id: u32, name: Str<'a> };
    /// An event group is deleted; tasks that wait for it are woken.
    158 FreeRtos timed event_group_deleted EventGroupDeleted { event_group_id: u32 };
    /// A task sets bits: these, and all that are set afterwards, before woken tasks clear theirs.
    159 FreeRtos timed event_group_set_bits EventGroupSetBits { event_group_id: u32, bits: u32, bits_after: u32 };
    /// An interrupt asks the timer task to set bits.
    160 FreeRtos timed event_group_set_bits_from_isr EventGroupSetBitsFromIsr { event_group_id: u32, bits: u32 };
    /// A task clears bits: these, and all that are set afterwards.
    161 FreeRtos timed event_group_clear_bits EventGroupClearBits { event_group_id: u32, bits: u32, bits_after: u32 };
    /// An interrupt asks the timer task to clear bits.
    162 FreeRtos timed event_group_clear_bits_from_isr EventGroupClearBitsFromIsr { event_group_id: u32, bits: u32 };
    /// The running task waits for bits. Flags: 1 all of them, 2 clear them on exit.
    163 FreeRtos timed curtask_block_on_event_group_wait CurtaskBlockOnEventGroupWait { event_group_id: u32, bits: u32, flags: u32, ticks_to_wait: u32 };
    /// The running task's wait for bits ends, with the bits that it found. Flags: 1 all of them, 2 clear
    /// them on exit, 4 it timed out.
    164 FreeRtos timed event_group_wait_end EventGroupWaitEnd { event_group_id: u32, bits: u32, flags: u32, found: u32 };
    /// The running task has set its bits of a rendezvous and waits for the others.
    165 FreeRtos timed curtask_block_on_event_group_sync CurtaskBlockOnEventGroupSync { event_group_id: u32, set: u32, bits: u32, ticks_to_wait: u32 };
    /// The running task's rendezvous ends, with the bits that it found. Flags: 4 it timed out.
    166 FreeRtos timed event_group_sync_end EventGroupSyncEnd { event_group_id: u32, set: u32, bits: u32, flags: u32, found: u32 };

    /// A software timer is created: period in kernel ticks, 1 for auto-reload, and the low 32 bits of its
    /// callback's address.
    167 FreeRtos timed timer_created TimerCreated { timer_id: u32, period: u32, auto_reload: u32, callback: u32 };
    /// Name of a software timer.
    168 FreeRtos meta timer_name TimerName { timer_id: u32, name: Str<'a> };
    /// A command is sent to the timer task: its value, in kernel ticks, and 1 if there was room for it.
    169 FreeRtos timed timer_command_sent TimerCommandSent { timer_id: u32, command: TimerCommand, value: u32, result: u32 };
    /// The timer task executes a command.
    170 FreeRtos timed timer_command_received TimerCommandReceived { timer_id: u32, command: TimerCommand, value: u32 };
    /// A software timer expires, and the timer task calls its callback (low 32 bits of the address).
    171 FreeRtos timed timer_expired TimerExpired { timer_id: u32, callback: u32 };
    /// A function call is sent to the timer task: low 32 bits of function and first parameter, second
    /// parameter, and 1 if there was room for it.
    172 FreeRtos timed pend_func_call PendFuncCall { function: u32, parameter1: u32, parameter2: u32, result: u32 };
    /// As pend_func_call, by an interrupt.
    173 FreeRtos timed pend_func_call_from_isr PendFuncCallFromIsr { function: u32, parameter1: u32, parameter2: u32, result: u32 };

    /// A queue, semaphore, mutex or queue set is deleted.
    174 FreeRtos timed queue_deleted QueueDeleted { queue_id: u32 };
    /// The item of the last send to this queue went to its front.
    175 FreeRtos timed queue_sent_to_front QueueSentToFront { queue_id: u32 };
    /// A task looks at an item and leaves it in the queue.
    176 FreeRtos timed queue_peek QueuePeek { queue_id: u32 };
    /// As queue_peek, by an interrupt.
    177 FreeRtos timed queue_peek_from_isr QueuePeekFromIsr { queue_id: u32 };
    /// A task could not send: the queue stayed full, or the semaphore has its maximum count.
    178 FreeRtos timed queue_send_failed QueueSendFailed { queue_id: u32 };
    /// As queue_send_failed, in an interrupt.
    179 FreeRtos timed queue_send_from_isr_failed QueueSendFromIsrFailed { queue_id: u32 };
    /// A task received nothing: the queue stayed empty, or the semaphore or mutex taken.
    180 FreeRtos timed queue_receive_failed QueueReceiveFailed { queue_id: u32 };
    /// As queue_receive_failed, in an interrupt.
    181 FreeRtos timed queue_receive_from_isr_failed QueueReceiveFromIsrFailed { queue_id: u32 };
    /// A task could not peek: the queue stayed empty.
    182 FreeRtos timed queue_peek_failed QueuePeekFailed { queue_id: u32 };
    /// As queue_peek_failed, in an interrupt.
    183 FreeRtos timed queue_peek_from_isr_failed QueuePeekFromIsrFailed { queue_id: u32 };
    /// A queue that was created is a mutex.
    184 FreeRtos timed mutex_created MutexCreated { queue_id: u32 };
    /// The running task requests a recursive mutex; its depth once the task holds it. The first take is also a
    /// queue_receive.
    185 FreeRtos timed mutex_recursive_take MutexRecursiveTake { queue_id: u32, depth_after: u32 };
    /// The running task did not get a recursive mutex.
    186 FreeRtos timed mutex_recursive_take_failed MutexRecursiveTakeFailed { queue_id: u32 };
    /// The running task gives a recursive mutex; its depth afterwards. The last give is also a queue_send.
    187 FreeRtos timed mutex_recursive_give MutexRecursiveGive { queue_id: u32, depth_after: u32 };
    /// The running task gives a recursive mutex that it does not hold.
    188 FreeRtos timed mutex_recursive_give_failed MutexRecursiveGiveFailed { queue_id: u32 };
    /// The kernel could not create an object.
    189 FreeRtos timed create_failed CreateFailed { object: Created };

    /// The running task joins the tasks that wait for a time, at this count of kernel ticks.
    190 FreeRtos timed curtask_to_delayed_list CurtaskToDelayedList { time_to_wake: u32 };
    /// As curtask_to_delayed_list, with a time after the tick counter's wrap.
    191 FreeRtos timed curtask_to_overflow_delayed_list CurtaskToOverflowDelayedList { time_to_wake: u32 };
    /// A task's wait is aborted.
    192 FreeRtos timed task_delay_abort TaskDelayAbort { task_id: u32 };
    /// A task may run on these cores, one bit each.
    193 FreeRtos timed task_core_affinity_set TaskCoreAffinitySet { task_id: u32, core_mask: u32 };
    /// Bytes of a task's stack that were never used.
    194 FreeRtos timed task_stack_high_water_mark TaskStackHighWaterMark { task_id: u32, bytes: u32 };
    /// A task stops running on this core.
    195 FreeRtos timed task_switched_out TaskSwitchedOut { task_id: u32 };
    /// A task has been put into its list of ready tasks.
    196 FreeRtos timed task_in_ready_list TaskInReadyList { task_id: u32 };

    /// Memory is allocated from the heap: low 32 bits of the address, 0 if the allocation failed, bytes, and free
    /// bytes afterwards if the heap counts them.
    197 FreeRtos timed heap_malloc HeapMalloc { address: u32, size: u32, bytes_free: Option<u32> };
    /// Memory is freed.
    198 FreeRtos timed heap_free HeapFree { address: u32, size: u32, bytes_free: Option<u32> };
    /// The idle task stops the tick to sleep, for this many kernel ticks at most.
    199 FreeRtos timed low_power_idle_begin LowPowerIdleBegin { expected_ticks: u32 };
    /// The tick continues.
    200 FreeRtos timed low_power_idle_end LowPowerIdleEnd {};
    /// The kernel's tick, with the tick count before it.
    201 FreeRtos timed tick TickIncrement { tick_count: u32 };
    /// The tick count jumps after the tick was stopped.
    202 FreeRtos timed tick_count_increase TickCountIncrease { ticks: u32 };
    /// As isr_exit, with a request to switch to another task.
    203 FreeRtos timed isr_exit_to_scheduler IsrExitToScheduler { isr_id: u32 };
    /// A function of the kernel is called.
    204 FreeRtos timed api_enter ApiEnter { function: u32 };
    /// A function of the kernel returns, with the low 32 bits of its value if it has one.
    205 FreeRtos timed api_return ApiReturn { function: u32, value: Option<u32> };

    /// From this timestamp on the timer counts numerator / denominator ticks per second. Recorded at the start and at
    /// each change.
    206 Base timed ts_frequency TsFrequency { numerator: u64, denominator: u64 };
    /// An interrupt of the class ISR ended earlier without an event: it is entered again, or one that it interrupted
    /// ends.
    208 FreeRtos timed isr_exit_missed IsrExitMissed { isr_id: u32 };

    /// Priority of a live task when the recording starts, without inheritance.
    209 FreeRtos meta task_base_priority TaskBasePriority { task_id: u32, priority: u32 };
    /// Size and trigger level, in bytes, of a live stream or message buffer when the recording starts.
    210 FreeRtos meta stream_buffer_info StreamBufferInfo { stream_buffer_id: u32, size: u32, trigger_level: u32 };
    /// Period in kernel ticks of a live software timer when the recording starts, and 1 for auto-reload.
    211 FreeRtos meta timer_info TimerInfo { timer_id: u32, period: u32, auto_reload: u32 };

    /// At the begin of a packet: this task runs on this core.
    212 FreeRtos timed running_task RunningTask { task_id: u32 };
    /// At the begin of a packet: this interrupt is open on this core, inside those reported just before.
    213 Base timed open_isr OpenIsr { isr_id: u32 };
    /// Describes events of an id for readers that do not know it.
    214 Base meta event_schema EventSchema { event_id: u8, timed: u8, schema: Str<'a> };

    /// A register, or another fact, of the next crash on this core.
    224 Base timed fault Fault { what: FaultFact, is: u32 };
    /// The firmware has crashed, or is about to be reset; fault events just before contain the details. Of: the file
    /// of a failed assertion, the task whose stack has overflowed, or the reason.
    225 Base timed crash Crash { kind: CrashKind, of: Str<'a> };
    /// Location of a crash with this pc, from the program's debug info: function, file and line, and the callers,
    /// innermost first, one per line.
    226 Base meta crash_places CrashPlaces { pc: u32, places: Str<'a> };
    /// The complete filter from here on, as a sequence of facts on a core. Of: 8, the origin (0 firmware, 1 host),
    /// and from bit 8 the number of facts that follow; 0 to 7, a bit for each of 32 ids that are skipped; 32 and a
    /// kind of object, all of it is skipped; 16 and a kind, the object of this number is the exception; 64 to 71,
    /// as 0 to 7, for shedding.
    227 Base timed filter Filter { of: u32, is: u32 };
    /// The n-th trigger since the last reset has fired, at the event just before on this core. Is: that event's first
    /// number, or 0; from bit 32 its id; from bit 40 the condition; from bit 48 the trigger's number.
    228 Base timed trigger Trigger { n: u32, is: i64 };
    /// All events requested after the n-th trigger are recorded. Nothing follows, or the consumer of the stream
    /// ends it.
    229 Base timed frozen Frozen { n: u32 };
    /// Number of events of a class (its bit in the flags of trace_info) that were shed since the last such event on
    /// this core, or the start.
    230 Base timed shed Shed { class: u32, n: u32 };

    /// A tool read the formats of log records from the program with this build id, as in `program`.
    231 Base meta formats_of FormatsOf { first: u32, second: u32 };
    /// A log record of the application: the address of its format, and its arguments, encoded without NUL.
    232 Base timed record Record { at: u32, is: Str<'a> };
    /// The format of log records at this address, up to the maximum length of a string; the rest is another event.
    233 Base meta format Format { format_id: u32, text: Str<'a> };
    /// A record of the application with this type and self-describing elements, encoded without NUL.
    234 Base timed typed Typed { no: u32, is: Str<'a> };
    /// Name of an object or a function, by its address.
    235 Base meta symbol Symbol { symbol_id: u32, name: Str<'a> };
    /// Name of a number in such records; bits 28 and up are 0 for signals, 1 for types of records, and from 2 on
    /// for enumerations.
    236 Base meta constant Constant { constant_id: u32, name: Str<'a> };

    /// The program that records: the first eight bytes of the linker's build id, each half in big-endian order.
    237 Base meta program Program { first: u32, second: u32 };
    /// The answer to the host's command of this number: a value, or below 0 the reason of a refusal.
    238 Base timed answer Answer { n: u32, is: i64 };
    /// Bits 32 to 55 of the numbers in the next event of this event group by the same task or interrupt, which has
    /// bits 0 to 31. Is: from bit 0 on those of `bits`, from bit 24 on those of `bits_after` or `found`. Recorded
    /// if one of them is set.
    239 FreeRtos timed bits Bits { of: u32, is: i64 };
}

/// Bits of the `flags` field of `trace_info`; [`classes`](crate::classes) has those of the classes of events.
pub mod trace_info_flags {
    /// The firmware runs FreeRTOS and its kernel events are recorded.
    pub const FREERTOS: u32 = 1;
    /// The timer must be read once per wrap, and nothing in the firmware is known to do so.
    pub const TIME_NOT_KEPT: u32 = 2;
}

/// In `isr_name` the main program of firmware without an RTOS, instead of an interrupt: -7, which CMSIS assigns to no exception.
pub const MAIN_PROGRAM: u32 = -7_i32 as u32;

/// The main program in recordings from before [`MAIN_PROGRAM`]: -1, which CMSIS assigns to SysTick.
pub const FORMER_MAIN_PROGRAM: u32 = u32::MAX;

/// Placeholder for values that another recorder does not record. As the number of a queue: the object that a task waits for, whose
/// state is unknown then. In `running_task`: no task; from there on the running task is unknown. As the index of a notification:
/// index and value. In the creation of a timer: its callback, and whether it restarts.
pub const NOT_RECORDED: u32 = u32::MAX;

/// Value markers with these numbers synchronise clocks. If cores or boards have no common clock, the values number moments that
/// one has sent to another, by a message, a pin, or memory.
pub mod clock_sync {
    /// Recorded by the sender, before the receiver gets it.
    pub const SENT: u32 = u32::MAX - 1;
    /// Recorded by the receiver, after it got it; or by several receivers of a common moment.
    pub const HEARD: u32 = u32::MAX;
}

/// Bits of the `flags` fields of event group events.
pub mod event_group_flags {
    /// All bits are waited for, not any.
    pub const ALL: u32 = 1;
    /// The bits are cleared when the wait has found them.
    pub const CLEAR_ON_EXIT: u32 = 2;
    /// The wait timed out.
    pub const TIMED_OUT: u32 = 4;
}

/// Returns the registry's entry for an id.
#[must_use]
pub fn by_id(id: u8) -> Option<&'static EventDef> {
    EVENTS.binary_search_by_key(&id, |def| def.id).ok().and_then(|index| EVENTS.get(index))
}

/// Returns the registry's entry for an event name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static EventDef> {
    EVENTS.iter().find(|def| def.name == name)
}
