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
/// `count` of integers only, and `odd`, which is sometimes not a number.
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

/// A text as an argument, whole.
#[must_use]
pub fn text(text: &[u8]) -> Vec<u8> {
    let escaped = text.iter().flat_map(|byte| match byte {
        1 | 2 => vec![2, byte + 2],
        byte => vec![*byte],
    });
    escaped.chain([1]).collect()
}

/// A signed number as an argument.
#[must_use]
pub fn signed(value: i64) -> Vec<u8> {
    argument(((value << 1) ^ (value >> 63)).cast_unsigned())
}

/// The signal of this number, as an argument; enumerations are from 2 on.
#[must_use]
pub fn constant(sort: u32, number: u32) -> u32 {
    sort << 28 | number
}

/// Every type that an argument may have, with its least and its largest values, in records with formats and in those of
/// elements; named, cut, of formats that are not known or do not fit, and damaged: each 10 ticks after the one before.
#[must_use]
pub fn of_every_type() -> Recording {
    const INTEGERS: u32 = 0x100;
    const OTHERS: u32 = 0x200;
    const NAMES: u32 = 0x300;
    const BEGIN: u32 = 0x400;
    const END: u32 = 0x500;
    const SAME: u32 = 0x600;
    const OTHER_TYPE: u32 = 0x700;
    let formats: [(u32, &[u8]); 7] = [
        (INTEGERS, b"bBhHiIqQ:i8=%hhd %u motor.i16=%hd %hu i32=%d %u %lld u64=%llu\x03"),
        (OTHERS, b"?cfdsm:on=%d letter=%c %f volts=%.2f name=%s data=%p\n\x03"),
        (NAMES, b"Pppi:x=%p x=%p %% \"quoted\" back\\slash at=%p %d\x03"),
        (BEGIN, b"i[job %d\x03"),
        (END, b"]done\x03"),
        (SAME, b"i:same %d\x03"),
        (OTHER_TYPE, b"q:same %d\x03"),
    ];
    let memory: &[u8] = &[6, 2, 0x10, 2, 0xFF, 1, 1];
    let bits = |value: u32| argument(value.into());
    let elements = |all: &[(u8, Vec<u8>)]| -> Vec<u8> {
        all.iter().flat_map(|(letter, value)| [&[*letter][..], value].concat()).collect()
    };
    let format = |at: u32, is: Vec<u8>| (Some(at), 0, is);
    let typed = |no: u32, is: Vec<u8>| (None, no, is);
    let all = elements(&[
        (b'o', bits(0x2000_0000)),
        (b'B', argument(200)),
        (b's', text(b"thinking")),
        (b'S', bits(constant(0, 4))),
        (b'S', bits(constant(2, 0))),
        (b'p', bits(0x0800_0101)),
        (b'd', double(-0.25)),
        (b'm', memory.to_vec()),
    ]);
    let named = [bits(0x2000_0000), bits(0x0800_0101), bits(0x2000_0004), signed(1)].concat();
    let records = [
        format(
            INTEGERS,
            [
                signed(-128),
                argument(0),
                signed(-32768),
                argument(0),
                signed(i32::MIN.into()),
                argument(0),
                signed(i64::MIN),
                argument(0),
            ]
            .concat(),
        ),
        format(
            INTEGERS,
            [
                signed(127),
                argument(255),
                signed(32767),
                argument(65535),
                signed(i32::MAX.into()),
                argument(u32::MAX.into()),
                signed(i64::MAX),
                argument(u64::MAX),
            ]
            .concat(),
        ),
        format(
            OTHERS,
            [argument(1), signed(65), float(3.25), double(-0.5), text(b"motor"), memory.to_vec()]
                .concat(),
        ),
        format(
            OTHERS,
            [argument(0), signed(-1), float(f32::INFINITY), double(f64::NAN), text(b""), vec![1]]
                .concat(),
        ),
        format(NAMES, named),
        // Cut: the last ones had no room.
        format(INTEGERS, [signed(1), argument(2)].concat()),
        format(BEGIN, signed(7)),
        format(END, Vec::new()),
        format(SAME, signed(-1)),
        format(OTHER_TYPE, signed(-1)),
        // Unknown, with surplus arguments, and without a valid number.
        format(SAME + 1, signed(1)),
        format(SAME, [signed(1), signed(2)].concat()),
        format(SAME, vec![0x80]),
        typed(3, all.clone()),
        typed(4, elements(&[(b'Q', argument(u64::MAX)), (b'?', argument(1))])),
        // Cut, damaged.
        typed(3, [&all[..9], b"+"].concat()),
        typed(3, [&all[..9], b"z"].concat()),
    ];
    let mut recording = two_tasks();
    for (format_id, text) in formats {
        recording = recording.meta(Event::Format { format_id, text: Str(text) });
    }
    for (symbol_id, name) in
        [(0x2000_0000, "&table"), (0x0800_0100, "run \"it\""), (0x2000_0004, "&table")]
    {
        recording = recording.meta(Event::Symbol { symbol_id, name: str(name) });
    }
    for (constant_id, name) in [
        (constant(0, 4), "TIMEOUT_SIG"),
        (constant(1, 3), "PHILO_STAT"),
        (constant(2, 0), "BUSY_STATE"),
    ] {
        recording = recording.meta(Event::Constant { constant_id, name: str(name) });
    }
    recording = recording.at(10, Event::TaskSwitchedIn { task_id: 1 });
    for (number, (at, no, is)) in records.iter().enumerate() {
        let is = Str(is);
        let event = at.map_or(Event::Typed { no: *no, is }, |at| Event::Record { at, is });
        recording = recording.at(20 + 10 * number as u64, event);
    }
    recording.at(1000, Event::TaskSwitchedIn { task_id: 2 })
}
