//! Reads the frames of a recording one after the other: finds their ends, removes the escapes, compares the sums.

use super::frame::{NextFrame, next, sum, unescape};
use crate::blank::is_blank;
use crate::gaps::Break;
use crate::output::Output;

/// Takes the frames of a recording.
pub trait FrameSink {
    /// A good frame without its escapes; it has `len` bytes in the recording, without its end.
    fn frame(&mut self, frame: &[u8], len: u64, out: &mut Output);

    /// No frame follows: frames that were kept are read now.
    fn flush(&mut self, out: &mut Output);

    /// Frames are missing.
    fn forget(&mut self);
}

/// Reads frames whose bytes have a known sum.
#[derive(Debug)]
pub struct Frames {
    core: u32,
    sum: u8,
    /// Bytes that a frame has at least.
    least: usize,
    has_frame: bool,
    /// Bytes that were passed over of a frame that is too long.
    passed: u64,
    /// One of these was not erased memory.
    has_content: bool,
    frame: Vec<u8>,
}

impl Frames {
    /// Of events of this core.
    pub const fn new(core: u32, sum: u8, least: usize) -> Self {
        Self {
            core,
            sum,
            least,
            has_frame: false,
            passed: 0,
            has_content: false,
            frame: Vec::new(),
        }
    }

    /// Reads the next frames. Returns the number of bytes that they have in the recording, 0 if more are needed.
    pub fn read(
        &mut self,
        bytes: &[u8],
        at_end: bool,
        sink: &mut impl FrameSink,
        out: &mut Output,
    ) -> usize {
        out.records(bytes, |rest, out| self.read_one(rest, at_end, sink, out))
    }

    fn read_one(
        &mut self,
        bytes: &[u8],
        at_end: bool,
        sink: &mut impl FrameSink,
        out: &mut Output,
    ) -> usize {
        match next(bytes, self.passed, at_end) {
            NextFrame::Short => 0,
            NextFrame::Frame { len: 0, .. } => 1,
            NextFrame::Frame { len, has_escapes } => {
                self.frame(bytes.get(..len).unwrap_or_default(), has_escapes, sink, out);
                len + 1
            }
            NextFrame::Long(len, is_end) => {
                let before = self.passed;
                self.passed += len as u64;
                self.has_content |= !is_blank(bytes.get(..len).unwrap_or_default());
                if is_end {
                    let total = std::mem::take(&mut self.passed);
                    if std::mem::take(&mut self.has_content) {
                        let what = Break::Damage("bytes without the end of a frame");
                        out.broken(self.core, what, before, total);
                        sink.forget();
                    } else {
                        sink.flush(out);
                        out.broken(self.core, Break::Unwritten, before, total);
                    }
                }
                len
            }
            NextFrame::Cut(len) => {
                sink.flush(out);
                let is_rest = is_blank(bytes.get(..len).unwrap_or_default());
                let what = if is_rest { Break::Unwritten } else { Break::Cut };
                out.broken(self.core, what, 0, len as u64);
                len
            }
        }
    }

    fn frame(
        &mut self,
        escaped: &[u8],
        has_escapes: bool,
        sink: &mut impl FrameSink,
        out: &mut Output,
    ) {
        let len = escaped.len() as u64;
        let frame = match has_escapes {
            true => unescape(escaped, &mut self.frame),
            false => Some(escaped),
        };
        if let Some(frame) = frame
            && frame.len() >= self.least
            && sum(frame) == self.sum
        {
            self.has_frame = true;
            sink.frame(frame, len, out);
            return;
        }
        let what = match self.has_frame {
            true => Break::Damage("a frame with a wrong checksum"),
            false => Break::Head,
        };
        out.broken(self.core, what, 0, len);
        sink.forget();
    }
}
