//! Reads the stack frames of the functions of a linked program from `.debug_frame`.
//!
//! It describes, for each place in a function, where the frame begins (the CFA, the stack pointer of the caller) and which
//! registers are saved where below. While the CFA is counted from the stack pointer, the distance is the complete frame. Once
//! it is counted from a frame pointer, as in Rust's Arm code, only the saved registers are known: further changes of the stack
//! pointer are not described.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use gimli::{
    BaseAddresses, CfaRule, CieOrFde, DebugFrame, EndianSlice, LittleEndian, Register,
    RegisterRule, UnwindContext, UnwindSection,
};
use object::{Architecture, Object, ObjectSection};

/// Frame of one function, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// The complete frame.
    Whole(u32),
    /// Size of the saved registers, the return address included.
    Saved(u32),
}

/// Frames of all functions by their addresses.
///
/// # Errors
/// The program has no such information, or it cannot be read.
pub fn frames(elf: &[u8]) -> Result<BTreeMap<u64, Frame>> {
    let file = object::File::parse(elf)?;
    let stack_pointer = match file.architecture() {
        Architecture::Arm => Register(13),
        _ => Register(2), // RISC-V
    };
    let section = file.section_by_name(".debug_frame").context("no .debug_frame")?;
    let mut section = DebugFrame::from(EndianSlice::new(section.data()?, LittleEndian));
    section.set_address_size(4);
    let bases = BaseAddresses::default();
    let mut context = UnwindContext::new();
    let mut frames = BTreeMap::new();
    let mut entries = section.entries(&bases);
    while let Some(entry) = entries.next()? {
        let CieOrFde::Fde(function) = entry else { continue };
        let function = function.parse(DebugFrame::cie_from_offset)?;
        let (mut taken, mut saved, mut is_whole) = (0, 0, true);
        let mut rows = function.rows(&section, &bases, &mut context)?;
        while let Some(row) = rows.next_row()? {
            match row.cfa() {
                CfaRule::RegisterAndOffset { register, offset } if *register == stack_pointer => {
                    taken = taken.max(*offset);
                }
                _ => is_whole = false,
            }
            for (_, rule) in row.registers() {
                if let RegisterRule::Offset(offset) = rule {
                    saved = saved.max(-offset);
                }
            }
        }
        let frame = if is_whole {
            Frame::Whole(u32::try_from(taken)?)
        } else {
            Frame::Saved(u32::try_from(saved)?)
        };
        frames.insert(function.initial_address() & !1, frame);
    }
    Ok(frames)
}
