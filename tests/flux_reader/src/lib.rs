//! A strict reader of flux, made from the format's description and nothing of the writers. It panics where a rule of the
//! format is broken, so that a test fails there.

mod bytes;
mod item;
mod trace;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

use bytes::Bytes;

pub use item::{Item, Sample, Slice};
pub use trace::{Arrow, Trace};

/// A file that was read.
#[derive(Debug, Default)]
pub struct File {
    /// Its traces by their numbers.
    pub traces: BTreeMap<u64, Trace>,
    /// Modes of the compressed blocks.
    pub blocks: BTreeSet<u8>,
    current: u64,
}

impl File {
    /// Reads a file whose sequences are all closed.
    ///
    /// # Panics
    /// The file does not follow the format.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Self {
        let file = Self::read_part(bytes);
        for (number, trace) in &file.traces {
            assert!(trace.open.is_empty(), "left open in trace {number}: {:?}", trace.open);
        }
        file
    }

    /// Reads a file that may end within a sequence, as one that is still being written.
    ///
    /// # Panics
    /// As [`read`](Self::read).
    #[must_use]
    pub fn read_part(bytes: &[u8]) -> Self {
        let mut file = Self::default();
        file.all(Bytes(bytes), true);
        file
    }

    /// The one trace of a file that has no other.
    ///
    /// # Panics
    /// It has none, or several.
    #[must_use]
    pub fn only(mut self) -> Trace {
        assert_eq!(self.traces.len(), 1, "traces: {:?}", self.traces.keys());
        self.traces.pop_first().map(|(_, trace)| trace).expect("one trace")
    }

    fn all(&mut self, mut bytes: Bytes<'_>, is_outermost: bool) {
        while !bytes.0.is_empty() {
            let before = bytes.0.len();
            if bytes.0[0] == 0 {
                bytes.byte();
                self.entry(&mut bytes, is_outermost);
            } else {
                self.trace().sample(&mut bytes);
            }
            let len = before - bytes.0.len();
            let most = self.trace().max_entry;
            assert!(len <= most, "an entry of {len} bytes, where {most} are the most");
        }
    }

    fn trace(&mut self) -> &mut Trace {
        self.traces.get_mut(&self.current).expect("a trace begins with its head")
    }

    fn entry(&mut self, bytes: &mut Bytes<'_>, is_outermost: bool) {
        match bytes.byte() {
            0x01 => {
                let (number, trace) = Trace::head(bytes);
                let is_new = self.traces.insert(number, trace).is_none();
                assert!(is_new, "a second head of trace {number}");
                self.current = number;
            }
            0x04 => {
                let number = bytes.pint();
                assert_ne!(number, self.current, "a switch to the same trace");
                self.current = number;
            }
            0x05 => {
                assert!(is_outermost, "a block within a block");
                let mode = bytes.byte();
                let (original, compressed) = (bytes.pint() as usize, bytes.pint() as usize);
                assert!(original <= self.trace().max_entry);
                assert!(self.trace().version >= 6 || mode == 0);
                let content = unpacked(mode, bytes.take(compressed), original);
                assert_eq!(content.len(), original);
                self.blocks.insert(mode);
                self.all(Bytes(&content), false);
            }
            tag => self.trace().entry(tag, bytes),
        }
    }
}

fn unpacked(mode: u8, compressed: &[u8], original: usize) -> Vec<u8> {
    match mode {
        0 => lz4_flex::block::decompress(compressed, original).expect("LZ4"),
        2 => {
            let mut content = Vec::new();
            flate2::read::ZlibDecoder::new(compressed).read_to_end(&mut content).expect("zlib");
            content
        }
        other => panic!("blocks of mode {other}"),
    }
}
