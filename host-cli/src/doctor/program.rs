//! A program that was linked: what of tband is in it, by its symbols.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use anyhow::{Context, bail};
use object::read::ReadCache;
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};

use super::Diagnosis;
use super::cost::{self, Backend};

/// The kernel.
const KERNEL: [&str; 2] = ["vTaskSwitchContext", "xTaskIncrementTick"];
/// What the shim gives to the library: the number of the interface and the processor follow.
const SHIM: &str = "tband_shim_for_library_abi_";
/// What starts a recording, and says which backend is linked.
const BACKENDS: [(&str, Backend); 3] = [
    ("tband_trigger_snapshot", Backend::Snapshot),
    ("tband_start_streaming", Backend::Streaming),
    ("tband_start_post_mortem", Backend::PostMortem),
];

/// What is found of the symbols.
#[derive(Default)]
struct Found {
    any: bool,
    has_kernel: bool,
    /// A function that the kernel's trace macros call when it creates something.
    has_hooks: bool,
    /// It was optimised when it was linked: functions may be parts of others.
    is_lto: bool,
    shim: Option<String>,
    backends: Vec<Backend>,
    has_external: bool,
    packets: u64,
    snapshot: u64,
    metadata: u64,
    flash: u64,
    ram: u64,
}

impl Found {
    fn add(&mut self, name: &str, size: u64, is_data: bool) {
        self.any = true;
        self.has_kernel |= KERNEL.contains(&name);
        self.has_hooks |= name.starts_with("tband_freertos_");
        self.is_lto |= name.contains(".lto_priv");
        if !name.contains("tband") {
            return;
        }
        if let Some(rest) = name.strip_prefix(SHIM) {
            self.shim = Some(rest.to_owned());
        }
        self.backends.extend(BACKENDS.iter().filter(|it| it.0 == name).map(|it| it.1));
        match name {
            "tband_packets" => self.packets = size,
            "tband_snapshot_bufs" => self.snapshot = size,
            "tband_metadata_bufs" | "tband_both_metadata_bufs" => self.metadata = size,
            _ => {}
        }
        // It starts by itself.
        if name == "tband_start_external" || name.starts_with("tband_external_close") {
            self.has_external = true;
        }
        let sum = if is_data { &mut self.ram } else { &mut self.flash };
        *sum = sum.saturating_add(size);
    }
}

/// Looks at a program.
///
/// # Errors
/// It is no ELF file, or was stripped.
pub fn diagnose(path: &Path, rate: u32) -> anyhow::Result<Diagnosis> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let cache = ReadCache::new(file);
    let elf = object::File::parse(&cache)
        .with_context(|| format!("{name} is no ELF file; name one, or a project's folder"))?;
    let mut found = Found::default();
    let mut places = BTreeSet::new();
    for symbol in elf.symbols().filter(ObjectSymbol::is_definition) {
        let Ok(name) = symbol.name() else { continue };
        let kind =
            symbol.section_index().and_then(|it| elf.section_by_index(it).ok()).map(|it| it.kind());
        let is_data = matches!(kind, Some(SectionKind::Data | SectionKind::UninitializedData));
        let is_sized = matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data);
        // Several names may be of one place, as of the functions that are the same for all backends.
        let is_first = name.contains("tband") && places.insert(symbol.address());
        found.add(name, if is_sized && is_first { symbol.size() } else { 0 }, is_data);
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

fn judge(found: &Found, path: &Path, rate: u32) -> Diagnosis {
    let mut diagnosis = Diagnosis {
        next: "record: https://ui.perfetto.dev shows what `tband-cli conv` makes of it; the guide's page on backends says how to \
               get the bytes",
        ..Diagnosis::default()
    };
    let place = path.display().to_string();
    if found.has_kernel {
        diagnosis.fact("FreeRTOS", "is linked");
    }
    let Some(shim) = &found.shim else {
        diagnosis.finding(
            "tband",
            place,
            "the program does not have the recorder in it",
            "link libtband.a and port/tband_shim.c (CMake: tband::tband), with tband_configENABLE 1, and call the recorder, for \
             example tband_trigger_snapshot()",
        );
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
             kernel again",
        );
    }
    let backend = match found.backends.as_slice() {
        // The one that needs no start would be seen here as well if the linker kept what nobody calls.
        [] if found.has_external => Some(Backend::External),
        [] if found.is_lto => None,
        [] => {
            diagnosis.finding(
                "a call that starts the recording",
                place,
                "nothing in the program starts it",
                "call tband_trigger_snapshot(), or tband_start_streaming(), tband_start_post_mortem()",
            );
            None
        }
        [one] => Some(*one),
        _ => None,
    };
    let kind = if is_packets { "packets" } else { "frames" };
    let ring = if is_packets { found.packets } else { found.snapshot };
    diagnosis.fact(
        "records",
        format!("{kind}{}", backend.map_or(String::new(), |it| format!(", {}", it.name()))),
    );
    if ring > 0 {
        diagnosis.fact("events", format!("{ring} bytes, of all cores"));
    }
    if found.metadata > 0 {
        diagnosis.fact("names", format!("{} bytes, of all cores", found.metadata));
    }
    let backend = backend.unwrap_or(Backend::Streaming);
    let measured = Some((found.flash, found.ram));
    cost::add(
        &mut diagnosis,
        (backend, is_packets),
        rate,
        measured,
        Some(ring).filter(|it| *it > 0),
    );
    diagnosis
}
