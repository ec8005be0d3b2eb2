//! Selects at run time which events are recorded. Needs `tband_configUSE_FILTERS` 1 in `tband_config.h`: a program that
//! calls these functions without it does not link.
//!
//! ```no_run
//! use tband::filter::{self, Kind};
//!
//! filter::classes(filter::HEAP | filter::TICK, false)?;
//! filter::object_by_name(Kind::Task, c"blink", false)?;
//! filter::reset();
//! # Ok::<(), filter::NotChosen>(())
//! ```

use core::error::Error;
use core::ffi::CStr;
use core::fmt;

/// Class of markers, values and records of the application.
pub const MARKER: u32 = 1 << 3;
/// Class of interrupts that the application reports; the same events as [`ISR`].
pub const OWN_ISR: u32 = 1 << 4;
/// Class of scheduling, creation, deletion and priorities of tasks.
pub const TASK: u32 = 1 << 5;
/// Class of queues, semaphores and mutexes.
pub const QUEUE: u32 = 1 << 6;
/// Class of the events of tasks that are not in [`TASK`].
pub const TASK_EXTRA: u32 = 1 << 7;
/// Class of the events of queues that are not in [`QUEUE`].
pub const QUEUE_EXTRA: u32 = 1 << 8;
/// Class of direct-to-task notifications.
pub const NOTIFICATION: u32 = 1 << 9;
/// Class of stream and message buffers.
pub const STREAM_BUFFER: u32 = 1 << 10;
/// Class of event groups.
pub const EVENT_GROUP: u32 = 1 << 11;
/// Class of software timers.
pub const TIMER: u32 = 1 << 12;
/// Class of the kernel's heap.
pub const HEAP: u32 = 1 << 13;
/// Class of tickless idle.
pub const LOW_POWER: u32 = 1 << 14;
/// Class of interrupts that the kernel's macros report.
pub const ISR: u32 = 1 << 15;
/// Class of stack that is left.
pub const STACK: u32 = 1 << 16;
/// Class of the scheduler's own steps.
pub const SCHEDULER_STEP: u32 = 1 << 17;
/// Class of the kernel's ticks.
pub const TICK: u32 = 1 << 18;
/// Class of calls of the kernel.
pub const API: u32 = 1 << 19;

/// Kinds of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[non_exhaustive]
pub enum Kind {
    /// Tasks.
    Task = 0,
    /// Queues, semaphores and mutexes.
    Queue = 1,
    /// Stream and message buffers.
    StreamBuffer = 2,
    /// Event groups.
    EventGroup = 3,
    /// Software timers.
    Timer = 4,
    /// Interrupts.
    Interrupt = 5,
    /// Event markers.
    EventMarker = 6,
    /// Value markers.
    ValueMarker = 7,
}

/// The selection was refused, and nothing has changed: it does not exist, it is always recorded, or 16 objects are
/// exceptions already; or the caller is a task without privileges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NotChosen;

impl fmt::Display for NotChosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such thing can be left out, or no room is left for another object")
    }
}

impl Error for NotChosen {}

/// The same values as in C.
const OBJECT: u32 = 16;
const KIND: u32 = 32;

#[inline]
fn choose(what: u32, of: u32, on: bool) -> Result<(), NotChosen> {
    if_enabled!(
        match crate::sys::tband_filter_choose(what, of, on, 0) {
            0 => Ok(()),
            _ => Err(NotChosen),
        },
        Ok(())
    )
}

/// Switches the events of this id. Calls `tband_filter_event`.
///
/// # Errors
/// [`NotChosen`] if it is always recorded.
#[inline]
pub fn event(id: u8, on: bool) -> Result<(), NotChosen> {
    choose(0, id.into(), on)
}

/// Switches the events of these classes, joined by `|`. Calls `tband_filter_class`.
///
/// # Errors
/// [`NotChosen`] if there are no such classes.
#[inline]
pub fn classes(classes: u32, on: bool) -> Result<(), NotChosen> {
    choose(1, classes, on)
}

/// Switches the events of the object with this number. Calls `tband_filter_object`.
///
/// # Errors
/// [`NotChosen`] if 16 objects are exceptions already.
#[inline]
pub fn object(kind: Kind, number: u32, on: bool) -> Result<(), NotChosen> {
    choose(OBJECT | kind as u32, number, on)
}

/// Switches the events of all objects of this kind, and discards selections of single objects. Calls
/// `tband_filter_objects`.
///
/// # Errors
/// [`NotChosen`] for a task without privileges.
#[inline]
pub fn objects(kind: Kind, on: bool) -> Result<(), NotChosen> {
    choose(KIND | kind as u32, 0, on)
}

/// Like [`object`], by the object's name. Calls `tband_filter_object_by_name`.
///
/// # Errors
/// [`NotChosen`] if no object has this name.
#[inline]
pub fn object_by_name(kind: Kind, name: &CStr, on: bool) -> Result<(), NotChosen> {
    if_enabled!(
        // SAFETY: a text with its NUL.
        match unsafe { crate::sys::tband_filter_choose_by_name(kind as u32, name.as_ptr(), on, 0) }
        {
            0 => Ok(()),
            _ => Err(NotChosen),
        },
        Ok(())
    )
}

/// Records everything again. Calls `tband_filter_reset`.
#[inline]
pub fn reset() {
    let _ = choose(2, 0, true);
}
