//! The time of files that were joined: that of each continues where the one before ended, unless it is later.

/// The clock of a file. All its traces share it.
#[derive(Clone, Copy, Debug)]
pub struct FileClock {
    /// Where the file before ended, in ns.
    begin: u64,
    /// Added to the times of this file, once its first one is known.
    base: Option<u64>,
}

impl FileClock {
    /// The clock of the first file.
    pub const fn first() -> Self {
        Self { begin: 0, base: Some(0) }
    }

    /// The clock of a file after one that ended at this time.
    pub const fn after(begin: u64) -> Self {
        Self { begin, base: None }
    }

    /// The time of all files, of a time in this file, in ns.
    #[inline]
    pub fn continued(&mut self, ts: u64) -> u64 {
        let base = *self.base.get_or_insert_with(|| self.begin.saturating_sub(ts));
        ts.saturating_add(base)
    }
}
