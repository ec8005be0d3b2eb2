//! Hears what the firmware answers to commands of the host, and which classes of events it therefore leaves out.

use std::collections::VecDeque;
use std::io;

use tband_conv::timeline::{At, Change, LeftOut, World};
use tband_conv::{Sink, TimedEvent};
use tband_format::Event;
use tband_format::classes::{CLASSES, GROUPS};

/// Answers that are kept.
const KEPT: usize = 64;

/// The last answers, each with the number of its command.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    hears: bool,
    kept: VecDeque<(u32, i64)>,
    /// Classes of events that are not recorded, whoever has chosen so: their flags.
    off: u32,
}

impl Answers {
    /// Of a target that is asked. By [`default`](Self::default) of one that is not, which costs nothing.
    #[must_use]
    pub const fn heard() -> Self {
        Self { hears: true, kept: VecDeque::new(), off: 0 }
    }

    /// Takes what another has heard.
    pub fn take(&mut self, other: &mut Self) {
        self.off = other.off;
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

    /// Nothing is recorded of a group of events, by its place in [`GROUPS`].
    #[must_use]
    pub fn is_off(&self, group: usize) -> bool {
        GROUPS.get(group).is_some_and(|(_, classes)| self.off & classes == *classes)
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

    fn change(&mut self, _: &World, _: At, change: &Change<'_>) -> io::Result<()> {
        if let Change::LeftOut(LeftOut::Class(class), begins) = change
            && let Some(class) = CLASSES.get(*class)
        {
            self.off = if *begins { self.off | class.flag } else { self.off & !class.flag };
        }
        Ok(())
    }
}
