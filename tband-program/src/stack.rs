//! The stack of a crash at that time: checksums that the firmware has recorded show which part of it has not changed since.

use anyhow::bail;
use tband_conv::model::Crash;
use tband_format::named::FaultFact;

use crate::memory::Memory;

/// Blocks with checksums.
const BLOCKS: u32 = 8;

/// A target's memory, from which the stack is read.
pub struct Stack<'m> {
    memory: &'m mut dyn Memory,
    /// Where the blocks begin, bytes of one, bytes of all.
    begin: u32,
    block: u32,
    len: u32,
    /// For each block: the checksum that was recorded; then whether it matches, if that was checked.
    sums: Vec<(Option<u32>, Option<bool>)>,
    /// A block that was read has changed.
    pub has_changed: bool,
    /// Something was read that has no checksum.
    pub is_unchecked: bool,
}

impl<'m> Stack<'m> {
    /// That of a crash.
    pub fn new(crash: &Crash, memory: &'m mut dyn Memory) -> Self {
        let words = crash.value(FaultFact::STACK_WORDS).unwrap_or(0);
        let sums = (0..BLOCKS as u8)
            .map(|number| (crash.value(FaultFact(FaultFact::STACK_SUM0.0 + number)), None));
        Self {
            memory,
            begin: crash.sp().unwrap_or(0),
            block: words.div_ceil(BLOCKS).saturating_mul(4).max(4),
            len: words.saturating_mul(4),
            sums: sums.collect(),
            has_changed: false,
            is_unchecked: false,
        }
    }

    /// A word.
    ///
    /// # Errors
    /// It is not there, or has changed since the crash.
    pub fn word(&mut self, at: u32) -> anyhow::Result<u32> {
        match at.checked_sub(self.begin).filter(|from| *from < self.len) {
            Some(from) => self.check(from / self.block)?,
            None => self.is_unchecked = true,
        }
        let mut word = [0; 4];
        self.memory.read(at.into(), &mut word)?;
        Ok(u32::from_le_bytes(word))
    }

    fn check(&mut self, block: u32) -> anyhow::Result<()> {
        let from = block.saturating_mul(self.block);
        let len = self.block.min(self.len.saturating_sub(from));
        let at = self.begin.saturating_add(from);
        let Some((sum, is_right)) = self.sums.get_mut(block as usize) else {
            self.is_unchecked = true;
            return Ok(());
        };
        let Some(sum) = *sum else {
            self.is_unchecked = true;
            return Ok(());
        };
        let is_right = match *is_right {
            Some(is_right) => is_right,
            None => {
                let mut bytes = vec![0; len as usize];
                self.memory.read(at.into(), &mut bytes)?;
                *is_right.insert(sum_of(&bytes) == sum)
            }
        };
        if !is_right {
            self.has_changed = true;
            bail!("the stack at {at:#x} has changed since the crash");
        }
        Ok(())
    }
}

/// The checksum of words, as the firmware computes it.
pub fn sum_of(bytes: &[u8]) -> u32 {
    bytes.chunks_exact(4).fold(2_166_136_261, |sum, word| {
        let word = word.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        (sum ^ word).wrapping_mul(16_777_619)
    })
}
