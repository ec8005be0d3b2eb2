//! Hears what the firmware answers to commands of the host.

use std::collections::VecDeque;
use std::io;

use tband_conv::timeline::{At, Change, World};
use tband_conv::{Sink, TimedEvent};
use tband_format::Event;

/// Answers that are kept.
const KEPT: usize = 64;

/// The last answers, each with the number of its command.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    hears: bool,
    kept: VecDeque<(u32, i64)>,
}

impl Answers {
    /// Of a target that is asked. By [`default`](Self::default) of one that is not, which costs nothing.
    #[must_use]
    pub const fn heard() -> Self {
        Self { hears: true, kept: VecDeque::new() }
    }

    /// Takes what another has heard.
    pub fn take(&mut self, other: &mut Self) {
        for answer in other.kept.drain(..) {
            self.keep(answer);
        }
    }

    fn keep(&mut self, answer: (u32, i64)) {
        self.kept.push_back(answer);
        if self.kept.len() > KEPT {
            self.kept.pop_front();
        }
    }

    /// To the command of this number.
    #[must_use]
    pub fn to(&self, number: u16) -> Option<i64> {
        self.kept.iter().find(|(n, _)| *n == u32::from(number)).map(|(_, is)| *is)
    }
}

impl Sink for Answers {
    fn wants_events(&self) -> bool {
        self.hears
    }

    fn event(&mut self, event: &TimedEvent<'_>) -> io::Result<()> {
        if let Event::Answer { n, is } = event.decoded.event
            && self.hears
        {
            self.keep((n, is));
        }
        Ok(())
    }

    fn change(&mut self, _: &World, _: At, _: &Change<'_>) -> io::Result<()> {
        Ok(())
    }
}
