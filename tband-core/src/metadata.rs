//! Metadata events: kept in each core's metadata buffer, whether recording or not, and also sent to
//! the backend while recording.
//!
//! The buffer holds whole frames. What does not fit is counted, and reported by API, in the stream
//! (`metadata_dropped`) and by the host tools.

use core::marker::PhantomData;
use core::ptr;
use core::sync::atomic::Ordering;

use tband_format::registry::Event;
use tband_format::writer::FrameWriter;
use tband_format::{Str, cobs};

use crate::backend::Backend;
use crate::port::{Port, SystemInfo};
use crate::recorder::Recorder;
use crate::state::CoreState;

/// A metadata event: its id, numbers, then perhaps a string.
///
/// Enum fields are numbers here: their values are below 128, where one byte and a varint are alike. So
/// is the `u64` of `ts_resolution_ns`: a tick is shorter than 2^32 ns.
///
/// `repr(C)`: C builds it in its own frame, so that it is there once for all calls that an event takes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Metadata<'a> {
    /// NUL-terminated string; null if there is none or it is empty.
    pub text: *const u8,
    /// The `u32` and enum fields.
    pub numbers: *const u32,
    /// How many numbers there are, at most five.
    pub count: u8,
    /// Id of the event.
    pub id: u8,
    borrows: PhantomData<&'a [u32]>,
}

impl<'a> Metadata<'a> {
    /// Event `id` with its `u32` and enum fields, at most five, and a NUL-terminated `text`, null if there
    /// is none or it is empty.
    #[must_use]
    pub const fn new(id: u8, numbers: &'a [u32], text: *const u8) -> Self {
        let count = numbers.len() as u8;
        Self { text, numbers: numbers.as_ptr(), count, id, borrows: PhantomData }
    }

    /// # Safety
    /// The numbers stand where the event says.
    #[inline(always)]
    unsafe fn numbers(&self) -> &'a [u32] {
        // SAFETY: the caller's promise.
        unsafe { core::slice::from_raw_parts(self.numbers, self.count.into()) }
    }

    /// Writes the event's frame at `start` and returns its end.
    ///
    /// # Safety
    /// Room for `frame_len` bytes; the numbers are there, and `text` is readable as
    /// [`FrameWriter::c_str`] wants it.
    #[inline(never)]
    unsafe fn write<P: Port>(&self, start: *mut u8, port: &P) -> *mut u8 {
        // SAFETY: the caller made room and vouches for `text`.
        unsafe {
            let mut writer = FrameWriter::begin(start);
            writer.u8(self.id);
            for &number in self.numbers() {
                writer.varint32(number);
            }
            // Smaller than `FrameWriter::c_str`, which is for the hot path.
            if !self.text.is_null() {
                let mut left = port.max_str_len();
                let mut text = self.text;
                while left != 0 && *text != 0 {
                    writer.byte_of_many(*text);
                    text = text.add(1);
                    left -= 1;
                }
            }
            writer.finish()
        }
    }

    /// Length of the frame, code bytes and closing zero included. Exact where numbers are below 128, as
    /// ids of named things usually are; others count as the longest.
    ///
    /// # Safety
    /// As `write`, without the room.
    #[inline(never)]
    unsafe fn frame_len<P: Port>(&self, port: &P) -> usize {
        let mut len = 1;
        // SAFETY: the caller vouches for the numbers.
        for &number in unsafe { self.numbers() } {
            len += if number < 0x80 { 1 } else { 5 };
        }
        if !self.text.is_null() {
            let (mut text_len, max) = (0, port.max_str_len() as usize);
            // SAFETY: reading stops at the NUL or after `max_str_len` bytes.
            while text_len < max && unsafe { *self.text.add(text_len) } != 0 {
                text_len += 1;
            }
            len += text_len;
        }
        cobs_frame_len(len)
    }
}

/// Length of the frame for a payload: a code byte per 254 bytes and the closing zero. Zeros in the
/// payload cost nothing, since code bytes take their place. Exact up to 254 bytes; beyond, it counts
/// a code byte per 128, which is enough and needs no division.
const fn cobs_frame_len(payload_len: usize) -> usize {
    let more_blocks = if payload_len > cobs::MAX_RUN { payload_len >> 7 } else { 0 };
    payload_len.saturating_add(2 + more_blocks)
}

impl<P: Port> Recorder<P> {
    /// Records a metadata event of `core`. `ts` is only used for a `dropped_evt_cnt` that may be due.
    ///
    /// Firmware in C calls the parts one after the other, which takes less stack.
    ///
    /// Context: the critical section of `core`, any task or interrupt.
    ///
    /// # Safety
    /// The event's numbers are there, and its text is readable as [`FrameWriter::c_str`] wants it.
    pub unsafe fn emit_metadata<B: Backend>(
        &self,
        ts: u64,
        core: &CoreState,
        event: &Metadata<'_>,
    ) {
        // SAFETY: the caller vouches for the text.
        unsafe {
            let stored = self.store_metadata(core, event);
            if self.may_send_metadata::<B>(ts, core) {
                self.send_metadata::<B>(ts, core, event);
                if !stored {
                    let mut numbers = [0; 2];
                    let event = self.metadata_dropped_event(core, &mut numbers);
                    self.send_metadata::<B>(ts, core, &event);
                }
            }
        }
    }

    /// First part of [`emit_metadata`](Self::emit_metadata): appends an event to the metadata buffer of
    /// `core`. `false` if it had to be dropped; `true` also if there is no metadata buffer.
    ///
    /// # Safety
    /// As `emit_metadata`.
    #[inline(always)]
    pub unsafe fn store_metadata(&self, core: &CoreState, event: &Metadata<'_>) -> bool {
        if self.port.metadata_buf_size() == 0 {
            return true;
        }
        // SAFETY: the caller vouches for the text.
        let len = unsafe { event.frame_len(&self.port) };
        // Another core may be sending this buffer at the start of its stream.
        self.locked(|| {
            let start = self.metadata_place(core, len);
            if start.is_null() {
                return false;
            }
            // SAFETY: the place has `len` bytes.
            let end = unsafe { event.write(start, &self.port) };
            let len = (end as usize).wrapping_sub(start as usize) as u32;
            let used = core.metadata_used.load(Ordering::Relaxed).wrapping_add(len);
            core.metadata_used.store(used, Ordering::Release);
            true
        })
    }

    /// Where a frame of `len` bytes goes in the metadata buffer of `core`; null, and counted, if it does
    /// not fit.
    #[inline(never)]
    fn metadata_place(&self, core: &CoreState, len: usize) -> *mut u8 {
        let buf = self.port.metadata_buf(self.index_of(core));
        let used = core.metadata_used.load(Ordering::Relaxed);
        if (self.port.metadata_buf_size().wrapping_sub(used) as usize) < len {
            core.count_metadata_dropped();
            return ptr::null_mut();
        }
        buf.wrapping_add(used as usize)
    }

    /// Second part of [`emit_metadata`](Self::emit_metadata): the event is to be sent too. Counts it, and
    /// sends the `dropped_evt_cnt` that may be due before it.
    #[inline(always)]
    pub fn may_send_metadata<B: Backend>(&self, ts: u64, core: &CoreState) -> bool {
        B::is_live(self) && self.may_follow::<B>(ts, core)
    }

    /// Third part of [`emit_metadata`](Self::emit_metadata): sends the event through the backend.
    ///
    /// # Safety
    /// As `emit_metadata`.
    #[inline(never)]
    pub unsafe fn send_metadata<B: Backend>(
        &self,
        ts: u64,
        core: &CoreState,
        event: &Metadata<'_>,
    ) {
        // SAFETY: the caller vouches for the text; `frame_len` is what `write` writes.
        unsafe {
            let len = event.frame_len(&self.port);
            if let Some(start) = B::reserve(self, core, ts, len) {
                B::commit(self, core, event.write(start, &self.port), true);
            }
        }
    }

    /// Last part of [`emit_metadata`](Self::emit_metadata), for an event that was not stored: the event
    /// that says so, to be sent next, on two `numbers` that it overwrites.
    #[inline(always)]
    pub fn metadata_dropped_event<'a>(
        &self,
        core: &CoreState,
        numbers: &'a mut [u32; 2],
    ) -> Metadata<'a> {
        *numbers = [self.index_of(core), core.metadata_dropped()];
        Metadata::new(METADATA_DROPPED_ID, numbers, ptr::null())
    }

    /// Metadata buffer of core `index` and the number of bytes in it; null and 0 if there is none.
    pub fn metadata(&self, index: u32) -> (*const u8, usize) {
        if index >= self.port.core_count() || self.port.metadata_buf_size() == 0 {
            return (ptr::null(), 0);
        }
        let used = self.port.core(index).metadata_used.load(Ordering::Acquire);
        (self.port.metadata_buf(index), used as usize)
    }

    /// Metadata events of core `index` that found its buffer full; stays at 65535.
    pub fn metadata_dropped(&self, index: u32) -> u32 {
        if index < self.port.core_count() { self.port.core(index).metadata_dropped() } else { 0 }
    }

    /// Sends at the start of a recording what it should say of itself, unless the port wants none of
    /// that: `ts_resolution_ns`, which so needs no call by the user, and what
    /// [`send_trace_info`](Self::send_trace_info) sends.
    pub(crate) fn send_system_info<B: Backend>(&self, ts: u64, core: &CoreState) {
        let info = self.port.system_info();
        if !info.trace_info.is_empty() {
            let resolution = self.port.ts_resolution_ns();
            self.send_numbers::<B>(ts, core, RESOLUTION_ID, &[resolution]);
            self.send_known_trace_info::<B>(ts, core, info);
        }
    }

    /// Sends what made the recording, `trace_info` and `build_id`, as far as the port has them.
    ///
    /// Context: the critical section of `core`.
    pub fn send_trace_info<B: Backend>(&self, ts: u64, core: &CoreState) {
        let info = self.port.system_info();
        if !info.trace_info.is_empty() {
            self.send_known_trace_info::<B>(ts, core, info);
        }
    }

    #[inline(always)]
    fn send_known_trace_info<B: Backend>(&self, ts: u64, core: &CoreState, info: SystemInfo<'_>) {
        self.send_numbers::<B>(ts, core, TRACE_INFO_ID, info.trace_info);
        if !info.build_id.is_null() {
            let event = Metadata::new(BUILD_ID_ID, &[], info.build_id);
            // SAFETY: the port vouches for the name of the build.
            unsafe { self.send_metadata::<B>(ts, core, &event) }
        }
    }

    /// Reports, through `core`, metadata of core `index`, whose state is `of`, that was dropped, if any
    /// was.
    pub(crate) fn report_metadata_dropped<B: Backend>(
        &self,
        ts: u64,
        core: &CoreState,
        index: u32,
        of: &CoreState,
    ) {
        let dropped = of.metadata_dropped();
        if dropped != 0 {
            self.send_numbers::<B>(ts, core, METADATA_DROPPED_ID, &[index, dropped]);
        }
    }

    /// Says at the start of a buffer whose it is: `core_id` with timestamp 0, which looks like metadata
    /// with two numbers.
    pub(crate) fn send_owner<B: Backend>(&self, core: &CoreState, index: u32) {
        self.send_numbers::<B>(0, core, CORE_ID_ID, &[0, index]);
    }

    #[inline(never)]
    fn send_numbers<B: Backend>(&self, ts: u64, core: &CoreState, id: u8, numbers: &[u32]) {
        let event = Metadata::new(id, numbers, ptr::null());
        // SAFETY: no text.
        unsafe { self.send_metadata::<B>(ts, core, &event) }
    }
}

const CORE_ID_ID: u8 = Event::CoreId { core_id: 0 }.id();
const RESOLUTION_ID: u8 = Event::TsResolutionNs { ns_per_ts: 0 }.id();
const BUILD_ID_ID: u8 = Event::BuildId { id: Str(&[]) }.id();
const METADATA_DROPPED_ID: u8 = Event::MetadataDropped { core_id: 0, cnt: 0 }.id();
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
