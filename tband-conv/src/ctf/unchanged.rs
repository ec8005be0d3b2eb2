//! Packets that go into a trace as they are.

use std::collections::HashSet;

use tband_format::cobs;
use tband_format::decode::{DecodeError, Decoded, EventHandler};
use tband_format::packet::{Events, HEADER_LEN, Header, METADATA_STREAM, Packet};

use super::CtfSummary;
use super::streams::Streams;
use super::times::Times;
use crate::cores::MAX_CORES;
use crate::error::ConvError;
use crate::input::Input;
use crate::item::FREQUENT;
use crate::item::owned_event::OwnedEvent;
use crate::item::schemas::Schemas;
use crate::outset::layout::Layout;
use crate::packets::{Continuity, Packer, PacketPiece, PacketReader};

/// Maximum size of packets of names, in bytes.
const NAMES: usize = 4096;

/// Whether the packets' times can be shown unchanged by readers, and are the times to show.
pub(super) fn may_be(input: &Input<'_>, layout: &Layout, times: Times) -> Result<bool, ConvError> {
    let schemas = &layout.schemas.at_start();
    if input.is_aligned() || !times.are_shown(0) {
        return Ok(false);
    }
    let mut reader = PacketReader::new(input.open()?).with_checked(layout.checked_to);
    while let Some(piece) = reader.next_piece().map_err(|error| input.read_error(error))? {
        let PacketPiece::Packet { packet, .. } = piece else { continue };
        let header = packet.header();
        let last = Content::of(&packet, schemas).last;
        let times_of = [header.begin, header.end, last];
        if !times_of.into_iter().all(|ticks| times.are_shown(ticks)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Copies the packets of an input. Metadata, which is frames there, becomes a stream of events.
pub(super) fn copy(
    (input, index): (&Input<'_>, usize),
    layout: &Layout,
    (streams, summary): (&mut Streams<'_, '_>, &mut CtfSummary),
) -> Result<(), ConvError> {
    let mut schemas = layout.schemas.at_start();
    let mut reader = PacketReader::new(input.open()?).with_checked(layout.checked_to);
    let mut continuity = Continuity::default();
    let mut recordings = [0_u32; 256];
    let (mut last, mut names) = ([None::<Header>; 256], Names::new());
    while let Some(piece) = reader.next_piece().map_err(|error| input.read_error(error))? {
        let PacketPiece::Packet { packet, .. } = piece else { continue };
        let header = *packet.header();
        let place = usize::from(header.stream);
        if header.stream == METADATA_STREAM {
            if header.sequence == 0 && names.has_begun() {
                continuity.forget();
                recordings.iter_mut().for_each(|number| *number += 1);
                last = [None; 256];
            }
            let packet = (&packet, &mut schemas);
            names.packet(packet, (index, streams), summary).map_err(ConvError::Write)?;
            continue;
        }
        // The same packet once more would be a step back in time.
        if u32::from(header.stream) >= MAX_CORES || last[place] == Some(header) {
            continue;
        }
        if continuity.is_new_start(&header) {
            recordings[place] += 1;
        }
        continuity.follow(&header);
        last[place] = Some(header);
        let id = streams.id((index, recordings[place]), header.stream).map_err(ConvError::Write)?;
        let (bytes, events) = written(&packet, id, &schemas);
        summary.events = summary.events.saturating_add(events);
        summary.unchanged = summary.unchanged.saturating_add(1);
        streams.target_packet(id, &bytes);
        streams.check().map_err(ConvError::Write)?;
    }
    names.close((index, streams)).map_err(ConvError::Write)
}

/// Returns a packet for the stream of this number: without its fill bytes, and up to the first item that is not an event,
/// because readers stop there.
fn written(packet: &Packet<'_>, id: u8, schemas: &Schemas) -> (Vec<u8>, u64) {
    let mut header = *packet.header();
    let Content { events: count, len, last } = Content::of(packet, schemas);
    let len = HEADER_LEN.saturating_add(len);
    (header.stream, header.end) = (id, header.end.max(last));
    (header.content_len, header.packet_len) = (len, len);
    let mut bytes = vec![0; HEADER_LEN];
    bytes.extend_from_slice(packet.content());
    bytes.truncate(len);
    // Its sizes are those of a packet.
    let _ = header.write(&mut bytes);
    (bytes, count)
}

/// Content of a packet up to its end, or to the first item that is not an event.
struct Content {
    events: u64,
    /// Their bytes.
    len: usize,
    /// Time of the last one, or of the begin.
    last: u64,
}

impl Content {
    fn of(packet: &Packet<'_>, schemas: &Schemas) -> Self {
        let (mut it, mut kept) =
            (Self { events: 0, len: 0, last: packet.header().begin }, Vec::new());
        loop {
            let bytes = packet.content().get(it.len..).unwrap_or_default();
            let mut events = Events::new(bytes, it.last);
            let error = loop {
                while events.take_next(EventCheck) {
                    it.events += 1;
                }
                // The position is saved first: an item that is not an event leaves no bytes.
                it.len = packet.content().len() - events.remaining();
                it.last = events.reached();
                match events.next() {
                    Some(Ok(_)) => it.events += 1,
                    Some(Err(error)) => break error,
                    None => return it,
                }
            };
            let bytes = packet.content().get(it.len..).unwrap_or_default();
            let DecodeError::UnknownId { .. } = error else { return it };
            let Ok(found) = schemas.decode_packed(bytes, it.last, &mut kept) else { return it };
            it.events += 1;
            it.len += found.taken;
            it.last = found.ts;
        }
    }
}

/// The event is only read.
struct EventCheck;

impl EventHandler<'_> for EventCheck {
    type Out = bool;

    const FREQUENT: [bool; 256] = FREQUENT;

    #[inline]
    fn take(self, _: Decoded<'_>) -> bool {
        true
    }
}

/// The stream of metadata as a stream of events.
struct Names {
    packer: Packer,
    reported: HashSet<(u32, Option<u64>, OwnedEvent)>,
    core: u32,
    reached: u64,
    has_begun: bool,
}

impl Names {
    fn new() -> Self {
        let packer = Packer::new(NAMES).without_state().compact();
        Self { packer, reported: HashSet::new(), core: 0, reached: 0, has_begun: false }
    }

    const fn has_begun(&self) -> bool {
        self.has_begun
    }

    fn packet(
        &mut self,
        (packet, schemas): (&Packet<'_>, &mut Schemas),
        (index, streams): (usize, &mut Streams<'_, '_>),
        summary: &mut CtfSummary,
    ) -> std::io::Result<()> {
        self.has_begun = true;
        let id = streams.id((index, 0), METADATA_STREAM)?;
        // A target that was reset counts from 0 again, and the names are those of all.
        self.reached = self.reached.max(packet.header().begin);
        let (mut scratch, mut kept) = (vec![0; packet.content().len()], Vec::new());
        for frame in packet.content().split(|byte| *byte == 0).filter(|frame| !frame.is_empty()) {
            let Ok(payload) = cobs::decode(frame, &mut scratch) else { continue };
            let Ok(decoded) = schemas.decode(payload, &mut kept) else { continue };
            if let tband_format::Event::CoreId { core_id } = decoded.event {
                // A packet has the names of one core. Numbers that no core has are damage, which `check` reports.
                if core_id != self.core && core_id < MAX_CORES {
                    self.flush(id, streams);
                    self.core = core_id;
                }
            } else {
                let event = OwnedEvent::from(&decoded.event);
                if !self.reported.insert((self.core, decoded.ts, event)) {
                    continue;
                }
            }
            let mut out = |_: u8, bytes: &[u8]| streams.packet_of_core(id, self.core, bytes);
            match self.packer.push(id, self.reached, &decoded.event, &mut out) {
                Ok(()) => summary.events = summary.events.saturating_add(1),
                Err(_) => summary.left_out = summary.left_out.saturating_add(1),
            }
        }
        streams.check()
    }

    fn close(mut self, (index, streams): (usize, &mut Streams<'_, '_>)) -> std::io::Result<()> {
        if !self.has_begun {
            return Ok(());
        }
        let id = streams.id((index, 0), METADATA_STREAM)?;
        self.flush(id, streams);
        streams.check()
    }

    /// Ends the packet of the last core's names.
    fn flush(&mut self, id: u8, streams: &mut Streams<'_, '_>) {
        self.packer.flush(&mut |_, bytes: &[u8]| streams.packet_of_core(id, self.core, bytes));
    }
}
