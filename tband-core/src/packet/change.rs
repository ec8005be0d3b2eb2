//! Packets are opened and closed, and recording starts and stops.

use core::sync::atomic::{Ordering, compiler_fence};

use tband_format::packet::HEADER_LEN;
use tband_format::registry::Event;

use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{Cursor, PacketSetup, Policy, Slot, Tail};
use crate::snapshot::NotStarted;
use crate::state::CoreState;

/// A packet gets no older, in ticks, a power of two: all its events are within a turn of the time's lower half, and the
/// port's timer, which is read with each packet, is read before it has turned over unless nothing was recorded for the rest
/// of a turn.
const LONGEST_AGE: u32 = 1 << 30;

const RUNNING_TASK_ID: u8 = Event::RunningTask { task_id: 0 }.id();
const OPEN_ISR_ID: u8 = Event::OpenIsr { isr_id: 0 }.id();

/// An event that is being written into a packet.
pub(super) struct Begun<'a> {
    /// Where the rest of it goes.
    pub(super) rest: Cursor,
    /// Of the packet.
    pub(super) tail: &'a Tail,
}

impl Begun<'_> {
    /// The event is whole: it is recorded.
    #[inline(always)]
    pub(super) fn end(self) {
        self.tail.commit(self.rest.0);
    }
}

impl<P: Port> Recorder<P> {
    /// How the reader's hold on a slot is seen to end.
    const ACQUIRE: Ordering = if P::IS_ONE_CORE { Ordering::Relaxed } else { Ordering::Acquire };
    /// How a closed packet is shown to the reader.
    const RELEASE: Ordering = if P::IS_ONE_CORE { Ordering::Relaxed } else { Ordering::Release };

    /// Begins an event that does not fit into the open packet, or comes long after the one before: in another packet,
    /// whose first it is, at the time of its begin, with the shortest time; or in the same one, with the longest. `None`
    /// if it is not to be recorded: recording is off, or there is no room; then it was counted.
    ///
    /// The core's limit may lead to no packet again by now: another core may have stopped the recording.
    ///
    /// Context: the critical section of `core`; recording was started with packets.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_in_next_packet<'a>(
        &'a self,
        id: u32,
        core: &'a CoreState,
        now: u32,
    ) -> Option<Begun<'a>> {
        // Where nothing fits recording is off, or no packet is open, or it is an old one: see `close_packet`.
        // SAFETY: since the first start of a recording the limit is in front of a tail, or of its place.
        let tail = unsafe { &*Tail::of_limit(core.limit.load(Ordering::Relaxed)) };
        let at = tail.at.load(Ordering::Relaxed);
        let is_young = Tail::is_place(at);
        if !is_young && !self.is_recording() {
            return None;
        }
        // SAFETY: a packet is open, or recording is on; so there was a setup when it was started, which is there always.
        let setup = unsafe { self.port.packets().unwrap_unchecked() };
        let index = self.index_of(core);
        let ring = setup.ring(index);
        if is_young {
            let longest = at.wrapping_add(setup.max_event_len as usize);
            if longest <= (&raw const *tail).cast_mut().cast() {
                let elapsed = now.wrapping_sub(tail.last_time.load(Ordering::Relaxed));
                // SAFETY: the packet is open, and has room for the longest event.
                unsafe {
                    let age = now.wrapping_sub(Slot(ring.slot()).begin_low());
                    if (elapsed | age) < LONGEST_AGE {
                        tail.last_time.store(now, Ordering::Relaxed);
                        return Some(Begun { rest: Cursor(at).long_head(id, now), tail });
                    }
                }
            }
        }
        // The time that the timer had when its lower half was `now`, a moment ago.
        let time = self.port.timestamp();
        let begin = time.wrapping_sub((time as u32).wrapping_sub(now).into());
        let slot = if is_young {
            // SAFETY: inside the critical section of the core, whose packet is open.
            unsafe { ring.close(setup, core, ring.slot(), tail, begin, Self::RELEASE) }
        } else {
            self.close_old(setup, index, core, begin);
            ring.slot()
        };
        let room = ring.room.load(Ordering::Relaxed);
        if ring.own_waiting(Self::ACQUIRE) >= room.into()
            && !self.makes_room(setup, index, core, now)
        {
            return None;
        }
        // SAFETY: the slot is free, so it is this core's.
        unsafe {
            let size = setup.packet_size;
            let which = ring.count_packet();
            let tail_at = Tail::in_front_of(slot.wrapping_add(size as usize));
            let tail = &*tail_at;
            // Whoever looks at the memory after a reset sees no packet until its begin is whole.
            tail.commit(core::ptr::null_mut());
            tail.last_time.store(now, Ordering::Relaxed);
            compiler_fence(Ordering::Release);
            Slot(slot).open(which, size, begin);
            core.at.store(slot, Ordering::Relaxed);
            core.limit.store(Tail::limit(tail_at), Ordering::Relaxed);
            let start = Cursor(slot.wrapping_add(HEADER_LEN));
            let cursor = with_state(setup, index, start, now, tail_at.cast());
            tail.commit(cursor.0);
            Some(Begun { rest: cursor.head(id, now), tail })
        }
    }

    /// Closes the packet of `core` that is open, if there is one, though it is no more to be written to: with its last
    /// event, or where nobody knows how long it has lasted, now. That the core slept since, for however many turns, makes
    /// no event of the others uncertain.
    ///
    /// Context: as [`close_early`](Self::close_early).
    #[cold]
    #[inline(never)]
    fn close_old(&self, setup: &PacketSetup, index: u32, core: &CoreState, now: u64) {
        if !core.at.load(Ordering::Relaxed).is_null() {
            let is_known = core.limit.load(Ordering::Relaxed) != Tail::none_known();
            // SAFETY: nobody else is at work on the core's ring, whose packet is open.
            unsafe { self.close_early(setup, index, core, if is_known { 0 } else { now }) }
        }
    }

    /// Closes the packet of `core` that is open, outside of any event, at this time, or that of its last event.
    ///
    /// # Safety
    /// There is one. Nobody else is at work on the core's ring.
    #[inline(never)]
    pub(super) unsafe fn close_early(
        &self,
        setup: &PacketSetup,
        index: u32,
        core: &CoreState,
        end: u64,
    ) {
        core.limit.store(Tail::none(), Ordering::Relaxed);
        let ring = setup.ring(index);
        // SAFETY: the caller's promise.
        unsafe {
            let slot = ring.slot();
            ring.close(setup, core, slot, setup.tail(slot), end, Self::RELEASE);
        }
        core.at.store(core::ptr::null_mut(), Ordering::Relaxed);
        core.set_discarded_at(0);
    }

    /// No packet of the core is free, or recording is to stop soon, or the port takes each packet that is closed. `true` if
    /// one is free now; else the event was counted where it is lost.
    #[cold]
    #[inline(never)]
    fn makes_room(&self, setup: &PacketSetup, index: u32, core: &CoreState, now: u32) -> bool {
        core.limit.store(Tail::none(), Ordering::Relaxed);
        core.at.store(core::ptr::null_mut(), Ordering::Relaxed);
        if self.port.hands_out(setup) {
            self.port.packet_closed();
            // The port may have stopped it.
            if !self.is_recording() {
                return false;
            }
        }
        let ring = setup.ring(index);
        let is_full = ring.own_waiting(Self::ACQUIRE) >= setup.most_waiting;
        match self.port.policy(setup) {
            Policy::Stream => {
                if is_full {
                    core.count_discarded();
                    // Not 0; it may be a tick later.
                    core.set_discarded_at(now | 1);
                }
                return !is_full;
            }
            Policy::Snapshot => {
                if self.stop_packets() {
                    self.port.snapshot_full();
                }
            }
            Policy::PostMortem => {
                let left = ring.freeze_after.load(Ordering::Relaxed);
                if left == 1 {
                    self.stop_packets();
                    return false;
                }
                // Only what was asked for is counted: another core may be asking just now.
                if left != 0 {
                    ring.freeze_after.store(left.wrapping_sub(1), Ordering::Relaxed);
                }
                if is_full {
                    ring.give_back(setup);
                }
                return true;
            }
        }
        false
    }

    /// Closes the packet of `core` that is open, if it was begun more than `age` ticks before `now`; 0: in any case.
    /// Another core closes its own, of which only it may, before its next event.
    ///
    /// Context: the critical section of `core`, any task or interrupt.
    #[inline(never)]
    pub fn close_packet(&self, core: &CoreState, age: u32, now: u64) {
        let Some(setup) = self.port.packets() else { return };
        if !self.is_recording() {
            return;
        }
        self.for_each_core(|index, of| {
            if of.at.load(Ordering::Relaxed).is_null() {
                return;
            }
            // SAFETY: a packet is open there, or was a moment ago.
            let begin = unsafe { Slot(setup.ring(index).slot()).begin_as_it_is() };
            // Another core may have begun one meanwhile.
            if age != 0 && now.wrapping_sub(begin) as i64 <= age.into() {
                return;
            }
            if core::ptr::eq(of, core) {
                // SAFETY: inside the critical section of the core, whose packet is open.
                unsafe { self.close_early(setup, index, core, now) };
                if self.port.hands_out(setup) {
                    self.port.packet_closed();
                }
            } else {
                take_limit(setup, index, of, now);
            }
        });
    }

    /// Closes the packet of core `index` that was left open when recording stopped.
    ///
    /// Context: the lock and the critical section, or nobody starts a recording meanwhile; the core has finished.
    pub(super) fn close_left_open(&self, setup: &PacketSetup, index: u32) {
        let core = self.port.core(index);
        let is_known = core.limit.load(Ordering::Relaxed) != Tail::none_known();
        self.close_old(setup, index, core, if is_known { 0 } else { self.port.timestamp() });
    }

    /// Counts an event that would begin inside another one of `core`, or is refused otherwise.
    ///
    /// Context: the critical section of `core`.
    pub fn refuse_in_packets(&self, core: &CoreState, is_metadata: bool) {
        core.discard(is_metadata);
        if self.is_recording() {
            core.set_discarded_at(self.port.timestamp() as u32 | 1);
        }
    }

    /// Closes a packet without events, which reports those that core `index` has discarded after its last one, at the
    /// time of the last of them. Where that was more than half a turn of the timer's lower half ago: now.
    ///
    /// Context: the lock and the critical section; the core has finished, and has a free packet.
    #[cold]
    pub(super) fn emit_discarded(&self, setup: &PacketSetup, index: u32) {
        let core = self.port.core(index);
        let now = self.port.timestamp();
        let since = (now as u32).wrapping_sub(core.discarded_at());
        let time = if (since as i32) < 0 { now } else { now.wrapping_sub(since.into()) };
        let ring = setup.ring(index);
        let slot = Slot(ring.slot());
        // SAFETY: the packet is free, and nobody records.
        unsafe {
            slot.open(ring.count_packet(), setup.packet_size, time);
            slot.close(slot.0.wrapping_add(HEADER_LEN), time, core.dropped());
        }
        ring.pass(setup);
        core.set_discarded_at(0);
    }

    /// Starts recording into the rings, after what they hold.
    ///
    /// Context: the critical section, task or interrupt.
    ///
    /// # Errors
    /// [`NotStarted`] if recording is on, or has not wholly ended; then to try again helps.
    pub fn start_packets(&self) -> Result<(), NotStarted> {
        let Some(setup) = self.port.packets() else { return Err(NotStarted) };
        self.locked(|| {
            self.prepare_start(setup)?;
            self.begin_metadata(setup);
            self.set_recording(true);
            Ok(())
        })
    }

    /// What was recorded before is closed, and the rings are ready for what comes.
    ///
    /// Context: the critical section and the lock.
    ///
    /// # Errors
    /// [`NotStarted`] as of [`start_packets`](Self::start_packets); nothing has changed.
    #[inline(always)]
    pub(super) fn prepare_start(&self, setup: &PacketSetup) -> Result<(), NotStarted> {
        if !self.is_idle() {
            return Err(NotStarted);
        }
        // What is half read may be written over.
        if self.port.policy(setup) == Policy::PostMortem {
            setup.reader().let_go();
        }
        for index in 0..self.port.core_count() {
            setup.ring(index).prepare(setup, index, self.port.hands_out(setup));
            self.close_left_open(setup, index);
            self.port.core(index).limit.store(Tail::none(), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Stops recording. `false` if it was not on. Other cores may still be inside an event.
    ///
    /// Context: the critical section, task or interrupt.
    #[inline(never)]
    pub fn stop_packets(&self) -> bool {
        let Some(setup) = self.port.packets() else { return false };
        let now = self.port.timestamp();
        self.locked(|| {
            let was_on = self.is_recording();
            self.set_recording(false);
            self.for_each_core(|index, core| take_limit(setup, index, core, now));
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
        // Nothing was recorded yet.
        let Some(setup) = self.port.packets() else { return true };
        self.locked(|| {
            let finished = self.is_idle();
            if finished {
                for index in 0..self.port.core_count() {
                    self.close_left_open(setup, index);
                    let ring = setup.ring(index);
                    while ring.waiting() != 0 {
                        ring.give_back(setup);
                    }
                    if !ring.slot().is_null() {
                        // The oldest before the others: a reset in between leaves the newest.
                        ring.clear_slots(setup);
                        ring.restart(setup);
                    }
                }
                setup.reader().let_go();
            }
            finished
        })
    }
}

/// Nothing fits into the packet of a core any more, which the core itself closes. What is reported there is whether it was
/// begun within a turn of the time's lower half, or else, if it is open, how long ago is not known.
///
/// Context: any core.
#[inline(never)]
fn take_limit(setup: &PacketSetup, index: u32, core: &CoreState, now: u64) {
    let mut limit = core.limit.load(Ordering::Relaxed);
    if core.at.load(Ordering::Relaxed).is_null() {
        limit = Tail::none();
    } else if limit != Tail::none() && limit != Tail::none_known() {
        // SAFETY: a packet is open there, or was a moment ago.
        let begin = unsafe { Slot(setup.ring(index).slot()).begin_as_it_is() };
        let turns = (now.wrapping_sub(begin) >> 32) as i32;
        let is_known = setup.sees_turns != 0 || turns <= 0;
        limit = if is_known { Tail::none() } else { Tail::none_known() };
    }
    core.limit.store(limit, Ordering::Relaxed);
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
            cursor = cursor.head(RUNNING_TASK_ID.into(), now);
            cursor.number(running);
        }
        let [outer, inner] = setup.open_isrs;
        let [outer_words, inner_words] = setup.open_isr_words;
        let outer = outer.wrapping_add(outer_words.wrapping_mul(index) as usize);
        if outer.read_volatile() != 0 {
            cursor = with_isrs(cursor, now, last_isr(setup, end), outer);
        }
        if !inner.is_null() {
            let inner = inner.wrapping_add(inner_words.wrapping_mul(index) as usize);
            if inner.read_volatile() != 0 {
                cursor = with_isrs(cursor, now, last_isr(setup, end), inner);
            }
        }
    }
    cursor
}

/// Longest event of an open interrupt at the begin of a packet.
const ISR_LEN: usize = 1 + 1 + 5;

/// The last place for an interrupt: the longest event fits after it before `end`.
#[inline(always)]
fn last_isr(setup: &PacketSetup, end: *mut u8) -> *mut u8 {
    end.wrapping_sub(setup.max_event_len as usize).wrapping_sub(ISR_LEN)
}

/// Writes the interrupts of a row of a table, up to `last`.
///
/// # Safety
/// The row ends with 0.
#[cold]
#[inline(never)]
unsafe fn with_isrs(mut cursor: Cursor, now: u32, last: *mut u8, mut row: *const u32) -> Cursor {
    // SAFETY: the caller's promise.
    unsafe {
        loop {
            let key = row.read_volatile();
            if key == 0 || cursor.0 > last {
                return cursor;
            }
            cursor = cursor.head(OPEN_ISR_ID.into(), now);
            cursor.number(!key);
            row = row.wrapping_add(1);
        }
    }
}
