//! A linked program: finds the parts of tband in it, by its symbols.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use anyhow::{Context, bail};
use object::read::ReadCache;
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

use super::Diagnosis;
use super::attributes::Attributes;
use super::cost::{self, Backend, MeasuredPart, Size};
use super::cpu::Cpu;

/// The kernel.
const KERNEL: [&str; 2] = ["vTaskSwitchContext", "xTaskIncrementTick"];
/// The symbol of the shim for the library: the number of the interface and the processor follow.
const SHIM: &str = "tband_shim_for_library_abi_";
/// Functions that start a recording, and identify the linked backend.
const BACKENDS: [(&str, Backend); 4] = [
    ("tband_trigger_snapshot", Backend::Snapshot),
    ("tband_start_streaming", Backend::Streaming),
    ("tband_restart_streaming", Backend::Streaming),
    ("tband_start_post_mortem", Backend::PostMortem),
];
/// Functions that hardly any program calls all: with them, the linker has kept functions that nothing calls.
const KEPT: [&str; 3] =
    ["tband_gather_system_metadata", "tband_takes_events", "tband_timestamp_frequency_changed"];
/// Functions and memory that are in a program because something in it records, or would read a recording.
const RECORDER: [&str; 12] = [
    "tband_record",
    "tband_freertos_",
    "tband_kernel_",
    "tband_at_begin",
    "tband_packet",
    "tband_stream_read",
    "tband_snapshot",
    "tband_lib_",
    "tband_post_mortem_",
    "tband_freeze",
    "tband_fault_",
    "tband_crash",
];

/// Results from the symbols.
#[derive(Default)]
struct SymbolFacts {
    any: bool,
    has_kernel: bool,
    /// A function that the kernel's trace macros call when it creates something.
    has_hooks: bool,
    /// It was optimised when it was linked: functions may be parts of others.
    is_lto: bool,
    shim: Option<String>,
    /// Names of the recorder.
    recorder: BTreeSet<String>,
    backends: BTreeSet<&'static str>,
    /// How many of [`KEPT`] are there.
    kept: usize,
    has_external: bool,
    /// Cores, as the shim tells the library.
    cores: Option<u64>,
    packets: u64,
    snapshot: u64,
    metadata: u64,
    flash: u64,
    ram: u64,
    attributes: Attributes,
    /// A loader of an operating system starts it.
    is_hosted: bool,
}

/// Whether a symbol is one of tband's: of C, or of its Rust crates, in whose mangled names the crate's length comes before it.
fn is_of_tband(name: &str) -> bool {
    let is_mangled = name.starts_with("_ZN") || name.starts_with("_R");
    name.starts_with("tband_")
        || name.match_indices("tband").any(|(at, _)| {
            let before = name.get(..at).and_then(|it| it.chars().next_back());
            before.is_some_and(|it| {
                !it.is_alphanumeric() && it != '_' || is_mangled && it.is_ascii_digit()
            })
        })
}

impl SymbolFacts {
    fn add(&mut self, name: &str, size: u64, is_data: bool) {
        self.any = true;
        self.has_kernel |= KERNEL.contains(&name);
        self.has_hooks |= name.starts_with("tband_freertos_");
        self.is_lto |= name.contains(".lto_priv");
        if !is_of_tband(name) {
            return;
        }
        if let Some(rest) = name.strip_prefix(SHIM) {
            self.shim = Some(rest.to_owned());
        }
        if RECORDER.iter().any(|it| name.starts_with(it)) {
            self.recorder.insert(name.to_owned());
        }
        self.backends.extend(BACKENDS.iter().filter(|it| it.0 == name).map(|it| it.1.name()));
        self.kept += usize::from(KEPT.contains(&name));
        match name {
            "tband_packets" => self.packets = size,
            "tband_snapshot_bufs" => self.snapshot = size,
            "tband_metadata_bufs" | "tband_both_metadata_bufs" => self.metadata = size,
            _ => {}
        }
        // It starts automatically.
        if name == "tband_start_external" || name.starts_with("tband_lib_external_close") {
            self.has_external = true;
        }
        let sum = if is_data { &mut self.ram } else { &mut self.flash };
        *sum = sum.saturating_add(size);
    }

    /// Returns the only backend that the program starts; `None` if it starts none, or several.
    fn started(&self) -> Option<Backend> {
        let mut found = self.backends.iter();
        let first = found.next().filter(|_| found.next().is_none())?;
        BACKENDS.iter().find(|it| it.1.name() == *first).map(|it| it.1)
    }
}

/// Returns the number of cores in the constant of the shim: the word after its first pointer.
fn cores_in<'d>(elf: &impl Object<'d>, symbol: &impl ObjectSymbol<'d>) -> Option<u64> {
    let section = elf.section_by_index(symbol.section_index()?).ok()?;
    let pointer: u64 = if elf.is_64() { 8 } else { 4 };
    let bytes = section.data_range(symbol.address().checked_add(pointer)?, 4).ok()??;
    let bytes: [u8; 4] = bytes.try_into().ok()?;
    let cores =
        if elf.is_little_endian() { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
    Some(u64::from(cores)).filter(|it| (1..=255).contains(it))
}

/// Examines a program.
///
/// # Errors
/// It is not an ELF file, or was stripped.
pub fn diagnose(path: &Path, rate: u32) -> anyhow::Result<Diagnosis> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let cache = ReadCache::new(file);
    let elf = object::File::parse(&cache)
        .with_context(|| format!("{name} is not an ELF file; name one, or a project's folder"))?;
    let mut found = SymbolFacts {
        attributes: Attributes::of(&elf),
        // Of a program that is linked statically, the C library has the second one.
        is_hosted: [".interp", ".note.ABI-tag"].iter().any(|it| elf.section_by_name(it).is_some()),
        ..SymbolFacts::default()
    };
    let mut places = BTreeSet::new();
    // Symbols of assembly may have no type, nor may variables that GCC for Arm puts into .bss without -fdata-sections.
    let is_named = |it: &object::Symbol<'_, '_, &ReadCache<File>>| {
        !it.is_undefined() && !matches!(it.kind(), SymbolKind::File | SymbolKind::Section)
    };
    for symbol in elf.symbols().filter(is_named) {
        let Some(name) = symbol.name().ok().filter(|it| !it.is_empty()) else { continue };
        let kind =
            symbol.section_index().and_then(|it| elf.section_by_index(it).ok()).map(|it| it.kind());
        let is_data = matches!(kind, Some(SectionKind::Data | SectionKind::UninitializedData));
        // Several names may have the same address, for example functions that are the same for all backends.
        let is_first = symbol.size() > 0 && is_of_tband(name) && places.insert(symbol.address());
        if name.starts_with(SHIM) {
            found.cores = cores_in(&elf, &symbol);
        }
        found.add(name, if is_first { symbol.size() } else { 0 }, is_data);
    }
    if !found.any {
        bail!("{name} has no symbols: it was stripped; give the one from before that");
    }
    Ok(judge(&found, path, rate))
}

/// Of `2_armv7em`: the processor that the library is for, and the interface between it and the shim.
fn is_linked(shim: &str) -> String {
    let (interface, processor) = shim.split_once('_').unwrap_or((shim, "any processor"));
    format!("is linked, for {processor}, interface {interface}")
}

fn judge(found: &SymbolFacts, path: &Path, rate: u32) -> Diagnosis {
    let mut diagnosis = Diagnosis {
        next: "record: https://ui.perfetto.dev shows what `tband-cli conv` makes of it; the guide's page on backends explains how to \
               get the bytes",
        ..Diagnosis::default()
    };
    let place = path.display().to_string();
    if found.has_kernel {
        diagnosis.fact("FreeRTOS", "is linked");
    }
    let Some(shim) = &found.shim else {
        if found.recorder.is_empty() {
            diagnosis.finding(
                "tband",
                place,
                "the program does not have the recorder in it",
                "link libtband.a and port/tband_shim.c (CMake: tband::tband), with tband_configENABLE 1, and call the recorder, for \
                 example tband_trigger_snapshot()",
            );
        } else {
            // The linker drops the shim's constant if nothing needs the library.
            diagnosis.fact("tband", format!("{} functions and variables", found.recorder.len()));
            report_missing_start(&mut diagnosis, place);
        }
        return diagnosis;
    };
    diagnosis.fact("tband", is_linked(shim));
    let is_packets = found.packets > 0;
    if found.has_kernel && !found.has_hooks && !found.is_lto {
        diagnosis.finding(
            "the kernel's events",
            place.clone(),
            "the kernel was compiled without tband.h: no task, queue or interrupt is recorded",
            "#include \"tband.h\" as the last line of FreeRTOSConfig.h, tband_configFREERTOS_TRACE_ENABLE 1, and compile the \
             kernel again; kernels before V10.1 cannot be recorded",
        );
    }
    // The backend that needs no start would also appear here if the linker kept unused functions.
    let backend = found.started().or(found.has_external.then_some(Backend::External));
    if found.backends.is_empty() && !found.has_external && !found.is_lto {
        report_missing_start(&mut diagnosis, place);
    } else if found.kept == KEPT.len() && !found.has_external {
        diagnosis.fact(
            "start",
            "not known, because functions that nothing calls are in the program: compile with -ffunction-sections, link with -Wl,--gc-sections",
        );
    }
    let name = if is_packets { "packets" } else { "frames" };
    let ring = if is_packets { found.packets } else { found.snapshot };
    diagnosis.fact(
        "records",
        format!("{name}{}", backend.map_or(String::new(), |it| format!(", {}", it.name()))),
    );
    if ring > 0 {
        diagnosis.fact("events", format!("{ring} bytes, of all cores"));
    }
    if found.metadata > 0 {
        diagnosis.fact("names", format!("{} bytes, of all cores", found.metadata));
    }
    let backend = backend.unwrap_or(Backend::Streaming);
    let (_, architecture) = shim.split_once('_').unwrap_or((shim, ""));
    let cpu = if found.is_hosted { Cpu::Computer } else { found.attributes.cpu(architecture) };
    if let Some(cores) = found.cores.filter(|it| *it > 1) {
        diagnosis.fact("cores", cores.to_string());
    }
    cost::add_size(&mut diagnosis, Size { flash: found.flash, ram: found.ram });
    let kind = MeasuredPart { backend, is_packets, cpu, cores: found.cores };
    cost::add_rate(&mut diagnosis, &kind, rate, Some(ring).filter(|it| *it > 0));
    diagnosis
}

fn report_missing_start(diagnosis: &mut Diagnosis, place: String) {
    diagnosis.finding(
        "a call that starts the recording",
        place,
        "the recorder is linked, but nothing in the program starts it: there is no recording to send or to save",
        "call tband_trigger_snapshot(), or tband_start_streaming(), tband_start_post_mortem()",
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_tband_are_counted() {
        for (name, is_counted) in [
            ("tband_packets", true),
            ("tband_snapshot_bufs.lto_priv.0", true),
            ("_ZN10tband_core6packet5write17h0123456789abcdefE", true),
            ("_RNvNtCs1234_10tband_core6packet5write", true),
            (".L.tband_names", true),
            ("outband_rx_buf", false),
            ("my_tband_buffer", false),
            ("_ZN8outband_2rxE", false),
            ("tbandwidth", false),
            ("queue", false),
        ] {
            let mut found = SymbolFacts::default();
            found.add(name, 16, false);
            assert_eq!(found.flash, if is_counted { 16 } else { 0 }, "{name}");
        }
    }
}
