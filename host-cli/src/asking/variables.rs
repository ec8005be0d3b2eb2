//! Variables of the firmware by their names, where a command wants an address.

use std::path::Path;

use anyhow::{Context, bail};
use object::{Object, ObjectSymbol};
use tband_program::{as_written, of_elf_file};

use super::number::number;

/// Where a variable is, and how many bytes it has.
type Found = (u32, u32);

/// The address, and the size if it is known, that a user has written: a number, or with the program a variable, NAME or
/// NAME+OFFSET.
///
/// # Errors
/// It is neither, or there is no such variable.
pub fn address(text: &str, elf: Option<&Path>) -> anyhow::Result<(u32, Option<u32>)> {
    if text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-') {
        return Ok((number(text)?, None));
    }
    let Some(elf) = elf else {
        bail!("'{text}' is no number; for a variable's name add --elf FIRMWARE.elf");
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

fn find(name: &str, elf: &Path) -> anyhow::Result<Found> {
    of_elf_file(elf, |file| {
        let mut found = None;
        for symbol in file.symbols() {
            let is_it = symbol.name().is_ok_and(|it| it == name || as_written(it) == name);
            if is_it && symbol.is_definition() && symbol.size() > 0 {
                let place = (symbol.address(), symbol.size());
                // Of those of several files nobody knows which one is meant.
                if found.is_some_and(|other| other != place) {
                    bail!("{} has several variables '{name}'; write the address", elf.display());
                }
                found = Some(place);
            }
        }
        let Some((address, size)) = found else {
            bail!("{} has no variable '{name}'", elf.display());
        };
        Ok((u32::try_from(address)?, u32::try_from(size).unwrap_or(u32::MAX)))
    })
}
