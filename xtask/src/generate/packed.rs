//! Events of a simulated target as a recorder of packets sends them.

use std::io::{self, Write};

use tband_conv::packets::Packer;
use tband_format::packet::HEADER_LEN;
use tband_format::{Event, encode_frame};

/// Puts events into packets: reports before the first event into those of metadata, and counts of lost events into headers.
pub(super) struct EventPacker<W> {
    packer: Packer,
    packet_size: usize,
    out: W,
    written: u64,
    /// Frames of metadata for the next packet of them, until there is an event.
    start: Option<Vec<u8>>,
    /// The core that the metadata is of.
    core: u32,
    lost: u32,
    failed: io::Result<()>,
}

impl<W: Write> EventPacker<W> {
    pub fn new(packet_size: usize, out: W) -> Self {
        let packer = Packer::new(packet_size);
        let start = Some(Vec::new());
        Self { packer, packet_size, out, written: 0, start, core: 0, lost: 0, failed: Ok(()) }
    }

    /// Events of a core come in the order of their times.
    pub fn write(&mut self, core: u32, ts: u64, event: &Event<'_>) -> io::Result<()> {
        if event.is_metadata() && self.start.is_some() {
            return self.metadata(core, event);
        }
        if let Some(start) = self.start.take() {
            self.pass_event(|packer, mut out| packer.metadata(0, &start, &mut out))?;
        }
        let core = u8::try_from(core).map_err(io::Error::other)?;
        if let Event::DroppedEvtCnt { cnt } = *event {
            let lost = cnt.saturating_sub(self.lost);
            self.lost = self.lost.max(cnt);
            if lost > 0 {
                self.pass_event(|packer, mut out| packer.missing(core, lost, 0, &mut out))?;
            }
            return Ok(());
        }
        let mut result = Ok(());
        self.pass_event(|packer, mut out| result = packer.push(core, ts, event, &mut out))?;
        result.map_err(io::Error::other)
    }

    /// Handles metadata before the first event; later metadata is among the events.
    fn metadata(&mut self, core: u32, event: &Event<'_>) -> io::Result<()> {
        let start = self.start.get_or_insert_default();
        let mut frames = Vec::new();
        if core != std::mem::replace(&mut self.core, core) {
            frames.extend(frame(&Event::CoreId { core_id: core })?);
        }
        frames.extend(frame(event)?);
        if HEADER_LEN + start.len() + frames.len() <= self.packet_size {
            start.extend(frames);
            return Ok(());
        }
        let full = std::mem::replace(start, frames);
        self.pass_event(|packer, mut out| packer.metadata(0, &full, &mut out))
    }

    /// Closes the last packets. Returns the bytes of all.
    pub fn finish(mut self) -> io::Result<u64> {
        if let Some(start) = self.start.take() {
            self.pass_event(|packer, mut out| packer.metadata(0, &start, &mut out))?;
        }
        self.pass_event(|packer, mut out| packer.flush(&mut out))?;
        self.out.flush()?;
        Ok(self.written)
    }

    fn pass_event(
        &mut self,
        act: impl FnOnce(&mut Packer, &mut dyn FnMut(u8, &[u8])),
    ) -> io::Result<()> {
        let Self { packer, out, written, failed, .. } = self;
        act(packer, &mut |_, packet: &[u8]| {
            *written += packet.len() as u64;
            if failed.is_ok() {
                *failed = out.write_all(packet);
            }
        });
        std::mem::replace(failed, Ok(()))
    }
}

fn frame(event: &Event<'_>) -> io::Result<Vec<u8>> {
    let mut frame = [0; 128];
    let len = encode_frame(event, 0, &mut frame).map_err(io::Error::other)?;
    Ok(frame[..len].to_vec())
}
