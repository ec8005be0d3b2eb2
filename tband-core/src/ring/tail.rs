//! The last bytes of a slot: how far its open packet has come. They are not sent.
//!
//! They are with the packet, and not with the core's state, so that the memory of the packets says by itself what was
//! recorded, at each instruction: after a reset nothing else is left.

use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering, compiler_fence};

use tband_format::packet::BEGIN_AT;

use super::cursor::U32_LEN;

/// How far the open packet of a slot has come.
#[derive(Debug)]
#[repr(C)]
pub struct Tail {
    /// Where the next event goes. Null: the packet's begin is not whole. After this store, and not before, an event is
    /// recorded.
    pub at: AtomicPtr<u8>,
    /// Lower half of the time of the last event, in ticks.
    pub last_time: AtomicU32,
}

/// `CoreState::limit` is that many bytes in front of a tail: a multiple of 4, which all loads can have as an offset, and
/// no event with one number fits from there on.
pub const TO_TAIL: usize = (U32_LEN - 1).next_multiple_of(4);

/// `at` where no packet is open: no event fits, however long.
const NO_PLACE: usize = usize::MAX - 0xFFFF;

/// In place of a [`Tail`] where no packet is open, or none that may go on; it is only read.
#[repr(C, align(8))]
struct NoTail {
    /// So that `last_time` is at a multiple of 8.
    fill: [u8; 8 - size_of::<usize>()],
    at: usize,
    last_time: u32,
}

impl NoTail {
    const NEW: Self = Self { fill: [0; _], at: NO_PLACE, last_time: NEVER.to_le() };

    const fn tail(&'static self) -> *mut Tail {
        (&raw const self.at).cast_mut().cast()
    }
}

/// In place of the tail; and [of the slot](Tail::no_slot), where no packet is open: `last_time` is the upper half of its begin,
/// which is later than any time: 2^63 ticks are 29 years at 10 GHz. A time before zero is a larger number still.
static NO_PACKET: NoTail = NoTail::NEW;
/// As [`NO_PACKET`]: of an open packet nobody knows how many turns of the time's lower half it has lasted.
static NO_KNOWN_PACKET: NoTail = NoTail::NEW;

/// Upper half of a time that is later than any other, also as a signed number.
const NEVER: u32 = i32::MAX as u32;

impl Tail {
    /// Bytes of a tail.
    pub(crate) const LEN: usize = size_of::<Self>();

    /// Of the slot that ends at `end`.
    #[inline(always)]
    pub(crate) fn in_front_of(end: *mut u8) -> *mut Self {
        end.wrapping_sub(Self::LEN).cast()
    }

    /// The one that `CoreState::limit` stands for.
    #[inline(always)]
    pub(crate) fn of_limit(limit: *mut u8) -> *mut Self {
        limit.wrapping_add(TO_TAIL).cast()
    }

    /// What `tail` is in `CoreState::limit`.
    #[inline(always)]
    pub(crate) fn limit(tail: *mut Self) -> *mut u8 {
        tail.cast::<u8>().wrapping_sub(TO_TAIL)
    }

    /// Whether `at`, of a tail, is a place in an open packet.
    #[inline(always)]
    pub(crate) fn is_place(at: *mut u8) -> bool {
        (at as usize) < NO_PLACE
    }

    /// `CoreState::limit` where no event fits.
    #[inline(always)]
    pub(crate) fn none() -> *mut u8 {
        Self::limit(NO_PACKET.tail())
    }

    /// `CoreState::at` where no packet is open: what begins there is later than any time, so that whoever looks how old the
    /// packet is takes the rare way by that.
    #[inline(always)]
    pub(crate) fn no_slot() -> *mut u8 {
        let upper_half = (&raw const NO_PACKET.last_time).cast_mut().cast::<u8>();
        upper_half.wrapping_sub(BEGIN_AT + size_of::<u32>())
    }

    /// Whether `slot` is [that of none](Self::no_slot), which is no multiple of 8, as all others are.
    #[inline(always)]
    pub(crate) fn is_no_slot(slot: *mut u8) -> bool {
        slot as usize & size_of::<u32>() != 0
    }

    /// As [`none`](Self::none), where the packet that is open is older than a turn of the time's lower half.
    #[inline(always)]
    pub(crate) fn none_known() -> *mut u8 {
        Self::limit(NO_KNOWN_PACKET.tail())
    }

    /// A packet is to be opened, at a time of this lower half: whoever looks at the memory after a reset sees none until its
    /// begin is whole.
    ///
    /// # Safety
    /// The slot is the caller's.
    #[inline(always)]
    pub(crate) unsafe fn begin(&self, now: u32) {
        compiler_fence(Ordering::Release);
        // SAFETY: nobody else is at the slot. Not atomic, so that a core that stores two words at a time does.
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
