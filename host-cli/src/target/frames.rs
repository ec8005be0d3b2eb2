//! Frames in a target's memory: the buffers of snapshots, and a ring that the firmware hands its frames to.

use anyhow::bail;

use super::memory::Words;

/// What the shim's constant says of buffers.
pub struct Setup {
    pub cores: u64,
    core_count: u64,
    pub names: u64,
    pub names_size: u64,
    events: u64,
    events_size: u64,
    build_id: u64,
}

impl Setup {
    /// Reads `tband_setup`.
    pub fn read(words: &mut Words<'_>, at: u64) -> anyhow::Result<Self> {
        let pointer = words.pointer;
        let setup = Self {
            cores: words.pointer(at)?,
            core_count: words.u32(at + pointer)?,
            names_size: words.u32(at + pointer + 12)?,
            names: words.pointer(at + pointer + 16)?,
            events: words.pointer(at + 2 * pointer + 16)?,
            events_size: words.u32(at + 3 * pointer + 16)?,
            build_id: words.pointer(at + 3 * pointer + 24)?,
        };
        if !(1..=255).contains(&setup.core_count) || setup.names_size > 0xFFFF {
            bail!(
                "tband_debugger_setup at {at:#x} is none: the ELF file and the image do not belong together"
            );
        }
        Ok(setup)
    }

    /// The name of the build; `None` if it has none.
    pub fn build_name(&self, words: &mut Words<'_>) -> Option<String> {
        const MOST: u64 = 256;
        let bytes: Vec<u8> = (0..MOST)
            .map_while(|at| words.u8(self.build_id + at).ok().filter(|byte| *byte != 0))
            .map(|byte| byte as u8)
            .collect();
        String::from_utf8(bytes).ok().filter(|name| self.build_id != 0 && !name.is_empty())
    }

    /// Number of cores.
    pub fn core_count(&self) -> u64 {
        self.core_count
    }

    /// State of a core.
    pub fn core(&self, pointer: u64, index: u64) -> u64 {
        self.cores.wrapping_add(index * (2 * pointer + 24))
    }

    /// The table of a core's names, of `used` bytes if that is known apart.
    pub fn table(
        &self,
        words: &mut Words<'_>,
        tables: u64,
        index: u64,
        used: Option<u64>,
    ) -> anyhow::Result<Vec<u8>> {
        let core = self.core(words.pointer, index);
        let used = match used {
            Some(used) => used,
            None => words.u16(core + 2 * words.pointer + 12)?,
        };
        if self.names_size == 0 || tables == 0 || used > self.names_size {
            return Ok(Vec::new());
        }
        words.bytes(tables + index * self.names_size, used)
    }

    /// What a snapshot has of a core; `None` with another backend.
    pub fn snapshot(&self, words: &mut Words<'_>, index: u64) -> anyhow::Result<Option<Vec<u8>>> {
        if self.events_size == 0 {
            return Ok(None);
        }
        let begin = self.events + index * self.events_size;
        // Null until the first recording.
        let end = words.pointer(self.core(words.pointer, index))?;
        match end.checked_sub(begin) {
            Some(len) if len <= self.events_size => Ok(Some(words.bytes(begin, len)?)),
            _ if end == 0 => Ok(Some(Vec::new())),
            _ => bail!(
                "the buffer of core {index} ends at {end:#x}, which is not in it: the memory is damaged"
            ),
        }
    }
}

/// The bytes of a `tband_ring` that nobody has taken yet, from the beginning of a frame.
pub fn ring(words: &mut Words<'_>, at: u64) -> anyhow::Result<Vec<u8>> {
    let pointer = words.pointer;
    let start = words.pointer(at)?;
    let size = words.u32(at + pointer)?;
    let written = words.u32(at + pointer + 4)?;
    let taken = words.u32(at + pointer + 8)?;
    let waiting = (written as u32).wrapping_sub(taken as u32);
    if !size.is_power_of_two() || u64::from(waiting) > size {
        bail!("at {at:#x} is no tband_ring, or it is damaged");
    }
    let bytes = words.bytes(start, size)?;
    let from = (taken % size) as usize;
    let all: Vec<u8> = bytes.iter().cycle().skip(from).take(waiting as usize).copied().collect();
    let before = bytes.get((taken.wrapping_sub(1) % size) as usize).copied();
    if taken == 0 || before == Some(0) {
        return Ok(all);
    }
    let cut = all.iter().position(|byte| *byte == 0).map_or(all.len(), |zero| zero + 1);
    Ok(all.get(cut..).unwrap_or_default().to_vec())
}
