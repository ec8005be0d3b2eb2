//! The CPU of a project or a program, as far as it decides what the recorder costs.

use std::fs;
use std::path::PathBuf;

use crate::chip;
use crate::survey::build_file::BuildFile;

/// The name of ESP32, S2 and S3's cores in messages.
pub const XTENSA: &str = "Xtensa";

/// A CPU, as far as it decides what the recorder costs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cpu {
    /// Cortex-M0 and M0+: without a cycle counter and without unaligned stores.
    CortexM0,
    /// Cortex-M4 and M4F.
    CortexM4,
    /// RISC-V with the extensions I, M, A and C, 32 bits.
    RiscV32Imac,
    /// Another one, by its name.
    Other(String),
    /// That of a computer: the program is one for the kernel's port for POSIX or Windows.
    Computer,
    /// The build files name none, or several.
    #[default]
    Unknown,
}

impl Cpu {
    /// Returns the CPU that build files name.
    pub fn of_build<'b>(build: impl Iterator<Item = &'b BuildFile> + Clone) -> Self {
        match chip::core(build.clone()) {
            Some(core) => Self::of_core(&core),
            None if chip::is_for_computer(build) => Self::Computer,
            None => Self::Unknown,
        }
    }

    /// Returns the CPU with a core, by its name: `cortex-m4`.
    pub fn of_core(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        match chip::Cpu::named(&name).map_or(name.as_str(), |it| it.core) {
            "cortex-m0" | "cortex-m0plus" => Self::CortexM0,
            "cortex-m4" => Self::CortexM4,
            "rv32imac" => Self::RiscV32Imac,
            "xtensa" => Self::Other(XTENSA.to_owned()),
            other => match other.strip_prefix("cortex-") {
                Some(core) => Self::Other(format!("Cortex-{}", core.to_ascii_uppercase())),
                None if other.starts_with("rv") => Self::Other(other.to_ascii_uppercase()),
                None => Self::Unknown,
            },
        }
    }

    /// Returns the CPU for which a library was built, by its name of the architecture, which may end with that of an ABI:
    /// `armv6m`, `rv64imac_lp64d`.
    pub fn of_architecture(name: &str) -> Self {
        match name.split_once('_').map_or(name, |it| it.0) {
            "armv6m" => Self::CortexM0,
            "rv32imac" => Self::RiscV32Imac,
            "xtensa" => Self::Other(XTENSA.to_owned()),
            // The only cores of these architectures that the library runs on.
            "armv7m" => Self::Other("Cortex-M3".to_owned()),
            "armv8m" if name.ends_with("_base") => Self::Other("Cortex-M23".to_owned()),
            // The kernel's simulator is for no other programs.
            "x86" => Self::Computer,
            riscv if riscv.starts_with("rv") => Self::Other(riscv.to_ascii_uppercase()),
            _ => Self::Other(name.to_owned()),
        }
    }

    /// Returns the CPU of the only library in a folder of tband that `init` has written, if its target has one CPU.
    pub fn of_written(folders: &[PathBuf]) -> Self {
        let libraries = folders.iter().filter_map(|it| fs::read_dir(it.join("lib")).ok()).flatten();
        let names: Vec<_> = libraries.flatten().map(|it| it.file_name()).collect();
        let [name] = names.as_slice() else { return Self::Unknown };
        match name.to_string_lossy().split('-').next() {
            Some("thumbv6m") => Self::CortexM0,
            Some("thumbv7m") => Self::Other("Cortex-M3".to_owned()),
            Some("riscv32imac") => Self::RiscV32Imac,
            Some("riscv32imc") => Self::Other("RV32IMC".to_owned()),
            Some("riscv32imafc") => Self::Other("RV32IMAFC".to_owned()),
            _ => Self::Unknown,
        }
    }

    pub fn is_cortex_m(&self) -> bool {
        match self {
            Self::CortexM0 | Self::CortexM4 => true,
            Self::Other(name) => name.starts_with("Cortex-M"),
            Self::RiscV32Imac | Self::Computer | Self::Unknown => false,
        }
    }

    /// Its pointers have 64 bits.
    pub fn is_64_bit(&self) -> bool {
        match self {
            // Armv8-A cores, most of which run in AArch64; those that have only AArch32 are numbered 32.
            Self::Other(name) => {
                let of_a = name.strip_prefix("Cortex-A").and_then(|it| it.parse::<u32>().ok());
                of_a.is_some_and(|it| it >= 34)
                    || name == "Cortex-R82"
                    || name.starts_with("RV64")
                    || name.starts_with("aarch64")
            }
            Self::CortexM0 | Self::CortexM4 | Self::RiscV32Imac | Self::Unknown => false,
            Self::Computer => true,
        }
    }

    /// It has no DWT.
    pub fn is_without_cycle_counter(&self) -> bool {
        match self {
            Self::CortexM0 => true,
            Self::Other(name) => matches!(name.as_str(), "Cortex-M1" | "Cortex-M23"),
            Self::CortexM4 | Self::RiscV32Imac | Self::Computer | Self::Unknown => false,
        }
    }

    /// Returns its name in messages; `None` if it is not known.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::CortexM0 => Some("Cortex-M0+"),
            Self::CortexM4 => Some("Cortex-M4F"),
            Self::RiscV32Imac => Some("RV32IMAC"),
            Self::Other(name) => Some(name),
            Self::Computer => Some("a computer"),
            Self::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_files_name_the_cpu() {
        for (build, cpu) in [
            ("-mcpu=cortex-m0plus", Cpu::CortexM0),
            ("-mcpu=Cortex-M4 -mthumb", Cpu::CortexM4),
            ("-mcpu=cortex-m7", Cpu::Other("Cortex-M7".to_owned())),
            ("-mcpu=cortex-m35p", Cpu::Other("Cortex-M35P".to_owned())),
            ("-march=rv32imac_zicsr", Cpu::RiscV32Imac),
            ("-march=rv32imafc", Cpu::Other("RV32IMAFC".to_owned())),
            ("-mcpu=cortex-a9", Cpu::Other("Cortex-A9".to_owned())),
            ("-mcpu=cortex-m23", Cpu::Other("Cortex-M23".to_owned())),
            ("pico_sdk_init()", Cpu::CortexM0),
            ("set(PICO_PLATFORM rp2350)\npico_sdk_init()", Cpu::Other("Cortex-M33".to_owned())),
            ("set(PICO_BOARD pico2)\npico_sdk_init()", Cpu::Other("Cortex-M33".to_owned())),
            ("set(FREERTOS_PORT GCC_POSIX)", Cpu::Computer),
            ("SRC += $(KERNEL)/portable/MSVC-MingW/port.c", Cpu::Computer),
            ("set(FREERTOS_PORT GCC_POSIX)\n-mcpu=cortex-m4", Cpu::CortexM4),
            ("CONFIG_IDF_TARGET=\"esp32s3\"", Cpu::Other("Xtensa".to_owned())),
            ("mcu=STM32F405RG -mcpu=cortex-m4", Cpu::CortexM4),
            ("Mcu.Name=STM32F103", Cpu::Other("Cortex-M3".to_owned())),
            ("set(IDF_TARGET ESP32S3)", Cpu::Other("Xtensa".to_owned())),
            ("-mcpu=cortex-m4 -mcpu=cortex-m0", Cpu::Unknown),
            ("", Cpu::Unknown),
        ] {
            let file = BuildFile::for_test("CMakeLists.txt", build);
            assert_eq!(Cpu::of_build([&file].into_iter()), cpu, "{build}");
        }
    }

    #[test]
    fn architectures_of_libraries_name_the_cpu() {
        let other = |it: &str| Cpu::Other(it.to_owned());
        for (architecture, cpu, is_64_bit) in [
            ("armv6m", Cpu::CortexM0, false),
            ("rv32imac", Cpu::RiscV32Imac, false),
            ("rv32imac_ilp32f", Cpu::RiscV32Imac, false),
            ("rv32imc", other("RV32IMC"), false),
            ("rv64imac_lp64d", other("RV64IMAC"), true),
            ("aarch64v8r", other("aarch64v8r"), true),
            ("armv7m", other("Cortex-M3"), false),
            ("armv8m_base", other("Cortex-M23"), false),
            ("armv8m_main", other("armv8m_main"), false),
            ("xtensa_windowed", other("Xtensa"), false),
            ("x86_64", Cpu::Computer, true),
            ("x86_64_windows", Cpu::Computer, true),
            ("x86", Cpu::Computer, true),
        ] {
            let found = Cpu::of_architecture(architecture);
            assert_eq!((found.is_64_bit(), found), (is_64_bit, cpu), "{architecture}");
        }
        assert!(other("Cortex-A53").is_64_bit() && !other("Cortex-A9").is_64_bit());
    }
}
