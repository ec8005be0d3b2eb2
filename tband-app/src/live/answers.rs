//! Follows the firmware's answers to commands of the host, and the classes of events that it therefore leaves out.

use std::collections::VecDeque;
use std::io;

use tband_conv::model::{Change, EventTime, Omission, Sink, TimedEvent, World};
use tband_format::Event;
use tband_format::classes::{CLASSES, GROUPS};

/// Maximum number of kept answers.
const KEPT: usize = 64;

/// The last answers, each with the number of its command.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    hears: bool,
    kept: VecDeque<(u32, i64)>,
    /// Answers so far.
    count: u64,
    /// Flags of the classes of events that are not recorded, by choice of the firmware or the host.
    off: u32,
}

impl Answers {
    /// Creates the answers of a target that receives commands. [`default`](Self::default) is for one that does not, and costs
    /// nothing.
    #[must_use]
    pub const fn of_events() -> Self {
        Self { hears: true, kept: VecDeque::new(), count: 0, off: 0 }
    }

    /// Takes the answers that another has received.
    pub fn take(&mut self, other: &mut Self) {
        self.off = other.off;
        for answer in other.kept.drain(..) {
            self.keep(answer);
        }
    }

    fn keep(&mut self, answer: (u32, i64)) {
        self.count += 1;
        self.kept.push_back(answer);
        if self.kept.len() > KEPT {
            self.kept.pop_front();
        }
    }

    /// How many there are so far.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns the answer to the command of this number; the first `before` of all answers came before it was sent. Numbers
    /// repeat, and other hosts may send commands to the same target.
    #[must_use]
    pub fn to(&self, number: u16, before: u64) -> Option<i64> {
        let kept = u64::try_from(self.kept.len()).unwrap_or(u64::MAX);
        let old = before.saturating_sub(self.count.saturating_sub(kept));
        let new = self.kept.iter().skip(usize::try_from(old).unwrap_or(usize::MAX));
        new.filter(|(n, _)| *n == u32::from(number)).map(|(_, is)| *is).next()
    }

    /// Whether a group of events, by its place in [`GROUPS`], is not recorded.
    #[must_use]
    pub fn is_off(&self, group: usize) -> bool {
        GROUPS.get(group).is_some_and(|(_, classes)| self.off & classes == *classes)
    }
}

impl Sink for Answers {
    fn needs_events(&self) -> bool {
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

    fn change(&mut self, _: &World, _: EventTime, change: &Change<'_>) -> io::Result<()> {
        if let Change::LeftOut(Omission::Class(class), begins) = change
            && let Some(class) = CLASSES.get(*class)
        {
            self.off = if *begins { self.off | class.flag } else { self.off & !class.flag };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tband_format::classes::filter::may_be_left_out;
    use tband_recordings::frame;

    use super::super::{LiveRecording, StopEvent};
    use super::*;

    /// Returns the answers of a target that records these events.
    fn of_events(events: &[Event<'_>]) -> Answers {
        let mut followed = LiveRecording::new("target", StopEvent::default(), Answers::of_events());
        let bytes: Vec<u8> = events.iter().flat_map(|event| frame(1, *event)).collect();
        followed.feed(&bytes).unwrap();
        followed.finish().unwrap().unwrap().1
    }

    /// The facts of a filter that leaves these classes out.
    fn without(classes: u32) -> Vec<Event<'static>> {
        let mut words = [0_u32; 8];
        for id in CLASSES.iter().filter(|it| classes & it.flag != 0).flat_map(|it| it.events) {
            assert!(may_be_left_out(*id));
            words[usize::from(*id) / 32] |= 1 << (id % 32);
        }
        let facts: Vec<u32> = (0..8).filter(|of| words[*of as usize] != 0).collect();
        let begin = Event::Filter { of: 8, is: u32::try_from(facts.len()).unwrap() << 8 };
        let facts = facts.into_iter().map(|of| Event::Filter { of, is: words[of as usize] });
        [begin].into_iter().chain(facts).collect()
    }

    #[test]
    fn shows_the_disabled_groups_of_the_recording() {
        for (place, (name, classes)) in GROUPS.iter().enumerate() {
            let off = of_events(&without(*classes));
            let others = GROUPS.iter().map(|(_, of)| classes & of == *of);
            for (other, expected) in others.enumerate() {
                assert_eq!(off.is_off(other), expected, "{name} {other}");
            }
            let on_again = [without(*classes), without(0)].concat();
            assert!(!of_events(&on_again).is_off(place), "{name}");
        }
    }
}
