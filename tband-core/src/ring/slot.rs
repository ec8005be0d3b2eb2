//! A packet in its slot of a ring: its header.

use crate::atomics::{Ordering, compiler_fence};

use tband_format::packet::{BEGIN_AT, HEADER_LEN, MAGIC, VERSION, of_hash, step};

use super::setup::PacketSetup;
use super::tail::Tail;

/// A packet in its slot of a ring, with access to the fields of its header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot(pub(crate) *mut u8);

impl Slot {
    /// # Safety
    /// The slot is one of a ring, and `at` is below the length of a header, and a multiple of 4.
    #[inline(always)]
    pub(crate) unsafe fn set(self, at: usize, word: u32) {
        // SAFETY: slots are aligned to words, and have a header.
        unsafe { self.0.wrapping_add(at).cast::<u32>().write(word.to_le()) }
    }

    /// # Safety
    /// As [`set`](Self::set).
    #[inline(always)]
    pub(crate) unsafe fn get(self, at: usize) -> u32 {
        // SAFETY: as `set`.
        u32::from_le(unsafe { self.0.wrapping_add(at).cast::<u32>().read() })
    }

    /// Marks the slot as one without a packet.
    ///
    /// # Safety
    /// The slot is one of a ring, and the caller's.
    pub(crate) unsafe fn clear(self) {
        // SAFETY: the caller's promise.
        unsafe {
            self.set(0, MAGIC);
            self.set(12, 0);
            self.set(8, 0);
        }
    }

    /// Returns the checksum over the words of a closed packet, with its own word as 0; `None` if its length is invalid. The last
    /// word is padded with zeros.
    ///
    /// # Safety
    /// The slot is one of a ring, of `size` bytes.
    pub(crate) unsafe fn check(self, size: u32) -> Option<u32> {
        // SAFETY: the caller's promise.
        unsafe {
            let len = self.content_len();
            if (len as usize) < HEADER_LEN || len > size {
                return None;
            }
            let end = len.wrapping_add(3) & !3;
            let (mut hash, mut at) = (0, 0);
            while at != end {
                let word = if at == 12 { 0 } else { self.get(at as usize) };
                hash = step(hash, word);
                at = at.wrapping_add(4);
            }
            Some(of_hash(hash))
        }
    }

    /// Returns whether the packet has changed since it got its checksum when the recording was frozen.
    ///
    /// # Safety
    /// The slot is one of a ring, of `size` bytes, and no code writes to it.
    pub(crate) unsafe fn has_changed(self, size: u32) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let check = self.get(12);
            check != 0 && self.check(size) != Some(check)
        }
    }

    /// Returns whether [`invalidate`](Self::invalidate) was called.
    ///
    /// # Safety
    /// The slot is one of a ring.
    unsafe fn is_condemned(self) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.content_len() as usize == HEADER_LEN && matches!(self.get(12), 1 | 2) }
    }

    /// Turns a slot that has changed into a packet of this number, without events, and with a wrong checksum: so its reader counts
    /// one damaged packet.
    ///
    /// # Safety
    /// The slot is one of a ring, and the caller's.
    pub(crate) unsafe fn invalidate(self, which: u32) {
        // SAFETY: the caller's promise.
        unsafe {
            self.set(0, MAGIC);
            self.set(4, which);
            let len = HEADER_LEN as u32;
            self.set(8, len << 3 | len << 19);
            self.set(12, 0);
            let right = self.check(len).unwrap_or(0);
            self.set(12, if right == 1 { 2 } else { 1 });
        }
    }

    /// Returns the sequence number of the packet, if it is a valid one of core `index`, complete or open, that was recorded here
    /// before a reset.
    ///
    /// # Safety
    /// The slot is one of a ring.
    pub(crate) unsafe fn sequence_after_reset(
        self,
        setup: &PacketSetup,
        index: u32,
    ) -> Option<u16> {
        // SAFETY: the caller's promise. Any content will do.
        let [magic, which, lens] = unsafe { [self.get(0), self.get(4), self.get(8)] };
        if magic != MAGIC || which & 0xFFFF != first_of(index as u8) {
            return None;
        }
        let (content, whole) = ((lens & 0xFFFF) >> 3, lens >> 19);
        let is_packet = if content == 0 {
            let at = setup.tail(self.0).at.load(Ordering::Relaxed);
            let written = (at as usize).wrapping_sub(self.0 as usize);
            whole == setup.packet_size && written >= HEADER_LEN && written < whole as usize
        } else {
            // A packet that was taken ends with its content.
            content as usize >= HEADER_LEN
                && content <= setup.packet_size
                && (whole == setup.packet_size || whole == content)
        };
        is_packet.then_some((which >> 16) as u16)
    }

    /// Writes the header of an open packet of `len` bytes in total, without content so far. `which` returns stream, version and
    /// sequence number when they are needed, so that no register holds them until then. The magic number is there already.
    ///
    /// # Safety
    /// The slot is one of a ring, and the caller's.
    #[inline(always)]
    pub(crate) unsafe fn open(self, which: impl FnOnce() -> u32, len: u32, begin: u64) {
        // SAFETY: the caller's promise.
        unsafe {
            // First the slot stops being a packet, for a reader of the memory after a reset. With checksum 0 it does not count as
            // a damaged packet either.
            self.set(12, 0);
            compiler_fence(Ordering::Release);
            self.set(8, len << 19);
            compiler_fence(Ordering::Release);
            self.set_begin(begin);
            self.set(4, which());
        }
    }

    /// # Safety
    /// The slot is one of a ring, and the caller's.
    #[inline(always)]
    pub(crate) unsafe fn set_begin(self, begin: u64) {
        // SAFETY: the caller's promise.
        unsafe {
            self.set(BEGIN_AT, begin as u32);
            self.set(BEGIN_AT + 4, (begin >> 32) as u32);
        }
    }

    /// Returns the lower half of the time of the packet's begin.
    ///
    /// # Safety
    /// The slot was opened.
    #[inline(always)]
    pub(crate) unsafe fn begin_low(self) -> u32 {
        // SAFETY: the caller's promise.
        unsafe { self.get(BEGIN_AT) }
    }

    /// Returns the time of the packet's begin, for other cores too: any value while it is being written. Read again each time, so
    /// that it needs no register until then.
    ///
    /// # Safety
    /// The slot is one of a ring.
    #[inline(always)]
    pub(crate) unsafe fn begin_unchecked(self) -> u64 {
        let begin = self.0.wrapping_add(BEGIN_AT).cast::<u32>();
        // SAFETY: as `set`. Volatile, since its core may write there.
        unsafe {
            let low = u32::from_le(begin.read_volatile());
            u64::from(low) | u64::from(u32::from_le(begin.wrapping_add(1).read_volatile())) << 32
        }
    }

    /// Returns the time of the packet's begin.
    ///
    /// # Safety
    /// The slot was opened.
    #[inline(always)]
    pub(crate) unsafe fn begin(self) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { u64::from(self.get(BEGIN_AT)) | u64::from(self.get(BEGIN_AT + 4)) << 32 }
    }

    /// Returns the full time of an event of the packet whose lower half is `now`. All events are less than one wrap of the lower
    /// half after the begin.
    ///
    /// # Safety
    /// The slot was opened.
    #[inline(always)]
    pub(crate) unsafe fn begin_and_since(self, now: u32) -> u64 {
        // SAFETY: the caller's promise.
        let begin = unsafe { self.begin_unchecked() };
        // In halves, since the lower one is known.
        let (low, high) = (begin as u32, (begin >> 32) as u32);
        let high = high.wrapping_add((now < low).into());
        u64::from(now) | u64::from(high) << 32
    }

    /// Sets the time of the packet's end, which is not before that of its last event.
    ///
    /// If the end is one or more wraps of the lower half after the last event, the timer was not read for that long, and the
    /// position of the wraps between the events is unknown: the reader reports that.
    ///
    /// # Safety
    /// The slot was opened.
    #[inline(always)]
    pub(crate) unsafe fn set_end(self, end: u64) {
        // SAFETY: the caller's promise.
        unsafe {
            self.set(24, end as u32);
            self.set(28, (end >> 32) as u32);
        }
    }

    /// Like [`set_end`](Self::set_end), at this time or that of the last event, if that is later.
    ///
    /// # Safety
    /// The conditions of `set_end`, and the tail is the packet's.
    #[inline(always)]
    pub(crate) unsafe fn set_end_rarely(self, end: u64, tail: &Tail) {
        let to = self.0.wrapping_add(24).cast::<u32>();
        // SAFETY: the caller's promise. Volatile, or the compiler makes one store of this and of the usual one, for which
        // that would have to wait.
        unsafe {
            let last = self.begin_and_since(tail.last_time.load(Ordering::Relaxed));
            let end = if end < last { last } else { end };
            to.write_volatile((end as u32).to_le());
            to.wrapping_add(1).write_volatile(((end >> 32) as u32).to_le());
        }
    }

    /// Completes the header of a packet that ends at `at`, and whose end time is written.
    ///
    /// # Safety
    /// The slot was opened.
    #[inline(always)]
    pub(crate) unsafe fn close(self, at: *mut u8, discarded: u32) {
        let content = (at as usize).wrapping_sub(self.0 as usize) as u16;
        // SAFETY: the caller's promise.
        unsafe {
            self.set(32, discarded);
            compiler_fence(Ordering::Release);
            self.0.wrapping_add(8).cast::<u16>().write((content << 3).to_le());
        }
    }

    /// Returns the number of events of the core that were discarded up to the end of a closed packet.
    ///
    /// # Safety
    /// The slot was closed.
    pub(crate) unsafe fn discarded(self) -> u32 {
        // SAFETY: the caller's promise.
        unsafe { self.get(32) }
    }

    /// Returns the lower half of the time of a closed packet's end.
    ///
    /// # Safety
    /// The slot was closed.
    pub(crate) unsafe fn end_low(self) -> u32 {
        // SAFETY: the caller's promise.
        unsafe { self.get(24) }
    }

    /// Returns the size of a closed packet's content in bytes.
    ///
    /// # Safety
    /// The slot was closed.
    #[inline(always)]
    pub(crate) unsafe fn content_len(self) -> u32 {
        // SAFETY: the caller's promise.
        unsafe { (self.get(8) & 0xFFFF) >> 3 }
    }

    /// Prepares a closed packet for sending: removes its padding, and writes its checksum.
    ///
    /// # Safety
    /// The slot was closed, and is the caller's.
    #[inline(never)]
    pub(crate) unsafe fn seal(self) -> u32 {
        // SAFETY: the caller's promise.
        unsafe {
            let len = self.content_len();
            if self.is_condemned() {
                return len;
            }
            self.set(8, len << 3 | len << 19);
            self.set(12, 0);
            // Its words, the last filled up: a slot is words. Volatile, or it becomes a call of `memset`.
            let mut end = len as usize;
            while !end.is_multiple_of(4) {
                self.0.wrapping_add(end).write_volatile(0);
                end = end.wrapping_add(1);
            }
            let mut hash = 0;
            let mut at = 0;
            while at != end {
                hash = step(hash, self.get(at));
                at = at.wrapping_add(4);
            }
            self.set(12, of_hash(hash));
            len
        }
    }
}

/// Returns stream and version of a packet, as in its header, with a sequence number of 0.
pub(crate) const fn first_of(stream: u8) -> u32 {
    stream as u32 | (VERSION as u32) << 8
}
