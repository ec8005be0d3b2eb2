//! Metadata events: kept in each core's table of what exists ([`crate::table`]), whether recording or
//! not, and also sent to the backend while recording.

use core::marker::PhantomData;
use core::ptr;

use tband_format::Str;
use tband_format::registry::Event;

use crate::backend::{Backend, Frames};
use crate::bounded::BoundedFrame;
use crate::declared::WholeFrameReceiver;
use crate::port::{Port, SystemInfo};
use crate::recorder::Recorder;
use crate::state::CoreState;

/// A metadata event: its id, numbers, perhaps a string, and flags for its processing.
///
/// Enum fields are numbers here: their values are below 128, where a byte and a varint are identical. The `u64` of
/// `ts_resolution_ns` is one too, because a tick is shorter than 2^32 ns.
///
/// `repr(C)`: C builds it in the caller's stack frame, so that all calls for one event share one copy.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Metadata<'a> {
    /// NUL-terminated string; null if there is none or it is empty.
    pub text: *const u8,
    /// The `u32` and enum fields.
    pub numbers: *const u32,
    /// Id of the event in bits 0 to 7, how many numbers there are in bits 8 to 10, at most five, and the flags
    /// [`Self::NEW`] and following; from bit 16 on how many bytes of the text are recorded at most.
    pub head: u32,
    borrows: PhantomData<&'a [u32]>,
}

impl<'a> Metadata<'a> {
    /// Flag: the tables have no entry that this one replaces, and are not searched for one.
    pub const NEW: u32 = 0x0800;
    /// Flag: not an event, but a request to remove entries of the object in the first number. The second number selects
    /// entries by bit `id % 32`, which is unique among the ids in tables. Nothing is stored or sent.
    pub const FORGET: u32 = 0x1000;
    /// Flag: for the table only, since the recording has another event for it.
    pub const NOT_SENT: u32 = 0x2000;
    /// Flag: stored only if there is an entry that this one replaces; then it is taken back.
    pub const UPDATE: u32 = 0x4000;
    /// Flag, for packets: the event has a text, though it may be empty.
    pub const TEXT: u32 = 0x8000;
    /// Creates event `id` with its `u32` and enum fields, at most five, and a NUL-terminated `text`, null if there is none
    /// or it is empty. It replaces the entry of the same id and object.
    #[must_use]
    pub const fn new(id: u8, numbers: &'a [u32], text: *const u8) -> Self {
        let head = id as u32 | (numbers.len() as u32) << 8;
        Self { text, numbers: numbers.as_ptr(), head, borrows: PhantomData }
    }

    /// Creates a request to remove entries of an object from the tables: its number, and the set of entries, see
    /// [`FORGET`](Self::FORGET).
    #[must_use]
    pub const fn forget(number_and_ids: &'a [u32; 2]) -> Self {
        Self::new(0, number_and_ids, ptr::null()).with(Self::FORGET)
    }

    /// Adds flags.
    #[must_use]
    pub const fn with(mut self, flags: u32) -> Self {
        self.head |= flags;
        self
    }

    /// Limits the text to `max_str_len` bytes, below 2^16.
    #[must_use]
    pub const fn with_text_of(mut self, max_str_len: u32) -> Self {
        self.head = self.head & 0xFFFF | max_str_len << 16;
        self
    }

    /// Returns the id of the event.
    #[inline(always)]
    #[must_use]
    pub const fn id(&self) -> u8 {
        self.head as u8
    }

    /// Returns the count of its numbers.
    #[inline(always)]
    pub(crate) const fn count(&self) -> u32 {
        (self.head >> 8) & 7
    }

    /// Returns whether any of these flags is set.
    #[inline(always)]
    pub(crate) const fn has(&self, flags: u32) -> bool {
        self.head & flags != 0
    }

    /// Writes the event's frame at `start`, as far as it fits before `limit`, and returns where it ends or would end. Each
    /// byte of the text is read once, because it may change in between.
    ///
    /// # Safety
    /// `start` to `limit` may be written to; the numbers are there, and `text` is readable to its NUL or
    /// for the longest string that is recorded.
    #[inline(never)]
    pub(crate) unsafe fn write(&self, start: *mut u8, limit: *mut u8) -> *mut u8 {
        let mut frame = BoundedFrame::begin(start);
        // SAFETY: the frame keeps to the limit; the caller vouches for numbers and text.
        unsafe {
            frame = frame.with(self.id(), limit);
            let mut number = self.numbers;
            let mut left = self.count();
            while left != 0 {
                let mut rest = number.read();
                number = number.add(1);
                left -= 1;
                loop {
                    let low = rest as u8;
                    rest >>= 7;
                    frame = frame.with(if rest == 0 { low } else { low | 0x80 }, limit);
                    if rest == 0 {
                        break;
                    }
                }
            }
            if !self.text.is_null() && !self.has(Self::NOT_SENT) {
                let mut left = self.head >> 16;
                let mut text = self.text;
                while left != 0 {
                    let byte = text.read_volatile();
                    if byte == 0 {
                        break;
                    }
                    frame = frame.with(byte, limit);
                    text = text.wrapping_add(1);
                    left -= 1;
                }
            }
            frame.finish(limit)
        }
    }
}

impl<P: Port> Recorder<P> {
    /// Records a metadata event of `core`. `ts` is only used for a `core_id` that may precede it. A `dropped_evt_cnt` that
    /// is due waits for the next event with a timestamp.
    ///
    /// Firmware in C calls the parts one after the other, and leaves the critical section between the
    /// steps of the search for what the event replaces.
    ///
    /// Context: the critical section of `core`, any task or interrupt.
    ///
    /// # Safety
    /// The event's numbers are there, and its text is readable to its NUL or for the longest string
    /// that is recorded.
    pub unsafe fn emit_metadata<B: Backend>(
        &self,
        ts: u64,
        core: &CoreState,
        event: &Metadata<'_>,
    ) {
        // SAFETY: the caller vouches for numbers and text.
        unsafe {
            self.store_metadata(core, event);
            if !event.has(Metadata::FORGET | Metadata::NOT_SENT) {
                let event = event.with_text_of(self.port.max_str_len());
                self.send_metadata::<B>(ts, core, &event);
            }
        }
    }

    /// For recordings in Tonbandgerät's way, before [`send_metadata`](Self::send_metadata): returns whether the event must
    /// be sent. Counts it, and sends the `dropped_evt_cnt` that may be due before it.
    #[inline(always)]
    pub fn may_send_metadata<B: Backend>(&self, ts: u64, core: &CoreState) -> bool {
        B::is_live(self) && self.may_follow::<B>(ts, core)
    }

    /// A part of [`emit_metadata`](Self::emit_metadata): sends the event through the backend,
    /// if that is on.
    ///
    /// # Safety
    /// As `emit_metadata`.
    #[inline(never)]
    pub unsafe fn send_metadata<B: Frames>(&self, ts: u64, of: &B::Owner, event: &Metadata<'_>) {
        // Room for any frame: the length of this one is known only after it is written.
        let len = self.port.max_frame_len() as usize;
        if let Some(start) = B::reserve(self, of, ts, len) {
            // SAFETY: the place has `len` bytes; the caller vouches for the event.
            unsafe {
                let end = event.write(start, start.wrapping_add(len));
                B::commit(self, of, end, true);
            }
        }
    }

    /// Sends the information about the recording that belongs at its start, unless the port wants none: `ts_resolution_ns`,
    /// so that the user need not send it, and the events of [`send_trace_info`](Self::send_trace_info).
    pub(crate) fn send_system_info<B: Frames>(&self, ts: u64, of: &B::Owner) {
        let info = self.port.system_info();
        if !info.trace_info.is_empty() {
            let resolution = self.port.ts_resolution_ns();
            self.send_numbers::<B>(ts, of, RESOLUTION_ID, &[resolution]);
            self.send_known_trace_info::<B>(ts, of, info);
        }
    }

    /// Sends the description of the recorder, `trace_info` and `build_id`, as far as the port has them, and the
    /// descriptions of the events outside of the base.
    ///
    /// Context: the critical section of `core`.
    pub fn send_trace_info<B: WholeFrameReceiver>(&self, ts: u64, of: &B::Owner) {
        let info = self.port.system_info();
        if !info.trace_info.is_empty() {
            self.send_known_trace_info::<B>(ts, of, info);
        }
        self.send_declarations::<B>(ts, of);
    }

    #[inline(always)]
    fn send_known_trace_info<B: Frames>(&self, ts: u64, of: &B::Owner, info: SystemInfo<'_>) {
        self.send_numbers::<B>(ts, of, TRACE_INFO_ID, info.trace_info);
        self.send_build::<B>(ts, of, info.program);
        self.send_build::<B>(ts, of, info.build_id);
    }

    /// Sends `build_id`, unless the text is null or empty. A call rather than inlined copies, because it runs so rarely.
    #[inline(never)]
    fn send_build<B: Frames>(&self, ts: u64, of: &B::Owner, text: *const u8) {
        // SAFETY: the port vouches for the texts of its system info.
        if !text.is_null() && unsafe { *text } != 0 {
            let event = Metadata::new(BUILD_ID_ID, &[], text).with_text_of(self.port.max_str_len());
            // SAFETY: as above.
            unsafe { self.send_metadata::<B>(ts, of, &event) }
        }
    }

    /// Reports, through `core`, how many metadata events of core `index`, whose state is `of`, were dropped, if any, and
    /// the required size of its buffer.
    #[inline(always)]
    pub(crate) fn report_metadata_dropped<B: Backend>(
        &self,
        ts: u64,
        core: &CoreState,
        index: u32,
        of: &CoreState,
    ) {
        let (dropped, needed) = (of.metadata_dropped(), of.metadata_needed().into());
        self.report_dropped_metadata::<B>(ts, core, index, dropped, needed);
    }

    /// Like [`report_metadata_dropped`](Self::report_metadata_dropped), for a core with known dropped events.
    #[inline(always)]
    pub(crate) fn report_dropped_metadata<B: Frames>(
        &self,
        ts: u64,
        of: &B::Owner,
        index: u32,
        dropped: u32,
        needed: u32,
    ) {
        if dropped != 0 {
            let numbers = [index, dropped, needed];
            // A size is reported if it would have helped.
            let numbers = if needed == 0 { &numbers[..2] } else { &numbers };
            self.send_numbers::<B>(ts, of, METADATA_DROPPED_ID, numbers);
        }
    }

    /// Writes the buffer's owner at the start of a buffer: `core_id` with timestamp 0, which has the encoding of metadata
    /// with two numbers.
    pub(crate) fn send_owner<B: Frames>(&self, of: &B::Owner, index: u32) {
        self.send_numbers::<B>(0, of, CORE_ID_ID, &[0, index]);
    }

    #[inline(never)]
    pub(crate) fn send_numbers<B: Frames>(&self, ts: u64, of: &B::Owner, id: u8, numbers: &[u32]) {
        let event = Metadata::new(id, numbers, ptr::null());
        // SAFETY: no text.
        unsafe { self.send_metadata::<B>(ts, of, &event) }
    }
}

const CORE_ID_ID: u8 = Event::CoreId { core_id: 0 }.id();
const RESOLUTION_ID: u8 = Event::TsResolutionNs { ns_per_ts: 0 }.id();
const BUILD_ID_ID: u8 = Event::BuildId { id: Str(&[]) }.id();
const METADATA_DROPPED_ID: u8 =
    Event::MetadataDropped { core_id: 0, cnt: 0, size_needed: None }.id();
const TRACE_INFO_ID: u8 = Event::TraceInfo {
    format_version: 0,
    core_count: 0,
    flags: 0,
    kernel_version: None,
    tick_rate_hz: None,
}
.id();

/// Longest `trace_info` frame: code byte, id, five `u32`, closing zero.
pub(crate) const TRACE_INFO_FRAME_LEN: usize = 1 + 1 + 5 * 5 + 1;
