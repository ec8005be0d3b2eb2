//! Frames in a target's memory: a ring that the firmware hands its frames to.

use anyhow::bail;
use tband_program::MemoryWords;

/// Returns the bytes of a `tband_ring` that are not consumed yet, from the beginning of a frame.
pub fn ring(words: &mut MemoryWords<'_>, at: u64) -> anyhow::Result<Vec<u8>> {
    let pointer = words.pointer;
    let start = words.pointer(at)?;
    let size = words.u32(at + pointer)?;
    let written = words.u32(at + pointer + 4)?;
    let taken = words.u32(at + pointer + 8)?;
    let waiting = (written as u32).wrapping_sub(taken as u32);
    if !size.is_power_of_two() || u64::from(waiting) > size {
        bail!("at {at:#x} is not a tband_ring, or it is damaged");
    }
    let bytes = words.bytes(start, size)?;
    let from = (taken % size) as usize;
    let all: Vec<u8> = bytes.iter().cycle().skip(from).take(waiting as usize).copied().collect();
    let before = bytes.get((taken.wrapping_sub(1) % size) as usize).copied();
    if taken == 0 || before == Some(0) {
        return Ok(all);
    }
    let cut = all.iter().position(|byte| *byte == 0).map_or(all.len(), |zero| zero + 1);
    Ok(all.get(cut..).unwrap_or_default().to_vec())
}
