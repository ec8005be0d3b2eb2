//! QS, the trace of QP, and the trace of RKH: frames that end with 7E and differ by their checksums.

use crate::format::InputFormat;
use crate::recognised::Recognised;

const END: u8 = 0x7E;
const ESCAPE: u8 = 0x7D;
/// Longest frame that counts, in bytes.
const MAX_FRAME: usize = 512;
/// Frames that are looked at, and how many of them have to be good.
const FRAMES: usize = 20;
/// Frames that are enough of a short file.
const FEW: usize = 8;

/// Recognises both by the sum of each frame's bytes: FF for QS, 00 for RKH.
pub fn recognise(bytes: &[u8], at_end: bool) -> Option<Recognised> {
    let last = memchr::memrchr(END, bytes)?;
    let frames = bytes.get(..last)?.split(|byte| *byte == END).filter(|it| !it.is_empty());
    let (mut all, mut qs, mut rkh) = (0, 0, 0);
    for frame in frames.take(FRAMES) {
        let sum = (frame.len() <= MAX_FRAME).then(|| sum(frame));
        all += 1;
        qs += usize::from(sum == Some(0xFF));
        rkh += usize::from(sum == Some(0));
    }
    let enough = if at_end { FEW } else { FRAMES };
    // The first may be the rest of one, and another one damaged.
    let is = |good: usize| all >= enough && good + 2 >= all;
    if is(qs) {
        return Some(Recognised::new(InputFormat::Qs, "a QS trace of QP"));
    }
    is(rkh).then(|| Recognised::new(InputFormat::Rkh, "an RKH trace"))
}

/// Sum of a frame's bytes, without what escapes them.
fn sum(frame: &[u8]) -> u8 {
    let (mut sum, mut is_escaped) = (0_u8, false);
    for &byte in frame {
        if byte == ESCAPE && !is_escaped {
            is_escaped = true;
            continue;
        }
        sum = sum.wrapping_add(if is_escaped { byte ^ 0x20 } else { byte });
        is_escaped = false;
    }
    sum
}
