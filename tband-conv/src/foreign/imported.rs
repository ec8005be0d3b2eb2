//! The events of an imported recording, kept by the first pass for the second one.
//!
//! Importing takes most of the time of a pass, and a conversion makes two. So the first pass keeps what it imported, unless
//! that takes too much memory: then the second pass imports again.

use std::rc::Rc;

use tband_import::{Entries, ForeignRecording};

/// Most memory that the events of an input take, in bytes: some 900 000 events.
const MAX_MEMORY: usize = 64 << 20;

/// A recording that was imported to its end.
#[derive(Debug)]
pub struct ImportedRecording {
    /// Its entries, with offsets in the recording.
    pub entries: Entries,
    /// Facts about it.
    pub about: ForeignRecording,
    /// Bytes in front of the recording, as [`Importer::preamble`](tband_import::Importer::preamble) states them.
    pub preamble: u64,
}

/// Collects the entries of a pass.
#[derive(Debug, Default)]
pub enum Keeper {
    /// Nothing is kept.
    #[default]
    Off,
    /// The entries so far.
    Keeps(Entries),
    /// All entries.
    Kept(Rc<ImportedRecording>),
}

impl Keeper {
    /// Keeps the entries of a piece that began at this offset.
    #[inline]
    pub fn keep(&mut self, entries: &Entries, piece: i64) {
        if let Self::Keeps(all) = self {
            all.append(entries, piece);
            if all.memory() > MAX_MEMORY {
                *self = Self::Off;
            }
        }
    }

    /// The recording has ended.
    pub fn finish(&mut self, about: ForeignRecording, preamble: u64) {
        *self = match std::mem::take(self) {
            Self::Keeps(entries) => {
                Self::Kept(Rc::new(ImportedRecording { entries, about, preamble }))
            }
            other => other,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tband_format::Event;
    use tband_import::Output;

    #[test]
    fn too_many_events_are_not_kept() {
        let mut out = Output::default();
        for number in 0..10_000 {
            out.timed(0, number, &Event::IsrEnter { isr_id: 1 });
        }
        let mut keeper = Keeper::Keeps(Entries::default());
        let pieces = MAX_MEMORY / out.entries().memory();
        for _ in 0..pieces {
            keeper.keep(out.entries(), 0);
        }
        assert!(matches!(keeper, Keeper::Keeps(_)));
        keeper.keep(out.entries(), 0);
        assert!(matches!(keeper, Keeper::Off));
        keeper.finish(ForeignRecording::default(), 0);
        assert!(matches!(keeper, Keeper::Off));
    }
}
