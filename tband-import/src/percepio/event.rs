//! The first bytes of an event: its code, its number, its time.

use super::codes::{END_OF_EXTENSIONS, SILENT};
use super::words::Layout;

/// Longest event, in bytes: 15 words.
pub const MAX_EVENT: usize = 8 + 15 * 8;
/// Ticks that do not pass between events that follow each other where nothing else shows that they are events.
pub const LONG: u32 = 1 << 29;

/// The first bytes of an event.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    pub code: u16,
    pub core: usize,
    pub number: u16,
    pub ts: u32,
    pub len: usize,
}

impl Head {
    #[inline]
    pub fn read(layout: Layout, is_multi: bool, bytes: &[u8], at: usize) -> Option<Self> {
        let bytes: &[u8; 8] = bytes.get(at..)?.first_chunk()?;
        let id = layout.u16(bytes, 0)?;
        let count = layout.u16(bytes, 2)?;
        let (core, number) =
            if is_multi { (usize::from(count >> 12), count & 0xFFF) } else { (0, count) };
        Some(Self {
            code: layout.codes.of_freertos(id & 0xFFF),
            core,
            number,
            ts: layout.u32(bytes, 4)?,
            len: 8 + usize::from(id >> 12) * layout.word_len(),
        })
    }

    /// There is such an event, with such a number of words.
    pub const fn is_known(self, layout: Layout) -> bool {
        let most = match self.code {
            // They contain a text.
            SILENT | 0x03 | 0x07 | 0x90..=0x97 | 0xF9 | 0xFD.. => 15,
            0x98..=0x9C => 6,
            _ => 4,
        };
        self.len <= 8 + most * layout.word_len() && 0 < self.code && self.code < END_OF_EXTENSIONS
    }
}

/// So many events follow each other here.
pub fn is_chain(bytes: &[u8], layout: Layout, cores: usize, count: usize) -> bool {
    let mut numbers = [None; 16];
    let (mut at, mut before) = (0, None);
    for _ in 0..count {
        let Some(head) = Head::read(layout, cores > 1, bytes, at) else { return false };
        if !head.is_known(layout) || head.core >= cores || at + head.len > bytes.len() {
            return false;
        }
        let Some(expected) = numbers.get_mut(head.core) else { return false };
        let passed = before.map_or(0, |before| head.ts.wrapping_sub(before).cast_signed());
        if expected.is_some_and(|expected| expected != head.number) || passed.unsigned_abs() > LONG
        {
            return false;
        }
        before = Some(head.ts);
        *expected = Some(after(head.number, cores > 1));
        at += head.len;
    }
    true
}

/// The number of the next event of a core.
pub const fn after(number: u16, is_multi: bool) -> u16 {
    let next = number.wrapping_add(1);
    if is_multi { next & 0xFFF } else { next }
}
