//! The recorder's own source, with loom's atomics; see `build.rs`. `genuine` is as it is, the other modules
//! each lack one thing that it must not lack.

#![allow(warnings, clippy::all, reason = "the source is checked in its own crate")]

mod fake;
pub mod lock;
mod rings;
pub mod verdict;

include!(concat!(env!("OUT_DIR"), "/cores.rs"));

/// Accesses to the memory of packets, which is not atomic: loom checks that they are permitted.
pub mod touched {
    use std::cell::Cell;

    use loom::cell::UnsafeCell;

    /// The memory of packets of one model: each slot has a cell.
    #[derive(Debug)]
    pub struct Slots {
        start: *const u8,
        slot_len: usize,
        cells: Box<[UnsafeCell<()>]>,
    }

    thread_local! {
        /// All threads of a model are one to the host.
        static SLOTS: Cell<*const Slots> = const { Cell::new(std::ptr::null()) };
    }

    impl Slots {
        /// The memory from `start` on, `count` slots.
        pub fn new(start: *const u8, slot_len: usize, count: usize) -> Self {
            let cells = (0..count).map(|_| UnsafeCell::new(())).collect();
            Self { start, slot_len, cells }
        }

        /// Makes this the observed memory, until it is dropped.
        pub fn watch(&self) {
            SLOTS.set(self);
        }

        fn cell(&self, at: *const u8) -> Option<&UnsafeCell<()>> {
            self.cells.get((at as usize).wrapping_sub(self.start as usize) / self.slot_len)
        }
    }

    impl Drop for Slots {
        fn drop(&mut self) {
            SLOTS.set(std::ptr::null());
        }
    }

    fn with(at: *const u8, work: fn(&UnsafeCell<()>)) {
        // SAFETY: null, or slots that have not been dropped.
        let slots = unsafe { SLOTS.get().as_ref() };
        if let Some(cell) = slots.and_then(|slots| slots.cell(at)) {
            work(cell);
        }
    }

    /// The slot that `at` is in is written to.
    pub fn touch(at: *const u8) {
        with(at, |cell| cell.with_mut(|_| ()));
    }

    /// The tail of the slot `at` is read, which must be one of a packet: otherwise another core has closed it.
    pub fn look_at_tail(at: *const u8) {
        // SAFETY: as in `with`.
        let slots = unsafe { SLOTS.get().as_ref() };
        let is_outside = slots.is_some_and(|slots| slots.cell(at).is_none());
        assert!(!is_outside, "Causality violation: another core has closed the packet");
        look(at);
    }

    /// The slot that `at` is in is read.
    pub fn look(at: *const u8) {
        with(at, |cell| cell.with(|_| ()));
    }
}
