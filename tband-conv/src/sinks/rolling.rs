//! The numbers of a window that moves along with a growing recording.
//!
//! Windows of one length begin a step apart, so several are open at a time, and each has its own numbers. Each gives the same
//! result as [`Options::from`](crate::Options::from) and [`Options::to`](crate::Options::to) would on the complete recording.

use std::collections::VecDeque;
use std::io;

use super::Stats;
use crate::excerpt::{Bounds, Excerpt};
use crate::model::{Change, EventTime, Sink, World};

/// Windows that may be open at a time.
const MAX_OPEN: i64 = 64;
/// Shortest step, in ns: changes come a few ns after their event.
const MIN_STEP: i64 = 1_000;
/// Windows that wait to be taken; then the oldest is left out.
const MAX_CLOSED: usize = 256;

/// A window that has ended.
#[derive(Debug)]
#[non_exhaustive]
pub struct ClosedWindow {
    /// Its numbers.
    pub stats: Stats,
    /// The known state of the target at its end.
    pub world: World,
}

/// Computes the numbers of a moving window, for recordings that a [`Conversion`](crate::Conversion) is fed with.
///
/// Windows end at multiples of the step. The first begin with the recording and so are shorter than the others; the last ends
/// with it. In a long time without events only the last 64 windows are kept. A core without events is waited for until the
/// others have advanced by one length.
///
/// Each event costs as much as one [`Stats`] per step in a length. Memory is that of as many `Stats`.
#[derive(Default)]
pub struct RollingStats {
    len: i64,
    step: i64,
    /// The oldest first.
    open: VecDeque<Window>,
    /// It follows the state until it begins.
    next: Option<Excerpt<Stats>>,
    closed: VecDeque<ClosedWindow>,
}

/// A window that is open.
struct Window {
    excerpt: Excerpt<Stats>,
    /// Time after which cores that have not passed its end are no longer awaited, once another core has.
    until: Option<i64>,
    is_over: bool,
}

impl From<Excerpt<Stats>> for Window {
    fn from(excerpt: Excerpt<Stats>) -> Self {
        Self { excerpt, until: None, is_over: false }
    }
}

impl RollingStats {
    /// Creates windows of a length, in ns, that begin a step apart, in ns. A step is at least 1 us and a 64th of the length,
    /// which is made a multiple of it.
    #[must_use]
    pub fn new(len: i64, step: i64) -> Self {
        let step = step.max(MIN_STEP).max(len / MAX_OPEN);
        let steps = (len / step).max(1);
        Self { len: step.saturating_mul(steps), step, ..Self::default() }
    }

    /// Windows that have ended since this was called last, the oldest first; the last 256 of them.
    pub fn take(&mut self) -> impl Iterator<Item = ClosedWindow> {
        self.closed.drain(..)
    }

    /// Opens windows until one begins at this time or later.
    #[cold]
    #[inline(never)]
    fn open_until(&mut self, world: &World, ns: i64) {
        while let Some(next) = &self.next {
            let from = next.bounds().from;
            if from >= ns {
                return;
            }
            // Nothing happened in between.
            let most = self.len.saturating_add(self.step.saturating_mul(MAX_OPEN));
            let least = ns.saturating_sub(most);
            if from < least {
                let steps = least.saturating_sub(from) / self.step + 1;
                self.next = self.after(next, world, self.step.saturating_mul(steps));
                continue;
            }
            let after = self.after(next, world, self.step);
            let begins = std::mem::replace(&mut self.next, after);
            self.open.extend(begins.map(Window::from));
        }
    }

    /// Returns a window that begins later by this time.
    fn after(&self, window: &Excerpt<Stats>, world: &World, later: i64) -> Option<Excerpt<Stats>> {
        let from = window.bounds().from.saturating_add(later);
        let bounds = Bounds { from, to: from.saturating_add(self.len) };
        // It writes nothing, so nothing fails.
        window.next(world, Stats::default(), bounds).ok()
    }

    fn close(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        while self.open.front().is_some_and(|window| window.is_over) {
            let Some(Window { excerpt, .. }) = self.open.pop_front() else { break };
            let (stats, world) = excerpt.finished(world, end_ns)?;
            if self.closed.len() >= MAX_CLOSED {
                self.closed.pop_front();
            }
            self.closed.push_back(ClosedWindow { stats, world });
        }
        Ok(())
    }
}

impl Sink for RollingStats {
    fn start(&mut self, world: &World) -> io::Result<()> {
        let start = world.start_ns.unwrap_or(0);
        let begin = start - start.rem_euclid(self.step.max(1));
        let mut to = begin;
        while to < begin.saturating_add(self.len) {
            to = to.saturating_add(self.step);
            let bounds = Bounds { from: start, to };
            let mut excerpt = Excerpt::new(Stats::default(), bounds, std::iter::empty());
            excerpt.start(world)?;
            self.open.push_back(excerpt.into());
        }
        let from = begin.saturating_add(self.step);
        let bounds = Bounds { from, to: from.saturating_add(self.len) };
        let mut next = Excerpt::new(Stats::default(), bounds, std::iter::empty());
        next.start(world)?;
        self.next = Some(next);
        Ok(())
    }

    fn before_event(&mut self, world: &World, at: EventTime) {
        if self.next.as_ref().is_some_and(|next| next.bounds().from < at.ns) {
            self.open_until(world, at.ns);
        }
        for Window { excerpt, until, is_over } in &mut self.open {
            *is_over |= excerpt.advance_live(world, at).is_break()
                || until.is_some_and(|until| at.ns > until);
            if at.ns > excerpt.bounds().to && until.is_none() {
                *until = Some(at.ns.saturating_add(self.len));
            }
        }
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        if self.open.front().is_some_and(|window| window.is_over) {
            self.close(world, at.ns)?;
        }
        for window in &mut self.open {
            window.excerpt.change(world, at, change)?;
        }
        match &mut self.next {
            Some(next) => next.change(world, at, change),
            None => Ok(()),
        }
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        // The last one ends with the recording; those that begin later are a part of it.
        let mut is_last = false;
        for window in &mut self.open {
            window.is_over = !is_last;
            is_last |= window.excerpt.bounds().to >= end_ns;
        }
        self.close(world, end_ns)?;
        self.open.clear();
        self.next = None;
        Ok(())
    }
}
