//! Variables of the firmware by their names, where a command wants an address.

use std::path::Path;

use anyhow::{Context, bail};
use object::{Object, ObjectSymbol};
use tband_program::{Elf, as_written, of_elf_file};

use super::number::number;

/// Where a variable is, and how many bytes it has.
type VariableLocation = (u32, u32);

/// Returns the address, and the size if it is known, in a user's text: a number, or with the program a variable, NAME or
/// NAME+OFFSET.
///
/// # Errors
/// It is neither, or there is no such variable.
pub fn address(text: &str, elf: Option<&Path>) -> anyhow::Result<(u32, Option<u32>)> {
    if text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-') {
        return Ok((number(text)?, None));
    }
    let Some(elf) = elf else {
        bail!("'{text}' is not a number; for a variable's name add --elf FIRMWARE.elf");
    };
    let (name, offset) = match text.split_once('+') {
        Some((name, offset)) => (name, number(offset)?),
        None => (text, 0),
    };
    let (address, size) = find(name, elf)?;
    let left = size.checked_sub(offset).filter(|left| *left > 0);
    let left = left.with_context(|| format!("{name} has {size} bytes: {text} is not in it"))?;
    Ok((address.wrapping_add(offset), Some(left)))
}

fn find(name: &str, elf: &Path) -> anyhow::Result<VariableLocation> {
    of_elf_file(elf, |file| {
        // The linker's name comes first: a name in the source of C++ and Rust may belong to several variables.
        let found = match find_variable(file, |it| it == name) {
            Ok(None) => find_variable(file, |it| as_written(it) == name),
            exact => exact,
        };
        match found {
            Ok(Some((address, size))) => {
                Ok((u32::try_from(address)?, u32::try_from(size).unwrap_or(u32::MAX)))
            }
            Ok(None) => bail!("{} has no variable '{name}'", elf.display()),
            Err(AmbiguousName) => {
                bail!("{} has several variables '{name}'; write the address", elf.display())
            }
        }
    })
}

/// Several variables have the name, so it is ambiguous.
struct AmbiguousName;

/// Returns address and size of the variable whose symbol is one of these, if there is one.
fn find_variable(
    file: &Elf<'_>,
    is_it: impl Fn(&str) -> bool,
) -> Result<Option<(u64, u64)>, AmbiguousName> {
    let mut found = None;
    for symbol in file.symbols() {
        if symbol.is_definition() && symbol.size() > 0 && symbol.name().is_ok_and(&is_it) {
            let place = (symbol.address(), symbol.size());
            if found.is_some_and(|other| other != place) {
                return Err(AmbiguousName);
            }
            found = Some(place);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use tband_programs::output;

    use super::*;

    /// Variables of the linker's names, one word after the other.
    fn program(names: &[&str]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let (source, elf) = (folder.path().join("firmware.s"), folder.path().join("firmware.elf"));
        let mut text = ".data\n".to_owned();
        for name in names {
            text += &format!(".type {name}, %object\n.size {name}, 4\n{name}: .long 1\n");
        }
        fs::write(&source, text).unwrap();
        let mut cc = Command::new("cc");
        let done = output(cc.arg("-c").arg(&source).arg("-o").arg(&elf)).expect("a compiler");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        (folder, elf)
    }

    #[test]
    fn the_linker_s_own_name_comes_first() {
        let (_folder, elf) =
            program(&["_ZL5level", "level", "_ZN5Board5levelE", "_ZL4rate", "_ZL4rate.0"]);
        assert_eq!(address("level", Some(&elf)).unwrap(), (4, Some(4)));
        assert_eq!(address("_ZL5level+2", Some(&elf)).unwrap(), (2, Some(2)));
        assert_eq!(address("Board::level", Some(&elf)).unwrap(), (8, Some(4)));
        assert_eq!(address("rate", Some(&elf)).unwrap(), (12, Some(4)));
        let nothing = address("lever", Some(&elf)).unwrap_err().to_string();
        assert!(nothing.ends_with("has no variable 'lever'"), "{nothing}");
    }

    #[test]
    fn several_variables_of_a_name_are_ambiguous() {
        let (_folder, elf) = program(&["_ZL5level", "_Z5level"]);
        let several = address("level", Some(&elf)).unwrap_err().to_string();
        assert!(several.ends_with("has several variables 'level'; write the address"), "{several}");
    }
}
