//! Recordings without a packet of the metadata stream, in an input that has metadata of other recordings: their names, kinds and
//! frequency would be taken from the others.

use tband_format::packet::Header;

use super::continuity::is_same_recording;

/// Counts the recordings in one input that have packets of cores, and no metadata.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnnamedRecordings {
    /// The present recording has metadata.
    has_metadata: bool,
    /// The metadata started at this time, after packets of cores. Whether it belongs to them is not known yet.
    late: Option<u64>,
    /// The last packet of each core before the metadata of the present recording.
    last: Vec<Header>,
    /// Recordings that ended without metadata.
    ended: u64,
}

impl UnnamedRecordings {
    /// A packet of a core starts another recording. Its metadata did not come first.
    #[cold]
    pub fn start(&mut self, header: &Header) {
        // After one core, the others start the same recording.
        let is_same = !self.has_metadata && self.last.iter().all(|it| it.stream != header.stream);
        if is_same {
            return;
        }
        self.ended = self.ended.saturating_add(u64::from(!self.has_metadata));
        self.last.clear();
        (self.has_metadata, self.late) = (false, None);
    }

    /// Handles a packet of the metadata stream, which starts a recording or repeats known facts.
    pub fn metadata(&mut self, header: &Header, starts: bool) {
        if starts && !self.has_metadata && !self.last.is_empty() {
            self.late = Some(header.begin);
        } else if starts {
            self.late = None;
            self.last.clear();
        }
        self.has_metadata = true;
    }

    /// Takes a packet of a core.
    pub fn packet(&mut self, header: &Header) {
        if self.has_metadata && self.late.is_none() {
            return;
        }
        let place = self.last.iter_mut().find(|last| last.stream == header.stream);
        match (self.late, place) {
            // Both the metadata and this core came late.
            (Some(_), None) => {}
            (Some(begin), Some(last)) => {
                // Metadata of the same recording starts with it, or is read out at its end.
                let is_other = !is_same_recording(last, header) || begin > last.end;
                self.ended += u64::from(is_other);
                self.late = None;
                self.last.clear();
            }
            (None, Some(last)) => *last = *header,
            (None, None) => self.last.push(*header),
        }
    }

    /// Recordings without metadata so far. None if the input has no metadata at all: that of another input may apply.
    pub fn count(&self, metadata_bytes: u64) -> u64 {
        let is_last = !self.has_metadata && !self.last.is_empty();
        if metadata_bytes == 0 { 0 } else { self.ended.saturating_add(u64::from(is_last)) }
    }
}
