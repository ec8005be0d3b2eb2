//! The hot path: one event into one frame.

use tband_format::registry::Event;
use tband_format::writer::FrameWriter;

use crate::backend::Backend;
use crate::metadata::TRACE_INFO_FRAME_LEN;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;

/// Field layout of a timed event. Events that share a layout share its code.
pub trait Shape: Copy {
    /// Longest frame of such an event, in bytes.
    fn max_frame_len<P: Port>(self, port: &P) -> usize;

    /// Writes the fields.
    ///
    /// # Safety
    /// The writer has room for them; pointers in the shape are readable as [`FrameWriter::c_str`] wants
    /// it.
    unsafe fn write<P: Port>(self, writer: &mut FrameWriter, port: &P);
}

/// One `u32`.
#[derive(Clone, Copy, Debug)]
pub struct U32(pub u32);

/// Two `u32`.
#[derive(Clone, Copy, Debug)]
pub struct U32U32(pub u32, pub u32);

/// A `u32` and an `s64`.
#[derive(Clone, Copy, Debug)]
pub struct U32S64(pub u32, pub i64);

/// A `u32` and a NUL-terminated string, which may be null or longer than is recorded.
#[derive(Clone, Copy, Debug)]
pub struct U32Str(pub u32, pub *const u8);

/// Up to [`MAX_NUMBERS`] `u32`, read one by one: address and count.
#[derive(Clone, Copy, Debug)]
pub struct Numbers(pub *const u32, pub u32);

/// Most fields that a timed event of numbers has.
pub const MAX_NUMBERS: u32 = 5;

impl Shape for U32 {
    #[inline(always)]
    fn max_frame_len<P: Port>(self, _: &P) -> usize {
        TIMED_HEAD_LEN + 5
    }

    #[inline(always)]
    unsafe fn write<P: Port>(self, writer: &mut FrameWriter, _: &P) {
        // SAFETY: the caller made room.
        unsafe { writer.varint32(self.0) }
    }
}

impl Shape for U32U32 {
    #[inline(always)]
    fn max_frame_len<P: Port>(self, _: &P) -> usize {
        TIMED_HEAD_LEN + 10
    }

    #[inline(always)]
    unsafe fn write<P: Port>(self, writer: &mut FrameWriter, _: &P) {
        // SAFETY: the caller made room.
        unsafe {
            writer.varint32(self.0);
            writer.varint32(self.1);
        }
    }
}

impl Shape for U32S64 {
    #[inline(always)]
    fn max_frame_len<P: Port>(self, _: &P) -> usize {
        TIMED_HEAD_LEN + 15
    }

    #[inline(always)]
    unsafe fn write<P: Port>(self, writer: &mut FrameWriter, _: &P) {
        // SAFETY: the caller made room.
        unsafe {
            writer.varint32(self.0);
            writer.s64(self.1);
        }
    }
}

impl Shape for U32Str {
    #[inline(always)]
    fn max_frame_len<P: Port>(self, port: &P) -> usize {
        port.max_frame_len() as usize
    }

    #[inline(always)]
    unsafe fn write<P: Port>(self, writer: &mut FrameWriter, port: &P) {
        // SAFETY: the caller made room and vouches for the string.
        unsafe {
            writer.varint32(self.0);
            writer.c_str(self.1, port.max_str_len() as usize);
        }
    }
}

impl Shape for Numbers {
    #[inline(always)]
    fn max_frame_len<P: Port>(self, _: &P) -> usize {
        NUMBERS_FRAME_LEN
    }

    #[inline(always)]
    unsafe fn write<P: Port>(self, writer: &mut FrameWriter, _: &P) {
        let (mut at, mut left) = (self.0, self.1);
        while left != 0 {
            // SAFETY: the caller made room for `MAX_NUMBERS` and vouches for address and count.
            unsafe {
                writer.varint32(*at);
                at = at.add(1);
            }
            left -= 1;
        }
    }
}

/// Frame bytes around the fields of a timed event: code byte, id, timestamp, closing zero.
const TIMED_HEAD_LEN: usize = 1 + 1 + 10 + 1;

/// Longest frame of a timed event of numbers.
const NUMBERS_FRAME_LEN: usize = TIMED_HEAD_LEN + 5 * MAX_NUMBERS as usize;

/// Bytes of the longest frame that the recorder builds where strings have up to `max_str_len` bytes.
///
/// The C shim sizes its frame buffers with the same formula (`TBAND_FRAME_BUF_SIZE`).
#[must_use]
pub const fn frame_buf_size(max_str_len: u32) -> usize {
    // Numbers are the longest without a string, U32Str the longest with one.
    const WITHOUT_STR: usize = NUMBERS_FRAME_LEN;
    const _: () = assert!(TRACE_INFO_FRAME_LEN <= WITHOUT_STR);
    let with_str = (TIMED_HEAD_LEN + 5).wrapping_add(str_frame_len(max_str_len));
    if with_str > WITHOUT_STR { with_str } else { WITHOUT_STR }
}

/// Room that a string of at most `max_str_len` bytes takes in a frame, COBS codes included.
#[inline(always)]
pub(crate) const fn str_frame_len(max_str_len: u32) -> usize {
    // One code byte per 254 bytes; counting one per 128 needs no division. Lengths are far below
    // what could overflow: the C side limits them to 16 bits.
    (max_str_len as usize).wrapping_add((max_str_len >> 7) as usize).wrapping_add(1)
}

impl<P: Port> Recorder<P> {
    /// Records a timed event: id, timestamp in ticks, fields.
    ///
    /// Context: the critical section of `core`, any task or interrupt. Drops the event silently if
    /// recording was stopped between the caller's check and this call.
    ///
    /// # Safety
    /// `id` is not 0. Strings in `shape` are readable as [`FrameWriter::c_str`] wants it.
    #[inline(always)]
    pub unsafe fn emit<B: Backend, S: Shape>(&self, ts: u64, core: &CoreState, id: u8, shape: S) {
        let max_len = shape.max_frame_len(&self.port);
        let Some(mut writer) = self.open::<B>(Head::new(id, max_len), core, ts) else { return };
        // SAFETY: `open` made room for the longest frame; the caller vouches for strings.
        unsafe {
            shape.write(&mut writer, &self.port);
            B::commit(self, core, ts, writer.finish(), false);
        }
    }

    /// Counts an event and opens its frame with what all timed events share, id and timestamp. `None`
    /// if it is not to be recorded. One copy of this serves all layouts. Its arguments stand where the C
    /// interface has them, so that the emitters need not move them.
    #[inline(never)]
    fn open<B: Backend>(&self, head: Head, core: &CoreState, ts: u64) -> Option<FrameWriter> {
        if B::count_event(self, core) {
            return self.open_after_drop_cnt::<B>(head, core, ts);
        }
        let start = B::reserve(self, core, head.max_len())?;
        // SAFETY: `reserve` gave room for the longest frame.
        unsafe {
            let mut writer = FrameWriter::begin(start);
            writer.nonzero(head.id());
            Some(writer.with_timestamp(ts))
        }
    }

    /// The rare way of [`open`](Self::open): a `dropped_evt_cnt` is due, so it is sent first.
    ///
    /// This is the longest time in a hook, so it does not go through `open` again.
    #[cold]
    #[inline(never)]
    fn open_after_drop_cnt<B: Backend>(
        &self,
        head: Head,
        core: &CoreState,
        ts: u64,
    ) -> Option<FrameWriter> {
        if !self.send_drop_cnt::<B>(ts, core) {
            return None;
        }
        let start = B::reserve(self, core, head.max_len())?;
        // SAFETY: `reserve` gave room for the longest frame.
        Some(unsafe { begin_timed(start, head.id(), ts) })
    }

    /// Sends `dropped_evt_cnt`, which is due. `false` if it was not recorded; if it was refused the
    /// event behind it counts as dropped.
    #[inline(always)]
    fn send_drop_cnt<B: Backend>(&self, ts: u64, core: &CoreState) -> bool {
        const ID: u8 = Event::DroppedEvtCnt { cnt: 0 }.id();
        core.drop_cnt_due_after(self.port.drop_cnt_every());
        let Some(start) = B::reserve(self, core, TIMED_U32_FRAME_LEN) else { return false };
        // One core, the usual case, needs no sum.
        let several = self.port.core_count() != 1;
        let dropped = if several { self.dropped() } else { core.dropped() };
        // SAFETY: `reserve` gave room for one `u32`.
        unsafe {
            let mut writer = begin_timed(start, ID, ts);
            writer.varint32(dropped);
            B::commit(self, core, ts, writer.finish(), false)
        }
    }

    /// Counts a metadata event, and sends the `dropped_evt_cnt` that may be due before it. `false` if
    /// the event must not follow.
    pub(crate) fn may_follow<B: Backend>(&self, ts: u64, core: &CoreState) -> bool {
        !B::count_event(self, core) || self.open_after_drop_cnt::<B>(Head::NONE, core, ts).is_some()
    }

    /// Sends `core_id`: the frames that follow are of core `index`.
    pub(crate) fn send_core_id<B: Backend>(&self, ts: u64, core: &CoreState, index: u32) -> bool {
        let Some(start) = B::reserve(self, core, TIMED_U32_FRAME_LEN) else { return false };
        // SAFETY: `reserve` gave room for such a frame.
        unsafe { B::commit(self, core, ts, begin_core_id(start, ts, index).finish(), false) }
    }
}

/// Id of an event and length of its longest frame, in one word: one argument less on the hot path.
#[derive(Clone, Copy)]
struct Head(u32);

impl Head {
    /// No event: the frame is opened and abandoned, for the next to be written over it.
    const NONE: Self = Self::new(Event::DroppedEvtCnt { cnt: 0 }.id(), TIMED_HEAD_LEN);

    #[inline(always)]
    const fn new(id: u8, max_len: usize) -> Self {
        // Lengths are below 2^17: strings have at most 65535 bytes.
        Self(id as u32 | (max_len as u32) << 8)
    }

    #[inline(always)]
    const fn id(self) -> u8 {
        self.0 as u8
    }

    #[inline(always)]
    const fn max_len(self) -> usize {
        (self.0 >> 8) as usize
    }
}

/// Opens a frame with id and timestamp: what [`Recorder::open`] has inlined, for what is rare.
///
/// # Safety
/// Room for code byte, id, which is not 0, and timestamp.
#[inline(never)]
unsafe fn begin_timed(start: *mut u8, id: u8, ts: u64) -> FrameWriter {
    // SAFETY: the caller made room.
    unsafe {
        let mut writer = FrameWriter::begin(start);
        writer.nonzero(id);
        writer.with_timestamp(ts)
    }
}

/// Longest frame of a timed event with one `u32`.
pub(crate) const TIMED_U32_FRAME_LEN: usize = TIMED_HEAD_LEN + 5;

/// Opens a `core_id` frame, the only one whose id is 0, at `start`.
///
/// # Safety
/// Room for [`TIMED_U32_FRAME_LEN`] bytes.
pub(crate) unsafe fn begin_core_id(start: *mut u8, ts: u64, index: u32) -> FrameWriter {
    // SAFETY: the caller made room.
    unsafe {
        let mut writer = FrameWriter::begin(start);
        writer.u8(const { Event::CoreId { core_id: 0 }.id() });
        writer.varint64(ts);
        writer.varint32(index);
        writer
    }
}
