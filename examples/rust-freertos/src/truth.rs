//! The program's own record of what it did, by task and in order. Only for the check; leave it out of a
//! program of your own.
//!
//! A task notes what it does before it does it: whatever is noted has happened when all tasks are done.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::{fs, io};

use freertos_rust::CriticalRegion;

use crate::interrupts::{BYTES_SENT, TICKS, UARTS};

/// What each task did, by its name. Locked with ticks off, so that nobody ever waits for it.
static NOTES: Mutex<BTreeMap<String, Vec<String>>> = Mutex::new(BTreeMap::new());

/// What the interrupts did until the recording ended.
static INTERRUPTS: Mutex<[u32; 3]> = Mutex::new([0; 3]);

/// Notes of one task.
pub struct Notes(String);

impl Notes {
    pub fn of(task: &str) -> Self {
        Self(task.to_owned())
    }

    /// The task does something that is recorded as event `event`, with the object or the text that it is
    /// about.
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
        // All of it is ASCII, where Rust's quoted strings are JSON's.
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
