//! Event markers and value markers of the program.
//!
//! The two kinds are numbered apart.

use core::ffi::CStr;

use tband_format::{Event, Str};

use crate::number::numbered;
use crate::record;

numbered! {
    /// A row for instants and spans, for example one a subsystem.
    EventMarker, "event marker"
}

impl EventMarker {
    /// Names the marker. Call it once, at any time: names are metadata, which is kept for recordings
    /// that start later. Calls `tband_evtmarker_name`.
    #[inline]
    pub fn name(self, name: &CStr) {
        record::name(&Event::EvtmarkerName { evtmarker_id: 0, name: Str(b"") }, self.0, name);
    }

    /// Records an instant, with a text. At most `tband_configMAX_STR_LEN` bytes (20) of the text are
    /// recorded. Calls `tband_evtmarker`.
    #[inline]
    pub fn instant(self, text: &CStr) {
        record::text(&Event::Evtmarker { evtmarker_id: 0, msg: Str(b"") }, self.0, text);
    }

    /// Begins a span, which ends when the guard is dropped, with a text as in
    /// [`instant`](Self::instant). Spans of a marker nest.
    #[inline]
    pub fn span(self, text: &CStr) -> Span {
        self.begin(text);
        Span(self)
    }

    /// Opens a span that [`end`](Self::end) closes, maybe elsewhere. Calls `tband_evtmarker_begin`.
    #[inline]
    pub fn begin(self, text: &CStr) {
        record::text(&Event::EvtmarkerBegin { evtmarker_id: 0, msg: Str(b"") }, self.0, text);
    }

    /// Ends the innermost open span. Calls `tband_evtmarker_end`.
    #[inline]
    pub fn end(self) {
        record::number(&Event::EvtmarkerEnd { evtmarker_id: 0 }, self.0);
    }
}

/// An open span of an [`EventMarker`]; ends it when dropped.
#[derive(Debug)]
#[must_use = "the span ends when this is dropped: let _span = ..."]
pub struct Span(EventMarker);

impl Drop for Span {
    #[inline]
    fn drop(&mut self) {
        self.0.end();
    }
}

numbered! {
    /// A row for the course of a number, for example of a measured value.
    ValueMarker, "value marker"
}

impl ValueMarker {
    /// Names it, as [`EventMarker::name`]. Calls `tband_valmarker_name`.
    #[inline]
    pub fn name(self, name: &CStr) {
        record::name(&Event::ValmarkerName { valmarker_id: 0, name: Str(b"") }, self.0, name);
    }

    /// Records a value. Calls `tband_valmarker`.
    #[inline]
    pub fn set(self, value: i64) {
        record::value(&Event::Valmarker { valmarker_id: 0, val: 0 }, self.0, value);
    }
}
