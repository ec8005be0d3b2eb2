//! A recording as messages for a page: a byte with the kind, the length in four bytes, and the content. Integers have the low
//! byte first.
//!
//! | kind | content |
//! |---|---|
//! | 0 | time of reception, in ms of Unix time as a double of 8 bytes, or 0; then bytes of the recording |
//! | 1 | the status, as JSON, with the current time, from which a page on another machine computes the offset of its clock |
//! | 2 | empty: the connection is alive |
//! | 3 | empty: the next bytes do not continue the previous ones |

use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use super::hub::{Hub, HubUpdate, Piece, Place};
use crate::gaps::SOURCE_GAP;

/// After this time it sends a sign of life, so that a lost connection is noticed.
const PATIENCE: Duration = Duration::from_secs(1);

/// Messages for one page.
pub struct Stream {
    hub: Arc<Hub>,
    place: Place,
    /// Messages that were not read yet, from here on.
    messages: Vec<u8>,
    read: usize,
}

impl Stream {
    /// Creates the messages of all bytes from now on, after some of the earlier ones.
    pub fn new(hub: Arc<Hub>) -> Self {
        let (place, head) = hub.join();
        let mut stream = Self { hub, place, messages: Vec::new(), read: 0 };
        if !head.is_empty() {
            stream.receive(&head, 0.0);
        }
        stream
    }

    fn message(&mut self, kind: u8, parts: [&[u8]; 2]) {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        self.messages.push(kind);
        self.messages.extend(u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes());
        parts.iter().for_each(|part| self.messages.extend(*part));
    }

    fn receive(&mut self, bytes: &[u8], came_ms: f64) {
        self.message(0, [&came_ms.to_le_bytes(), bytes]);
    }

    /// Puts the new bytes into messages; returns false at the end.
    fn fill(&mut self) -> bool {
        self.messages.clear();
        self.read = 0;
        match self.hub.wait_for_update(&mut self.place, PATIENCE) {
            HubUpdate::Pieces(pieces, is_missing) => {
                if is_missing {
                    self.message(3, [&[], &[]]);
                    if !self.hub.has_packets() {
                        self.receive(SOURCE_GAP, 0.0);
                    }
                }
                for Piece { bytes, came_ms } in pieces {
                    self.receive(&bytes, came_ms);
                }
            }
            HubUpdate::Status(status) => self.message(1, [status.to_string().as_bytes(), &[]]),
            HubUpdate::Nothing => self.message(2, [&[], &[]]),
            HubUpdate::End => return false,
        }
        true
    }
}

impl Read for Stream {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.read >= self.messages.len() && !self.fill() {
            return Ok(0);
        }
        let rest = self.messages.get(self.read..).unwrap_or_default();
        let len = rest.len().min(buf.len());
        for (to, from) in buf.iter_mut().zip(rest) {
            *to = *from;
        }
        self.read += len;
        Ok(len)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.hub.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::super::hub::Status;
    use super::*;

    #[test]
    fn messages_are_those_of_the_table() {
        let hub = Hub::new("tcp:a", "r.bin", "");
        hub.add(&[9, 8, 0]);
        hub.set(Status { events: 7, ..Status::default() });
        let mut stream = Stream::new(Arc::clone(&hub));
        hub.end();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        let (mut rest, mut kinds) = (&all[..], Vec::new());
        while let [kind, a, b, c, d, more @ ..] = rest {
            let (content, after) = more.split_at(u32::from_le_bytes([*a, *b, *c, *d]) as usize);
            kinds.push((*kind, content.to_vec()));
            rest = after;
        }
        let [(1, status), (0, bytes)] = &kinds[..] else { panic!("{kinds:?}") };
        let status: serde_json::Value = serde_json::from_slice(status).unwrap();
        assert_eq!((&status["events"], &status["ended"]), (&7.into(), &true.into()));
        let (came, bytes) = bytes.split_at(8);
        assert!(f64::from_le_bytes(came.try_into().unwrap()) > 1e12);
        assert_eq!(bytes, [9, 8, 0]);
        drop(stream);
        hub.wait_for_readers(Duration::from_secs(60));
    }
}
