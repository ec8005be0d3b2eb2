//! Changes as bytes of a format, in the order of time, in a temporary file.
//!
//! Changes of several cores come nearly in order: a loss is reported when it is found, and concerns earlier events. So the
//! bytes of the last changes are held back, and late ones are inserted between them.

use std::io::{self, Seek, Write};

use crate::line::Line;
use crate::spool::Spool;

/// Maximum number of changes that are held back so that earlier ones can come before them.
const HELD: u64 = 1 << 12;
/// Size in bytes at which changes that are not held back are written.
const BLOCK: usize = 1 << 18;

/// How a format writes the time of changes.
pub trait Clock {
    /// Writes the text before the first change of a time.
    fn time(&mut self, line: &mut Line, ns: i64);
}

/// Changes of one time.
#[derive(Clone, Copy, Debug)]
struct Moment {
    ns: i64,
    /// Where its bytes begin, from the first byte of all on.
    start: usize,
    /// Changes before it.
    before: u64,
}

/// Stores changes.
#[derive(Debug)]
pub struct Log<C> {
    clock: C,
    out: Spool,
    /// Bytes that are held back.
    kept: Line,
    /// Bytes before them.
    gone: usize,
    /// Number of bytes that are enough to be written.
    enough: usize,
    /// Number of bytes at which a change needs more work: they are enough, or the change comes late.
    limit: usize,
    /// Times that may get more changes. Bytes of the first one may be written already.
    moments: Vec<Moment>,
    /// The last of them, or the least time.
    last_ns: i64,
    /// Changes so far.
    changes: u64,
    /// The time of the first change, once it is written.
    start_ns: Option<i64>,
    /// The time and the bytes of a late change.
    late: (i64, Line),
    is_late: bool,
}

impl<C: Clock> Log<C> {
    /// With times in these words.
    pub fn new(clock: C) -> Self {
        Self {
            clock,
            out: Spool::default(),
            kept: Line::new(),
            gone: 0,
            enough: BLOCK,
            limit: BLOCK,
            moments: Vec::new(),
            last_ns: i64::MIN,
            changes: 0,
            start_ns: None,
            late: (0, Line::new()),
            is_late: false,
        }
    }

    /// Begins a change, whose bytes are to be added.
    #[inline]
    pub fn begin(&mut self, ns: i64) -> &mut Line {
        if ns == self.last_ns { &mut self.kept } else { self.turn(ns) }
    }

    #[inline]
    fn turn(&mut self, ns: i64) -> &mut Line {
        if ns < self.last_ns {
            (self.is_late, self.limit) = (true, 0);
            self.late.0 = ns;
            return self.late.1.begin();
        }
        let moment = Moment { ns, start: self.reached(), before: self.changes };
        self.moments.push(moment);
        self.last_ns = ns;
        self.clock.time(&mut self.kept, ns);
        &mut self.kept
    }

    /// Completes the change that was begun.
    ///
    /// # Errors
    /// The file cannot hold more.
    #[inline]
    pub fn end(&mut self) -> io::Result<()> {
        if self.kept.len() >= self.limit {
            return self.late_or_enough();
        }
        self.changes = self.changes.wrapping_add(1);
        Ok(())
    }

    #[cold]
    fn late_or_enough(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_late) {
            self.limit = self.enough;
            self.insert();
        }
        self.changes = self.changes.wrapping_add(1);
        if self.kept.len() < self.enough { Ok(()) } else { self.write() }
    }

    /// Where the next bytes begin.
    const fn reached(&self) -> usize {
        self.gone.wrapping_add(self.kept.len())
    }

    /// Returns the place of the change before which no other can come, if there are enough changes.
    const fn settled(&self) -> Option<u64> {
        self.changes.checked_sub(HELD + 1)
    }

    /// Inserts a late change after all that are not later: at its time, or at the earliest time that is still possible.
    fn insert(&mut self) {
        let (late_ns, ref line) = self.late;
        let settled = self.settled().and_then(|settled| {
            let after = self.moments.partition_point(|it| it.before <= settled);
            self.moments.get(after.checked_sub(1)?)
        });
        let ns = settled.map_or(late_ns, |it| it.ns.max(late_ns));
        let place = self.moments.partition_point(|it| it.ns <= ns);
        let next = self.moments.get(place).copied();
        let (at, before) = next.map_or((self.reached(), self.changes), |it| (it.start, it.before));
        let mut bytes = Line::new();
        let is_there = place.checked_sub(1).and_then(|it| self.moments.get(it));
        if is_there.is_none_or(|it| it.ns != ns) {
            self.clock.time(&mut bytes, ns);
            self.moments.insert(place, Moment { ns, start: at, before });
        }
        let bytes = bytes.add(line.bytes());
        for later in self.moments.iter_mut().filter(|it| it.ns > ns) {
            later.start = later.start.wrapping_add(bytes.len());
            later.before = later.before.saturating_add(1);
        }
        self.kept.insert(at.wrapping_sub(self.gone), bytes);
    }

    /// Writes the bytes that can get no change before them.
    fn write(&mut self) -> io::Result<()> {
        let Some(settled) = self.settled() else { return Ok(()) };
        self.take_begin();
        let after = self.moments.partition_point(|it| it.before <= settled);
        self.moments.drain(..after.saturating_sub(1));
        // Further changes at the time of the first come after all existing ones.
        let end = self.moments.get(1).map_or(self.reached(), |it| it.start);
        self.write_to(end.wrapping_sub(self.gone))
    }

    fn write_to(&mut self, end: usize) -> io::Result<()> {
        self.out.write_all(self.kept.bytes().get(..end).unwrap_or_default())?;
        self.kept.remove(end);
        self.gone = self.gone.wrapping_add(end);
        self.enough = self.kept.len().saturating_add(BLOCK);
        self.limit = self.enough;
        Ok(())
    }

    /// Notes the first time, and takes it away: files have it elsewhere.
    fn take_begin(&mut self) {
        if let (None, Some(first)) = (self.start_ns, self.moments.first().copied()) {
            self.start_ns = Some(first.ns);
            let mut time = Line::new();
            self.clock.time(&mut time, first.ns);
            let len = time.len();
            self.kept.remove(len);
            self.gone = self.gone.wrapping_add(len);
        }
    }

    /// Returns the time of the last change, if there is one.
    pub fn last_ns(&self) -> Option<i64> {
        if self.moments.is_empty() { None } else { Some(self.last_ns) }
    }

    /// Returns the first and the last time, and all bytes except those of the first time. Without a change the first time is
    /// `end_ns`. The last time is `end_ns` if that is later than the last change.
    ///
    /// # Errors
    /// The file cannot hold more.
    pub fn finish(mut self, end_ns: i64) -> io::Result<((i64, i64), Spool)> {
        self.take_begin();
        let end = self.kept.len();
        self.write_to(end)?;
        let mut file = self.out;
        file.rewind()?;
        Ok(((self.start_ns.unwrap_or(end_ns), end_ns.max(self.last_ns)), file))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::io::Read;

    use proptest::prelude::*;

    use super::*;

    struct PlainClock;

    impl Clock for PlainClock {
        fn time(&mut self, line: &mut Line, ns: i64) {
            line.text("#").number(ns).text("\n");
        }
    }

    /// Adds changes with these times, in their order, and compares the result with that of a bounded queue.
    fn check(times: &[i64]) {
        let mut log = Log::new(PlainClock);
        let (mut held, mut given) = (VecDeque::<(i64, usize)>::new(), i64::MIN);
        let mut all = Vec::new();
        for (number, &ns) in times.iter().enumerate() {
            log.begin(ns).text("change ").number(number).text("\n");
            log.end().unwrap();
            let ns = ns.max(given);
            let place = held.partition_point(|it| it.0 <= ns);
            held.insert(place, (ns, number));
            if held.len() as u64 > HELD {
                let first = held.pop_front().unwrap();
                given = first.0;
                all.push(first);
            }
        }
        all.extend(held);
        let (first, last) = (all.first().map_or(7, |it| it.0), all.last().map_or(7, |it| it.0));
        let mut expected = Line::new();
        let mut at = first;
        for (ns, number) in all {
            if ns != at {
                at = ns;
                expected.text("#").number(ns).text("\n");
            }
            expected.text("change ").number(number).text("\n");
        }
        let (times, mut file) = log.finish(7).unwrap();
        assert_eq!(times, (first, last.max(7)));
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        assert!(bytes == expected.bytes());
    }

    #[test]
    fn changes_are_in_the_order_of_a_queue() {
        check(&[]);
        check(&[5]);
        check(&[5, 3, 5, 4, 4, 3, 9]);
        // All at one time, and then one that is too late.
        check(&[vec![8; 60_000], vec![1, 9]].concat());
        // Late by less and by more than the amount held back.
        let late = |by: i64| move |n: i64| if n % 1000 == 999 { 3 * (n - by) } else { 3 * n };
        check(&(0..60_000).map(late(700)).collect::<Vec<_>>());
        check(&(0..60_000).map(late(9000)).collect::<Vec<_>>());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20, ..ProptestConfig::default() })]

        #[test]
        fn sorts_any_times_like_a_queue(
            steps in prop::collection::vec((0..20_i64, 0..40_u8, 0..9000_i64), 0..20_000),
        ) {
            let mut now = 0;
            let time = |(step, chance, back): (i64, u8, i64)| {
                now += step / 4;
                if chance == 0 { now - back } else { now }
            };
            check(&steps.into_iter().map(time).collect::<Vec<_>>());
        }
    }
}
