//! A sink's output for the last time of a recording that still grows.
//!
//! Two windows are open at a time, and the younger replaces the older: so the memory is bounded, and deleted objects are
//! forgotten.

use std::io;

use crate::excerpt::{Bounds, Excerpt};
use crate::model::{Change, EventTime, Sink, World};

/// Shortest length, in ns.
const MIN_LEN: i64 = 1_000;

/// Holds a sink that knows the last time of a recording: at least as much as its length, and at most twice as much. It is for
/// recordings that a [`Conversion`](crate::Conversion) is fed with.
///
/// The state when its time begins is reported to the sink as [`initial`](Sink::initial) changes, as for a window of
/// [`Options::from`](crate::Options::from). Each event costs as much as two of these sinks.
pub struct Recent<S, F> {
    len: i64,
    make: F,
    /// The longest that is open.
    shown: Option<Excerpt<S>>,
    younger: Option<Excerpt<S>>,
    /// It follows the state until it begins.
    next: Option<Excerpt<S>>,
    last_ns: i64,
}

impl<S: Sink, F: Fn() -> S> Recent<S, F> {
    /// Creates a sink for this many ns, at least 1 us. `make` creates sinks.
    pub const fn new(len: i64, make: F) -> Self {
        let len = if len < MIN_LEN { MIN_LEN } else { len };
        Self { len, make, shown: None, younger: None, next: None, last_ns: 0 }
    }

    /// The sink, and the time of the last event, in ns. None before the first event.
    pub fn current(&self) -> Option<(&S, i64)> {
        Some((self.shown.as_ref()?.sink(), self.last_ns))
    }

    /// The sink alone, at the end.
    pub fn into_current(self) -> Option<S> {
        self.shown.map(Excerpt::into_sink)
    }

    const fn window(from: i64) -> Bounds {
        Bounds { from, to: i64::MAX }
    }

    /// Opens windows until one begins at this time or later.
    #[cold]
    #[inline(never)]
    fn open_until(&mut self, world: &World, ns: i64) {
        while let Some(next) = self.next.take() {
            let from = next.bounds().from;
            if from >= ns {
                self.next = Some(next);
                return;
            }
            // Nothing changed for longer than the kept time.
            let skipped = (ns.saturating_sub(from) / self.len).saturating_sub(1);
            let later = self.len.saturating_mul(skipped.max(1));
            let after = Self::window(from.saturating_add(later));
            // It writes nothing, so nothing fails.
            self.next = next.next(world, (self.make)(), after).ok();
            if skipped <= 1 {
                let older = self.younger.replace(next);
                self.shown = older.or(self.shown.take());
            }
        }
    }
}

impl<S: Sink, F: Fn() -> S> Sink for Recent<S, F> {
    fn start(&mut self, world: &World) -> io::Result<()> {
        let start = world.start_ns.unwrap_or(0);
        let begin = |from| {
            let mut window = Excerpt::new((self.make)(), Self::window(from), std::iter::empty());
            window.start(world).map(|()| window)
        };
        let (shown, next) = (begin(start)?, begin(start.saturating_add(self.len))?);
        (self.shown, self.next) = (Some(shown), Some(next));
        Ok(())
    }

    fn before_event(&mut self, world: &World, at: EventTime) {
        self.last_ns = self.last_ns.max(at.ns);
        if self.next.as_ref().is_some_and(|next| next.bounds().from < at.ns) {
            self.open_until(world, at.ns);
        }
        for window in self.shown.iter_mut().chain(&mut self.younger) {
            // A window that is over stays until the next one is long enough.
            let _ = window.advance_live(world, at);
        }
    }

    fn change(&mut self, world: &World, at: EventTime, change: &Change<'_>) -> io::Result<()> {
        let windows = self.shown.iter_mut().chain(&mut self.younger).chain(&mut self.next);
        for window in windows {
            window.change(world, at, change)?;
        }
        Ok(())
    }

    fn finish(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        self.last_ns = self.last_ns.max(end_ns);
        self.shown.as_mut().map_or(Ok(()), |shown| shown.finish(world, end_ns))
    }
}
