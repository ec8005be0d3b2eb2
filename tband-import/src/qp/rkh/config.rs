//! What a target records, and the sizes of its fields.

use super::super::frame::Fields;
use super::layout::layout;

/// The configuration, from TCFG or inferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Version in BCD, such as 3400h; 0 if it is not known.
    pub version: u16,
    pub has_sender: bool,
    pub has_queue_low: bool,
    pub has_pool_low: bool,
    pub has_sequence: bool,
    pub has_checksum: bool,
    pub signal: u8,
    /// Bytes of a timestamp; 0 if there is none.
    pub time: u8,
    pub pointer: u8,
    pub ticks: u8,
    pub blocks: u8,
    pub elements: u8,
    pub event: u8,
    pub block: u8,
    /// The lower 16 bits of the timestamps' frequency.
    pub hz: u16,
}

/// The usual configuration.
pub const USUAL: Config = Config {
    version: 0,
    has_sender: false,
    has_queue_low: false,
    has_pool_low: false,
    has_sequence: true,
    has_checksum: true,
    signal: 1,
    time: 4,
    pointer: 4,
    ticks: 2,
    blocks: 1,
    elements: 1,
    event: 2,
    block: 1,
    hz: 0,
};

impl Config {
    /// Reads the arguments of TCFG.
    pub fn read(data: &[u8]) -> Option<Self> {
        let mut fields = Fields(data);
        let version = fields.number(2)? as u16;
        let flags = fields.number(4)?;
        let has = |bit: u32| flags >> bit & 1 != 0;
        let mut sizes = || fields.byte().map(|byte| (byte >> 4, byte & 15));
        let ((signal, time), (pointer, ticks)) = (sizes()?, sizes()?);
        let ((blocks, elements), (_, event), (block, _)) = (sizes()?, sizes()?, sizes()?);
        let hz = fields.number(2)? as u16;
        let config = Self {
            version,
            has_sender: has(0),
            has_queue_low: has(11),
            has_pool_low: has(12),
            has_sequence: has(15),
            has_checksum: has(17),
            signal,
            time: if has(16) { time } else { 0 },
            pointer,
            ticks,
            blocks,
            elements,
            event,
            block,
            hz,
        };
        let all = [signal, time, pointer, ticks, blocks, elements, event, block];
        let are_possible = all.iter().all(|size| matches!(size, 0 | 1 | 2 | 4 | 8));
        (are_possible && signal > 0 && pointer > 0).then_some(config)
    }

    /// The size of an argument by its letter in a layout.
    pub const fn of(&self, letter: u8) -> u8 {
        match letter {
            b'p' | b'f' => self.pointer,
            b's' => self.signal,
            b'n' => self.elements,
            b'm' => {
                if self.has_queue_low {
                    self.elements
                } else {
                    0
                }
            }
            b'k' => self.blocks,
            b'K' => {
                if self.has_pool_low {
                    self.blocks
                } else {
                    0
                }
            }
            b't' => self.ticks,
            b'r' => {
                if self.has_sender {
                    self.pointer
                } else {
                    0
                }
            }
            b'e' => self.event,
            b'z' => self.block,
            b'w' => 2,
            b'u' => 4,
            _ => 1,
        }
    }

    /// A frame without its checksum ends where its arguments do.
    fn is_fitting(&self, frame: &[u8]) -> bool {
        let [id, rest @ ..] = frame else { return false };
        let Some((_, layout)) = layout(*id) else { return true };
        let mut fields = Fields(rest);
        if fields.take(usize::from(self.has_sequence) + usize::from(self.time)).is_none() {
            return false;
        }
        for letter in layout.bytes() {
            let is_there = match letter {
                b'*' => return true,
                b'x' => fields.text().is_some(),
                letter => fields.take(self.of(letter).into()).is_some(),
            };
            if !is_there {
                return false;
            }
        }
        fields.0.is_empty()
    }

    /// The configuration with which most of these frames end where they should, and how many do.
    pub fn guess(frames: &[Box<[u8]>]) -> (Self, usize) {
        let count = |config: Self| {
            let fits = |frame: &&[u8]| {
                frame.split_last().is_some_and(|(_, frame)| config.is_fitting(frame))
            };
            frames.iter().map(|frame| &**frame).filter(fits).count()
        };
        let mut best = (USUAL, count(USUAL));
        let mut attempt = |change: &dyn Fn(&mut Self)| {
            let mut config = best.0;
            change(&mut config);
            let fits = count(config);
            if fits > best.1 {
                best = (config, fits);
            }
        };
        for _ in 0..2 {
            for pointer in [4, 8, 2] {
                for time in [4, 2, 0] {
                    attempt(&|it| (it.pointer, it.time) = (pointer, time));
                }
            }
            for size in [1, 2, 4] {
                attempt(&|it| it.signal = size);
                attempt(&|it| it.elements = size);
                attempt(&|it| it.blocks = size);
                attempt(&|it| it.ticks = size);
                attempt(&|it| it.event = size);
                attempt(&|it| it.block = size);
            }
            attempt(&|it| it.has_sender = !it.has_sender);
            attempt(&|it| it.has_queue_low = !it.has_queue_low);
            attempt(&|it| it.has_pool_low = !it.has_pool_low);
            attempt(&|it| (it.has_queue_low, it.has_sender) = (true, true));
        }
        best
    }
}
