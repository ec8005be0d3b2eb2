//! The metadata buffer of each core: a table of what exists.
//!
//! An entry is the whole frame of a metadata event, and the entries stand one behind the other, so that
//! whoever dumps the buffer has a recording. An event replaces the entry of the same id and object; the
//! entries of an object that is deleted are removed. What lies behind is moved down in steps, between
//! which interrupts are let in: meanwhile zeros stand in the gap, which are frames of no bytes, and the
//! entries behind it are where they were. What does not fit is counted, and how large the buffer should
//! have been.

use core::ptr;
use core::sync::atomic::Ordering;

use tband_format::Str;
use tband_format::registry::Event;

use crate::metadata::Metadata;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;

/// A step ends with the entry in which these bytes end, counted from the first that is not in a gap.
const STEP: usize = 16;

const ISR_NAME_ID: u8 = Event::IsrName { isr_id: 0, name: Str(&[]) }.id();

/// Names of markers of a task have two numbers in front, the marker's and the task's. Others belong to the
/// object of their first number.
const fn is_of_task(id: u8) -> bool {
    const A: u8 = Event::TaskEvtmarkerName { evtmarker_id: 0, task_id: 0, name: Str(&[]) }.id();
    const B: u8 = Event::TaskValmarkerName { valmarker_id: 0, task_id: 0, name: Str(&[]) }.id();
    const { assert!(A | 4 == B) };
    id | 4 == B
}

/// The number that stands there, and what is behind it.
///
/// # Safety
/// The bytes of a number stand there, none of them zero.
#[inline(never)]
unsafe fn number(mut at: *const u8) -> (u32, *const u8) {
    let (mut value, mut shift) = (0, 0);
    loop {
        // SAFETY: the caller's promise. Reading ends with the frame, whose last byte is 0.
        let byte = unsafe { at.read() };
        at = at.wrapping_add(1);
        value |= u32::from(byte & 0x7F).wrapping_shl(shift);
        shift = shift.wrapping_add(7);
        if byte < 0x80 {
            return (value, at);
        }
    }
}

/// The search through the tables for what an event replaces, or wants forgotten; then the event goes into one.
///
/// `repr(C)`: built by C, as [`Metadata`] is.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Search<'a> {
    /// The event.
    pub event: Metadata<'a>,
    /// How far the table was searched.
    pub at: *mut u8,
    /// What the count of moves was then; [`START`](Self::START) for a table that is to be searched.
    pub moves: u32,
}

impl<'a> Search<'a> {
    /// More than the count of moves ever is.
    pub const START: u32 = 0x1_0000;

    /// A search for what `event` replaces.
    #[must_use]
    pub const fn new(event: Metadata<'a>) -> Self {
        Self { event, at: ptr::null_mut(), moves: Self::START }
    }

    /// The entry at `frame` is one of those that the event replaces, of the same object; that is noted.
    ///
    /// # Safety
    /// A whole frame of a metadata event with a number stands there; the event's numbers are there.
    #[inline(never)]
    unsafe fn replaces(&mut self, frame: *const u8) -> bool {
        let event = &self.event;
        // SAFETY: the caller's promise.
        unsafe {
            let id = frame.add(1).read();
            let is_meant = if event.has(Metadata::FORGET) {
                event.numbers.add(1).read().wrapping_shr(id.into()) & 1 != 0
            } else {
                id == event.id()
            };
            if !is_meant {
                return false;
            }
            let mut numbers = event.numbers;
            // A first number that is zero ends the first COBS block, and no other has a zero byte.
            let (mut found, mut at) = (0, frame.add(3));
            if frame.read() != 2 {
                (found, at) = number(frame.add(2));
            }
            if is_of_task(id) {
                // All markers of a task go with it.
                if !event.has(Metadata::FORGET) {
                    if found != numbers.read() {
                        return false;
                    }
                    numbers = numbers.add(1);
                }
                (found, _) = number(at);
            }
            if found != numbers.read() {
                return false;
            }
        }
        self.event.head |= Metadata::FOUND;
        true
    }

    /// A step of the search through a table; what lies behind what was removed is moved down. `true` if there
    /// is more to do. There is nothing to do for events that are [`NEW`](Metadata::NEW).
    ///
    /// Cost: a step goes through the gap, which is as long as what was removed, and then through 16 bytes and
    /// the rest of the entry in which they end, whatever the size of the buffer.
    ///
    /// Context: the critical section, which may be left between two steps; with several cores the lock, too.
    ///
    /// # Safety
    /// `buf` is the metadata buffer of core `of`. The event's numbers are there.
    #[inline(always)]
    pub unsafe fn step<P: Port>(
        &mut self,
        recorder: &Recorder<P>,
        of: &CoreState,
        buf: *mut u8,
    ) -> bool {
        if self.event.has(Metadata::NEW) {
            return false;
        }
        let end = buf.wrapping_add(of.own_metadata_used().into());
        let moves = recorder.metadata_moves.load(Ordering::Relaxed);
        // Whoever came in between may have closed the gap and moved the entries: again from the start.
        let mut to = if self.moves == moves.into() { self.at } else { buf };
        let mut from = to;
        // SAFETY: entries stand from `buf` to `end`, and `from` is where one begins, or a gap goes on.
        unsafe {
            // Zeros where an entry should begin are a gap.
            while from != end && from.read() == 0 {
                from = from.add(1);
            }
            let stop = from.wrapping_add(STEP);
            while from < end && from < stop {
                let next = end_of_frame(from);
                let is_kept = from.read() != 0 && !self.replaces(from);
                while from != next {
                    let byte = from.read();
                    from.write_volatile(0);
                    from = from.add(1);
                    if is_kept {
                        to.write_volatile(byte);
                        to = to.add(1);
                    }
                }
            }
        }
        self.at = to;
        self.moves = moves.into();
        if from != to {
            let moves = moves.wrapping_add(1);
            recorder.metadata_moves.store(moves, Ordering::Relaxed);
            self.moves = moves.into();
        }
        if from == end {
            of.shrink_metadata((to as usize).wrapping_sub(buf as usize) as u16);
        }
        from != end
    }

    /// As [`step`](Self::step), through the table of another core. The names of interrupts belong to a core each.
    ///
    /// # Safety
    /// As `step`.
    #[inline(always)]
    pub unsafe fn step_elsewhere<P: Port>(
        &mut self,
        recorder: &Recorder<P>,
        of: &CoreState,
        buf: *mut u8,
    ) -> bool {
        // SAFETY: the caller's promise.
        self.event.id() != ISR_NAME_ID && unsafe { self.step(recorder, of, buf) }
    }

    /// What follows the search: appends the event to a table, unless it is an order to forget or an update of
    /// what is not there. What does not fit is counted.
    ///
    /// Context: as [`step`](Self::step), of which none is left to do.
    ///
    /// # Safety
    /// `buf` is the metadata buffer of core `of` and has `size` bytes. The event's numbers are there, and its
    /// text is readable to its NUL or for the longest string that is recorded.
    #[inline(always)]
    pub unsafe fn store<P: Port>(
        &self,
        recorder: &Recorder<P>,
        of: &CoreState,
        buf: *mut u8,
        size: u32,
    ) {
        let event = &self.event;
        if event.has(Metadata::FORGET) {
            // What was dropped before may have been of this object.
            recorder.metadata_missing.store(0, Ordering::Relaxed);
            return;
        }
        // An update of what is not there.
        if event.has(Metadata::NOT_SENT) && !event.has(Metadata::NEW | Metadata::FOUND) {
            return;
        }
        let limit = buf.wrapping_add(size as usize);
        let start = buf.wrapping_add(of.own_metadata_used().into());
        // SAFETY: the buffer ends at the limit; the caller vouches for the event.
        let end = unsafe { event.write(start, limit, &recorder.port) };
        if end <= limit {
            of.set_metadata_used((end as usize).wrapping_sub(buf as usize) as u16);
        } else {
            let len = (end as usize).wrapping_sub(start as usize) as u16;
            let missing = recorder.metadata_missing.load(Ordering::Relaxed).saturating_add(len);
            recorder.metadata_missing.store(missing, Ordering::Relaxed);
            of.count_metadata_dropped(missing);
        }
    }
}

/// Where the frame at `frame` ends, behind its closing zero.
///
/// # Safety
/// A whole frame stands there, or a zero byte.
#[inline(always)]
unsafe fn end_of_frame(frame: *mut u8) -> *mut u8 {
    let mut end = frame;
    // SAFETY: each code byte says where the next one is, and the last the zero byte.
    unsafe {
        loop {
            let code = end.read();
            end = end.add(code.into());
            if code == 0 {
                return end.add(1);
            }
        }
    }
}

impl<P: Port> Recorder<P> {
    /// First part of [`emit_metadata`](Self::emit_metadata): removes what the event replaces from the tables of
    /// all cores, and appends it to the table of `core`.
    ///
    /// # Safety
    /// As `emit_metadata`.
    pub unsafe fn store_metadata(&self, core: &CoreState, event: &Metadata<'_>) {
        let size = self.port.metadata_buf_size();
        if size == 0 {
            return;
        }
        let mut search = Search::new(*event);
        // Another core may be at work on its table, or be sending it.
        self.locked(|| {
            for (index, of) in self.cores() {
                let buf = self.port.metadata_buf(index);
                search.moves = Search::START;
                // SAFETY: the buffer of that core; the caller vouches for the event.
                while !ptr::eq(of, core) && unsafe { search.step_elsewhere(self, of, buf) } {}
            }
            let buf = self.port.metadata_buf(self.index_of(core));
            search.moves = Search::START;
            // SAFETY: the buffer of this core; the caller vouches for the event.
            unsafe {
                while search.step(self, core, buf) {}
                search.store(self, core, buf, size);
            }
        });
    }

    /// Metadata buffer of core `index` and the number of bytes in it; null and 0 if there is none.
    ///
    /// What stands there changes whenever an object is created, named or deleted.
    pub fn metadata(&self, index: u32) -> (*const u8, usize) {
        if index >= self.port.core_count() || self.port.metadata_buf_size() == 0 {
            return (ptr::null(), 0);
        }
        let used = self.port.core(index).metadata_used();
        (self.port.metadata_buf(index), used as usize)
    }

    /// Metadata events of core `index` that found its buffer full; stays at 65535.
    pub fn metadata_dropped(&self, index: u32) -> u32 {
        if index < self.port.core_count() { self.port.core(index).metadata_dropped() } else { 0 }
    }
}
