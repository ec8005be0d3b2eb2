//! Recordings with records of the application's own, `TBAND_RECORD()`.

use tband_format::{Event, Str};

use crate::{Recording, str, two_tasks};

/// A number as arguments of records are written: LEB128 of one more.
#[must_use]
pub fn argument(value: u64) -> Vec<u8> {
    let mut above = u128::from(value) + 1;
    let mut bytes = Vec::new();
    loop {
        let septet = (above & 0x7F) as u8;
        above >>= 7;
        if above == 0 {
            bytes.push(septet);
            return bytes;
        }
        bytes.push(septet | 0x80);
    }
}

/// A `double`, the other way round.
#[must_use]
pub fn double(value: f64) -> Vec<u8> {
    argument(value.to_bits().swap_bytes())
}

/// A `float`.
#[must_use]
pub fn float(value: f32) -> Vec<u8> {
    argument(value.to_bits().swap_bytes().into())
}

/// Counters of every kind of number: `volts` that is integer in one format and not in another, `big` beyond signed numbers,
/// `count` of integers only, and `odd`, which is no number at times.
#[must_use]
pub fn counters() -> Recording {
    let formats: [(u32, &[u8]); 4] = [
        (1, b"i:volts=%d V\x03"),
        (20, b"dQ:volts=%.1f big=%llu\x03"),
        (50, b"i:count=%d\x03"),
        (70, b"f:odd=%g\x03"),
    ];
    let format = |recording: Recording, (format_id, text): (u32, &[u8])| {
        recording.meta(Event::Format { format_id, text: Str(text) })
    };
    let recording = formats.into_iter().fold(two_tasks(), format);
    let record = |recording: Recording, (ts, at, is): (u64, u32, Vec<u8>)| {
        recording.at(ts, Event::Record { at, is: Str(&is) })
    };
    let records = [
        (20, 1, argument(6)),
        (30, 20, [double(2.25), argument(u64::MAX)].concat()),
        (40, 50, argument(13)),
        (50, 70, float(-0.1)),
        (60, 70, float(f32::NAN)),
        (70, 70, float(f32::INFINITY)),
        (80, 1, argument(8)),
    ];
    let recording = recording.at(10, Event::TaskSwitchedIn { task_id: 1 });
    records
        .into_iter()
        .fold(recording, record)
        .at(90, Event::Evtmarker { evtmarker_id: 1, msg: str("end") })
}
