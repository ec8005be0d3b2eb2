//! SEGGER SystemView: streams of RTT, files with a text in front, rings of post-mortem recordings.
//!
//! A synchronisation, ten zero bytes, is at each start. Packets have no checks, so damage shows only where bytes
//! cannot be a packet; reading resumes at the next synchronisation, or where many packets follow each other.

mod calls;
mod core;
mod fields;
mod functions;
mod header;
mod modules;
mod names;
mod packet;
mod plausible;
mod print;
mod recognise;
mod results;
mod resume;
mod samples;
mod sysdesc;
mod target;
mod two_cores;
mod waits;

use memchr::memmem;

pub use self::calls::Table;
use self::fields::NoPacket;
use self::header::{FileStart, Header};
use self::packet::Packet;
pub use self::recognise::{recognise, recognise_rest};
use self::target::Target;
use crate::blank::{after_passing, is_rest};
use crate::gaps::Break;
use crate::importer::{ForeignRecording, Importer};
use crate::output::Output;

/// A synchronisation.
const SYNC: [u8; 10] = [0; 10];

/// Zeros between packets that are no damage: a synchronisation, perhaps with empty packets around it.
const MAX_ZEROS: u64 = 64;

/// How the text of a file begins.
const TEXTS: [&[u8]; 3] = [b"; ", b";\n", b";\r\n"];

/// Bytes in which a synchronisation follows.
const WITHOUT_SYNC: usize = 16 * 1024;

/// The first byte after a synchronisation: a count of lost packets, the start of the trace, or the description of the target.
const STARTS: [u8; 3] = [1, 10, 24];

/// Where reading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before everything.
    Begins,
    /// Between packets.
    Packets,
    /// Searches for the next place at which reading resumes; so many bytes were passed over.
    Seeks(Break, u64),
}

/// This may be the text of a file.
fn is_text(bytes: &[u8]) -> bool {
    TEXTS.iter().any(|text| bytes.starts_with(text))
}

/// Reads a SystemView recording.
#[derive(Debug)]
pub struct SystemView {
    header: Header,
    state: State,
    /// Bytes after the text.
    position: u64,
    /// Zeros in front of the next packet, if they are at least a synchronisation.
    zeros: u64,
    /// No packet was read yet.
    is_first: bool,
    /// The part of the file that is read, by its number.
    part: usize,
    /// The parts of the file: one for each core, or one whose packets name their cores.
    parts: Vec<Target>,
    first_core: u32,
    table: Option<Table>,
}

impl SystemView {
    /// Reads from the start of a recording, whose first core is this one.
    pub fn new(core: u32, table: Option<Table>) -> Self {
        Self {
            header: Header::default(),
            state: State::Begins,
            position: 0,
            zeros: 0,
            is_first: true,
            part: 0,
            parts: Vec::new(),
            first_core: core,
            table,
        }
    }

    /// The text is read, or there is none.
    fn begin(&mut self, header: Header) {
        let of_esp = (header.is_of_espressif() || header.has_core_in_id).then_some(Table::Esp);
        let table = self.table.or(of_esp);
        let parts = u32::try_from(header.offsets.len()).unwrap_or(0).max(1);
        let of_part = if header.has_core_in_id { 2 } else { 1 };
        // A file of one core may be one of several.
        let core_count = Some(parts.max(of_part)).filter(|count| *count > 1).unwrap_or(0);
        let part = |number| {
            let cores = (self.first_core.saturating_add(number), of_part);
            Target::new(cores, core_count, table)
        };
        self.parts = (0..parts).map(part).collect();
        self.header = header;
        self.state = State::Packets;
    }

    /// The text of another file begins here: files were joined.
    fn is_at_next_file(&self, bytes: &[u8]) -> bool {
        let is_last = self.part + 1 == self.parts.len();
        is_last && self.state == State::Packets && is_text(bytes)
    }

    /// Another file begins. Its time continues where that of the one before ended.
    fn begin_next_file(&mut self, header: Header, out: &mut Output) {
        let before = std::mem::take(&mut self.parts);
        before.iter().for_each(|part| part.break_all(out));
        self.begin(header);
        self.parts.iter_mut().for_each(|part| part.continue_after(&before));
        (self.part, self.position, self.zeros, self.is_first) = (0, 0, 0, true);
    }

    /// Bytes up to where the part of the next core begins.
    fn to_next_part(&self) -> Option<u64> {
        let next = self.header.offsets.get(self.part + 1)?;
        Some(next.saturating_sub(self.position))
    }

    fn core(&self) -> u32 {
        let part = u32::try_from(self.part).unwrap_or(0);
        self.first_core.saturating_add(part)
    }

    /// The bytes in front are no packets. Where a buffer begins and ends, no packets are missing.
    fn has_gap(&mut self, why: Break, out: &mut Output) {
        let core = self.core();
        if let Some(part) = self.parts.get_mut(self.part) {
            part.has_gap();
            if !matches!(why, Break::Head | Break::Unwritten) {
                part.break_others(core, out);
            }
        }
    }

    /// Takes a packet, or passes over bytes that are none. Returns how many bytes were consumed.
    fn next(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        if let State::Seeks(why, passed) = self.state {
            return self.seek(bytes, (why, passed), at_end, out);
        }
        if zeros >= SYNC.len() || (self.zeros > 0 && zeros > 0) {
            let is_all = zeros == bytes.len();
            if is_all && zeros == 1 && !at_end {
                return 0;
            }
            // The end has to show that nothing follows.
            let zeros = zeros - usize::from(is_all && !at_end);
            self.zeros = self.zeros.saturating_add(zeros as u64);
            if is_all && at_end && self.zeros > MAX_ZEROS {
                let before = self.zeros - zeros as u64;
                out.broken(self.core(), Break::Unwritten, before, self.zeros);
            }
            return zeros;
        }
        if zeros > 0 && zeros == bytes.len() {
            return if at_end { zeros } else { 0 };
        }
        let passed = std::mem::take(&mut self.zeros);
        let is_start = matches!(bytes.first(), Some(10 | 24));
        if passed > MAX_ZEROS && passed < self.position && !is_start {
            let why = Break::Damage("zero bytes between packets");
            out.broken(self.core(), why, passed, passed);
            self.has_gap(why, out);
        }
        if zeros == 0
            && let Some(first) = bytes.first()
            && std::mem::take(&mut self.is_first)
            && (self.position == 0 || !STARTS.contains(first))
        {
            // The ring of a post-mortem recording, perhaps after zeros of an image of memory: where its first packet begins is not
            // known.
            return self.seek(bytes, (Break::Head, 0), at_end, out);
        }
        if is_rest(bytes, at_end) {
            return self.seek(bytes, (Break::Unwritten, 0), at_end, out);
        }
        match Packet::read(bytes, self.header.has_core_in_id) {
            Ok(packet) => {
                if let Some(target) = self.parts.get_mut(self.part) {
                    target.packet(&packet, out);
                }
                packet.len
            }
            Err(NoPacket::Short) if !at_end => 0,
            // A damaged length reaches over the following packets.
            Err(NoPacket::Short) if self.has_more(bytes) => {
                let why = Break::Damage("a packet that reaches over other ones");
                self.seek(bytes, (why, 0), at_end, out)
            }
            Err(NoPacket::Short) => {
                let len = bytes.len() as u64;
                out.broken(self.core(), Break::Cut, 0, len);
                bytes.len()
            }
            Err(NoPacket::Damaged(what)) => self.seek(bytes, (Break::Damage(what), 0), at_end, out),
        }
    }

    /// Takes packets that follow each other, as long as these are plain. Returns how many bytes were consumed.
    #[inline]
    fn plain_packets(&mut self, bytes: &[u8], out: &mut Output) -> usize {
        let (has_core, part) = (self.header.has_core_in_id, self.part);
        let mut consumed = 0;
        let is_packet = |rest: &&[u8]| {
            rest.first().is_some_and(|first| *first != 0 && (*first != b';' || !is_text(rest)))
        };
        while let Some(rest) = bytes.get(consumed..).filter(is_packet) {
            let Ok(packet) = Packet::read(rest, has_core) else { break };
            if let Some(target) = self.parts.get_mut(part) {
                target.packet(&packet, out);
            }
            consumed += packet.len;
            if !out.has_room() {
                break;
            }
            out.end_record(packet.len);
        }
        consumed
    }

    /// Something can be read after the first byte.
    fn has_more(&self, bytes: &[u8]) -> bool {
        memmem::find(bytes, &SYNC).is_some() || self.find_packets(bytes, 1, bytes.len()).is_some()
    }

    /// Where packets follow each other that begin from `from` on and before `end`.
    fn find_packets(&self, bytes: &[u8], from: usize, end: usize) -> Option<usize> {
        let rest = bytes.get(from..)?;
        let at = resume::find(rest, end.saturating_sub(from), self.header.has_core_in_id)?;
        Some(from + at)
    }

    /// Looks for the next synchronisation, or for packets that follow each other.
    fn seek(
        &mut self,
        bytes: &[u8],
        (why, passed): (Break, u64),
        at_end: bool,
        out: &mut Output,
    ) -> usize {
        let sync = memmem::find(bytes, &SYNC);
        // Nothing has described the clock of packets before the first synchronisation. It follows soon in the ring of a post-mortem
        // recording; a stream that a host has joined late may have none.
        let has_no_sync = sync.is_none() && (at_end || bytes.len() > WITHOUT_SYNC);
        if why == Break::Head && passed == 0 && sync.is_none() && !has_no_sync {
            self.state = State::Seeks(why, 0);
            return 0;
        }
        let may_resume = why != Break::Head || (has_no_sync && passed == 0);
        let kept = if may_resume { resume::ENOUGH } else { SYNC.len() - 1 };
        let tried = bytes.len().saturating_sub(if at_end { 0 } else { kept });
        let end = sync.unwrap_or(tried);
        let from = usize::from(passed == 0);
        let packets = if may_resume { self.find_packets(bytes, from, end) } else { None };
        let found = packets.or(sync);
        if found.is_none() && !at_end {
            // It may begin in the last bytes.
            let why = after_passing(why, bytes.get(..end).unwrap_or_default(), false);
            self.state = State::Seeks(why, passed.saturating_add(end as u64));
            return end;
        }
        let len = found.unwrap_or(bytes.len());
        let why = after_passing(why, bytes.get(..len).unwrap_or_default(), packets.is_some());
        let total = passed.saturating_add(len as u64);
        if total > 0 {
            out.broken(self.core(), why, passed, total);
            self.has_gap(why, out);
        }
        self.state = State::Packets;
        len.max(usize::from(len == 0 && !bytes.is_empty()) * SYNC.len().min(bytes.len()))
    }
}

impl Importer for SystemView {
    fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        if self.state == State::Begins {
            // An image of memory may have zeros in front.
            let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
            let text = bytes.get(zeros..).unwrap_or_default();
            match Header::read(text, at_end) {
                FileStart::Short if zeros <= SYNC.len() => return 0,
                FileStart::Header(header, len) => {
                    self.begin(header);
                    return zeros + len;
                }
                _ => match two_cores::are_in_ids(bytes, at_end) {
                    None => return 0,
                    Some(has_core_in_id) => {
                        self.begin(Header { has_core_in_id, ..Header::default() });
                    }
                },
            }
        }
        if self.is_at_next_file(bytes) {
            match Header::read(bytes, at_end) {
                FileStart::Short => return 0,
                FileStart::Header(header, len) if header.is_full() => {
                    // A payload may contain such a text, too.
                    let after = bytes.get(len..).unwrap_or_default();
                    if after.starts_with(&SYNC) {
                        self.begin_next_file(header, out);
                        return len;
                    }
                    if SYNC.starts_with(after) && !at_end {
                        return 0;
                    }
                }
                _ => {}
            }
        }
        let end = self.to_next_part();
        let (bytes, at_end) = match end.and_then(|end| usize::try_from(end).ok()) {
            Some(0) => {
                self.part += 1;
                self.zeros = 0;
                self.state = State::Packets;
                (bytes, at_end)
            }
            Some(end) if end <= bytes.len() => (bytes.get(..end).unwrap_or(bytes), true),
            _ => (bytes, at_end),
        };
        let is_plain = self.state == State::Packets && !self.is_first && self.zeros == 0;
        let len = match is_plain {
            true => self.plain_packets(bytes, out),
            false => 0,
        };
        // What it cannot read is at the start of the bytes of the next call.
        let len = if len > 0 { len } else { self.next(bytes, at_end, out) };
        self.position = self.position.saturating_add(len as u64);
        len
    }

    fn leading_zeros(&self) -> usize {
        SYNC.len()
    }

    /// Espressif's tool writes the wake-ups of both cores to the file of each.
    fn shares_wakes(&self) -> bool {
        let is_of_espressif = self.parts.first().is_some_and(|it| it.table == Some(Table::Esp));
        is_of_espressif && !self.header.has_core_in_id
    }

    fn about(&self) -> ForeignRecording {
        let mut about = ForeignRecording {
            format: "SEGGER SystemView".to_owned(),
            ..ForeignRecording::default()
        };
        let Some(first) = self.parts.first() else { return about };
        let any = |fact: fn(&target::Facts) -> bool| self.parts.iter().any(|it| fact(&it.facts));
        let mut recorder: Vec<String> = self.header.version.iter().cloned().collect();
        recorder.push(first.desc.text());
        let table = match first.table {
            Some(table) => Some(table),
            None if any(|it| it.has_v11_calls) => Some(Table::V11),
            None if any(|it| it.has_v10_calls) => Some(Table::V10),
            None => None,
        };
        recorder.extend(table.map(|table| table.name().to_owned()));
        recorder.retain(|it| !it.is_empty());
        about.recorder = recorder.join("; ");
        let mut infer = |is: bool, text: &str| {
            if is {
                about.inferred.push(text.to_owned());
            }
        };
        infer(
            any(|it| it.has_waits) && table == Some(Table::V11),
            "what a task waits for: the call that it is in",
        );
        infer(any(|it| it.has_idle), "the number of the idle task");
        infer(
            self.shares_wakes(),
            "with a file for each core, which core has made a task ready: the one in an interrupt or in a task",
        );
        infer(
            any(|it| it.has_inferred_floats),
            "data samples that were not registered are taken for floats",
        );
        let mut lack = |is: bool, text: &str| {
            if is {
                about.not_recorded.push(text.to_owned());
            }
        };
        lack(
            any(|it| it.has_unknown_waits) || table != Some(Table::V11),
            "what some tasks wait for: their state is unknown until they are ready",
        );
        lack(
            self.header.is_of_espressif() && !self.header.has_core_in_id,
            "with a file for each core, the core that has lost packets: both files contain the loss",
        );
        lack(
            true,
            "numbers of packets: lost ones without an overflow packet show only where a task runs that was not ready",
        );
        lack(true, "levels of queues, holders of mutexes, priorities while they are inherited");
        lack(true, "names of more tasks than SYSVIEW_FREERTOS_MAX_NOF_TASKS, 8 by default");
        about
    }
}
