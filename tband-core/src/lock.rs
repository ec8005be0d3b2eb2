//! A lock between cores, for ports whose chip has compare-and-swap.
//!
//! The recorder takes the port's lock to start and stop, for the stream that cores share and for other
//! cores' metadata; always inside the critical section, so its holder cannot be interrupted by another
//! user. With one core the critical section is enough and a port's lock does nothing. Chips without
//! compare-and-swap (RP2040) have a lock in hardware.

#[cfg(target_has_atomic = "8")]
use core::hint;
#[cfg(target_has_atomic = "8")]
use core::sync::atomic::{AtomicBool, Ordering};

/// A spin lock that is taken and released by separate calls, as [`Port`](crate::Port) has them.
#[cfg(target_has_atomic = "8")]
#[derive(Debug, Default)]
pub struct SpinLock {
    is_taken: AtomicBool,
}

#[cfg(target_has_atomic = "8")]
impl SpinLock {
    /// Returns an unlocked lock.
    #[must_use]
    pub const fn new() -> Self {
        Self { is_taken: AtomicBool::new(false) }
    }

    /// Waits until no core holds the lock and takes it.
    ///
    /// A core that takes it twice waits forever.
    pub fn lock(&self) {
        let taken = &self.is_taken;
        while taken
            .compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            // Reads only: the core that holds the lock keeps its line of the cache until it writes.
            while taken.load(Ordering::Relaxed) {
                hint::spin_loop();
            }
        }
    }

    /// Releases the lock.
    ///
    /// # Safety
    /// The caller has taken it: what it protects would be changed by two cores otherwise.
    pub unsafe fn unlock(&self) {
        self.is_taken.store(false, Ordering::Release);
    }
}
