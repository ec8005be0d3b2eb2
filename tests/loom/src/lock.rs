//! The lock between cores, with the orders that a lock has to have and no more. loom's own mutex is stronger: it is a
//! fence of all cores too, and would hide one that the recorder lacks.
//!
//! It also finds out whether the recorder takes it as a chip's spin lock has to be taken: never twice by one core, and released
//! by the core that has it.

use std::sync::Mutex;

use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread::{self, ThreadId};

/// As `tband_core::lock::SpinLock`, or a chip's own.
#[derive(Debug)]
pub struct Lock {
    taken: AtomicBool,
    /// The core that has it; not a means of the cores.
    holder: Mutex<Option<ThreadId>>,
}

impl Lock {
    /// Creates a free lock.
    pub fn new() -> Self {
        Self { taken: AtomicBool::new(false), holder: Mutex::new(None) }
    }

    /// Waits until it is free.
    ///
    /// # Panics
    /// This core has it.
    pub fn lock(&self) {
        let this = thread::current().id();
        assert_ne!(*self.holder.lock().expect("no panic"), Some(this), "taken twice by one core");
        let taken = &self.taken;
        while taken.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            thread::yield_now();
        }
        *self.holder.lock().expect("no panic") = Some(this);
    }

    /// Lets the next one have it.
    ///
    /// # Panics
    /// This core does not have it.
    pub fn unlock(&self) {
        let holder = self.holder.lock().expect("no panic").take();
        assert_eq!(holder, Some(thread::current().id()), "released by a core without it");
        self.taken.store(false, Ordering::Release);
    }
}
