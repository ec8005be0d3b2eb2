//! The load over time: how much of each window of a core every owner has.

use std::collections::{BTreeMap, HashMap};
use std::io;

use foldhash::fast::RandomState;

use super::owners::{Owner, TakeTime};
use crate::model::World;

/// A window of a core, or several complete windows in which the core has one owner.
#[derive(Debug)]
pub struct Window<'a> {
    /// The core.
    pub core: u32,
    /// When it begins, in ns: the start of the recording plus a multiple of the length of a window.
    pub begin_ns: i64,
    /// When it ends, in ns. The last window of a recording is shorter.
    pub end_ns: i64,
    /// Each owner once, with its time in ns. The times add up to the length of the window.
    pub shares: &'a [(Owner, i64)],
}

/// Takes windows. Those of a core come in the order of time.
pub trait TakeWindow {
    /// Takes a window.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn window(&mut self, world: &World, window: &Window<'_>) -> io::Result<()>;

    /// Called after the last window.
    ///
    /// # Errors
    /// If the output cannot be written.
    fn end(&mut self, world: &World) -> io::Result<()> {
        let _ = world;
        Ok(())
    }
}

/// The window of a core that is not over.
#[derive(Debug)]
struct OpenWindow {
    begin: i64,
    end: i64,
    shares: Vec<(Owner, i64)>,
    /// Where an owner is in `shares`.
    places: HashMap<Owner, usize, RandomState>,
}

impl OpenWindow {
    fn new(begin: i64, length: i64) -> Self {
        let end = begin.saturating_add(length);
        Self { begin, end, shares: Vec::new(), places: HashMap::default() }
    }

    fn add(&mut self, owner: Owner, ns: i64) {
        let Self { shares, places, .. } = self;
        let place = *places.entry(owner).or_insert_with(|| {
            shares.push((owner, 0));
            shares.len() - 1
        });
        if let Some((_, time)) = shares.get_mut(place) {
            *time = time.saturating_add(ns);
        }
    }

    /// Passes the window on, and opens the next one.
    fn close(
        &mut self,
        world: &World,
        core: u32,
        length: i64,
        to: &mut impl TakeWindow,
    ) -> io::Result<()> {
        let (begin_ns, end_ns) = (self.begin, self.end);
        to.window(world, &Window { core, begin_ns, end_ns, shares: &self.shares })?;
        self.shares.clear();
        self.places.clear();
        (self.begin, self.end) = (end_ns, end_ns.saturating_add(length));
        Ok(())
    }
}

/// Divides the time of each core into windows of one length. Takes memory for one window of each core.
#[derive(Debug)]
pub struct Windows<W> {
    to: W,
    /// In ns, more than 0.
    length: i64,
    start: i64,
    cores: BTreeMap<u32, OpenWindow>,
}

impl<W: TakeWindow> Windows<W> {
    /// `length` is that of a window in ns; at least 1.
    pub fn new(length: i64, to: W) -> Self {
        Self { to, length: length.max(1), start: 0, cores: BTreeMap::new() }
    }

    /// Returns the receiver of the windows.
    pub fn into_inner(self) -> W {
        self.to
    }
}

impl<W: TakeWindow> TakeTime for Windows<W> {
    fn begin(&mut self, start_ns: i64) {
        self.start = start_ns;
    }

    fn time(
        &mut self,
        world: &World,
        core: u32,
        owner: Owner,
        mut from: i64,
        until: i64,
    ) -> io::Result<()> {
        let Self { to, length, start, cores } = self;
        let open = cores.entry(core).or_insert_with(|| OpenWindow::new(*start, *length));
        if until >= open.end {
            if from > open.begin {
                open.add(owner, open.end.saturating_sub(from));
                from = open.end;
                open.close(world, core, *length, to)?;
            }
            // Complete windows with one owner are joined.
            let whole = until.saturating_sub(open.begin) / *length * *length;
            if whole > 0 {
                open.add(owner, whole);
                open.end = open.begin.saturating_add(whole);
                from = open.end;
                open.close(world, core, *length, to)?;
            }
        }
        if until > from {
            open.add(owner, until.saturating_sub(from));
        }
        Ok(())
    }

    fn end(&mut self, world: &World, end_ns: i64) -> io::Result<()> {
        for (core, mut open) in std::mem::take(&mut self.cores) {
            if !open.shares.is_empty() {
                open.end = end_ns.max(open.begin);
                open.close(world, core, self.length, &mut self.to)?;
            }
        }
        self.to.end(world)
    }
}
