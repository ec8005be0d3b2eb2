//! Streams in other layouts: the same events with other byte orders, word sizes and versions of the format.

/// How a stream is written.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub is_big: bool,
    pub is_wide: bool,
    pub version: u16,
}

/// Writes numbers in a layout.
struct Writer {
    layout: Layout,
    bytes: Vec<u8>,
}

impl Writer {
    fn u16(&mut self, value: u16) {
        let bytes = if self.layout.is_big { value.to_be_bytes() } else { value.to_le_bytes() };
        self.bytes.extend(bytes);
    }

    fn u32(&mut self, value: u32) {
        let bytes = if self.layout.is_big { value.to_be_bytes() } else { value.to_le_bytes() };
        self.bytes.extend(bytes);
    }

    fn word(&mut self, value: u32) {
        match (self.layout.is_wide, self.layout.is_big) {
            (false, _) => self.u32(value),
            (true, true) => self.bytes.extend(u64::from(value).to_be_bytes()),
            (true, false) => self.bytes.extend(u64::from(value).to_le_bytes()),
        }
    }

    const fn word_len(&self) -> usize {
        if self.layout.is_wide { 8 } else { 4 }
    }

    fn align(&mut self) {
        let len = self.bytes.len().next_multiple_of(self.word_len());
        self.bytes.resize(len, 0);
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap())
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

/// Rewrites a little endian stream of format 0x0E with words of 32 bits.
pub fn rewritten(stream: &[u8], layout: Layout) -> Vec<u8> {
    let mut out = Writer { layout, bytes: Vec::new() };
    let is_new = layout.version >= 0x0D;
    out.u32(0x5053_4600);
    out.u16(layout.version);
    out.u16(u16_at(stream, 6));
    out.u32(u32_at(stream, 8) | if layout.is_wide { 8 } else { 0 });
    out.u32(if layout.version == 0x0E { u32_at(stream, 12) } else { 1 });
    out.u32(u32_at(stream, 16));
    let (patch, numbers, name) = (u16_at(stream, 20), &stream[22..24], &stream[24..32]);
    if !is_new {
        out.bytes.extend(name);
    }
    out.u16(patch);
    out.bytes.extend(numbers);
    if is_new {
        out.bytes.extend(name);
    }
    out.u32(u32_at(stream, 32));
    let (period, hz) = (u32_at(stream, 36), u32_at(stream, 40));
    if is_new {
        out.u32(period);
        out.word(hz);
    } else {
        out.align();
        out.word(hz);
        out.u32(period);
    }
    for at in (44..60).step_by(4) {
        out.u32(u32_at(stream, at));
    }
    out.align();
    let (entries, symbol_len) = (u32_at(stream, 60), u32_at(stream, 64) as usize);
    for at in [60, 64, 68] {
        out.word(u32_at(stream, at));
    }
    let mut at = 72;
    for _ in 0..entries {
        for word in 0..4 {
            out.word(u32_at(stream, at + 4 * word));
        }
        out.u32(u32_at(stream, at + 16));
        out.bytes.extend(&stream[at + 20..at + 20 + symbol_len]);
        out.align();
        at += 20 + symbol_len;
    }
    while at + 8 <= stream.len() {
        let id = u16_at(stream, at);
        let count = usize::from(id >> 12);
        let words = &stream[at + 8..at + 8 + 4 * count];
        // Words before a text.
        let before = match id & 0xFFF {
            3 => 1,
            7 => 2,
            code @ 0x90..=0x97 => usize::from(code & 7),
            _ => count,
        };
        let text = &words[4 * before..];
        let count = before + text.len().div_ceil(out.word_len());
        out.u16(id & 0xFFF | (count as u16) << 12);
        out.u16(u16_at(stream, at + 2));
        out.u32(u32_at(stream, at + 4));
        for word in words[..4 * before].chunks_exact(4) {
            out.word(u32_at(word, 0));
        }
        out.bytes.extend(text);
        out.align();
        at += 8 + words.len();
    }
    out.bytes
}

/// Rewrites a stream as recorders before 4.8 write it on a target with words of 64 bits: the header does not state their size, the sizes of
/// the table have 32 bits in a stream, and lengths of events count words of 32 bits, except for most of those of 4.7.
pub fn with_unstated_words(stream: &[u8], version: u16, is_ring: bool) -> Vec<u8> {
    let layout = Layout { is_big: false, is_wide: true, version };
    let wide = rewritten(stream, layout);
    let mut out = wide[..if is_ring { 32 } else { 72 }].to_vec();
    out[8] &= !8;
    if is_ring {
        // The clock's description is aligned in the ring, whose marker has 12 bytes.
        out.extend([0; 4]);
        out.extend(&wide[32..]);
        let begin = [5, 6, 7, 8, 0x75, 0x76, 0x77, 0x78, 0xF5, 0xF6, 0xF7, 0xF8];
        return [&begin[..], &out].concat();
    }
    for at in [60, 64, 68] {
        out.extend(u32_at(stream, at).to_le_bytes());
    }
    let mut rest = wide[96..].to_vec();
    let entries =
        u32_at(stream, 60) as usize * (32 + 4 + u32_at(stream, 64) as usize).next_multiple_of(8);
    let mut at = entries;
    while at + 8 <= rest.len() {
        let id = u16_at(&rest, at);
        let (code, words) = (id & 0xFFF, id >> 12);
        // Those with a text are not written by the functions that count words of 64 bits.
        if version < 0x0C || matches!(code, 3 | 7 | 0x90..=0x97) {
            let counted = code | (2 * words).min(15) << 12;
            rest[at..at + 2].copy_from_slice(&counted.to_le_bytes());
        }
        at += 8 + 8 * usize::from(words);
    }
    out.extend(rest);
    out
}

/// A writer after the header of a stream of format 0x0E without a table: so many cores, a counter of this kind, and its period.
fn begun(cores: u32, kind: u32, period: u32) -> Writer {
    let layout = Layout { is_big: false, is_wide: false, version: 0x0E };
    let mut out = Writer { layout, bytes: Vec::new() };
    out.bytes.extend(b"\0FSP\x0E\0\xA1\x1A");
    for value in [0, cores, 0, 0x0B04_0000] {
        out.u32(value);
    }
    out.bytes.extend(b"FreeRTOS");
    for value in [kind, period, 1_000_000, 0, 1000, 0, 0, 0, 28, 3] {
        out.u32(value);
    }
    out
}

/// A stream of one core whose events have these timestamps: switches between two tasks. One with a tick count reports that.
pub fn stamped(kind: u32, period: u32, stamps: &[(u32, Option<u32>)]) -> Vec<u8> {
    let mut out = begun(1, kind, period);
    let mut switches = 0;
    for ((stamp, ticks), number) in stamps.iter().zip(1..) {
        out.u16(if ticks.is_some() { 0x1031 } else { 0x2037 });
        out.u16(number);
        out.u32(*stamp);
        if let Some(ticks) = ticks {
            out.u32(*ticks);
        } else {
            switches += 1;
            out.u32(0x2000_0000 + switches % 2 * 0x100);
            out.u32(1);
        }
    }
    out.bytes
}

/// A stream of two cores by hand: tasks 1 and 2 on core 0, 3 and 4 on core 1, which alternate. Leaves out events whose number is in
/// `lost`.
pub fn two_cores(lost: std::ops::Range<u32>) -> Vec<u8> {
    let mut out = begun(0x0302, 1, 0);
    let mut numbers = [0_u16; 2];
    for number in 0..9000_u32 {
        let core = number % 2;
        let task = 0x2000_0000 + core * 0x200 + (number / 2 % 2) * 0x100;
        numbers[core as usize] = numbers[core as usize].wrapping_add(1) & 0xFFF;
        if lost.contains(&number) {
            continue;
        }
        out.u16(0x2037);
        out.u16(numbers[core as usize] | (core as u16) << 12);
        // The other core is a little late.
        out.u32(1000 + number * 10 - core * 15);
        out.u32(task);
        out.u32(1);
    }
    out.bytes
}

/// A dump of a ring buffer of two cores, which switch between two tasks each, in turn; the buffer of core 0 is full after so many
/// switches.
pub fn ring_of_two_cores(kind: u32, of_first: u32) -> Vec<u8> {
    let task = |core, number| core * 0x200 + number % 2 * 0x100;
    ring_of((kind, of_first), |core, number| (2 * number + core, task(core, number)))
}

/// As [`ring_of_two_cores`]; `switch` gives the moment and the task of a switch on a core.
pub fn ring_of((kind, of_first): (u32, u32), switch: impl Fn(u32, u32) -> (u32, u32)) -> Vec<u8> {
    const SWITCHES: u32 = 200;
    let sign = if kind == 2 { u32::MAX } else { 1 };
    let stamp = |number: u32| (0xFFFF_FF00_u32.wrapping_add(number * 10)).wrapping_mul(sign);
    let mut out = begun(0x0302, kind, 0);
    out.bytes[44..48].copy_from_slice(&1_u32.to_le_bytes());
    out.bytes[52..56].copy_from_slice(&stamp(2 * SWITCHES - 1).to_le_bytes());
    let size = 11 * 4 + SWITCHES * 16 + 4;
    out.u32(2 * size);
    for core in 0..2 {
        let count = if core == 0 { of_first } else { SWITCHES };
        // Head, tail and size; the mode is to stop when it is full.
        for value in [count * 16, 0, count * 16 + 4, 0, 0, 4, 0, count * 16, 0, 0, 0x2000_0000] {
            out.u32(value);
        }
        for number in 0..count {
            out.u16(0x2037);
            out.u16(number as u16 & 0xFFF | (core as u16) << 12);
            let (moment, task) = switch(core, number);
            out.u32(stamp(moment));
            out.u32(0x2000_0000 + task);
            out.u32(1);
        }
        out.bytes.extend(vec![0; (SWITCHES - count) as usize * 16 + 4]);
    }
    let begin = [5, 6, 7, 8, 0x75, 0x76, 0x77, 0x78, 0xF5, 0xF6, 0xF7, 0xF8];
    let end = [0x0A, 0x0B, 0x0C, 0x0D, 0x71, 0x72, 0x73, 0x74, 0xF1, 0xF2, 0xF3, 0xF4];
    [&[0; 4][..], &begin, &out.bytes, &end, &[0; 4]].concat()
}
