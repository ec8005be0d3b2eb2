//! The lifetime of an object.

/// The lifetime of an object, as far as the recording contains it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Life {
    /// When it was created, in ns.
    pub born_ns: Option<i64>,
    /// When it was deleted, or its number was found to be another's, in ns.
    pub died_ns: Option<i64>,
    /// Something other than its name was reported about it.
    pub(crate) used: bool,
    /// After which gap it was named or reported last, as far as that is noted, or died.
    pub(crate) gap: u32,
    /// At which start of the recording its name was reported last.
    pub(crate) named: u32,
    /// Run of the target that it belongs to, from 0.
    pub(crate) run: u32,
}

impl Life {
    /// From the start of this one to the end of a later one.
    pub(crate) const fn until(self, later: Self) -> Self {
        Self { born_ns: self.born_ns, ..later }
    }
}

/// Starts and resets so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Runs {
    /// The run of the target, from 0.
    pub run: u32,
    /// Starts of the recording and resets so far.
    pub starts: u32,
    /// The value of `starts` since which names are of this run.
    pub since: u32,
    /// The value of `starts` when a name was reported last.
    pub named: u32,
}

impl Runs {
    /// The recording starts.
    pub const fn start(&mut self) {
        self.starts = self.starts.saturating_add(1);
    }

    /// The target was reset. Names of the last start are of the new run, if so.
    pub const fn reset(&mut self, has_names: bool) {
        if !has_names {
            self.start();
        }
        self.run = self.run.saturating_add(1);
        self.since = self.starts;
    }

    /// A name that was reported last at this start is one of this run.
    pub const fn has(&self, named: u32) -> bool {
        named >= self.since || self.named < self.since
    }
}
