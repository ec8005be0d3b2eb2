//! The lock between cores, with the orders that a lock has to have and no more. loom's own mutex is stronger: it is a
//! fence of all cores too, and would hide one that the recorder lacks.

use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;

/// As `tband_core::SpinLock`, or a chip's own.
#[derive(Debug)]
pub struct Lock(AtomicBool);

impl Lock {
    /// One that nobody holds.
    pub fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Waits until nobody holds it.
    pub fn lock(&self) {
        while self.0.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            thread::yield_now();
        }
    }

    /// Lets the next one have it.
    pub fn unlock(&self) {
        self.0.store(false, Ordering::Release);
    }
}
