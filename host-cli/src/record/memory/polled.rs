//! A source that is polled.

use std::collections::VecDeque;
use std::io;
use std::thread::sleep;
use std::time::Duration;

use super::super::source::{Link, ReadResult};

/// The interface of a polled source.
pub trait PolledSource {
    /// Returns the new bytes.
    ///
    /// # Errors
    /// The connection is broken.
    fn look(&mut self) -> anyhow::Result<Vec<u8>>;

    /// Sends bytes to the target; they may be sent with the next looks.
    ///
    /// # Errors
    /// The source cannot send.
    fn send(&mut self, bytes: &[u8]) -> anyhow::Result<()>;

    /// How full the target's buffer was before that, in per cent, if it is known.
    fn level(&self) -> Option<u8>;

    /// Returns a warning about the looks, each kind once.
    fn warning(&mut self) -> Option<String> {
        None
    }

    /// Returns how long to wait for the next look, after one with or without new bytes.
    fn pause(&self, has_come: bool) -> Duration;
}

/// A link to a polled source.
pub struct PolledLink<L> {
    asked: L,
    /// Bytes that were read and not taken.
    came: VecDeque<u8>,
    has_come: bool,
    /// The last reported level, and the one to report.
    level: Option<u8>,
    news: Option<u8>,
}

impl<L: PolledSource> PolledLink<L> {
    pub const fn new(asked: L) -> Self {
        Self { asked, came: VecDeque::new(), has_come: true, level: None, news: None }
    }
}

impl<L: PolledSource> Link for PolledLink<L> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<ReadResult> {
        if self.came.is_empty() {
            sleep(self.asked.pause(self.has_come));
            let new = self.asked.look();
            self.came.extend(new.map_err(|error| io::Error::other(format!("{error:#}")))?);
            self.has_come = !self.came.is_empty();
            let level = self.asked.level();
            self.news = level.filter(|_| level != self.level);
            self.level = level;
        }
        let len = self.came.len().min(buf.len());
        for (to, from) in buf.iter_mut().zip(self.came.drain(..len)) {
            *to = from;
        }
        Ok(if len == 0 { ReadResult::Nothing } else { ReadResult::Bytes(len) })
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.asked.send(bytes).map_err(|error| io::Error::other(format!("{error:#}")))
    }

    fn level(&mut self) -> Option<u8> {
        self.news.take()
    }

    fn warning(&mut self) -> Option<String> {
        self.asked.warning()
    }
}
