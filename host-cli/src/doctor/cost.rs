//! The cost of a configuration, from the measured figures of the book, and of a program, from its symbols.

use super::Diagnosis;
use super::compilation::Settings;
use super::cpu::{Cpu, XTENSA};
use super::figures::{
    BYTES_IN_FRAMES, BYTES_IN_PACKETS, CPU_EVENTS, DEFAULT_CODE, DEFAULT_EVENTS, METADATA_BUFFER,
    RAM_OF_CORE,
};
use super::measured::Events;

/// Where events go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Snapshot,
    Streaming,
    PostMortem,
    External,
}

impl Backend {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Snapshot => "snapshot",
            Self::Streaming => "streaming",
            Self::PostMortem => "post-mortem",
            Self::External => "external",
        }
    }
}

/// The part that was measured, and on which its cost depends.
#[derive(Clone, Debug)]
pub struct MeasuredPart {
    pub backend: Backend,
    pub is_packets: bool,
    pub cpu: Cpu,
    /// Cores; `None` if it is not known.
    pub cores: Option<u64>,
}

impl MeasuredPart {
    const fn format(&self) -> &'static str {
        if self.is_packets { "packets" } else { "frames" }
    }

    /// The column of the table of backends; the external one costs as much as a stream, plus the cost of the consumer.
    fn column(&self) -> String {
        let backend =
            if self.backend == Backend::External { Backend::Streaming } else { self.backend };
        format!("{}, {}", backend.name(), self.format())
    }

    /// Returns the measured figures that are nearest, what they were measured on, and whether that is the part's own CPU. `None`
    /// if no CPU was measured that is like it.
    fn events(&self) -> Option<(&'static Events, &'static str, bool)> {
        let several = self.cores.is_some_and(|it| it > 1);
        let of_cpu = |cpu: &'static str, named: &'static str, is_own| {
            let column = format!("{cpu}, {}", self.format());
            CPU_EVENTS.iter().find(|it| it.name == column).map(|it| (it, named, is_own))
        };
        match (&self.cpu, several) {
            (Cpu::Computer, _) => None,
            (Cpu::Other(name), _) if !is_like_cortex_m4(name) => {
                let near = NearestCpu::of(name)?;
                of_cpu(near.column, near.text, near.name == name)
            }
            (Cpu::CortexM0, _) => of_cpu("Cortex-M0+", "Cortex-M0+, one core", true),
            (Cpu::RiscV32Imac, _) => of_cpu("RISC-V (RV32IMAC)", "RV32IMAC, one core", true),
            (_, true) => {
                let text = "Cortex-M4F, one of two cores";
                of_cpu("Cortex-M4, one of two cores", text, self.cpu == Cpu::CortexM4)
            }
            (_, false) => {
                let column = self.column();
                DEFAULT_EVENTS
                    .iter()
                    .find(|it| it.name == column)
                    .map(|it| (it, "Cortex-M4F, one core", self.cpu == Cpu::CortexM4))
            }
        }
    }

    /// Returns the part for which there is no figure, for example `, not measured on a Cortex-M7 with 2 cores`. `are_cores`:
    /// whether the figure is of one core.
    fn unmeasured(&self, is_of_cpu: bool, cores_measured: u64) -> String {
        if self.cpu == Cpu::Unknown {
            return "; the build files do not name your CPU".to_owned();
        }
        let cpu = match (&self.cpu, is_of_cpu) {
            (cpu, false) => cpu.name().map_or(String::new(), |it| format!(" on {it}")),
            (_, true) => String::new(),
        };
        let cores = self.cores.filter(|it| *it > 1 && *it != cores_measured);
        let cores = cores.map_or(String::new(), |it| format!(" with {it} cores"));
        if cpu.is_empty() && cores.is_empty() {
            String::new()
        } else {
            format!("; not measured{cpu}{cores}")
        }
    }
}

/// Returns whether a CPU has the instructions of a Cortex-M4, which the recorder uses, by its name or that of its architecture.
fn is_like_cortex_m4(name: &str) -> bool {
    let is_small = matches!(name, "Cortex-M1" | "Cortex-M23");
    (name.starts_with("Cortex-M") && !is_small)
        || matches!(name, "ARMv7E-M" | "armv7em" | "armv8m_main")
}

/// A CPU that was measured.
struct NearestCpu {
    name: &'static str,
    /// Its columns of the table, without the format.
    column: &'static str,
    /// It, in messages.
    text: &'static str,
}

const CORTEX_M0: NearestCpu =
    NearestCpu { name: "Cortex-M0+", column: "Cortex-M0+", text: "Cortex-M0+, one core" };
const RV32IMAC: NearestCpu =
    NearestCpu { name: "RV32IMAC", column: "RISC-V (RV32IMAC)", text: "RV32IMAC, one core" };
const CORTEX_A9: NearestCpu =
    NearestCpu { name: "Cortex-A9", column: "Cortex-A9", text: "Cortex-A9, one core" };
const CORTEX_R5: NearestCpu =
    NearestCpu { name: "Cortex-R5", column: "Cortex-R5", text: "Cortex-R5, one core" };
const CORTEX_A53: NearestCpu = NearestCpu {
    name: "Cortex-A53",
    column: "Cortex-A53, AArch64",
    text: "Cortex-A53 in AArch64, one core",
};
const RV64GC: NearestCpu =
    NearestCpu { name: "RV64GC", column: "RISC-V (RV64GC)", text: "RV64GC, one core" };
const OF_XTENSA: NearestCpu =
    NearestCpu { name: XTENSA, column: "Xtensa", text: "Xtensa dc233c, one core" };

impl NearestCpu {
    /// The one whose instructions are most like those of a CPU, by its name in messages or that of its architecture; `None` if
    /// there is none.
    fn of(name: &str) -> Option<Self> {
        match name {
            "Cortex-A5" | "Cortex-A7" | "Cortex-A8" | "Cortex-A9" | "Cortex-A12" | "Cortex-A15"
            | "Cortex-A17" | "Cortex-A32" => Some(CORTEX_A9),
            "Cortex-R82" => Some(CORTEX_A53),
            "Cortex-M1" | "Cortex-M23" => Some(CORTEX_M0),
            "armv7a" => Some(CORTEX_A9),
            "armv7r" | "armv8r" => Some(CORTEX_R5),
            "aarch64" | "aarch64v8r" => Some(CORTEX_A53),
            _ if name.starts_with("Cortex-A") => Some(CORTEX_A53),
            _ if name.starts_with("Cortex-R") => Some(CORTEX_R5),
            _ if name.starts_with("RV64") => Some(RV64GC),
            _ if name.starts_with("RV32") => Some(RV32IMAC),
            XTENSA => Some(OF_XTENSA),
            _ => None,
        }
    }
}

/// Bytes of a program that was linked.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub flash: u64,
    pub ram: u64,
}

/// Adds the sizes of a linked program. `ram` includes the memory for events.
pub fn add_size(diagnosis: &mut Diagnosis, size: Size) {
    diagnosis.cost("flash", format!("{} bytes, in this program", size.flash));
    diagnosis.cost("RAM", format!("{} bytes, in this program", size.ram));
}

/// Adds the sizes that a project will have, as far as they were measured. `ring`: bytes for events of a core.
pub fn add_estimate(
    diagnosis: &mut Diagnosis,
    kind: &MeasuredPart,
    settings: &Settings,
    ring: Option<u64>,
) {
    let column = kind.column();
    let Some(code) = DEFAULT_CODE.iter().find(|it| it.name == column) else { return };
    let is_like_measured = match &kind.cpu {
        Cpu::CortexM0 | Cpu::CortexM4 | Cpu::Unknown => true,
        cpu => cpu.is_cortex_m(),
    };
    let cpu = kind.cpu.name().unwrap_or_default();
    if is_like_measured {
        let unmeasured = kind.unmeasured(kind.cpu == Cpu::CortexM4, 1);
        diagnosis.cost(
            "flash",
            format!(
                "about {} bytes (Cortex-M4F, one core, -Os{unmeasured}); the linked program has the real size",
                code.flash
            ),
        );
    } else {
        diagnosis
            .cost("flash", format!("not measured on {cpu}; the linked program has the real size"));
    }
    let cores = kind.cores.unwrap_or(1);
    let events = match (ring, cores) {
        (None, _) => "and those for events".to_owned(),
        (Some(ring), 1) if kind.cores.is_none() => format!("and {ring} for events, a core"),
        (Some(ring), 1) => format!("and {ring} for events"),
        (Some(ring), cores) => {
            format!("and {} for events, {ring} a core", ring.saturating_mul(cores))
        }
    };
    if kind.cpu.is_64_bit() {
        diagnosis.cost("RAM", format!("not measured on {cpu}, {events}"));
        return;
    }
    // The post-mortem backend keeps those of the recording before.
    let buffers = if kind.backend == Backend::PostMortem { 2 } else { 1 };
    let metadata = settings.metadata_size.unwrap_or(METADATA_BUFFER).saturating_mul(buffers);
    let one = code.ram.saturating_sub(METADATA_BUFFER * buffers).saturating_add(metadata);
    let others = RAM_OF_CORE.saturating_add(metadata).saturating_mul(cores.saturating_sub(1));
    let fixed = one.saturating_add(others);
    let of_cores = if cores > 1 { format!(" of {cores} cores") } else { String::new() };
    diagnosis.cost("RAM", format!("about {fixed} bytes{of_cores}, {events}"));
}

/// Adds the recorder's cost at `rate` events per second. `ring`: bytes for events of all cores.
pub fn add_rate(diagnosis: &mut Diagnosis, kind: &MeasuredPart, rate: u32, ring: Option<u64>) {
    if let Some((Events { task_switch, queue_send, .. }, measured, is_of_cpu)) = kind.events() {
        let of_two = measured.ends_with("two cores");
        let unmeasured = kind.unmeasured(is_of_cpu, if of_two { 2 } else { 1 });
        let share = u64::from(rate) * task_switch.midpoint(*queue_send);
        diagnosis.cost(
            "CPU",
            format!(
                "{task_switch} instructions a task switch, {queue_send} a queue send ({measured}, -O2{unmeasured}); {:.1} million a \
                 second at {rate} events/s",
                share as f64 / 1e6
            ),
        );
    } else {
        let cpu = kind.cpu.name().unwrap_or("this CPU");
        diagnosis.cost("CPU", format!("not measured on {cpu}, nor on one like it"));
    }
    let bytes = if kind.is_packets { BYTES_IN_PACKETS } else { BYTES_IN_FRAMES };
    let per_second = f64::from(rate) * bytes;
    diagnosis.cost(
        "bytes",
        format!("{bytes} an event; {:.1} kB/s at {rate} events/s", per_second / 1e3),
    );
    if let Some(ring) = ring {
        let ms = ring as f64 / per_second * 1e3;
        diagnosis.cost(
            "the memory holds",
            format!("about {:.0} events, {ms:.0} ms", ring as f64 / bytes),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(backend: Backend, is_packets: bool, cpu: Cpu, cores: Option<u64>) -> MeasuredPart {
        MeasuredPart { backend, is_packets, cpu, cores }
    }

    #[test]
    fn each_backend_and_cpu_has_its_figures() {
        let backends =
            [Backend::Snapshot, Backend::Streaming, Backend::PostMortem, Backend::External];
        for backend in backends {
            for is_packets in [true, false] {
                // That one is for packets only.
                if backend == Backend::PostMortem && !is_packets {
                    continue;
                }
                let near =
                    ["Cortex-A9", "Cortex-R5", "Cortex-A53", "RV64GC", "Xtensa", "Cortex-M7"];
                let near = near.map(|name| Cpu::Other(name.to_owned()));
                let small = [Cpu::CortexM0, Cpu::CortexM4, Cpu::RiscV32Imac, Cpu::Unknown];
                for cpu in small.into_iter().chain(near) {
                    for cores in [None, Some(1), Some(2), Some(4)] {
                        let kind = kind(backend, is_packets, cpu.clone(), cores);
                        let (events, ..) = kind.events().unwrap();
                        assert!(events.task_switch > 10 && events.queue_send > 10, "{kind:?}");
                    }
                }
                let column = kind(backend, is_packets, Cpu::Unknown, None).column();
                assert!(DEFAULT_CODE.iter().any(|it| it.name == column), "{column}");
            }
        }
    }

    #[test]
    fn figures_of_another_cpu_are_named_as_such() {
        let named = |name: &str| Cpu::Other(name.to_owned());
        for (cpu, cores, measured, unmeasured) in [
            (Cpu::CortexM4, Some(1), "Cortex-M4F, one core", ""),
            (Cpu::CortexM0, Some(1), "Cortex-M0+, one core", ""),
            (Cpu::CortexM0, Some(2), "Cortex-M0+, one core", "; not measured with 2 cores"),
            (Cpu::CortexM4, Some(2), "Cortex-M4F, one of two cores", ""),
            (Cpu::CortexM4, Some(3), "Cortex-M4F, one of two cores", "; not measured with 3 cores"),
            (named("Cortex-M7"), None, "Cortex-M4F, one core", "; not measured on Cortex-M7"),
            (named("Cortex-A9"), None, "Cortex-A9, one core", ""),
            (named("Cortex-A7"), None, "Cortex-A9, one core", "; not measured on Cortex-A7"),
            (
                named("Cortex-A72"),
                None,
                "Cortex-A53 in AArch64, one core",
                "; not measured on Cortex-A72",
            ),
            (named("Cortex-R5"), Some(2), "Cortex-R5, one core", "; not measured with 2 cores"),
            (named("RV64IMAC"), None, "RV64GC, one core", "; not measured on RV64IMAC"),
            (named("Xtensa"), None, "Xtensa dc233c, one core", ""),
            (named("Xtensa"), Some(2), "Xtensa dc233c, one core", "; not measured with 2 cores"),
            (named("armv8m_main"), None, "Cortex-M4F, one core", "; not measured on armv8m_main"),
            (named("Cortex-M23"), None, "Cortex-M0+, one core", "; not measured on Cortex-M23"),
            (named("RV32IMC"), None, "RV32IMAC, one core", "; not measured on RV32IMC"),
            (Cpu::Unknown, None, "Cortex-M4F, one core", "; the build files do not name your CPU"),
        ] {
            let mut diagnosis = Diagnosis::default();
            add_rate(&mut diagnosis, &kind(Backend::Snapshot, true, cpu, cores), 1000, None);
            let text = diagnosis.text("x");
            assert!(text.contains(&format!("({measured}, -O2{unmeasured});")), "{text}");
        }
    }

    #[test]
    fn no_figures_are_shown_for_a_cpu_like_which_none_was_measured() {
        for (cpu, name, is_ram_known) in [
            (Cpu::Computer, "a computer", false),
            (Cpu::Other("mips32".to_owned()), "mips32", true),
        ] {
            let mut diagnosis = Diagnosis::default();
            let kind = kind(Backend::Snapshot, true, cpu, Some(1));
            add_estimate(&mut diagnosis, &kind, &Settings::default(), Some(4096));
            add_rate(&mut diagnosis, &kind, 1000, Some(4096));
            let text = diagnosis.text("x");
            assert!(
                text.contains(&format!("CPU              not measured on {name}, nor")),
                "{text}"
            );
            assert!(text.contains(&format!("flash            not measured on {name};")), "{text}");
            let ram = if is_ram_known {
                "RAM              about "
            } else {
                "RAM              not measured on"
            };
            assert!(text.contains(ram) && text.contains("4096"), "{text}");
            assert!(!text.contains("Cortex") && text.contains("about 803 events"), "{text}");
        }
        // The code of other instruction sets has another size.
        let mut diagnosis = Diagnosis::default();
        let riscv = kind(Backend::Snapshot, true, Cpu::RiscV32Imac, Some(1));
        add_estimate(&mut diagnosis, &riscv, &Settings::default(), None);
        assert!(diagnosis.text("x").contains("flash            not measured on RV32IMAC;"));
    }

    #[test]
    fn memory_grows_with_cores_and_buffers() {
        let ram = |cores, metadata_size, backend| {
            let settings = Settings { metadata_size, ..Settings::default() };
            let mut diagnosis = Diagnosis::default();
            let kind = kind(backend, true, Cpu::CortexM4, Some(cores));
            add_estimate(&mut diagnosis, &kind, &settings, Some(4096));
            let text = diagnosis.text("x");
            let (_, line) = text.split_once("RAM").unwrap();
            let number = line.split_whitespace().nth(1).unwrap();
            (number.parse::<u64>().unwrap(), line.lines().next().unwrap().to_owned())
        };
        let (one, line) = ram(1, Some(256), Backend::Snapshot);
        assert!(line.ends_with("and 4096 for events"), "{line}");
        let (two, line) = ram(2, Some(256), Backend::Snapshot);
        assert_eq!(two, one + 256 + RAM_OF_CORE);
        assert!(line.ends_with("of 2 cores, and 8192 for events, 4096 a core"), "{line}");
        assert_eq!(ram(2, Some(0), Backend::Snapshot).0, two - 512);
        assert_eq!(ram(2, Some(512), Backend::Snapshot).0, two + 512);
        let kept = ram(1, Some(256), Backend::PostMortem).0;
        assert_eq!(ram(1, Some(512), Backend::PostMortem).0, kept + 512);
    }
}
