//! The work of a function: steps that it counts, and bytes that it allocates. Tests require that both grow no faster than the
//! input.

#[cfg(test)]
use std::alloc::{GlobalAlloc, Layout, System};
#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

/// Counts steps that allocate nothing, for example the bytes that a search has passed. Only tests count.
#[cfg_attr(not(test), allow(clippy::missing_const_for_fn, reason = "tests count here"))]
pub fn count(steps: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + steps);
    #[cfg(not(test))]
    let _ = steps;
}

/// The allocator of the system, which counts the bytes that each thread of a test allocates.
#[cfg(test)]
struct Counting;

#[cfg(test)]
#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is passed to the allocator of the system with the same arguments. Counting allocates nothing.
#[cfg(test)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.set(ALLOCATED.get() + layout.size());
        // SAFETY: the caller keeps the rules of the same function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

/// Returns the bytes that a function allocates in this thread.
#[cfg(test)]
pub fn allocated(run: impl FnOnce()) -> usize {
    let before = ALLOCATED.get();
    run();
    ALLOCATED.get() - before
}

/// Fails unless ten times the input takes about ten times the work. `run`: works on an input of this size.
#[cfg(test)]
#[track_caller]
pub fn assert_linear(run: impl Fn(usize)) {
    let work = |size| {
        let before = STEPS.get();
        let allocated = allocated(|| run(size));
        (STEPS.get() - before, allocated)
    };
    let ((small, few), (large, many)) = (work(100), work(1000));
    assert!(large <= 12 * small, "{small} steps for 100, {large} for 1000");
    assert!(many <= 12 * few, "{few} bytes for 100, {many} for 1000");
}
