//! Tries the possible originals of sites until a packet's check is right.

use tband_format::packet::{HEADER_LEN, Header, MAX_LEN, Packet};

use super::plain::RestoredInput;
use super::rule::{Rule, Site};

/// Maximum number of combinations. With this many, one in four million packets would have the right check by chance.
const TRIES: usize = 1024;

/// Result of the search.
#[derive(Debug)]
pub enum Solution {
    /// The packet that was sent, and how many bytes of the input it takes.
    Packet(Vec<u8>, usize),
    /// More bytes are needed to know.
    NeedsMore,
    /// The bytes end within a possible packet.
    Ended,
    No,
}

/// The packet was sent like this: its check is right, and its content is events within its times.
pub fn is_proven(packet: &[u8]) -> bool {
    let has_check = packet.get(12..16).is_some_and(|check| *check != [0; 4]);
    has_check && Packet::read(packet).is_ok() && is_sound(packet)
}

/// Apart from its check, all is as a packet should be.
fn is_sound(packet: &[u8]) -> bool {
    let mut unchecked = packet.to_vec();
    if let Some(check) = unchecked.get_mut(12..16) {
        check.fill(0)
    }
    Packet::read_unchecked(&unchecked).is_ok()
}

/// The packet that `plain` begins with, where `rule` translated its bytes.
pub fn solve(plain: &RestoredInput, rule: Rule) -> Solution {
    let sites = rule.sites(&plain.bytes);
    // Which option is tried of each site so far.
    let mut choices: Vec<usize> = Vec::new();
    let mut packet = Vec::new();
    let mut has_ended = false;
    for _ in 0..TRIES {
        let tried = assemble(plain, (rule, &sites), &mut choices, &mut packet);
        match tried {
            Combination::Whole(end) if is_proven(&packet) => return Solution::Packet(packet, end),
            Combination::Whole(_) | Combination::No => {}
            Combination::Ended if plain.goes_on => return Solution::NeedsMore,
            Combination::Ended => has_ended = true,
        }
        // The next combination: the last site has its next option, or the one before if it has none.
        loop {
            let Some(choice) = choices.pop() else {
                return if has_ended { Solution::Ended } else { Solution::No };
            };
            let options = sites.get(choices.len()).map_or(0, |site| site.options.len());
            if choice + 1 < options {
                choices.push(choice + 1);
                break;
            }
        }
    }
    Solution::No
}

enum Combination {
    /// This many bytes, as its header requires; the packet ends there in the input.
    Whole(usize),
    /// Its header cannot be.
    No,
    /// The bytes end before.
    Ended,
}

/// Puts one combination together: the sites that have no choice yet get their first option.
fn assemble(
    plain: &RestoredInput,
    (rule, sites): (Rule, &[Site]),
    choices: &mut Vec<usize>,
    packet: &mut Vec<u8>,
) -> Combination {
    packet.clear();
    let (mut at, mut site, mut len) = (0_usize, 0, MAX_LEN);
    loop {
        if packet.len() >= HEADER_LEN && len == MAX_LEN {
            match Header::read(packet) {
                Ok((header, _)) => len = header.content_len,
                Err(_) => return Combination::No,
            }
        }
        if packet.len() >= len {
            let end = at.checked_sub(1).and_then(|last| plain.ends.get(last));
            let is_all = packet.len() == len;
            return if is_all {
                end.map_or(Combination::No, |end| Combination::Whole(*end))
            } else {
                Combination::No
            };
        }
        match sites.get(site).filter(|site| site.at == at) {
            Some(found) => {
                if choices.len() <= site {
                    choices.push(0);
                }
                let choice = choices.get(site).copied().unwrap_or(0);
                packet.extend_from_slice(found.options.get(choice).copied().unwrap_or_default());
                at += found.len;
                site += 1;
            }
            None => {
                let next = sites.get(site).map_or(plain.bytes.len(), |site| site.at);
                let room = if packet.len() < HEADER_LEN { HEADER_LEN } else { len };
                let until = next.min(at.saturating_add(room.saturating_sub(packet.len())));
                let Some(bytes) = plain.bytes.get(at..until).filter(|it| !it.is_empty()) else {
                    return Combination::Ended;
                };
                if until == plain.bytes.len() && rule.may_continue(&plain.bytes) && plain.goes_on {
                    return Combination::Ended;
                }
                packet.extend_from_slice(bytes);
                at = until;
            }
        }
    }
}
