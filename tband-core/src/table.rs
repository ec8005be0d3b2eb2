//! The metadata buffer of each core: a table of what exists.
//!
//! An entry is the whole frame of a metadata event, so that whoever dumps the buffer has a recording. An event
//! replaces the entry of the same id and object; the entries of an object that is deleted are removed. The
//! search for them goes on in steps, between which interrupts are let in, and looks at no more of another entry
//! than where it ends and its id. What is removed becomes zeros: a gap, of frames of no bytes. Nothing is moved
//! then, since kernels create and delete in critical sections of their own, in which nobody is let in between steps.
//! The step that finds what an event replaces stores the event too: nobody finds the table without both.
//!
//! A new entry goes into the foremost gap that was made since something was stored last, if it is large enough, or
//! after the last entry. Only if there is no room are the gaps closed, all at once. What does not fit then is
//! counted, and how large the buffer should have been.

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

/// The number that is at `at`, and what is after it. `block` is where the COBS block begins that ends there or
/// after it: a zero is such an end, and has the code of the next block in its place.
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
        // To the left by 0, 7, 14, 21, 28: a shift by a variable has to be limited first.
        value |= u32::from(byte & 0x7F).rotate_right(shift);
        shift = shift.wrapping_sub(7);
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
    /// What the count of changes was then, which is odd; [`START`](Self::START) for a table that is to be searched.
    pub changes: u32,
}

impl<'a> Search<'a> {
    /// Less than the count of changes ever is.
    pub const START: u32 = 0;

    /// For what `event` replaces, and a place for it. No more than `max_str_len` bytes of its text are recorded.
    #[must_use]
    pub const fn new(event: Metadata<'a>, max_str_len: u32) -> Self {
        let event = event.with_text_of(max_str_len);
        Self { event, at: ptr::null_mut(), changes: Self::START }
    }

    /// The entry at `frame` is of the event's object.
    ///
    /// # Safety
    /// A whole frame of a metadata event with a number is there; the event's numbers are there.
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

    /// A step of the search through a table: what is to be removed becomes zeros. `true` if there is more to do. There
    /// is nothing to do for events that are [`NEW`](Metadata::NEW). One that has found what it replaces becomes that,
    /// and is to be stored before the critical section is left. `changes` is how often something was put into one of
    /// the tables, or moved there, as [`Recorder::metadata_changes`] has it.
    ///
    /// Cost: a step goes through 64 bytes and the rest of the entry in which they end. Of a Cortex-M4's instructions,
    /// about 27 an entry, 30 more if it is of the same kind, 4.5 a byte of a gap.
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
        // Whoever came in between may have put something anywhere: again from the start.
        if self.changes != changes {
            self.changes = changes;
            self.at = buf;
        }
        let mut at = self.at;
        let end = buf.wrapping_add(of.own_metadata_used().into());
        let stop = at.wrapping_add(STEP);
        let stop = if stop < end { stop } else { end };
        // SAFETY: entries and gaps are from `buf` to `end`, and `at` is where one begins, or a gap goes on.
        unsafe {
            let removed = if self.event.has(Metadata::FORGET) {
                // What was dropped before may have been of this object.
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
                    // There is no other. Nobody finds none from here on until the event is stored.
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

    /// What the event replaces may be in the tables of other cores. The names of interrupts belong to a core each.
    #[must_use]
    pub const fn is_of_other_cores(&self) -> bool {
        self.event.id() != ISR_NAME_ID
    }

    /// A [`step`](Self::step) of the only core's, and after the last one [`store`](Self::store).
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

    /// What follows the search: puts the event into a table, unless it is an order to forget or an update of what is
    /// not there: into the foremost gap that was made since something was stored last, if it is large enough, or
    /// after the last entry. If there is no room all gaps are closed. What does not fit then is counted.
    ///
    /// Cost: that of writing the event, twice if the gap is too small; where the gaps are closed, of a Cortex-M4's
    /// instructions, about 12 a byte of the whole table.
    ///
    /// Context: as [`step`](Self::step), of which none is left to do.
    ///
    /// # Safety
    /// `buf` is the metadata buffer of core `of` and has `size` bytes. The event's numbers are there, and its
    /// text is readable to its NUL or for the longest string that is recorded.
    #[inline(always)]
    pub unsafe fn store(&self, of: &CoreState, buf: *mut u8, size: u32) {
        let event = &self.event;
        // Nothing to store, or an update of what is not there.
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

/// Makes zeros of the bytes from `start` to `end`: a gap.
///
/// # Safety
/// They may be written to.
#[inline(always)]
pub unsafe fn clear(mut start: *mut u8, end: *mut u8) {
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

/// The first entry from `at` on, or `end`.
///
/// # Safety
/// Entries and gaps are from `at` to `end`.
pub unsafe fn pass_over_gap(at: *mut u8, end: *mut u8) -> *mut u8 {
    // SAFETY: the caller's promise.
    unsafe { pass_over(at, end, ANY) }
}

/// The first entry from `at` on with bit `id % 32` in `ids`, or `end` or after it.
///
/// # Safety
/// Entries and gaps are from `at` to `end`, or to where the entry ends that `end` lies in.
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

/// Where the frame at `frame` ends, after its closing zero.
///
/// # Safety
/// A whole frame is there, or a zero byte.
#[inline(always)]
pub unsafe fn end_of_frame(frame: *mut u8) -> *mut u8 {
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

/// Copies the entries that are from `from` to `end`, without the gaps, to `to`, as far as there is room before
/// `limit`, and returns where they end there or would end: about twelve instructions a byte.
///
/// # Safety
/// Entries and gaps are there. `to` to `limit` may be written to, and is not after `from` in the same buffer.
#[inline(never)]
pub unsafe fn copy_entries(
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
    /// How often something was put into any metadata buffer, or moved there: twice that, modulo 2^32.
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

    /// Metadata buffer of core `index` and the number of bytes in it; null and 0 if there is none.
    ///
    /// What is there changes whenever an object is created, named or deleted.
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
