//! Percepio TraceRecorder: streams (PSF), dumps of its ring buffer, classic snapshots.
//!
//! Streams and rings have the same events; a snapshot has others, which become those of streams.

mod about;
mod application;
mod classic;
mod clock;
mod codes;
mod event;
mod header;
mod kernel;
mod objects;
mod recognise;
mod ring;
mod snapshot;
mod stream;
mod target;
mod user;
mod words;

use self::classic::Classic;
pub use self::recognise::recognise;
use self::recognise::{Marker, find};
use self::ring::Ring;
use self::snapshot::Snapshot;
use self::stream::Stream;
use crate::counted::counted;
use crate::gaps::Break;
use crate::importer::{ForeignRecording, Importer};
use crate::output::Output;

/// Longest marker with what shows that it is one, in bytes.
const MARKER: usize = 256;

/// Where reading is.
#[derive(Debug)]
enum State {
    /// The start of a recording is looked for: in a file of other things, such as a dump of RAM.
    Searches,
    /// A structure of so many bytes is collected; it begins with its marker.
    Collects(Marker, Vec<u8>, Option<usize>),
    /// The events of a ring, and how many of their bytes are read.
    Ring(Ring, usize),
    Snapshot(Box<Classic>),
}

/// Reads the recordings of TraceRecorder.
#[derive(Debug)]
pub struct TraceRecorder {
    state: State,
    stream: Stream,
    /// A stream is read, to the end.
    is_stream: bool,
    /// Bytes before this point, and whether something was found among them.
    position: u64,
    found: Option<(Marker, u64)>,
    /// Text about the ring or the snapshot.
    container: String,
    /// Of rings and snapshots that were read.
    limits: Vec<String>,
    /// Bytes of a ring's events, which end before the next byte.
    kept: usize,
    /// Time of the last event of a snapshot.
    snapshot_end: u64,
}

impl TraceRecorder {
    /// Reads from the start of a recording, whose first core is this one.
    pub fn new(core: u32) -> Self {
        Self {
            state: State::Searches,
            stream: Stream::new(core),
            is_stream: false,
            position: 0,
            found: None,
            container: String::new(),
            limits: Vec::new(),
            kept: 0,
            snapshot_end: 0,
        }
    }

    fn search(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        let found = find(bytes, at_end);
        let Some((marker, at)) = found else {
            let len = if at_end { bytes.len() } else { bytes.len().saturating_sub(MARKER) };
            if at_end && self.found.is_none() && self.position == 0 && len > 0 {
                let why = Break::Damage("no part of a recording of TraceRecorder");
                out.broken(self.stream.target.first_core, why, 0, len as u64);
            }
            return len;
        };
        if self.found.is_some() {
            out.broken(self.stream.target.first_core, Break::Start, 0, 0);
            self.stream.target.forget_all();
        }
        self.found = Some((marker, self.position.saturating_add(at as u64)));
        self.state = match marker {
            Marker::Stream => {
                if at > 0 && self.position == 0 {
                    // The end of another recording, or earlier bytes on the line.
                    let core = self.stream.target.first_core;
                    out.broken(core, Break::Head, 0, at as u64);
                }
                self.is_stream = true;
                State::Searches
            }
            marker => State::Collects(marker, Vec::new(), None),
        };
        if at == 0 { self.step(bytes, at_end, out) } else { at }
    }

    /// Collects a structure. Its last byte is left where it is until its events are taken.
    fn collect(
        &mut self,
        marker: Marker,
        mut data: Vec<u8>,
        size: Option<usize>,
        (bytes, at_end): (&[u8], bool),
        out: &mut Output,
    ) -> usize {
        let size = size.or_else(|| {
            let mut start = data.clone();
            start.extend_from_slice(bytes);
            match marker {
                Marker::Ring => match ring::size(&start) {
                    ring::RingStructure::Ring(size) => Some(size),
                    ring::RingStructure::Short => None,
                    ring::RingStructure::Other => Some(0),
                },
                _ => match snapshot::size(&start) {
                    snapshot::SnapshotStructure::Snapshot(size) => Some(size),
                    snapshot::SnapshotStructure::Short => None,
                    snapshot::SnapshotStructure::Other => Some(0),
                },
            }
        });
        let missing = size.map_or(usize::MAX, |size| size.saturating_sub(data.len()));
        if missing == 0 && data.is_empty() {
            // The marker alone.
            self.state = State::Searches;
            return 1.min(bytes.len());
        }
        if missing > bytes.len() && !at_end {
            let len = bytes.len().saturating_sub(1);
            data.extend_from_slice(bytes.get(..len).unwrap_or_default());
            self.state = State::Collects(marker, data, size);
            return len;
        }
        let len = missing.min(bytes.len());
        data.extend_from_slice(bytes.get(..len).unwrap_or_default());
        let is_whole = missing <= bytes.len();
        if !is_whole {
            let core = self.stream.target.first_core;
            out.broken(core, Break::Cut, data.len() as u64 - len as u64, data.len() as u64);
        }
        self.open(marker, &data, out);
        len.saturating_sub(1)
    }

    /// The structure is there.
    fn open(&mut self, marker: Marker, data: &[u8], out: &mut Output) {
        self.state = State::Searches;
        if marker == Marker::Snapshot {
            let Some(snapshot) = Snapshot::read(data) else {
                let why = Break::Damage("a snapshot whose parts are not where they belong");
                out.broken(self.stream.target.first_core, why, 0, data.len() as u64);
                return;
            };
            self.describe_snapshot(&snapshot);
            self.state = State::Snapshot(Box::new(Classic::new(snapshot, self.snapshot_end)));
            return;
        }
        let Some((header, table)) = ring::header(data) else { return };
        let ring = Ring::read(data, &header, table);
        self.describe_ring(&ring);
        let changed = self.stream.changed_priorities(&header, &ring.events);
        self.stream.begin(header.clone(), out);
        self.stream.start_events(&ring.events);
        let entries = data.get(table..).unwrap_or_default().chunks(header.entry_len);
        for bytes in entries.take(usize::try_from(header.entries).unwrap_or(0)) {
            let handle = header.entry(bytes).map_or(0, |entry| entry.handle);
            self.stream.entry(&header, bytes, !changed.contains(&handle), out);
        }
        self.kept = ring.events.len();
        self.state = State::Ring(ring, 0);
    }

    fn describe_ring(&mut self, ring: &Ring) {
        let mode = if ring.is_overwriting { "overwrites" } else { "stops when it is full" };
        self.container = format!("a ring buffer of {} bytes that {mode}", ring.size);
        if ring.dropped > 0 && !ring.is_overwriting {
            self.limits
                .push(format!("{} after the ring buffer was full", counted(ring.dropped, "event")));
        }
    }

    fn describe_snapshot(&mut self, snapshot: &Snapshot) {
        let about =
            if snapshot.info.is_empty() { String::new() } else { format!(", '{}'", snapshot.info) };
        self.container = format!("a snapshot of format {}{about}", snapshot.minor);
        self.limits.push(
            "levels of queues and semaphores, and the upper 8 bits of addresses of memory".into(),
        );
        let text = "names of semaphores and mutexes: the recorder gives them to the queue of the same number";
        self.limits.push(text.into());
        if snapshot.is_cut {
            self.limits.push("the events after the end of the dump".into());
        }
    }

    fn step(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        if self.is_stream {
            // What it does not take is at the start of the bytes of the next call.
            let len = self.stream.plain_events(bytes, out);
            return if len > 0 { len } else { self.stream.read(bytes, at_end, out) };
        }
        match std::mem::replace(&mut self.state, State::Searches) {
            State::Searches => self.search(bytes, at_end, out),
            State::Collects(marker, data, size) => {
                self.collect(marker, data, size, (bytes, at_end), out)
            }
            State::Ring(ring, mut at) => {
                while out.has_room() {
                    let rest = ring.events.get(at..).unwrap_or_default();
                    if rest.is_empty() {
                        return 1.min(bytes.len());
                    }
                    // Places count from the oldest event.
                    out.begin_kept(self.kept.saturating_sub(at) as u64);
                    let len = self.stream.read(rest, true, out).max(1);
                    for full in &ring.full {
                        if (at + 1..=at + len).contains(&full.end) {
                            self.stream.target.end_core(full.core, full.is_early, out);
                        }
                    }
                    out.end_kept(len as u64);
                    at += len;
                }
                self.state = State::Ring(ring, at);
                0
            }
            State::Snapshot(mut classic) => {
                while out.has_room() {
                    let (at, count) = classic.progress();
                    out.begin_kept(4 * count.saturating_sub(at) as u64);
                    let is_there = classic.step(&mut self.stream.target, out);
                    out.end_kept(3);
                    if !is_there {
                        if classic.has_unknown_handles {
                            let text = "handles above 254: their tasks and objects are one";
                            self.limits.push(text.into());
                        }
                        self.snapshot_end = classic.now();
                        return 1.min(bytes.len());
                    }
                }
                self.state = State::Snapshot(classic);
                0
            }
        }
    }
}

impl Importer for TraceRecorder {
    fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        let len = self.step(bytes, at_end, out);
        self.position = self.position.saturating_add(len as u64);
        len
    }

    fn leading_zeros(&self) -> usize {
        1
    }

    fn about(&self) -> ForeignRecording {
        let target = &self.stream.target;
        about::about(self.stream.header.as_ref(), (&target.facts, &target.cores), self)
    }
}
