//! Puts events into packets, as the target does.

use tband_format::Event;
use tband_format::packet::{HEADER_LEN, Header, METADATA_STREAM, NotPushed, PacketWriter};

/// Least and greatest size of a packet that targets have, in bytes.
pub const PACKET_SIZES: std::ops::RangeInclusive<usize> = 128..=4096;

/// After this many losses, a compact packer ends no packet that has fewer bytes than its header for another loss.
const MANY_LOSSES: u64 = 100;

/// Puts the events of several cores into packets, which are handed on one by one.
#[derive(Debug)]
pub struct Packer {
    size: usize,
    /// Each packet begins with the state of its core.
    says_state: bool,
    is_compact: bool,
    /// How often something was missing.
    losses: u64,
    cores: Vec<Core>,
    /// Sequence number of the next packet of metadata.
    metadata: u16,
}

/// A core.
#[derive(Debug)]
struct Core {
    stream: u8,
    is_compact: bool,
    sequence: u16,
    /// The packet that is open, if its events do not end at 0, with the times of its begin and of its last event.
    packet: Box<[u8]>,
    at: usize,
    begin: u64,
    last: u64,
    discarded: u32,
    /// Of these the packets so far have reported.
    reported: u32,
    running: Option<u32>,
    isrs: Vec<u32>,
}

/// Why an event was not put into a packet.
pub type NotPacked = NotPushed;

impl Packer {
    /// With packets of this size in bytes.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self {
            size,
            says_state: true,
            is_compact: false,
            losses: 0,
            cores: Vec::new(),
            metadata: 0,
        }
    }

    /// Packets contain only the pushed events.
    #[must_use]
    pub const fn without_state(mut self) -> Self {
        self.says_state = false;
        self
    }

    /// Packets are as small as possible: each ends with its last event, as those that were sent do, and consecutive losses are
    /// reported by one packet if there are very many.
    #[must_use]
    pub const fn compact(mut self) -> Self {
        self.is_compact = true;
        self
    }

    /// Appends an event of a core, below 255. Times of a core do not go back. Packets that are closed are passed to `out`.
    ///
    /// # Errors
    /// [`NotPacked`]: the event fits in no packet of this size.
    pub fn push(
        &mut self,
        core: u8,
        ts: u64,
        event: &Event<'_>,
        out: &mut impl FnMut(u8, &[u8]),
    ) -> Result<(), NotPacked> {
        let (size, says_state) = (self.size, self.says_state);
        let core = self.core(core);
        if core.at == 0 {
            core.open(ts, says_state)?;
        } else if let Err(error) = core.push(ts, event) {
            if error != NotPushed::Full && error != NotPushed::TooFarAhead {
                return Err(error);
            }
            core.close(core.last, out);
            core.open(ts, says_state)?;
        } else {
            core.follow(event);
            return Ok(());
        }
        debug_assert!(core.packet.len() == size);
        core.push(ts, event)?;
        core.follow(event);
        Ok(())
    }

    /// Adds a number of discarded events of a core, or of lost packets, after the pushed events: its packet ends here, except
    /// for [`compact`](Self::compact).
    pub fn missing(
        &mut self,
        core: u8,
        events: u32,
        packets: u32,
        out: &mut impl FnMut(u8, &[u8]),
    ) {
        self.losses = self.losses.saturating_add(1);
        let joins = self.is_compact && packets == 0 && self.losses > MANY_LOSSES;
        let core = self.core(core);
        if !joins || core.at >= 2 * HEADER_LEN {
            core.close(core.last, out);
        }
        core.discarded = core.discarded.wrapping_add(events);
        // Numbers go round.
        core.sequence = core.sequence.wrapping_add(packets as u16);
    }

    /// Closes all packets. Losses after the last event are reported in a packet without events, as the target does.
    pub fn flush(&mut self, out: &mut impl FnMut(u8, &[u8])) {
        for core in &mut self.cores {
            core.close(core.last, out);
            if core.reported != core.discarded {
                (core.begin, core.at) = (core.last, HEADER_LEN);
                core.close(core.last, out);
            }
        }
    }

    /// Hands on a packet of metadata: frames, each with its zero, that were reported at this time.
    pub fn metadata(&mut self, ts: u64, frames: &[u8], out: &mut impl FnMut(u8, &[u8])) {
        let mut packet = vec![0; HEADER_LEN];
        packet.extend_from_slice(frames);
        let len = packet.len();
        let header = Header {
            stream: METADATA_STREAM,
            sequence: self.metadata,
            content_len: len,
            packet_len: len,
            begin: ts,
            end: ts,
            discarded: 0,
        };
        if header.write(&mut packet).is_some() {
            self.metadata = self.metadata.wrapping_add(1);
            out(METADATA_STREAM, &packet);
        }
    }

    fn core(&mut self, stream: u8) -> &mut Core {
        let known = self.cores.iter().position(|core| core.stream == stream);
        let index = known.unwrap_or_else(|| {
            self.cores.push(Core {
                stream,
                is_compact: self.is_compact,
                sequence: 0,
                packet: vec![0; self.size].into_boxed_slice(),
                at: 0,
                begin: 0,
                last: 0,
                discarded: 0,
                reported: 0,
                running: None,
                isrs: Vec::new(),
            });
            self.cores.len() - 1
        });
        &mut self.cores[index]
    }
}

impl Core {
    fn open(&mut self, ts: u64, says_state: bool) -> Result<(), NotPacked> {
        if self.packet.len() < HEADER_LEN {
            return Err(NotPushed::Full);
        }
        (self.begin, self.last, self.at) = (ts, ts, HEADER_LEN);
        if !says_state {
            return Ok(());
        }
        let running = self.running.map(|task_id| Event::RunningTask { task_id });
        let isrs = self.isrs.clone().into_iter().map(|isr_id| Event::OpenIsr { isr_id });
        running.into_iter().chain(isrs).try_for_each(|event| self.push(ts, &event))
    }

    fn push(&mut self, ts: u64, event: &Event<'_>) -> Result<(), NotPacked> {
        let mut writer = PacketWriter::resume(&mut self.packet, self.begin, (self.at, self.last));
        writer.push(ts, event)?;
        (self.at, self.last) = (writer.at(), writer.last());
        Ok(())
    }

    fn close(&mut self, end: u64, out: &mut impl FnMut(u8, &[u8])) {
        if self.at == 0 {
            return;
        }
        let writer = PacketWriter::resume(&mut self.packet, self.begin, (self.at, self.last));
        let packet = if self.is_compact {
            writer.finish_short(self.stream, self.sequence, end, self.discarded)
        } else {
            writer.finish(self.stream, self.sequence, end, self.discarded)
        };
        if let Some(packet) = packet {
            out(self.stream, packet);
            self.sequence = self.sequence.wrapping_add(1);
            self.reported = self.discarded;
        }
        self.at = 0;
    }

    /// Updates the current state with an event.
    fn follow(&mut self, event: &Event<'_>) {
        match *event {
            Event::TaskSwitchedIn { task_id } => self.running = Some(task_id),
            Event::IsrEnter { isr_id } => {
                self.leave(isr_id);
                self.isrs.push(isr_id);
            }
            Event::IsrExit { isr_id }
            | Event::IsrExitToScheduler { isr_id }
            | Event::IsrExitMissed { isr_id } => self.leave(isr_id),
            _ => {}
        }
    }

    fn leave(&mut self, isr_id: u32) {
        self.isrs.retain(|open| *open != isr_id);
    }
}
