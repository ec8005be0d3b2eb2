//! Reading a target's memory, whatever it is: an image, a file, a debugger.

use anyhow::bail;

/// Memory that can be read.
pub trait Memory {
    /// Reads all these bytes.
    ///
    /// # Errors
    /// Some of them are not there.
    fn read(&mut self, at: u64, buf: &mut [u8]) -> anyhow::Result<()>;

    /// Writes these bytes, if this is the memory of a connected target.
    ///
    /// # Errors
    /// It is not, or refuses the write.
    fn write(&mut self, at: u64, bytes: &[u8]) -> anyhow::Result<()> {
        bail!("{} bytes at {at:#x} cannot be written: this is an image", bytes.len())
    }
}

/// Memory as its little-endian words.
pub struct MemoryWords<'m> {
    memory: &'m mut dyn Memory,
    /// Bytes of a pointer: 4 or 8.
    pub pointer: u64,
}

impl<'m> MemoryWords<'m> {
    /// Creates the words of a target whose pointers have this many bytes.
    pub fn new(memory: &'m mut dyn Memory, pointer: u64) -> Self {
        Self { memory, pointer }
    }

    /// These bytes.
    ///
    /// # Errors
    /// They are not there, or more than a target has.
    pub fn bytes(&mut self, at: u64, len: u64) -> anyhow::Result<Vec<u8>> {
        const MOST: u64 = 1 << 24;
        if len > MOST {
            bail!(
                "{len} bytes at {at:#x} are more than a buffer can have; the firmware is another one"
            );
        }
        let mut bytes = vec![0; usize::try_from(len)?];
        self.memory.read(at, &mut bytes)?;
        Ok(bytes)
    }

    fn number(&mut self, at: u64, len: u64) -> anyhow::Result<u64> {
        let bytes = self.bytes(at, len)?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// Writes these bytes.
    ///
    /// # Errors
    /// It cannot be done.
    pub fn write(&mut self, at: u64, bytes: &[u8]) -> anyhow::Result<()> {
        self.memory.write(at, bytes)
    }

    /// A byte.
    ///
    /// # Errors
    /// It is not there.
    pub fn u8(&mut self, at: u64) -> anyhow::Result<u64> {
        self.number(at, 1)
    }

    /// Two bytes.
    ///
    /// # Errors
    /// They are not there.
    pub fn u16(&mut self, at: u64) -> anyhow::Result<u64> {
        self.number(at, 2)
    }

    /// Four bytes.
    ///
    /// # Errors
    /// They are not there.
    pub fn u32(&mut self, at: u64) -> anyhow::Result<u64> {
        self.number(at, 4)
    }

    /// A pointer.
    ///
    /// # Errors
    /// It is not there.
    pub fn pointer(&mut self, at: u64) -> anyhow::Result<u64> {
        self.number(at, self.pointer)
    }
}
