//! Formats of the application's log records, in the program's file.

use std::path::Path;

use object::{Architecture, Object, ObjectSection, ObjectSymbol, SymbolKind};
use tband_conv::Options;
use tband_conv::records::{ProgramId, ProgramSymbol, formats_of_section};

use crate::elf_file::{Elf, of_elf_file};
use crate::identity::program_id;
use crate::names::as_written;

/// Sections with formats: one that port/records/tband_strings.ld creates, or one each.
const SECTION: &str = ".tband_strings";
/// Name of a format's variable, as a part of its symbol.
const SYMBOL: &str = "tband_text";

/// A program's facts about records.
#[derive(Clone, Debug, Default)]
pub struct RecordFacts {
    /// Which one it is.
    pub program: ProgramId,
    /// Formats by their addresses.
    pub formats: Vec<(u32, Vec<u8>)>,
    /// Functions and objects; empty if there are no formats.
    pub symbols: Vec<ProgramSymbol>,
}

impl RecordFacts {
    /// Adds it to how a recording is converted.
    pub fn apply_to(self, options: &mut Options) {
        let Self { program, formats, symbols } = self;
        (options.program, options.record_formats, options.symbols) = (program, formats, symbols);
    }
}

/// Returns formats and names of functions and objects, by their addresses; no formats if the program records none.
///
/// # Errors
/// The file cannot be read, or is not an ELF file.
pub fn formats(path: &Path) -> anyhow::Result<RecordFacts> {
    of_elf_file(path, |elf| Ok(RecordFacts { program: program_id(elf, path), ..known(elf) }))
}

fn known(elf: &Elf<'_>) -> RecordFacts {
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
    let is_arm = elf.architecture() == Architecture::Arm;
    let symbols = names.filter_map(|it| {
        let name = it.name().ok().filter(|name| !name.is_empty() && !name.contains(SYMBOL))?;
        let at = u32::try_from(it.address()).ok()?;
        let is_thumb = is_arm && it.kind() == SymbolKind::Text && at & 1 == 1;
        let at = if is_thumb { at & !1 } else { at };
        let len = u32::try_from(it.size()).unwrap_or(0);
        Some(ProgramSymbol { at, len, is_thumb, name: as_written(name) })
    });
    let symbols = if formats.is_empty() { Vec::new() } else { symbols.collect() };
    RecordFacts { program: ProgramId::default(), formats, symbols }
}
