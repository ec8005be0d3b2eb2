//! The last bytes of a slot: the fill level of its open packet. They are not sent.
//!
//! They are stored with the packet, not with the core's state, so that the memory of the packets alone describes the recording
//! at each instruction: after a reset nothing else is left.

use crate::atomics::{AtomicPtr, AtomicU32, Ordering, compiler_fence};

use tband_format::packet::BEGIN_AT;

use super::cursor::U32_LEN;

/// Fill level of the open packet of a slot.
#[derive(Debug)]
#[repr(C)]
pub struct Tail {
    /// Address of the next event. Null: the packet's begin is incomplete. This store, and nothing before it, records an event.
    pub at: AtomicPtr<u8>,
    /// Lower half of the time of the last event, in ticks.
    pub last_time: AtomicU32,
}

/// `CoreState::limit` is that many bytes in front of a tail: a multiple of 4, which all loads can have as an offset, and
/// no event with one number fits from there on.
pub const TO_TAIL: usize = (U32_LEN - 1).next_multiple_of(4);

/// `at` where no packet is open: no event fits, however long.
const NO_PLACE: usize = usize::MAX - 0xFFFF;

/// Placeholder for a [`Tail`] if no packet is open, or if the open one must not continue; it is only read.
#[repr(C, align(8))]
struct NoTail {
    /// So that `last_time` is at a multiple of 8.
    fill: [u8; 8 - size_of::<usize>()],
    at: usize,
    last_time: u32,
}

impl NoTail {
    const NEW: Self =
        Self { fill: [0; 8 - size_of::<usize>()], at: NO_PLACE, last_time: NEVER.to_le() };

    const fn tail(&'static self) -> *mut Tail {
        (&raw const self.at).cast_mut().cast()
    }
}

/// Replaces the tail, and [the slot](Tail::no_slot), if no packet is open. `last_time` is the upper half of its begin, which is
/// later than any time: 2^63 ticks are 29 years at 10 GHz. A time before zero is a larger number still.
static NO_PACKET: NoTail = NoTail::NEW;
/// Like [`NO_PACKET`], for an open packet that has lasted for an unknown number of wraps of the time's lower half.
static NO_KNOWN_PACKET: NoTail = NoTail::NEW;

/// Upper half of a time that is later than any other, also as a signed number.
const NEVER: u32 = i32::MAX as u32;

impl Tail {
    /// Bytes of a tail.
    pub(crate) const LEN: usize = size_of::<Self>();

    /// Returns the tail of the slot that ends at `end`.
    #[inline(always)]
    pub(crate) fn in_front_of(end: *mut u8) -> *mut Self {
        end.wrapping_sub(Self::LEN).cast()
    }

    /// Returns the tail for a value of `CoreState::limit`.
    #[inline(always)]
    pub(crate) fn of_limit(limit: *mut u8) -> *mut Self {
        limit.wrapping_add(TO_TAIL).cast()
    }

    /// Returns the value of `CoreState::limit` for `tail`.
    #[inline(always)]
    pub(crate) fn limit(tail: *mut Self) -> *mut u8 {
        tail.cast::<u8>().wrapping_sub(TO_TAIL)
    }

    /// Returns whether `at`, of a tail, is an address in an open packet.
    #[inline(always)]
    pub(crate) fn is_place(at: *mut u8) -> bool {
        (at as usize) < NO_PLACE
    }

    /// Returns the value of `CoreState::limit` at which no event fits.
    #[inline(always)]
    pub(crate) fn none() -> *mut u8 {
        Self::limit(NO_PACKET.tail())
    }

    /// Returns the value of `CoreState::at` if no packet is open. The begin that is read there is later than any time, so a
    /// comparison of the packet's age leads to the slow path.
    #[inline(always)]
    pub(crate) fn no_slot() -> *mut u8 {
        let upper_half = (&raw const NO_PACKET.last_time).cast_mut().cast::<u8>();
        upper_half.wrapping_sub(BEGIN_AT + size_of::<u32>())
    }

    /// Returns whether `slot` is [the placeholder](Self::no_slot). Its address is not a multiple of 8, as those of all others
    /// are.
    #[inline(always)]
    pub(crate) fn is_no_slot(slot: *mut u8) -> bool {
        slot as usize & size_of::<u32>() != 0
    }

    /// Like [`none`](Self::none), if the open packet is older than a wrap of the time's lower half.
    #[inline(always)]
    pub(crate) fn none_known() -> *mut u8 {
        Self::limit(NO_KNOWN_PACKET.tail())
    }

    /// Prepares a packet at a time with this lower half: a reader of the memory after a reset finds no packet until its begin
    /// is complete.
    ///
    /// # Safety
    /// The slot is the caller's.
    #[inline(always)]
    pub(crate) unsafe fn begin(&self, now: u32) {
        compiler_fence(Ordering::Release);
        // SAFETY: no other code uses the slot. Not atomic, so that a core with a store of two words can use it.
        unsafe {
            self.at.as_ptr().write(core::ptr::null_mut());
            self.last_time.as_ptr().write(now);
        }
        compiler_fence(Ordering::Release);
    }

    /// Ends an event, or what a packet begins with, at `at`.
    #[inline(always)]
    pub(crate) fn commit(&self, at: *mut u8) {
        compiler_fence(Ordering::Release);
        self.at.store(at, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ring::Slot;

    #[test]
    fn what_begins_where_no_packet_is_open_is_later_than_any_time() {
        let slot = Tail::no_slot();
        assert!(Tail::is_no_slot(slot));
        // SAFETY: its begin can be read.
        let begin = unsafe { Slot(slot).begin() };
        assert_eq!((begin >> 32) as u32, NEVER);
    }
}
