//! A scheduler of the program's own: its tasks, and the objects that they wait for. Needs `tband_configUSE_SCHEDULER` 1.
//!
//! The equivalent of `include/tband_scheduler.h`: call each function where your scheduler takes the step of that name. The running
//! task, or the open interrupt, counts as the actor: it woke the task that becomes ready.
//!
//! ```no_run
//! use tband::scheduler::{Kind, Object, Task};
//!
//! const IDLE: Task = Task::new(1);
//! const BLINK: Task = Task::new(2);
//! const LED: Object = Object::new(1);
//!
//! IDLE.create(c"idle", 0);
//! IDLE.is_idle(0);
//! BLINK.create(c"blink", 1);
//! LED.create(Kind::MUTEX, c"led", 1);
//! BLINK.run();
//! LED.take(0);
//! LED.put(1);
//! Task::block(); // the task that runs
//! IDLE.run();
//! ```

use core::ffi::CStr;

use tband_format::Event;
use tband_format::named::QueueKind;

use crate::number::numbered;

pub use tband_format::named::QueueKind as Kind;

numbered! {
    /// A task of the program's scheduler, from 1 on.
    Task, "task"
}

impl Task {
    /// Records that the task was created; it is ready from here on. A higher priority is a larger number. With an empty name the
    /// task is called by its number until [`name`](Self::name). Calls `tband_task_create`.
    #[inline]
    pub fn create(self, name: &CStr, priority: u32) {
        #[cfg(feature = "enable")]
        // SAFETY: a text with a NUL, or none.
        unsafe {
            let known = if name.is_empty() { core::ptr::null() } else { name.as_ptr() };
            crate::sys::tband_scheduler_task_create(self.0, known, priority);
        }
    }

    /// Records that this is the idle task of a core. Calls `tband_task_is_idle`.
    #[inline]
    pub fn is_idle(self, core: u32) {
        #[cfg(feature = "enable")]
        crate::sys::tband_scheduler_task_is_idle(self.0, core);
    }

    /// Records that the task has another priority from here on. Calls `tband_task_set_priority`.
    #[inline]
    pub fn set_priority(self, priority: u32) {
        #[cfg(feature = "enable")]
        crate::sys::tband_scheduler_task_set_priority(self.0, priority);
    }

    /// Names a task that was created with an empty name. Calls `tband_task_name`.
    #[inline]
    pub fn name(self, name: &CStr) {
        #[cfg(feature = "enable")]
        // SAFETY: a text with a NUL.
        unsafe {
            crate::sys::tband_scheduler_task_name(self.0, name.as_ptr());
        }
    }

    /// Records that the task becomes ready. Calls `tband_task_ready`.
    #[inline]
    pub fn ready(self) {
        crate::record::number(&Event::TaskToRdyState { task_id: 0 }, self.0);
    }

    /// Records that the task runs on this core from here on. Calls `tband_task_run`.
    #[inline]
    pub fn run(self) {
        #[cfg(feature = "enable")]
        crate::sys::tband_record_running(self.0);
    }

    /// Records that the running task waits until a task or interrupt wakes it. Calls `tband_task_block`.
    #[inline]
    pub fn block() {
        #[cfg(feature = "enable")]
        crate::sys::tband_scheduler_block();
    }

    /// Records that the running task waits for an object. Calls `tband_task_block_on`.
    #[inline]
    pub fn block_on(object: Object) {
        #[cfg(feature = "enable")]
        crate::sys::tband_scheduler_block_on(object.0);
    }

    /// Records that the running task waits until an object has space. Calls `tband_task_block_on_put`.
    #[inline]
    pub fn block_on_put(object: Object) {
        #[cfg(feature = "enable")]
        crate::sys::tband_scheduler_block_on_put(object.0);
    }

    /// Records that the task is suspended until it becomes ready. Calls `tband_task_suspend`.
    #[inline]
    pub fn suspend(self) {
        crate::record::number(&Event::TaskSuspended { task_id: 0 }, self.0);
    }

    /// Records that the task has ended. Calls `tband_task_end`.
    #[inline]
    pub fn end(self) {
        #[cfg(feature = "enable")]
        crate::sys::tband_scheduler_task_end(self.0);
    }
}

numbered! {
    /// A queue, semaphore or mutex of the program's scheduler, from 1 on.
    Object, "object"
}

impl Object {
    /// Records that the object was created, with a level: items, count, or 1 for a free mutex. Calls `tband_object_create`.
    #[inline]
    pub fn create(self, kind: QueueKind, name: &CStr, level: u32) {
        #[cfg(feature = "enable")]
        // SAFETY: a text with a NUL.
        unsafe {
            crate::sys::tband_scheduler_object_create(self.0, kind.0.into(), name.as_ptr(), level);
        }
    }

    /// Records a put or give with the new level. Calls `tband_object_put`.
    #[inline]
    pub fn put(self, level: u32) {
        #[cfg(feature = "enable")]
        crate::sys::tband_scheduler_object_put(self.0, level);
    }

    /// Records a take with the new level. Calls `tband_object_take`.
    #[inline]
    pub fn take(self, level: u32) {
        #[cfg(feature = "enable")]
        crate::sys::tband_scheduler_object_take(self.0, level);
    }
}
