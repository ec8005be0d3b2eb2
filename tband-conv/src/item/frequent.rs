//! The most frequent events of a typical recording. The path of each through the converter is compiled separately. All others
//! share one path, so that rare events cost neither time nor code.

use tband_format::registry::EVENTS;

const NAMES: [&str; 15] = [
    "isr_enter",
    "isr_exit",
    "evtmarker",
    "evtmarker_begin",
    "evtmarker_end",
    "valmarker",
    "task_switched_in",
    "task_to_rdy_state",
    "curtask_delay",
    "curtask_delay_until",
    "curtask_block_on_queue_receive",
    "queue_send",
    "queue_send_from_isr",
    "queue_receive",
    "queue_receive_from_isr",
];

/// By id.
pub const FREQUENT: [bool; 256] = {
    let mut table = [false; 256];
    let mut index = 0;
    while index < NAMES.len() {
        table[id_of(NAMES[index]) as usize] = true;
        index += 1;
    }
    table
};

const fn id_of(name: &str) -> u8 {
    let mut index = 0;
    while index < EVENTS.len() {
        if is_same(EVENTS[index].name.as_bytes(), name.as_bytes()) {
            return EVENTS[index].id;
        }
        index += 1;
    }
    panic!("no such event")
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut index = 0;
    while index < one.len() && index < other.len() {
        if one[index] != other[index] {
            return false;
        }
        index += 1;
    }
    one.len() == other.len()
}
