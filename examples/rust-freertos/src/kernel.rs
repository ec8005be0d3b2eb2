//! Functions that the kernel's POSIX port and freertos-rust need from a program, and that
//! freertos-rust lacks.

use std::alloc::{GlobalAlloc, Layout, System};
use std::thread;
use std::time::Duration;

use freertos_rust::{
    CriticalRegion, FREERTOS_HOOKS, freertos_rs_enter_critical, shim_sanity_check,
};

/// Rust's memory is malloc's, in a critical section: a task that is preempted by a tick must not hold
/// malloc's lock, because others would wait for it without the scheduler's knowledge. On a
/// microcontroller use `freertos_rust::FreeRtosAllocator` here.
struct Unpreempted;

#[global_allocator]
static ALLOCATOR: Unpreempted = Unpreempted;

// SAFETY: System does all of it; critical sections nest, and work before the scheduler runs too.
unsafe impl GlobalAlloc for Unpreempted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ticks_off = CriticalRegion::enter();
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let _ticks_off = CriticalRegion::enter();
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ticks_off = CriticalRegion::enter();
        // SAFETY: as the caller promised.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// Fails if freertos-rust and the kernel were built with different types, see `posix_32bit.h`.
pub fn check_types() -> Result<(), String> {
    /// From here on the check concerns `FreeRtosUtils::get_all_tasks`, whose structure has another
    /// layout on a 64-bit machine. Nothing here calls it.
    const TASK_STATUS: usize = 30;
    match shim_sanity_check() {
        Ok(()) => Ok(()),
        Err(differs) if differs.id >= TASK_STATUS => Ok(()),
        Err(differs) => Err(format!("freertos-rust and the kernel disagree: {differs:?}")),
    }
}

/// Makes a failed assertion of the kernel write the recording so far to the file before it panics.
pub fn flush_recording_when_an_assertion_fails() {
    let flush = || {
        // SAFETY: no exit follows: the panic ends the program.
        unsafe { freertos_rs_enter_critical() };
        let _ = crate::output::flush();
    };
    let is_first = FREERTOS_HOOKS.set_on_assert(flush);
    debug_assert!(is_first.is_ok());
}

// freertos-rust has the scheduler never end, as is right for firmware.
unsafe extern "C" {
    safe fn vTaskStartScheduler();
    safe fn vTaskEndScheduler();
}

/// Runs the scheduler until a task ends it.
pub fn run_scheduler() {
    vTaskStartScheduler();
}

/// Lets `run_scheduler` return. Called from a task, which does not continue.
pub fn end_scheduler() -> ! {
    vTaskEndScheduler();
    // Returns now and then, if the main thread is before this one. Then this thread waits here.
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}
