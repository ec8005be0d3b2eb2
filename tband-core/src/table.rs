//! The metadata buffer of each core: a table of what exists.
//!
//! An entry is the whole frame of a metadata event, so that whoever dumps the buffer has a recording. An event
//! replaces the entry of the same id and object; the entries of an object that is deleted are removed. The
//! search for them goes on in steps, between which interrupts are let in, and looks at no more of another entry
//! than where it ends and its id. What is removed becomes zeros: a gap, of frames of no bytes. Nothing is moved
//! then, since kernels create and delete in critical sections of their own, in which nobody is let in between steps.
//!
//! A new entry goes into the foremost gap that was made since something was stored last, or into one behind it,
//! or behind the last entry. Only if there is no such place are the gaps closed, all at once. What does not fit
//! then is counted, and how large the buffer should have been.

use core::ptr;
use core::sync::atomic::Ordering;

use tband_format::Str;
use tband_format::registry::Event;

use crate::metadata::Metadata;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;

/// A step ends with the first entry that ends behind these bytes.
const STEP: usize = 64;

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

/// The way of an event through the tables: what it replaces, or wants forgotten, is removed in steps; then it goes
/// into one.
///
/// `repr(C)`: built by C, as [`Metadata`] is.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Search<'a> {
    /// The event.
    pub event: Metadata<'a>,
    /// How far the table was searched: where an entry or a gap begins.
    pub at: *mut u8,
    /// What the count of changes was then; [`START`](Self::START) for a table that is to be searched.
    pub changes: u32,
}

impl<'a> Search<'a> {
    /// More than the count of changes ever is.
    pub const START: u32 = 0x1_0000;

    /// For what `event` replaces, and a place for it.
    #[must_use]
    pub const fn new(event: Metadata<'a>) -> Self {
        Self { event, at: ptr::null_mut(), changes: Self::START }
    }

    /// The entry at `frame` is of the event's object.
    ///
    /// # Safety
    /// A whole frame of a metadata event with a number stands there; the event's numbers are there.
    #[inline(always)]
    unsafe fn is_of_object(&self, frame: *const u8, id: u8) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let mut wanted = self.event.numbers;
            // A first number that is zero ends the first COBS block, and no other has a zero byte.
            let (mut found, mut at) = (0, frame.add(3));
            if frame.read() != 2 {
                (found, at) = number(frame.add(2));
            }
            if is_of_task(id) {
                // All markers of a task go with it.
                if !self.event.has(Metadata::FORGET) {
                    if found != wanted.read() {
                        return false;
                    }
                    wanted = wanted.add(1);
                }
                (found, _) = number(at);
            }
            found == wanted.read()
        }
    }

    /// A step of the search through a table: what is to be removed becomes zeros. `true` if there is more to do. There
    /// is nothing to do for events that are [`NEW`](Metadata::NEW).
    ///
    /// Cost: a step goes through 64 bytes and the rest of the entry in which they end. Of a Cortex-M4's instructions,
    /// about 20 an entry, 30 more if it is of the same kind, 9 a byte of a gap.
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
        let used = usize::from(of.own_metadata_used());
        let changes = recorder.metadata_changes.load(Ordering::Relaxed).into();
        // Whoever came in between may have put something anywhere: again from the start.
        if self.changes != changes {
            self.changes = changes;
            self.at = buf;
        }
        let mut at = self.at;
        let end = buf.wrapping_add(used);
        let stop = at.wrapping_add(STEP);
        let stop = if stop < end { stop } else { end };
        // SAFETY: entries and gaps stand from `buf` to `end`, and `at` is where one begins, or a gap goes on.
        unsafe {
            let removed = if self.event.has(Metadata::FORGET) {
                self.event.numbers.add(1).read()
            } else {
                1_u32.wrapping_shl(self.event.id().into())
            };
            loop {
                at = pass_over(at, stop, removed);
                if at < stop {
                    let next = end_of_frame(at);
                    if self.is_of_object(at, at.add(1).read()) {
                        self.event.head &= !Metadata::UPDATE;
                        clear(at, next);
                        of.metadata_gap_is_at_most((at as usize).wrapping_sub(buf as usize));
                    }
                    at = next;
                }
                if at >= stop {
                    break;
                }
            }
        }
        self.at = at;
        at != end
    }

    /// As [`step`](Self::step), through the table of any core. The names of interrupts belong to a core each.
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

    /// What follows the search: puts the event into a table, unless it is an order to forget or an update of what is
    /// not there: into a gap that is large enough, or behind the last entry. If there is no such place all gaps are
    /// closed. What does not fit then is counted.
    ///
    /// Cost: that of writing the event, where something was removed before; else, of a Cortex-M4's instructions, about 25
    /// an entry and 10 a byte of a gap from the first gap on, and then 8 a byte of the whole table, which is closed.
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
        if event.has(Metadata::UPDATE) {
            return;
        }
        let changes = recorder.metadata_changes.load(Ordering::Relaxed);
        recorder.metadata_changes.store(changes.wrapping_add(1), Ordering::Relaxed);
        let offset = |at: *mut u8| (at as usize).wrapping_sub(buf as usize) as u16;
        let limit = buf.wrapping_add(size as usize);
        let mut end = buf.wrapping_add(of.own_metadata_used().into());
        // Not known yet: the first attempt tells, though it may be in a gap of no bytes.
        let mut len = 0;
        // SAFETY: entries and gaps stand from `buf` to `end`, and where gaps begin; the buffer ends at the limit; the
        // caller vouches for the event.
        unsafe {
            loop {
                let mut at = buf.wrapping_add(of.metadata_gap().into());
                loop {
                    let gap = at;
                    at = pass_over(at, end, 0);
                    let room_end = if at == end { limit } else { at };
                    if (room_end as usize).wrapping_sub(gap as usize) >= len {
                        let written = event.write(gap, room_end, &recorder.port);
                        if written <= room_end {
                            if at == end {
                                of.set_metadata_used(offset(written));
                            }
                            of.set_metadata_gap(offset(written));
                            return;
                        }
                        // How long it is, is known now.
                        len = (written as usize).wrapping_sub(gap as usize);
                        clear(gap, at);
                    }
                    if at == end {
                        break;
                    }
                    at = end_of_frame(at);
                }
                let closed = copy_entries(buf, end, buf);
                of.shrink_metadata(offset(closed));
                of.set_metadata_gap(offset(closed));
                if closed == end {
                    break;
                }
                end = closed;
            }
        }
        recorder.drop_metadata(of, len as u16);
    }
}

/// Makes zeros of the bytes from `start` to `end`: a gap.
///
/// # Safety
/// They may be written to.
#[inline(never)]
unsafe fn clear(mut start: *mut u8, end: *mut u8) {
    while start != end {
        // SAFETY: the caller's promise. Volatile, or it becomes a call of `memset`, which may have to be linked.
        unsafe {
            start.write_volatile(0);
            start = start.add(1);
        }
    }
}

/// The first entry from `at` on that may be one of those to be removed, or `end` or behind it. If none are, the first
/// entry of all.
///
/// # Safety
/// Entries and gaps stand from `at` to `end`, or to where the entry ends that `end` lies in.
#[inline(never)]
unsafe fn pass_over(mut at: *mut u8, end: *mut u8, removed: u32) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe {
        while at < end {
            // Zeros where an entry should begin are a gap.
            if at.read() != 0
                && (removed == 0 || removed.rotate_right(at.add(1).read().into()) & 1 != 0)
            {
                break;
            }
            at = end_of_frame(at);
        }
    }
    at
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

/// Copies the entries that stand from `from` to `end`, without the gaps, to `to` and returns where they end there:
/// about eight instructions a byte.
///
/// # Safety
/// Entries and gaps stand there. There is room at `to`, or it is `from`.
#[inline(always)]
pub unsafe fn copy_entries(mut from: *mut u8, end: *mut u8, mut to: *mut u8) -> *mut u8 {
    let mut last = 0;
    while from != end {
        // SAFETY: the caller's promise. Volatile, or it becomes a call of `memcpy`, which may have to be linked.
        unsafe {
            let byte = from.read();
            from = from.add(1);
            // A zero that ends no frame is of a gap.
            if byte | last != 0 {
                to.write_volatile(byte);
                to = to.add(1);
            }
            last = byte;
        }
    }
    to
}

impl<P: Port> Recorder<P> {
    /// Closes all gaps in the table of core `index` at once, ahead of sending it.
    ///
    /// Context: the critical section and the lock.
    pub(crate) fn close_all_gaps(&self, index: u32) {
        let of = self.port.core(index);
        let buf = self.port.metadata_buf(index);
        let end = buf.wrapping_add(of.own_metadata_used().into());
        // SAFETY: entries stand from `buf` to `end`.
        let end = unsafe { copy_entries(buf, end, buf) };
        let used = (end as usize).wrapping_sub(buf as usize) as u16;
        of.shrink_metadata(used);
        of.set_metadata_gap(used);
        let changes = self.metadata_changes.load(Ordering::Relaxed).wrapping_add(1);
        self.metadata_changes.store(changes, Ordering::Relaxed);
    }

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
                search.changes = Search::START;
                // SAFETY: the buffer of that core; the caller vouches for the event.
                while !ptr::eq(of, core) && unsafe { search.step_elsewhere(self, of, buf) } {}
            }
            let buf = self.port.metadata_buf(self.index_of(core));
            search.changes = Search::START;
            // SAFETY: the buffer of this core; the caller vouches for the event.
            unsafe {
                while search.step(self, core, buf) {}
                search.store(self, core, buf, size);
            }
        });
    }

    /// Counts an event of `len` bytes that found the table of core `of` full.
    #[inline(always)]
    fn drop_metadata(&self, of: &CoreState, len: u16) {
        let missing = self.metadata_missing.load(Ordering::Relaxed).saturating_add(len);
        self.metadata_missing.store(missing, Ordering::Relaxed);
        let most = missing.max(self.metadata_most_missing.load(Ordering::Relaxed));
        self.metadata_most_missing.store(most, Ordering::Relaxed);
        of.count_metadata_dropped();
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
