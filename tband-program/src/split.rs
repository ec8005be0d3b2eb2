//! Debug info that the compiler has put into separate files, with `-gsplit-dwarf`: one for each object, or all in one beside
//! the program.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use addr2line::{LookupContinuation, LookupResult, SplitDwarfLoad};
use gimli::{Dwarf, LittleEndian, Reader as _};
use object::Object;

use crate::elf_file::{Bytes, content, of_elf_file};

/// The files that were searched for, and the missing ones.
pub struct DebugFiles {
    /// The program's file.
    program: PathBuf,
    loaded: RefCell<HashMap<u64, Option<Arc<Dwarf<Bytes>>>>>,
    missing: RefCell<Vec<String>>,
}

impl DebugFiles {
    /// Creates the split debug info of a program.
    pub fn new(program: &Path) -> Self {
        Self {
            program: program.to_owned(),
            loaded: RefCell::default(),
            missing: RefCell::default(),
        }
    }

    /// The files that are missing.
    pub fn missing(&self) -> Vec<String> {
        self.missing.borrow().clone()
    }

    /// Ends a lookup, with the files that it needs.
    pub fn finish<L: LookupContinuation<Buf = Bytes>>(
        &self,
        mut result: LookupResult<L>,
    ) -> L::Output {
        loop {
            match result {
                LookupResult::Output(output) => return output,
                LookupResult::Load { load, continuation } => {
                    result = continuation.resume(self.load(&load));
                }
            }
        }
    }

    fn load(&self, wanted: &SplitDwarfLoad<Bytes>) -> Option<Arc<Dwarf<Bytes>>> {
        if let Some(known) = self.loaded.borrow().get(&wanted.dwo_id.0) {
            return known.clone();
        }
        let text = |it: &Option<Bytes>| {
            it.as_ref().and_then(|it| it.to_string_lossy().ok().map(|it| it.into_owned()))
        };
        let name = text(&wanted.path).unwrap_or_default();
        let found = self.load_package(wanted).or_else(|| {
            let relative = Path::new(&name);
            let folder = text(&wanted.comp_dir).map(PathBuf::from).unwrap_or_default();
            let beside = self.program.parent().unwrap_or(Path::new(""));
            let places = [
                folder.join(relative),
                beside.join(relative),
                beside.join(relative.file_name().unwrap_or_default()),
            ];
            places.iter().find_map(|place| Self::load_object(place, wanted))
        });
        if found.is_none() && !self.missing.borrow().contains(&name) {
            self.missing.borrow_mut().push(name);
        }
        self.loaded.borrow_mut().insert(wanted.dwo_id.0, found.clone());
        found
    }

    /// All in one file: `firmware.elf.dwp` or `firmware.dwp`.
    fn load_package(&self, wanted: &SplitDwarfLoad<Bytes>) -> Option<Arc<Dwarf<Bytes>>> {
        let mut whole = self.program.clone().into_os_string();
        whole.push(".dwp");
        let places = [PathBuf::from(whole), self.program.with_extension("dwp")];
        places.iter().filter(|place| place.is_file()).find_map(|place| {
            let package = of_elf_file(place, |elf| {
                let load = |id: gimli::SectionId| {
                    Ok::<_, gimli::Error>(section(elf, id.dwo_name().unwrap_or_default()))
                };
                Ok(gimli::DwarfPackage::load(load, bytes(&[]))?)
            });
            package.ok()?.find_cu(wanted.dwo_id, &wanted.parent).ok()?.map(Arc::new)
        })
    }

    fn load_object(place: &Path, wanted: &SplitDwarfLoad<Bytes>) -> Option<Arc<Dwarf<Bytes>>> {
        if !place.is_file() {
            return None;
        }
        let mut dwarf = of_elf_file(place, |elf| {
            let load = |id: gimli::SectionId| {
                Ok::<_, gimli::Error>(section(elf, id.dwo_name().unwrap_or_default()))
            };
            Ok(Dwarf::load(load)?)
        })
        .ok()?;
        // A file of another build has other content.
        let mut units = dwarf.units();
        let is_that = std::iter::from_fn(|| units.next().ok().flatten()).any(|header| {
            let id = match header.type_() {
                gimli::UnitType::SplitCompilation(id) => Some(id),
                _ => dwarf.unit(header).ok().and_then(|unit| unit.dwo_id),
            };
            id == Some(wanted.dwo_id)
        });
        if !is_that {
            return None;
        }
        dwarf.make_dwo(&wanted.parent);
        #[allow(clippy::arc_with_non_send_sync)] // what addr2line takes
        Some(Arc::new(dwarf))
    }
}

fn bytes(data: &[u8]) -> Bytes {
    Bytes::new(Rc::from(data), LittleEndian)
}

/// Returns the content of a section; empty if there is none.
fn section(elf: &crate::elf_file::Elf<'_>, name: &str) -> Bytes {
    let section = elf.section_by_name(name).filter(|_| !name.is_empty());
    bytes(section.and_then(|it| content(&it).ok()).as_deref().unwrap_or_default())
}
