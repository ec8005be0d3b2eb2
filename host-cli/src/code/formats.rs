//! Formats of the application's own records, in the program's file.

use std::fs::File;
use std::path::Path;

use anyhow::Context as _;
use object::read::ReadCache;
use object::{Object, ObjectSection, ObjectSymbol};
use tband_conv::formats_of_section;

/// Sections that have them: one that port/tband_strings.ld makes, or one each.
const SECTION: &str = ".tband_strings";
/// What the variable of one is called, as a part of its symbol.
const SYMBOL: &str = "tband_text";

/// Formats by their addresses; none if the program records none.
///
/// # Errors
/// The file cannot be read, or is no ELF file.
pub fn formats(path: &Path) -> anyhow::Result<Vec<(u32, Vec<u8>)>> {
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
    Ok(found.chain(elsewhere.flatten()).collect())
}
