//! Packets are opened and closed, and recording starts and stops.

use core::sync::atomic::{Ordering, compiler_fence};

use tband_format::packet::HEADER_LEN;
use tband_format::registry::{Event, MAIN_PROGRAM};

use super::event::LONG;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{Cursor, PacketSetup, Policy, Ring, Slot, Tail, U32_LEN};
use crate::snapshot::NotStarted;
use crate::state::{CoreState, IDLE};

/// A packet gets no older, in ticks, a power of two: all its events are within a turn of the time's lower half, and the
/// port's timer, which is read with each packet, is read before it has turned over unless nothing was recorded for the rest
/// of a turn.
const LONGEST_AGE: u32 = 1 << 30;

const RUNNING_TASK_ID: u8 = Event::RunningTask { task_id: 0 }.id();
const OPEN_ISR_ID: u8 = Event::OpenIsr { isr_id: 0 }.id();

impl<P: Port> Recorder<P> {
    /// Makes room for an event that does not fit into the open packet, or comes long after the one before: opens another
    /// packet, whose begin is the event's time; or has it come [a moment less](LONG) after the one before, so that it is
    /// written with the longest time. Not null: whoever writes it tries again. Null: it is not to be recorded, since
    /// recording is off, or there is no room; then it was counted. `begin` is the event's time, all of it.
    ///
    /// The core's limit may lead to no packet again by now: another core may have stopped the recording.
    ///
    /// `setup` is the port's: from the caller, so that it is in a register for all of this.
    ///
    /// The usual way calls nothing, so it saves few registers; what is rare is jumped to at the end. So a jump has to give
    /// what is returned here, and the compiler must not know it: that is why it is a pointer, of which only that it is not
    /// null means anything.
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
        // SAFETY: recording was started, so the limit is in front of a tail, or of what is in the place of one.
        let tail = unsafe { &*Tail::of_limit(core.limit.load(Ordering::Relaxed)) };
        // Nobody takes the limit of the only core.
        if !P::IS_ONE_CORE && !is_none_open() && !Tail::is_place(tail.at.load(Ordering::Relaxed)) {
            return self.reopen_or_close(core, begin);
        }
        let (ring, is_full);
        // SAFETY: a packet is open, its core is here, and the core's state is changed next; or none is, whose begin can be
        // read too, and leads to the rare way.
        unsafe {
            let age = begin.wrapping_sub(Slot(slot).begin());
            let elapsed = now.wrapping_sub(tail.last_time.load(Ordering::Relaxed));
            // Mostly it is room that is missing, and the time goes on. The last event came since the packet's begin, and
            // not a turn later: see `LONG`.
            let is_usual = (age >> 32) as u32 | (elapsed / LONG) == 0;
            if is_usual {
                Slot(slot).set_end(begin);
            } else {
                rarely();
                if !is_none_open() {
                    if takes_after_long(setup, tail, begin, slot) {
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
            let place = self.makes_room(setup, index, core, now);
            if place.is_null() || self.port.policy(setup) == Policy::Snapshot {
                return place;
            }
            // The port may have put something there.
            slot = ring.slot();
        }
        // SAFETY: the slot is free, so it is this core's.
        unsafe {
            // Read anew, or a register would be kept for it, and saved.
            let size = (&raw const setup.packet_size).read_volatile();
            let tail_at = Tail::in_front_of(slot.wrapping_add(size as usize));
            let tail = &*tail_at;
            tail.begin(now);
            Slot(slot).open(|| ring.count_packet(), size, begin);
            core.set_packet::<P>(slot, Tail::limit(tail_at));
            let at_begin = setup.at_begin_of(index);
            // What runs, and the outermost interrupt. Not volatile, so that a core that loads two words at a time does.
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

    /// With several cores: another one has taken the limit of the packet of `core`, which is closed, unless it
    /// [was opened](Self::is_just_open) for this event. As [`open_next_packet`](Self::open_next_packet); whoever tries again may
    /// find no packet open.
    #[cold]
    #[inline(never)]
    fn reopen_or_close(&self, core: &CoreState, begin: u64) -> *mut u8 {
        let Some(setup) = self.port.packets() else { return core::ptr::null_mut() };
        if !self.is_recording() {
            return core::ptr::null_mut();
        }
        // What it is now: the other core may have looked again since.
        let limit = core.limit.load(Ordering::Relaxed);
        if !self.is_just_open(setup, core) {
            // It ends with its last event, or where nobody knows how long it has lasted, now. That the core slept since, for
            // however many turns, makes no event of the others uncertain.
            let end = if limit == Tail::none() { 0 } else { begin };
            // SAFETY: the packet is open, and its core is here.
            unsafe { self.close_early(setup, core, end) };
        }
        core.limit.load(Ordering::Relaxed)
    }

    /// As the last steps of [`open_next_packet`](Self::open_next_packet), where interrupts are open, or the number of the task
    /// takes more than a byte, or there is none. The interrupts of `at_begin` come before those of the second kind.
    ///
    /// # Safety
    /// The packet is in `slot`, and all else of its begin is written.
    #[cold]
    #[inline(never)]
    unsafe fn begin_with_more(&self, core: &CoreState, slot: *mut u8) -> *mut u8 {
        let Some(setup) = self.port.packets() else { return core::ptr::null_mut() };
        let index = self.index_of(core);
        let tail = setup.tail(slot);
        // The last place for one: the longest event fits after it, as whoever writes that looks, or it would open packets for ever.
        let limit = Tail::limit((&raw const *tail).cast_mut());
        let last =
            limit.wrapping_add(U32_LEN - 1 - ISR_LEN).wrapping_sub(setup.max_event_len as usize);
        let mut cursor = Cursor(slot.wrapping_add(HEADER_LEN));
        let mut row = setup.at_begin_of(index).cast_const();
        let mut other = setup.class_isrs_of(index);
        // SAFETY: the caller's promise; the tables have rows for each core, which end with 0.
        unsafe {
            let now = Slot(slot).begin_low();
            // First the task, as one of the interrupts is then, or as the end of a table that is none.
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

    /// With several cores: another one has taken the limit of a packet that has no event yet: it was opened for this one,
    /// which goes there. So each event takes one packet more at most.
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
    /// Recording was started. Nobody else is at work on the core's ring.
    #[inline(never)]
    pub(super) unsafe fn close_early(&self, setup: &PacketSetup, core: &CoreState, end: u64) {
        let slot = core.at.load(Ordering::Relaxed);
        // A tick at a time before zero, too, which takes it for one that is old.
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

    /// The slot of core `index` that is to be written is a packet that is closed.
    ///
    /// Context: nobody else is at work on its ring.
    pub(super) fn pass(&self, setup: &PacketSetup, index: u32) {
        let ring = setup.ring(index);
        ring.advance(setup, index, ring.slot(), Self::RELEASE);
    }

    /// Whether the port takes each packet that is closed, or recording is to stop soon.
    #[inline(always)]
    fn is_watched(&self, setup: &PacketSetup, ring: &Ring) -> bool {
        match self.port.policy(setup) {
            Policy::Stream => self.port.hands_out(setup),
            Policy::Snapshot => false,
            Policy::PostMortem => ring.freeze_after.load(Ordering::Relaxed) != 0,
        }
    }

    /// No packet of the core is free, or recording is to stop soon, or the port takes each packet that is closed. Not null if
    /// one is free now; else the event was counted where it is lost.
    #[cold]
    #[inline(never)]
    fn makes_room(&self, setup: &PacketSetup, index: u32, core: &CoreState, now: u32) -> *mut u8 {
        core.limit.store(Tail::none(), Ordering::Relaxed);
        core.at.store(Tail::no_slot(), Ordering::Relaxed);
        if self.port.hands_out(setup) {
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
                    // The packet that is opened reports it, also if the port stops the recording when it takes that.
                    core.set_discarded_at(0);
                    return free();
                }
                core.count_discarded();
                // Not 0; it may be a tick later.
                core.set_discarded_at(now | 1);
            }
            Policy::Snapshot => {
                if self.stop_where_none_is_open() {
                    self.port.snapshot_full();
                }
                // Null. What is jumped to gives it, unknown to the compiler: see `open_next_packet`.
                return core::ptr::without_provenance_mut(self.recording().into());
            }
            Policy::PostMortem => {
                let left = ring.freeze_after.load(Ordering::Relaxed);
                if left == 1 {
                    self.stop_where_none_is_open();
                    return core::ptr::null_mut();
                }
                // Only what was asked for is counted: another core may be asking just now.
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

    /// Closes the packet of `core` that is open, if it was begun more than `age` ticks before `now`; 0: in any case.
    /// Another core closes its own, of which only it may, before its next event.
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

    /// As [`close_packet`](Self::close_packet), where nobody else has a packet: each tick comes here. While recording is off none
    /// is open, since whoever stops it closes that one.
    #[inline(always)]
    fn close_of_only_core(&self, setup: &PacketSetup, core: &CoreState, age: u32, now: u64) {
        let slot = core.at.load(Ordering::Relaxed);
        // Nothing was recorded yet.
        if slot.is_null() {
            return;
        }
        // SAFETY: inside the critical section of the core. The begin of none can be read too, and is later than any time of a
        // timer that counts from zero, so a tick is mostly over there.
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
        if self.port.hands_out(setup) {
            self.port.packet_closed();
        }
    }

    /// As [`close_packet`](Self::close_packet), with several cores.
    #[inline(never)]
    fn close_packets(&self, setup: &PacketSetup, core: &CoreState, age: u32, now: u64) {
        // Nothing but an event holds up who waits for the end of a recording, and then closes what is left open: so this is as one,
        // if it is not inside one, where the first event in another turn of the timer has it closed.
        let is_inside = core.mark() != IDLE;
        let is_on = if is_inside { self.is_recording() } else { self.enter(core) };
        if !is_on {
            return;
        }
        self.for_each_core(|_, of| {
            let Some(slot) = of.open_slot() else { return };
            // SAFETY: a packet is open there, or was a moment ago.
            let begin = unsafe { Slot(slot).begin_as_it_is() };
            // Another core may have begun one meanwhile.
            if age != 0 && now.wrapping_sub(begin) as i64 <= age.into() {
                return;
            }
            if core::ptr::eq(of, core) {
                // SAFETY: inside the critical section of the core, whose packet is open.
                unsafe { self.close_early(setup, of, now) };
                if self.port.hands_out(setup) {
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
    /// Context: the lock and the critical section, or nobody starts a recording meanwhile; the core has finished.
    #[inline(always)]
    pub(super) fn close_left_open(&self, setup: &PacketSetup, index: u32) {
        if !P::IS_ONE_CORE {
            self.close_of_another(setup, index);
        }
    }

    /// As [`close_left_open`](Self::close_left_open): with its last event, or where nobody knows how long it has lasted,
    /// now.
    #[inline(never)]
    fn close_of_another(&self, setup: &PacketSetup, index: u32) {
        let core = self.port.core(index);
        if core.open_slot().is_some() {
            let is_known = core.limit.load(Ordering::Relaxed) != Tail::none_known();
            let end = if is_known { 0 } else { self.port.timestamp() };
            // SAFETY: nobody else is at work on the core's ring.
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
    /// [`NotStarted`] if recording is on, or has not wholly ended; then to try again helps.
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
            setup.ring(index).prepare(setup, index);
            self.close_left_open(setup, index);
            let core = self.port.core(index);
            core.limit.store(Tail::none(), Ordering::Relaxed);
            core.at.store(Tail::no_slot(), Ordering::Relaxed);
            // What was open in the last recording has ended unseen, or will. Not later: once recording is on each core has
            // its row for itself.
            // SAFETY: the table has a row for each core, and none is inside an event, so nobody else is at it.
            unsafe { setup.isrs_of(index).write_volatile(0) };
        }
        Ok(())
    }

    /// As [`stop_packets`](Self::stop_packets), where this core has no packet open: the only one has nothing else to do, and
    /// its hooks need less stack.
    #[inline(always)]
    fn stop_where_none_is_open(&self) -> bool {
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
        let packets = self.waiting(setup.ring(index));
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
                    setup.reader().let_go();
                }
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
fn take_limit(setup: &PacketSetup, core: &CoreState, now: u64) {
    let mut limit = core.limit.load(Ordering::Relaxed);
    let Some(slot) = core.open_slot() else {
        core.limit.store(Tail::none(), Ordering::Relaxed);
        return;
    };
    if limit != Tail::none() && limit != Tail::none_known() {
        // SAFETY: a packet is open there, or was a moment ago.
        let begin = unsafe { Slot(slot).begin_as_it_is() };
        let turns = (now.wrapping_sub(begin) >> 32) as i32;
        let is_known = setup.sees_turns != 0 || turns <= 0;
        limit = if is_known { Tail::none() } else { Tail::none_known() };
    }
    core.limit.store(limit, Ordering::Relaxed);
}

/// Whether an interrupt of the second kind is open on core `index`.
#[inline(always)]
fn is_class_isr_open(setup: &PacketSetup, index: u32) -> bool {
    let isrs = setup.class_isrs_of(index);
    // SAFETY: null, or a table with a row for each core.
    unsafe { !isrs.is_null() && isrs.read_volatile() != 0 }
}

/// Longest event of an open interrupt at the begin of a packet.
const ISR_LEN: usize = 1 + 1 + 5;

impl CoreState {
    /// A packet is open. For the only core, once recording was started.
    #[inline(always)]
    pub(super) fn is_open(&self) -> bool {
        !Tail::is_no_slot(self.at.load(Ordering::Relaxed))
    }

    /// The slot of the packet that is open, if one is.
    #[inline(always)]
    pub(super) fn open_slot(&self) -> Option<*mut u8> {
        let slot = self.at.load(Ordering::Relaxed);
        (!slot.is_null() && !Tail::is_no_slot(slot)).then_some(slot)
    }

    /// Another packet is open, in `slot`, and its limit is this one.
    ///
    /// # Safety
    /// Inside the critical section of this core.
    #[inline(always)]
    unsafe fn set_packet<P: Port>(&self, slot: *mut u8, limit: *mut u8) {
        if P::IS_ONE_CORE {
            // SAFETY: nobody else is at them. Not atomic, so that a core that stores two words at a time does.
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

/// What calls it is compiled as what hardly ever happens: after the usual way, which then does not jump over it.
#[cold]
const fn rarely() {}

/// Whether an event of this time fits into the open packet of this tail, in `slot`, all of whose events stay within a turn
/// of the time's lower half. Then it was refused since it comes [long](LONG) after the one before, and the packet gets an
/// event a moment less before it.
///
/// # Safety
/// The packet is open, and its core is here.
#[inline(always)]
unsafe fn takes_after_long(setup: &PacketSetup, tail: &Tail, begin: u64, slot: *mut u8) -> bool {
    // SAFETY: the caller's promise.
    let age = begin.wrapping_sub(unsafe { Slot(slot).begin() });
    let elapsed = (begin as u32).wrapping_sub(tail.last_time.load(Ordering::Relaxed));
    if ((elapsed | age as u32) / LONGEST_AGE) | (age >> 32) as u32 != 0 {
        return false;
    }
    let at = tail.at.load(Ordering::Relaxed);
    // As whoever writes an event looks, or the two would disagree for ever.
    let limit = Tail::limit((&raw const *tail).cast_mut());
    at.wrapping_add(setup.max_event_len as usize).wrapping_sub(U32_LEN) < limit
}
