//! Formats of the application's own records, in the program's file.

use std::fs::File;
use std::path::Path;

use anyhow::Context as _;
use object::read::ReadCache;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use tband_conv::formats_of_section;

/// Sections that have them: one that port/records/tband_strings.ld makes, or one each.
const SECTION: &str = ".tband_strings";
/// What the variable of one is called, as a part of its symbol.
const SYMBOL: &str = "tband_text";

/// What a program says of records.
#[derive(Debug, Default)]
pub struct Known {
    pub formats: Vec<(u32, Vec<u8>)>,
    pub symbols: Vec<(u32, String)>,
}

/// Formats and names of functions and objects, by their addresses; no formats if the program records none.
///
/// # Errors
/// The file cannot be read, or is no ELF file.
pub fn formats(path: &Path) -> anyhow::Result<Known> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
    let cache = ReadCache::new(file);
    let elf = object::File::parse(&cache).with_context(|| {
        format!("{name} is no ELF file; give the one that the firmware was made of")
    })?;
    let sections = elf.sections().filter(|it| {
        let rest = it.name().ok().and_then(|name| name.strip_prefix(SECTION));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    let found = sections.flat_map(|it| {
        let data = it.uncompressed_data().unwrap_or_default();
        formats_of_section(it.address(), &data)
    });
    // GCC leaves those of templates where other constants are.
    let elsewhere = elf.symbols().filter_map(|it| {
        it.name().ok().filter(|name| name.contains(SYMBOL))?;
        let section = elf.section_by_index(it.section_index()?).ok()?;
        let data = section.data_range(it.address(), it.size()).ok()??;
        Some(formats_of_section(it.address(), data))
    });
    let formats: Vec<_> = found.chain(elsewhere.flatten()).collect();
    let names = elf.symbols().filter(|it| matches!(it.kind(), SymbolKind::Text | SymbolKind::Data));
    let symbols = names.filter_map(|it| {
        let name = it.name().ok().filter(|name| !name.is_empty() && !name.contains(SYMBOL))?;
        let at = u32::try_from(it.address()).ok()?;
        Some((at, addr2line::demangle_auto(name.into(), None).into_owned()))
    });
    let symbols = if formats.is_empty() { Vec::new() } else { symbols.collect() };
    Ok(Known { formats, symbols })
}
