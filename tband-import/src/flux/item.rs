//! Entries and samples: the parts of a flux file.

use super::bytes::{Bytes, Fault};

/// Longest data of a sample, in bytes.
pub const MAX_DATA: usize = 32 * 1024;
/// Largest block, in bytes, compressed and as it was.
pub const MAX_BLOCK: u64 = 16 << 20;
/// Members of a control entry, at most.
const MAX_MEMBERS: u64 = 4096;

/// An entry or a sample. Texts and data are in the file as they are here.
#[derive(Clone, Copy, Debug)]
pub enum FluxItem<'a> {
    /// The head of a trace.
    Head { version: u8, trace: u32, name: &'a [u8], about: &'a [u8] },
    /// What follows is of another trace.
    Switch(u32),
    /// The front of a compressed block, whose bytes follow.
    Block { mode: u8, original: u64, compressed: u64 },
    /// A section of a section buffer: its counter, and its used bytes.
    Section { counter: u8, used: &'a [u8] },
    /// A scope.
    Scope(ItemPath<'a>),
    /// Signals of this id and those up to `last`.
    Signal { named: ItemPath<'a>, last: u32, kind: u8, descriptor: &'a [u8] },
    /// A sequence begins, of an item or, with 0, of all.
    Open { item: u32, domain: &'a [u8], start: i64 },
    /// A sequence ends.
    Close { item: u32, end: i64 },
    /// The domain of sequences that name none.
    Domain(&'a [u8]),
    /// A number of an enumeration of an item has this label.
    Word { item: u32, of: u32, label: &'a [u8], number: u64 },
    /// A member of an item has this label.
    Member { item: u32, member: u32, label: &'a [u8] },
    /// A sample.
    Sample(Sample<'a>),
    /// The position of a sequence, or with 0 of that of all items, for readers that begin here.
    Position { item: u32, at: i64 },
    /// A part that is not shown.
    Unshown(Unshown),
}

/// Kinds of parts that are not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unshown {
    /// A further row of a signal.
    Reference,
    /// A relation between samples.
    Relation,
    /// A label at a sample.
    Label,
    /// A message to an emitter, or its answer.
    Control,
}

/// Where an item is.
#[derive(Clone, Copy, Debug)]
pub struct ItemPath<'a> {
    pub item: u32,
    pub parent: u32,
    pub name: &'a [u8],
}

/// A value at a time.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    pub item: u32,
    /// Something is missing before it, or wrong with it.
    pub is_tainted: bool,
    /// Time since the last sample of the sequence.
    pub delta: u64,
    /// How the data is laid out.
    pub form: u8,
    pub data: &'a [u8],
}

/// Reads the next part of a file of this version.
pub fn read<'a>(bytes: &mut Bytes<'a>, version: u8) -> Result<FluxItem<'a>, Fault> {
    if bytes.0.first() != Some(&0) {
        return sample(bytes).map(FluxItem::Sample);
    }
    bytes.byte()?;
    let is_six = version >= 6;
    Ok(match bytes.byte()? {
        0x01 => head(bytes)?,
        0x04 => FluxItem::Switch(bytes.id()?),
        0x05 => block(bytes)?,
        0x06 => section(bytes)?,
        0x10 => FluxItem::Scope(named(bytes)?.0),
        tag @ (0x11 | 0x14) => {
            let (named, last) = named(bytes)?;
            let (kind, descriptor) = (bytes.byte()?, bytes.text()?);
            if tag == 0x14 {
                bytes.number()?;
                bytes.number()?;
            }
            FluxItem::Signal { named, last, kind, descriptor }
        }
        0x12 => {
            let first = bytes.id()?;
            let (named, last) = named(bytes)?;
            let named = ItemPath { item: first, ..named };
            FluxItem::Signal { named, last, kind: bytes.byte()?, descriptor: bytes.text()? }
        }
        tag @ (0x13 | 0x15) => {
            named(bytes)?;
            if tag == 0x15 {
                bytes.number()?;
                bytes.number()?;
            }
            FluxItem::Unshown(Unshown::Reference)
        }
        0x20 => {
            let (item, domain, start) = (bytes.id()?, bytes.text()?, bytes.signed()?);
            bytes.number()?;
            FluxItem::Open { item, domain, start }
        }
        0x21 => FluxItem::Close { item: bytes.id()?, end: bytes.signed()? },
        0x22 => FluxItem::Domain(bytes.text()?),
        0x23 => FluxItem::Position { item: bytes.id()?, at: bytes.signed()? },
        0x30 => FluxItem::Word {
            item: bytes.id()?,
            of: bytes.id()?,
            label: bytes.text()?,
            number: bytes.number()?,
        },
        0x31 => {
            let (item, member) = (bytes.id()?, bytes.id()?);
            if is_six {
                bytes.number()?;
            }
            let label = bytes.text()?;
            bytes.byte()?;
            bytes.text()?;
            FluxItem::Member { item, member, label }
        }
        0x40 => {
            bytes.id()?;
            if is_six {
                bytes.byte()?;
            }
            bytes.number()?;
            bytes.number()?;
            bytes.signed()?;
            if is_six {
                bytes.number()?;
            }
            FluxItem::Unshown(Unshown::Relation)
        }
        0x41 => {
            bytes.id()?;
            bytes.number()?;
            if is_six {
                bytes.number()?;
                bytes.number()?;
            } else {
                bytes.signed()?;
                bytes.signed()?;
            }
            FluxItem::Unshown(Unshown::Label)
        }
        0x80 | 0x81 => control(bytes)?,
        _ => return Err(Fault::Bad("an entry of an unknown kind")),
    })
}

fn head<'a>(bytes: &mut Bytes<'a>) -> Result<FluxItem<'a>, Fault> {
    bytes.take(4)?;
    let version = bytes.byte()?;
    if !(1..=15).contains(&version) {
        return Err(Fault::Bad("a head of an unknown version"));
    }
    let (trace, name, about) = (bytes.id()?, bytes.text()?, bytes.text()?);
    bytes.byte()?;
    bytes.number()?;
    bytes.number()?;
    Ok(FluxItem::Head { version, trace, name, about })
}

fn block<'a>(bytes: &mut Bytes<'a>) -> Result<FluxItem<'a>, Fault> {
    let (mode, original, compressed) = (bytes.byte()?, bytes.number()?, bytes.number()?);
    if mode > 3 {
        return Err(Fault::Bad("a block of an unknown compression"));
    }
    if original > MAX_BLOCK || compressed > MAX_BLOCK || compressed == 0 {
        return Err(Fault::Bad("a block of more than 16 MiB, or an empty one"));
    }
    Ok(FluxItem::Block { mode, original, compressed })
}

fn section<'a>(bytes: &mut Bytes<'a>) -> Result<FluxItem<'a>, Fault> {
    let counter = bytes.byte()?;
    let mut u16 = || Ok(usize::from(u16::from_le_bytes([bytes.byte()?, bytes.byte()?])));
    let (size, used) = (u16()?, u16()?);
    let data = bytes.take(size)?;
    let used = data.get(..used).ok_or(Fault::Bad("a section of which more is used than it has"))?;
    Ok(FluxItem::Section { counter, used })
}

/// A name with the item's id, and that id again.
fn named<'a>(bytes: &mut Bytes<'a>) -> Result<(ItemPath<'a>, u32), Fault> {
    let (item, parent, name) = (bytes.id()?, bytes.id()?, bytes.text()?);
    bytes.text()?;
    if item == 0 {
        return Err(Fault::Bad("an item with the id 0"));
    }
    Ok((ItemPath { item, parent, name }, item))
}

fn control<'a>(bytes: &mut Bytes<'a>) -> Result<FluxItem<'a>, Fault> {
    bytes.number()?;
    bytes.number()?;
    let count = bytes.number()?;
    if count > MAX_MEMBERS {
        return Err(Fault::Bad("a control entry with too many members"));
    }
    for _ in 0..count {
        bytes.number()?;
        bytes.byte()?;
        bytes.sized(MAX_DATA)?;
    }
    Ok(FluxItem::Unshown(Unshown::Control))
}

/// Reads a sample.
#[inline]
pub fn sample<'a>(bytes: &mut Bytes<'a>) -> Result<Sample<'a>, Fault> {
    // By value, so that it can be in registers.
    let mut rest = *bytes;
    let front = rest.number()?;
    let item = u32::try_from(front >> 3).map_err(|_| Fault::Bad("an id of more than 32 bits"))?;
    if item == 0 {
        return Err(Fault::Bad("a sample of no item"));
    }
    let delta = if front & 2 == 0 { 0 } else { rest.number()? };
    let what = rest.number()?;
    let len = usize::try_from(what >> 4).unwrap_or(usize::MAX);
    if len > MAX_DATA {
        return Err(Fault::Bad("a sample of more than 32 KiB"));
    }
    let form = (what & 15) as u8;
    let data = rest.take(len)?;
    *bytes = rest;
    Ok(Sample { item, is_tainted: front & 1 != 0, delta, form, data })
}
