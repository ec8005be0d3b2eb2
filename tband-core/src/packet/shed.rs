//! Events that are shed when packets run out: the fill level of a core's ring, and the counts that are reported when a recording
//! has ended.

use crate::atomics::Ordering;

use tband_format::packet::HEADER_LEN;
use tband_format::registry::Event;

use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{Cursor, PacketSetup, Slot, Tail};
use crate::shedding::Shedding;
use crate::snapshot::NotStarted;
use crate::state::CoreState;

const FILTER_ID: u8 = Event::Filter { of: 0, is: 0 }.id();
const SHED_ID: u8 = Event::Shed { class: 0, n: 0 }.id();

impl<P: Port> Recorder<P> {
    /// Called after a packet of `core` was opened, before the packet states which events it lacks. Takes steps of the order, or
    /// takes them back, depending on the number of packets of the core that wait.
    ///
    /// Cost: about 80 instructions; about 1000 if anything changes, during which other cores may wait. Context: the critical
    /// section of `core`; recording was started with packets.
    pub fn shed_turn(&self, of: &Shedding, core: &CoreState) {
        let Some(setup) = self.port.packets() else { return };
        let index = self.index_of(core);
        if of.turn(index, setup.ring(index).own_waiting(Self::ACQUIRE)) {
            self.locked(|| of.follow(index));
        }
    }

    /// Returns whether [`shed_turn`](Self::shed_turn) would take a step back if the open packet were closed now.
    ///
    /// Context: as of there.
    pub fn shed_may_turn_back(&self, of: &Shedding, core: &CoreState) -> bool {
        let Some(setup) = self.port.packets() else { return false };
        let index = self.index_of(core);
        // The open one waits too once it is closed.
        let waiting = setup.ring(index).own_waiting(Self::ACQUIRE).wrapping_add(1);
        of.may_turn_back(index, waiting)
    }

    /// Hooks follow a change of the filter.
    ///
    /// Context: the critical section. About 4000 instructions, during which other cores may wait.
    pub fn shed_apply(&self, of: &Shedding) {
        self.locked(|| of.apply());
    }

    /// Closes the open packet of `core`, and of no other core, at time `now`. If another core has taken its limit, it ends with its
    /// last event.
    ///
    /// Context: the critical section of `core`, outside of any event.
    pub fn close_own_packet(&self, core: &CoreState, now: u64) {
        let Some(setup) = self.port.packets() else { return };
        if !self.is_recording() || !core.is_open() {
            return;
        }
        let is_taken = !P::IS_ONE_CORE && core.limit.load(Ordering::Relaxed) == Tail::none();
        // SAFETY: inside the critical section of the core, whose packet is open.
        unsafe { self.close_early(setup, core, if is_taken { 0 } else { now }) };
        if self.port.is_external(setup) {
            self.port.packet_closed();
        }
    }

    /// With several cores, after one has stopped the recording: returns whether a core that has finished has counts that are in no
    /// packet, and [`write_shed`](Self::write_shed) has room to report them.
    ///
    /// Context: the one reader.
    pub fn is_shed_due(&self, of: &Shedding) -> bool {
        let Some(setup) = self.port.packets() else { return false };
        let mut is_due = false;
        self.for_each_core(|index, _| {
            is_due |= self.has_unrecorded(of, index)
                && self.waiting(setup.ring(index)) < setup.packet_count;
        });
        is_due
    }

    /// Returns whether the core has finished, and no packet contains its last counts of shed events.
    fn has_unrecorded(&self, of: &Shedding, index: u32) -> bool {
        self.core_finished(index) && of.unrecorded(index).is_some()
    }

    /// Writes what [is due](Self::is_shed_due).
    ///
    /// Context: the one reader, in the critical section.
    pub fn write_shed(&self, of: &Shedding) {
        let Some(setup) = self.port.packets() else { return };
        self.locked(|| {
            self.for_each_core(|index, _| {
                if self.has_unrecorded(of, index) {
                    self.end_shed(setup, of, index, false);
                }
            });
        });
    }

    /// Like [`start_packets`](Self::start_packets), with several cores. Counts of events that were shed before are recorded,
    /// or counted as lost if they do not fit. From here on nothing is shed.
    ///
    /// Context: as of there.
    ///
    /// # Errors
    /// [`NotStarted`], as there. The counts of earlier shed events may have been recorded by then.
    pub fn start_shedding(&self, of: &Shedding) -> Result<(), NotStarted> {
        let Some(setup) = self.port.packets() else { return Err(NotStarted) };
        // Under one lock: another core may leave its last event, or record from its own start, at any moment.
        self.locked(|| {
            if !self.is_idle() {
                return Err(NotStarted);
            }
            self.for_each_core(|index, _| {
                if of.unrecorded(index).is_some() || of.is_shedding(index) {
                    self.end_shed(setup, of, index, true);
                }
                of.begin(index);
            });
            self.begin_recording(setup)
        })
    }

    /// Closes a packet of core `index` with the counts that are in no other packet, if there is room for it. Its time is one tick
    /// after the last event that was shed or recorded, or now if that time is unknown. `is_over`: also records the filter without
    /// shedding, because the core may record nothing in the next recording; if the packet does not fit, the shed events count as
    /// lost.
    ///
    /// Context: the lock and the critical section; the core has finished.
    fn end_shed(&self, setup: &PacketSetup, of: &Shedding, index: u32, is_over: bool) {
        let ring = setup.ring(index);
        let core = self.port.core(index);
        let is_taken = core.limit.load(Ordering::Relaxed) == Tail::none();
        let known = core.open_slot().filter(|_| is_taken);
        let is_known = known.is_some();
        let last = known.map_or(0, |slot| setup.tail(slot).last_time.load(Ordering::Relaxed));
        self.close_open_packet_of(setup, index);
        if self.waiting(ring) >= setup.packet_count {
            if is_over {
                self.lose_shed(setup, of, index);
            }
            return;
        }
        let now = self.port.timestamp();
        let [of_shed, of_last] =
            [of.last_time(index), last].map(|it| (now as u32).wrapping_sub(it));
        let since = if of_shed < of_last { of_shed } else { of_last };
        let is_recent = is_known && (since as i32) >= 0;
        // One tick after it, as if a packet had been opened then.
        let time = if is_recent { now.wrapping_sub(since.saturating_sub(1).into()) } else { now };
        let slot = Slot(ring.slot());
        // SAFETY: the packet is free, and recording is off. All of it fits, as the shim asserts.
        unsafe {
            slot.open(|| ring.count_packet(), setup.packet_size, time);
            slot.set_end(time);
            let mut cursor = Cursor(slot.0.wrapping_add(HEADER_LEN));
            while let Some((class, events)) = of.unrecorded(index) {
                cursor = cursor.head(SHED_ID.into(), time as u32);
                cursor.number(class);
                cursor.number(events);
                of.mark_recorded(index);
            }
            let mut at = 0;
            while is_over && let Some((what, is)) = of.fact_without(at) {
                cursor = cursor.head(FILTER_ID.into(), time as u32);
                cursor.number(what);
                cursor.number(is);
                at = at.wrapping_add(1);
            }
            slot.close(cursor.0, core.dropped());
        }
        self.pass(setup, index);
        core.set_discarded_at(0);
    }

    /// Counts events of core `index` as lost because no packet has room for the last counts of shed events. The time of the loss is
    /// that of the last shed event, or the end of the last packet if that is later.
    ///
    /// Context: as of [`end_shed`](Self::end_shed); the core's ring is full.
    fn lose_shed(&self, setup: &PacketSetup, of: &Shedding, index: u32) {
        let core = self.port.core(index);
        // SAFETY: the packet is closed, and the lock keeps out who would open another.
        let end = unsafe { Slot(setup.in_front_of(index, setup.ring(index).slot())).end_low() };
        while let Some((_, events)) = of.unrecorded(index) {
            let at = of.last_time(index);
            let is_before = (at.wrapping_sub(end) as i32) < 0;
            core.count_all_discarded(events);
            core.set_discarded_at(if is_before { end } else { at } | 1);
            of.mark_recorded(index);
        }
    }
}
