//! Formats of the application's own records, in the program's file.

use std::path::Path;

use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use tband_conv::formats_of_section;
use tband_format::{Event, Str};

use crate::target::{Elf, described, frame, of_elf_file};

/// Sections that have them: one that port/records/tband_strings.ld makes, or one each.
const SECTION: &str = ".tband_strings";
/// What the variable of one is called, as a part of its symbol.
const SYMBOL: &str = "tband_text";

/// Bytes of a text in an event, at most.
const MOST: usize = 1024;
/// What the event of a format looks like, for readers that do not know it.
const EVENT: (u8, &[u8]) = (233, b"format format_id:u32,text:str");

/// Formats as metadata, for a recording that is to be read without the program: a frame each.
pub fn frames(formats: &[(u32, Vec<u8>)]) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    if !formats.is_empty() {
        frames.push(described(EVENT));
    }
    for (at, text) in formats {
        let mut format_id = *at;
        for piece in text.chunks(MOST) {
            frames.push(frame(&Event::Format { format_id, text: Str(piece) }));
            format_id = format_id.wrapping_add(piece.len() as u32);
        }
    }
    frames
}

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
    of_elf_file(path, |elf| Ok(known(elf)))
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
    Known { formats, symbols }
}

#[cfg(test)]
mod tests {
    use tband_format::{EVENTS, Schema};

    use super::*;

    #[test]
    fn the_schema_is_that_of_the_event() {
        let (id, text) = EVENT;
        let def = EVENTS.iter().find(|def| def.id == id).unwrap();
        assert!(def.is_described_by(&Schema::parse(text).unwrap()));
    }

    #[test]
    fn long_formats_are_several_events() {
        assert!(frames(&[]).is_empty());
        let formats = [(1, b"i:%d\x03".to_vec()), (7, vec![b'x'; 2 * MOST + 1])];
        assert_eq!(frames(&formats).len(), 1 + 1 + 3);
    }
}
