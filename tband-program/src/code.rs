//! The firmware's code: in which function, file and line an address is, as its ELF file says.

use std::path::Path;
use std::rc::Rc;

use anyhow::Context as _;
use gimli::{DebugFrame, EhFrame, LittleEndian};
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind, elf};

use crate::call;
use crate::elf_file::{Elf, of_elf_file};
use crate::names::as_written;

/// Bytes of a section.
pub type Bytes = gimli::EndianRcSlice<LittleEndian>;

/// A function, of which the debug info need not know.
struct Function {
    begin: u64,
    len: u64,
    name: String,
}

/// A program with its symbols, and its debug info if it has some.
pub struct Code {
    pub(crate) architecture: Architecture,
    lines: addr2line::Context<Bytes>,
    functions: Vec<Function>,
    /// Instructions, and where they are.
    instructions: Vec<(u64, Vec<u8>)>,
    /// How the registers of callers follow, and where these sections are.
    pub(crate) frames: (DebugFrame<Bytes>, EhFrame<Bytes>),
    pub(crate) bases: gimli::BaseAddresses,
}

impl Code {
    /// Reads an ELF file.
    ///
    /// # Errors
    /// It cannot be read, is none, or its debug info is damaged.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        of_elf_file(path, |elf| Self::of(elf, path))
    }

    fn of(elf: &Elf<'_>, path: &Path) -> anyhow::Result<Self> {
        let name = path.display();
        let section = |name: &str| -> Bytes {
            let data = elf.section_by_name(name).and_then(|it| it.uncompressed_data().ok());
            Bytes::new(Rc::from(data.as_deref().unwrap_or_default()), LittleEndian)
        };
        let load = |id: gimli::SectionId| Ok::<_, gimli::Error>(section(id.name()));
        let dwarf = gimli::Dwarf::load(load);
        let lines = dwarf.and_then(addr2line::Context::from_dwarf);
        let lines = lines.with_context(|| format!("{name}: its debug info is damaged"))?;
        // The lowest bit of a function's address says that it is Thumb.
        let functions = elf.symbols().filter(|it| it.kind() == SymbolKind::Text && it.size() > 0);
        let functions = functions.filter_map(|it| {
            let name = it.name().ok()?.to_owned();
            Some(Function { begin: it.address() & !1, len: it.size(), name })
        });
        let functions = functions.collect();
        let instructions = elf.sections().filter(|it| {
            matches!(it.flags(), SectionFlags::Elf { sh_flags } if sh_flags & u64::from(elf::SHF_EXECINSTR) != 0)
        });
        let instructions =
            instructions.filter_map(|it| Some((it.address(), it.data().ok()?.to_vec())));
        let instructions = instructions.collect();
        let address = |name: &str| elf.section_by_name(name).map_or(0, |it| it.address());
        let bases = gimli::BaseAddresses::default()
            .set_eh_frame(address(".eh_frame"))
            .set_text(address(".text"));
        let mut debug_frame = DebugFrame::from(section(".debug_frame"));
        let mut eh_frame = EhFrame::from(section(".eh_frame"));
        let width = if elf.is_64() { 8 } else { 4 };
        debug_frame.set_address_size(width);
        eh_frame.set_address_size(width);
        let frames = (debug_frame, eh_frame);
        Ok(Self { architecture: elf.architecture(), lines, functions, instructions, frames, bases })
    }

    /// The function that an instruction is in, with what was inlined there, innermost first.
    ///
    /// Functions that the linker has left out are in the debug info with the address 0, and so seem to be where others are: what
    /// it says counts if the symbols agree.
    pub(crate) fn named(&self, at: u64) -> Vec<String> {
        let symbols: Vec<&str> = self.symbols(at).collect();
        let (mut names, mut outermost) = (Vec::new(), None);
        if let Ok(mut frames) = self.lines.find_frames(at).skip_all_loads() {
            while let Ok(Some(frame)) = frames.next() {
                let Some(function) = frame.function else { continue };
                let Ok(name) = function.demangle() else { continue };
                let line = frame.location.and_then(|it| Some((base_name(it.file?), it.line?)));
                names.push(match line {
                    Some((file, line)) => format!("{name} ({file}:{line})"),
                    None => name.clone().into_owned(),
                });
                outermost = function.raw_name().ok().map(|it| it.into_owned());
            }
        }
        // Compilers add endings, as in `step.constprop.0`.
        if outermost.is_some_and(|name| symbols.iter().any(|symbol| symbol.starts_with(&name))) {
            return names;
        }
        symbols.first().map(|symbol| as_written(symbol)).into_iter().collect()
    }

    /// The names of the functions that an instruction is in; aliases are several.
    fn symbols(&self, at: u64) -> impl Iterator<Item = &str> {
        let at_it = move |it: &&Function| (it.begin..it.begin.saturating_add(it.len)).contains(&at);
        self.functions.iter().filter(at_it).map(|it| it.name.as_str())
    }

    /// There is a function.
    pub(crate) fn is_code(&self, at: u64) -> bool {
        self.symbols(at).next().is_some()
    }

    /// A call is just before this address.
    pub(crate) fn returns_to(&self, at: u64) -> bool {
        self.before(at).is_some_and(|code| call::ends_with_call(code, self.architecture))
    }

    /// The instructions up to an address, of which there is one at least.
    fn before(&self, at: u64) -> Option<&[u8]> {
        self.instructions.iter().find_map(|(begin, code)| {
            let len = at.checked_sub(*begin).filter(|len| *len > 0)?;
            code.get(..usize::try_from(len).ok()?)
        })
    }
}

/// The name of a file without its folders, of whatever system.
fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
