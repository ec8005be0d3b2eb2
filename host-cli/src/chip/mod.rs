//! The CPU of a project: from its compiler's flags and from the names of chips in its build files.

mod computer;
mod cpu;
mod families;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;

use self::computer::Simulation;
pub use cpu::Cpu;

use crate::survey::Survey;
use crate::survey::build_file::BuildFile;

/// A place that names CPUs.
#[derive(Clone, Debug)]
struct Evidence {
    cpus: Vec<String>,
    /// File, line and word.
    place: String,
}

/// All that the build files contain about the CPU.
#[derive(Debug, Default)]
struct CpuEvidence {
    /// Names of cores, most of them in flags of the compiler.
    cores: Vec<Evidence>,
    /// Names of chips and boards.
    chips: Vec<Evidence>,
    /// The kernel's ports, which several CPUs use.
    ports: Vec<Evidence>,
    /// A flag or a setting passes floating-point numbers in floating-point registers; in integer registers.
    is_hard: bool,
    is_soft: bool,
    /// A flag of the compiler has the CPU: then the ABI is that of flags, too.
    has_flag: bool,
    /// The kernel's ports for computers.
    simulation: Simulation,
}

/// The CPU, and the place that names it.
#[derive(Clone, Debug)]
pub struct CpuChoice {
    pub cpu: Cpu,
    pub place: String,
    /// The place of a port of the kernel for computers, which another build of the project has.
    pub simulated: Option<String>,
}

/// Words of settings that decide the floating-point ABI, in small letters.
const HARD: [&str; 6] = [
    "-mfloat-abi=hard",
    "floatabi.value.hard",
    "float-abi.hard",
    ".fpv4.hard",
    ".fpv5.hard",
    "fp_hardabi=y",
];
const SOFT: [&str; 5] = [
    "-mfloat-abi=soft",
    "floatabi.value.soft",
    "float-abi.soft",
    "fp_softabi=y",
    "custom_float=soft",
];
/// The kernel's ports, and the CPUs that use them.
const PORTS: [(&str, &[&str]); 6] = [
    ("arm_cm0", &["cortex-m0", "cortex-m0plus"]),
    ("arm_cm3", &["cortex-m3", "cortex-m4"]),
    ("arm_cm4f", &["cortex-m4f", "cortex-m7f"]),
    ("arm_cm7", &["cortex-m7f"]),
    ("arm_cm23", &["cortex-m23"]),
    ("arm_cm33", &["cortex-m33", "cortex-m33f"]),
];

/// Finds the project's CPU; `asked` is the value of `--cpu`: the name of a CPU, a chip or a board.
///
/// # Errors
/// No CPU is named, or several, or one that tband has no library for. The text lists the candidates with their places. Or the name
/// is unknown: the text has similar ones.
pub fn find(survey: &Survey, asked: Option<&str>) -> anyhow::Result<CpuChoice> {
    let mut found = CpuEvidence::default();
    survey.build.iter().for_each(|file| found.read(file));
    let Some(name) = asked else { return found.choose() };
    if let Some(cpu) = Cpu::named(name) {
        // The name of a core alone has no floating-point ABI.
        let is_hard = cpu.is_hard || (found.is_hard && !found.is_soft);
        let place = "--cpu".to_owned();
        return Ok(CpuChoice { cpu: cpu.with_abi(is_hard), place, simulated: None });
    }
    found.choose_of_chip(name)
}

/// Returns the core that a project's build files name: by flags of the compiler, otherwise by the chip; `None` if they name none, or
/// several.
pub fn core<'b>(build: impl Iterator<Item = &'b BuildFile> + Clone) -> Option<String> {
    let mut found = CpuEvidence::default();
    build.clone().for_each(|file| found.read(file));
    let of = |it: &[Evidence]| -> BTreeSet<String> {
        let names = it.iter().flat_map(|it| &it.cpus);
        names.map(|it| Cpu::named(it).map_or(it.clone(), |it| it.core.to_owned())).collect()
    };
    let mut names = of(&found.cores);
    if names.is_empty() {
        names = of(&found.chips);
    }
    // The Pico SDK makes programs for RP2040 if nothing else is named.
    let has_pico_sdk = || build.clone().any(|it| OF_PICO_SDK.iter().any(|word| it.has(word)));
    if names.is_empty() && has_pico_sdk() {
        return Some("cortex-m0plus".to_owned());
    }
    let first = names.pop_first();
    first.filter(|_| names.is_empty())
}

/// Returns whether build files compile one of the kernel's ports for computers.
pub fn is_for_computer<'b>(build: impl Iterator<Item = &'b BuildFile>) -> bool {
    let mut found = CpuEvidence::default();
    build.for_each(|file| found.read(file));
    found.simulation.is_used()
        && found.ports.is_empty()
        && found.cores.is_empty()
        && found.chips.is_empty()
}

/// Words in the files of a project for the Pico SDK.
const OF_PICO_SDK: [&str; 2] = ["pico_sdk_init", "pico_sdk_import"];
/// Files of vendors that are the same in all projects: their names of chips are no choice.
const OF_ALL_CHIPS: [&str; 3] =
    ["pico_sdk_import.cmake", "FreeRTOS_Kernel_import.cmake", "pico_extras_import_optional.cmake"];

/// Returns whether a line of a build file can name the project's CPU.
fn is_choice(file: &BuildFile, line: &str) -> bool {
    // Other lines of CubeMX have the user's names of pins.
    !file.name.ends_with(".ioc")
        || ["Mcu.", "board=", "ProjectManager.DeviceId="].iter().any(|it| line.starts_with(it))
}

impl CpuEvidence {
    fn read(&mut self, file: &BuildFile) {
        if OF_ALL_CHIPS.contains(&file.file_name()) {
            return;
        }
        for (number, line) in file.code().filter(|(_, line)| is_choice(file, line)) {
            let small = line.to_ascii_lowercase();
            self.is_hard |= HARD.iter().any(|it| small.contains(it));
            self.is_soft |= SOFT.iter().any(|it| small.contains(it));
            self.has_flag |= small.contains("-mcpu=");
            let place = |word: &str| format!("{}:{number}: {word}", file.name);
            self.simulation.read(&small, place);
            for core in cores(&small) {
                // A pack description has the unit beside the core.
                let has_unit = small.contains("cputype(") && small.contains(" fpu");
                let core = Cpu::named(&core)
                    .map_or(core.clone(), |it| it.with_abi(it.is_hard || has_unit).name());
                self.cores.push(Evidence { place: place(&core), cpus: vec![core] });
            }
            let is_of_board = small.contains("board");
            for word in line.split(|it: char| !it.is_ascii_alphanumeric() && it != '_' && it != '-')
            {
                let word = word.trim_start_matches("-D").trim_matches('-');
                let board = is_of_board.then(|| families::of_board(word)).flatten();
                if let Some(cpus) = families::of_word(word).or(board) {
                    let cpus = cpus.iter().map(|it| (*it).to_owned()).collect();
                    self.chips.push(Evidence { cpus, place: place(word) });
                }
            }
            for (port, cpus) in PORTS {
                let is_it = |at: usize| {
                    let after = small.get(at + port.len()..).unwrap_or_default();
                    !after.starts_with(|it: char| it.is_ascii_alphanumeric())
                };
                if small.match_indices(port).any(|(at, _)| is_it(at)) {
                    let cpus = cpus.iter().map(|it| (*it).to_owned()).collect();
                    self.ports.push(Evidence { cpus, place: place(port) });
                }
            }
        }
    }

    fn choose(&self) -> anyhow::Result<CpuChoice> {
        let core_of =
            |name: &str| Cpu::named(name).map_or(name.to_owned(), |it| it.core.to_owned());
        // By core: the first place of each.
        let mut by_core: BTreeMap<String, &Evidence> = BTreeMap::new();
        for it in &self.cores {
            it.cpus.iter().for_each(|name| {
                by_core.entry(core_of(name)).or_insert(it);
            });
        }
        let mut by_chip: BTreeMap<Vec<String>, &Evidence> = BTreeMap::new();
        for it in &self.chips {
            by_chip.entry(it.cpus.clone()).or_insert(it);
        }
        let named: Vec<&Evidence> = self.cores.iter().chain(&self.chips).collect();
        let candidates = if named.is_empty() { self.ports.iter().collect() } else { named };
        let (name, evidence) = match (by_core.len(), by_chip.len()) {
            (1, _) => {
                let Some((core, evidence)) = by_core.iter().next() else { bail!("no CPU") };
                // A chip with one core must have this one.
                let is_other = |cpus: &&Vec<String>| !cpus.iter().any(|it| core_of(it) == *core);
                if by_chip.keys().any(|cpus| is_other(&cpus)) {
                    return ambiguous(&candidates);
                }
                (core.clone(), *evidence)
            }
            (0, 1) => match by_chip.iter().next() {
                Some((cpus, evidence)) if cpus.len() == 1 => (cpus.concat(), *evidence),
                _ => return ambiguous(&candidates),
            },
            (0, 0) if self.ports.is_empty() && self.simulation.is_used() => {
                return self.simulation.choose();
            }
            (0, 0) if self.ports.is_empty() => bail!(
                "no build file names the chip or the CPU, as -mcpu=cortex-m4 does: add --cpu with the chip, as stm32f405, or --cpu CPU, \
                 one of {}",
                Cpu::names().join(", ")
            ),
            _ => return ambiguous(&candidates),
        };
        let named: Vec<_> = self.cores.iter().chain(&self.chips).collect();
        let cpu = self.with_abi_of_build(&name, &evidence.place, &named)?;
        Ok(CpuChoice { cpu, place: evidence.place.clone(), simulated: self.simulation.place() })
    }

    /// Chooses the CPU of the chip or the board that `--cpu` names. Of a chip with several CPUs it is the one that a flag names.
    fn choose_of_chip(&self, name: &str) -> anyhow::Result<CpuChoice> {
        let Some(cpus) = families::of_word(name).or_else(|| families::of_board(name)) else {
            let similar = families::similar(name);
            let similar = match similar.as_slice() {
                [] => String::new(),
                names => format!("similar chips and boards: {}; ", names.join(", ")),
            };
            bail!(
                "--cpu {name} is not known; {similar}name the chip, as stm32f405, or its CPU, one of {}",
                Cpu::names().join(", ")
            );
        };
        let core_of =
            |name: &str| Cpu::named(name).map_or(name.to_owned(), |it| it.core.to_owned());
        let is_named = |cpu: &str| {
            let mut cores = self.cores.iter().flat_map(|it| &it.cpus);
            cpus.len() == 1 || cores.any(|it| core_of(it) == core_of(cpu))
        };
        let named: Vec<&str> = cpus.iter().copied().filter(|it| is_named(it)).collect();
        let [cpu] = named.as_slice() else {
            bail!(
                "--cpu {name}: this chip has several CPUs; add --cpu with the one of this firmware: {}",
                cpus.join(", ")
            );
        };
        let place = format!("--cpu {name}");
        let evidence = Evidence { cpus: vec![(*cpu).to_owned()], place: place.clone() };
        let cpu = self.with_abi_of_build(cpu, &place, &[&evidence])?;
        Ok(CpuChoice { cpu, place, simulated: None })
    }

    /// Returns the CPU of a name with the floating-point ABI of the build. `place`: that names it; `named`: names that decide if no
    /// flag does.
    ///
    /// # Errors
    /// tband has no library for the CPU, or the build has both ABIs.
    fn with_abi_of_build(
        &self,
        name: &str,
        place: &str,
        named: &[&Evidence],
    ) -> anyhow::Result<Cpu> {
        let Some(cpu) = Cpu::named(name) else {
            let of_espressif = if name == "xtensa" {
                "ESP-IDF builds it from tband's sources: docs/src/guide/boards/esp-idf.md. Otherwise record"
            } else {
                "docs/src/guide/start/installing.md lists the CPUs. If Rust has no target for it, record"
            };
            bail!(
                "{place} is {name}, which tband has no library for; {of_espressif} with Tonbandgerät's library, which is portable C: \
                 docs/src/guide/start/tonbandgeraet.md"
            );
        };
        // The flags decide; without them the name of the core or of the chip.
        let has_unit =
            |it: &Evidence| it.cpus.iter().any(|it| Cpu::named(it).is_some_and(|it| it.is_hard));
        let is_hard = match (self.is_hard, self.is_soft) {
            (true, false) => true,
            (false, true) => false,
            (true, true) if cpu.with_abi(true) != cpu.with_abi(false) => bail!(
                "the project has flags of both floating-point ABIs, -mfloat-abi=hard and soft: add --cpu {core} or --cpu {core}f, as \
                 this firmware is built",
                core = cpu.core
            ),
            // The compiler's default is soft.
            _ if self.has_flag => self.cores.iter().any(has_unit),
            _ => named.iter().copied().any(has_unit),
        };
        Ok(cpu.with_abi(is_hard))
    }
}

/// The error for several candidates.
fn ambiguous(candidates: &[&Evidence]) -> anyhow::Result<CpuChoice> {
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for it in candidates {
        for name in &it.cpus {
            places.entry(name.clone()).or_default().push(&it.place);
        }
    }
    let list: Vec<String> = places
        .iter()
        .map(|(name, places)| {
            let first = places.first().copied().unwrap_or_default();
            let more = match places.len() {
                0 | 1 => String::new(),
                count => format!(", and {} more", count - 1),
            };
            let has = if Cpu::named(name).is_some() { "" } else { ", without a library" };
            format!("{name} ({first}{more}{has})")
        })
        .collect();
    bail!(
        "the project names several CPUs: add --cpu with the one of this firmware: {}",
        list.join("; ")
    )
}

/// The names of cores in a line of small letters.
fn cores(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for kind in ["cortex-a", "cortex-r"] {
        for (at, _) in line.match_indices(kind) {
            let rest = line.get(at + kind.len()..).unwrap_or_default();
            let end = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
            let before = line.get(..at).and_then(|it| it.chars().next_back());
            if end > 0 && !before.is_some_and(|it| it.is_ascii_alphanumeric() || it == '_') {
                found.push(format!("{kind}{}", rest.get(..end).unwrap_or_default()));
            }
        }
    }
    for (beginning, is_arm) in [("cortex-m", true), ("march=rv32", false), ("march=rv64", false)] {
        for (at, _) in line.match_indices(beginning) {
            let before = line.get(..at).and_then(|it| it.chars().next_back());
            if is_arm && before.is_some_and(|it| it.is_ascii_alphanumeric() || it == '_') {
                continue;
            }
            let rest = line.get(at + beginning.len()..).unwrap_or_default();
            let end = rest.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            if !is_arm {
                // Extensions of one letter; those with longer names are after an underscore.
                let width = beginning.trim_start_matches("march=");
                // The ABI decides which library fits.
                let is_soft = line
                    .split("-mabi=ilp32")
                    .nth(1)
                    .is_some_and(|it| !it.starts_with(|it: char| it.is_ascii_alphanumeric()));
                let name = if is_soft && name == "imafc" { "imac" } else { name };
                found.push(format!("{width}{name}"));
            } else if name.starts_with(|it: char| it.is_ascii_digit()) {
                let digits = name.trim_start_matches(|it: char| it.is_ascii_digit());
                let number = name.strip_suffix(digits).unwrap_or(name);
                let plus = if number == "0" && after.starts_with('+') { "plus" } else { "" };
                let known = format!("cortex-m{name}{plus}");
                found.push(Cpu::named(&known).map_or(format!("cortex-m{number}"), |it| it.name()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_found_in_flags() {
        for (line, expected) in [
            ("-mcpu=cortex-m4 -mthumb", &["cortex-m4"][..]),
            ("cpu = -mcpu=cortex-m0plus", &["cortex-m0plus"]),
            ("--cpu=cortex-m33+nodsp", &["cortex-m33"]),
            ("cputype(\"cortex-m0+\") clock", &["cortex-m0plus"]),
            ("-mcpu=cortex-m4f,cortex-m7", &["cortex-m4f", "cortex-m7"]),
            ("-march=rv32imac_zicsr -mabi=ilp32", &["rv32imac"]),
            ("march=rv32imac", &["rv32imac"]),
            ("my_cortex-m3 cortex-mx cortex-m", &[]),
            ("-mcpu=cortex-a9 -mcpu=cortex-r5f cortex-axy", &["cortex-a9", "cortex-r5"]),
            ("-march=rv64gc", &["rv64gc"]),
            ("-march=rv32imafc_zicsr -mabi=ilp32f", &["rv32imafc"]),
            ("-march=rv32imafc -mabi=ilp32 -O2", &["rv32imac"]),
        ] {
            assert_eq!(cores(line), expected, "{line}");
        }
    }
}
