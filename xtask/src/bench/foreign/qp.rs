//! Frames of QS and RKH.

use anyhow::{Context, Result};

const END: u8 = 0x7E;
const ESCAPE: u8 = 0x7D;

/// What frames have.
pub struct Frames {
    /// The sum of all bytes.
    sum: u8,
    /// Where the sequence number is.
    sequence: usize,
    /// Bytes of the time, which come third.
    time_len: usize,
    /// The frame is of an event; others describe the target.
    is_event: fn(&[u8]) -> bool,
    /// It has a time.
    has_time: fn(&[u8]) -> bool,
}

/// Where the time is.
const TIME: usize = 2;

pub const QS: Frames = Frames {
    sum: 0xFF,
    sequence: 0,
    time_len: 4,
    // Empty records and dictionaries are not.
    is_event: |frame| frame[1] != 0 && !(60..=64).contains(&frame[1]),
    has_time: |frame| !matches!(frame[1], 1..=3 | 9 | 31 | 33 | 55..=57 | 70),
};

pub const RKH: Frames = Frames {
    sum: 0,
    sequence: 1,
    time_len: 2,
    is_event: |frame| frame[0] >> 5 != 5,
    has_time: |_| true,
};

impl Frames {
    /// The time of a frame, if it has one.
    fn time(&self, frame: &[u8]) -> Option<u64> {
        let bytes = frame.get(TIME..TIME + self.time_len).filter(|_| (self.has_time)(frame))?;
        Some(bytes.iter().rev().fold(0, |time, byte| time << 8 | u64::from(*byte)))
    }
}

/// Returns the recording with its events repeated so often.
pub fn extended(recording: &[u8], of: &Frames, rounds: usize) -> Result<Vec<u8>> {
    let end = recording.iter().rposition(|byte| *byte == END).context("no frame")?;
    let mut out = recording[..=end].to_vec();
    let frames = recording[..end].split(|byte| *byte == END).filter(|frame| !frame.is_empty());
    let mut frames: Vec<Vec<u8>> = frames.map(unescaped).collect();
    let mut number = frames.last().context("no frame")?[of.sequence];
    frames.retain(|frame| (of.is_event)(frame));
    let mut times = frames.iter().filter_map(|frame| of.time(frame));
    let (first, last) = (times.next().context("no time")?, times.next_back().context("no time")?);
    let span = last.wrapping_sub(first).wrapping_add(1);
    for _ in 0..rounds {
        for frame in &mut frames {
            if let Some(time) = of.time(frame) {
                let time = time.wrapping_add(span).to_le_bytes();
                frame[TIME..TIME + of.time_len].copy_from_slice(&time[..of.time_len]);
            }
            number = number.wrapping_add(1);
            frame[of.sequence] = number;
            let (last, rest) = frame.split_last_mut().context("an empty frame")?;
            *last = rest.iter().fold(of.sum, |sum, byte| sum.wrapping_sub(*byte));
            for &byte in &*frame {
                match byte {
                    END | ESCAPE => out.extend([ESCAPE, byte ^ 0x20]),
                    _ => out.push(byte),
                }
            }
            out.push(END);
        }
    }
    Ok(out)
}

fn unescaped(frame: &[u8]) -> Vec<u8> {
    let mut bytes = frame.iter();
    let mut out = Vec::new();
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            ESCAPE => bytes.next().map_or(0, |byte| byte ^ 0x20),
            _ => byte,
        });
    }
    out
}
