//! What the bench measures of the recorder.

/// Instructions of the two most frequent events.
pub struct Events {
    /// The column of the page: backend or CPU, and format.
    pub name: &'static str,
    pub task_switch: u64,
    pub queue_send: u64,
}

/// Bytes of code and of memory without that for events.
pub struct Code {
    pub name: &'static str,
    pub flash: u64,
    pub ram: u64,
}
