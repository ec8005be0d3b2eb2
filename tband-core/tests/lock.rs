//! The lock between cores excludes all others, and lets them in afterwards.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::thread;

use tband_core::lock::SpinLock;

#[test]
fn one_at_a_time() {
    const ROUNDS: u32 = 300;
    let (lock, count, is_inside) = (SpinLock::new(), AtomicU32::new(0), AtomicBool::new(false));
    let work = || {
        for _ in 0..ROUNDS {
            lock.lock();
            assert!(!is_inside.swap(true, Relaxed), "two at once");
            // In two steps, so that another one's would be lost.
            let before = count.load(Relaxed);
            thread::yield_now();
            count.store(before + 1, Relaxed);
            is_inside.store(false, Relaxed);
            // SAFETY: taken above.
            unsafe { lock.unlock() };
        }
    };
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(work);
        }
    });
    assert_eq!(count.load(Relaxed), 3 * ROUNDS);
}
