//! The metadata buffer of each core: a table of what exists.
//!
//! An entry is the complete frame of a metadata event, so that a dump of the buffer is a recording. An event replaces
//! the entry of the same id and object; the entries of a deleted object are removed. The search for them proceeds in
//! steps, between which interrupts are let in, and reads of another entry only where it ends and its id. A removed
//! entry is overwritten with zeros: a gap, which is a sequence of empty frames. Nothing is moved at that time, because
//! kernels create and delete objects in their own critical sections, where interrupts stay masked between steps. The
//! step that finds the replaced entry stores the event too: no reader finds the table without both.
//!
//! A new entry goes into the first gap that was made since the last store, if it is large enough, or after the last
//! entry. Only if it does not fit are the gaps closed, all at once. An entry that still does not fit is counted, and
//! the required buffer size is recorded.

use core::ptr;

use tband_format::Str;
use tband_format::registry::Event;

use crate::metadata::Metadata;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;

/// A step ends with the first entry that ends after these bytes.
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

/// Reads the number at `at`, and returns it with the address after it. `block` is the begin of the COBS block that
/// ends there or after it: a zero byte of the data is such an end, encoded as the code of the next block.
///
/// # Safety
/// A number is there.
#[inline(never)]
unsafe fn number(block: *const u8, mut at: *const u8) -> (u32, *const u8) {
    let (mut value, mut shift) = (0, 0_u32);
    // SAFETY: the caller's promise.
    if unsafe { block.add(block.read().into()) } == at {
        return (0, at.wrapping_add(1));
    }
    loop {
        // SAFETY: the caller's promise. Reading ends with the frame, whose last byte is 0.
        let byte = unsafe { at.read() };
        at = at.wrapping_add(1);
        // To the left by 0, 7, 14, 21, 28. As a rotation, because a shift by a variable would first have to be
        // limited.
        value |= u32::from(byte & 0x7F).rotate_right(shift);
        shift = shift.wrapping_sub(7);
        if byte < 0x80 {
            return (value, at);
        }
    }
}

/// An event's search through the tables: entries that it replaces or removes are removed in steps; then the event is
/// stored in one table.
///
/// `repr(C)`: built by C, as [`Metadata`] is.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Search<'a> {
    /// The event.
    pub event: Metadata<'a>,
    /// Position of the search in the table: the begin of an entry or of a gap.
    pub at: *mut u8,
    /// Count of changes at that time, which is odd; [`START`](Self::START) for a table that must be searched.
    pub changes: u32,
}

impl<'a> Search<'a> {
    /// Less than the count of changes ever is.
    pub const START: u32 = 0;

    /// Begins a search for the entry that `event` replaces, and for a place to store it. At most `max_str_len` bytes
    /// of its text are recorded.
    #[must_use]
    pub const fn new(event: Metadata<'a>, max_str_len: u32) -> Self {
        let event = event.with_text_of(max_str_len);
        Self { event, at: ptr::null_mut(), changes: Self::START }
    }

    /// Returns whether the entry at `frame` belongs to the event's object.
    ///
    /// # Safety
    /// A complete frame of a metadata event with a number is there; the event's numbers are there.
    #[inline(always)]
    unsafe fn is_of_object(&self, frame: *const u8) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let mut wanted = self.event.numbers;
            let (mut found, at) = number(frame, frame.add(2));
            if is_of_task(frame.add(1).read()) {
                // A first number that is zero has ended the first block.
                let block = if found == 0 { frame.add(2) } else { frame };
                // All markers of a task go with it.
                if !self.event.has(Metadata::FORGET) {
                    if found != wanted.read() {
                        return false;
                    }
                    wanted = wanted.add(1);
                }
                (found, _) = number(block, at);
            }
            found == wanted.read()
        }
    }

    /// Performs a step of the search through a table: entries to be removed are overwritten with zeros. Returns `true`
    /// if there is more to do. There is nothing to do for events that are [`NEW`](Metadata::NEW). An event whose
    /// search has found the entry that it replaces becomes `NEW`, and must be stored before the critical section is
    /// left. `changes` is how often an entry was stored or moved in any of the tables, from
    /// [`Recorder::metadata_changes`].
    ///
    /// Cost: a step processes 64 bytes and the rest of the entry in which they end. In instructions of a Cortex-M4:
    /// about 27 per entry, 30 more if it is of the same kind, 4.5 per byte of a gap.
    ///
    /// Context: the critical section, which may be left between two steps; with several cores the lock, too.
    ///
    /// # Safety
    /// `buf` is the metadata buffer of core `of`. The event's numbers are there.
    #[inline(always)]
    pub unsafe fn step(&mut self, changes: u32, of: &CoreState, buf: *mut u8) -> bool {
        if self.event.has(Metadata::NEW) {
            return false;
        }
        let changes = changes.wrapping_add(1);
        // Other code may have stored an entry anywhere in between: restart.
        if self.changes != changes {
            self.changes = changes;
            self.at = buf;
        }
        let mut at = self.at;
        let end = buf.wrapping_add(of.own_metadata_used().into());
        let stop = at.wrapping_add(STEP);
        let stop = if stop < end { stop } else { end };
        // SAFETY: entries and gaps are from `buf` to `end`, and `at` is where one begins, or inside a gap.
        unsafe {
            let removed = if self.event.has(Metadata::FORGET) {
                // The dropped metadata may have been that of this object.
                of.forget_metadata_missing();
                self.event.numbers.add(1).read()
            } else {
                1_u32.rotate_left(self.event.head)
            };
            loop {
                at = pass_over(at, stop, removed);
                if at >= stop {
                    break;
                }
                let entry = at;
                at = end_of_frame(entry);
                if self.is_of_object(entry) {
                    clear(entry, at);
                    of.metadata_gap_at((entry as usize).wrapping_sub(buf as usize));
                    // There is only one such entry. From here on, until the event is stored, no reader may see the
                    // table.
                    if !self.event.has(Metadata::FORGET) {
                        self.event.head = self.event.head & !Metadata::UPDATE | Metadata::NEW;
                        return false;
                    }
                }
            }
        }
        self.at = at;
        at < end
    }

    /// Returns whether the entry that the event replaces may be in the tables of other cores. Each core has separate
    /// names of interrupts.
    #[must_use]
    pub const fn is_of_other_cores(&self) -> bool {
        self.event.id() != ISR_NAME_ID
    }

    /// Performs a [`step`](Self::step) with one core, and after the last one [`store`](Self::store).
    ///
    /// # Safety
    /// As `step` and `store`.
    #[inline(never)]
    pub unsafe fn keep(&mut self, of: &CoreState, buf: *mut u8, size: u32) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let more = self.step(of.metadata_changes(), of, buf);
            if !more {
                self.store(of, buf, size);
            }
            more
        }
    }

    /// Completes the search: stores the event in a table, unless it is a request to forget, or an update without an
    /// entry to replace. It goes into the first gap that was made since the last store, if that is large enough, or
    /// after the last entry. If it does not fit, all gaps are closed. An entry that still does not fit is counted.
    ///
    /// Cost: that of writing the event, twice if the gap is too small; to close the gaps, about 12 instructions of a
    /// Cortex-M4 per byte of the whole table.
    ///
    /// Context: as for [`step`](Self::step); all steps are done.
    ///
    /// # Safety
    /// `buf` is the metadata buffer of core `of` and has `size` bytes. The event's numbers are there, and its
    /// text is readable to its NUL or for the longest string that is recorded.
    #[inline(always)]
    pub unsafe fn store(&self, of: &CoreState, buf: *mut u8, size: u32) {
        let event = &self.event;
        // Nothing to store, or an update without an entry to replace.
        if event.has(Metadata::FORGET | Metadata::UPDATE) {
            return;
        }
        of.count_metadata_change();
        let offset = |at: *mut u8| (at as usize).wrapping_sub(buf as usize) as u16;
        let limit = buf.wrapping_add(size as usize);
        let mut end = buf.wrapping_add(of.own_metadata_used().into());
        let mut at = buf.wrapping_add(of.metadata_gap().into());
        // SAFETY: entries and gaps are from `buf` to `end`, and `at` is where a gap begins, or `end`; the buffer ends
        // at the limit; the caller vouches for the event.
        unsafe {
            loop {
                let gap_end = pass_over(at, end, ANY);
                let room_end = if gap_end == end { limit } else { gap_end };
                let written = event.write(at, room_end);
                if written <= room_end {
                    if gap_end == end {
                        of.set_metadata_used(offset(written));
                    }
                    of.set_metadata_gap(offset(if written == gap_end { end } else { written }));
                    return;
                }
                clear(at, gap_end);
                if gap_end == end {
                    if !of.has_metadata_gaps() {
                        of.drop_metadata((written as usize).wrapping_sub(at as usize) as u16);
                        return;
                    }
                    end = copy_entries(buf, end, buf, end);
                    of.close_metadata_gaps(offset(end));
                }
                at = end;
            }
        }
    }
}

/// Overwrites the bytes from `start` to `end` with zeros: a gap.
///
/// # Safety
/// They may be written to.
#[inline(always)]
pub(crate) unsafe fn clear(mut start: *mut u8, end: *mut u8) {
    while start != end {
        // SAFETY: the caller's promise. Volatile, or it becomes a call of `memset`, which may have to be linked.
        unsafe {
            start.write_volatile(0);
            start = start.add(1);
        }
    }
}

/// Bits of all ids.
const ANY: u32 = u32::MAX;

/// Returns the first entry from `at` on, or `end`.
///
/// # Safety
/// Entries and gaps are from `at` to `end`.
pub(crate) unsafe fn pass_over_gap(at: *mut u8, end: *mut u8) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { pass_over(at, end, ANY) }
}

/// Returns the first entry from `at` on with bit `id % 32` in `ids`, or `end` or an address after it.
///
/// # Safety
/// Entries and gaps are from `at` to `end`, or to the end of the entry that contains `end`.
#[inline(never)]
unsafe fn pass_over(mut at: *mut u8, end: *mut u8, ids: u32) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe {
        while at < end {
            // Zeros where an entry should begin are a gap; they are passed over by words.
            if at.read() == 0 {
                let next = at.wrapping_add(4);
                let is_word = (at as usize).is_multiple_of(4) && next <= end;
                at = if is_word && at.cast::<u32>().read() == 0 { next } else { at.add(1) };
            } else if ids.rotate_right(at.add(1).read().into()) & 1 != 0 {
                break;
            } else {
                at = end_of_frame(at);
            }
        }
    }
    at
}

/// Returns the address after the closing zero of the frame at `frame`.
///
/// # Safety
/// A complete frame is there, or a zero byte.
#[inline(always)]
pub(crate) unsafe fn end_of_frame(frame: *mut u8) -> *mut u8 {
    let mut end = frame;
    // SAFETY: each code byte gives the position of the next one, and the last that of the zero byte.
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

/// Copies the entries that are from `from` to `end`, without the gaps, to `to`, as far as there is room before
/// `limit`, and returns where they end there or would end: about twelve instructions a byte.
///
/// # Safety
/// Entries and gaps are there. `to` to `limit` may be written to, and is not after `from` in the same buffer.
#[inline(never)]
pub(crate) unsafe fn copy_entries(
    mut from: *mut u8,
    end: *mut u8,
    mut to: *mut u8,
    limit: *mut u8,
) -> *mut u8 {
    let mut last = 0;
    while from != end {
        // SAFETY: the caller's promise. Volatile, or it becomes a call of `memcpy`, which may have to be linked.
        unsafe {
            let byte = from.read();
            from = from.add(1);
            // A zero that ends no frame is of a gap.
            if byte | last != 0 {
                if to < limit {
                    to.write_volatile(byte);
                }
                to = to.wrapping_add(1);
            }
            last = byte;
        }
    }
    to
}

impl<P: Port> Recorder<P> {
    /// Returns twice the number of stores and moves in all metadata buffers, modulo 2^32.
    #[must_use]
    pub fn metadata_changes(&self) -> u32 {
        self.cores().fold(0, |sum, (_, core)| sum.wrapping_add(core.metadata_changes()))
    }

    /// Closes all gaps in the table of core `index` at once, before sending it.
    ///
    /// Context: the critical section and the lock.
    pub(crate) fn close_all_gaps(&self, index: u32) {
        let of = self.port.core(index);
        let buf = self.port.metadata_buf(index);
        let end = buf.wrapping_add(of.own_metadata_used().into());
        // SAFETY: entries are from `buf` to `end`.
        let end = unsafe { copy_entries(buf, end, buf, end) };
        of.close_metadata_gaps((end as usize).wrapping_sub(buf as usize) as u16);
        of.count_metadata_change();
    }

    /// First part of [`emit_metadata`](Self::emit_metadata): removes the entry that the event replaces from the tables
    /// of all cores, and appends the event to the table of `core`.
    ///
    /// # Safety
    /// As `emit_metadata`.
    pub unsafe fn store_metadata(&self, core: &CoreState, event: &Metadata<'_>) {
        let size = self.port.metadata_buf_size();
        if size == 0 {
            return;
        }
        let mut search = Search::new(*event, self.port.max_str_len());
        // Another core may be at work on its table, or be sending it.
        self.locked(|| {
            for (index, of) in self.cores() {
                if search.is_of_other_cores() || ptr::eq(of, core) {
                    search.changes = Search::START;
                    let buf = self.port.metadata_buf(index);
                    // SAFETY: the buffer of that core; the caller vouches for the event.
                    while unsafe { search.step(self.metadata_changes(), of, buf) } {}
                }
            }
            let buf = self.port.metadata_buf(self.index_of(core));
            // SAFETY: the buffer of this core; the caller vouches for the event.
            unsafe { search.store(core, buf, size) }
        });
    }

    /// Returns the metadata buffer of core `index` and the number of bytes in it; null and 0 if there is none.
    ///
    /// The contents change whenever an object is created, named or deleted.
    pub fn metadata(&self, index: u32) -> (*const u8, usize) {
        if index >= self.port.core_count() || self.port.metadata_buf_size() == 0 {
            return (ptr::null(), 0);
        }
        let used = self.port.core(index).metadata_used();
        (self.port.metadata_buf(index), used as usize)
    }

    /// Returns the number of metadata events of core `index` that did not fit into its buffer; saturates at 65535.
    pub fn metadata_dropped(&self, index: u32) -> u32 {
        if index < self.port.core_count() { self.port.core(index).metadata_dropped() } else { 0 }
    }
}
