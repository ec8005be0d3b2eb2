//! The firmware's ELF file: addresses of its variables, and contents of its constants.

use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::bail;
use object::read::ReadCache;
use object::read::elf::{ElfFile, FileHeader, ProgramHeader};
use object::{File, Object, ObjectSection, ObjectSymbol, SectionFlags, elf};

use crate::elf_file::{Elf, of_elf_file};
use crate::memory::Memory;

/// Memory of variables that the start-up code copies from flash. With the Pico SDK its section is not marked as writable.
fn initialised_variables<'a, E: FileHeader>(
    elf: &ElfFile<'a, E, &'a ReadCache<fs::File>>,
) -> Vec<Range<u64>> {
    let endian = elf.endian();
    let segments = elf.elf_program_headers().iter();
    let copied = segments.filter(|it| {
        it.p_flags(endian) & elf::PF_W != 0
            && it.p_vaddr(endian).into() != it.p_paddr(endian).into()
    });
    copied
        .map(|it| {
            let begin = it.p_vaddr(endian).into();
            begin..begin.saturating_add(it.p_memsz(endian).into())
        })
        .collect()
}

/// Names that are searched in a program, in addition to the ring that a user names.
const NAMES: [&str; 8] = [
    "tband_debugger_setup",
    "tband_debugger_packets",
    "tband_left",
    "tband_both_metadata_bufs",
    "tband_rtt",
    "_SEGGER_RTT",
    "tband_lib_rtt_sync",
    "tband_mailbox",
];

/// A program: its symbols and its constants.
pub struct Program {
    /// Bytes of a pointer.
    pub pointer: u64,
    symbols: HashMap<String, u64>,
    /// Addresses and contents of constants.
    constants: Vec<(u64, Vec<u8>)>,
}

impl Program {
    /// Reads the needed parts of an ELF file; `also` is one additional symbol.
    ///
    /// # Errors
    /// It is not an ELF file, or of a target that is not little-endian.
    pub fn read(path: &Path, also: Option<&str>) -> anyhow::Result<Self> {
        of_elf_file(path, |elf| Self::of(elf, path, also))
    }

    pub(crate) fn of(elf: &Elf<'_>, path: &Path, also: Option<&str>) -> anyhow::Result<Self> {
        let name = path.display();
        if !elf.is_little_endian() {
            bail!(
                "{name} is for a big-endian target, whose memory is not read: record a stream, or take the packets on the target"
            );
        }
        let wanted = |name: &str| NAMES.contains(&name) || Some(name) == also;
        let mut symbols = HashMap::new();
        for symbol in elf.symbols() {
            if let Ok(name) = symbol.name()
                && wanted(name)
                && symbol.is_definition()
            {
                symbols.insert(name.to_owned(), symbol.address());
            }
        }
        if elf.symbols().next().is_none() {
            bail!("{name} has no symbols: it was stripped; give the one from before that");
        }
        let initialised = match elf {
            File::Elf32(it) => initialised_variables(it),
            File::Elf64(it) => initialised_variables(it),
            _ => Vec::new(),
        };
        let mut constants = Vec::new();
        for section in elf.sections() {
            let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
            let is_constant = sh_flags & u64::from(elf::SHF_ALLOC) != 0
                && sh_flags & u64::from(elf::SHF_WRITE) == 0
                && !initialised.iter().any(|it| it.contains(&section.address()));
            if is_constant && let Ok(bytes) = section.data() {
                constants.push((section.address(), bytes.to_vec()));
            }
        }
        let pointer = if elf.is_64() { 8 } else { 4 };
        Ok(Self { pointer, symbols, constants })
    }

    /// Where a variable is.
    #[must_use]
    pub fn address(&self, name: &str) -> Option<u64> {
        self.symbols.get(name).copied()
    }

    /// Compares code and constants with the memory of a target, as far as that can be read: an image of RAM has none of them.
    /// If they have more than `most` bytes, only the recorder's own constants and blocks spread over the program are compared;
    /// then unreadable memory ends the comparison, because each try may take a while. Returns whether anything was compared.
    ///
    /// # Errors
    /// They differ, so another program is there: the text contains the address.
    pub fn compare(&self, memory: &mut dyn Memory, most: Option<usize>) -> anyhow::Result<bool> {
        const BLOCK: usize = 512;
        // The part that flash programmers change, the checksum of a vector table for example, is at the beginning.
        let first = self.constants.iter().map(|(begin, _)| *begin).min().unwrap_or(0);
        let all: usize = self.constants.iter().map(|(_, bytes)| bytes.len().div_ceil(BLOCK)).sum();
        let step = most.map_or(1, |most| all.div_ceil((most / BLOCK).max(1)).max(1));
        let blocks = self.constants.iter().flat_map(|(begin, bytes)| {
            let numbered = (0..).zip(bytes.chunks(BLOCK));
            numbered.map(move |(number, block): (u64, _)| (begin + number * BLOCK as u64, block))
        });
        let blocks = blocks.step_by(step).filter(|(at, _)| *at >= first + BLOCK as u64);
        let mut is_compared = false;
        for (at, block) in self.setups().chain(blocks) {
            let mut there = vec![0; block.len()];
            if memory.read(at, &mut there).is_err() {
                if most.is_some() {
                    return Ok(is_compared);
                }
                continue;
            }
            is_compared = true;
            let differs = block.iter().zip(&there).position(|(one, other)| one != other);
            if let Some(from) = differs {
                bail!(
                    "another program is in the target than in the ELF file, which differs at {:#010x}: give the ELF file of the build that runs there",
                    at + from as u64
                );
            }
        }
        Ok(is_compared)
    }

    /// Returns the recorder's constants with the address of the recording.
    fn setups(&self) -> impl Iterator<Item = (u64, &[u8])> {
        const LEN: usize = 64;
        let places = ["tband_debugger_setup", "tband_debugger_packets"];
        places.into_iter().filter_map(|name| {
            let at = self.address(name)?;
            self.constants.iter().find_map(|(begin, bytes)| {
                let from = usize::try_from(at.checked_sub(*begin)?).ok()?;
                let rest = bytes.get(from..)?;
                Some((at, rest.get(..LEN).unwrap_or(rest)))
            })
        })
    }

    /// Memory that has this program's constants where it has nothing itself: an image of RAM has no flash.
    pub fn over<'a>(&'a self, memory: &'a mut dyn Memory) -> impl Memory + 'a {
        MemoryOverlay { program: self, memory }
    }
}

struct MemoryOverlay<'a> {
    program: &'a Program,
    memory: &'a mut dyn Memory,
}

impl Memory for MemoryOverlay<'_> {
    fn read(&mut self, at: u64, buf: &mut [u8]) -> anyhow::Result<()> {
        for (begin, bytes) in &self.program.constants {
            let from = at.checked_sub(*begin).and_then(|from| usize::try_from(from).ok());
            let found = from.and_then(|from| bytes.get(from..from.checked_add(buf.len())?));
            if let Some(found) = found {
                buf.copy_from_slice(found);
                return Ok(());
            }
        }
        self.memory.read(at, buf)
    }
    fn write(&mut self, at: u64, bytes: &[u8]) -> anyhow::Result<()> {
        self.memory.write(at, bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use tband_programs::output;

    use super::*;

    /// RAM at this address, and nothing else.
    struct Ram(u64, [u8; 4]);

    impl Memory for Ram {
        fn read(&mut self, at: u64, bytes: &mut [u8]) -> anyhow::Result<()> {
            anyhow::ensure!(at == self.0 && bytes.len() == 4);
            bytes.copy_from_slice(&self.1);
            Ok(())
        }
    }

    /// As the Pico SDK links: the section of variables has the flags of the code in it.
    #[test]
    fn variables_in_a_section_of_code_may_change() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let source = ".section .text,\"ax\"\n .space 512\n .globl start\nstart: .long 1\n\
                      .section .fast,\"ax\"\n .long 2\n .bss\n .space 4\n";
        let script = "MEMORY { FLASH : ORIGIN = 0x10000, LENGTH = 4K\n RAM : ORIGIN = 0x20000000, LENGTH = 4K }\n\
                      SECTIONS { .text : { *(.text) } > FLASH\n .data : { *(.fast) } > RAM AT> FLASH\n\
                      .bss : { *(.bss) } > RAM }\n";
        fs::write(at("p.s"), source).unwrap();
        fs::write(at("p.ld"), script).unwrap();
        let mut assemble = Command::new("as");
        let mut link = Command::new("ld");
        assemble.arg(at("p.s")).arg("-o").arg(at("p.o"));
        link.arg("-T").args([at("p.ld"), at("p.o")]).arg("-o").arg(at("p.elf"));
        for step in [&mut assemble, &mut link] {
            assert!(output(step).expect("binutils").status.success());
        }
        let program = Program::read(&at("p.elf"), None).unwrap();
        let compare = |at, byte| program.compare(&mut Ram(at, [byte, 0, 0, 0]), None);
        assert!(!compare(0x2000_0000, 9).unwrap());
        assert!(compare(0x10200, 1).unwrap());
        compare(0x10200, 9).unwrap_err();
    }
}
