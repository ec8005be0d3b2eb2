//! Packets of SystemView.

use anyhow::{Context, Result};

/// Packets after the synchronisation.
const SYNC: usize = 10;
/// From this id on a packet has a length.
const WITH_LENGTH: u32 = 24;

/// The call of `vTaskDelete()`.
const DELETE: u32 = 195;

/// Returns the recording with its events repeated so often.
pub fn extended(recording: &[u8], rounds: usize) -> Result<Vec<u8>> {
    let (mut at, mut packets) = (SYNC, Vec::new());
    while let Some((id, of, end)) = packet(recording, at) {
        packets.push((id, of, recording.get(at..end).context("a packet is cut off")?));
        at = end;
    }
    let is_deletion = |id| matches!(id, 29 | DELETE);
    let deleted = packets.iter().filter(|(id, ..)| is_deletion(*id));
    let deleted: Vec<u32> = deleted.map(|(_, of, _)| *of).collect();
    packets.retain(|(id, of, _)| match *id {
        // Tasks that do not live on.
        4 | 6 | 7 => !deleted.contains(of),
        DELETE => false,
        // Interrupts, marks, the idle task, samples, messages, calls and modules; others describe the target.
        2 | 3 | 15..=18 | 23 | 26 | 28 | 32.. => true,
        _ => false,
    });
    let mut out = recording[..at].to_vec();
    for _ in 0..rounds {
        packets.iter().for_each(|(.., packet)| out.extend(*packet));
    }
    Ok(out)
}

/// Id of the packet at this offset, the first number in it, and where it ends.
fn packet(bytes: &[u8], mut at: usize) -> Option<(u32, u32, usize)> {
    let id = number(bytes, &mut at)?;
    let len = if id < WITH_LENGTH { 0 } else { number(bytes, &mut at)? };
    let mut payload = at;
    let of = number(bytes, &mut payload)?;
    let (numbers, texts) = match id {
        WITH_LENGTH.. => {
            at += usize::try_from(len).ok()?;
            (0, 0)
        }
        0 | 3 | 5 | 10 | 11 | 17 | 18 | 20 => (0, 0),
        7 | 13 | 23 => (2, 0),
        9 | 22 => (2, 1),
        14 => (0, 1),
        21 => (4, 0),
        _ => (1, 0),
    };
    for _ in 0..numbers {
        number(bytes, &mut at)?;
    }
    for _ in 0..texts {
        at += 1 + usize::from(*bytes.get(at)?);
    }
    // The time.
    number(bytes, &mut at)?;
    Some((id, of, at))
}

/// A number of 7 bits a byte, the lowest first.
fn number(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u32::from(byte & 0x7F).checked_shl(shift)?;
        shift += 7;
        if byte < 0x80 {
            return Some(value);
        }
    }
}
