//! The program's own record of its actions, by task and in order. Only for the check; omit it in your
//! program.
//!
//! A task notes an action before it performs it: all noted actions have happened when all tasks are
//! done.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::{fs, io};

use freertos_rust::CriticalRegion;

use crate::interrupts::{BYTES_SENT, TICKS, UARTS};

/// The actions of each task, by its name. Locked with ticks off, so that no task ever waits for it.
static NOTES: Mutex<BTreeMap<String, Vec<String>>> = Mutex::new(BTreeMap::new());

/// Actions of the interrupts until the recording ended.
static INTERRUPTS: Mutex<[u32; 3]> = Mutex::new([0; 3]);

/// Notes of one task.
pub struct Notes(String);

impl Notes {
    pub fn of(task: &str) -> Self {
        Self(task.to_owned())
    }

    /// Notes that the task performs an action that is recorded as event `event`, with the object or the
    /// text that it concerns.
    pub fn add(&self, event: &str, about: &str) {
        let _ticks_off = CriticalRegion::enter();
        let line = format!("{event} {about}");
        if let Ok(mut notes) = NOTES.lock() {
            notes.entry(self.0.clone()).or_default().push(line);
        }
    }
}

/// The recording ends. Ticks are off.
pub fn freeze() {
    if let Ok(mut interrupts) = INTERRUPTS.lock() {
        *interrupts = [TICKS.load(Relaxed), UARTS.load(Relaxed), BYTES_SENT.load(Relaxed)];
    }
}

/// Writes the record as JSON. After the scheduler has ended.
pub fn write(path: &str) -> io::Result<()> {
    let mut text = String::from("{\n  \"tasks\": {");
    let notes = NOTES.lock().map_err(|_| io::Error::other("a task panicked"))?;
    for (index, (task, lines)) in notes.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        // All text is ASCII, for which Rust's quoted strings are valid JSON.
        let _ = write!(text, "{comma}\n    {task:?}: {lines:?}");
    }
    let [ticks, uarts, bytes_sent] =
        *INTERRUPTS.lock().map_err(|_| io::Error::other("a task panicked"))?;
    let _ = write!(
        text,
        "\n  }},\n  \"interrupts\": {{\"tick\": {ticks}, \"UART\": {uarts}}},\n  \
         \"bytes_sent\": {bytes_sent}\n}}\n"
    );
    fs::write(path, text)
}
