//! Names of the application: of objects and functions by their addresses, and of constants.

use std::collections::{BTreeMap, BTreeSet};

use super::mark::Mark;
use super::symbol::{ProgramSymbol, Symbols};

/// Maximum number of kept names of each sort.
const MOST: usize = 100_000;
/// The number is in the bits below, its kind in those above.
const NUMBER_BITS: u32 = 28;
const TYPE: u32 = 1;
/// Suffixes of names of types that form a pair.
const BEGINS: &str = "_BEGIN";
const ENDS: &str = "_END";

/// Names, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    symbols: BTreeMap<u32, Box<str>>,
    /// Symbols of a program that is given, for addresses that the recording does not name.
    given: Symbols,
    /// That program is another one than the recording's.
    given_is_another: bool,
    constants: BTreeMap<u32, Box<str>>,
    /// Names of types of records.
    types: BTreeSet<Box<str>>,
}

impl Dictionary {
    /// Adds an object or a function at an address. Known ones stay.
    pub fn add_symbol(&mut self, at: u32, name: &str) {
        // The firmware sends it as in its source.
        add(&mut self.symbols, at, name.trim_start_matches('&'));
    }

    /// The same, by a program that is given.
    pub fn add_program_symbol(&mut self, symbol: &ProgramSymbol) {
        self.given.add(symbol, MOST);
    }

    /// Sets whether the given program is another one, whose addresses do not apply.
    pub const fn set_program_mismatch(&mut self, is_another: bool) {
        self.given_is_another = is_another;
    }

    /// Adds the name of a constant: a number with its kind.
    pub fn add_constant(&mut self, constant: u32, name: &str) {
        add(&mut self.constants, constant, name);
        if sort(constant) == TYPE && self.types.len() < MOST {
            self.types.insert(name.into());
        }
    }

    /// Returns the name of a pointer's target, with the offset in it. `NULL` has no target, whatever is at address 0. Bit 0 of
    /// a pointer to a function marks Thumb code.
    pub(super) fn symbol(&self, pointer: u64, is_function: bool) -> Option<String> {
        let pointer = u32::try_from(pointer).ok().filter(|pointer| *pointer != 0)?;
        if let Some(name) = self.symbols.get(&pointer) {
            return Some(name.to_string());
        }
        let even = self.symbols.get(&(pointer & !1));
        if let Some(name) = even.filter(|_| is_function) {
            return Some(name.to_string());
        }
        let given = Some(&self.given).filter(|_| !self.given_is_another);
        // How much a recorded name is of is not known.
        given.and_then(|it| it.name(pointer)).or_else(|| even.map(|name| format!("{name}+1")))
    }

    pub(super) fn constant(&self, constant: u32) -> Option<&str> {
        self.constants.get(&constant).map(AsRef::as_ref)
    }

    /// Returns the span that a type of records begins or ends, if there is also a type that ends or begins it: their names are
    /// equal except for the suffix.
    pub(super) fn pair(&self, no: u32) -> Option<(&str, Mark)> {
        let name = self.type_name(no)?;
        let of = |own, other, mark| {
            let what = name.strip_suffix(own).filter(|what| !what.is_empty())?;
            self.types.contains(&*format!("{what}{other}")).then_some((what, mark))
        };
        of(BEGINS, ENDS, Mark::Begin).or_else(|| of(ENDS, BEGINS, Mark::End))
    }

    /// The name of a type of records; a number that is too large for one has none.
    pub fn type_name(&self, no: u32) -> Option<&str> {
        (no == number(no)).then(|| self.constant(TYPE << NUMBER_BITS | no)).flatten()
    }
}

/// The number of a constant.
pub(crate) const fn number(constant: u32) -> u32 {
    constant & ((1 << NUMBER_BITS) - 1)
}

/// Returns the sort of a constant: a signal, a type of records, or a value of an enumeration.
pub(crate) const fn sort(constant: u32) -> u32 {
    constant >> NUMBER_BITS
}

fn add(names: &mut BTreeMap<u32, Box<str>>, key: u32, name: &str) {
    if names.len() < MOST && !name.is_empty() {
        names.entry(key).or_insert_with(|| name.into());
    }
}
