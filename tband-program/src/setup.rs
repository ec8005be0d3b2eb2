//! A program's facts about its recorder: the shim's constant `tband_debugger_setup`.

use std::path::Path;

use anyhow::{anyhow, bail};

use crate::elf_file::Elf;
use crate::memory::{Memory, MemoryWords};
use crate::symbols::Program;

/// The shim's constant about buffers.
#[derive(Debug)]
pub struct Setup {
    /// Where the states of the cores are.
    pub cores: u64,
    core_count: u64,
    /// Bytes of a text in a recording, at most.
    max_str_len: u64,
    /// Where the tables of names are.
    pub names: u64,
    /// Bytes of a core's table.
    pub names_size: u64,
    events: u64,
    events_size: u64,
    build_id: u64,
    frequency: u64,
}

impl Setup {
    /// Returns its address in a program's memory, and its content.
    ///
    /// # Errors
    /// The program has none, or the memory is not that of the program.
    pub fn find(program: &Program, words: &mut MemoryWords<'_>) -> anyhow::Result<(u64, Self)> {
        let at = program.address("tband_debugger_setup").ok_or_else(|| {
            anyhow!(
                "the ELF file has no tband_debugger_setup: it was linked without tband, or stripped"
            )
        })?;
        Ok((at, Self::read(words, at)?))
    }

    fn read(words: &mut MemoryWords<'_>, at: u64) -> anyhow::Result<Self> {
        let pointer = words.pointer;
        let setup = Self {
            cores: words.pointer(at)?,
            core_count: words.u32(at + pointer)?,
            max_str_len: words.u32(at + pointer + 4)?,
            names_size: words.u32(at + pointer + 12)?,
            names: words.pointer(at + pointer + 16)?,
            events: words.pointer(at + 2 * pointer + 16)?,
            events_size: words.u32(at + 3 * pointer + 16)?,
            build_id: words.pointer(at + 3 * pointer + 24)?,
            // After five words of `trace_info` and their number there is another pointer.
            frequency: words.pointer((at + 4 * pointer + 48).next_multiple_of(pointer))?,
        };
        if !(1..=255).contains(&setup.core_count) || setup.names_size > 0xFFFF {
            bail!(
                "tband_debugger_setup at {at:#x} is none: the ELF file and the image do not belong together"
            );
        }
        Ok(setup)
    }

    /// The name of the build, as far as recordings have it; `None` if it has none.
    pub fn build_name(&self, words: &mut MemoryWords<'_>) -> Option<String> {
        const MOST: u64 = 256;
        let bytes: Vec<u8> = (0..MOST.min(self.max_str_len))
            .map_while(|at| words.u8(self.build_id + at).ok().filter(|byte| *byte != 0))
            .map(|byte| byte as u8)
            .collect();
        let name = String::from_utf8_lossy(&bytes).into_owned();
        (self.build_id != 0 && !name.is_empty()).then_some(name)
    }

    /// The timer's frequency in Hz as a fraction; `None` if the program has none, or knows it at run time only and was not
    /// started yet.
    ///
    /// # Errors
    /// The memory cannot be read.
    pub fn frequency(&self, words: &mut MemoryWords<'_>) -> anyhow::Result<Option<(u64, u64)>> {
        if self.frequency == 0 {
            return Ok(None);
        }
        let (hz, divisor) = (words.u32(self.frequency)?, words.u32(self.frequency + 4)?);
        Ok((hz != 0 && divisor != 0).then_some((hz, divisor)))
    }

    /// Number of cores.
    #[must_use]
    pub fn core_count(&self) -> u64 {
        self.core_count
    }

    /// State of a core.
    #[must_use]
    pub fn core(&self, pointer: u64, index: u64) -> u64 {
        self.cores.wrapping_add(index * (2 * pointer + 24))
    }

    /// The table of a core's names, of `used` bytes if that is known apart.
    ///
    /// # Errors
    /// It is not in the memory.
    pub fn table(
        &self,
        words: &mut MemoryWords<'_>,
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

    /// Returns a core's part of a snapshot; `None` with another backend.
    ///
    /// # Errors
    /// It is not in the memory, or damaged.
    pub fn snapshot(
        &self,
        words: &mut MemoryWords<'_>,
        index: u64,
    ) -> anyhow::Result<Option<Vec<u8>>> {
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

/// The name of a program's build, `tband_configBUILD_ID`, if it has one.
pub fn build_name(elf: &Elf<'_>, path: &Path) -> Option<String> {
    let program = Program::of(elf, path, None).ok()?;
    let mut nowhere = NoMemory;
    let mut memory = program.over(&mut nowhere);
    let mut words = MemoryWords::new(&mut memory, program.pointer);
    let (_, setup) = Setup::find(&program, &mut words).ok()?;
    setup.build_name(&mut words)
}

/// A target without memory: only the program's constants are available.
struct NoMemory;

impl Memory for NoMemory {
    fn read(&mut self, at: u64, _: &mut [u8]) -> anyhow::Result<()> {
        bail!("the program has no constant at {at:#x}")
    }
}
