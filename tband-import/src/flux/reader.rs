//! Reads a flux file part by part, and resumes after damage.
//!
//! Neither entries nor samples have checks. Damage shows where bytes cannot be a part: an unknown tag, an item that is not
//! defined, data of another type. Reading resumes where several parts follow each other.

use std::cell::Cell;
use std::rc::Rc;

use tband_format::Event;

use super::about::about;
use super::block::unpack;
use super::bytes::{Bytes, Fault};
use super::clock::FileClock;
use super::item::{self, FluxItem};
use super::trace::Trace;
use crate::blank::{after_passing, is_rest};
use crate::gaps::Break;
use crate::importer::{ForeignRecording, Importer};
use crate::output::Output;

/// The first bytes of a file.
const BEGINNING: &[u8] = b"\0\x01flux";
/// Consecutive parts that prove where reading can resume after damage.
const PARTS: usize = 8;
/// Bytes of a part that may have a damaged length.
const LONG_PART: usize = 64;
/// Bytes that parts have at most, and that have to be there to tell damage from a part that is not there yet.
const LONG: usize = 60 * 1024;
/// Bytes of a block in the file whose content is read at a time.
const STEP: usize = 64;
/// Traces in a file.
const MAX_TRACES: usize = 64;
/// Bytes of a section that may be the beginning of a part.
const MAX_CARRIED: usize = 64 * 1024;

/// The content of a block. It is read as the block's bytes in the file are consumed.
#[derive(Debug)]
struct BlockContent {
    content: Vec<u8>,
    at: usize,
    /// Bytes of the block in the file, and those that are not consumed.
    size: usize,
    left: usize,
}

/// A block that is longer than one read.
#[derive(Debug)]
struct LongBlock {
    mode: u8,
    original: usize,
    left: usize,
    bytes: Vec<u8>,
}

/// Reads a flux recording.
#[derive(Debug)]
pub struct Flux {
    first_core: u32,
    traces: Vec<(u32, Trace)>,
    /// The clock of the file that is read.
    clock: Rc<Cell<FileClock>>,
    current: usize,
    inner: Option<BlockContent>,
    gathered: Option<LongBlock>,
    /// The next good part is looked for; so many bytes were passed over.
    sought: Option<(Break, u64)>,
    /// The counter of the last section, and the beginning of a part at its end.
    section: Option<u8>,
    carried: Vec<u8>,
    is_packed: bool,
    has_lost_time: bool,
}

impl Flux {
    /// Reads from the start of a recording, whose first core is this one.
    pub fn new(core: u32) -> Self {
        Self {
            first_core: core,
            traces: Vec::new(),
            clock: Rc::new(Cell::new(FileClock::first())),
            current: 0,
            inner: None,
            gathered: None,
            sought: None,
            section: None,
            carried: Vec::new(),
            is_packed: false,
            has_lost_time: false,
        }
    }

    fn trace(&self) -> Option<&Trace> {
        self.traces.get(self.current).map(|(_, trace)| trace)
    }

    /// Reads the part at the front, if it can be one here. Returns it with its length.
    fn part<'a>(&self, bytes: &'a [u8]) -> Result<(FluxItem<'a>, usize), Fault> {
        let mut rest = Bytes(bytes);
        let trace = self.trace();
        let part = item::read(&mut rest, trace.map_or(0, |trace| trace.version))?;
        let Some(trace) = trace else {
            return match part {
                FluxItem::Head { .. } | FluxItem::Block { .. } | FluxItem::Section { .. } => {
                    Ok((part, bytes.len() - rest.0.len()))
                }
                _ => Err(Fault::Bad("a part before the head of the trace")),
            };
        };
        let fault = match part {
            FluxItem::Open { item, .. }
            | FluxItem::Close { item, .. }
            | FluxItem::Word { item, .. }
            | FluxItem::Member { item, .. }
            | FluxItem::Position { item, .. }
                if trace.is_unknown(item) =>
            {
                Some("an entry of an item that is not defined")
            }
            FluxItem::Switch(number) if !self.traces.iter().any(|(of, _)| *of == number) => {
                Some("a switch to a trace without a head")
            }
            FluxItem::Sample(sample) if !trace.can_be(&sample) => {
                Some("a sample of an item that is not open, or of another type")
            }
            FluxItem::Scope(named) | FluxItem::Signal { named, .. }
                if trace.is_unknown(named.parent) =>
            {
                Some("an item of a scope that is not defined")
            }
            _ => None,
        };
        match fault {
            Some(fault) => Err(Fault::Bad(fault)),
            None => Ok((part, bytes.len() - rest.0.len())),
        }
    }

    fn apply(&mut self, part: &FluxItem<'_>, out: &mut Output) {
        if let FluxItem::Head { version, trace, name, about } = *part {
            if self.traces.is_empty() {
                self.begin(out);
            }
            self.head(trace, (version, name, about), out);
            return;
        }
        if let FluxItem::Switch(number) = *part {
            self.current = self.traces.iter().position(|(of, _)| *of == number).unwrap_or(0);
            return;
        }
        let first_core = self.first_core;
        let Some((_, trace)) = self.traces.get_mut(self.current) else { return };
        match *part {
            FluxItem::Scope(named) => trace.scope(named),
            FluxItem::Signal { named, last, kind, descriptor } => {
                trace.signal(named, last, kind, descriptor, out);
            }
            FluxItem::Open { item, domain, start } => {
                if trace.open(item, domain, start) {
                    out.broken(first_core, Break::Start, 0, 0);
                }
            }
            FluxItem::Close { item, end } => trace.close(item, end, out),
            FluxItem::Domain(name) => trace.domain(name),
            FluxItem::Word { item, of, label, number } => trace.word(item, of, number, label),
            FluxItem::Member { item, member, label } => trace.member(item, member, label),
            FluxItem::Sample(sample) => {
                trace.sample(&sample, out);
            }
            FluxItem::Position { item, at } => trace.set_position(item, at),
            FluxItem::Unshown(what) => trace.facts.count(what),
            FluxItem::Head { .. }
            | FluxItem::Switch(_)
            | FluxItem::Block { .. }
            | FluxItem::Section { .. } => {}
        }
    }

    fn begin(&self, out: &mut Output) {
        out.begin_recording(self.first_core, 0, None);
        out.metadata(self.first_core, &Event::TsResolutionNs { ns_per_ts: 1 });
    }

    fn head(&mut self, number: u32, about: (u8, &[u8], &[u8]), out: &mut Output) {
        let known = self.traces.iter().position(|(of, _)| *of == number);
        if known
            .and_then(|known| self.traces.get(known))
            .is_some_and(|(_, trace)| Rc::ptr_eq(&trace.clock, &self.clock))
        {
            self.begin_next_file(out);
        }
        let new = Trace::new(self.traces.len(), self.first_core, about, Rc::clone(&self.clock));
        match known {
            Some(known) => {
                self.current = known;
                if let Some((_, trace)) = self.traces.get_mut(known) {
                    let before = std::mem::replace(trace, new);
                    trace.continue_after(before);
                }
            }
            None if self.traces.len() < MAX_TRACES => {
                self.current = self.traces.len();
                self.traces.push((number, new));
            }
            // Its parts belong to no other trace.
            None => self.current = self.traces.len(),
        }
    }

    /// Another file begins: files were joined.
    fn begin_next_file(&mut self, out: &mut Output) {
        let mut cores = vec![self.first_core];
        for (_, trace) in &mut self.traces {
            trace.finish(out);
            cores.extend(trace.tasks.cores());
            trace.forget();
        }
        cores.sort_unstable();
        cores.dedup();
        cores.iter().for_each(|core| out.broken(*core, Break::Start, 0, 0));
        let end = self.traces.iter().map(|(_, trace)| trace.now).max().unwrap_or(0);
        self.clock = Rc::new(Cell::new(FileClock::after(end)));
    }

    /// Parts follow each other from here on; `None`: more bytes show it.
    fn is_good(&self, bytes: &[u8], at_end: bool) -> Option<bool> {
        let mut rest = bytes;
        for count in 0..PARTS {
            if rest.is_empty() && at_end {
                return Some(count > 1);
            }
            match self.part(rest) {
                Ok((FluxItem::Head { .. }, _)) => return Some(rest.starts_with(BEGINNING)),
                Ok((FluxItem::Block { mode, original, compressed }, len)) => {
                    let end = len.saturating_add(usize::try_from(compressed).ok()?);
                    let original = usize::try_from(original).ok()?;
                    return match rest.get(len..end) {
                        Some(content) => Some(unpack(mode, content, original).is_some()),
                        None if at_end || end > LONG => Some(false),
                        None => None,
                    };
                }
                Ok((_, len)) => rest = rest.get(len..).unwrap_or_default(),
                Err(Fault::Short) if at_end || rest.len() > LONG => return Some(false),
                Err(Fault::Short) => return None,
                Err(Fault::Bad(_)) => return Some(false),
            }
        }
        Some(true)
    }

    /// The length of this part is damaged: parts follow each other inside of it, and not after it. `None`: more bytes show it.
    fn reaches_over(&self, bytes: &[u8], len: usize, at_end: bool) -> Option<bool> {
        if len < LONG_PART || self.is_good(bytes.get(len..).unwrap_or_default(), at_end)? {
            return Some(false);
        }
        let inside = 1..len;
        let is_begun = |at: usize| self.is_good(bytes.get(at..).unwrap_or_default(), at_end);
        Some(inside.into_iter().any(|at| is_begun(at) == Some(true)))
    }

    /// Where reading can resume, if that is known: true, and the offset; or false, and bytes to pass over.
    fn seek(&self, bytes: &[u8], at_end: bool) -> (bool, usize) {
        for at in 0..bytes.len() {
            match self.is_good(bytes.get(at..).unwrap_or_default(), at_end) {
                Some(true) => return (true, at),
                Some(false) => {}
                None => return (false, at),
            }
        }
        (false, bytes.len())
    }

    /// Bytes are damaged.
    fn forget(&mut self) {
        self.has_lost_time = true;
        if let Some((_, trace)) = self.traces.get_mut(self.current) {
            trace.forget();
        }
    }

    /// Passes over damaged bytes.
    fn pass(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        let Some((why, passed)) = self.sought else { return 0 };
        // The byte at which the damage showed begins no part.
        let first = usize::from(passed == 0);
        let (is_found, len) = self.seek(bytes.get(first..).unwrap_or_default(), at_end);
        let len = (len + first).min(bytes.len());
        let total = passed.saturating_add(len as u64);
        let is_followed = is_found && !bytes.get(len..).unwrap_or_default().starts_with(BEGINNING);
        let why = after_passing(why, bytes.get(..len).unwrap_or_default(), is_followed);
        if is_found || (at_end && len == bytes.len()) {
            self.sought = None;
            self.forget();
            out.broken(self.first_core, why, passed, total);
        } else {
            self.sought = Some((why, total));
        }
        len
    }

    /// Reads a piece of a block's content.
    fn read_inner(&mut self, available: usize, out: &mut Output) -> usize {
        let Some(mut inner) = self.inner.take() else { return 0 };
        let step = inner.left.min(available).min(STEP);
        inner.left -= step;
        let done = inner.size - inner.left;
        // Neither has more than 2^24 bytes.
        let target = inner.content.len() as u64 * done as u64 / inner.size.max(1) as u64;
        loop {
            if let Some((_, trace)) = self.traces.get_mut(self.current) {
                while (inner.at as u64) < target
                    && let Some(rest) = inner.content.get(inner.at..)
                    && let Some(len) = take_sample(trace, rest, out)
                {
                    inner.at += len;
                }
            }
            if inner.at as u64 >= target {
                break;
            }
            let rest = inner.content.get(inner.at..).unwrap_or_default();
            let fault = match self.part(rest) {
                Ok((FluxItem::Block { .. } | FluxItem::Section { .. }, _)) => {
                    "a block inside of a block"
                }
                Ok((part, len)) => {
                    self.apply(&part, out);
                    inner.at += len;
                    continue;
                }
                Err(Fault::Short) => "a block that ends inside of a part",
                Err(Fault::Bad(fault)) => fault,
            };
            let (_, len) = self.seek(rest.get(1..).unwrap_or_default(), true);
            inner.at += len + 1;
            self.forget();
            out.broken(self.first_core, Break::Damage(fault), 0, step as u64);
        }
        if inner.left > 0 {
            self.inner = Some(inner);
        }
        step
    }

    /// A block is complete with these last bytes of it in the file.
    fn unpack_block(&mut self, mode: u8, original: usize, bytes: &[u8], left: usize) {
        self.is_packed = true;
        match unpack(mode, bytes, original) {
            Some(content) => self.inner = Some(BlockContent { content, at: 0, size: left, left }),
            None => self.sought = Some((Break::Damage("a block that does not decompress"), 0)),
        }
    }

    fn gather(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        let Some(gathered) = &mut self.gathered else { return 0 };
        let len = gathered.left.min(bytes.len());
        if len == gathered.left {
            gathered.bytes.extend_from_slice(bytes.get(..len).unwrap_or_default());
            let Some(LongBlock { mode, original, bytes: all, .. }) = self.gathered.take() else {
                return 0;
            };
            self.unpack_block(mode, original, &all, len);
            return if self.inner.is_some() {
                self.read_inner(len, out)
            } else {
                self.pass(bytes, at_end, out)
            };
        }
        gathered.bytes.extend_from_slice(bytes);
        gathered.left -= len;
        if at_end {
            out.broken(
                self.first_core,
                Break::Cut,
                gathered.bytes.len() as u64 - len as u64,
                gathered.bytes.len() as u64,
            );
            self.gathered = None;
        }
        len
    }

    fn section(&mut self, counter: u8, used: &[u8], out: &mut Output) {
        let number = counter & 15;
        if number == 0 {
            return;
        }
        let before = self.section.replace(number);
        if before.is_some_and(|before| before % 15 + 1 != number) {
            self.carried.clear();
            self.forget();
            out.broken(self.first_core, Break::Loss("sections are missing here"), 0, 0);
        }
        let mut bytes = std::mem::take(&mut self.carried);
        bytes.extend_from_slice(used);
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            match self.part(rest) {
                Ok((part, len)) => {
                    self.apply(&part, out);
                    at += len;
                }
                Err(Fault::Short) if rest.len() < MAX_CARRIED => break,
                Err(fault) => {
                    let what =
                        if let Fault::Bad(what) = fault { what } else { "a part that is too long" };
                    let (_, len) = self.seek(rest.get(1..).unwrap_or_default(), true);
                    at += len + 1;
                    self.forget();
                    out.broken(self.first_core, Break::Damage(what), 0, len as u64 + 1);
                }
            }
        }
        bytes.drain(..at.min(bytes.len()));
        self.carried = bytes;
    }
}

/// Takes the sample at the front, if a short one of the trace is there: the length of a long one may be damaged. Returns its length;
/// `None`: there is something else.
#[inline]
fn take_sample(trace: &mut Trace, bytes: &[u8], out: &mut Output) -> Option<usize> {
    if bytes.first().is_none_or(|first| *first == 0) {
        return None;
    }
    let mut rest = Bytes(bytes);
    let sample = item::sample(&mut rest).ok()?;
    let len = bytes.len() - rest.0.len();
    (len < LONG_PART && trace.sample(&sample, out)).then_some(len)
}

impl Importer for Flux {
    fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        if self.inner.is_some() {
            return self.read_inner(bytes.len(), out);
        }
        if self.gathered.is_some() {
            return self.gather(bytes, at_end, out);
        }
        if self.sought.is_some() {
            return self.pass(bytes, at_end, out);
        }
        let len = match self.traces.get_mut(self.current) {
            Some((_, trace)) => {
                out.records(bytes, |rest, out| take_sample(trace, rest, out).unwrap_or(0))
            }
            None => 0,
        };
        if len > 0 {
            return len;
        }
        let fault = match self.part(bytes) {
            Ok((FluxItem::Block { mode, original, compressed }, len)) => {
                let (Ok(left), Ok(original)) =
                    (usize::try_from(compressed), usize::try_from(original))
                else {
                    return len;
                };
                match bytes.get(len..len.saturating_add(left)) {
                    Some(content) => {
                        self.unpack_block(mode, original, content, left);
                        if self.sought.is_some() {
                            return self.pass(bytes, at_end, out);
                        }
                    }
                    None if at_end => {
                        out.broken(self.first_core, Break::Cut, 0, bytes.len() as u64);
                        return bytes.len();
                    }
                    None if bytes.len() < LONG => return 0,
                    None => {
                        self.gathered = Some(LongBlock { mode, original, left, bytes: Vec::new() })
                    }
                }
                return len;
            }
            Ok((FluxItem::Section { counter, used }, len)) => {
                self.section(counter, used, out);
                return len;
            }
            Ok((part, len)) => match self.reaches_over(bytes, len, at_end) {
                Some(true) => "a part that reaches over other ones",
                None if !at_end && bytes.len() < LONG => return 0,
                _ => {
                    self.apply(&part, out);
                    return len;
                }
            },
            Err(Fault::Short) if !at_end && bytes.len() < LONG => return 0,
            Err(Fault::Short)
                if at_end
                    && !is_rest(bytes, true)
                    && !self.seek(bytes.get(1..).unwrap_or_default(), true).0 =>
            {
                out.broken(self.first_core, Break::Cut, 0, bytes.len() as u64);
                return bytes.len();
            }
            Err(Fault::Short) => "a part that is longer than any can be",
            Err(Fault::Bad(what)) => what,
        };
        let is_empty = is_rest(bytes, at_end);
        let why = if is_empty { Break::Unwritten } else { Break::Damage(fault) };
        self.sought = Some((why, 0));
        self.pass(bytes, at_end, out)
    }

    fn finish(&mut self, out: &mut Output) {
        for (_, trace) in &mut self.traces {
            trace.finish(out);
        }
    }

    fn leading_zeros(&self) -> usize {
        1
    }

    fn about(&self) -> ForeignRecording {
        let traces = self.traces.iter().map(|(_, trace)| trace);
        about(&traces.collect::<Vec<_>>(), self.is_packed, self.has_lost_time)
    }
}
