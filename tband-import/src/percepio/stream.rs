//! A stream: header, table, events. Each event has a number that runs on when an event is lost, which shows losses and damage.

use std::collections::HashSet;

use tband_format::Event;

use super::clock::Clock;
use super::event::{self, Head, MAX_EVENT};
use super::header::{self, Header, NoHeader};
use super::target::{Nesting, RawEvent, Target, is_of_tasks};
use super::words::{EventWords, Layout};
use crate::blank::{after_passing, is_rest};
use crate::gaps::Break;
use crate::output::Output;

/// Bytes in which the end of an interrupt is looked for.
const AHEAD: usize = 4096;
/// Events that follow each other where events are found again after damage.
const CHAIN: usize = 4;

/// Where reading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At a header.
    Header,
    /// In the table; so many entries are left.
    Table(u64),
    Events,
    /// In zero bytes; so many were passed over.
    Zeros(u64),
    /// The next events are looked for; so many bytes were passed over.
    Seeks(Break, u64),
}

/// Reads a stream.
#[derive(Debug)]
pub struct Stream {
    pub header: Option<Header>,
    /// Layout of the words, and whether numbers of events contain that of a core, as the header states them.
    pub layout: (Layout, bool),
    state: State,
    /// The event after the one that was read last, which has shown that that one is whole.
    following: Option<Head>,
    /// One of all cores, or one of each if their streams are joined one after the other.
    clocks: Vec<Clock>,
    pub target: Target,
    /// The number of the next event of each core.
    expected: [Option<u16>; 16],
    /// The frequency was emitted.
    has_frequency: bool,
}

impl Stream {
    pub fn new(core: u32) -> Self {
        Self {
            header: None,
            layout: (Layout::new(false, false), false),
            state: State::Header,
            following: None,
            clocks: Vec::new(),
            target: Target::new(core),
            expected: [None; 16],
            has_frequency: false,
        }
    }

    /// A header is read; its entries come one by one, or from a ring.
    pub fn begin(&mut self, header: Header, out: &mut Output) {
        let is_first = self.header.is_none();
        self.target.is_low_urgent = header.is_low_urgent;
        self.target.begin(header.cores, header.tick_hz, out);
        if !is_first {
            out.broken(self.target.first_core, Break::Start, 0, 0);
            let before = self.header.as_ref().map_or(0, |it| it.tick_count);
            // The kernel counts from 0 again after a reset. The same count is another run, too, or the same recording again.
            let is_reset = header.tick_count <= before || header.tick_count == 0;
            if is_reset {
                self.target.forget_all();
            } else {
                self.target.forget_state();
            }
            if is_reset {
                let now = self.clocks.iter().map(Clock::now).max().unwrap_or(0);
                self.clocks.iter_mut().for_each(|clock| clock.restart(&header, now));
            }
        }
        let clock = self.clocks.first().cloned().unwrap_or_else(|| Clock::new(&header));
        self.clocks.resize(if header.is_split { header.cores as usize } else { 1 }, clock);
        self.expected = [None; 16];
        self.layout = (header.layout, header.cores > 1);
        self.following = None;
        self.header = Some(header);
    }

    /// The events of a ring begin; the header contains their end.
    pub fn start_events(&mut self, events: &[u8]) {
        (self.state, self.following) = (State::Events, None);
        let (layout, is_multi) = self.layout;
        let Some(header) = &self.header else { return };
        // The ring may begin inside of an event.
        let is_chain = |at: &usize| {
            let rest = events.get(*at..).unwrap_or_default();
            event::is_chain(rest, layout, header.cores as usize, CHAIN)
        };
        let read = |at| Head::read(layout, is_multi, events, at);
        let (first, proven) = (read(0), (0..MAX_EVENT).find(is_chain).and_then(read));
        let is_near = |head: &Head| {
            let passed = proven.map_or(0, |proven| proven.ts.wrapping_sub(head.ts));
            passed.cast_signed().unsigned_abs() < event::LONG
        };
        let first = first.filter(is_near).or(proven);
        if let Some(first) = first {
            self.clocks.iter_mut().for_each(|clock| clock.start(header, first.ts));
        }
    }

    /// Tasks whose priority changes in these events.
    pub fn changed_priorities(&self, header: &Header, events: &[u8]) -> HashSet<u64> {
        let (layout, mut at, mut tasks) = (header.layout, 0, HashSet::new());
        while let Some(head) = Head::read(layout, header.cores > 1, events, at) {
            if head.code == 4 {
                tasks.extend(layout.word(events, at + 8));
            }
            at += head.len;
        }
        tasks
    }

    /// Learns an entry of the table.
    pub fn entry(&mut self, header: &Header, bytes: &[u8], keeps_state: bool, out: &mut Output) {
        let Some(entry) = header.entry(bytes) else { return };
        let Some(number) = self.target.objects.number(entry.handle) else { return };
        let core = self.target.first_core;
        self.target.objects.name(core, number, entry.name, out);
        if keeps_state {
            let state = super::words::low(entry.state);
            self.target.objects.set_state(number, Some(state));
        }
        if entry.options & 0x4000_0000 != 0 {
            // An extension: the states are the words of its creation.
            let (word, layout) = (header.layout.word_len(), header.layout);
            if let Some(bytes) = bytes.get(..word * (1 + header.states)) {
                self.target.extension(EventWords { layout, bytes });
            }
        }
    }

    /// Takes a piece of the stream. Returns its length.
    pub fn read(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        match self.state {
            State::Header => self.read_header(bytes, at_end, out),
            State::Table(left) => self.read_entry(left, bytes, at_end, out),
            State::Events => self.read_event(bytes, at_end, out),
            State::Zeros(passed) => self.pass_zeros(passed, bytes, at_end, out),
            State::Seeks(why, passed) => self.seek((why, passed), bytes, at_end, out),
        }
    }

    fn read_header(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        match Header::read(bytes) {
            Ok(header) => {
                let len = header.len;
                self.state = match header.entries {
                    0 => State::Events,
                    left => State::Table(left),
                };
                self.begin(header, out);
                len
            }
            Err(NoHeader::Short) if !at_end => 0,
            Err(NoHeader::Short) => self.cut(bytes, out),
            Err(NoHeader::Other) => {
                let why = header::describe_unstated_words(bytes)
                    .map_or("a header that is damaged", |why| why.trim_start_matches([':', ' ']));
                self.state = State::Seeks(Break::Damage(why), 0);
                self.read(bytes, at_end, out)
            }
        }
    }

    fn cut(&self, bytes: &[u8], out: &mut Output) -> usize {
        out.broken(self.target.first_core, Break::Cut, 0, bytes.len() as u64);
        bytes.len()
    }

    fn read_entry(&mut self, left: u64, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        let Some(header) = self.header.take() else { return bytes.len() };
        let len = header.entry_len;
        let consumed = match bytes.get(..len) {
            Some(entry) => {
                self.entry(&header, entry, true, out);
                self.state = if left > 1 { State::Table(left - 1) } else { State::Events };
                len
            }
            None if at_end => self.cut(bytes, out),
            None => 0,
        };
        self.header = Some(header);
        consumed
    }

    /// Takes events that follow each other, as long as these are plain. Returns how many bytes were consumed.
    pub fn plain_events(&mut self, bytes: &[u8], out: &mut Output) -> usize {
        if self.state != State::Events || header::find_begin(bytes).is_some() {
            return 0;
        }
        out.records(bytes, |rest, out| self.plain_event(rest, out))
    }

    /// Takes the event at the front if it is the expected one, and the next one of its core follows it. Returns its length; 0: it is
    /// another one, or needs a closer look.
    fn plain_event(&mut self, bytes: &[u8], out: &mut Output) -> usize {
        let (layout, is_multi) = self.layout;
        let read = |at| Head::read(layout, is_multi, bytes, at);
        let Some(head) = self.following.or_else(|| read(0)) else { return 0 };
        let Some(next) = read(head.len) else { return 0 };
        let is_followed = next.core == head.core && next.number == self.after(head.number);
        let is_nested = head.code == 0x33 && self.target.open_isr(head.core).is_some();
        if !is_followed || is_nested || head.code == 0 || !self.is_expected(head) {
            return 0;
        }
        let Some((words, rest)) = bytes.get(8..).and_then(|it| it.split_at_checked(head.len - 8))
        else {
            return 0;
        };
        if header::find_begin(rest).is_some() {
            return 0;
        }
        self.following = Some(next);
        let next = next.is_known(layout).then_some(next.ts);
        self.event(head, words, (next, Nesting::Unknown), out);
        head.len
    }

    fn read_event(&mut self, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        let known = self.following.take();
        // What follows an event shows whether it is whole.
        if bytes.len() < MAX_EVENT * (CHAIN + 1) && !at_end && !self.has_enough(bytes) {
            return 0;
        }
        if header::find_begin(bytes).is_some_and(|(_, version)| header::VERSIONS.contains(&version))
        {
            self.state = State::Header;
            return self.read_header(bytes, at_end, out);
        }
        let (layout, is_multi) = self.layout;
        let Some(head) = known.or_else(|| Head::read(layout, is_multi, bytes, 0)) else {
            return self.cut(bytes, out);
        };
        if head.code == 0 && bytes.iter().take(8).all(|byte| *byte == 0) {
            self.state = State::Zeros(0);
            return self.pass_zeros(0, bytes, at_end, out);
        }
        if is_rest(bytes, at_end) {
            self.state = State::Seeks(Break::Unwritten, 0);
            return self.seek((Break::Unwritten, 0), bytes, at_end, out);
        }
        if head.len > bytes.len() && at_end && head.is_known(layout) {
            return self.cut(bytes, out);
        }
        let following = Head::read(layout, is_multi, bytes, head.len);
        if !self.is_whole(head, following, (bytes, at_end)) {
            let why = Break::Damage("bytes that are not a sequence of events");
            self.state = State::Seeks(why, 0);
            return self.seek((why, 0), bytes, at_end, out);
        }
        let Some(words) = bytes.get(8..head.len) else { return self.cut(bytes, out) };
        let nesting = match self.nesting(head, words, bytes, at_end) {
            Some(nesting) => nesting,
            None => return 0,
        };
        let is_header = header::find_begin(bytes.get(head.len..).unwrap_or_default()).is_some();
        let is_event = |next: &Head| next.core == head.core && next.is_known(layout);
        let next = following.filter(is_event).filter(|_| !is_header).map(|next| next.ts);
        let mut head = head;
        let expected = self.expected.get(head.core).copied().flatten();
        if let (Some(expected), Some(next)) = (expected, following)
            && expected != head.number
            && next.core == head.core
            && next.number == self.after(expected)
        {
            let why = Break::Damage("an event whose number is damaged");
            out.broken(self.target.number_of(head.core), why, 0, head.len as u64);
            head.number = expected;
        }
        self.event(head, words, (next, nesting), out);
        self.following = following;
        head.len
    }

    /// The bytes have this event and enough of those after it.
    fn has_enough(&self, bytes: &[u8]) -> bool {
        let (layout, is_multi) = self.layout;
        let Some(head) = Head::read(layout, is_multi, bytes, 0) else { return false };
        let Some(next) = Head::read(layout, is_multi, bytes, head.len) else { return false };
        // Most events are followed by the next one.
        head.is_known(layout) && next.is_known(layout) && next.number == self.after(head.number)
    }

    /// The number after this one.
    fn after(&self, number: u16) -> u16 {
        event::after(number, self.layout.1)
    }

    fn is_expected(&self, head: Head) -> bool {
        let cores = self.header.as_ref().map_or(1, |it| it.cores as usize);
        head.core < cores
            && self.expected.get(head.core).is_some_and(|it| it.is_none_or(|it| it == head.number))
    }

    /// An event is followed by what can follow it: the next one, the end, zero bytes, a header, or an event after a loss.
    fn is_whole(
        &self,
        head: Head,
        following: Option<Head>,
        (bytes, at_end): (&[u8], bool),
    ) -> bool {
        let (layout, is_multi) = self.layout;
        let cores = self.header.as_ref().map_or(1, |it| it.cores as usize);
        let is_possible = |head: &Head| head.core < cores && head.is_known(layout);
        if head.core >= cores {
            return false;
        }
        let Some(next) = following else {
            // The recording ends here.
            return head.is_known(layout);
        };
        if next.core == head.core && next.number == self.after(head.number) {
            return true;
        }
        let next_at = head.len;
        let rest = bytes.get(next_at..).unwrap_or_default();
        let is_end = rest.iter().take(8).all(|byte| *byte == 0) || is_rest(rest, at_end);
        if header::find_begin(rest).is_some() || is_end {
            return true;
        }
        if is_multi && next.core < cores {
            let expected = self.expected.get(next.core).copied().flatten();
            if expected.is_none_or(|it| it == next.number) && is_possible(&next) {
                return true;
            }
        }
        let Some(third) = Head::read(layout, is_multi, bytes, next_at + next.len) else {
            return is_possible(&next);
        };
        // After a loss, or an event whose number is damaged.
        let follows = third.number == self.after(next.number) && third.core == next.core;
        let skips = third.number == self.after(self.after(head.number));
        let is_end = bytes.get(next_at + next.len..).is_some_and(|rest| {
            rest.iter().take(8).all(|byte| *byte == 0)
                || header::find_begin(rest).is_some()
                || is_rest(rest, false)
        });
        is_possible(&next) && (is_multi || follows || skips || is_end)
    }

    /// How an interrupt begins: whether the open one continues after it.
    fn nesting(&mut self, head: Head, words: &[u8], bytes: &[u8], at_end: bool) -> Option<Nesting> {
        let open = self.target.open_isr(head.core);
        let (Some(open), 0x33) = (open, head.code) else { return Some(Nesting::Unknown) };
        let (layout, is_multi) = self.layout;
        let isr = self.target.objects.number(layout.word(words, 0)?);
        if isr == Some(open) {
            // An interrupt does not interrupt itself.
            return Some(Nesting::Chained);
        }
        let mut at = head.len;
        while at < AHEAD {
            let Some(next) = Head::read(layout, is_multi, bytes, at) else { break };
            let Some(end) = bytes.get(..at + next.len).map(<[u8]>::len) else { break };
            if next.core == head.core {
                let handle = layout.word(bytes, at + 8).unwrap_or(0);
                match next.code {
                    0x34 if self.target.objects.number(handle) == Some(open) => {
                        return Some(Nesting::Inside);
                    }
                    0x37 => return Some(Nesting::Chained),
                    code if is_of_tasks(code) => return Some(Nesting::Chained),
                    _ => {}
                }
            }
            at = end;
        }
        if at >= AHEAD || at_end { Some(Nesting::Unknown) } else { None }
    }

    fn event(
        &mut self,
        head: Head,
        words: &[u8],
        (next, nesting): (Option<u32>, Nesting),
        out: &mut Output,
    ) {
        let (layout, _) = self.layout;
        let of_clock = if self.clocks.len() > 1 { head.core } else { 0 };
        let Some(clock) = self.clocks.get_mut(of_clock) else { return };
        // Events of several cores may come late.
        let next = next.filter(|_| self.target.cores.len() <= 1);
        let core_number = self.target.number_of(head.core);
        let expected = self.expected.get(head.core).copied().flatten().unwrap_or(head.number);
        let (_, is_multi) = self.layout;
        let missing = head.number.wrapping_sub(expected);
        let missing = if is_multi { missing & 0xFFF } else { missing };
        let goes_back = missing > if is_multi { 0x800 } else { 0x8000 };
        let ts = match clock.at(head.ts, next, goes_back) {
            Some(ts) => ts,
            None => {
                let why = Break::Damage("an event whose time is damaged");
                out.broken(core_number, why, 0, head.len as u64);
                self.target.cores.get(head.core).map_or(0, |core| core.last)
            }
        };
        if let (Some(header), false) = (&self.header, self.has_frequency) {
            self.has_frequency = true;
            let hz = match header.hz {
                0 => u64::from(header.period) * u64::from(header.tick_hz),
                hz => hz,
            };
            if hz > 0 {
                let event = Event::TsFrequency { numerator: hz, denominator: 1 };
                out.timed(self.target.first_core, ts, &event);
            }
        }
        let after = self.after(head.number);
        if !self.is_expected(head) {
            self.target.lose(head.core, ts, missing.into(), out);
        }
        if let Some(expected) = self.expected.get_mut(head.core) {
            *expected = Some(after);
        }
        let words = EventWords { layout, bytes: words };
        if head.code == 0x31
            && let Some(clock) = self.clocks.get_mut(of_clock)
        {
            clock.tick(words.low(0));
        }
        let raw = RawEvent { core: head.core, ts, code: head.code, words, nesting };
        self.target.event(raw, out);
    }

    /// Zero bytes at the end are a file that is larger than the recording.
    fn pass_zeros(&mut self, passed: u64, bytes: &[u8], at_end: bool, out: &mut Output) -> usize {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let is_all = zeros == bytes.len();
        let is_end = is_all && at_end;
        // The first bytes of a header, or of an event, may be zero, too. The end has to show that nothing follows.
        let kept = usize::from(is_all);
        let len = if is_end { zeros } else { zeros.saturating_sub(kept) / 4 * 4 };
        let total = passed.saturating_add(len as u64);
        if is_end {
            out.broken(self.target.first_core, Break::Unwritten, passed, total);
        }
        if len > 0 || is_all {
            self.state = State::Zeros(total);
            return len;
        }
        if header::find_begin(bytes).is_some() {
            self.state = State::Header;
            return self.read_header(bytes, at_end, out);
        }
        let why = Break::Damage("zero bytes between events");
        out.broken(self.target.first_core, why, passed, passed);
        self.target.forget_state();
        self.state = State::Events;
        self.read_event(bytes, at_end, out)
    }

    /// Looks for a header, or for events whose numbers follow each other.
    fn seek(
        &mut self,
        (why, passed): (Break, u64),
        bytes: &[u8],
        at_end: bool,
        out: &mut Output,
    ) -> usize {
        let first = usize::from(passed == 0 && why != Break::Head);
        let window = MAX_EVENT * CHAIN;
        let mut at = first;
        let found = loop {
            let rest = bytes.get(at..).unwrap_or_default();
            if rest.is_empty() || (rest.len() < window && !at_end) {
                break None;
            }
            if matches!(Header::read(rest), Ok(_) | Err(NoHeader::Short))
                && header::find_begin(rest).is_some()
            {
                self.state = State::Header;
                break Some(at);
            }
            if self.header.is_some() && {
                let (layout, _) = self.layout;
                let cores = self.header.as_ref().map_or(1, |it| it.cores as usize);
                event::is_chain(bytes.get(at..).unwrap_or_default(), layout, cores, CHAIN)
            } {
                self.state = State::Events;
                break Some(at);
            }
            at += 1;
        };
        let len = found.unwrap_or(if at_end { bytes.len() } else { at });
        let total = passed.saturating_add(len as u64);
        let is_followed = found.is_some() && self.state == State::Events;
        let why = after_passing(why, bytes.get(..len).unwrap_or_default(), is_followed);
        if found.is_some() || at_end {
            if total > 0 {
                out.broken(self.target.first_core, why, passed, total);
            }
            self.target.forget_state();
        } else {
            self.state = State::Seeks(why, total);
        }
        match (found, len) {
            (Some(_), 0) => self.read(bytes, at_end, out),
            _ => len,
        }
    }
}
