//! The lock between cores: start and stop, the shared stream, other cores' metadata.
//!
//! With one core the critical section is enough and the lock costs one comparison. With several,
//! chips that have compare-and-swap spin on a flag; others (RP2040) use the port's hardware lock.
//! Taken inside the critical section only, so its holder cannot be interrupted by another user.

use crate::port::Port;

#[derive(Debug)]
pub(crate) struct CoreLock {
    #[cfg(target_has_atomic = "8")]
    flag: spin::mutex::SpinMutex<()>,
}

impl CoreLock {
    pub(crate) const fn new() -> Self {
        Self {
            #[cfg(target_has_atomic = "8")]
            flag: spin::mutex::SpinMutex::new(()),
        }
    }

    /// Runs `work` while no other core runs any.
    #[inline]
    pub(crate) fn with<P: Port, R>(&self, port: &P, work: impl FnOnce() -> R) -> R {
        #[cfg(target_has_atomic = "8")]
        {
            let _held = self.acquire(port);
            work()
        }
        #[cfg(not(target_has_atomic = "8"))]
        {
            let several = port.core_count() > 1;
            if several {
                port.lock();
            }
            let result = work();
            if several {
                port.unlock();
            }
            result
        }
    }

    /// Waits for the lock and takes it; with one core there is none. One copy of the waiting loop
    /// serves every use.
    #[cfg(target_has_atomic = "8")]
    #[inline(never)]
    fn acquire<P: Port>(&self, port: &P) -> Option<spin::mutex::SpinMutexGuard<'_, ()>> {
        if port.core_count() > 1 { Some(self.flag.lock()) } else { None }
    }
}
