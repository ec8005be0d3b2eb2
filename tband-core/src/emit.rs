//! The hot path: one event into one frame.

use tband_format::registry::Event;
use tband_format::writer::{FrameWriter, RawFrame};

use crate::backend::Backend;
use crate::metadata::TRACE_INFO_FRAME_LEN;
use crate::port::Port;
use crate::recorder::Recorder;
use crate::state::CoreState;

/// Field layout of a timed event. Events that share a layout share its code.
pub trait Shape: Copy {
    /// Returns the size of the longest frame of such an event, in bytes.
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

pub(crate) const TS_FREQUENCY_ID: u8 = Event::TsFrequency { numerator: 0, denominator: 0 }.id();

/// Frame bytes around the fields of a timed event: code byte, id, timestamp, closing zero.
const TIMED_HEAD_LEN: usize = 1 + 1 + 10 + 1;

/// Longest frame of a timed event of numbers.
const NUMBERS_FRAME_LEN: usize = TIMED_HEAD_LEN + 5 * MAX_NUMBERS as usize;
/// Returns the size in bytes of the longest frame of a timed event whose fields have up to `fields_len` bytes.
#[must_use]
pub const fn timed_frame_len(fields_len: u32) -> u32 {
    TIMED_HEAD_LEN as u32 + fields_len
}

/// Returns the size in bytes of the longest frame that the recorder builds if strings have up to `max_str_len` bytes.
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

/// Returns the size of a string of at most `max_str_len` bytes in a frame, including COBS codes.
#[inline(always)]
pub(crate) const fn str_frame_len(max_str_len: u32) -> usize {
    // One code byte per 254 bytes; counting one per 128 needs no division. No overflow is possible, because the C side
    // limits lengths to 16 bits.
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
        let head = Head::new(id, shape.max_frame_len(&self.port) as u32);
        // SAFETY: `head` makes room for the longest frame; the caller vouches for strings.
        unsafe {
            let frame = self.open::<B>(head, core, ts);
            self.close::<B, S>(frame, core, shape);
        }
    }

    /// The first half of [`emit`](Self::emit): counts an event and opens its frame with the common part of timed events, id
    /// and timestamp. Returns [`RawFrame::NONE`] if the event must not be recorded.
    ///
    /// Two halves, one after the other, need less stack than one that calls the other. The arguments are in the same
    /// registers as in the C interface, and results are returned unchanged, so that slow paths begin with a jump.
    ///
    /// # Safety
    /// The id in `head` is not 0. [`close`](Self::close) follows, in the same critical section.
    #[inline(always)]
    pub unsafe fn open<B: Backend>(&self, head: Head, core: &CoreState, ts: u64) -> RawFrame {
        if B::count_event(self, core) {
            self.open_after_drop_cnt::<B>(head, core, ts)
        } else if ENDS_WITH_JUMPS {
            self.open_counted::<B>(head, core, ts)
        } else {
            self.reserve_timed::<B>(head, core, ts)
        }
    }

    /// [`reserve_timed`](Self::reserve_timed) as a separate function.
    #[inline(never)]
    fn open_counted<B: Backend>(&self, head: Head, core: &CoreState, ts: u64) -> RawFrame {
        self.reserve_timed::<B>(head, core, ts)
    }

    /// Reserves a place and begins a frame there, with id and timestamp.
    #[inline(always)]
    fn reserve_timed<B: Backend>(&self, head: Head, core: &CoreState, ts: u64) -> RawFrame {
        let Some(start) = B::reserve(self, core, ts, head.max_len()) else {
            return RawFrame::NONE;
        };
        // SAFETY: `reserve` gave room for the longest frame.
        unsafe {
            let mut writer = FrameWriter::begin(start);
            writer.nonzero(head.id());
            writer.into_raw_with_timestamp(ts)
        }
    }

    /// Sends the timer's frequency, if the port knows it. `ts` is the time now in ticks.
    pub(crate) fn send_frequency<B: Backend>(&self, ts: u64, core: &CoreState) {
        let frequency = self.port.frequency();
        if frequency != 0 {
            let fields = U32U32(frequency as u32, (frequency >> 32) as u32);
            let head = Head::new(TS_FREQUENCY_ID, fields.max_frame_len(&self.port) as u32);
            // SAFETY: `head` makes room for the two numbers.
            unsafe {
                let frame = self.reserve_timed::<B>(head, core, ts);
                self.close::<B, _>(frame, core, fields);
            }
        }
    }

    /// The second half of [`emit`](Self::emit): writes the fields, and sends or stores the frame. No effect without a
    /// frame.
    ///
    /// # Safety
    /// `frame` comes from [`open`](Self::open) for the same core, with room for `shape`, whose strings are readable as
    /// [`FrameWriter::c_str`] requires.
    #[inline(always)]
    pub unsafe fn close<B: Backend, S: Shape>(&self, frame: RawFrame, core: &CoreState, shape: S) {
        // SAFETY: the caller's promise.
        unsafe {
            let Some(mut writer) = FrameWriter::from_raw(frame) else { return };
            shape.write(&mut writer, &self.port);
            B::commit(self, core, writer.finish(), false);
        }
    }

    /// The slow path of [`open`](Self::open): a `dropped_evt_cnt` is due, so it is sent first. If it is refused, the
    /// following event counts as dropped. This is the longest time in a hook.
    #[cold]
    #[inline(never)]
    fn open_after_drop_cnt<B: Backend>(&self, head: Head, core: &CoreState, ts: u64) -> RawFrame {
        // SAFETY: `open_counted` gave room for the longest frame with one `u32`.
        unsafe {
            let frame = self.open_counted::<B>(Head::DROPPED_EVT_CNT, core, ts);
            let Some(writer) = FrameWriter::from_raw(frame) else { return RawFrame::NONE };
            let writer = self.with_dropped(writer, core);
            if !B::commit(self, core, writer.finish(), false) {
                return RawFrame::NONE;
            }
        }
        self.open_counted::<B>(head, core, ts)
    }

    /// Writes how many events were dropped, and plans the next `dropped_evt_cnt`.
    ///
    /// # Safety
    /// Room for a `u32`.
    #[inline(always)]
    unsafe fn with_dropped(&self, mut writer: FrameWriter, core: &CoreState) -> FrameWriter {
        core.drop_cnt_due_after(self.port.drop_cnt_every());
        // SAFETY: as the caller promised.
        unsafe { writer.varint32(self.dropped()) }
        writer
    }

    /// Counts a metadata event, as Tonbandgerät does, and sends the `dropped_evt_cnt` that may be due before it. `false` if
    /// the event must not follow.
    pub(crate) fn may_follow<B: Backend>(&self, ts: u64, core: &CoreState) -> bool {
        if !B::count_event(self, core) {
            return true;
        }
        let frame = self.open_after_drop_cnt::<B>(Head::NONE, core, ts);
        // SAFETY: what follows in the place is a separate frame.
        let is_open = unsafe { FrameWriter::from_raw(frame).is_some() };
        if is_open {
            B::abandon(self);
        }
        is_open
    }

    /// Sends `core_id`: the frames that follow are of core `index`.
    pub(crate) fn send_core_id<B: Backend>(&self, ts: u64, core: &CoreState, index: u32) -> bool {
        let Some(start) = B::reserve(self, core, ts, TIMED_U32_FRAME_LEN) else { return false };
        // SAFETY: `reserve` gave room for such a frame.
        unsafe { B::commit(self, core, begin_core_id(start, ts, index).finish(), false) }
    }
}

/// On most targets a function can end with a jump to another, which then needs no further stack. Armv6-M, the only Arm
/// target without atomics, cannot: its jumps do not reach far enough. There more code is inlined instead.
const ENDS_WITH_JUMPS: bool = cfg!(not(target_arch = "arm")) || cfg!(target_has_atomic = "8");

/// Id of an event and length of its longest frame, in one word: one argument less on the hot path.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Head(u32);

impl Head {
    /// No event: the frame is opened and abandoned, and the next one overwrites it.
    const NONE: Self = Self::new(Self::DROPPED_EVT_CNT.id(), TIMED_HEAD_LEN as u32);

    const DROPPED_EVT_CNT: Self =
        Self::new(Event::DroppedEvtCnt { cnt: 0 }.id(), TIMED_U32_FRAME_LEN as u32);

    /// Creates the head for event `id` with frames of at most `max_len` bytes, below 2^24.
    #[inline(always)]
    #[must_use]
    pub const fn new(id: u8, max_len: u32) -> Self {
        Self(id as u32 | max_len << 8)
    }

    /// Creates the head from one word: id in bits 0 to 7, length above.
    #[inline(always)]
    #[must_use]
    pub const fn from_word(word: u32) -> Self {
        Self(word)
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
