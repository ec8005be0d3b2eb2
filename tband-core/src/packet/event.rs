//! The hot path: one event into the open packet of its core.

use core::sync::atomic::Ordering;

use super::change::Begun;
use crate::metadata::Metadata;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{Cursor, HEAD_LEN, Tail, U32_LEN};
use crate::state::CoreState;

const U32_U32_LEN: usize = U32_LEN + 5;
const U32_S64_LEN: usize = U32_LEN + 10;

/// An event that comes so many ticks after the one before is looked at more closely: see
/// `Recorder::next_packet`. Those before it do not come to a turn of the time's lower half in one packet, the
/// longest of which has some 800 of them.
const LONG: u32 = 1 << 22;

/// Flag of an id: the last number is a count of kernel ticks: signed, so that for ever takes one byte.
pub const LAST_IS_TICKS: u32 = 0x100;
/// Flag of an id: the last number may be missing, and is not: signed.
pub const LAST_IS_OPTIONAL: u32 = 0x200;
/// Flag of an id: after the numbers one is missing.
pub const LAST_IS_MISSING: u32 = 0x400;

impl CoreState {
    /// Begins an event of at most `len` bytes, at least [`U32_LEN`], in the open packet: id and time are written.
    /// `None` if it takes another packet, or recording is off.
    ///
    /// # Safety
    /// Inside the critical section of this core.
    #[inline(always)]
    unsafe fn begin(&self, id: u32, now: u32, len: usize) -> Option<Begun<'_>> {
        debug_assert!(id < 0x100 && len >= U32_LEN);
        let limit = self.limit.load(Ordering::Relaxed);
        // SAFETY: since the first start of a recording the limit is in front of a tail, which stays where it is.
        let tail = unsafe { &*Tail::of_limit(limit) };
        let at = tail.at.load(Ordering::Relaxed);
        let last = (at as usize).wrapping_add(len - U32_LEN);
        if last >= limit as usize {
            return None;
        }
        let elapsed = now.wrapping_sub(tail.last_time.load(Ordering::Relaxed));
        // SAFETY: there is room for `len` bytes, so for those after the time that are written over later.
        unsafe {
            // Id, time, and in the lowest bits of the time how long it is: with one store. A sum here and an `or` there,
            // or the compiler works them out before the branch, which takes a register more, and two instructions.
            let behind = if elapsed < 1 << 6 {
                at.cast::<u32>().write_unaligned(id | now << 10);
                2
            } else if elapsed < 1 << 14 {
                at.cast::<u32>().write_unaligned((now << 10).wrapping_add(id).wrapping_add(0x100));
                3
            } else if elapsed < LONG {
                at.write(id as u8);
                at.wrapping_add(1).cast::<u32>().write_unaligned(now << 2 | 2);
                5
            } else {
                return None;
            };
            tail.last_time.store(now, Ordering::Relaxed);
            Some(Begun { rest: Cursor(at.wrapping_add(behind)), tail })
        }
    }
}

impl<P: Port> Recorder<P> {
    /// Records an event with one number in the open packet of `core`. `now` is the lower half of the time in ticks.
    ///
    /// Context: the critical section of `core`, any task or interrupt. Some 20 instructions; with a change of packets
    /// some 100 more.
    ///
    /// # Safety
    /// Recording was started with packets.
    #[inline(always)]
    pub unsafe fn packet_u32(&self, id: u32, core: &CoreState, now: u32, first: u32) {
        // SAFETY: the caller's promise; the numbers fit in what was asked for.
        unsafe {
            let Some(mut event) = core.begin(id, now, U32_LEN) else {
                return self.packet_u32_in_next(id, core, now, first);
            };
            event.rest.number(first);
            event.end();
        }
    }

    #[cold]
    #[inline(never)]
    unsafe fn packet_u32_in_next(&self, id: u32, core: &CoreState, now: u32, first: u32) {
        // SAFETY: as `packet_u32`.
        unsafe {
            let Some(mut event) = self.begin_in_next_packet(id, core, now) else { return };
            event.rest.number(first);
            event.end();
        }
    }

    /// As [`packet_u32`](Self::packet_u32), with two numbers.
    ///
    /// # Safety
    /// As `packet_u32`.
    #[inline(always)]
    pub unsafe fn packet_u32_u32(
        &self,
        id: u32,
        core: &CoreState,
        now: u32,
        first: u32,
        second: u32,
    ) {
        // SAFETY: as `packet_u32`.
        unsafe {
            let Some(mut event) = core.begin(id, now, U32_U32_LEN) else {
                return self.packet_u32_u32_in_next(id, core, now, first, second);
            };
            event.rest.number(first);
            event.rest.number(second);
            event.end();
        }
    }

    #[cold]
    #[inline(never)]
    unsafe fn packet_u32_u32_in_next(
        &self,
        id: u32,
        core: &CoreState,
        now: u32,
        first: u32,
        second: u32,
    ) {
        // SAFETY: as `packet_u32`.
        unsafe {
            let Some(mut event) = self.begin_in_next_packet(id, core, now) else { return };
            event.rest.number(first);
            event.rest.number(second);
            event.end();
        }
    }

    /// As [`packet_u32`](Self::packet_u32), with a number and a signed one.
    ///
    /// # Safety
    /// As `packet_u32`.
    #[inline(always)]
    pub unsafe fn packet_u32_s64(
        &self,
        id: u32,
        core: &CoreState,
        now: u32,
        first: u32,
        value: i64,
    ) {
        // SAFETY: as `packet_u32`.
        unsafe {
            let Some(mut event) = core.begin(id, now, U32_S64_LEN) else {
                return self.packet_u32_s64_in_next(id, core, now, first, value);
            };
            event.rest.number(first);
            event.rest.signed(value as u32, (value >> 32) as i32);
            event.end();
        }
    }

    #[cold]
    #[inline(never)]
    unsafe fn packet_u32_s64_in_next(
        &self,
        id: u32,
        core: &CoreState,
        now: u32,
        first: u32,
        value: i64,
    ) {
        // SAFETY: as `packet_u32`.
        unsafe {
            let Some(mut event) = self.begin_in_next_packet(id, core, now) else { return };
            event.rest.number(first);
            event.rest.signed(value as u32, (value >> 32) as i32);
            event.end();
        }
    }

    /// As [`packet_u32`](Self::packet_u32), with a number and a text, which may be null.
    ///
    /// # Safety
    /// As `packet_u32`; the text is readable to its NUL or for the longest string that is recorded.
    #[inline(always)]
    pub unsafe fn packet_u32_str(
        &self,
        id: u32,
        core: &CoreState,
        now: u32,
        first: u32,
        text: *const u8,
    ) {
        let max = self.port.max_str_len();
        // SAFETY: as `packet_u32`.
        unsafe {
            let len = (U32_LEN + 1).wrapping_add(max as usize);
            let Some(mut event) = self.begin_packet_event(id, core, now, len) else { return };
            event.rest.number(first);
            event.rest.text(text, max);
            event.end();
        }
    }

    /// As [`packet_u32`](Self::packet_u32), with `count` numbers, at most five. `id` may have one of the flags 0x100:
    /// the last number is a count of kernel ticks; 0x200: it is one that may be missing; 0x400: it is missing.
    ///
    /// # Safety
    /// As `packet_u32`; the numbers are there.
    #[inline(never)]
    pub unsafe fn packet_numbers(
        &self,
        id: u32,
        core: &CoreState,
        now: u32,
        numbers: *const u32,
        count: u32,
    ) {
        // SAFETY: as `packet_u32`.
        unsafe {
            let len = HEAD_LEN + 5 * crate::emit::MAX_NUMBERS as usize;
            let begun = self.begin_packet_event(id & 0xFF, core, now, len);
            let Some(mut event) = begun else { return };
            let (mut at, mut left) = (numbers, count);
            while left != 0 {
                let number = at.read();
                at = at.wrapping_add(1);
                left -= 1;
                if left == 0 && id & (LAST_IS_TICKS | LAST_IS_OPTIONAL) != 0 {
                    let is_negative = id & LAST_IS_TICKS != 0 && number >> 31 != 0;
                    event.rest.signed(number, if is_negative { -1 } else { 0 });
                } else {
                    event.rest.number(number);
                }
            }
            if id & LAST_IS_MISSING != 0 {
                event.rest.byte(0x7F);
            }
            event.end();
        }
    }

    /// Records a metadata event, which is kept in the table of what exists besides.
    ///
    /// # Safety
    /// As `packet_u32`; the event's numbers are there, and its text is readable to its NUL or for the longest string
    /// that is recorded.
    #[inline(never)]
    pub unsafe fn packet_metadata(&self, core: &CoreState, now: u32, metadata: &Metadata<'_>) {
        let Some(setup) = self.port.packets() else { return };
        // Of the hooks only this one comes here while recording is off, also before the first start, where the core has
        // no packet to look at.
        if !self.is_recording() {
            return;
        }
        // SAFETY: as `packet_u32`.
        unsafe {
            let len = setup.max_event_len as usize;
            let Some(mut event) = self.begin_packet_event(metadata.id().into(), core, now, len)
            else {
                return;
            };
            let mut number = metadata.numbers;
            let mut left = metadata.count();
            while left != 0 {
                event.rest.number(number.read());
                number = number.add(1);
                left -= 1;
            }
            if metadata.has(Metadata::TEXT) {
                event.rest.text(metadata.text, metadata.head >> 16);
            }
            event.end();
        }
    }

    /// Begins an event, in another packet if it has to.
    ///
    /// # Safety
    /// As `packet_u32`. `len` is no more than that of the longest event.
    #[inline(always)]
    unsafe fn begin_packet_event<'a>(
        &'a self,
        id: u32,
        core: &'a CoreState,
        now: u32,
        len: usize,
    ) -> Option<Begun<'a>> {
        // SAFETY: the caller's promise.
        unsafe {
            match core.begin(id, now, len) {
                Some(event) => Some(event),
                None => self.begin_in_next_packet(id, core, now),
            }
        }
    }
}
