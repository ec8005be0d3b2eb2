//! Events of a stream of TraceRecorder, whose words have 32 bits and are little-endian.

use anyhow::{Context, Result};

/// Where the number of entries is, the length of a name, and the table.
const ENTRIES: usize = 60;
const NAME_LEN: usize = 64;
const TABLE: usize = 72;
/// The event of a switch, and the last one that describes the target, creates or deletes.
const SWITCH: u16 = 0x37;
const LAST_OTHER: u16 = 0x2F;

/// Returns the recording with its events repeated so often.
pub fn extended(recording: &[u8], rounds: usize) -> Result<Vec<u8>> {
    let u16 = |at: usize| recording.get(at..at + 2).map(|it| u16::from_le_bytes([it[0], it[1]]));
    let u32 = |at: usize| {
        recording.get(at..at + 4).map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]]))
    };
    let (entries, name_len) = (u32(ENTRIES), u32(NAME_LEN));
    let (entries, name_len) = entries.zip(name_len).context("no header")?;
    let mut at = TABLE + entries as usize * (20 + name_len as usize);
    let (mut events, mut first, mut last) = (Vec::new(), None, (0, 0));
    while let (Some(id), Some(number), Some(time)) = (u16(at), u16(at + 2), u32(at + 4)) {
        let end = at + 8 + 4 * usize::from(id >> 12);
        let Some(event) = recording.get(at..end) else { break };
        let code = id & 0xFFF;
        if first.is_none() && code == SWITCH {
            first = Some(time);
        }
        if first.is_some() && code > LAST_OTHER {
            events.push((event, time));
        }
        (at, last) = (end, (number, time));
    }
    let (mut number, first) = (last.0, first.context("no switch")?);
    let span = last.1.wrapping_sub(first);
    let mut out = recording[..at].to_vec();
    for round in 1..=u32::try_from(rounds)? {
        for (event, time) in &events {
            number = number.wrapping_add(1);
            let time = time.wrapping_add(span.wrapping_mul(round));
            out.extend(&event[..2]);
            out.extend(number.to_le_bytes());
            out.extend(time.to_le_bytes());
            out.extend(&event[8..]);
        }
    }
    Ok(out)
}
