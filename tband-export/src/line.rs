//! Text that is written for each change: without the standard library's formatting, which takes several times as long.

use std::fmt::{self, Write};

use crate::decimal::three;

/// Step by which a long text grows, in bytes.
const STEP: usize = 1 << 16;

/// A text under construction. Its memory extends beyond it, so that a short text is stored there with its full capacity, and
/// the surplus is overwritten by the next text.
#[derive(Debug, Default)]
pub struct Line {
    room: Vec<u8>,
    /// Length of the text in it.
    len: usize,
}

impl Line {
    pub const fn new() -> Self {
        Self { room: Vec::new(), len: 0 }
    }

    /// Begins another one.
    pub const fn begin(&mut self) -> &mut Self {
        self.len = 0;
        self
    }

    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the text.
    pub fn bytes(&self) -> &[u8] {
        self.room.get(..self.len).unwrap_or_default()
    }

    /// Appends bytes, and returns all.
    pub fn add(&mut self, bytes: &[u8]) -> &[u8] {
        self.put(bytes);
        self.bytes()
    }

    /// Puts bytes before those from `at` on.
    pub fn insert(&mut self, at: usize, bytes: &[u8]) {
        let at = at.min(self.len);
        self.put(bytes);
        if let Some(moved) = self.room.get_mut(at..self.len) {
            moved.rotate_right(bytes.len());
        }
    }

    /// Takes the first bytes away.
    pub fn remove(&mut self, count: usize) {
        let count = count.min(self.len);
        self.room.copy_within(count..self.len, 0);
        self.len = self.len.saturating_sub(count);
    }

    pub fn text(&mut self, text: &str) -> &mut Self {
        self.put(text.as_bytes())
    }

    fn put(&mut self, bytes: &[u8]) -> &mut Self {
        let end = self.len.wrapping_add(bytes.len());
        match self.room.get_mut(self.len..end) {
            Some(place) => {
                place.copy_from_slice(bytes);
                self.len = end;
                self
            }
            None => self.far(bytes),
        }
    }

    /// Appends bytes that do not fit. Afterwards the line has room for the text, and for as much again; for a long text
    /// it is one step more, or an eighth of it, so that a growing text is seldom moved.
    #[cold]
    fn far(&mut self, bytes: &[u8]) -> &mut Self {
        let end = self.len.saturating_add(bytes.len());
        let room = end.saturating_add(end.clamp(256, STEP).max(end / 8));
        self.room.truncate(self.len);
        self.room.reserve_exact(room.saturating_sub(self.len));
        self.room.extend_from_slice(bytes);
        self.room.resize(room, 0);
        self.len = end;
        self
    }

    /// Appends the first `len` of these bytes: for short texts this is faster than a slice of any length.
    #[inline]
    pub fn short<const ROOM: usize>(&mut self, bytes: [u8; ROOM], len: usize) -> &mut Self {
        debug_assert!(len <= ROOM);
        let end = self.len.wrapping_add(ROOM);
        match self.room.get_mut(self.len..end).and_then(|room| room.first_chunk_mut()) {
            Some(place) => {
                *place = bytes;
                self.len = self.len.wrapping_add(len);
                self
            }
            None => self.put(bytes.get(..len).unwrap_or(&bytes)),
        }
    }

    /// Appends two short texts with a single check of the capacity. The first one is shorter than its buffer.
    #[inline]
    pub fn pair<const FIRST: usize, const SECOND: usize>(
        &mut self,
        first: &([u8; FIRST], usize),
        second: ([u8; SECOND], usize),
    ) -> &mut Self {
        const { assert!(FIRST.is_power_of_two(), "a length is cut by a mask") }
        debug_assert!(first.1 < FIRST && second.1 <= SECOND);
        let end = self.len.wrapping_add(FIRST + SECOND);
        let Some(room) = self.room.get_mut(self.len..end) else {
            return self.far_pair(first, second);
        };
        let len = first.1 % FIRST;
        if let Some(place) = room.first_chunk_mut() {
            *place = first.0;
        }
        if let Some(place) = room.get_mut(len..).and_then(|rest| rest.first_chunk_mut()) {
            *place = second.0;
        }
        self.len = self.len.wrapping_add(len).wrapping_add(second.1);
        self
    }

    /// Appends two texts that do not fit.
    #[cold]
    fn far_pair<const FIRST: usize, const SECOND: usize>(
        &mut self,
        first: &([u8; FIRST], usize),
        second: ([u8; SECOND], usize),
    ) -> &mut Self {
        self.short(first.0, first.1).short(second.0, second.1)
    }

    /// A number in decimal.
    pub fn number(&mut self, number: impl itoa::Integer) -> &mut Self {
        self.text(itoa::Buffer::new().format(number))
    }

    /// Thousandths of something, with three decimals.
    pub fn thousandths(&mut self, number: i64) -> &mut Self {
        if number < 0 {
            self.text("-");
        }
        let number = number.unsigned_abs();
        let [a, b, c] = three((number % 1000) as u32);
        self.number(number / 1000).short([b'.', a, b, c], 4)
    }

    /// A number in binary, a negative one in 64 bits.
    #[inline]
    pub fn bits(&mut self, number: i64) -> &mut Self {
        let bits = number.cast_unsigned();
        // Eight digits at a time; of the first eight those that are needed.
        let mut rest = (bits | 1).ilog2() & !7;
        let first = digits(bits >> rest);
        let zeros = (bits >> rest | 1).leading_zeros().saturating_sub(56);
        self.short((first >> (8 * zeros)).to_le_bytes(), (8_u32.saturating_sub(zeros)) as usize);
        while let Some(next) = rest.checked_sub(8) {
            rest = next;
            self.short(digits(bits >> rest).to_le_bytes(), 8);
        }
        self
    }

    /// The same between `b` and a space, as a change of a vector has it, and after that a short text.
    #[inline]
    pub fn vector<const ROOM: usize>(
        &mut self,
        number: i64,
        after: ([u8; ROOM], usize),
    ) -> &mut Self {
        match usize::try_from(number).ok().and_then(|number| VECTORS.get(number)) {
            Some(vector) => self.pair(vector, after),
            None => self.long_vector(number).short(after.0, after.1),
        }
    }

    #[cold]
    fn long_vector(&mut self, number: i64) -> &mut Self {
        self.text("b").bits(number).text(" ")
    }

    /// Appends a number of double precision, with the minimum of digits that identify it.
    pub fn real(&mut self, number: f64) -> &mut Self {
        // Writing into memory cannot fail.
        let _ = write!(self, "{number:?}");
        self
    }

    /// A text as one word: `_` for white space, and for nothing.
    pub fn word(&mut self, text: &str) -> &mut Self {
        if text.is_empty() {
            return self.text("_");
        }
        if text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return self.text(text);
        }
        for (number, word) in text.split(char::is_whitespace).enumerate() {
            let before = if number > 0 { "_" } else { "" };
            self.text(before).text(word);
        }
        self
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text(text);
        Ok(())
    }
}

/// Numbers of at most eight bits as [`Line::vector`] has them, and how long that is.
static VECTORS: [([u8; 16], usize); 256] = {
    let mut vectors = [([0; 16], 0); 256];
    let mut number = 0;
    while number < 256 {
        let zeros = (number as u8 | 1).leading_zeros();
        let (digits, count) = (digits(number as u64) >> (8 * zeros), 8 - zeros);
        let end = (b' ' as u128) << (8 * (count + 1));
        let text = b'b' as u128 | (digits as u128) << 8 | end;
        vectors[number] = (text.to_le_bytes(), count as usize + 2);
        number += 1;
    }
    vectors
};

/// The lowest eight bits as digits, the highest in the lowest byte.
#[inline]
const fn digits(bits: u64) -> u64 {
    // Each bit is moved to the top of its byte, and no two to the same place.
    const PLACES: u64 = 0x8040_2010_0804_0201;
    const EACH: u64 = 0x0101_0101_0101_0101;
    ((bits & 0xFF).wrapping_mul(PLACES) >> 7 & EACH) | (EACH * b'0' as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(line: &Line, text: &str) {
        assert_eq!(str::from_utf8(line.bytes()).unwrap(), text);
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let mut line = Line::default();
        for number in [0, 1, 2, 5, 999, 1000, 1001, 123_456_789, -1, -1234, i64::MAX, i64::MIN] {
            is(line.begin().number(number), &number.to_string());
            is(line.begin().bits(number), &format!("{number:b}"));
            is(line.begin().bits(number >> 7), &format!("{:b}", number >> 7));
            let (sign, abs) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
            let thousandths = format!("{sign}{}.{:03}", abs / 1000, abs % 1000);
            is(line.begin().thousandths(number), &thousandths);
        }
    }

    #[test]
    fn bits_are_those_of_the_standard_library() {
        let mut line = Line::default();
        for number in (0..64)
            .map(|place| 1_i64 << place)
            .flat_map(|it| [it, it.wrapping_sub(1), it.wrapping_mul(0x5A5A)])
        {
            is(line.begin().bits(number), &format!("{number:b}"));
        }
        for number in -3..=300_i64 {
            is(line.begin().bits(number), &format!("{number:b}"));
            is(line.begin().vector(number, (*b"!\n\0", 2)), &format!("b{number:b} !\n"));
        }
    }

    #[test]
    fn texts_are_one_after_another_however_much_room_there_is() {
        for room in 0..40 {
            let mut line = Line { room: vec![b'?'; room], len: 0 };
            line.short(*b"ab..", 2).pair(&(*b"cde.....", 3), (*b"f...", 1)).short([b'g'; 3], 3);
            is(&line, "abcdefggg");
            line.insert(2, b"xyz");
            is(line.text("!"), "abxyzcdefggg!");
            line.remove(5);
            is(line.pair(&(*b"h.", 1), ([b'i'; 9], 9)), "cdefggg!hiiiiiiiii");
            line.remove(100);
            is(&line, "");
        }
    }

    #[test]
    fn words_have_no_white_space() {
        let mut line = Line::default();
        for (text, word) in [("", "_"), ("a", "a"), ("a b\tc", "a_b_c"), (" ", "_"), ("a ", "a_")] {
            is(line.begin().word(text), word);
        }
    }
}
