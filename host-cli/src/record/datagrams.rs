//! Restores the order of datagrams that a network has swapped, and leaves out those that it has doubled.
//!
//! A datagram that comes before an earlier one waits for that, for at most [`LONGEST`]. Only datagrams of complete packets are
//! examined; all others are passed on at once.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tband_format::packet::{Header, Packet};

/// A datagram waits as long for an earlier one.
const LONGEST: Duration = Duration::from_millis(50);
/// Datagrams that wait, at most.
const MANY: usize = 16;
/// A packet that is missing for longer is lost.
const GAP: u16 = 64;
/// A packet that is repeated within this time is the same one. A target that was reset takes longer to send again.
const AGAIN: Duration = Duration::from_secs(1);
/// Packets that are remembered.
const SEEN: usize = 256;

/// Brings datagrams into their order.
#[derive(Default)]
pub struct Datagrams {
    /// The last packet of each stream.
    last: Vec<Header>,
    /// Headers and checks of the last packets, and their times of reception.
    seen: VecDeque<(Header, u32, Instant)>,
    /// Waiting datagrams, with their begin.
    waiting: Vec<(Vec<u8>, Instant)>,
    /// The next datagrams to pass on.
    ready: VecDeque<Vec<u8>>,
}

impl Datagrams {
    /// Adds a received datagram.
    pub fn add_datagram(&mut self, datagram: &[u8], now: Instant) {
        let Some(packets) = packets(datagram) else {
            self.release_all(now);
            return self.ready.push_back(datagram.to_vec());
        };
        if packets.iter().all(|packet| self.is_seen(packet, now)) {
            return;
        }
        self.waiting.push((datagram.to_vec(), now));
        self.look(now);
    }

    /// Time has passed.
    pub fn look(&mut self, now: Instant) {
        loop {
            let next = self.waiting.iter().position(|(datagram, _)| !self.is_early(datagram));
            let is_over = self.waiting.len() > MANY
                || self
                    .waiting
                    .first()
                    .is_some_and(|(_, since)| now.saturating_duration_since(*since) >= LONGEST);
            let next = next.or_else(|| is_over.then(|| self.earliest()).flatten());
            let Some(next) = next else { return };
            self.pass(next, now);
        }
    }

    /// Takes the next datagram to pass on.
    pub fn next(&mut self) -> Option<Vec<u8>> {
        self.ready.pop_front()
    }

    /// Whether no datagram is ready.
    pub fn is_empty(&self) -> bool {
        self.ready.is_empty()
    }

    /// Nothing more is waited for.
    fn release_all(&mut self, now: Instant) {
        while let Some(next) = self.earliest() {
            self.pass(next, now);
        }
    }

    fn pass(&mut self, index: usize, now: Instant) {
        let (datagram, _) = self.waiting.remove(index);
        for (header, check) in packets(&datagram).unwrap_or_default() {
            match self.last.iter_mut().find(|last| last.stream == header.stream) {
                Some(last) => *last = header,
                None => self.last.push(header),
            }
            if self.seen.len() >= SEEN {
                self.seen.pop_front();
            }
            self.seen.push_back((header, check, now));
        }
        self.ready.push_back(datagram);
    }

    fn is_seen(&self, (header, check): &(Header, u32), now: Instant) -> bool {
        self.seen.iter().any(|(seen, its, at)| {
            seen == header && its == check && now.saturating_duration_since(*at) < AGAIN
        })
    }

    /// Packets before it are missing, and may come: their numbers are, and its times are later.
    fn is_early(&self, datagram: &[u8]) -> bool {
        let packets = packets(datagram).unwrap_or_default();
        packets.first().is_some_and(|(header, _)| {
            self.last.iter().find(|last| last.stream == header.stream).is_some_and(|last| {
                let distance = header.sequence.wrapping_sub(last.sequence);
                (2..=GAP).contains(&distance) && header.begin >= last.end
            })
        })
    }

    /// Returns the waiting datagram that begins first.
    fn earliest(&self) -> Option<usize> {
        let begin = |datagram: &[u8]| packets(datagram).and_then(|it| Some(it.first()?.0.begin));
        (0..self.waiting.len()).min_by_key(|at| self.waiting.get(*at).and_then(|it| begin(&it.0)))
    }
}

/// Returns headers and checks of a datagram's packets, if it consists only of complete packets with checks.
fn packets(mut datagram: &[u8]) -> Option<Vec<(Header, u32)>> {
    let mut found = Vec::new();
    while !datagram.is_empty() {
        let header = *Packet::read(datagram).ok()?.header();
        let check = u32::from_le_bytes(*datagram.get(12..)?.first_chunk()?);
        if check == 0 {
            return None;
        }
        found.push((header, check));
        datagram = datagram.get(header.packet_len..)?;
    }
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tband_format::Event;
    use tband_format::packet::PacketWriter;

    fn packet(stream: u8, sequence: u16, begin: u64) -> Vec<u8> {
        let mut room = [0; 100];
        let mut writer = PacketWriter::new(&mut room, begin);
        writer.push(begin + 5, &Event::TaskSwitchedIn { task_id: 1 }).unwrap();
        writer.finish(stream, sequence, begin + 9, 0).unwrap().to_vec()
    }

    fn run(came: &[(Vec<u8>, u64)], until: u64) -> Vec<Vec<u8>> {
        let start = Instant::now();
        let mut datagrams = Datagrams::default();
        let mut passed = Vec::new();
        for (datagram, ms) in came {
            let now = start + Duration::from_millis(*ms);
            datagrams.look(now);
            datagrams.add_datagram(datagram, now);
            passed.extend(std::iter::from_fn(|| datagrams.next()));
        }
        datagrams.look(start + Duration::from_millis(until));
        passed.extend(std::iter::from_fn(|| datagrams.next()));
        passed
    }

    fn all(count: u16) -> Vec<Vec<u8>> {
        (0..count).map(|number| packet(0, number, u64::from(number) * 10)).collect()
    }

    #[test]
    fn swapped_and_doubled_ones_are_put_in_order() {
        let sent = all(8);
        let order = [0, 2, 1, 1, 4, 5, 3, 3, 0, 6, 7, 6];
        let came: Vec<_> = order.iter().map(|at| (sent[*at].clone(), 0)).collect();
        assert_eq!(run(&came, 0), sent);
    }

    #[test]
    fn one_that_is_lost_is_not_waited_for_long() {
        let sent = all(5);
        let came: Vec<_> = [0, 1, 3, 4].iter().map(|at| (sent[*at].clone(), 0)).collect();
        assert_eq!(run(&came, 49).len(), 2);
        let expected: Vec<_> = [0, 1, 3, 4].iter().map(|at| sent[*at].clone()).collect();
        assert_eq!(run(&came, 50), expected);
    }

    #[test]
    fn what_begins_again_is_passed_on_at_once() {
        let sent = all(5);
        // Reset after a second, with the same bytes; and at once, with other times.
        let again = [0, 1, 2, 0, 1].iter().enumerate();
        let came: Vec<_> =
            again.map(|(at, it)| (sent[*it].clone(), 1000 * u64::from(at > 2))).collect();
        assert_eq!(run(&came, 1000).len(), 5);
        let other = packet(0, 0, 3);
        let came = [(sent[0].clone(), 0), (sent[1].clone(), 0), (other.clone(), 0)];
        assert_eq!(run(&came, 0).last(), Some(&other));
    }

    #[test]
    fn what_is_no_packet_is_passed_on_as_it_comes() {
        let sent = all(3);
        let text = b"text".to_vec();
        let came =
            [(sent[0].clone(), 0), (sent[2].clone(), 0), (text.clone(), 0), (sent[1].clone(), 0)];
        assert_eq!(run(&came, 0), [sent[0].clone(), sent[2].clone(), text, sent[1].clone()]);
    }
}
