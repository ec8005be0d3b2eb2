//! Packets are opened and closed, and recording starts and stops.

use crate::atomics::{Ordering, compiler_fence};

use tband_format::packet::HEADER_LEN;
use tband_format::registry::{Event, MAIN_PROGRAM};

use super::event::LONG;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{Cursor, PacketSetup, Policy, Ring, Slot, Tail, U32_LEN};
use crate::snapshot::NotStarted;
use crate::state::{CoreState, IDLE};

/// Maximum age of a packet in ticks, a power of two. So all events of a packet are within one wrap of the time's lower half. The
/// port's timer is read with each packet, so it is read before it wraps, unless nothing is recorded for the rest of the wrap.
const LONGEST_AGE: u32 = 1 << 30;

const RUNNING_TASK_ID: u8 = Event::RunningTask { task_id: 0 }.id();
const OPEN_ISR_ID: u8 = Event::OpenIsr { isr_id: 0 }.id();

impl<P: Port> Recorder<P> {
    /// Makes room for an event that does not fit into the open packet, or that comes long after the previous one. Either opens
    /// another packet, which begins at the event's time, or makes the previous event appear [just less than `LONG`](LONG) earlier,
    /// so that the event is written with the longest time. Returns a non-null pointer if the caller must try again. Returns null if
    /// the event must not be recorded, because recording is off, or because all packets are in use; then it was counted. `begin` is
    /// the event's full time.
    ///
    /// The core's limit may lead to no packet again by now: another core may have stopped the recording.
    ///
    /// `setup` is the port's: from the caller, so that it is in a register for all of this.
    ///
    /// The fast path calls no function, so it saves few registers; it jumps to slow paths at its end. A tail call needs the same
    /// return value in both functions, and the compiler must not know the value. Hence the pointer, which carries no information
    /// except whether it is null.
    ///
    /// Context: the critical section of `core`; recording was started with packets.
    #[inline(always)]
    pub fn open_next_packet(&self, core: &CoreState, setup: &PacketSetup, begin: u64) -> *mut u8 {
        let now = begin as u32;
        // Not null, and in a register anyway.
        let again = core::ptr::from_ref(core).cast_mut().cast::<u8>();
        let index = self.index_of(core);
        let mut slot = core.at.load(Ordering::Relaxed);
        let is_none_open = || Tail::is_no_slot(slot);
        // SAFETY: recording was started, so the limit is in front of a tail, or of its placeholder.
        let tail = unsafe { &*Tail::of_limit(core.limit.load(Ordering::Relaxed)) };
        // With one core, no other core can take the limit.
        if !P::IS_ONE_CORE && !is_none_open() && !Tail::is_place(tail.at.load(Ordering::Relaxed)) {
            return self.reopen_or_close(core, begin);
        }
        let (ring, is_full);
        // SAFETY: a packet is open, its core is here, and the core's state is changed next; or none is open, whose placeholder's
        // begin can be read too, and leads to the slow path.
        unsafe {
            let age = begin.wrapping_sub(Slot(slot).begin());
            let elapsed = now.wrapping_sub(tail.last_time.load(Ordering::Relaxed));
            // Usually the packet is full, and time increases: the last event is later than the packet's begin, and less than a wrap
            // ago: see `LONG`.
            let is_usual = (age >> 32) as u32 | (elapsed / LONG) == 0;
            if is_usual {
                Slot(slot).set_end(begin);
            } else {
                rarely();
                if !is_none_open() {
                    if is_fitting_after_pause(setup, tail, begin, slot) {
                        tail.last_time.store(now.wrapping_sub(LONG - 1), Ordering::Relaxed);
                        return again;
                    }
                    Slot(slot).set_end_rarely(begin, tail);
                } else if !self.is_recording() {
                    return core::ptr::null_mut();
                }
            }
            if is_usual || !is_none_open() {
                // Before the ring, for which there is a register then.
                let at = tail.at.load(Ordering::Relaxed);
                compiler_fence(Ordering::Release);
                ring = setup.ring(index);
                let size = setup.packet_size;
                slot = ring.close((setup, size), (core, index), slot, at, Self::RELEASE);
                is_full = ring.is_full_at(setup, slot, Self::ACQUIRE, P::IS_ONE_CORE);
            } else {
                ring = setup.ring(index);
                slot = ring.slot();
                is_full = ring.is_full(setup, Self::ACQUIRE);
            }
        }
        if is_full || self.is_watched(setup, ring) {
            ring.set_slot(slot);
            let place = self.make_room(setup, index, core, now);
            if place.is_null() || self.port.policy(setup) == Policy::Snapshot {
                return place;
            }
            // The port may have added a packet.
            slot = ring.slot();
        }
        // SAFETY: the slot is free, so it is this core's.
        unsafe {
            // Read again, since otherwise a register would be reserved for it, and saved.
            let size = (&raw const setup.packet_size).read_volatile();
            let tail_at = Tail::in_front_of(slot.wrapping_add(size as usize));
            let tail = &*tail_at;
            tail.begin(now);
            Slot(slot).open(|| ring.count_packet(), size, begin);
            core.set_packet::<P>(slot, Tail::limit(tail_at));
            let at_begin = setup.at_begin_of(index);
            // The running task, and the outermost interrupt. Not volatile, so that a core with a load of two words can use it.
            let (running, isr) = (at_begin.read(), at_begin.wrapping_add(1).read());
            let mut cursor = Cursor(slot.wrapping_add(HEADER_LEN));
            if running.wrapping_sub(1) >= 0x7F || isr != 0 || is_class_isr_open(setup, index) {
                return self.begin_with_more(core, slot);
            }
            cursor = cursor.head_of_word(RUNNING_TASK_ID.into(), now);
            cursor.byte(running as u8);
            tail.commit(cursor.0);
            if !P::IS_ONE_CORE {
                core.set_opened_at(cursor.0);
            }
            again
        }
    }

    /// With several cores: another core has taken the limit of the packet of `core`. Closes that packet, unless it [was
    /// opened](Self::is_just_open) for this event. Returns the same as [`open_next_packet`](Self::open_next_packet). The next try
    /// may find no packet open.
    #[cold]
    #[inline(never)]
    fn reopen_or_close(&self, core: &CoreState, begin: u64) -> *mut u8 {
        let Some(setup) = self.port.packets() else { return core::ptr::null_mut() };
        if !self.is_recording() {
            return core::ptr::null_mut();
        }
        // The current value: the other core may have changed it again.
        let limit = core.limit.load(Ordering::Relaxed);
        if !self.is_just_open(setup, core) {
            // The packet ends with its last event, or now if its duration is unknown. The core may have slept for any number of
            // wraps since, but that makes the time of no other core's event uncertain.
            let end = if limit == Tail::none() { 0 } else { begin };
            // SAFETY: the packet is open, and its core is here.
            unsafe { self.close_early(setup, core, end) };
        }
        core.limit.load(Ordering::Relaxed)
    }

    /// Like the last steps of [`open_next_packet`](Self::open_next_packet), if interrupts are open, if the number of the task takes
    /// more than a byte, or if no task runs. The interrupts of `at_begin` come before those of the second kind.
    ///
    /// # Safety
    /// The packet is in `slot`, and the rest of its begin is written.
    #[cold]
    #[inline(never)]
    unsafe fn begin_with_more(&self, core: &CoreState, slot: *mut u8) -> *mut u8 {
        let Some(setup) = self.port.packets() else { return core::ptr::null_mut() };
        let index = self.index_of(core);
        let tail = setup.tail(slot);
        // The last position for such an event. The longest event must fit after it by the test of the event writers; otherwise
        // packets would be opened for ever.
        let limit = Tail::limit((&raw const *tail).cast_mut());
        let last =
            limit.wrapping_add(U32_LEN - 1 - ISR_LEN).wrapping_sub(setup.max_event_len as usize);
        let mut cursor = Cursor(slot.wrapping_add(HEADER_LEN));
        let mut row = setup.at_begin_of(index).cast_const();
        let mut other = setup.class_isrs_of(index);
        // SAFETY: the caller's promise; the tables have rows for each core, which end with 0.
        unsafe {
            let now = Slot(slot).begin_low();
            // First the task, encoded like one of the interrupts, or like the end of a table if there is none.
            let mut id = RUNNING_TASK_ID;
            let mut number = row.read_volatile();
            let mut is_one = number != 0;
            loop {
                if is_one && cursor.0 <= last {
                    cursor = cursor.head(id.into(), now);
                    cursor.number(number);
                }
                row = row.wrapping_add(1);
                let key = row.read_volatile();
                (id, number, is_one) = (OPEN_ISR_ID, key.wrapping_add(MAIN_PROGRAM), key != 0);
                if key == 0 {
                    if other.is_null() {
                        break;
                    }
                    (row, other) = (other.wrapping_sub(1), core::ptr::null());
                }
            }
        }
        tail.commit(cursor.0);
        if !P::IS_ONE_CORE {
            core.set_opened_at(cursor.0);
        }
        core.limit.load(Ordering::Relaxed)
    }

    /// With several cores: another core has taken the limit of a packet that has no event yet. The packet was opened for the
    /// current event, which is written into it. So each event takes at most one additional packet.
    #[inline(never)]
    fn is_just_open(&self, setup: &PacketSetup, core: &CoreState) -> bool {
        let Some(slot) = core.open_slot() else { return false };
        let tail = setup.tail(slot);
        let is_empty = core.was_opened_at(tail.at.load(Ordering::Relaxed));
        if is_empty {
            let limit = Tail::limit((&raw const *tail).cast_mut());
            core.limit.store(limit, Ordering::Relaxed);
        }
        is_empty
    }

    /// Closes the packet of `core`, if one is open, outside of any event, at this time, or that of its last event.
    ///
    /// # Safety
    /// Recording was started. No other code uses the core's ring.
    #[inline(never)]
    pub(super) unsafe fn close_early(&self, setup: &PacketSetup, core: &CoreState, end: u64) {
        let slot = core.at.load(Ordering::Relaxed);
        // A tick may come at a time before zero, too, which makes any packet look old.
        if Tail::is_no_slot(slot) {
            return;
        }
        if !P::IS_ONE_CORE {
            core.limit.store(Tail::none(), Ordering::Relaxed);
        }
        let index = self.index_of(core);
        let ring = setup.ring(index);
        let tail = setup.tail(slot);
        // SAFETY: the caller's promise.
        unsafe {
            Slot(slot).set_end_rarely(end, tail);
            let of = (core, index);
            let at = tail.at.load(Ordering::Relaxed);
            ring.set_slot(ring.close((setup, setup.packet_size), of, slot, at, Self::RELEASE));
            core.set_packet::<P>(Tail::no_slot(), Tail::none());
        }
        core.set_discarded_at(0);
    }

    /// Marks the current slot of core `index` as a closed packet.
    ///
    /// Context: no other code uses its ring.
    pub(super) fn pass(&self, setup: &PacketSetup, index: u32) {
        let ring = setup.ring(index);
        ring.advance(setup, index, ring.slot(), Self::RELEASE);
    }

    /// Returns whether the port takes each closed packet, or recording must stop soon.
    #[inline(always)]
    fn is_watched(&self, setup: &PacketSetup, ring: &Ring) -> bool {
        match self.port.policy(setup) {
            Policy::Stream => self.port.is_external(setup),
            Policy::Snapshot => false,
            Policy::PostMortem => ring.freeze_after.load(Ordering::Relaxed) != 0,
        }
    }

    /// Handles three cases: no packet of the core is free, recording must stop soon, or the port takes each closed packet. Returns
    /// a non-null pointer if a packet is free now; otherwise the event was counted if it is lost.
    #[cold]
    #[inline(never)]
    fn make_room(&self, setup: &PacketSetup, index: u32, core: &CoreState, now: u32) -> *mut u8 {
        core.limit.store(Tail::none(), Ordering::Relaxed);
        core.at.store(Tail::no_slot(), Ordering::Relaxed);
        if self.port.is_external(setup) {
            self.port.packet_closed();
            // The port may have stopped it.
            if !self.is_recording() {
                return core::ptr::null_mut();
            }
        }
        let ring = setup.ring(index);
        let is_full = || ring.own_waiting(Self::ACQUIRE) >= setup.most_waiting;
        let free = || core.limit.load(Ordering::Relaxed);
        match self.port.policy(setup) {
            Policy::Stream => {
                if !is_full() {
                    // The next packet reports it, also if the port stops the recording while it takes that packet.
                    core.set_discarded_at(0);
                    return free();
                }
                core.count_discarded();
                // Not 0; it may be a tick later.
                core.set_discarded_at(now | 1);
            }
            Policy::Snapshot => {
                if self.stop_without_open_packet() {
                    self.port.snapshot_full();
                }
                // Null, returned by a function that is tail-called, so the compiler does not know the value: see
                // `open_next_packet`.
                return core::ptr::without_provenance_mut(self.recording().into());
            }
            Policy::PostMortem => {
                let left = ring.freeze_after.load(Ordering::Relaxed);
                if left == 1 {
                    self.stop_without_open_packet();
                    return core::ptr::null_mut();
                }
                // Store only if a count was requested: another core may be requesting one at this moment.
                if left != 0 {
                    ring.freeze_after.store(left.wrapping_sub(1), Ordering::Relaxed);
                }
                if is_full() {
                    ring.give_back(setup, index, Self::RELEASE);
                }
                return free();
            }
        }
        core::ptr::null_mut()
    }

    /// Closes the open packet of `core` if it was begun more than `age` ticks before `now`; with 0 in any case. Packets of other
    /// cores are marked, and each core closes its packet before its next event, since no other core may.
    ///
    /// Context: the critical section of `core`, any task or interrupt.
    #[inline(always)]
    pub fn close_packet(&self, core: &CoreState, age: u32, now: u64) {
        let Some(setup) = self.port.packets() else { return };
        if P::IS_ONE_CORE {
            self.close_of_only_core(setup, core, age, now);
        } else {
            self.close_packets(setup, core, age, now);
        }
    }

    /// Like [`close_packet`](Self::close_packet), with one core: called by each tick. While recording is off no packet is
    /// open, because a stop closes it.
    #[inline(always)]
    fn close_of_only_core(&self, setup: &PacketSetup, core: &CoreState, age: u32, now: u64) {
        let slot = core.at.load(Ordering::Relaxed);
        // Nothing was recorded yet.
        if slot.is_null() {
            return;
        }
        // SAFETY: inside the critical section of the core. If no packet is open, the placeholder's begin can be read too. It is
        // later than all times of a timer counting from zero, so most ticks return here.
        unsafe {
            let stays = if age == 0 {
                Tail::is_no_slot(slot)
            } else {
                now.wrapping_sub(Slot(slot).begin()) as i64 <= age.into()
            };
            if stays {
                return;
            }
            self.close_early(setup, core, now);
        }
        if self.port.is_external(setup) {
            self.port.packet_closed();
        }
    }

    /// Like [`close_packet`](Self::close_packet), with several cores.
    #[inline(never)]
    fn close_packets(&self, setup: &PacketSetup, core: &CoreState, age: u32, now: u64) {
        // A core that waits for the end of a recording waits only for events, and then closes packets that were left open. So this
        // function marks itself as an event, unless it runs inside one: the first event after a wrap of the timer closes the packet
        // from inside.
        let is_inside = core.mark() != IDLE;
        let is_on = if is_inside { self.is_recording() } else { self.enter(core) };
        if !is_on {
            return;
        }
        self.for_each_core(|_, of| {
            let Some(slot) = of.open_slot() else { return };
            // SAFETY: a packet is open there, or was a moment ago.
            let begin = unsafe { Slot(slot).begin_unchecked() };
            // Another core may have begun a packet in between.
            if age != 0 && now.wrapping_sub(begin) as i64 <= age.into() {
                return;
            }
            if core::ptr::eq(of, core) {
                // SAFETY: inside the critical section of the core, whose packet is open.
                unsafe { self.close_early(setup, of, now) };
                if self.port.is_external(setup) {
                    self.port.packet_closed();
                }
            } else {
                take_limit(setup, of, now);
            }
        });
        if !is_inside {
            self.exit(core);
        }
    }

    /// Closes the packet of core `index` that was left open when recording stopped: by another core, since the only one
    /// closes its own then.
    ///
    /// Context: the lock and the critical section, or no recording can start in between; the core has finished.
    #[inline(always)]
    pub(super) fn close_open_packet_of(&self, setup: &PacketSetup, index: u32) {
        if !P::IS_ONE_CORE {
            self.close_of_another(setup, index);
        }
    }

    /// Like [`close_open_packet_of`](Self::close_open_packet_of). The packet ends with its last event, or now if its duration is
    /// unknown.
    #[inline(never)]
    fn close_of_another(&self, setup: &PacketSetup, index: u32) {
        let core = self.port.core(index);
        if core.open_slot().is_some() {
            let is_known = core.limit.load(Ordering::Relaxed) != Tail::none_known();
            let end = if is_known { 0 } else { self.port.timestamp() };
            // SAFETY: no other code uses the core's ring.
            unsafe { self.close_early(setup, core, end) };
        }
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

    /// Counts events that were left out where no packet has room to say so.
    ///
    /// Context: the critical section of `core`, which has no open packet.
    pub fn discard_in_packets(&self, core: &CoreState, events: u32) {
        core.count_all_discarded(events);
        core.set_discarded_at(self.port.timestamp() as u32 | 1);
    }

    /// Closes a packet without events, which reports the events that core `index` has discarded after its last packet. Its time is
    /// that of the last discarded event, or now if that was more than half a wrap of the timer's lower half ago.
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
        // SAFETY: the packet is free, and recording is off.
        unsafe {
            slot.open(|| ring.count_packet(), setup.packet_size, time);
            slot.set_end(time);
            slot.close(slot.0.wrapping_add(HEADER_LEN), core.dropped());
        }
        self.pass(setup, index);
        core.set_discarded_at(0);
    }

    /// Starts recording into the rings, after what they hold.
    ///
    /// Context: the critical section, task or interrupt.
    ///
    /// # Errors
    /// [`NotStarted`] if recording is on, or has not completely ended; in the second case try again.
    pub fn start_packets(&self) -> Result<(), NotStarted> {
        let Some(setup) = self.port.packets() else { return Err(NotStarted) };
        self.locked(|| self.begin_recording(setup))
    }

    /// Starts recording.
    ///
    /// Context and errors: as of [`prepare_start`](Self::prepare_start).
    #[inline(always)]
    pub(super) fn begin_recording(&self, setup: &PacketSetup) -> Result<(), NotStarted> {
        self.prepare_start(setup)?;
        self.begin_metadata(setup);
        self.set_recording(true);
        Ok(())
    }

    /// Closes the previous recording, and prepares the rings for the next one.
    ///
    /// Context: the critical section and the lock.
    ///
    /// # Errors
    /// [`NotStarted`] as for [`start_packets`](Self::start_packets); nothing has changed.
    #[inline(always)]
    pub(super) fn prepare_start(&self, setup: &PacketSetup) -> Result<(), NotStarted> {
        if !self.is_idle() {
            return Err(NotStarted);
        }
        // A packet that is partly read may be overwritten.
        if self.port.policy(setup) == Policy::PostMortem {
            setup.reader().discard_current();
        }
        for index in 0..self.port.core_count() {
            setup.ring(index).prepare(setup, index);
            self.close_open_packet_of(setup, index);
            let core = self.port.core(index);
            core.limit.store(Tail::none(), Ordering::Relaxed);
            core.at.store(Tail::no_slot(), Ordering::Relaxed);
            // Interrupts that were open in the last recording have ended unrecorded, or will. The row is cleared here and not
            // later: once recording is on, each core owns its row. SAFETY: the table has a row for each core, and no core is inside
            // an event, so no other code uses it.
            unsafe { setup.isrs_of(index).write_volatile(0) };
        }
        Ok(())
    }

    /// Like [`stop_packets`](Self::stop_packets), if this core has no open packet. With one core nothing else needs to be done, and
    /// its hooks need less stack.
    #[inline(always)]
    fn stop_without_open_packet(&self) -> bool {
        if !P::IS_ONE_CORE {
            return self.stop_packets();
        }
        let was_on = self.is_recording();
        self.set_recording(false);
        was_on
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
            self.for_each_core(|_, core| {
                if !P::IS_ONE_CORE {
                    take_limit(setup, core, now);
                } else if was_on {
                    // SAFETY: in the critical section of the core, which has recorded.
                    unsafe { self.close_early(setup, core, now) };
                }
            });
            was_on
        })
    }

    /// Returns the memory of the packets of core `index`, and the length in bytes of the closed packets at its start, 0 until the
    /// core has finished. For a snapshot of which no packets were taken.
    ///
    /// Context: any; no packets are being taken.
    pub fn packet_memory(&self, index: u32) -> (*const u8, usize) {
        let Some(setup) = self.port.packets() else { return (core::ptr::null(), 0) };
        if index >= self.port.core_count() {
            return (core::ptr::null(), 0);
        }
        let start = setup.first_slot(index);
        if !self.core_finished(index) {
            return (start, 0);
        }
        self.close_open_packet_of(setup, index);
        let packets = self.waiting(setup.ring(index));
        (start, packets.wrapping_mul(setup.packet_size) as usize)
    }

    /// Empties the rings. Returns `false`, and changes nothing, unless recording has finished.
    ///
    /// Context: the critical section, task or interrupt; no packets are being taken.
    pub fn clear_packets(&self) -> bool {
        // Nothing was recorded yet.
        let Some(setup) = self.port.packets() else { return true };
        self.locked(|| {
            let finished = self.is_idle();
            if finished {
                for index in 0..self.port.core_count() {
                    self.close_open_packet_of(setup, index);
                    let ring = setup.ring(index);
                    while self.waiting(ring) != 0 {
                        ring.give_back(setup, index, Self::RELEASE);
                    }
                    if !ring.slot().is_null() {
                        // The oldest before the others: a reset in between leaves the newest.
                        ring.clear_slots(setup, index);
                        ring.restart(setup, index);
                    }
                }
                if self.port.policy(setup) == Policy::Snapshot {
                    self.set_emptied(true);
                } else {
                    setup.reader().discard_current();
                }
            }
            finished
        })
    }
}

/// Sets the limit of a core so that nothing fits into its packet any more; the core closes the packet itself. The new limit states
/// whether the packet was begun within a wrap of the time's lower half, or whether its age is unknown.
///
/// Context: any core.
#[inline(never)]
fn take_limit(setup: &PacketSetup, core: &CoreState, now: u64) {
    let mut limit = core.limit.load(Ordering::Relaxed);
    let Some(slot) = core.open_slot() else {
        core.limit.store(Tail::none(), Ordering::Relaxed);
        return;
    };
    if limit != Tail::none() && limit != Tail::none_known() {
        // SAFETY: a packet is open there, or was a moment ago.
        let begin = unsafe { Slot(slot).begin_unchecked() };
        let turns = (now.wrapping_sub(begin) >> 32) as i32;
        let is_known = setup.sees_turns != 0 || turns <= 0;
        limit = if is_known { Tail::none() } else { Tail::none_known() };
    }
    core.limit.store(limit, Ordering::Relaxed);
}

/// Returns whether an interrupt of the second kind is open on core `index`.
#[inline(always)]
fn is_class_isr_open(setup: &PacketSetup, index: u32) -> bool {
    let isrs = setup.class_isrs_of(index);
    // SAFETY: null, or a table with a row for each core.
    unsafe { !isrs.is_null() && isrs.read_volatile() != 0 }
}

/// Longest event of an open interrupt at the begin of a packet.
const ISR_LEN: usize = 1 + 1 + 5;

impl CoreState {
    /// Returns whether a packet is open. With one core, once recording was started.
    #[inline(always)]
    pub(super) fn is_open(&self) -> bool {
        !Tail::is_no_slot(self.at.load(Ordering::Relaxed))
    }

    /// Returns the slot of the open packet, if there is one.
    #[inline(always)]
    pub(super) fn open_slot(&self) -> Option<*mut u8> {
        let slot = self.at.load(Ordering::Relaxed);
        (!slot.is_null() && !Tail::is_no_slot(slot)).then_some(slot)
    }

    /// Sets the open packet, in `slot`, and its limit.
    ///
    /// # Safety
    /// Inside the critical section of this core.
    #[inline(always)]
    unsafe fn set_packet<P: Port>(&self, slot: *mut u8, limit: *mut u8) {
        if P::IS_ONE_CORE {
            // SAFETY: no other code uses them. Not atomic, so that a core with a store of two words can use it.
            unsafe {
                (&raw const self.at).cast_mut().cast::<*mut u8>().write(slot);
                (&raw const self.limit).cast_mut().cast::<*mut u8>().write(limit);
            }
        } else {
            self.at.store(slot, Ordering::Relaxed);
            self.limit.store(limit, Ordering::Relaxed);
        }
    }
}

/// Marks its caller's branch as unlikely: the compiler places it after the fast path, which then need not jump over it.
#[cold]
const fn rarely() {}

/// Returns whether an event of this time fits into the open packet of this tail, in `slot`, with all its events within one wrap of
/// the time's lower half. If so, it was refused only because it comes [long](LONG) after the previous one, and the packet's last
/// time is moved to just less than that before it.
///
/// # Safety
/// The packet is open, and its core is here.
#[inline(always)]
unsafe fn is_fitting_after_pause(
    setup: &PacketSetup,
    tail: &Tail,
    begin: u64,
    slot: *mut u8,
) -> bool {
    // SAFETY: the caller's promise.
    let age = begin.wrapping_sub(unsafe { Slot(slot).begin() });
    let elapsed = (begin as u32).wrapping_sub(tail.last_time.load(Ordering::Relaxed));
    if ((elapsed | age as u32) / LONGEST_AGE) | (age >> 32) as u32 != 0 {
        return false;
    }
    let at = tail.at.load(Ordering::Relaxed);
    // The same test as in the event writers; otherwise the two would disagree for ever.
    let limit = Tail::limit((&raw const *tail).cast_mut());
    at.wrapping_add(setup.max_event_len as usize).wrapping_sub(U32_LEN) < limit
}
