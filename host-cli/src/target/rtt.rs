//! RTT: the up-channel of a control block, read out of the target's memory as a probe does.

use anyhow::{bail, ensure};
use tband_program::Memory;

use super::channel::{self, Channel};

/// First bytes of a control block; zeros up to 16 bytes follow.
const ID: &[u8; 10] = b"SEGGER RTT";
/// Bytes of the id and of the two numbers of channels after it.
const HEAD: u64 = 24;
/// Maximum number of channels of a block; more mean that it is not a block.
const MOST: u32 = 64;
/// Bytes of memory that are searched at once.
const PIECE: u64 = 4096;
/// Bytes that a name may have.
const NAME: usize = 32;

/// The channels of a recorder, by their names.
#[derive(Debug, PartialEq, Eq)]
pub struct Channels {
    /// That of the recording.
    pub up: &'static str,
    /// That of commands; `None`: the one of the recording's number.
    pub down: Option<&'static str>,
    /// How firmware sets the channels up: the end of a sentence.
    pub remedy: &'static str,
}

impl Channels {
    /// Those of tband.
    pub const OWN: Self = Self {
        up: "tband",
        down: None,
        remedy: "call tband_start_streaming(), with tband_configUSE_RTT 1",
    };

    /// They are those of tband.
    pub fn is_own(&self) -> bool {
        *self == Self::OWN
    }
}

/// An up-channel of a control block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rtt {
    /// Address of the channel's descriptor.
    at: u64,
    /// Where the memory of its ring is, and its bytes.
    ring: u64,
    size: u64,
    /// Address of the descriptor of the down-channel with its number.
    down: Option<u64>,
    /// Bytes of a pointer.
    pointer: u64,
}

impl Rtt {
    /// The channel of the recording in a control block; none if the block, or the channel, is not set up yet.
    ///
    /// # Errors
    /// The memory cannot be read, or there are only other channels.
    pub fn at(
        memory: &mut dyn Memory,
        block: u64,
        pointer: u64,
        names: &Channels,
    ) -> anyhow::Result<Option<Self>> {
        let mut head = [0; HEAD as usize];
        memory.read(block, &mut head)?;
        let number_of = |at: usize| {
            let bytes = head.get(at..).and_then(<[u8]>::first_chunk);
            bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
        };
        let channels = number_of(16);
        if !head.starts_with(ID) || channels == 0 || channels > MOST {
            return Ok(None);
        }
        let mut others = Vec::new();
        for number in 0..channels {
            let at = place(block, number, pointer);
            let channel = Channel::read(memory, at, pointer)?;
            if channel.name == 0 || channel.ring == 0 || channel.size == 0 {
                continue;
            }
            let name = name(memory, channel.name);
            if name == names.up {
                let Channel { ring, size, .. } = channel;
                let all = if number_of(20) <= MOST { number_of(20) } else { 0 };
                let down = match names.down {
                    None => (all > number).then(|| place(block, channels + number, pointer)),
                    Some(down) => {
                        let places =
                            (0..all).map(|number| place(block, channels + number, pointer));
                        named(memory, places, down, pointer)?
                    }
                };
                return Ok(Some(Self { at, ring, size, down, pointer }));
            }
            others.push(name);
        }
        // Another firmware's block is set up before the recording is started.
        ensure!(
            others.is_empty(),
            "the control block at {block:#x} has no channel '{}', but {}; {}",
            names.up,
            others.join(", "),
            names.remedy
        );
        Ok(None)
    }

    /// Searches memory from one address to another for a control block.
    ///
    /// # Errors
    /// The memory cannot be read.
    pub fn find(memory: &mut dyn Memory, from: u64, to: u64) -> anyhow::Result<Option<u64>> {
        let mut at = from;
        while at < to {
            // A block across two pieces is complete in one of them.
            let len = PIECE.min(to - at);
            let mut bytes = vec![0; usize::try_from(len)?];
            memory.read(at, &mut bytes)?;
            let is_one = |bytes: &[u8]| bytes.starts_with(ID);
            // It is aligned as a word at least.
            let found = (0..bytes.len()).step_by(4);
            let found = found.into_iter().find(|at| bytes.get(*at..).is_some_and(is_one));
            if let Some(found) = found {
                return Ok(Some(at + found as u64));
            }
            at += if len < PIECE { len } else { PIECE - 16 };
        }
        Ok(None)
    }

    /// Bytes of its ring.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Writes as many of these bytes into the down-channel with its number as there is room for, and returns how many.
    ///
    /// # Errors
    /// There is no such channel, or the memory cannot be written.
    pub fn put(&self, memory: &mut dyn Memory, bytes: &[u8]) -> anyhow::Result<usize> {
        let Some(down) = self.down else {
            bail!(
                "the control block has no down-channel for commands, by the name or the number that the recorder uses: the firmware sets it up"
            )
        };
        channel::put(memory, down, self.pointer, bytes)
    }

    /// The channel as it is now.
    fn channel(&self, memory: &mut dyn Memory) -> anyhow::Result<Channel> {
        let channel = Channel::read(memory, self.at, self.pointer)?;
        if (channel.ring, channel.size) != (self.ring, self.size)
            || channel.write >= self.size
            || channel.read >= self.size
        {
            bail!("the channel at {:#x} has changed: the target was reset", self.at);
        }
        Ok(channel)
    }

    /// Returns the bytes written since the last call, and releases them.
    ///
    /// # Errors
    /// The memory cannot be read or written, or the channel has changed.
    pub fn take(&self, memory: &mut dyn Memory) -> anyhow::Result<Vec<u8>> {
        let Channel { write, read, .. } = self.channel(memory)?;
        // To the end of the ring, and from its begin on.
        let parts =
            if read <= write { [(read, write), (0, 0)] } else { [(read, self.size), (0, write)] };
        let mut bytes = Vec::new();
        for (from, to) in parts {
            let mut part = vec![0; usize::try_from(to - from)?];
            if !part.is_empty() {
                memory.read(self.ring + from, &mut part)?;
            }
            bytes.append(&mut part);
        }
        // If the target was reset during the read, the bytes are not from the channel.
        if !bytes.is_empty() && self.channel(memory)?.read != read {
            bail!("something else reads the channel at {:#x}, or the target was reset", self.at);
        }
        // After that it is the target's again. A target that waits for a reader sees that there is one.
        let number = u32::try_from(write)?.to_le_bytes();
        memory.write(self.at + 2 * self.pointer + 8, &number)?;
        Ok(bytes)
    }
}

/// Where the channel of this number is described; those that go down follow those that go up.
fn place(block: u64, number: u32, pointer: u64) -> u64 {
    block + HEAD + u64::from(number) * Channel::len(pointer)
}

/// The first of these channels that has this name.
fn named(
    memory: &mut dyn Memory,
    places: impl Iterator<Item = u64>,
    wanted: &str,
    pointer: u64,
) -> anyhow::Result<Option<u64>> {
    for at in places {
        let channel = Channel::read(memory, at, pointer)?;
        if channel.name != 0 && name(memory, channel.name) == wanted {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Reads a text in the target's memory; empty if it is not a text.
fn name(memory: &mut dyn Memory, at: u64) -> String {
    let mut bytes = Vec::new();
    for offset in 0..NAME as u64 {
        let mut byte = [0];
        if memory.read(at + offset, &mut byte).is_err() || byte == [0] {
            break;
        }
        bytes.extend(byte);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target's memory from 0x2000_0000 on.
    struct Ram(Vec<u8>);

    const BASE: u64 = 0x2000_0000;
    const BLOCK: u64 = BASE + 0x1FF8;
    const RING: u64 = BASE + 0x100;
    const SIZE: u64 = 64;

    impl Ram {
        fn put(&mut self, at: u64, bytes: &[u8]) {
            let at = (at - BASE) as usize;
            self.0[at..at + bytes.len()].copy_from_slice(bytes);
        }

        fn word(&self, at: u64) -> u32 {
            let at = (at - BASE) as usize;
            u32::from_le_bytes(self.0[at..at + 4].try_into().unwrap())
        }

        /// Creates a block with a channel for text and one of these, with written bytes.
        fn with_channels(name: &[u8], write: u32, read: u32) -> Self {
            let mut ram = Self(vec![0; 0x3000]);
            ram.put(BASE + 0x10, b"Terminal\0");
            ram.put(BASE + 0x20, name);
            ram.put(BLOCK, ID);
            let channels = [(0x10, 0x200, 32, 5, 0), (0x20, 0x100, SIZE as u32, write, read)];
            let mut words = vec![2, 1];
            for (name, ring, size, write, read) in channels {
                let base = BASE as u32;
                words.extend([base + name, base + ring, size, write, read, 0]);
            }
            for (at, word) in words.into_iter().enumerate() {
                ram.put(BLOCK + 16 + 4 * at as u64, &word.to_le_bytes());
            }
            ram.put(RING, &(0..SIZE as u8).collect::<Vec<_>>());
            ram
        }
    }

    /// Where the channel is described.
    const AT: u64 = BLOCK + HEAD + 24;

    impl Memory for Ram {
        fn read(&mut self, at: u64, buf: &mut [u8]) -> anyhow::Result<()> {
            let from = at.checked_sub(BASE).and_then(|at| usize::try_from(at).ok());
            let found = from.and_then(|from| self.0.get(from..from + buf.len()));
            buf.copy_from_slice(found.ok_or_else(|| anyhow::anyhow!("no memory at {at:#x}"))?);
            Ok(())
        }

        fn write(&mut self, at: u64, bytes: &[u8]) -> anyhow::Result<()> {
            self.put(at, bytes);
            Ok(())
        }
    }

    #[test]
    fn a_channel_is_found_by_its_name_and_read_to_where_it_was_written() {
        let mut ram = Ram::with_channels(b"tband\0", 10, 3);
        // Across two pieces of the searched memory.
        assert_eq!(Rtt::find(&mut ram, BASE, BASE + 0x3000).unwrap(), Some(BLOCK));
        assert_eq!(Rtt::find(&mut ram, BASE, BLOCK).unwrap(), None);
        let rtt = Rtt::at(&mut ram, BLOCK, 4, &Channels::OWN).unwrap().unwrap();
        assert_eq!(rtt.take(&mut ram).unwrap(), [3, 4, 5, 6, 7, 8, 9]);
        assert_eq!((ram.word(AT + 16), ram.word(AT + 12)), (10, 10));
        assert!(rtt.take(&mut ram).unwrap().is_empty());
        // Over the end of the ring; the value written last is where reading continues.
        ram.put(AT + 12, &2_u32.to_le_bytes());
        let taken = rtt.take(&mut ram).unwrap();
        assert_eq!((taken.len(), taken.first(), taken.last()), (56, Some(&10), Some(&1)));
        assert_eq!(ram.word(AT + 16), 2);
        // The channel for text is as it was.
        assert_eq!(ram.word(BLOCK + HEAD + 16), 0);
    }

    /// The down-channel of another recorder need not have the number of its up-channel.
    #[test]
    fn channels_of_other_recorders_are_found_by_both_names() {
        let names = Channels { up: "TzData", down: Some("TzCtrl"), remedy: "call it" };
        let mut ram = Ram::with_channels(b"TzData\0", 10, 3);
        let rtt = Rtt::at(&mut ram, BLOCK, 4, &names).unwrap().unwrap();
        assert_eq!(rtt.take(&mut ram).unwrap(), [3, 4, 5, 6, 7, 8, 9]);
        let error = rtt.put(&mut ram, b"x").unwrap_err().to_string();
        assert!(error.contains("no down-channel"), "{error}");
        // The only one that goes down follows both that go up.
        let down = BLOCK + HEAD + 2 * 24;
        ram.put(BASE + 0x30, b"TzCtrl\0");
        let words = [BASE as u32 + 0x30, BASE as u32 + 0x300, 16, 0, 0, 0];
        for (at, word) in (down..).step_by(4).zip(words) {
            ram.put(at, &word.to_le_bytes());
        }
        let rtt = Rtt::at(&mut ram, BLOCK, 4, &names).unwrap().unwrap();
        assert_eq!(rtt.put(&mut ram, b"go").unwrap(), 2);
        assert_eq!((&ram.0[0x300..0x302], ram.word(down + 12)), (&b"go"[..], 2));
        let mut other = Ram::with_channels(b"SysView\0", 0, 0);
        let error = Rtt::at(&mut other, BLOCK, 4, &names).unwrap_err().to_string();
        assert!(error.contains("'TzData', but Terminal, SysView; call it"), "{error}");
    }

    #[test]
    fn missing_setup_is_awaited_and_wrong_setup_is_reported() {
        let mut empty = Ram(vec![0; 0x3000]);
        assert_eq!(Rtt::at(&mut empty, BLOCK, 4, &Channels::OWN).unwrap(), None);
        assert!(Rtt::at(&mut empty, BASE - 4, 4, &Channels::OWN).is_err());
        let mut other = Ram::with_channels(b"SysView\0", 0, 0);
        let error = Rtt::at(&mut other, BLOCK, 4, &Channels::OWN).unwrap_err().to_string();
        assert!(error.contains("Terminal, SysView"), "{error}");
        let mut ram = Ram::with_channels(b"tband\0", 10, 3);
        let rtt = Rtt::at(&mut ram, BLOCK, 4, &Channels::OWN).unwrap().unwrap();
        for (at, word) in [(AT + 12, SIZE as u32), (AT + 16, u32::MAX), (AT + 8, 0), (AT + 4, 1)] {
            let mut reset = Ram(ram.0.clone());
            reset.put(at, &word.to_le_bytes());
            let before = reset.0.clone();
            assert!(rtt.take(&mut reset).is_err());
            assert!(reset.0 == before);
        }
        // More channels than there can be.
        ram.put(BLOCK + 16, &u32::MAX.to_le_bytes());
        assert_eq!(Rtt::at(&mut ram, BLOCK, 4, &Channels::OWN).unwrap(), None);
    }

    #[test]
    fn pointers_of_64_bits() {
        let mut ram = Ram(vec![0; 0x3000]);
        ram.put(BASE + 0x20, b"tband\0");
        ram.put(BLOCK, ID);
        ram.put(BLOCK + 16, &1_u32.to_le_bytes());
        ram.put(BLOCK + HEAD, &(BASE + 0x20).to_le_bytes());
        ram.put(BLOCK + HEAD + 8, &RING.to_le_bytes());
        for (at, word) in [(16, SIZE as u32), (20, 2), (24, 63)] {
            ram.put(BLOCK + HEAD + at, &word.to_le_bytes());
        }
        ram.put(RING, &[1, 2]);
        ram.put(RING + 63, &[9]);
        let rtt = Rtt::at(&mut ram, BLOCK, 8, &Channels::OWN).unwrap().unwrap();
        assert_eq!(rtt.take(&mut ram).unwrap(), [9, 1, 2]);
        assert_eq!(ram.word(BLOCK + HEAD + 24), 2);
    }
}
