//! CPUs, and the libraries and ports for them.

/// A CPU, and the registers that pass floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// Its name, without the `f` of a hardware floating-point ABI.
    pub core: &'static str,
    /// Floating-point arguments are in its registers.
    pub is_hard: bool,
    /// The library's target.
    pub target: &'static str,
    /// The folder of its port, with `_FREERTOS` for the kernel.
    pub port: &'static str,
}

/// Ports of computers.
const POSIX: &str = "POSIX";
const WINDOWS: &str = "WINDOWS";

/// Core, target of the library, that with a hardware floating-point ABI, port.
const CORES: [(&str, &str, Option<&str>, &str); 18] = [
    ("cortex-m0", "thumbv6m-none-eabi", None, "GCC_ARM_CM0"),
    ("cortex-m0plus", "thumbv6m-none-eabi", None, "GCC_ARM_CM0"),
    ("cortex-m1", "thumbv6m-none-eabi", None, "GCC_ARM_CM0"),
    ("cortex-m3", "thumbv7m-none-eabi", None, "GCC_ARM_CM3"),
    ("cortex-m4", "thumbv7em-none-eabi", Some("thumbv7em-none-eabihf"), "GCC_ARM_CM4F"),
    ("cortex-m7", "thumbv7em-none-eabi", Some("thumbv7em-none-eabihf"), "GCC_ARM_CM7"),
    ("cortex-m23", "thumbv8m.base-none-eabi", None, "GCC_ARM_CM0"),
    ("cortex-m33", "thumbv8m.main-none-eabi", Some("thumbv8m.main-none-eabihf"), "GCC_ARM_CM33"),
    ("cortex-m35p", "thumbv8m.main-none-eabi", Some("thumbv8m.main-none-eabihf"), "GCC_ARM_CM33"),
    ("cortex-m55", "thumbv8m.main-none-eabi", Some("thumbv8m.main-none-eabihf"), "GCC_ARM_CM33"),
    ("cortex-m85", "thumbv8m.main-none-eabi", Some("thumbv8m.main-none-eabihf"), "GCC_ARM_CM33"),
    ("rv32imac", "riscv32imac-unknown-none-elf", None, "GCC_RISCV"),
    // With the ABI ilp32f.
    ("rv32imafc", "riscv32imafc-unknown-none-elf", None, "GCC_RISCV"),
    ("rv32imc", "riscv32imc-unknown-none-elf", None, "GCC_RISCV"),
    // Computers, on which the kernel's ports for POSIX and Windows run.
    ("x86_64-linux", "x86_64-unknown-linux-gnu", None, POSIX),
    ("aarch64-linux", "aarch64-unknown-linux-gnu", None, POSIX),
    ("x86_64-windows", "x86_64-pc-windows-gnu", None, WINDOWS),
    ("i686-windows", "i686-pc-windows-gnu", None, WINDOWS),
];

impl Cpu {
    /// Finds a CPU by its name: `cortex-m4f` is a `cortex-m4` with a hardware floating-point ABI.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase().replace("m0+", "m0plus");
        let of = |core: &str, is_hard: bool| {
            let (core, soft, hard, port) = *CORES.iter().find(|(it, ..)| *it == core)?;
            let target = if is_hard { hard? } else { soft };
            Some(Self { core, is_hard, target, port })
        };
        of(&name, false).or_else(|| of(name.strip_suffix('f')?, true))
    }

    /// Its name for `--cpu`.
    pub fn name(self) -> String {
        format!("{}{}", self.core, if self.is_hard { "f" } else { "" })
    }

    /// It is a computer with POSIX.
    pub fn is_posix(self) -> bool {
        self.port == POSIX
    }

    /// It is a computer with Windows.
    pub fn is_windows(self) -> bool {
        self.port == WINDOWS
    }

    /// The same core with another floating-point ABI, if it has one.
    pub fn with_abi(self, is_hard: bool) -> Self {
        let name = format!("{}{}", self.core, if is_hard { "f" } else { "" });
        Self::named(&name).unwrap_or(self)
    }

    /// All names for `--cpu`.
    pub fn names() -> Vec<String> {
        let both = |(core, _, hard, _): &(&'static str, _, Option<_>, _)| {
            let hard = hard.as_ref().map(|_| format!("{core}f"));
            [Some((*core).to_owned()), hard].into_iter().flatten()
        };
        CORES.iter().flat_map(both).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_libraries() {
        for name in Cpu::names() {
            assert_eq!(Cpu::named(&name).unwrap().name(), name);
        }
        let target = |name| Cpu::named(name).map(|it| it.target);
        assert_eq!(target("Cortex-M4F"), Some("thumbv7em-none-eabihf"));
        assert_eq!(target("cortex-m0+"), Some("thumbv6m-none-eabi"));
        for wrong in ["cortex-m3f", "cortex-m", "f", "", "cortex-a9"] {
            assert_eq!(target(wrong), None, "{wrong}");
        }
        let m4 = Cpu::named("cortex-m4").unwrap();
        assert_eq!(m4.with_abi(true).with_abi(false), m4);
        let m3 = Cpu::named("cortex-m3").unwrap();
        assert_eq!(m3.with_abi(true), m3);
    }
}
