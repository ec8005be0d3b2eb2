//! The firmware's code: function, file and line of an address, from its ELF file.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use anyhow::Context as _;
use gimli::{DebugFrame, EhFrame, LittleEndian};
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind, elf};
use tband_conv::model::Crash;
use tband_format::named::FaultFact;

use crate::call::{Call, Jump, call_before, jumps};
use crate::elf_file::{Bytes, Elf, build, content, of_elf_file};
use crate::names::as_written;
use crate::split::DebugFiles;
use crate::stack::sum_of;

/// Text in place of a function where the program has no code.
const NO_CODE: &str = "no code of the program";
/// Bytes of code that have a checksum.
const CODE_BYTES: usize = 1024;
/// Maximum number of followed functions that end with a jump to the next one.
const TAIL_CALLS: u32 = 3;

/// Whether a return address is one of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The call just before it calls that function.
    Sure,
    /// The target of the call, or of a jump in the called function, comes from a place whose content is no longer known.
    Perhaps,
    /// It calls another function, or the code ends without a call.
    No,
}

/// A function, which the debug info may lack.
struct Function {
    begin: u64,
    len: u64,
    name: String,
}

/// A program with its symbols, and its debug info if it has some.
pub struct Code {
    pub(crate) architecture: Architecture,
    lines: addr2line::Context<Bytes>,
    split: DebugFiles,
    /// Sections of debug info that cannot be read.
    unread: Vec<String>,
    functions: Vec<Function>,
    /// The beginning of the linker's build id.
    build: Option<u64>,
    /// Symbols in code that have no size, as in assembler code, by their addresses.
    labels: Vec<(u64, String)>,
    /// In sections of code: the begin of each range, and whether it is data.
    mapped: Vec<(u64, bool)>,
    /// Variables and constants, and their bytes.
    data: Vec<(u64, u64)>,
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
    /// It cannot be read, is not an ELF file, or its debug info is damaged.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        of_elf_file(path, |elf| Self::of(elf, path))
    }

    fn of(elf: &Elf<'_>, path: &Path) -> anyhow::Result<Self> {
        let name = path.display();
        let unread = RefCell::new(Vec::new());
        let section = |name: &str| -> Bytes {
            let section = elf.section_by_name(name);
            let data = section.and_then(|it| match content(&it) {
                Ok(data) => Some(data),
                Err(why) => {
                    unread.borrow_mut().push(format!("section {name} ({why})"));
                    None
                }
            });
            Bytes::new(Rc::from(data.as_deref().unwrap_or_default()), LittleEndian)
        };
        let load = |id: gimli::SectionId| Ok::<_, gimli::Error>(section(id.name()));
        let dwarf = gimli::Dwarf::load(load);
        let lines = dwarf.and_then(addr2line::Context::from_dwarf);
        let lines = lines.with_context(|| format!("{name}: its debug info is damaged"))?;
        // The lowest bit of a function's address marks Thumb code.
        let functions = elf.symbols().filter(|it| it.kind() == SymbolKind::Text && it.size() > 0);
        let functions = functions.filter_map(|it| {
            let name = it.name().ok()?.to_owned();
            Some(Function { begin: it.address() & !1, len: it.size(), name })
        });
        let functions = functions.collect();
        let labels = labels(elf);
        let mapped = elf.symbols().filter_map(|it| {
            let kind = it.name().ok()?.strip_prefix('$')?.chars().next()?;
            let is_one = matches!(kind, 'a' | 't' | 'd' | 'x');
            is_one.then(|| (it.address() & !1, kind == 'd'))
        });
        let mut mapped: Vec<_> = mapped.collect();
        mapped.sort_unstable();
        let data = elf.symbols().filter(|it| it.kind() == SymbolKind::Data && it.size() > 0);
        let data = data.map(|it| (it.address(), it.size())).collect();
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
        let architecture = elf.architecture();
        let build = build(elf);
        Ok(Self {
            architecture,
            split: DebugFiles::new(path),
            unread: unread.take(),
            build,
            lines,
            functions,
            labels,
            mapped,
            data,
            instructions,
            frames,
            bases,
        })
    }

    /// Returns the missing parts of the debug info so far: its files, and sections.
    pub(crate) fn missing(&self) -> Vec<String> {
        let files = self.split.missing().into_iter().map(|it| format!("file {it}"));
        self.unread.iter().cloned().chain(files).collect()
    }

    /// Whether a crash is of another program than this one, as far as the recording shows it.
    #[must_use]
    pub fn is_another_than(&self, crash: &Crash) -> bool {
        let pair = |one, other| Some((crash.value(one)?, crash.value(other)?));
        if let Some((first, second)) = pair(FaultFact::BUILD_FIRST, FaultFact::BUILD_SECOND) {
            let build = u64::from(first.swap_bytes()) << 32 | u64::from(second.swap_bytes());
            return self.build.is_some_and(|it| it != build);
        }
        let Some((at, sum)) = pair(FaultFact::CODE_AT, FaultFact::CODE_SUM) else { return false };
        // Bytes between sections are not known.
        self.section(at.into()).is_some_and(|(begin, code)| {
            let from = (u64::from(at) - begin) as usize;
            let code = code.get(from..from.saturating_add(CODE_BYTES));
            code.is_some_and(|code| sum_of(code) != sum)
        })
    }

    /// Returns the function of an instruction, with the functions inlined there, innermost first.
    ///
    /// Functions that the linker has left out are in the debug info with the address 0, and so overlap with others: an entry
    /// counts if the symbols agree.
    pub(crate) fn named(&self, at: u64) -> Vec<String> {
        let symbols: Vec<&str> = self.symbols(at).collect();
        let (mut names, mut outermost) = (Vec::new(), None);
        if let Ok(mut frames) = self.split.finish(self.lines.find_frames(at)) {
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
        let symbol = symbols.first().map(|symbol| as_written(symbol));
        vec![symbol.unwrap_or_else(|| self.unnamed(at))]
    }

    /// Describes an address outside of functions of known size.
    fn unnamed(&self, at: u64) -> String {
        if !self.is_code(at) {
            return NO_CODE.to_owned();
        }
        match self.label(at) {
            Some((label, name)) => {
                format!("no function of known size, {} bytes after the label {name}", at - label)
            }
            None => "no function of the program".to_owned(),
        }
    }

    /// Returns the last symbol without a size up to an address, unless there is a function between them.
    fn label(&self, at: u64) -> Option<(u64, &str)> {
        let last = self.labels.iter().rfind(|(label, _)| *label <= at)?;
        let ends = self.functions.iter().map(|it| it.begin.saturating_add(it.len));
        let is_between = ends.into_iter().any(|end| end > last.0 && end <= at);
        let is_same = self.is_in_same_section(last.0, at);
        (!is_between && is_same).then_some((last.0, last.1.as_str()))
    }

    /// The names of the functions that an instruction is in; aliases are several.
    fn symbols(&self, at: u64) -> impl Iterator<Item = &str> {
        self.functions_at(at).map(|it| it.name.as_str())
    }

    fn functions_at(&self, at: u64) -> impl Iterator<Item = &Function> {
        let at_it = move |it: &&Function| (it.begin..it.begin.saturating_add(it.len)).contains(&at);
        self.functions.iter().filter(at_it)
    }

    /// Whether there is code at the address, and not, for example, a table of addresses in a section of code.
    pub(crate) fn is_code(&self, at: u64) -> bool {
        let is_data = || {
            let last = self.mapped.iter().rfind(|(begin, _)| *begin <= at);
            last.is_some_and(|(begin, is_data)| *is_data && self.is_in_same_section(*begin, at))
                || self.data.iter().any(|(begin, len)| at.wrapping_sub(*begin) < *len)
        };
        self.section(at).is_some() && (self.functions_at(at).next().is_some() || !is_data())
    }

    fn is_in_same_section(&self, one: u64, other: u64) -> bool {
        let section = |at: u64| self.section(at).map(|(begin, _)| begin);
        section(one) == section(other)
    }

    /// A function begins here.
    pub(crate) fn is_begin(&self, at: u64) -> bool {
        self.functions.iter().any(|it| it.begin == at) || self.labels.iter().any(|it| it.0 == at)
    }

    /// The section of code that has an address.
    fn section(&self, at: u64) -> Option<(u64, &[u8])> {
        let has_it = |it: &&(u64, Vec<u8>)| {
            at.checked_sub(it.0).is_some_and(|from| from < it.1.len() as u64)
        };
        self.instructions.iter().find(has_it).map(|(begin, code)| (*begin, &code[..]))
    }

    /// Whether the instruction just before `goes_on` has called the code at `callee`: that address itself, or the function that
    /// contains it, if needed by the content of the `registers`.
    pub(crate) fn called(
        &self,
        goes_on: u64,
        callee: u64,
        registers: impl Fn(usize) -> Option<u32>,
    ) -> Link {
        let Some(code) = self.code_before(goes_on) else { return Link::No };
        let Some(call) = call_before(code, goes_on as u32, self.architecture) else {
            return Link::No;
        };
        let target = match call {
            Call::To(target) => target,
            Call::ToRegister(register, offset) => match registers(register) {
                Some(value) => value.wrapping_add_signed(offset) & !1,
                None => return Link::Perhaps,
            },
        };
        let mut begins: Vec<u64> = self.functions_at(callee).map(|it| it.begin).collect();
        if begins.is_empty() {
            begins.extend(self.label(callee).map(|it| it.0));
        }
        begins.push(callee);
        self.link(target.into(), &begins, TAIL_CALLS)
    }

    /// Whether a function that begins at `from` is one of these, or ends with a jump to one of them.
    fn link(&self, from: u64, begins: &[u64], most: u32) -> Link {
        if begins.contains(&from) {
            return Link::Sure;
        }
        let Some(function) = self.functions_at(from).find(|it| it.begin == from) else {
            // A veneer of the linker, for example.
            return if self.label(from).is_some() { Link::Perhaps } else { Link::No };
        };
        let (Some(most), Some((begin, code))) = (most.checked_sub(1), self.section(from)) else {
            return Link::No;
        };
        let end = from.saturating_add(function.len);
        let code = code.get((from - begin) as usize..).unwrap_or_default();
        let code = code.get(..function.len as usize).unwrap_or(code);
        let mut found = Link::No;
        for jump in jumps(code, from as u32, self.architecture) {
            let link = match jump {
                Jump::To(to) if (from..end).contains(&to.into()) => continue,
                Jump::To(to) => self.link(to.into(), begins, most),
                Jump::Anywhere => Link::Perhaps,
            };
            match link {
                Link::Sure => return Link::Sure,
                Link::Perhaps => found = Link::Perhaps,
                Link::No => {}
            }
        }
        found
    }

    /// Returns the instructions up to an address; there is at least one.
    fn code_before(&self, at: u64) -> Option<&[u8]> {
        self.instructions.iter().find_map(|(begin, code)| {
            let len = at.checked_sub(*begin).filter(|len| *len > 0)?;
            code.get(..usize::try_from(len).ok()?)
        })
    }
}

/// Symbols in code without a size, in order.
fn labels(elf: &Elf<'_>) -> Vec<(u64, String)> {
    let is_code = |index| {
        let flags = elf.section_by_index(index).ok()?.flags();
        let SectionFlags::Elf { sh_flags } = flags else { return None };
        (sh_flags & u64::from(elf::SHF_EXECINSTR) != 0).then_some(())
    };
    let labels = elf.symbols().filter(|it| it.size() == 0 && it.is_definition());
    let labels = labels.filter_map(|it| {
        is_code(it.section_index()?)?;
        // Symbols with a dollar mark code and data.
        let name = it.name().ok().filter(|name| !name.is_empty() && !name.starts_with('$'))?;
        Some((it.address() & !1, as_written(name)))
    });
    let mut labels: Vec<_> = labels.collect();
    labels.sort();
    labels
}

/// The name of a file without its folders, of whatever system.
fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
