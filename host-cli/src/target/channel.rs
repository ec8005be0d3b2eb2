//! The descriptor of an RTT channel in the target's memory, and writes to a down-channel.

use anyhow::bail;
use tband_program::Memory;

/// The descriptor of a channel.
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

/// Writes as many of these bytes into the channel with this descriptor as there is room for, and returns how many.
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
    // A target's memory may contain anything.
    let Some(begin) = ring.checked_add(write) else {
        bail!("the channel down at {at:#x} names memory from {ring:#x} on, which ends before it");
    };
    let (first, second) = bytes.get(..len).unwrap_or_default().split_at(len.min(to_end));
    for (from, part) in [(begin, first), (ring, second)] {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory from address 0 on.
    struct Bytes(Vec<u8>);

    impl Memory for Bytes {
        fn read(&mut self, at: u64, buf: &mut [u8]) -> anyhow::Result<()> {
            let at = usize::try_from(at)?;
            buf.copy_from_slice(&self.0[at..at + buf.len()]);
            Ok(())
        }

        fn write(&mut self, at: u64, bytes: &[u8]) -> anyhow::Result<()> {
            let at = usize::try_from(at)?;
            self.0[at..at + bytes.len()].copy_from_slice(bytes);
            Ok(())
        }
    }

    /// A channel of 8 bytes at 32, which is described at 0 with pointers of 8 bytes.
    fn channel(ring: u64, write: u32, read: u32) -> Bytes {
        let mut bytes = vec![0; 40];
        bytes[8..16].copy_from_slice(&ring.to_le_bytes());
        for (at, word) in [(16, 8), (20, write), (24, read)] {
            bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(word));
        }
        Bytes(bytes)
    }

    #[test]
    fn bytes_go_in_as_far_as_there_is_room() {
        for (write, read, room) in
            [(0, 0, 7), (7, 7, 7), (6, 2, 3), (2, 6, 3), (3, 4, 0), (7, 0, 0)]
        {
            let mut memory = channel(32, write, read);
            assert_eq!(put(&mut memory, 0, 8, b"abcdefghi").unwrap(), room, "{write} {read}");
            for (place, byte) in b"abcdefghi"[..room].iter().enumerate() {
                assert_eq!(memory.0[32 + (write as usize + place) % 8], *byte);
            }
            let now = Channel::read(&mut memory, 0, 8).unwrap().write;
            assert_eq!(now, (u64::from(write) + room as u64) % 8);
        }
    }

    #[test]
    fn an_invalid_channel_is_reported() {
        for (ring, write, read) in [(0, 0, 0), (32, 8, 0), (32, 0, 8), (u64::MAX, 1, 0)] {
            let error = put(&mut channel(ring, write, read), 0, 8, b"a").unwrap_err();
            assert!(error.to_string().contains("the channel down at 0x0"), "{error}");
        }
    }
}
