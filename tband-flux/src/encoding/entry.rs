//! Entries: everything except samples. Each begins with a zero byte and a tag.

use super::number::{pint, sint, text};
use super::{ByteSink, Version};

/// Tag of the head of a trace.
pub const HEAD: u8 = 0x01;
/// Tag of a switch to another trace.
pub const SWTH: u8 = 0x04;
/// Tag of a compressed block.
pub const PBLK: u8 = 0x05;
/// Tag of the definition of a scope.
pub const SCPD: u8 = 0x10;
/// Tag of the definition of a signal.
pub const SIGD: u8 = 0x11;
/// Tag of the definition of a reference to a signal.
pub const SIRD: u8 = 0x13;
/// Tag of the start of a sequence.
pub const OPEN: u8 = 0x20;
/// Tag of the end of a sequence.
pub const CLOS: u8 = 0x21;
/// Tag of the definition of a value of an enumeration.
pub const ENMD: u8 = 0x30;
/// Tag of the definition of a member of a structure.
pub const MEMD: u8 = 0x31;
/// Tag of a relation.
pub const ATRE: u8 = 0x40;
/// Tag of a label.
pub const ATLA: u8 = 0x41;

/// Enumeration of values of an item.
pub const VALUES: u8 = 0;
/// Enumeration of signals that relations lead to.
pub const TARGETS: u8 = 1;
/// Enumeration of the styles of relations.
pub const STYLES: u8 = 2;
/// Enumeration of the styles of labels.
pub const LABELS: u8 = 3;

fn begin(out: &mut impl ByteSink, tag: u8, number: u32) {
    out.bytes(&[0, tag]);
    pint(out, number.into());
}

/// The contents of the head of a trace.
#[derive(Clone, Copy, Debug)]
pub struct Head<'t> {
    /// The version of the format.
    pub version: Version,
    /// Number of the trace.
    pub trace: u32,
    /// Its name.
    pub name: &'t [u8],
    /// A text on it.
    pub about: &'t [u8],
    /// Upper bound (exclusive) for the numbers of opened items.
    pub max_item: u32,
    /// Bytes that an entry has at most.
    pub max_entry: u32,
}

/// Writes the head of a trace.
pub fn head(out: &mut impl ByteSink, head: &Head<'_>) {
    out.bytes(&[0, HEAD]);
    out.bytes(b"flux");
    out.byte(head.version.number());
    pint(out, head.trace.into());
    text(out, head.name);
    text(out, head.about);
    // The normal mode.
    out.byte(0);
    pint(out, head.max_item.into());
    pint(out, head.max_entry.into());
}

/// Writes that the following entries belong to another trace.
pub fn switch(out: &mut impl ByteSink, trace: u32) {
    begin(out, SWTH, trace);
}

/// Writes a compressed block: its mode, and the lengths of the original and of the compressed data that
/// follow.
pub fn block(out: &mut impl ByteSink, mode: u8, original: usize, compressed: usize) {
    out.bytes(&[0, PBLK, mode]);
    pint(out, original as u64);
    pint(out, compressed as u64);
}

/// The position and the name of an item.
#[derive(Clone, Copy, Debug)]
pub struct NamedItem<'t> {
    /// The scope that it is in; 0 for the root.
    pub parent: u32,
    /// Its name.
    pub name: &'t [u8],
    /// A text on it.
    pub about: &'t [u8],
}

fn named(out: &mut impl ByteSink, tag: u8, item: u32, named: &NamedItem<'_>) {
    begin(out, tag, item);
    pint(out, named.parent.into());
    text(out, named.name);
    text(out, named.about);
}

/// Writes a scope.
pub fn scope(out: &mut impl ByteSink, item: u32, of: &NamedItem<'_>) {
    named(out, SCPD, item, of);
}

/// Writes a signal, with the type of its data and its representation.
pub fn signal(out: &mut impl ByteSink, item: u32, of: &NamedItem<'_>, kind: u8, descriptor: &[u8]) {
    named(out, SIGD, item, of);
    out.byte(kind);
    text(out, descriptor);
}

/// Writes a reference, which shows a signal of another scope in this one too.
pub fn reference(out: &mut impl ByteSink, item: u32, of: &NamedItem<'_>) {
    named(out, SIRD, item, of);
}

/// Begins a sequence of an item, or of all items with 0.
pub fn open(out: &mut impl ByteSink, item: u32, domain: &[u8], start: i64, rate: u32) {
    begin(out, OPEN, item);
    text(out, domain);
    sint(out, start);
    pint(out, rate.into());
}

/// Ends a sequence.
pub fn close(out: &mut impl ByteSink, item: u32, end: i64) {
    begin(out, CLOS, item);
    sint(out, end);
}

/// Writes the name of a number of an enumeration of an item.
pub fn enumeration(out: &mut impl ByteSink, item: u32, of: u8, label: &[u8], number: u32) {
    begin(out, ENMD, item);
    pint(out, of.into());
    text(out, label);
    pint(out, number.into());
}

/// Writes a member of the structures of an item.
pub fn member(
    out: &mut impl ByteSink,
    version: Version,
    item: u32,
    member: u32,
    label: &[u8],
    kind: u8,
    descriptor: &[u8],
) {
    begin(out, MEMD, item);
    pint(out, member.into());
    if version == Version::Six {
        // In no other member.
        out.byte(0);
    }
    text(out, label);
    out.byte(kind);
    text(out, descriptor);
}

/// Writes an arrow to the last sample of an item, from an event of the target with this number some
/// time before it.
pub fn relation(
    out: &mut impl ByteSink,
    version: Version,
    item: u32,
    target: u32,
    style: u32,
    delta: i64,
) {
    begin(out, ATRE, item);
    if version == Version::Six {
        // A difference of time; the arrow starts there.
        out.byte(1);
    }
    pint(out, target.into());
    pint(out, style.into());
    sint(out, delta);
    if version == Version::Six {
        // In the same domain.
        out.byte(0);
    }
}

/// Writes a label at the last sample of an item.
pub fn label(out: &mut impl ByteSink, item: u32, style: u32) {
    begin(out, ATLA, item);
    pint(out, style.into());
    // No offsets: as positive numbers in version 6, as signed ones in 4, which are the same for 0.
    out.bytes(&[0, 0]);
}
