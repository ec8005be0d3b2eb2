//! The identity of a program.

use std::path::Path;

use object::{Object, ObjectSymbol};
use tband_conv::records::{ProgramId, is_identity};

use crate::elf_file::{Elf, build};
use crate::setup::build_name;

/// The symbols whose values are the characters of the identity: `cmake/TbandLink.cmake` defines them.
const SYMBOLS: [&str; 3] = ["tband_program_0", "tband_program_1", "tband_program_2"];

/// The identity that the program's build put into it, the linker's build id, and `tband_configBUILD_ID`, each if it has one.
pub fn program_id(elf: &Elf<'_>, path: &Path) -> ProgramId {
    ProgramId { identity: identity(elf), build: build(elf), name: build_name(elf, path) }
}

fn identity(elf: &Elf<'_>) -> Option<String> {
    let mut characters = Vec::new();
    for name in SYMBOLS {
        let word = elf.symbols().find(|it| it.name() == Ok(name)).map_or(0, |it| it.address());
        match (elf.is_64(), elf.is_little_endian()) {
            (true, true) => characters.extend(word.to_le_bytes()),
            (true, false) => characters.extend(word.to_be_bytes()),
            (false, true) => characters.extend((word as u32).to_le_bytes()),
            (false, false) => characters.extend((word as u32).to_be_bytes()),
        }
    }
    let text = characters.split(|character| *character == 0).next()?;
    is_identity(text).then(|| String::from_utf8_lossy(text).into_owned())
}
