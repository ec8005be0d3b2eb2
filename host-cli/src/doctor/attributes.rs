//! The build attributes of ARM in a program, which name the CPU for which it was compiled.

use object::elf::FileHeader32;
use object::read::elf::{AttributeReader, AttributesSection};
use object::{Endianness, Object, ObjectSection};

use super::cpu::Cpu;

const TAG_CPU_NAME: u64 = 5;
const TAG_FP_ARCH: u64 = 10;
const TAG_COMPATIBILITY: u64 = 32;
/// The attributes of a whole file.
const TAG_FILE: u8 = 1;
/// Values of `Tag_FP_arch`: the FPU of a Cortex-M4F, and that of a Cortex-M7.
const VFP_V4_D16: u64 = 6;
const FP_V5_D16: u64 = 8;

/// Attributes of a program. Compilers write the CPU's name, or only that of its architecture (GCC: `7E-M`).
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    name: String,
    fpu: u64,
}

impl Attributes {
    /// Returns those of a program; empty ones if it has none, or they are damaged.
    pub fn of<'d>(elf: &impl Object<'d>) -> Self {
        let section = elf.section_by_name(".ARM.attributes");
        let data = section.and_then(|it| it.data().ok()).unwrap_or_default();
        Self::read(data, elf.is_little_endian()).unwrap_or_default()
    }

    fn read(data: &[u8], is_little: bool) -> object::Result<Self> {
        let endian = if is_little { Endianness::Little } else { Endianness::Big };
        let section = AttributesSection::<FileHeader32<Endianness>>::new(endian, data)?;
        let mut found = Self::default();
        let mut subsections = section.subsections()?;
        while let Some(subsection) = subsections.next()? {
            if subsection.vendor() != b"aeabi" {
                continue;
            }
            let mut parts = subsection.subsubsections();
            while let Some(part) = parts.next()? {
                if part.tag() == TAG_FILE {
                    found.add(part.attributes())?;
                }
            }
        }
        Ok(found)
    }

    fn add(&mut self, mut attributes: AttributeReader<'_>) -> object::Result<()> {
        while let Some(tag) = attributes.read_tag()? {
            match tag {
                TAG_CPU_NAME => {
                    self.name = String::from_utf8_lossy(attributes.read_string()?).into_owned();
                }
                TAG_FP_ARCH => self.fpu = attributes.read_integer()?,
                TAG_COMPATIBILITY => {
                    attributes.read_integer()?;
                    attributes.read_string()?;
                }
                // The name of the CPU in another form, and all odd tags above: texts.
                4 => drop(attributes.read_string()?),
                tag if tag > TAG_COMPATIBILITY && tag % 2 == 1 => drop(attributes.read_string()?),
                _ => drop(attributes.read_integer()?),
            }
        }
        Ok(())
    }

    /// Returns the CPU for which a program was compiled. `architecture`: that of tband's library, for example `armv7em`.
    pub fn cpu(&self, architecture: &str) -> Cpu {
        match (Cpu::of_core(&self.name), architecture) {
            (Cpu::Unknown, "armv7em") => match self.fpu {
                VFP_V4_D16 => Cpu::CortexM4,
                FP_V5_D16 => Cpu::Other("Cortex-M7".to_owned()),
                _ => Cpu::Other("ARMv7E-M".to_owned()),
            },
            (Cpu::Unknown, _) => Cpu::of_architecture(architecture),
            (cpu, _) => cpu,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a section with these attributes of a file.
    fn section(attributes: &[u8]) -> Vec<u8> {
        let len = |it: usize| u32::try_from(it).unwrap().to_le_bytes();
        let mut bytes = vec![b'A'];
        bytes.extend(len(4 + 6 + 5 + attributes.len()));
        bytes.extend(b"aeabi\0\x01");
        bytes.extend(len(5 + attributes.len()));
        bytes.extend(attributes);
        bytes
    }

    #[test]
    fn attributes_name_the_cpu() {
        let other = |it: &str| Cpu::Other(it.to_owned());
        for (attributes, architecture, cpu) in [
            (&b"\x05Cortex-M7\0\x06\x0d"[..], "armv7em", other("Cortex-M7")),
            (b"\x20\x01gnu\0\x43x\0\x05cortex-m4\0", "armv7em", Cpu::CortexM4),
            (b"\x057E-M\0\x06\x0d\x0a\x06", "armv7em", Cpu::CortexM4),
            (b"\x057E-M\0\x06\x0d\x0a\x08", "armv7em", other("Cortex-M7")),
            (b"\x057E-M\0\x06\x0d", "armv7em", other("ARMv7E-M")),
            (b"\x05cortex-m33\0", "armv8m", other("Cortex-M33")),
            (b"\x056S-M\0\x06\x0c", "armv6m", Cpu::CortexM0),
            (b"\x05cut", "armv6m", Cpu::CortexM0),
        ] {
            let found = Attributes::read(&section(attributes), true).unwrap_or_default();
            assert_eq!(found.cpu(architecture), cpu, "{found:?}");
        }
        let whole = section(b"\x05Cortex-M7\0\x06\x0d");
        for len in 0..whole.len() {
            // A damaged section is one without a name.
            let part = whole.get(..len).unwrap_or_default();
            let found = Attributes::read(part, true).unwrap_or_default();
            assert!(found.name.is_empty(), "{len}: {found:?}");
        }
        assert_eq!(Attributes::default().cpu("rv32imac"), Cpu::RiscV32Imac);
    }
}
