//! Looks up the number of a named object in the object table.

use crate::state::CoreState;
use crate::table::{end_of_frame, pass_over_gap};

/// The bytes of a frame, one after the other.
struct Bytes {
    at: *const u8,
    /// Bytes of the block up to the next code.
    left: u8,
    /// The block ends with a zero that is not written, unless the frame ends there.
    ends_with_zero: bool,
}

impl Bytes {
    /// # Safety
    /// A complete frame is at `frame` while this is used.
    const unsafe fn of(frame: *const u8) -> Self {
        Self { at: frame, left: 0, ends_with_zero: false }
    }

    fn next(&mut self) -> Option<u8> {
        // SAFETY: the conditions of `of`; nothing is read after the zero that ends the frame.
        unsafe {
            while self.left == 0 {
                let code = self.at.read();
                if code == 0 {
                    return None;
                }
                self.at = self.at.wrapping_add(1);
                self.left = code.wrapping_sub(1);
                let has_zero = core::mem::replace(&mut self.ends_with_zero, code != 0xFF);
                if has_zero {
                    return Some(0);
                }
            }
            self.left = self.left.wrapping_sub(1);
            let byte = self.at.read();
            self.at = self.at.wrapping_add(1);
            Some(byte)
        }
    }

    /// Reads an unsigned LEB128.
    fn number(&mut self) -> Option<u32> {
        let (mut value, mut shift) = (0_u32, 0_u32);
        loop {
            let byte = self.next()?;
            value |= u32::from(byte & 0x7F).rotate_right(shift);
            shift = shift.wrapping_sub(7);
            if byte < 0x80 {
                return Some(value);
            }
        }
    }
}

/// Returns the number of the object with this name, by metadata event `id`, of a number and a text, in the table `buf`
/// of core `of`. Compares at most `max_str_len` bytes of a name, because no more are recorded.
///
/// Cost: about 10 instructions per byte of the table. Context: the critical section; with several cores the lock, too.
///
/// # Safety
/// `buf` is the metadata buffer of core `of`. `name` is readable to its NUL or for `max_str_len` bytes.
pub unsafe fn number_of_name(
    of: &CoreState,
    buf: *mut u8,
    id: u8,
    name: *const u8,
    max_str_len: u32,
) -> Option<u32> {
    let end = buf.wrapping_add(of.own_metadata_used().into());
    let mut at = buf;
    // SAFETY: entries and gaps are from `buf` to `end`; the caller vouches for the name.
    unsafe {
        loop {
            at = pass_over_gap(at, end);
            if at >= end {
                return None;
            }
            let mut bytes = Bytes::of(at);
            at = end_of_frame(at);
            if bytes.next() != Some(id) {
                continue;
            }
            let Some(number) = bytes.number() else { continue };
            let mut place = 0_u32;
            loop {
                let is_over = place == max_str_len;
                let wanted = if is_over { 0 } else { name.wrapping_add(place as usize).read() };
                let has = bytes.next();
                if has.unwrap_or(0) != wanted {
                    break;
                }
                if has.is_none() {
                    return Some(number);
                }
                place = place.wrapping_add(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use tband_format::{Event, Str, encode_frame, max_frame_len};

    use super::*;

    #[test]
    fn names_are_found_whatever_their_numbers_and_lengths() {
        let long = [b'l'; 300];
        let names: [(u32, &[u8]); 6] =
            [(0, b"zero"), (128, b"a"), (7, b""), (u32::MAX, b"most"), (16384, b"ab"), (9, &long)];
        let mut table = std::vec![0; 3];
        let mut add = |event: &Event<'_>| {
            let mut frame = std::vec![0; max_frame_len(event, 0)];
            let len = encode_frame(event, 0, &mut frame).expect("room");
            table.extend(&frame[..len]);
            table.push(0);
        };
        for (number, name) in names {
            add(&Event::TaskName { task_id: 5, name: Str(name) });
            add(&Event::QueueName { queue_id: number, name: Str(name) });
        }
        let core = CoreState::new();
        core.set_metadata_used(table.len() as u16);
        let find = |id: u8, name: &[u8], max: u32| {
            let text: Vec<u8> = [name, &[0]].concat();
            // SAFETY: a table of whole frames and gaps, and a text with its NUL.
            unsafe { number_of_name(&core, table.as_ptr().cast_mut(), id, text.as_ptr(), max) }
        };
        for (number, name) in names {
            assert_eq!(find(100, name, 400), Some(number));
        }
        assert_eq!(find(95, b"ab", 400), Some(5));
        assert_eq!(find(100, b"abc", 2), Some(16384));
        for none in [&b"abc"[..], b"zer", b"mos", &[b'l'; 299], &[b'l'; 301]] {
            assert_eq!(find(100, none, 400), None);
        }
        assert_eq!(find(168, b"a", 400), None);
    }
}
