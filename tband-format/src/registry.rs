//! The event registry: the one place where events are declared.
//!
//! An entry gives id, group, kind (`timed`: a timestamp follows the id; `meta`: it does not), wire
//! name, Rust name, fields and a doc line. From the entries come [`Event`], its decoder and encoder,
//! [`EVENTS`] for generic readers, the C constants in `tband.h` and the event table of the docs.
//!
//! Ids are append-only and never reused. 0x00–0x7F are Tonbandgerät's (113–121 stay unused), new
//! events take 0x80–0xDF, and from [`FIRST_RARE_ID`], 0xE0, on those that hardly any recording has. 0xF8–0xFD are for tests of
//! events that a reader does not know.
//!
//! Events up to [`LAST_BASE_ID`] are the base that every reader knows, as they are for ever. Recordings describe all
//! others by `event_schema`, so that readers that do not have them can step over them and show their fields: [`DECLARED`] at
//! their start, [`RARE`] where they are recorded.

use core::fmt::{self, Write as _};

use crate::declare::{is_metadata, registry};
use crate::described::Described;
use crate::field::{Field, FieldKind, Str};
use crate::named::{
    CrashKind, Created, FaultFact, NotifyAction, QueueKind, StreamBufferKind, TimerCommand,
};
use crate::schema::{Schema, SchemaKind};
#[cfg(feature = "host")]
use crate::{
    declare::{read_packed, read_short, small, write_packed},
    decode::{DecodeError, Decoded, Take},
    field::Value,
    packed::{Bytes, Packed, read_ticks, short_ticks, small_ticks, write_ticks},
    reader::Reader,
    short::Short,
    text::Text,
    writer::FrameWriter,
};

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

    /// Name of its constant in C, as text. Its fields are part of it, so that using it with a function for other fields does not
    /// compile.
    #[must_use]
    pub fn constant(&self) -> impl fmt::Display {
        ConstantName(*self)
    }

    /// A schema says the same of this event.
    #[must_use]
    pub fn is_described_by(&self, schema: &Schema<'_>) -> bool {
        let fields = self.fields.iter().map(|it| (it.name, SchemaKind::of_field(it.name, it.kind)));
        self.name == schema.name()
            && schema.fields().map(|(name, kind)| (name, Some(kind))).eq(fields)
    }

    /// The event closes with a string.
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

/// The last event that every reader knows. Never raised: what is added is [declared](DECLARED), or [rare](RARE).
pub const LAST_BASE_ID: u8 = 214;

/// The first id of events that hardly any recording has.
pub const FIRST_RARE_ID: u8 = 0xE0;

/// How many events have an id below this one.
const fn events_below(id: u8) -> usize {
    let mut index = 0;
    while index < EVENTS.len() && EVENTS[index].id < id {
        index += 1;
    }
    index
}

/// The events outside of the base, by rising id. A recorder describes them in each recording; there are none as long as
/// nothing was added.
pub const DECLARED: &[EventDef] =
    EVENTS.split_at(events_below(FIRST_RARE_ID)).0.split_at(events_below(LAST_BASE_ID + 1)).1;

/// Events that hardly any recording has, by rising id. Whoever records one describes it just before, so that no other
/// recording has anything of it. What describes it has to fit into the shortest string that is usual, 20 bytes, or into 33 if it is
/// metadata, which is in frames only.
pub const RARE: &[EventDef] = EVENTS.split_at(events_below(FIRST_RARE_ID)).1;

/// What [`Event::id`] gives of an event with a time that the registry does not have.
pub const DESCRIBED_ID: u8 = 0xFF;
/// What [`Event::id`] gives of metadata that the registry does not have.
pub const DESCRIBED_METADATA_ID: u8 = 0xFE;

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
#[inline]
fn is_timed(id: u8) -> bool {
    IS_TIMED.get(usize::from(id)).is_some_and(|it| *it)
}

/// An event with these fields can be read [out of one word](Short).
#[cfg(feature = "host")]
const fn is_short(fields: &[&str]) -> bool {
    fields.len() <= Short::MOST
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
    /// Name of an interrupt; with the number 2^32 - 1 that of the main program, without an RTOS.
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

    /// What made the recording: version of the event set, number of cores, flags (bit 0: FreeRTOS; bit 1: a
    /// timer of few bits that nothing is known to read once a turn; bit 2: bits 3 to 19 say which classes of events are on; bits 20 to 31: how events are buffered), and where there is a kernel its version (major * 10000 + minor * 100 + patch) and tick rate.
    128 Base meta trace_info TraceInfo {
        format_version: u32,
        core_count: u32,
        flags: u32,
        kernel_version: Option<u32>,
        tick_rate_hz: Option<u32>
    };
    /// Names the firmware build that made the recording.
    129 Base meta build_id BuildId { id: Str<'a> };
    /// Metadata events, counted from reset, that found the metadata buffer of a core full, so that
    /// recordings that start later lack them; and how many bytes it should at least have had.
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
    /// The running task takes from its notification value; a value of 0 says that its wait timed out.
    134 FreeRtos timed curtask_notify_take CurtaskNotifyTake { index: u32, value: u32, value_after: u32 };
    /// The running task's wait for a notification ends: the value, and 1 if there was a notification
    /// or 0 if the wait timed out.
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
    /// What kind of buffer a stream buffer id stands for.
    142 FreeRtos meta stream_buffer_kind StreamBufferKind { stream_buffer_id: u32, kind: StreamBufferKind };
    /// A task sends bytes; the level afterwards, in bytes, has the lengths of messages in it.
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
    /// A task sets bits; those set afterwards, before woken tasks clear theirs.
    159 FreeRtos timed event_group_set_bits EventGroupSetBits { event_group_id: u32, bits: u32, bits_after: u32 };
    /// An interrupt asks the timer task to set bits.
    160 FreeRtos timed event_group_set_bits_from_isr EventGroupSetBitsFromIsr { event_group_id: u32, bits: u32 };
    /// A task clears bits; those set afterwards.
    161 FreeRtos timed event_group_clear_bits EventGroupClearBits { event_group_id: u32, bits: u32, bits_after: u32 };
    /// An interrupt asks the timer task to clear bits.
    162 FreeRtos timed event_group_clear_bits_from_isr EventGroupClearBitsFromIsr { event_group_id: u32, bits: u32 };
    /// The running task waits for bits. Flags: 1 all of them, 2 clear them on exit.
    163 FreeRtos timed curtask_block_on_event_group_wait CurtaskBlockOnEventGroupWait { event_group_id: u32, bits: u32, flags: u32, ticks_to_wait: u32 };
    /// The running task's wait for bits ends, with the bits that it found. Flags: 1 all of them, 2 clear
    /// them on exit, 4 it timed out.
    164 FreeRtos timed event_group_wait_end EventGroupWaitEnd { event_group_id: u32, bits: u32, flags: u32, found: u32 };
    /// The running task waits for the bits of a rendezvous, having set its own.
    165 FreeRtos timed curtask_block_on_event_group_sync CurtaskBlockOnEventGroupSync { event_group_id: u32, set: u32, bits: u32, ticks_to_wait: u32 };
    /// The running task's rendezvous ends, with the bits that it found. Flags: 4 it timed out.
    166 FreeRtos timed event_group_sync_end EventGroupSyncEnd { event_group_id: u32, set: u32, bits: u32, flags: u32, found: u32 };

    /// A software timer is created: period in kernel ticks, 1 if it restarts by itself, and the low 32
    /// bits of its callback's address.
    167 FreeRtos timed timer_created TimerCreated { timer_id: u32, period: u32, auto_reload: u32, callback: u32 };
    /// Name of a software timer.
    168 FreeRtos meta timer_name TimerName { timer_id: u32, name: Str<'a> };
    /// A command is sent to the timer task: its value, in kernel ticks, and 1 if there was room for it.
    169 FreeRtos timed timer_command_sent TimerCommandSent { timer_id: u32, command: TimerCommand, value: u32, result: u32 };
    /// The timer task carries out a command.
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
    /// A task could not send: the queue stayed full. Of a semaphore: it has its highest count.
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
    /// The running task asks for a recursive mutex; how often it holds it once it has it. The first take
    /// is a queue_receive as well.
    185 FreeRtos timed mutex_recursive_take MutexRecursiveTake { queue_id: u32, depth_after: u32 };
    /// The running task did not get a recursive mutex.
    186 FreeRtos timed mutex_recursive_take_failed MutexRecursiveTakeFailed { queue_id: u32 };
    /// The running task gives a recursive mutex; how often it holds it afterwards. The last give is a
    /// queue_send as well.
    187 FreeRtos timed mutex_recursive_give MutexRecursiveGive { queue_id: u32, depth_after: u32 };
    /// The running task gives a recursive mutex that it does not hold.
    188 FreeRtos timed mutex_recursive_give_failed MutexRecursiveGiveFailed { queue_id: u32 };
    /// The kernel could not create an object.
    189 FreeRtos timed create_failed CreateFailed { object: Created };

    /// The running task joins the tasks that wait for a time, at this count of kernel ticks.
    190 FreeRtos timed curtask_to_delayed_list CurtaskToDelayedList { time_to_wake: u32 };
    /// As curtask_to_delayed_list, with a time after the tick counter's wrap.
    191 FreeRtos timed curtask_to_overflow_delayed_list CurtaskToOverflowDelayedList { time_to_wake: u32 };
    /// A task's wait is to be aborted, whatever it waits for.
    192 FreeRtos timed task_delay_abort TaskDelayAbort { task_id: u32 };
    /// A task may run on these cores, one bit each.
    193 FreeRtos timed task_core_affinity_set TaskCoreAffinitySet { task_id: u32, core_mask: u32 };
    /// Bytes of a task's stack that were never used.
    194 FreeRtos timed task_stack_high_water_mark TaskStackHighWaterMark { task_id: u32, bytes: u32 };
    /// A task stops running on this core.
    195 FreeRtos timed task_switched_out TaskSwitchedOut { task_id: u32 };
    /// A task has been put into its list of ready tasks.
    196 FreeRtos timed task_in_ready_list TaskInReadyList { task_id: u32 };

    /// Memory is taken from the heap: low 32 bits of the address, 0 if there was not enough, bytes,
    /// and bytes free afterwards where the heap counts them.
    197 FreeRtos timed heap_malloc HeapMalloc { address: u32, size: u32, bytes_free: Option<u32> };
    /// Memory is given back to the heap.
    198 FreeRtos timed heap_free HeapFree { address: u32, size: u32, bytes_free: Option<u32> };
    /// The idle task stops the tick to sleep, for this many kernel ticks at most.
    199 FreeRtos timed low_power_idle_begin LowPowerIdleBegin { expected_ticks: u32 };
    /// The tick goes on.
    200 FreeRtos timed low_power_idle_end LowPowerIdleEnd {};
    /// The kernel's tick, with the tick count before it.
    201 FreeRtos timed tick TickIncrement { tick_count: u32 };
    /// The tick count jumps on after the tick was stopped.
    202 FreeRtos timed tick_count_increase TickCountIncrease { ticks: u32 };
    /// As isr_exit, with a switch to another task asked for.
    203 FreeRtos timed isr_exit_to_scheduler IsrExitToScheduler { isr_id: u32 };
    /// A function of the kernel is called.
    204 FreeRtos timed api_enter ApiEnter { function: u32 };
    /// A function of the kernel returns, with the low 32 bits of its value; without one there is none.
    205 FreeRtos timed api_return ApiReturn { function: u32, value: Option<u32> };

    /// From this timestamp on the timer counts numerator / denominator ticks a second: exactly what
    /// ts_resolution_ns has rounded. Recorded at the start and whenever it changes.
    206 Base timed ts_frequency TsFrequency { numerator: u64, denominator: u64 };
    /// An interrupt of the class ISR has ended unseen, some time before: it is entered again, or one that it
    /// interrupted ends. Its handler reports its beginning only.
    208 FreeRtos timed isr_exit_missed IsrExitMissed { isr_id: u32 };

    /// Priority that a living task has when the recording starts, without what it inherited.
    209 FreeRtos meta task_base_priority TaskBasePriority { task_id: u32, priority: u32 };
    /// Size and trigger level, in bytes, that a living stream or message buffer has when the recording
    /// starts.
    210 FreeRtos meta stream_buffer_info StreamBufferInfo { stream_buffer_id: u32, size: u32, trigger_level: u32 };
    /// Period in kernel ticks that a living software timer has when the recording starts, and 1 if it
    /// restarts by itself.
    211 FreeRtos meta timer_info TimerInfo { timer_id: u32, period: u32, auto_reload: u32 };

    /// This task runs on this core, as it did before: at the begin of a packet, so that a reader who has not
    /// seen the switch knows it.
    212 FreeRtos timed running_task RunningTask { task_id: u32 };
    /// This interrupt is open on this core, as it was before, inside those that are reported just before: at the
    /// begin of a packet.
    213 Base timed open_isr OpenIsr { isr_id: u32 };
    /// What events of another id look like, for readers that do not know them: 1 if they have a time, 0 or 2 if they are
    /// metadata; their name, and names and kinds of their fields. Holds from here on.
    214 Base meta event_schema EventSchema { event_id: u8, timed: u8, schema: Str<'a> };

    /// A register, or another fact, of the crash that is reported next on this core.
    224 Base timed fault Fault { what: FaultFact, is: u32 };
    /// The firmware has crashed, or is about to be reset; what is known of it is in the events fault just before. Of: the
    /// file of a failed assertion, the task whose stack has overflowed, or why.
    225 Base timed crash Crash { kind: CrashKind, of: Str<'a> };
    /// Where a crash is whose pc is this one, from who has the program's debug info: function, file and line, and those
    /// that have called it, innermost first, one a line.
    226 Base meta crash_places CrashPlaces { pc: u32, places: Str<'a> };
    /// Which events are not recorded from here on, said anew by facts that follow each other on a core. Of: 8, by whom
    /// (0 firmware, 1 host), and from bit 8 how many facts follow; 0 to 7, a bit for each of 32 ids; 32 and a kind of object, none
    /// of it; 16 and a kind, the object of this number is the exception; 64 to 71, as 0 to 7, since packets run out.
    227 Base timed filter Filter { of: u32, is: u32 };
    /// The n-th trigger since the last reset has fired, at the event just before on this core. Is: that event's first
    /// number, or 0; from bit 32 its id; from bit 40 the condition; from bit 48 the trigger's number.
    228 Base timed trigger Trigger { n: u32, is: i64 };
    /// All that was to be recorded after the n-th trigger is recorded. Nothing follows, or whoever takes the recording ends it.
    229 Base timed frozen Frozen { n: u32 };
    /// So many events of a class, by its bit in the flags of trace_info, were not recorded since packets ran out: since this was
    /// said last on this core, or since the recording was started.
    230 Base timed shed Shed { class: u32, n: u32 };

    /// Formats of records in this recording are of the program with this build id, as in `program`; from a tool that has read
    /// them there.
    231 Base meta formats_of FormatsOf { first: u32, second: u32 };
    /// A record of the application's own: the address of its format, and its arguments, in which there is no NUL.
    232 Base timed record Record { at: u32, is: Str<'a> };
    /// The format of such records, from this address on: what is there, up to the longest string; the rest is another piece.
    233 Base meta format Format { format_id: u32, text: Str<'a> };
    /// A record of the application's own, of this type, with elements that say what they are, in which there is no NUL.
    234 Base timed typed Typed { no: u32, is: Str<'a> };
    /// Name of an object or a function, by its address.
    235 Base meta symbol Symbol { symbol_id: u32, name: Str<'a> };
    /// Name of a number that such records have: in bits 28 and up 0 for signals, 1 for types of records, and from 2 on for
    /// enumerations.
    236 Base meta constant Constant { constant_id: u32, name: Str<'a> };

    /// Which program makes the recording: the first eight bytes of the build id that its linker gave it, each half with the
    /// foremost byte on top.
    237 Base meta program Program { first: u32, second: u32 };
    /// The answer to the command of this number that the host has sent: a value, or below 0 why it was not obeyed.
    238 Base timed answer Answer { n: u32, is: i64 };
    /// Bits 32 to 55 of the numbers in the next event of this event group that the same task or interrupt records, which has
    /// bits 0 to 31. Is: from bit 0 on those of `bits`, from bit 24 on those of `bits_after` or `found`. Recorded if one is set.
    239 FreeRtos timed bits Bits { of: u32, is: i64 };
}

/// Bits of the `flags` field of `trace_info`; [`classes`](crate::classes) has those of the classes of events.
pub mod trace_info_flags {
    /// The firmware runs FreeRTOS and its kernel events are recorded.
    pub const FREERTOS: u32 = 1;
    /// The timer has to be read once in each of its turns, and nothing in the firmware is known to do so.
    pub const TIME_NOT_KEPT: u32 = 2;
}

/// In `isr_name` the main program of firmware without an RTOS, instead of an interrupt: -7, which CMSIS gives to no exception.
pub const MAIN_PROGRAM: u32 = -7_i32 as u32;

/// The main program in recordings from before [`MAIN_PROGRAM`]: -1, which CMSIS gives to SysTick.
pub const FORMER_MAIN_PROGRAM: u32 = u32::MAX;

/// The number of a queue in a recording of another recorder, where that does not record for what a task waits: its state is
/// unknown then.
pub const NOT_RECORDED: u32 = u32::MAX;

/// Value markers of these numbers say that clocks have met: where cores or boards have no common one, their values are the
/// numbers of moments that one sent another, by a message, a pin, or memory.
pub mod clock_sync {
    /// Recorded before the other gets it.
    pub const SENT: u32 = u32::MAX - 1;
    /// Recorded after it was received; or by several, of a moment that all got.
    pub const HEARD: u32 = u32::MAX;
}

/// Bits of the `flags` fields of event group events.
pub mod event_group_flags {
    /// All bits are waited for, not any.
    pub const ALL: u32 = 1;
    /// The bits are cleared once they were found.
    pub const CLEAR_ON_EXIT: u32 = 2;
    /// The wait timed out.
    pub const TIMED_OUT: u32 = 4;
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
