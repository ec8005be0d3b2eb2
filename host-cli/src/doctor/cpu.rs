//! The CPU of a project or a program.

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

/// Names in build files, longer ones before their beginnings.
const NAMES: [(&str, &str); 30] = [
    ("cortex-m0plus", "Cortex-M0+"),
    ("cortex-m0", "Cortex-M0"),
    ("cortex_m0", "Cortex-M0"),
    ("cortex-m1", "Cortex-M1"),
    ("cortex-m23", "Cortex-M23"),
    ("cortex-m33", "Cortex-M33"),
    ("cortex-m35p", "Cortex-M35P"),
    ("cortex-m3", "Cortex-M3"),
    ("cortex-m4", "Cortex-M4"),
    ("cortex-m52", "Cortex-M52"),
    ("cortex-m55", "Cortex-M55"),
    ("cortex-m7", "Cortex-M7"),
    ("cortex-m85", "Cortex-M85"),
    ("cortex-a", "a Cortex-A"),
    ("cortex-r", "a Cortex-R"),
    ("rv32imac", "RV32IMAC"),
    ("rv32", "RV32"),
    ("rv64", "RV64"),
    ("pico_sdk_init", "Cortex-M0+"),
    ("pico_sdk_import", "Cortex-M0+"),
    ("rp2040", "Cortex-M0+"),
    ("stm32f0", "Cortex-M0"),
    ("stm32l0", "Cortex-M0+"),
    ("stm32g0", "Cortex-M0+"),
    ("stm32f1", "Cortex-M3"),
    ("stm32f4", "Cortex-M4"),
    ("stm32l4", "Cortex-M4"),
    ("stm32g4", "Cortex-M4"),
    ("stm32f7", "Cortex-M7"),
    ("stm32h7", "Cortex-M7"),
];
/// Words with which a project for the Pico chooses the other chip.
const RP2350: [&str; 2] = ["rp2350", "pico2"];

impl Cpu {
    fn named(name: &str) -> Self {
        match name {
            "Cortex-M0" | "Cortex-M0+" => Self::CortexM0,
            "Cortex-M4" => Self::CortexM4,
            "RV32IMAC" => Self::RiscV32Imac,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Returns the CPU that build files name: by a compiler's option, otherwise by the chip's name.
    pub fn of_build(build: &str) -> Self {
        let mut build = build.to_ascii_lowercase();
        let is_pico_2 = RP2350.iter().any(|it| build.contains(it));
        let mut found: Vec<&str> = Vec::new();
        for (word, name) in NAMES {
            let is_of_pico = word.starts_with("pico_") || word == "rp2040";
            let is_option = word.starts_with("cortex") || word.starts_with("rv");
            if is_of_pico && is_pico_2 || !is_option && !found.is_empty() || !build.contains(word) {
                continue;
            }
            // Not once more by a shorter name.
            build = build.replace(word, "");
            if !found.contains(&name) {
                found.push(name);
            }
        }
        match found.as_slice() {
            [one] => Self::named(one),
            _ => Self::Unknown,
        }
    }

    /// Returns the CPU for which a library was built, by its name of the architecture: `armv6m`.
    pub fn of_architecture(name: &str) -> Self {
        match name {
            "armv6m" => Self::CortexM0,
            "rv32imac" => Self::RiscV32Imac,
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
            ("-march=rv32imafc", Cpu::Other("RV32".to_owned())),
            ("pico_sdk_init()", Cpu::CortexM0),
            ("set(PICO_PLATFORM rp2350)\npico_sdk_init()", Cpu::Unknown),
            ("set(PICO_BOARD pico2)\npico_sdk_init()", Cpu::Unknown),
            ("mcu=STM32F405RG -mcpu=cortex-m4", Cpu::CortexM4),
            ("Mcu.Name=STM32F103", Cpu::Other("Cortex-M3".to_owned())),
            ("-mcpu=cortex-m4 -mcpu=cortex-m0", Cpu::Unknown),
            ("", Cpu::Unknown),
        ] {
            assert_eq!(Cpu::of_build(build), cpu, "{build}");
        }
    }
}
