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
    /// Longest encoding of the fields in a frame, COBS codes included, in bytes.
    fn max_len(self, max_str_len: impl FnOnce() -> u32) -> usize;

    /// Writes the fields.
    ///
    /// # Safety
    /// The writer has room for [`max_len`](Self::max_len) bytes; pointers in the shape are readable
    /// as [`FrameWriter::c_str`] wants it.
    unsafe fn write(self, writer: &mut FrameWriter, max_str_len: impl FnOnce() -> u32);
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

impl Shape for U32 {
    #[inline(always)]
    fn max_len(self, _: impl FnOnce() -> u32) -> usize {
        5
    }

    #[inline(always)]
    unsafe fn write(self, writer: &mut FrameWriter, _: impl FnOnce() -> u32) {
        // SAFETY: the caller made room.
        unsafe { writer.varint32(self.0) }
    }
}

impl Shape for U32U32 {
    #[inline(always)]
    fn max_len(self, _: impl FnOnce() -> u32) -> usize {
        10
    }

    #[inline(always)]
    unsafe fn write(self, writer: &mut FrameWriter, _: impl FnOnce() -> u32) {
        // SAFETY: the caller made room.
        unsafe {
            writer.varint32(self.0);
            writer.varint32(self.1);
        }
    }
}

impl Shape for U32S64 {
    #[inline(always)]
    fn max_len(self, _: impl FnOnce() -> u32) -> usize {
        15
    }

    #[inline(always)]
    unsafe fn write(self, writer: &mut FrameWriter, _: impl FnOnce() -> u32) {
        // SAFETY: the caller made room.
        unsafe {
            writer.varint32(self.0);
            writer.s64(self.1);
        }
    }
}

impl Shape for U32Str {
    #[inline(always)]
    fn max_len(self, max_str_len: impl FnOnce() -> u32) -> usize {
        5 + str_frame_len(max_str_len())
    }

    #[inline(always)]
    unsafe fn write(self, writer: &mut FrameWriter, max_str_len: impl FnOnce() -> u32) {
        // SAFETY: the caller made room and vouches for the string.
        unsafe {
            writer.varint32(self.0);
            writer.c_str(self.1, max_str_len() as usize);
        }
    }
}

/// Frame bytes around the fields of a timed event: code byte, id, timestamp, closing zero.
const TIMED_HEAD_LEN: usize = 1 + 1 + 10 + 1;

/// Bytes of the longest frame that the recorder builds where strings have up to `max_str_len` bytes.
///
/// The C shim sizes its frame buffers with the same formula (`TBAND_FRAME_BUF_SIZE`).
#[must_use]
pub const fn frame_buf_size(max_str_len: u32) -> usize {
    // U32S64 and trace_info are the longest without a string, U32Str the longest with one.
    const WITHOUT_STR: usize = TIMED_HEAD_LEN + 15;
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
    /// Strings in `shape` are readable as [`FrameWriter::c_str`] wants it.
    #[inline(always)]
    pub unsafe fn emit<B: Backend, S: Shape>(&self, ts: u64, core: &CoreState, id: u8, shape: S) {
        if !self.may_follow::<B>(ts, core) {
            return;
        }
        let max_str_len = || self.port.max_str_len();
        let max_len = TIMED_HEAD_LEN + shape.max_len(max_str_len);
        // SAFETY: `max_len` is what these calls can write; the caller vouches for strings.
        unsafe {
            self.frame::<B>(core, ts, max_len, false, |start| {
                let mut writer = FrameWriter::begin(start);
                writer.nonzero(id);
                writer.timestamp(ts);
                shape.write(&mut writer, max_str_len);
                writer
            });
        }
    }

    /// Builds one frame and gives it to the backend; `false` if it was not recorded. `ts` is for a
    /// `core_id` that may have to go ahead of it.
    ///
    /// # Safety
    /// `build` opens a frame at the place it is given, and writes no more than `max_len` bytes, code
    /// byte and closing zero included.
    #[inline(always)]
    pub(crate) unsafe fn frame<B: Backend>(
        &self,
        core: &CoreState,
        ts: u64,
        max_len: usize,
        is_metadata: bool,
        build: impl FnOnce(*mut u8) -> FrameWriter,
    ) -> bool {
        let Some(start) = B::reserve(self, core, max_len) else {
            return false;
        };
        // SAFETY: `reserve` gave room for `max_len` bytes.
        unsafe {
            let writer = build(start);
            B::commit(self, core, ts, start, writer.finish(), is_metadata)
        }
    }

    /// Counts an event, and sends the `dropped_evt_cnt` that may be due before it. `false` if the event
    /// must not follow: recording is off, or that frame was refused, and then the event counts as
    /// dropped.
    #[inline(always)]
    pub(crate) fn may_follow<B: Backend>(&self, ts: u64, core: &CoreState) -> bool {
        !B::count_event(self, core) || self.send_drop_cnt::<B>(ts, core)
    }

    /// Sends `dropped_evt_cnt`, which is due. `false` if it was not recorded.
    #[cold]
    #[inline(never)]
    fn send_drop_cnt<B: Backend>(&self, ts: u64, core: &CoreState) -> bool {
        const ID: u8 = Event::DroppedEvtCnt { cnt: 0 }.id();
        core.drop_cnt_due_after(self.port.drop_cnt_every());
        // One core needs no sum; the periodic frame is part of the longest time in a hook.
        let dropped = if self.port.core_count() == 1 { core.dropped() } else { self.dropped() };
        // SAFETY: id, timestamp and one `u32`.
        unsafe {
            self.frame::<B>(core, ts, TIMED_U32_FRAME_LEN, false, |start| {
                let mut writer = FrameWriter::begin(start);
                writer.nonzero(ID);
                writer.timestamp(ts);
                writer.varint32(dropped);
                writer
            })
        }
    }

    /// Sends `core_id`: the frames that follow are of core `index`.
    pub(crate) fn send_core_id<B: Backend>(&self, ts: u64, core: &CoreState, index: u32) -> bool {
        // SAFETY: id, timestamp and one `u32`.
        unsafe {
            self.frame::<B>(core, ts, TIMED_U32_FRAME_LEN, false, |start| {
                begin_core_id(start, ts, index)
            })
        }
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
        writer.rare_varint32(index);
        writer
    }
}
