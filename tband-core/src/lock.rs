//! A lock between cores, for ports whose chip has compare-and-swap.
//!
//! The recorder takes the port's lock to start and stop, for the stream that cores share and for other
//! cores' metadata; always inside the critical section, so its holder cannot be interrupted by another
//! user. With one core the critical section is enough and a port's lock does nothing. Chips without
//! compare-and-swap (RP2040) have a lock in hardware.

/// A spin lock that is taken and released by separate calls, as [`Port`](crate::Port) has them.
#[cfg(target_has_atomic = "8")]
#[derive(Debug)]
pub struct SpinLock(spin::mutex::SpinMutex<()>);

#[cfg(target_has_atomic = "8")]
impl SpinLock {
    /// A lock that nobody holds.
    #[must_use]
    pub const fn new() -> Self {
        Self(spin::mutex::SpinMutex::new(()))
    }

    /// Waits until no core holds the lock and takes it.
    pub fn lock(&self) {
        core::mem::forget(self.0.lock());
    }

    /// Releases the lock.
    ///
    /// # Safety
    /// The caller has taken it.
    pub unsafe fn unlock(&self) {
        // SAFETY: the caller holds the lock, and `lock` has forgotten the guard.
        unsafe { self.0.force_unlock() }
    }
}

#[cfg(target_has_atomic = "8")]
impl Default for SpinLock {
    fn default() -> Self {
        Self::new()
    }
}
