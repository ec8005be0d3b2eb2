//! Objects and functions of a program, by their addresses.

use std::collections::BTreeMap;

/// Maximum number of examined symbols before an address: several may begin in another one.
const NEAREST: usize = 16;

/// An object or a function of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramSymbol {
    /// Address of its first byte. For a Thumb function bit 0 is 0.
    pub at: u32,
    /// Bytes; 0 if the program does not contain the length.
    pub len: u32,
    /// It is a function in Thumb code, so pointers to it have bit 0 set.
    pub is_thumb: bool,
    /// Its name in the program's source.
    pub name: String,
}

/// Symbols by their addresses.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols(BTreeMap<u32, ProgramSymbol>);

impl Symbols {
    /// Adds one, unless there are `most`. If several have the same address, the first with a size stays.
    pub fn add(&mut self, symbol: &ProgramSymbol, most: usize) {
        if self.0.len() >= most || symbol.name.is_empty() {
            return;
        }
        let known = self.0.entry(symbol.at).or_insert_with(|| symbol.clone());
        if known.len == 0 && symbol.len > 0 {
            *known = symbol.clone();
        }
    }

    /// Returns the target of a pointer: the symbol's name, and the offset in it, as `buffer+1`.
    pub fn name(&self, pointer: u32) -> Option<String> {
        let nearest = self.0.range(..=pointer).rev().take(NEAREST);
        nearest.map(|(_, symbol)| symbol).find_map(|symbol| {
            let at = if symbol.is_thumb { pointer & !1 } else { pointer };
            let offset = at.checked_sub(symbol.at)?;
            match offset {
                0 => Some(symbol.name.clone()),
                _ => (offset < symbol.len).then(|| format!("{}+{offset}", symbol.name)),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_named_by_what_they_point_into() {
        let mut symbols = Symbols::default();
        for (at, len, is_thumb, name) in [
            (0x100, 8, false, ""),
            (0x100, 0, false, "label"),
            (0x100, 8, false, "buffer"),
            (0x100, 4, false, "alias"),
            (0x104, 2, false, "member"),
            (0x200, 6, true, "function"),
            (0x300, 6, false, "plain"),
            (0x400, 0, true, "assembly"),
        ] {
            symbols.add(&ProgramSymbol { at, len, is_thumb, name: name.to_owned() }, 10);
        }
        for (pointer, name) in [
            (0xFF, None),
            (0x100, Some("buffer")),
            (0x101, Some("buffer+1")),
            (0x104, Some("member")),
            (0x105, Some("member+1")),
            (0x106, Some("buffer+6")),
            (0x108, None),
            (0x200, Some("function")),
            (0x201, Some("function")),
            (0x203, Some("function+2")),
            (0x207, None),
            (0x301, Some("plain+1")),
            (0x400, Some("assembly")),
            (0x401, Some("assembly")),
            (0x402, None),
        ] {
            assert_eq!(symbols.name(pointer).as_deref(), name, "{pointer:#x}");
        }
        let mut one = Symbols::default();
        for at in [1, 2] {
            one.add(&ProgramSymbol { at, name: "a".to_owned(), ..ProgramSymbol::default() }, 1);
        }
        assert_eq!((one.name(1).is_some(), one.name(2)), (true, None));
    }
}
