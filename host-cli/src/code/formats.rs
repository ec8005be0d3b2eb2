//! Formats of the application's own records, in the program's file.

use std::path::Path;

use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use tband_conv::{ProgramId, formats_of_section};
use tband_format::{Event, Str};

use crate::target::{Elf, build_name, described, frame, of_elf_file};

/// Sections that have them: one that port/records/tband_strings.ld makes, or one each.
const SECTION: &str = ".tband_strings";
/// What the variable of one is called, as a part of its symbol.
const SYMBOL: &str = "tband_text";

/// Bytes of a text in an event, at most.
const MOST: usize = 1024;
/// What the events of a format, and of the program that they are of, look like, for readers that do not know them.
const EVENTS: [(u8, &[u8]); 2] =
    [(233, b"format format_id:u32,text:str"), (231, b"formats_of first:u32,second:u32")];

/// What a program says of records.
#[derive(Debug, Default)]
pub struct Known {
    pub program: ProgramId,
    pub formats: Vec<(u32, Vec<u8>)>,
    pub symbols: Vec<(u32, String)>,
}

impl Known {
    /// Formats as metadata, for a recording that is to be read without the program: a frame each, and one of which program they
    /// are. None if there are no formats.
    pub fn frames(&self) -> Vec<Vec<u8>> {
        if self.formats.is_empty() {
            return Vec::new();
        }
        let mut frames: Vec<_> = EVENTS.into_iter().map(described).collect();
        if let Some(build) = self.program.build {
            let (first, second) = ((build >> 32) as u32, build as u32);
            frames.push(frame(&Event::FormatsOf { first, second }));
        }
        for (at, text) in &self.formats {
            let mut format_id = *at;
            for piece in text.chunks(MOST) {
                frames.push(frame(&Event::Format { format_id, text: Str(piece) }));
                format_id = format_id.wrapping_add(piece.len() as u32);
            }
        }
        frames
    }
}

/// Formats and names of functions and objects, by their addresses; no formats if the program records none.
///
/// # Errors
/// The file cannot be read, or is no ELF file.
pub fn formats(path: &Path) -> anyhow::Result<Known> {
    of_elf_file(path, |elf| {
        let program = ProgramId { build: build(elf), name: build_name(elf, path) };
        Ok(Known { program, ..known(elf) })
    })
}

/// The beginning of the linker's build id.
fn build(elf: &Elf<'_>) -> Option<u64> {
    let id = elf.build_id().ok()??;
    id.first_chunk().map(|first| u64::from_be_bytes(*first))
}

fn known(elf: &Elf<'_>) -> Known {
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
    Known { program: ProgramId::default(), formats, symbols }
}

#[cfg(test)]
mod tests {
    use tband_format::Schema;

    use super::*;

    #[test]
    fn the_schemas_are_those_of_the_events() {
        for (id, text) in EVENTS {
            let def = tband_format::EVENTS.iter().find(|def| def.id == id).unwrap();
            assert!(def.is_described_by(&Schema::parse(text).unwrap()));
        }
    }

    #[test]
    fn long_formats_are_several_events() {
        let mut known = Known::default();
        assert!(known.frames().is_empty());
        known.formats = vec![(1, b"i:%d\x03".to_vec()), (7, vec![b'x'; 2 * MOST + 1])];
        assert_eq!(known.frames().len(), 2 + 1 + 3);
        known.program.build = Some(1);
        assert_eq!(known.frames().len(), 2 + 1 + 1 + 3);
    }
}
