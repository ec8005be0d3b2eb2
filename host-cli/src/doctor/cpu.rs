//! The CPU of a project or a program, as far as it decides what the recorder costs.

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
    /// The build files name none, or several.
    #[default]
    Unknown,
}

impl Cpu {
    /// Returns the CPU that build files name.
    pub fn of_build<'b>(build: impl Iterator<Item = &'b BuildFile> + Clone) -> Self {
        chip::core(build).map_or(Self::Unknown, |it| Self::of_core(&it))
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

    /// Returns the CPU for which a library was built, by its name of the architecture: `armv6m`.
    pub fn of_architecture(name: &str) -> Self {
        match name {
            "armv6m" => Self::CortexM0,
            "rv32imac" => Self::RiscV32Imac,
            "xtensa_windowed" => Self::Other(XTENSA.to_owned()),
            other => Self::Other(other.to_owned()),
        }
    }

    pub fn is_cortex_m(&self) -> bool {
        match self {
            Self::CortexM0 | Self::CortexM4 => true,
            Self::Other(name) => name.starts_with("Cortex-M"),
            Self::RiscV32Imac | Self::Unknown => false,
        }
    }

    /// It has no DWT.
    pub fn is_without_cycle_counter(&self) -> bool {
        match self {
            Self::CortexM0 => true,
            Self::Other(name) => matches!(name.as_str(), "Cortex-M1" | "Cortex-M23"),
            Self::CortexM4 | Self::RiscV32Imac | Self::Unknown => false,
        }
    }

    /// Returns its name in messages; `None` if it is not known.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::CortexM0 => Some("Cortex-M0+"),
            Self::CortexM4 => Some("Cortex-M4F"),
            Self::RiscV32Imac => Some("RV32IMAC"),
            Self::Other(name) => Some(name),
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
}
