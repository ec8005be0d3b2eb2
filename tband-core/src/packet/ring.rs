//! The ring of packets of one core: packets are opened, filled, closed, and given back by who takes them.

use core::sync::atomic::{AtomicPtr, AtomicU16, AtomicU32, Ordering, compiler_fence};

use tband_format::packet::{HEADER_LEN, MAGIC, VERSION};
use tband_format::registry::Event;

use super::event::{Cursor, U32_LEN};
use super::setup::{PacketSetup, Policy};
use crate::port::Port;
use crate::recorder::Recorder;
use crate::snapshot::NotStarted;
use crate::state::CoreState;

const RUNNING_TASK_ID: u8 = Event::RunningTask { task_id: 0 }.id();
const OPEN_ISR_ID: u8 = Event::OpenIsr { isr_id: 0 }.id();

/// State of a core's ring; valid when zero.
///
/// The core writes all of it but what begins with `oldest` and `given_back`, which are the reader's. Where packets are
/// overwritten the core writes those too, and nobody reads while it records.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Ring {
    /// The packet that is open or is to be opened next.
    slot: AtomicPtr<u8>,
    /// The packet that is taken next.
    oldest: AtomicPtr<u8>,
    /// The last one in the memory of the ring, behind which the first one follows.
    last: AtomicPtr<u8>,
    /// Packets that were closed, modulo 2^16.
    closed: AtomicU16,
    /// Packets that were given back, modulo 2^16.
    given_back: AtomicU16,
    /// Core, version and sequence number of the packet that is to be opened next, as they stand in its header.
    next: AtomicU32,
}

/// A packet in its place in a ring: where its header's fields are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot(pub(super) *mut u8);

impl Slot {
    /// # Safety
    /// The slot is one of a ring, and `at` is below the length of a header, and a multiple of 4.
    #[inline(always)]
    unsafe fn set(self, at: usize, word: u32) {
        // SAFETY: slots are aligned to words, and have a header.
        unsafe { self.0.wrapping_add(at).cast::<u32>().write(word) }
    }

    /// # Safety
    /// As [`set`](Self::set).
    #[inline(always)]
    unsafe fn get(self, at: usize) -> u32 {
        // SAFETY: as `set`.
        unsafe { self.0.wrapping_add(at).cast::<u32>().read() }
    }

    /// Writes the header of an open packet of `len` bytes in all, whose content is none yet. `which` is stream, version
    /// and sequence number. The magic number is there already.
    ///
    /// # Safety
    /// The slot is one of a ring, and the caller's.
    #[inline(always)]
    pub(super) unsafe fn open(self, which: u32, len: u32, begin: u64) {
        // SAFETY: the caller's promise.
        unsafe {
            // Whoever looks at the memory after a reset sees no packet until it is closed.
            self.set(8, len << 19);
            compiler_fence(Ordering::Release);
            self.set(4, which);
            self.set(12, 0);
            self.set(16, begin as u32);
            self.set(20, (begin >> 32) as u32);
        }
    }

    /// Lower half of the time of the packet's begin; for other cores too.
    ///
    /// # Safety
    /// The slot is one of a ring.
    #[inline(always)]
    unsafe fn begin_low(self) -> u32 {
        // SAFETY: as `set`. Volatile, since its core may write there.
        unsafe { self.0.wrapping_add(16).cast::<u32>().read_volatile() }
    }

    /// Time of the packet's begin.
    ///
    /// # Safety
    /// The slot was opened.
    #[inline(always)]
    unsafe fn begin(self) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { u64::from(self.get(16)) | u64::from(self.get(20)) << 32 }
    }

    /// The time whose lower half is `now`, in a packet that is younger than a turn of that.
    ///
    /// # Safety
    /// The slot was opened.
    #[inline(always)]
    unsafe fn begin_and_since(self, now: u32) -> u64 {
        // SAFETY: the caller's promise.
        let begin = unsafe { self.begin() };
        begin.wrapping_add(now.wrapping_sub(begin as u32).into())
    }

    /// Completes the header of a packet that ends at `at`.
    ///
    /// # Safety
    /// The slot was opened.
    #[inline(always)]
    pub(super) unsafe fn close(self, at: *mut u8, end: u64, discarded: u32) {
        let content = (at as usize).wrapping_sub(self.0 as usize) as u16;
        // SAFETY: the caller's promise.
        unsafe {
            self.set(24, end as u32);
            self.set(28, (end >> 32) as u32);
            self.set(32, discarded);
            compiler_fence(Ordering::Release);
            self.0.wrapping_add(8).cast::<u16>().write(content << 3);
        }
    }

    /// Bytes of a closed packet's content.
    ///
    /// # Safety
    /// The slot was closed.
    #[inline(always)]
    pub(super) unsafe fn content_len(self) -> u32 {
        // SAFETY: the caller's promise.
        unsafe { (self.get(8) & 0xFFFF) >> 3 }
    }

    /// Makes a closed packet one that can be sent: without what fills it up, and with its check.
    ///
    /// # Safety
    /// The slot was closed, and is the caller's.
    #[inline(always)]
    pub(super) unsafe fn seal(self) -> u32 {
        // SAFETY: the caller's promise.
        unsafe {
            let len = self.content_len();
            self.set(8, len << 3 | len << 19);
            self.set(12, 0);
            let content = core::slice::from_raw_parts(self.0, len as usize);
            let check = tband_format::packet::check(content);
            self.set(12, check);
            len
        }
    }
}

/// Stream and version of a packet, as they stand in its header, with a sequence number of 0.
pub(super) const fn first_of(stream: u8) -> u32 {
    stream as u32 | (VERSION as u32) << 8
}

impl Ring {
    /// The packet that is open or is to be opened next.
    #[inline(always)]
    pub(super) fn slot(&self) -> *mut u8 {
        self.slot.load(Ordering::Relaxed)
    }

    /// The packet that is taken next.
    #[inline(always)]
    pub(super) fn oldest(&self) -> *mut u8 {
        self.oldest.load(Ordering::Relaxed)
    }

    /// As [`waiting`](Self::waiting), for the core itself.
    #[inline(always)]
    fn own_waiting(&self) -> u32 {
        let closed = self.closed.load(Ordering::Relaxed);
        closed.wrapping_sub(self.given_back.load(Ordering::Acquire)).into()
    }

    /// Packets that are closed and not given back.
    #[inline(always)]
    pub(super) fn waiting(&self) -> u32 {
        let closed = self.closed.load(Ordering::Acquire);
        closed.wrapping_sub(self.given_back.load(Ordering::Acquire)).into()
    }

    /// The oldest packet may be written to anew.
    #[inline(always)]
    pub(super) fn give_back(&self, setup: &PacketSetup) {
        self.oldest.store(self.behind(setup, self.oldest()), Ordering::Relaxed);
        let given_back = self.given_back.load(Ordering::Relaxed).wrapping_add(1);
        self.given_back.store(given_back, Ordering::Release);
    }

    /// The packet in `slot`, the one that was to be written, is closed. Gives the next one.
    #[inline(always)]
    pub(super) fn advance(&self, setup: &PacketSetup, slot: *mut u8) -> *mut u8 {
        let slot = self.behind(setup, slot);
        self.slot.store(slot, Ordering::Relaxed);
        let closed = self.closed.load(Ordering::Relaxed).wrapping_add(1);
        self.closed.store(closed, Ordering::Release);
        slot
    }

    /// The slot behind `slot`.
    #[inline(always)]
    fn behind(&self, setup: &PacketSetup, slot: *mut u8) -> *mut u8 {
        if slot == self.last.load(Ordering::Relaxed) {
            slot.wrapping_sub(setup.to_last_packet as usize)
        } else {
            slot.wrapping_add(setup.packet_size as usize)
        }
    }

    /// Closes the packet of `core` that is open in `slot`, and returns the next slot. `CoreState::at` is to be changed
    /// next.
    ///
    /// # Safety
    /// So it is. Nobody else is at work on the core's ring.
    #[inline(always)]
    unsafe fn close(
        &self,
        setup: &PacketSetup,
        core: &CoreState,
        slot: *mut u8,
        end: u64,
    ) -> *mut u8 {
        // SAFETY: the packet is open.
        unsafe { Slot(slot).close(core.at.load(Ordering::Relaxed), end, core.dropped()) };
        self.advance(setup, slot)
    }

    /// Before the first recording: the ring of core `index` begins with its first packet.
    fn prepare(&self, setup: &PacketSetup, index: u32) {
        if self.slot().is_null() {
            let first = setup.first_slot(index);
            self.slot.store(first, Ordering::Relaxed);
            self.oldest.store(first, Ordering::Relaxed);
            let last = first.wrapping_add(setup.to_last_packet as usize);
            self.last.store(last, Ordering::Relaxed);
            self.next.store(first_of(index as u8), Ordering::Relaxed);
            let mut slot = first;
            loop {
                // SAFETY: nobody records, so the slot is nobody's.
                unsafe { Slot(slot).set(0, MAGIC) };
                slot = self.behind(setup, slot);
                if slot == first {
                    break;
                }
            }
        }
    }
}

impl<P: Port> Recorder<P> {
    /// Closes the open packet of `core`, if there is one, and opens another. The place of its first event, of which
    /// whoever gets it has to tell the core where it ends; `None` if the event at hand is not to be recorded: recording
    /// is off, or there is no room; then it was counted.
    ///
    /// Context: the critical section of `core`.
    #[inline(always)]
    pub(super) fn next_packet(&self, core: &CoreState, now: u32) -> Option<*mut u8> {
        // As a null pointer it is a result in a register.
        let place = self.open_next_packet(core, now);
        if place.is_null() { None } else { Some(place) }
    }

    #[cold]
    #[inline(never)]
    fn open_next_packet(&self, core: &CoreState, now: u32) -> *mut u8 {
        let none = core::ptr::null_mut();
        // Without a limit recording is off, or no packet is open, or it is an old one: see `close_packet`.
        let is_young = !core.limit.load(Ordering::Relaxed).is_null();
        if !is_young && !self.is_recording() {
            return none;
        }
        let Some(setup) = self.port.packets() else { return none };
        let index = if setup.core_count == 1 { 0 } else { self.index_of(core) };
        let ring = setup.ring(index);
        let mut slot = ring.slot();
        let begin;
        if is_young {
            // SAFETY: the packet is open.
            begin = unsafe { Slot(slot).begin_and_since(now) };
            // SAFETY: inside the critical section of the core.
            slot = unsafe { ring.close(setup, core, slot, begin) };
        } else {
            // The time that the timer had when its lower half was `now`, a moment ago.
            let time = self.port.timestamp();
            begin = time.wrapping_sub((time as u32).wrapping_sub(now).into());
            if !core.at.load(Ordering::Relaxed).is_null() {
                // SAFETY: as above.
                slot = unsafe { ring.close(setup, core, slot, begin) };
            }
        }
        if setup.hands_out != 0 {
            core.at.store(none, Ordering::Relaxed);
            self.port.packet_closed();
        }
        if ring.own_waiting() >= setup.packet_count && !self.makes_room(setup, index, core) {
            return none;
        }
        // SAFETY: the slot is free, so it is this core's.
        unsafe {
            let which = ring.next.load(Ordering::Relaxed);
            ring.next.store(which.wrapping_add(1 << 16), Ordering::Relaxed);
            Slot(slot).open(which, setup.packet_size, begin);
            let end = slot.wrapping_add(setup.packet_size as usize);
            core.set_last_time(now);
            core.limit.store(end.wrapping_sub(U32_LEN - 1), Ordering::Relaxed);
            let cursor = Cursor(slot.wrapping_add(HEADER_LEN));
            let cursor = with_state(setup, index, cursor, now, end);
            core.end(cursor);
            cursor.0
        }
    }

    /// Closes the packet of `core` that is open at the time whose lower half is `now`, outside of any event.
    ///
    /// # Safety
    /// There is one, younger than a turn of the timer's lower half. Nobody else is at work on the core's ring.
    #[inline(never)]
    unsafe fn close_early(&self, setup: &PacketSetup, index: u32, core: &CoreState, now: u32) {
        core.limit.store(core::ptr::null_mut(), Ordering::Relaxed);
        let ring = setup.ring(index);
        let slot = ring.slot();
        // SAFETY: the caller's promise.
        unsafe { ring.close(setup, core, slot, Slot(slot).begin_and_since(now)) };
        core.at.store(core::ptr::null_mut(), Ordering::Relaxed);
        if setup.hands_out != 0 {
            self.port.packet_closed();
        }
    }

    /// No packet of the core is free. `true` if one is now; else the event was counted where it is lost.
    #[cold]
    #[inline(never)]
    fn makes_room(&self, setup: &PacketSetup, index: u32, core: &CoreState) -> bool {
        core.limit.store(core::ptr::null_mut(), Ordering::Relaxed);
        core.at.store(core::ptr::null_mut(), Ordering::Relaxed);
        match setup.policy {
            Policy::Stream => core.count_discarded(),
            Policy::Snapshot => {
                if self.stop_packets() {
                    self.port.snapshot_full();
                }
            }
            Policy::PostMortem => {
                setup.ring(index).give_back(setup);
                return true;
            }
        }
        false
    }

    /// Closes the packet of `core` that is open, if it was begun more than `age` ticks ago; 0: in any case. `now` is
    /// the lower half of the time. Another core closes its own, of which only it may, ahead of its next event, and works
    /// out the time anew then, which is right however long ago the last one was.
    ///
    /// Context: the critical section of `core`, any task or interrupt.
    #[inline(never)]
    pub fn close_packet(&self, core: &CoreState, now: u32, age: u32) {
        let Some(setup) = self.port.packets() else { return };
        if !self.is_recording() {
            return;
        }
        self.for_each_core(|index, of| {
            if of.at.load(Ordering::Relaxed).is_null() {
                return;
            }
            // SAFETY: a packet is open there, or was a moment ago.
            let begin = unsafe { Slot(setup.ring(index).slot()).begin_low() };
            if age != 0 && now.wrapping_sub(begin) <= age {
                return;
            }
            if core::ptr::eq(of, core) {
                // SAFETY: inside the critical section of the core, whose packet is open.
                unsafe { self.close_early(setup, index, core, now) };
            } else {
                of.limit.store(core::ptr::null_mut(), Ordering::Relaxed);
            }
        });
    }

    /// Closes the packet of core `index` that was left open when recording stopped.
    ///
    /// Context: the reader, when the core has finished, or whoever starts a recording.
    pub(super) fn close_left_open(&self, setup: &PacketSetup, index: u32) {
        let core = self.port.core(index);
        if !core.at.load(Ordering::Relaxed).is_null() {
            // SAFETY: recording is off, and the packet is open.
            unsafe { self.close_early(setup, index, core, core.last_time()) };
        }
    }

    /// Starts recording into the rings, behind what they hold.
    ///
    /// Context: the critical section, task or interrupt.
    ///
    /// # Errors
    /// [`NotStarted`] if recording is on, or has not wholly ended; then to try again helps.
    pub fn start_packets(&self) -> Result<(), NotStarted> {
        let Some(setup) = self.port.packets() else { return Err(NotStarted) };
        self.locked(|| {
            if !self.is_idle() {
                return Err(NotStarted);
            }
            for index in 0..self.port.core_count() {
                setup.ring(index).prepare(setup, index);
                self.close_left_open(setup, index);
            }
            self.begin_metadata(setup);
            self.set_recording(true);
            Ok(())
        })
    }

    /// Stops recording. `false` if it was not on. Other cores may still be inside an event.
    ///
    /// Context: the critical section, task or interrupt.
    #[inline(never)]
    pub fn stop_packets(&self) -> bool {
        self.locked(|| {
            let was_on = self.is_recording();
            self.set_recording(false);
            self.for_each_core(|_, core| {
                core.limit.store(core::ptr::null_mut(), Ordering::Relaxed);
            });
            was_on
        })
    }

    /// Memory of the packets of core `index`, and how many bytes of closed packets there are from its start on: 0 until
    /// the core has finished. For a snapshot, which nobody has taken packets of.
    ///
    /// Context: any; nobody is taking packets.
    pub fn packet_memory(&self, index: u32) -> (*const u8, usize) {
        let Some(setup) = self.port.packets() else { return (core::ptr::null(), 0) };
        if index >= self.port.core_count() {
            return (core::ptr::null(), 0);
        }
        let start = setup.first_slot(index);
        if !self.core_finished(index) {
            return (start, 0);
        }
        self.close_left_open(setup, index);
        let packets = setup.ring(index).waiting();
        (start, packets.wrapping_mul(setup.packet_size) as usize)
    }

    /// Empties the rings. `false`, and nothing changes, unless recording has finished.
    ///
    /// Context: the critical section, task or interrupt; nobody is taking packets.
    pub fn clear_packets(&self) -> bool {
        let Some(setup) = self.port.packets() else { return false };
        self.locked(|| {
            let finished = self.is_idle();
            if finished {
                for index in 0..self.port.core_count() {
                    self.close_left_open(setup, index);
                    let ring = setup.ring(index);
                    while ring.waiting() != 0 {
                        ring.give_back(setup);
                    }
                }
            }
            finished
        })
    }
}

/// Writes what a packet begins with, up to `end` at the latest: the task that runs and the interrupts that are open, at
/// the time of its begin, whose lower half is `now`.
///
/// # Safety
/// There is room for a task.
#[inline(always)]
unsafe fn with_state(
    setup: &PacketSetup,
    index: u32,
    mut cursor: Cursor,
    now: u32,
    end: *mut u8,
) -> Cursor {
    // SAFETY: the caller's promise; the tables have rows for each core.
    unsafe {
        let running = setup.running_tasks.wrapping_add(index as usize).read_volatile();
        if running != 0 {
            cursor.byte(RUNNING_TASK_ID);
            cursor.byte((now << 2) as u8);
            cursor.number(running);
        }
        // The longest event fits behind it.
        let [outer, inner] = setup.open_isrs;
        let [outer_words, inner_words] = setup.open_isr_words;
        let outer = outer.wrapping_add(outer_words.wrapping_mul(index) as usize);
        if outer.read_volatile() != 0 {
            cursor = with_isrs(setup, cursor, now, end, outer);
        }
        if !inner.is_null() {
            let inner = inner.wrapping_add(inner_words.wrapping_mul(index) as usize);
            if inner.read_volatile() != 0 {
                cursor = with_isrs(setup, cursor, now, end, inner);
            }
        }
    }
    cursor
}

/// Writes the interrupts of a row of a table, as far as the longest event fits behind them before `end`.
///
/// # Safety
/// The row ends with 0.
#[cold]
#[inline(never)]
unsafe fn with_isrs(
    setup: &PacketSetup,
    mut cursor: Cursor,
    now: u32,
    end: *mut u8,
    mut row: *const u32,
) -> Cursor {
    let stop = end.wrapping_sub(setup.max_event_len as usize).wrapping_sub(ISR_LEN);
    // SAFETY: the caller's promise.
    unsafe {
        loop {
            let key = row.read_volatile();
            if key == 0 || cursor.0 > stop {
                return cursor;
            }
            cursor.byte(OPEN_ISR_ID);
            cursor.byte((now << 2) as u8);
            cursor.number(!key);
            row = row.wrapping_add(1);
        }
    }
}

/// Longest event of an open interrupt at the begin of a packet.
const ISR_LEN: usize = 1 + 1 + 5;
