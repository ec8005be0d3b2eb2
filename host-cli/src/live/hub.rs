//! The last bytes of a recording, for any number of readers of different speed: memory is bounded, and a slow reader does not
//! delay the recording.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tband_format::classes::GROUPS;

use crate::gaps::{SOURCE_GAP, packets};

/// Maximum number of kept bytes. A reader that is further behind has a gap.
const MOST: usize = 4 << 20;
/// Maximum number of kept pieces.
const MOST_PIECES: usize = 1 << 14;
/// Bytes before its start that a new reader gets.
const REPLAYED: usize = 1 << 20;
/// Bytes from the begin of a recording of frames, which has the names.
const HEAD: usize = 64 << 10;

/// Bytes received at once.
#[derive(Clone)]
pub struct Piece {
    pub bytes: Arc<[u8]>,
    /// Time of reception, in ms of Unix time.
    pub came_ms: f64,
}

/// Status of a recording, in addition to its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// The fault of the source; empty if it is there.
    pub trouble: String,
    pub bytes: u64,
    pub events: u64,
    pub lost: u64,
    pub damaged: u64,
    /// Groups of events that are not recorded: a bit for each place in [`GROUPS`].
    pub off: u32,
}

/// Has the last bytes of a recording.
pub struct Hub {
    source: String,
    file: String,
    /// Why commands cannot be sent to the target; empty if they can.
    cannot_ask: String,
    inner: Mutex<Inner>,
    news: Condvar,
}

#[derive(Default)]
struct Inner {
    pieces: VecDeque<Piece>,
    /// The number of the first kept piece.
    first: u64,
    /// Bytes in them.
    len: usize,
    head: Vec<u8>,
    head_is_whole: bool,
    has_packets: bool,
    status: Status,
    /// How often the status was another one.
    version: u64,
    has_ended: bool,
    readers: usize,
}

/// Where a reader is.
pub struct Place {
    next: u64,
    version: Option<u64>,
}

/// New data for a reader.
pub enum HubUpdate {
    /// These pieces; before them some are missing, if so.
    Pieces(Vec<Piece>, bool),
    /// The status, as JSON.
    Status(Value),
    /// Nothing for a while.
    Nothing,
    /// The recording has ended.
    End,
}

impl Hub {
    /// Creates the hub of a source and a file with these names. `cannot_ask` is the reason why the source's target takes no
    /// commands, or empty.
    pub fn new(source: &str, file: &str, cannot_ask: &str) -> Arc<Self> {
        Arc::new(Self {
            source: source.to_owned(),
            file: file.to_owned(),
            cannot_ask: cannot_ask.to_owned(),
            inner: Mutex::default(),
            news: Condvar::new(),
        })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // The state is consistent wherever a thread could panic.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds received bytes.
    pub fn add(&self, bytes: &[u8]) {
        let piece = Piece { bytes: bytes.into(), came_ms: now_ms() };
        let mut inner = self.inner();
        inner.add_to_head(bytes);
        inner.len = inner.len.saturating_add(bytes.len());
        inner.pieces.push_back(piece);
        while inner.pieces.len() > 1 && (inner.len > MOST || inner.pieces.len() > MOST_PIECES) {
            let Some(oldest) = inner.pieces.pop_front() else { break };
            inner.len = inner.len.saturating_sub(oldest.bytes.len());
            inner.first = inner.first.saturating_add(1);
        }
        drop(inner);
        self.news.notify_all();
    }

    /// Something may be missing from here on.
    pub fn gap(&self) {
        if !self.has_packets() {
            self.add(SOURCE_GAP);
        }
    }

    /// Whether it has packets, whose numbers show losses.
    pub fn has_packets(&self) -> bool {
        self.inner().has_packets
    }

    /// Sets the current status.
    pub fn set(&self, status: Status) {
        let mut inner = self.inner();
        if inner.status != status {
            inner.status = status;
            inner.version = inner.version.saturating_add(1);
            drop(inner);
            self.news.notify_all();
        }
    }

    /// Ends the recording.
    pub fn end(&self) {
        let mut inner = self.inner();
        inner.has_ended = true;
        inner.version = inner.version.saturating_add(1);
        drop(inner);
        self.news.notify_all();
    }

    /// Waits until all readers have all bytes, but no longer than this.
    pub fn wait_for_readers(&self, most: Duration) {
        let until = Instant::now() + most;
        let mut inner = self.inner();
        while inner.readers > 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            inner = self.news.wait_timeout(inner, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Adds a reader. Returns where it begins, and the earlier bytes for it, which are the begin of the recording.
    pub fn join(&self) -> (Place, Vec<u8>) {
        let mut inner = self.inner();
        inner.readers += 1;
        let (mut next, mut len) = (inner.first + inner.pieces.len() as u64, 0);
        for piece in inner.pieces.iter().rev() {
            len += piece.bytes.len();
            if len > REPLAYED {
                break;
            }
            next -= 1;
        }
        let mut head = Vec::new();
        // Packets repeat names, and are found wherever a reader joins.
        if next > 0 && !inner.has_packets {
            head.clone_from(&inner.head);
            head.extend(SOURCE_GAP);
        }
        (Place { next, version: None }, head)
    }

    /// A reader is gone.
    pub fn leave(&self) {
        let mut inner = self.inner();
        inner.readers = inner.readers.saturating_sub(1);
        drop(inner);
        self.news.notify_all();
    }

    /// Returns the data at a place, and advances the place; waits for data for this long.
    pub fn wait_for_update(&self, place: &mut Place, patience: Duration) -> HubUpdate {
        let mut inner = self.inner();
        for is_last in [false, true] {
            if place.version != Some(inner.version) {
                place.version = Some(inner.version);
                return HubUpdate::Status(self.status(&inner));
            }
            let end = inner.first + inner.pieces.len() as u64;
            if place.next < end {
                let is_missing = place.next < inner.first;
                // A reader that was too slow continues with the new bytes.
                let from = if is_missing { end - 1 } else { place.next };
                let skipped = usize::try_from(from - inner.first).unwrap_or(usize::MAX);
                let pieces = inner.pieces.iter().skip(skipped).cloned().collect();
                place.next = end;
                return HubUpdate::Pieces(pieces, is_missing);
            }
            if inner.has_ended {
                return HubUpdate::End;
            }
            if is_last {
                break;
            }
            inner =
                self.news.wait_timeout(inner, patience).unwrap_or_else(PoisonError::into_inner).0;
        }
        HubUpdate::Nothing
    }

    fn status(&self, inner: &Inner) -> Value {
        let Status { trouble, bytes, events, lost, damaged, off } = &inner.status;
        // The last group is all of them.
        let groups = GROUPS.iter().enumerate().take(GROUPS.len() - 1);
        let groups =
            groups.map(|(place, it)| json!([it.0.to_lowercase(), off & (1 << place) == 0]));
        json!({
            "source": self.source,
            "file": self.file,
            "trouble": trouble,
            "ended": inner.has_ended,
            "bytes": bytes,
            "events": events,
            "lost": lost,
            "damaged": damaged,
            "cannot_ask": self.cannot_ask,
            "groups": groups.collect::<Vec<_>>(),
            "now_ms": now_ms(),
        })
    }
}

/// Unix time, in ms.
fn now_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64() * 1e3
}

impl Inner {
    /// Keeps the begin of a recording of frames, up to the end of a frame.
    fn add_to_head(&mut self, bytes: &[u8]) {
        if self.has_packets || self.head_is_whole {
            return;
        }
        self.has_packets = packets(bytes).next().is_some();
        if self.has_packets {
            self.head = Vec::new();
            return;
        }
        let room = HEAD - self.head.len();
        self.head.extend(bytes.iter().take(room));
        if bytes.len() >= room {
            self.head_is_whole = true;
            let end = self.head.iter().rposition(|byte| *byte == 0).map_or(0, |at| at + 1);
            self.head.truncate(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    /// All pieces that there are for a reader, and whether something was missing.
    fn take_pieces(hub: &Hub, place: &mut Place) -> (Vec<u8>, bool) {
        let (mut bytes, mut is_missing) = (Vec::new(), false);
        loop {
            match hub.wait_for_update(place, NOW) {
                HubUpdate::Pieces(pieces, missing) => {
                    is_missing |= missing;
                    pieces.iter().for_each(|piece| bytes.extend(&*piece.bytes));
                }
                HubUpdate::Status(_) => {}
                HubUpdate::Nothing | HubUpdate::End => return (bytes, is_missing),
            }
        }
    }

    #[test]
    fn each_reader_gets_all_that_comes() {
        let hub = Hub::new("tcp:a", "r.bin", "");
        hub.add(&[1, 2, 0]);
        let (mut early, head) = hub.join();
        assert!(head.is_empty());
        assert_eq!(take_pieces(&hub, &mut early), (vec![1, 2, 0], false));
        hub.add(&[3, 0]);
        let (mut late, head) = hub.join();
        assert!(head.is_empty());
        assert_eq!(take_pieces(&hub, &mut early), (vec![3, 0], false));
        assert_eq!(take_pieces(&hub, &mut late), (vec![1, 2, 0, 3, 0], false));
        hub.end();
        assert!(
            matches!(hub.wait_for_update(&mut late, NOW), HubUpdate::Status(it) if it["ended"] == true)
        );
        assert!(matches!(hub.wait_for_update(&mut late, NOW), HubUpdate::End));
    }

    #[test]
    fn what_is_kept_is_bounded_and_who_is_slow_goes_on_with_what_is_new() {
        let hub = Hub::new("tcp:a", "r.bin", "");
        let (mut slow, _) = hub.join();
        let mut frame = vec![7; 4095];
        frame.push(0);
        for _ in 0..3 * MOST / frame.len() {
            hub.add(&frame);
            assert!(hub.inner().len <= MOST);
        }
        assert_eq!(take_pieces(&hub, &mut slow), (frame.clone(), true));
        // One byte at a time is bounded too.
        for _ in 0..3 * MOST_PIECES {
            hub.add(&[0]);
        }
        assert!(hub.inner().pieces.len() <= MOST_PIECES);
        // A late reader has the names, a gap, and the last bytes.
        let (mut late, head) = hub.join();
        let (names, gap) = head.split_at(head.len() - SOURCE_GAP.len());
        assert_eq!((names.len(), gap), (HEAD, SOURCE_GAP));
        assert_eq!(take_pieces(&hub, &mut late).0.len(), MOST_PIECES);
    }
}
