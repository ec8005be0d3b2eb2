//! What describes a channel of RTT in the target's memory, and how bytes get into one that goes down.

use anyhow::bail;

use super::memory::Memory;

/// What describes a channel.
pub struct Channel {
    pub name: u64,
    pub ring: u64,
    pub size: u64,
    pub write: u64,
    pub read: u64,
}

impl Channel {
    /// Bytes of it.
    pub const fn len(pointer: u64) -> u64 {
        2 * pointer + 16
    }

    /// The channel that is described there.
    ///
    /// # Errors
    /// The memory cannot be read.
    pub fn read(memory: &mut dyn Memory, at: u64, pointer: u64) -> anyhow::Result<Self> {
        let mut bytes = [0; 32];
        let len = usize::try_from(Self::len(pointer))?;
        let bytes = bytes.get_mut(..len).unwrap_or_default();
        memory.read(at, bytes)?;
        let wide = usize::try_from(pointer)?;
        let word = |from: usize, len: usize| {
            let word = bytes.get(from..from + len).unwrap_or_default();
            word.iter().rev().fold(0_u64, |word, byte| word << 8 | u64::from(*byte))
        };
        let after = 2 * wide;
        Ok(Self {
            name: word(0, wide),
            ring: word(wide, wide),
            size: word(after, 4),
            write: word(after + 4, 4),
            read: word(after + 8, 4),
        })
    }
}

/// Writes as many of these bytes into the channel that is described there as there is room for, and returns how many.
///
/// # Errors
/// It is not set up, or the memory cannot be read and written.
pub fn put(memory: &mut dyn Memory, at: u64, pointer: u64, bytes: &[u8]) -> anyhow::Result<usize> {
    let Channel { ring, size, write, read, .. } = Channel::read(memory, at, pointer)?;
    if ring == 0 || write >= size || read >= size {
        bail!(
            "the channel down at {at:#x} is not set up: the firmware does not run, or is another one"
        );
    }
    // One byte stays free.
    let room = if read > write { read - write - 1 } else { size - write + read - 1 };
    let len = bytes.len().min(usize::try_from(room)?);
    let to_end = usize::try_from(size - write)?;
    let (first, second) = bytes.get(..len).unwrap_or_default().split_at(len.min(to_end));
    for (from, part) in [(ring + write, first), (ring, second)] {
        if !part.is_empty() {
            memory.write(from, part)?;
        }
    }
    if len > 0 {
        // After that they are the target's.
        let number = u32::try_from((write + len as u64) % size)?.to_le_bytes();
        memory.write(at + 2 * pointer + 4, &number)?;
    }
    Ok(len)
}
