//! The files of a trace, one a stream.

use std::io::{self, Write};
use std::ops::Range;

use tband_format::packet::METADATA_STREAM;

use crate::cores::MAX_CORES;
use crate::output::{BoxWrite, Output};

/// Files that wait to be written, in bytes.
const BLOCK: usize = 64 * 1024;
/// Packets of this many bytes are written at once.
const LARGE: usize = 16 * 1024;

/// Where the header of a target's packet has the check. A trace has the number of the core there: no reader of traces computes
/// the check, and all of them show `cpu_id`.
const CPU_ID: Range<usize> = 12..16;

/// Where the packets of a core come from: an input, and its recording of that core, by number.
pub(super) type Source = (usize, u32);

/// The files of a trace.
pub(super) struct Streams<'s, 'o> {
    output: &'s mut Output<'o>,
    open: Vec<Stream<'o>>,
    /// The first write error.
    failed: Option<io::Error>,
}

struct Stream<'o> {
    source: Source,
    core: u8,
    /// It contains only the core's records.
    is_of_records: bool,
    /// As it is in the headers of its packets.
    id: u8,
    file: BoxWrite<'o>,
    waiting: Vec<u8>,
}

impl<'s, 'o> Streams<'s, 'o> {
    pub fn new(output: &'s mut Output<'o>) -> Self {
        Self { output, open: Vec::new(), failed: None }
    }

    /// Returns the number of a stream, which is created if it is new: that of the core, if this is its first.
    pub fn id(&mut self, source: Source, core: u8) -> io::Result<u8> {
        let is_it = |stream: &&Stream<'_>| {
            stream.source == source && stream.core == core && !stream.is_of_records
        };
        if let Some(stream) = self.open.iter().find(is_it) {
            return Ok(stream.id);
        }
        let same = self.streams_of_core(core, false);
        let is_core = u32::from(core) < MAX_CORES;
        let name = match (is_core, same) {
            (true, 0) => format!("core{core}"),
            (true, more) => format!("core{core}-{}", more + 1),
            (false, 0) => "names".to_owned(),
            (false, more) => format!("names-{}", more + 1),
        };
        // Readers join files of one number, so each has another.
        let mut free = (0..=u8::MAX).filter(|id| self.open.iter().all(|stream| stream.id != *id));
        let id = if same == 0 { Some(core) } else { free.rfind(|id| u32::from(*id) >= MAX_CORES) };
        let Some(id) = id else {
            return Err(no_room());
        };
        self.add((source, core, false), id, &name)
    }

    /// As [`id`](Self::id), for the stream of a core's records. Its number differs from those of all cores and of the names.
    pub fn id_of_records(&mut self, source: Source, core: u8) -> io::Result<u8> {
        let is_it = |stream: &&Stream<'_>| {
            stream.source == source && stream.core == core && stream.is_of_records
        };
        if let Some(stream) = self.open.iter().find(is_it) {
            return Ok(stream.id);
        }
        let name = match self.streams_of_core(core, true) {
            0 => format!("records{core}"),
            more => format!("records{core}-{}", more + 1),
        };
        let mut free = (MAX_CORES as u8..METADATA_STREAM).rev();
        let Some(id) = free.find(|id| self.open.iter().all(|stream| stream.id != *id)) else {
            return Err(no_room());
        };
        self.add((source, core, true), id, &name)
    }

    /// How many streams there are of a core's events, or of its records.
    fn streams_of_core(&self, core: u8, is_of_records: bool) -> usize {
        let is_it =
            |stream: &&Stream<'_>| stream.core == core && stream.is_of_records == is_of_records;
        self.open.iter().filter(is_it).count()
    }

    fn add(
        &mut self,
        (source, core, is_of_records): (Source, u8, bool),
        id: u8,
        name: &str,
    ) -> io::Result<u8> {
        let file = self.output.file(name)?;
        self.open.push(Stream { source, core, is_of_records, id, file, waiting: Vec::new() });
        Ok(id)
    }

    /// Appends a packet, or a part of one, to its stream. [`close`](Self::close) reports errors.
    pub fn packet(&mut self, id: u8, packet: &[u8]) {
        let Some(stream) = self.open.iter_mut().find(|stream| stream.id == id) else { return };
        if let Err(error) = stream.write(packet) {
            self.failed.get_or_insert(error);
        }
    }

    /// As [`packet`](Self::packet), of a packet as targets write it, whose core is that of its stream.
    pub fn target_packet(&mut self, id: u8, packet: &[u8]) {
        let Some(stream) = self.open.iter().find(|stream| stream.id == id) else { return };
        self.packet_of_core(id, stream.core.into(), packet);
    }

    /// As [`target_packet`](Self::target_packet), of another core than that of its stream.
    pub fn packet_of_core(&mut self, id: u8, core: u32, packet: &[u8]) {
        let (Some(before), Some(after)) = (packet.get(..CPU_ID.start), packet.get(CPU_ID.end..))
        else {
            return;
        };
        for part in [before, &core.to_le_bytes(), after] {
            self.packet(id, part);
        }
    }

    /// Returns the write error so far.
    #[inline]
    pub fn check(&mut self) -> io::Result<()> {
        if self.failed.is_none() { Ok(()) } else { self.failed.take().map_or(Ok(()), Err) }
    }

    /// All packets are there.
    pub fn close(mut self) -> io::Result<()> {
        self.check()?;
        for stream in &mut self.open {
            stream.flush()?;
            stream.file.flush()?;
        }
        Ok(())
    }
}

fn no_room() -> io::Error {
    io::Error::other("a trace has room for at most 256 streams")
}

impl Stream<'_> {
    fn write(&mut self, packet: &[u8]) -> io::Result<()> {
        if packet.len() >= LARGE {
            self.flush()?;
            return self.file.write_all(packet);
        }
        self.waiting.extend_from_slice(packet);
        if self.waiting.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.file.write_all(&self.waiting);
        self.waiting.clear();
        result
    }
}
