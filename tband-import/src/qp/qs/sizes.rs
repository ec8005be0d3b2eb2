//! Sizes of the fields of records, which the target's configuration sets.

use super::super::frame::Fields;
use super::layout::layout;

/// Sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    pub time: u8,
    pub object: u8,
    pub function: u8,
    pub signal: u8,
    pub event: u8,
    pub queue: u8,
    pub pool: u8,
    pub block: u8,
    pub time_event: u8,
}

/// The usual sizes on a Cortex-M.
pub const USUAL: Sizes = Sizes {
    time: 4,
    object: 4,
    function: 4,
    signal: 2,
    event: 2,
    queue: 1,
    pool: 2,
    block: 2,
    time_event: 2,
};

/// A size, and what it may be.
type Choice = (fn(&mut Sizes) -> &mut u8, [u8; 4]);

/// What TARGET_INFO reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetInfo {
    pub sizes: Sizes,
    /// Version times 100, such as 720.
    pub version: u32,
    pub is_reset: bool,
    pub is_big_endian: bool,
    /// When it was built, for people.
    pub built: String,
}

impl TargetInfo {
    /// Reads the data of the record.
    pub fn read(data: &[u8]) -> Option<Self> {
        let mut fields = Fields(data);
        let flags = fields.byte()?;
        let is_new = flags & 3 == 2 && data.len() >= 18;
        let (version, is_reset, is_big_endian) = if is_new {
            // The date of the release is in front of it.
            let version = !(fields.number(4)? as u32) % 10_000;
            (version, flags & 0x40 != 0, flags & 0x80 != 0)
        } else {
            let version = fields.number(2)? as u32;
            (version & 0x7FFF, flags & 1 != 0, version & 0x8000 != 0)
        };
        let mut byte = || fields.byte();
        let (signal, counters, pools, pointers, time) =
            (byte()?, byte()?, byte()?, byte()?, byte()?);
        byte()?;
        byte()?;
        let mut date = [0; 6];
        for place in &mut date {
            *place = byte()?;
        }
        let [second, minute, hour, day, month, year] = date;
        let sizes = Sizes {
            time,
            object: pointers & 15,
            function: pointers >> 4,
            signal: signal & 15,
            event: signal >> 4,
            queue: counters & 15,
            pool: pools >> 4,
            block: pools & 15,
            time_event: counters >> 4,
        };
        let built = format!("20{year:02}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
        let info = Self { sizes, version, is_reset, is_big_endian, built };
        sizes.are_possible().then_some(info)
    }
}

impl Sizes {
    fn are_possible(self) -> bool {
        let all = [
            self.time,
            self.object,
            self.function,
            self.signal,
            self.event,
            self.queue,
            self.pool,
            self.block,
            self.time_event,
        ];
        // A feature that is left out has no size.
        all.iter().all(|size| matches!(size, 0 | 1 | 2 | 4 | 8)) && self.time > 0 && self.object > 0
    }

    /// The size of a field by its letter in a layout.
    pub const fn of(self, letter: u8) -> u8 {
        match letter {
            b't' => self.time,
            b'o' => self.object,
            b'f' => self.function,
            b's' => self.signal,
            b'e' => self.event,
            b'q' => self.queue,
            b'p' => self.pool,
            b'c' => self.time_event,
            b'2' => 2,
            _ => 1,
        }
    }

    /// A record with this data ends where it should.
    fn is_fitting(self, record: u8, data: &[u8], version: u32) -> bool {
        let Some((_, layout)) = layout(record, version) else { return true };
        let mut fields = Fields(data);
        for letter in layout.bytes() {
            let is_there = match letter {
                b'x' => fields.text().is_some(),
                b'*' => return true,
                letter => fields.take(self.of(letter).into()).is_some(),
            };
            if !is_there {
                return false;
            }
        }
        fields.0.is_empty()
    }

    /// The sizes with which most of these records end where they should, and how many do.
    pub fn guess(frames: &[Box<[u8]>], version: u32) -> (Self, usize) {
        let count = |sizes: Self| {
            let fits = |frame: &&[u8]| match frame {
                [_, record, data @ .., _] => sizes.is_fitting(*record, data, version),
                _ => false,
            };
            frames.iter().map(|frame| &**frame).filter(fits).count()
        };
        let mut best = (USUAL, count(USUAL));
        // Each field separately, twice: records that have only one unknown field show it.
        for _ in 0..2 {
            let choices: [Choice; 8] = [
                (|it| &mut it.object, [4, 8, 2, 1]),
                (|it| &mut it.time, [4, 2, 1, 8]),
                (|it| &mut it.function, [4, 8, 2, 1]),
                (|it| &mut it.signal, [2, 1, 4, 8]),
                (|it| &mut it.queue, [1, 2, 4, 8]),
                (|it| &mut it.event, [2, 4, 1, 8]),
                (|it| &mut it.pool, [2, 1, 4, 8]),
                (|it| &mut it.time_event, [2, 4, 1, 8]),
            ];
            for (field, sizes) in choices {
                for size in sizes {
                    let mut other = best.0;
                    *field(&mut other) = size;
                    let fits = count(other);
                    if fits > best.1 {
                        best = (other, fits);
                    }
                }
            }
            // Addresses of objects and functions have one size on most targets.
            for size in [4, 8, 2] {
                for time in [4, 2, 1] {
                    let other = Self { object: size, function: size, time, ..best.0 };
                    let fits = count(other);
                    if fits > best.1 {
                        best = (other, fits);
                    }
                }
            }
        }
        best
    }
}
