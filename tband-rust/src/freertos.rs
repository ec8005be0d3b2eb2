//! FreeRTOS: markers of the running task, and names of objects that the kernel knows no name of.
//!
//! The kernel's trace hooks record the kernel's actions without a call from here. For firmware whose build
//! compiles `freertos-hooks/tband_freertos.c`. Task-local markers belong to the running task, so several
//! tasks may use one number: use them in tasks, not in interrupts.
//!
//! ```no_run
//! use core::ffi::c_void;
//! use tband::freertos::{self, TaskEventMarker};
//!
//! const JOB: TaskEventMarker = TaskEventMarker::new(1);
//!
//! /// In each of the tasks that work.
//! fn work(jobs: *const c_void, is_done: *const c_void) {
//!     JOB.name(c"job");
//!     // SAFETY: both objects exist for as long as the program runs.
//!     unsafe {
//!         freertos::name_queue(jobs, c"jobs");
//!         freertos::name_event_group(is_done, c"is done");
//!     }
//!     let _span = JOB.span(c"first"); // ends where the function ends
//! }
//! ```

use core::ffi::{CStr, c_void};
use core::marker::PhantomData;

use tband_format::{Event, Str};

use crate::number::numbered;
use crate::record;

numbered! {
    /// An event marker of each task that uses it.
    TaskEventMarker, "task-local event marker"
}

impl TaskEventMarker {
    /// Names it, for the running task. Calls `tband_freertos_task_evtmarker_name`.
    #[inline]
    pub fn name(self, name: &CStr) {
        let event = Event::TaskEvtmarkerName { evtmarker_id: 0, task_id: 0, name: Str(b"") };
        record::task_name(&event, self.0, current_task_number(), name);
    }

    /// Records an instant in the running task, with a text. At most `tband_configMAX_STR_LEN` bytes (20) of
    /// the text are recorded. Calls `tband_freertos_task_evtmarker`.
    #[inline]
    pub fn instant(self, text: &CStr) {
        record::text(&Event::TaskEvtmarker { evtmarker_id: 0, msg: Str(b"") }, self.0, text);
    }

    /// Begins a span in the running task, which ends when the guard is dropped, with a text as in
    /// [`instant`](Self::instant). Spans of a marker nest.
    #[inline]
    pub fn span(self, text: &CStr) -> TaskSpan {
        self.begin(text);
        TaskSpan { marker: self, stays_in_task: PhantomData }
    }

    /// Opens a span that [`end`](Self::end) closes. Calls `tband_freertos_task_evtmarker_begin`.
    #[inline]
    pub fn begin(self, text: &CStr) {
        record::text(&Event::TaskEvtmarkerBegin { evtmarker_id: 0, msg: Str(b"") }, self.0, text);
    }

    /// Ends the running task's innermost open span. Calls `tband_freertos_task_evtmarker_end`.
    #[inline]
    pub fn end(self) {
        record::number(&Event::TaskEvtmarkerEnd { evtmarker_id: 0 }, self.0);
    }
}

/// An open span of a [`TaskEventMarker`]; ends it when dropped.
#[derive(Debug)]
#[must_use = "the span ends when this is dropped: let _span = ..."]
pub struct TaskSpan {
    marker: TaskEventMarker,
    /// Neither `Send` nor `Sync`.
    stays_in_task: PhantomData<*const ()>,
}

impl Drop for TaskSpan {
    #[inline]
    fn drop(&mut self) {
        self.marker.end();
    }
}

numbered! {
    /// A value marker of each task that uses it.
    TaskValueMarker, "task-local value marker"
}

impl TaskValueMarker {
    /// Names it, for the running task. Calls `tband_freertos_task_valmarker_name`.
    #[inline]
    pub fn name(self, name: &CStr) {
        let event = Event::TaskValmarkerName { valmarker_id: 0, task_id: 0, name: Str(b"") };
        record::task_name(&event, self.0, current_task_number(), name);
    }

    /// Records a value in the running task. Calls `tband_freertos_task_valmarker`.
    #[inline]
    pub fn set(self, value: i64) {
        record::value(&Event::TaskValmarker { valmarker_id: 0, val: 0 }, self.0, value);
    }
}

/// Returns the number of the running task in the recording; 0 before the scheduler runs.
#[inline]
#[must_use]
pub fn current_task_number() -> u32 {
    if_enabled!(crate::sys::tband_freertos_current_task_number(), 0)
}

/// The functions of a kind of object: its number and its name.
macro_rules! object {
    ($what:literal, $number:ident: $c_number:ident, $name:ident: $event:ident { $id:ident }, $more:literal) => {
        #[doc = concat!("Number of ", $what, " in the recording; 0 for null, and for one whose creation no")]
        /// hook has seen. Valid from the creation of the object to its deletion.
        ///
        /// # Safety
        #[doc = concat!("`handle` is null or the handle of ", $what, " that exists.")]
        #[inline]
        #[must_use]
        pub unsafe fn $number(handle: *const c_void) -> u32 {
            if_enabled!(
                // SAFETY: as the caller promised; the kernel only reads through the handle.
                unsafe { crate::sys::$c_number(handle.cast_mut()) },
                0
            )
        }

        #[doc = concat!("Names ", $what, ". Metadata, kept for recordings that start later. ", $more)]
        ///
        /// # Safety
        #[doc = concat!("`handle` is null or the handle of ", $what, " that exists.")]
        #[inline]
        pub unsafe fn $name(handle: *const c_void, name: &CStr) {
            // SAFETY: as the caller promised.
            let number = unsafe { $number(handle) };
            record::name(&Event::$event { $id: 0, name: Str(b"") }, number, name);
        }
    };
}

object! {
    "a queue, semaphore or mutex",
    queue_number: tband_freertos_queue_number, name_queue: QueueName { queue_id },
    "As `tband_freertos_queue_name`; an object in the kernel's queue registry has its name from there."
}
object! {
    "a stream or message buffer",
    stream_buffer_number: tband_freertos_stream_buffer_number, name_stream_buffer: StreamBufferName { stream_buffer_id },
    "As `tband_freertos_stream_buffer_name`."
}
object! {
    "an event group",
    event_group_number: tband_freertos_event_group_number, name_event_group: EventGroupName { event_group_id },
    "As `tband_freertos_event_group_name`."
}
object! {
    "a software timer",
    timer_number: tband_freertos_timer_number, name_timer: TimerName { timer_id },
    "As `tband_freertos_timer_name`; the hooks record the name that the kernel has for it by themselves."
}
