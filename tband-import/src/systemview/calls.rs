//! Calls of the kernel: what their ids mean, in each of the three tables of ids.

use tband_format::registry::event_group_flags::{ALL, CLEAR_ON_EXIT};

use super::fields::Fields;

/// The functions to which the ids from 32 on belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Espressif's.
    Esp,
    /// SEGGER's samples for FreeRTOS V8 to V10.4, and V11 with `USE_LEGACY_TRACE_API`.
    V10,
    /// SEGGER's sample for FreeRTOS V11: each call has an end.
    V11,
}

impl Table {
    /// For people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Esp => "API ids of Espressif",
            Self::V10 => "API ids of FreeRTOS V8 to V10",
            Self::V11 => "API ids of FreeRTOS V11",
        }
    }
}

/// The calls that the importer uses. Numbers of objects are those of the packets, flags those of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Delay { ticks: u32 },
    DelayUntil,
    Receive { queue: u32, ticks: u32 },
    Peek { queue: u32, ticks: u32 },
    Send { queue: u32, ticks: u32, position: u32 },
    NotifyTake { index: u32, ticks: u32 },
    NotifyWait { index: u32, ticks: u32 },
    SendBytes { buffer: u32, ticks: u32 },
    ReceiveBytes { buffer: u32, ticks: u32 },
    Suspend { task: u32 },
    Resume { task: u32 },
    Delete { task: u32 },
    Inherit { task: u32 },
    Disinherit { task: u32 },
    CreateQueue { kind: u32 },
    DeleteQueue { queue: u32 },
    CreateGroup,
    DeleteGroup { group: u32 },
    WaitBits { group: u32, bits: u32, flags: u32, ticks: u32 },
    SyncBits { group: u32, set: u32, bits: u32, ticks: u32 },
    SetBits { group: u32, bits: u32 },
    ClearBits { group: u32, bits: u32 },
    SetBitsFromIsr { group: u32, bits: u32 },
    ClearBitsFromIsr { group: u32, bits: u32 },
    CreateBuffer { size: u32, trigger_level: u32, kind: u32 },
    DeleteBuffer { buffer: u32 },
    CreateTimer { period: u32, auto_reload: u32, callback: u32 },
    CommandTimer { timer: u32, command: u32, value: u32 },
    Other,
}

impl Call {
    /// The calling task may wait in it.
    pub const fn may_wait(self) -> bool {
        matches!(
            self,
            Self::Delay { .. }
                | Self::DelayUntil
                | Self::Receive { .. }
                | Self::Peek { .. }
                | Self::Send { .. }
                | Self::NotifyTake { .. }
                | Self::NotifyWait { .. }
                | Self::SendBytes { .. }
                | Self::ReceiveBytes { .. }
                | Self::WaitBits { .. }
                | Self::SyncBits { .. }
                | Self::Suspend { .. }
        )
    }

    /// Its result has to be known before it can be shown.
    pub const fn needs_result(self) -> bool {
        matches!(
            self,
            Self::CreateQueue { .. }
                | Self::CreateGroup
                | Self::SetBits { .. }
                | Self::ClearBits { .. }
                | Self::CreateBuffer { .. }
                | Self::CreateTimer { .. }
                | Self::CommandTimer { .. }
        )
    }

    /// The task may wait in it without a limit.
    pub const fn is_endless(self) -> bool {
        match self {
            Self::Receive { ticks, .. }
            | Self::Peek { ticks, .. }
            | Self::Send { ticks, .. }
            | Self::NotifyTake { ticks, .. }
            | Self::NotifyWait { ticks, .. }
            | Self::SendBytes { ticks, .. }
            | Self::ReceiveBytes { ticks, .. }
            | Self::WaitBits { ticks, .. }
            | Self::SyncBits { ticks, .. } => ticks == u32::MAX,
            Self::Suspend { .. } => true,
            _ => false,
        }
    }

    /// The call with this id and these arguments.
    pub fn read(table: Table, id: u32, payload: &[u8]) -> Self {
        // Most calls are others, whose arguments are not read.
        let mut arguments = Arguments { fields: Fields(payload), count: 0, last: 0 };
        let mut argument = |index| arguments.get(index);
        match table {
            Table::V11 => match id {
                197 => Self::Delay { ticks: argument(0) },
                196 => Self::DelayUntil,
                165 => Self::Receive { queue: argument(0), ticks: argument(1) },
                164 => Self::Receive { queue: argument(0), ticks: argument(2) },
                // The timer task waits for its queue: queue, ticks, for ever.
                185 => {
                    let (queue, ticks, is_endless) = (argument(0), argument(1), argument(2) == 1);
                    Self::Receive { queue, ticks: if is_endless { u32::MAX } else { ticks } }
                }
                167 => Self::Receive { queue: argument(0), ticks: 0 },
                166 => Self::Peek { queue: argument(0), ticks: argument(2) },
                161 => Self::Send { queue: argument(0), ticks: argument(2), position: argument(3) },
                162 | 163 => Self::Send { queue: argument(0), ticks: 0, position: 0 },
                255 => Self::NotifyTake { index: argument(0), ticks: argument(2) },
                256 => Self::NotifyWait { index: argument(0), ticks: argument(4) },
                311 => Self::SendBytes { buffer: argument(0), ticks: argument(3) },
                313 => Self::ReceiveBytes { buffer: argument(0), ticks: argument(3) },
                202 => Self::Suspend { task: argument(0) },
                203 => Self::Resume { task: argument(0) },
                195 => Self::Delete { task: argument(0) },
                246 => Self::Inherit { task: argument(0) },
                247 => Self::Disinherit { task: argument(0) },
                152 => Self::CreateQueue { kind: argument(2) },
                151 => Self::CreateQueue { kind: argument(4) },
                172 => Self::DeleteQueue { queue: argument(0) },
                265 | 266 => {
                    let (period, auto_reload, callback) = (argument(1), argument(2), argument(4));
                    Self::CreateTimer { period, auto_reload, callback }
                }
                267 | 323 | 324 => {
                    let (timer, command, value) = (argument(0), argument(1), argument(2));
                    Self::CommandTimer { timer, command, value }
                }
                290 | 291 => Self::CreateGroup,
                292 => {
                    let (group, set, bits) = (argument(0), argument(1), argument(2));
                    Self::SyncBits { group, set, bits, ticks: argument(3) }
                }
                293 => {
                    let (group, bits, clears) = (argument(0), argument(1), argument(2) != 0);
                    let all = if argument(3) != 0 { ALL } else { 0 };
                    let flags = all | if clears { CLEAR_ON_EXIT } else { 0 };
                    Self::WaitBits { group, bits, flags, ticks: argument(4) }
                }
                294 => Self::ClearBits { group: argument(0), bits: argument(1) },
                295 => Self::ClearBitsFromIsr { group: argument(0), bits: argument(1) },
                297 => Self::SetBits { group: argument(0), bits: argument(1) },
                298 => Self::DeleteGroup { group: argument(0) },
                301 => Self::SetBitsFromIsr { group: argument(0), bits: argument(1) },
                304 | 305 => {
                    let (size, trigger_level) = (argument(0), argument(1));
                    Self::CreateBuffer { size, trigger_level, kind: argument(2) }
                }
                306 => Self::DeleteBuffer { buffer: argument(0) },
                _ => Self::Other,
            },
            Table::Esp => match id {
                34 => Self::Delay { ticks: argument(0) },
                35 => Self::DelayUntil,
                36 => Self::Suspend { task: argument(0) },
                40 | 43 => Self::Resume { task: argument(0) },
                33 => Self::Delete { task: argument(0) },
                48 => Self::DeleteQueue { queue: argument(0) },
                _ => Self::Other,
            },
            Table::V10 => match id {
                35 => Self::Delay { ticks: argument(0) },
                36 => Self::DelayUntil,
                41 => Self::Suspend { task: argument(0) },
                42 => Self::Resume { task: argument(0) },
                34 => Self::Delete { task: argument(0) },
                95 => Self::DeleteQueue { queue: argument(0) },
                _ => Self::Other,
            },
        }
    }
}

/// The arguments of a call, which are read in their order.
struct Arguments<'a> {
    fields: Fields<'a>,
    /// Those that were read, and the last of them.
    count: usize,
    last: u32,
}

impl Arguments<'_> {
    /// The argument of this number, from 0; those before the last one that was read cannot be read again.
    fn get(&mut self, index: usize) -> u32 {
        while self.count <= index {
            self.last = self.fields.or_zero();
            self.count += 1;
        }
        self.last
    }
}

/// First and last id of the table for V11.
pub const V11_IDS: std::ops::RangeInclusive<u32> = 150..=332;
/// Calls that the sample for V11 records at the begin of the function, and where older kernels did: vTaskDelete and vTaskPrioritySet.
pub const TWICE: [u32; 2] = [195, 201];
/// Where the ids of calls begin and end.
pub const CALLS: std::ops::RangeInclusive<u32> = 32..=511;
