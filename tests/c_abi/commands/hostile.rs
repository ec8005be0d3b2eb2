//! The bytes of an attacker, and commands that are damaged by a disturbed line.

use tband_format::packet::{of_hash, step};
use tband_tests::random::Random;

use super::model::Permissions;

fn bytes(random: &mut Random, most: u32) -> Vec<u8> {
    (0..random.below(most + 1)).map(|_| random.word() as u8).collect()
}

pub struct Hostile {
    allowed: Permissions,
    number: u16,
    /// Frames that were sent before.
    before: Vec<Vec<u8>>,
}

/// A COBS frame, with the zero byte that closes it, of fewer than 254 bytes.
fn framed(content: &[u8]) -> Vec<u8> {
    let blocks = content.split(|byte| *byte == 0);
    let mut frame = Vec::new();
    for block in blocks {
        frame.push(block.len() as u8 + 1);
        frame.extend_from_slice(block);
    }
    frame.push(0);
    frame
}

/// With the check that belongs to it.
fn checked(mut content: Vec<u8>) -> Vec<u8> {
    let (words, _) = content.as_chunks::<4>();
    let hash = words.iter().fold(0, |hash, word| step(hash, u32::from_le_bytes(*word)));
    content.extend_from_slice(&of_hash(hash).to_le_bytes());
    content
}

impl Hostile {
    pub const fn new(allowed: Permissions) -> Self {
        Self { allowed, number: 0, before: Vec::new() }
    }

    /// A number near where something changes.
    fn argument(&self, random: &mut Random) -> u32 {
        let Permissions { page, first, last, .. } = self.allowed;
        let (off, part) = (random.below(11), random.below(3));
        let near = |what: u32| what.wrapping_add(off).wrapping_sub(5);
        let room = last.wrapping_sub(first).wrapping_add(1);
        match random.below(10) {
            0 | 1 => random.below(20),
            2 => near(first),
            3 => near(last),
            4 => near(page.wrapping_add(random.one_of(&[0, 4096, u32::MAX - 4095]))),
            // Times the size they are small numbers again.
            5 => (random.below(8) << 29).wrapping_add(near(0)),
            6 => near(room >> part),
            7 => 1 << random.below(32),
            8 => near(0),
            _ => random.word(),
        }
    }

    fn size(&self, random: &mut Random) -> u32 {
        if random.one_in(4) { self.argument(random) } else { random.one_of(&[1, 2, 4]) }
    }

    fn address(&self, random: &mut Random) -> u32 {
        let Permissions { first, last, .. } = self.allowed;
        if random.one_in(2) || first > last {
            return self.argument(random);
        }
        first + random.below(last - first + 1)
    }

    fn count(&self, random: &mut Random) -> u32 {
        if random.one_in(2) { self.argument(random) } else { random.below(40) }
    }

    fn arguments(&self, random: &mut Random, kind: u8) -> Vec<u32> {
        let value = random.word();
        match kind {
            7 => vec![self.size(random), self.address(random)],
            8 => vec![self.size(random), self.address(random), value],
            9 => vec![self.size(random), self.address(random), value, self.count(random)],
            13 => vec![self.address(random), self.count(random)],
            14 => vec![self.size(random), self.count(random)],
            15 => vec![self.size(random), self.count(random), value, self.count(random)],
            11 => vec![random.below(50), self.argument(random), random.below(2)],
            18 => vec![
                random.below(10),
                self.argument(random),
                self.argument(random),
                random.one_of(&[0, u32::MAX, 1]),
                random.below(3),
                random.below(3),
            ],
            19 | 20 => vec![if random.one_in(2) { random.below(9) } else { value }],
            _ => {
                let counts = [0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 6, 0, 0, 0, 6, 3];
                let count = counts.get(usize::from(kind)).copied().unwrap_or_default();
                (0..count).map(|_| self.argument(random)).collect()
            }
        }
    }

    /// Version, kind, number and arguments, which need not belong together.
    fn content(&mut self, random: &mut Random) -> Vec<u8> {
        let memory = [7, 8, 9, 13, 14, 15];
        let kind = match random.below(40) {
            0..=19 => random.one_of(&memory),
            20..=35 => random.one_of(&[1, 4, 5, 6, 6, 10, 11, 12, 16, 17, 18, 19, 20]),
            36 => random.one_of(&[2, 2, 3]),
            37 => random.word() as u8,
            38 => random.one_of(&[0, 21, 22, 127, 128, 255]),
            _ => 2,
        };
        let mut arguments = self.arguments(random, kind);
        if random.one_in(20) {
            let len = random.below(9) as usize;
            arguments.resize_with(len, || self.argument(random));
        }
        let version = if random.one_in(50) { random.word() as u8 } else { 1 };
        self.number = match random.below(30) {
            0 => random.word() as u16,
            1 => self.number.wrapping_sub(random.below(4) as u16),
            2 => self.number,
            _ => self.number.wrapping_add(1),
        };
        let [low, high] = self.number.to_le_bytes();
        let mut content = vec![version, kind, low, high];
        content.extend(arguments.iter().flat_map(|it| it.to_le_bytes()));
        content
    }

    /// Returns the next bytes, usually a frame.
    pub fn next(&mut self, random: &mut Random) -> Vec<u8> {
        let content = self.content(random);
        let mut frame = framed(&checked(content.clone()));
        let len = frame.len() as u32;
        match random.below(40) {
            0..=3 => frame[random.below(len) as usize] ^= 1 << random.below(8),
            4 | 5 => frame.truncate(random.below(len) as usize),
            // Two that become one.
            6 | 7 => drop(frame.pop()),
            8 => frame = bytes(random, 80),
            // No check, another one, or none for the last bytes.
            9 => frame = framed(&content),
            10 => frame = framed(&[content, bytes(random, 8)].concat()),
            11 => frame = framed(&checked([content, bytes(random, 9)].concat())),
            12 => frame = vec![0; random.below(70) as usize],
            13 => frame = [1, 0].repeat(random.below(40) as usize),
            14 => drop(frame.remove(random.below(len) as usize)),
            15 => frame.insert(random.below(len) as usize, random.word() as u8),
            16 => frame.swap(random.below(len) as usize, random.below(len) as usize),
            // Bytes that came before, most often the last.
            17..=20 => {
                if let Some(last) = self.before.len().checked_sub(1) {
                    let back = if random.one_in(2) { 0 } else { random.below(8) as usize };
                    frame.clone_from(&self.before[last.saturating_sub(back)]);
                }
            }
            _ => {
                if self.before.len() == 8 {
                    self.before.remove(0);
                }
                self.before.push(frame.clone());
            }
        }
        frame
    }
}
