//! What packets report to be missing.

use super::decode::Decoder;
use super::meaning::Engine;
use super::model::Stream;
use crate::gaps::ReportedLoss;
use crate::output::Output;

/// Streams in one file whose counts are kept.
const MAX_STREAMS: usize = 256;

/// The counters of a stream.
#[derive(Clone, Copy, Debug)]
struct Counts {
    stream: usize,
    core: u32,
    discarded: u64,
    sequence: Option<u64>,
    /// Where its last packet ended, in ticks.
    end: u64,
}

/// Compares the counts of packets.
#[derive(Debug, Default)]
pub struct Losses {
    streams: Vec<Counts>,
    /// The loss before the next event.
    pending: Option<ReportedLoss>,
    /// Time of the last event, in ticks.
    last: u64,
}

impl Losses {
    /// A packet begins, whose context was read, with its times in ticks.
    pub fn packet(
        &mut self,
        (stream, of, core): (usize, &Stream, u32),
        decoder: &Decoder,
        (begin, end): (u64, Option<u64>),
    ) {
        let number = |field: Option<(u32, u8)>| {
            let (slot, bits) = field?;
            Some((decoder.get(slot), u64::MAX >> (64 - u32::from(bits.clamp(1, 64)))))
        };
        let (discarded, sequence) = (number(of.discarded), number(of.sequence));
        let is_it = |it: &&mut Counts| it.stream == stream && it.core == core;
        let is_full = self.streams.len() >= MAX_STREAMS;
        let known = self.streams.iter_mut().find(is_it);
        let before = known.as_deref().copied();
        let now = Counts {
            stream,
            core,
            discarded: discarded.map_or(0, |it| it.0),
            sequence: sequence.map(|it| it.0),
            end: end.unwrap_or(self.last).max(begin),
        };
        match known {
            Some(known) => *known = now,
            None if is_full => {}
            None => self.streams.push(now),
        }
        let lost_events = discarded.map_or(0, |(count, mask)| {
            let grown = count.wrapping_sub(before.map_or(0, |it| it.discarded)) & mask;
            // A count that falls is one of another recording.
            if grown > mask / 2 { count } else { grown }
        });
        let next = before.and_then(|it| it.sequence).map(|it| it.wrapping_add(1));
        let lost_packets = match (next, sequence) {
            (Some(next), Some((number, mask))) => {
                let gap = number.wrapping_sub(next) & mask;
                if gap > mask / 2 { 0 } else { gap }
            }
            _ => 0,
        };
        if lost_events == 0 && lost_packets == 0 {
            return;
        }
        let from = before.map_or(begin, |it| it.end.min(begin).max(self.last.min(begin)));
        let lost = self.pending.get_or_insert(ReportedLoss {
            from,
            to: begin,
            packets: 0,
            first: next.unwrap_or(0) as u16,
            events: 0,
        });
        lost.to = lost.to.max(begin);
        lost.packets = lost.packets.saturating_add(u16::try_from(lost_packets).unwrap_or(u16::MAX));
        lost.events = lost.events.saturating_add(u32::try_from(lost_events).unwrap_or(u32::MAX));
    }

    /// Reports the loss before an event, or before the end of a packet. The event may itself count dropped events.
    pub fn report(
        &mut self,
        (core, ts): (u32, u64),
        counts_drops: bool,
        engine: &mut Engine,
        out: &mut Output,
    ) {
        self.last = ts;
        let Some(mut lost) = self.pending.take() else { return };
        engine.has_gap();
        if counts_drops {
            lost.events = 0;
        }
        if lost.events > 0 || lost.packets > 0 {
            out.missing(core, lost);
        }
    }
}
