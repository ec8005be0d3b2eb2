//! Metadata events: kept in each core's metadata buffer, whether recording or not, and also sent to
//! the backend while recording.
//!
//! The buffer holds whole frames. What does not fit is counted, and reported by API, in the stream
//! (`metadata_dropped`) and by the host tools.

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
#[derive(Clone, Copy, Debug)]
pub struct Metadata<'a> {
    /// Id of the event.
    pub id: u8,
    /// Its `u32` and enum fields, at most five.
    pub numbers: &'a [u32],
    /// NUL-terminated string; null if there is none or it is empty.
    pub text: *const u8,
}

impl Metadata<'_> {
    /// Opens a frame at `start` and writes the event.
    ///
    /// # Safety
    /// Room for `frame_len` bytes, and `text` is readable as [`FrameWriter::c_str`] wants it.
    #[inline(never)]
    unsafe fn write(&self, start: *mut u8, max_str_len: u32) -> FrameWriter {
        // SAFETY: the caller made room and vouches for `text`.
        unsafe {
            let mut writer = FrameWriter::begin(start);
            writer.u8(self.id);
            for &number in self.numbers {
                writer.varint32(number);
            }
            // Smaller than `FrameWriter::c_str`, which is for the hot path.
            for index in 0..self.text_len(max_str_len) {
                writer.byte_of_many(*self.text.add(index));
            }
            writer
        }
    }

    /// Length of the frame, code bytes and closing zero included. Exact where numbers are below 128, as
    /// ids of named things usually are; others count as the longest.
    ///
    /// # Safety
    /// As `write`, without the room.
    #[inline(never)]
    unsafe fn frame_len(&self, max_str_len: u32) -> usize {
        let mut len = 1;
        for &number in self.numbers {
            len += if number < 0x80 { 1 } else { 5 };
        }
        // SAFETY: the caller vouches for the text.
        len += unsafe { self.text_len(max_str_len) };
        cobs_frame_len(len)
    }

    /// Bytes of the text that are recorded.
    ///
    /// # Safety
    /// `text` is readable as [`FrameWriter::c_str`] wants it.
    #[inline(never)]
    unsafe fn text_len(&self, max_str_len: u32) -> usize {
        let mut len = 0;
        if !self.text.is_null() {
            // SAFETY: reading stops at the NUL or after `max_str_len` bytes.
            while len < max_str_len as usize && unsafe { *self.text.add(len) } != 0 {
                len += 1;
            }
        }
        len
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
    /// Context: the critical section of `core`, any task or interrupt.
    ///
    /// # Safety
    /// `event.text` is readable as [`FrameWriter::c_str`] wants it.
    #[inline(never)]
    pub unsafe fn emit_metadata<B: Backend>(
        &self,
        ts: u64,
        core: &CoreState,
        event: &Metadata<'_>,
    ) {
        // SAFETY: the caller vouches for the text.
        let stored = unsafe { self.store_metadata(core, event) };
        if B::is_live(self) && self.may_follow::<B>(ts, core) {
            // SAFETY: as above.
            unsafe { self.send_metadata::<B>(ts, core, event) };
            if !stored {
                self.report_metadata_dropped::<B>(ts, core, self.index_of(core), core);
            }
        }
    }

    /// Appends an event to the metadata buffer of `core`. `false` if it had to be dropped; `true` also
    /// if there is no metadata buffer.
    ///
    /// # Safety
    /// `event.text` is readable as [`FrameWriter::c_str`] wants it.
    #[inline(never)]
    unsafe fn store_metadata(&self, core: &CoreState, event: &Metadata<'_>) -> bool {
        let size = self.port.metadata_buf_size();
        if size == 0 {
            return true;
        }
        let max_str_len = self.port.max_str_len();
        // SAFETY: the caller vouches for the text.
        let len = unsafe { event.frame_len(max_str_len) };
        // Another core may be sending this buffer at the start of its stream.
        self.locked(|| {
            let used = core.metadata_used.load(Ordering::Relaxed);
            if (size.wrapping_sub(used) as usize) < len {
                core.count_metadata_dropped();
                return false;
            }
            // SAFETY: `used + len <= size`, and the port vouches for the buffer.
            unsafe {
                let buf = self.port.metadata_buf(self.index_of(core));
                let end = event.write(buf.add(used as usize), max_str_len).finish();
                let used = (end as usize).wrapping_sub(buf as usize) as u32;
                core.metadata_used.store(used, Ordering::Release);
            }
            true
        })
    }

    /// Sends an event through the backend.
    ///
    /// # Safety
    /// `event.text` is readable as [`FrameWriter::c_str`] wants it.
    #[inline(never)]
    unsafe fn send_metadata<B: Backend>(&self, ts: u64, core: &CoreState, event: &Metadata<'_>) {
        let max_str_len = self.port.max_str_len();
        // SAFETY: the caller vouches for the text; `frame_len` is what `write` writes.
        unsafe {
            let len = event.frame_len(max_str_len);
            if let Some(start) = B::reserve(self, core, ts, len) {
                B::commit(self, core, event.write(start, max_str_len).finish(), true);
            }
        }
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
        let SystemInfo { ts_resolution_ns, trace_info, .. } = self.port.system_info();
        if !trace_info.is_empty() {
            let numbers = &[ts_resolution_ns];
            let event = Metadata { id: RESOLUTION_ID, numbers, text: ptr::null() };
            // SAFETY: no text.
            unsafe { self.send_metadata::<B>(ts, core, &event) };
            self.send_trace_info::<B>(ts, core);
        }
    }

    /// Sends what made the recording, `trace_info` and `build_id`, as far as the port has them.
    ///
    /// Context: the critical section of `core`.
    pub fn send_trace_info<B: Backend>(&self, ts: u64, core: &CoreState) {
        let SystemInfo { trace_info, build_id, .. } = self.port.system_info();
        if trace_info.is_empty() {
            return;
        }
        // SAFETY: the port vouches for the name of the build; `trace_info` has no text.
        unsafe {
            let event = Metadata { id: TRACE_INFO_ID, numbers: trace_info, text: ptr::null() };
            self.send_metadata::<B>(ts, core, &event);
            if !build_id.is_null() {
                let event = Metadata { id: BUILD_ID_ID, numbers: &[], text: build_id };
                self.send_metadata::<B>(ts, core, &event);
            }
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
            self.send_pair::<B>(ts, core, METADATA_DROPPED_ID, [index, dropped]);
        }
    }

    /// Says at the start of a buffer whose it is: `core_id` with timestamp 0, which looks like metadata
    /// with two numbers.
    pub(crate) fn send_owner<B: Backend>(&self, core: &CoreState, index: u32) {
        self.send_pair::<B>(0, core, CORE_ID_ID, [0, index]);
    }

    #[inline(never)]
    fn send_pair<B: Backend>(&self, ts: u64, core: &CoreState, id: u8, numbers: [u32; 2]) {
        let event = Metadata { id, numbers: &numbers, text: ptr::null() };
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
