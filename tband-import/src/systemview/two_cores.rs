//! Whether a stream without a text has its cores in the ids of packets, as Espressif's tool writes it for two cores.

use memchr::memmem;

use super::SYNC;
use super::fields::NoPacket;
use super::packet::Packet;

/// Bytes in which the target describes itself, and in which the packets show their cores.
const DESCRIPTION: usize = 512;
const ENOUGH: usize = 4 * 1024;
/// More bytes are not waited for.
const MOST: usize = 32 * 1024;
/// How the descriptions of Espressif's chips begin.
const CHIPS: [&[u8]; 2] = [b"D=esp", b"D=ESP"];
/// Switches of the second core that show it.
const MANY: usize = 4;

/// The ids contain the cores: only so the bytes are packets. `None`: more of them show it.
pub fn are_in_ids(bytes: &[u8], at_end: bool) -> Option<bool> {
    // Zeros may be in front.
    let at_end = at_end || bytes.len() > MOST;
    let Some(sync) = memmem::find(bytes, &SYNC) else { return Some(false) };
    let stream = bytes.get(sync..).unwrap_or_default();
    let zeros = stream.iter().take_while(|byte| **byte == 0).count();
    let stream = stream.get(zeros..).unwrap_or_default();
    let head = stream.get(..DESCRIPTION).unwrap_or(stream);
    if CHIPS.iter().all(|chip| memmem::find(head, chip).is_none()) {
        return (at_end || head.len() == DESCRIPTION).then_some(false);
    }
    let stream = stream.get(..ENOUGH).unwrap_or(stream);
    if stream.len() < ENOUGH && !at_end {
        return None;
    }
    let has_second = switches(stream, true).is_some_and(|count| count >= MANY);
    Some(has_second && switches(stream, false).is_none())
}

/// How often a task is switched in on the second core. `None`: a part of the bytes is no packet.
fn switches(mut bytes: &[u8], has_core: bool) -> Option<usize> {
    let mut count = 0;
    while !bytes.is_empty() {
        match Packet::read(bytes, has_core) {
            Ok(packet) => {
                count += usize::from(packet.core == 1 && matches!(packet.id, 4 | 17));
                bytes = bytes.get(packet.len..)?;
            }
            Err(NoPacket::Short) => break,
            Err(NoPacket::Damaged(_)) => return None,
        }
    }
    Some(count)
}
