//! Writes one event into the open packet of its core, like the shim (`port/recorder/tband_packet_event.h`): for models and tests,
//! one of which compares the two. Firmware does not contain it.

use crate::atomics::Ordering;

use crate::port::Port;
use crate::recorder::Recorder;
use crate::ring::{Cursor, HEAD_LEN, Tail, U32_LEN};
use crate::state::CoreState;

/// An event that comes this many ticks or more after the previous one takes the slow path: see `Recorder::open_next_packet`. The
/// events before it cannot add up to a wrap of the time's lower half in one packet, because the largest packet has about 800
/// events.
pub const LONG: u32 = 1 << 22;

/// An event that is being written into a packet.
struct OpenEvent<'a> {
    /// Where its fields go.
    rest: Cursor,
    /// The packet's tail.
    tail: &'a Tail,
}

impl CoreState {
    /// Begins an event of at most `len` bytes, at least [`U32_LEN`], in the open packet: writes id and time. Returns `None` if the
    /// event needs another packet, if its time needs the slow path, or if recording is off.
    ///
    /// # Safety
    /// Inside the critical section of this core.
    unsafe fn begin(&self, id: u32, now: u32, len: usize) -> Option<OpenEvent<'_>> {
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
            let head_len = if elapsed < 1 << 6 {
                at.cast::<u32>().write_unaligned((id | now << 10).to_le());
                2
            } else if elapsed < 1 << 14 {
                at.cast::<u32>()
                    .write_unaligned((now << 10).wrapping_add(id).wrapping_add(0x100).to_le());
                3
            } else if elapsed < LONG {
                at.write(id as u8);
                at.wrapping_add(1).cast::<u32>().write_unaligned((now << 2 | 2).to_le());
                HEAD_LEN
            } else {
                return None;
            };
            tail.last_time.store(now, Ordering::Relaxed);
            Some(OpenEvent { rest: Cursor(at.wrapping_add(head_len)), tail })
        }
    }
}

impl<P: Port> Recorder<P> {
    /// Records an event of at most `len` bytes in the open packet of `core`, or in another one: `fields` writes them.
    ///
    /// # Safety
    /// The conditions of [`packet_u32`](Self::packet_u32).
    unsafe fn packet_event(
        &self,
        id: u32,
        core: &CoreState,
        now: u32,
        len: usize,
        fields: impl Fn(&mut Cursor),
    ) {
        loop {
            // SAFETY: the caller's promise.
            if let Some(mut event) = unsafe { core.begin(id, now, len) } {
                fields(&mut event.rest);
                event.tail.commit(event.rest.0);
                return;
            }
            // The full time of the timer when its lower half was `now`, shortly before.
            let time = self.port.timestamp();
            let begin = time.wrapping_sub((time as u32).wrapping_sub(now).into());
            let Some(setup) = self.port.packets() else { return };
            if self.open_next_packet(core, setup, begin).is_null() {
                return;
            }
        }
    }

    /// Records an event with one number in the open packet of `core`. `now` is the lower half of the time in ticks.
    ///
    /// Context: the critical section of `core`.
    ///
    /// # Safety
    /// Recording was started with packets.
    pub unsafe fn packet_u32(&self, id: u32, core: &CoreState, now: u32, first: u32) {
        // SAFETY: the caller's promise; the number fits in the requested `U32_LEN` bytes.
        unsafe { self.packet_event(id, core, now, U32_LEN, |rest| rest.number(first)) }
    }

    /// Like [`packet_u32`](Self::packet_u32), with a number and a text, which may be null.
    ///
    /// # Safety
    /// As `packet_u32`; the text is readable to its NUL or for the longest string that is recorded.
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
            self.packet_event(id, core, now, U32_LEN + 1 + max as usize, |rest| {
                rest.number(first);
                rest.text(text, max);
            });
        }
    }
}
