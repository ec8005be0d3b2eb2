//! The events of an imported recording, which the first pass keeps for the later ones.
//!
//! Importing takes most of the time of a pass, and a conversion makes two. So the first pass keeps what it imports, in some 15
//! bytes an event, unless that takes too much memory: then the later passes import again.

use std::rc::Rc;

use tband_import::importer::ForeignRecording;
use tband_import::output::Output;

/// Most memory that the events of an input take, in bytes: about a million events.
const MAX_MEMORY: usize = 16 << 20;

/// The entries of a part of the recording.
#[derive(Debug)]
pub struct Part {
    pub entries: Output,
    /// Offset in the input to which those of the entries are relative.
    pub begin: i64,
    /// Offset in the input up to which the importer had read when it appended the last of them.
    pub read_to: u64,
}

/// An imported recording.
#[derive(Debug, Default)]
pub struct KeptRecording {
    pub parts: Vec<Part>,
    /// Facts about it.
    pub about: ForeignRecording,
    /// Bytes in front of the recording, as [`Importer::preamble`](tband_import::importer::Importer::preamble) states them.
    pub preamble: u64,
    /// As [`Importer::shares_wakes`](tband_import::importer::Importer::shares_wakes).
    pub shares_wakes: bool,
}

/// Collects the entries of a pass.
#[derive(Debug, Default)]
pub enum Keeper {
    /// Nothing is kept.
    #[default]
    Off,
    /// The parts so far, and the bytes of memory that they take.
    Keeps(Vec<Part>, usize),
    /// All parts.
    Kept(Rc<KeptRecording>),
}

impl Keeper {
    /// Keeps all parts from here on.
    pub const fn begin() -> Self {
        Self::Keeps(Vec::new(), 0)
    }

    /// Parts are kept.
    pub const fn is_on(&self) -> bool {
        matches!(self, Self::Keeps(..))
    }

    /// Keeps a part, if parts are kept.
    pub fn keep(&mut self, part: Part) {
        if let Self::Keeps(parts, memory) = self {
            *memory += part.entries.memory();
            parts.push(part);
            if *memory > MAX_MEMORY {
                *self = Self::Off;
            }
        }
    }

    /// The recording has ended.
    pub fn finish(&mut self, about: ForeignRecording, preamble: u64, shares_wakes: bool) {
        *self = match std::mem::take(self) {
            Self::Keeps(parts, _) => {
                Self::Kept(Rc::new(KeptRecording { parts, about, preamble, shares_wakes }))
            }
            other => other,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tband_format::Event;

    #[test]
    fn too_many_events_are_not_kept() {
        let part = || {
            let mut entries = Output::default();
            for number in 0..10_000 {
                entries.timed(0, number, &Event::IsrEnter { isr_id: 1 });
            }
            Part { entries, begin: 0, read_to: 1 }
        };
        let mut keeper = Keeper::begin();
        for _ in 0..MAX_MEMORY / part().entries.memory() {
            keeper.keep(part());
            assert!(keeper.is_on());
        }
        keeper.keep(part());
        keeper.finish(ForeignRecording::default(), 0, false);
        assert!(matches!(keeper, Keeper::Off));
    }
}
