//! Where reading resumes after damage without a synchronisation: where many packets follow each other.

use super::fields::NoPacket;
use super::packet::Packet;

/// Packets that prove each other.
const PACKETS: usize = 24;
/// The first ones may be read from the middle of a packet: sooner or later the true ones follow.
const UNPROVEN: usize = 8;
/// Bytes that so many packets have at most: few are longer, and the result must not depend on how much was read.
pub const ENOUGH: usize = 2048;

/// Where the first proven packet begins, if the packets that prove it begin before `end`.
pub fn find(bytes: &[u8], end: usize, has_core: bool) -> Option<usize> {
    (0..end.min(bytes.len())).find_map(|at| {
        let rest = bytes.get(at..)?;
        let proven = find_proven_packet(rest.get(..ENOUGH).unwrap_or(rest), has_core).ok()?;
        Some(at + proven)
    })
}

/// Bytes before the first proven packet, if packets follow each other from the first byte on.
fn find_proven_packet(bytes: &[u8], has_core: bool) -> Result<usize, NoPacket> {
    let (mut len, mut proven) = (0, 0);
    for number in 0..PACKETS {
        if number == UNPROVEN {
            proven = len;
        }
        let packet = Packet::read(bytes.get(len..).unwrap_or_default(), has_core)?;
        if packet.id == 0 {
            return Err(NoPacket::Damaged("a packet that contains nothing"));
        }
        len += packet.len;
    }
    Ok(proven)
}
