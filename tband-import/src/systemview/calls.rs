//! Calls of the kernel: what their ids mean, in each of the three tables of ids.

use tband_format::api::API_FUNCTIONS;

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

/// What the importer makes use of. Numbers of objects are those of the packets.
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
                | Self::Suspend { .. }
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
            | Self::ReceiveBytes { ticks, .. } => ticks == u32::MAX,
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

/// Functions of the table for V11 that recordings name.
const V11: &[(u32, &str)] = &[
    (150, "xQueueGenericReset"),
    (152, "xQueueGenericCreate"),
    (153, "xQueueCreateMutex"),
    (161, "xQueueGenericSend"),
    (162, "xQueueGenericSendFromISR"),
    (163, "xQueueGiveFromISR"),
    (164, "xQueueReceive"),
    (165, "xQueueSemaphoreTake"),
    (166, "xQueuePeek"),
    (167, "xQueueReceiveFromISR"),
    (172, "vQueueDelete"),
    (182, "vQueueAddToRegistry"),
    (194, "xTaskCreate"),
    (195, "vTaskDelete"),
    (196, "xTaskDelayUntil"),
    (197, "vTaskDelay"),
    (201, "vTaskPrioritySet"),
    (202, "vTaskSuspend"),
    (203, "vTaskResume"),
    (255, "ulTaskGenericNotifyTake"),
    (256, "xTaskGenericNotifyWait"),
    (257, "xTaskGenericNotify"),
    (265, "xTimerCreate"),
    (311, "xStreamBufferSend"),
    (313, "xStreamBufferReceive"),
];

/// First and last id of the table for V11.
pub const V11_IDS: std::ops::RangeInclusive<u32> = 150..=332;
/// Calls that the sample for V11 records at the begin of the function, and where older kernels did: vTaskDelete and vTaskPrioritySet.
pub const TWICE: [u32; 2] = [195, 201];
/// Where the ids of calls begin and end.
pub const CALLS: std::ops::RangeInclusive<u32> = 32..=511;

/// The number of each function of the table for V11 in the registry's list.
#[derive(Debug)]
pub struct Functions(Vec<Option<u32>>);

impl Default for Functions {
    fn default() -> Self {
        let mut numbers = vec![None; V11_IDS.count()];
        for (id, name) in V11 {
            let number = API_FUNCTIONS.iter().position(|function| function == name);
            let place =
                id.checked_sub(*V11_IDS.start()).and_then(|at| numbers.get_mut(at as usize));
            if let (Some(place), Some(number)) = (place, number) {
                *place = u32::try_from(number).ok();
            }
        }
        Self(numbers)
    }
}

impl Functions {
    /// The number of the function with this id in the table for V11, if it is known.
    pub fn number(&self, id: u32) -> Option<u32> {
        let index = id.checked_sub(*V11_IDS.start())?;
        self.0.get(index as usize).copied().flatten()
    }
}
