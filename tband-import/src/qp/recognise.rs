//! QS, the trace of QP, and the trace of RKH: frames that end with 7E and differ by their checksums.

use super::frame::{END, MAX_FRAME, sum, unescape};
use super::qs::is_text;
use crate::format::InputFormat;
use crate::recognised_format::RecognisedFormat;

/// Frames that are looked at, and how many of them have to be good.
const FRAMES: usize = 20;
/// Frames that are enough of a short file, and those that are if all are good.
const FEW: usize = 8;
const VERY_FEW: usize = 4;
/// Bytes of the shortest frame that counts: zeros have the sum of RKH.
const MIN_FRAME: usize = 3;

/// Recognises both by the sum of each frame's bytes: FF for QS, 00 for RKH.
pub fn recognise(bytes: &[u8], at_end: bool) -> Option<RecognisedFormat> {
    if is_text(bytes) {
        return Some(RecognisedFormat::new(
            InputFormat::Qs,
            "a .dic file of QP, or a QS trace with its text in front",
        ));
    }
    let last = memchr::memrchr(END, bytes)?;
    let frames = bytes.get(..last)?.split(|byte| *byte == END).filter(|it| !it.is_empty());
    let (mut all, mut qs, mut rkh, mut short) = (0, 0, 0, 0);
    let mut bytes_of = Vec::new();
    for frame in frames.take(FRAMES) {
        let frame = if frame.len() <= MAX_FRAME { unescape(frame, &mut bytes_of) } else { None };
        all += 1;
        short += usize::from(frame.is_none_or(|frame| frame.len() < MIN_FRAME));
        let sum = frame.map(sum);
        qs += usize::from(sum == Some(0xFF));
        rkh += usize::from(sum == Some(0));
    }
    let enough = if at_end { FEW } else { FRAMES };
    // The first may be the rest of one, and another one damaged.
    let is_certain = |good: usize| at_end && good >= VERY_FEW && good == all && short == 0;
    let is = |good: usize| (all >= enough && good + 2 >= all) || is_certain(good);
    if is(qs) {
        return Some(RecognisedFormat::new(InputFormat::Qs, "a QS trace of QP"));
    }
    is(rkh).then(|| RecognisedFormat::new(InputFormat::Rkh, "an RKH trace"))
}
