//! Shedding: when packets run out, classes of events are not recorded, in an order that firmware chooses, the least important
//! first.
//!
//! The order has steps. One after the other is taken as packets wait to be read, so that what is left has room; and they are
//! taken back, the last one first, when some have been read. What is shed is said by the same event as what a
//! [`Filter`] leaves out, and is counted by class.
//!
//! There is one core, and all of this is in its critical section. The reader takes no part in it: it moves the count of packets
//! that wait, as always.

use core::sync::atomic::{AtomicU32, Ordering};

use tband_format::classes::CLASSES;

use crate::filter::{Filter, OF_CLASSES, WORDS};

/// For each id the place of its class. Of ids of several classes, which are interrupts, the last one.
static CLASS_OF: [u8; 256] = {
    let mut of = [u8::MAX; 256];
    let mut class = 0;
    while class < CLASSES.len() {
        let mut event = 0;
        while event < CLASSES[class].events.len() {
            of[CLASSES[class].events[event] as usize] = class as u8;
            event += 1;
        }
        class += 1;
    }
    of
};

/// What is shed, and when: a constant of the firmware.
#[derive(Debug)]
#[repr(C)]
pub struct ShedOrder {
    /// The steps: bits of classes, as in the flags of `trace_info`.
    pub steps: *const u32,
    /// How many there are: 1 to 32.
    pub count: u32,
    /// How full the ring is when the first step is taken, in percent.
    pub from: u32,
    /// Packets that may wait so that one more can be opened: up to 32767.
    pub last: u32,
}

// SAFETY: a constant, and so are the steps.
unsafe impl Sync for ShedOrder {}

impl ShedOrder {
    /// So many packets wait that this step, from 0 on, is taken: steps are at equal distances from `from` on.
    fn is_reached(&self, step: u32, waiting: u32) -> bool {
        let from = self.from.wrapping_mul(self.count);
        let more = step.wrapping_mul(100_u32.wrapping_sub(self.from));
        waiting.wrapping_mul(self.count).wrapping_mul(100)
            >= self.last.wrapping_mul(from.wrapping_add(more))
    }

    /// So many packets less have to wait before a step is taken back: of 8 packets one, so that it does not come and go
    /// with each packet.
    fn gap(&self) -> u32 {
        self.last.wrapping_add(1) >> 3
    }

    /// Steps that are to be taken, if these are.
    fn level(&self, mut level: u32, waiting: u32) -> u32 {
        while level < self.count && self.is_reached(level, waiting) {
            level = level.wrapping_add(1);
        }
        let less = waiting.wrapping_add(self.gap());
        while let Some(step) = level.checked_sub(1)
            && !self.is_reached(step, less)
        {
            level = step;
        }
        level
    }

    /// Bits of the classes of the first steps.
    fn classes(&self, level: u32) -> u32 {
        let mut classes = 0;
        for step in 0..level {
            // SAFETY: there are as many as `count`, and no level is above it.
            classes |= unsafe { *self.steps.wrapping_add(step as usize) };
        }
        classes
    }
}

/// A filter, and what is shed; nothing is when it is zero. `repr(C)`: hooks look at the filter, and at the level.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Shedding {
    /// What is chosen, and what hooks look at, which has both.
    pub filter: Filter,
    /// Steps that are taken.
    level: AtomicU32,
    /// By id: it is shed.
    shed: [AtomicU32; WORDS],
    /// By class: events that were shed and are not said yet.
    counts: [AtomicU32; CLASSES.len()],
}

fn load(word: &AtomicU32) -> u32 {
    word.load(Ordering::Relaxed)
}

impl Shedding {
    fn shed(&self, word: usize) -> u32 {
        self.shed.get(word).map_or(0, load)
    }

    /// So many packets wait: takes steps, or takes them back. Whether that has changed anything.
    ///
    /// Cost: some 60 instructions; some 1000 if it has. Context: the critical section.
    pub fn turn(&self, order: &ShedOrder, waiting: u32) -> bool {
        let level = load(&self.level);
        let next = order.level(level, waiting);
        if next == level {
            return false;
        }
        self.level.store(next, Ordering::Relaxed);
        self.set(order.classes(next));
        true
    }

    /// With so many packets that wait a step would be taken back.
    ///
    /// Context: the critical section.
    pub fn may_turn_back(&self, order: &ShedOrder, waiting: u32) -> bool {
        let level = load(&self.level);
        order.level(level, waiting) < level
    }

    /// These classes are shed. Word by word, since an array that is made here becomes a call of `memset`.
    fn set(&self, classes: u32) {
        let set_word = |word: usize| {
            let Some(shed) = self.shed.get(word) else { return 0 };
            let mut ids = 0;
            for (flag, of_class) in &OF_CLASSES {
                if classes & flag != 0 {
                    ids |= of_class.get(word).copied().unwrap_or(0);
                }
            }
            let changed = load(shed) ^ ids;
            shed.store(ids, Ordering::Relaxed);
            changed
        };
        self.filter.apply_to(set_word, |word| self.shed(word), false);
    }

    /// What hooks look at becomes what is wanted and not shed, after a change of the filter.
    ///
    /// Cost and context: as of [`Filter::apply`].
    pub fn apply(&self) {
        self.filter.apply_to(|_| u32::MAX, |word| self.shed(word), false);
    }

    /// The event of this id, whose first number is this one, is not recorded. If it would be but for being shed, it is
    /// counted.
    ///
    /// Context: the critical section.
    pub fn leaves_out(&self, id: u8, number: u32) -> bool {
        if self.filter.is_off_as_read(id, number) {
            return true;
        }
        let is_shed = self.shed(usize::from(id) / 32) & 1_u32.rotate_left(id.into()) != 0;
        let class = CLASS_OF.get(usize::from(id)).map_or(usize::MAX, |class| (*class).into());
        if is_shed && let Some(count) = self.counts.get(class) {
            count.store(load(count).saturating_add(1), Ordering::Relaxed);
        }
        is_shed
    }

    /// As [`Filter::fact`], of both; there always is one.
    pub fn fact(&self, at: u32) -> Option<(u32, u32)> {
        self.filter.fact_with(at, |word| self.shed(word))
    }

    /// A class of which events were shed that are not said: the fields of the event `shed`.
    pub fn unsaid(&self) -> Option<(u32, u32)> {
        let (class, count) =
            CLASSES.iter().zip(&self.counts).find(|(_, count)| load(count) != 0)?;
        Some((class.flag.trailing_zeros(), load(count)))
    }

    /// What [`unsaid`](Self::unsaid) has given is said. Context: as of there, in the same critical section.
    pub fn said(&self) {
        if let Some(count) = self.counts.iter().find(|count| load(count) != 0) {
            count.store(0, Ordering::Relaxed);
        }
    }

    /// Nothing is shed, and nothing was: a recording starts.
    ///
    /// Context: the critical section.
    pub fn begin(&self) {
        self.level.store(0, Ordering::Relaxed);
        self.set(0);
        for count in &self.counts {
            count.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::boxed::Box;
    use std::vec;
    use std::vec::Vec;

    use proptest::prelude::*;
    use tband_format::classes::filter::{BEGIN, SHED};

    use super::*;
    use crate::Choice;

    const QUEUE: u32 = 1 << 6;
    const HEAP: u32 = 1 << 13;
    const TICK: u32 = 1 << 18;

    fn order(steps: &[u32], from: u32, last: u32) -> ShedOrder {
        let count = steps.len() as u32;
        let steps: &'static [u32] = Box::leak(steps.into());
        ShedOrder { steps: steps.as_ptr(), count, from, last }
    }

    fn facts(of: &Shedding) -> Vec<(u32, u32)> {
        (0..).map_while(|at| of.fact(at)).collect()
    }

    #[test]
    fn steps_are_taken_one_after_the_other_and_taken_back_later() {
        // Of 8 packets 7 may wait: at 3.5, 4.67 and 5.83; and back one packet earlier.
        let order = order(&[TICK, HEAP, QUEUE], 50, 7);
        let it = Shedding::default();
        let mut levels = Vec::new();
        for waiting in [0, 3, 4, 5, 6, 5, 4, 3, 2, 7, 0] {
            let before = load(&it.level);
            assert_eq!(it.may_turn_back(&order, waiting), order.level(before, waiting) < before);
            it.turn(&order, waiting);
            levels.push(load(&it.level));
        }
        assert_eq!(levels, [0, 0, 1, 2, 3, 3, 2, 1, 0, 3, 0]);
    }

    #[test]
    fn what_is_shed_is_said_beside_what_is_chosen_and_counted_unless_it_is() {
        let order = order(&[TICK, QUEUE | HEAP], 50, 7);
        let it = Shedding::default();
        assert_eq!(facts(&it), [(BEGIN, 0)]);
        it.filter.choose(Choice::Object(1, 9), false, 1).unwrap();
        it.filter.choose(Choice::Event(105), false, 1).unwrap();
        it.apply();
        assert!(it.turn(&order, 7) && !it.turn(&order, 7));
        // 102 is a queue's send, 201 a tick, 198 of the heap, 84 of a task.
        for (id, number, is_out) in [
            (102, 1, true),
            (102, 9, true),
            (105, 1, true),
            (201, 5, true),
            (198, 5, true),
            (84, 5, false),
        ] {
            assert_eq!(!it.filter.lets(id, number), is_out, "{id} {number}");
            assert_eq!(it.leaves_out(id, number), is_out, "{id} {number}");
        }
        let ids = |ids: &[u32], word: u32| -> u32 {
            ids.iter().filter(|id| *id / 32 == word).map(|id| 1 << (id % 32)).sum()
        };
        let shed: Vec<u32> = (102..=112).chain([99, 197, 198, 201, 202]).collect();
        assert_eq!(
            facts(&it),
            [
                (BEGIN, 1 | 4 << 8),
                (3, 1 << (105 - 96)),
                (17, 9),
                (SHED + 3, ids(&shed, 3)),
                (SHED + 6, ids(&shed, 6)),
            ]
        );
        let mut said = vec![];
        while let Some(count) = it.unsaid() {
            said.push(count);
            it.said();
        }
        assert_eq!(said, [(6, 1), (13, 1), (18, 1)], "queue, heap, tick");
        assert!(it.turn(&order, 0));
        assert!(it.filter.lets(102, 1) && !it.filter.lets(102, 9) && !it.filter.lets(105, 1));
        assert!(it.leaves_out(102, 9) && it.leaves_out(105, 1) && !it.leaves_out(102, 1));
        assert_eq!(it.unsaid(), None);
        assert_eq!(facts(&it), [(BEGIN, 1 | 2 << 8), (3, 1 << (105 - 96)), (17, 9)]);
    }

    #[test]
    fn a_recording_starts_with_nothing_shed() {
        let order = order(&[0x000F_FFF8], 10, 3);
        let it = Shedding::default();
        assert!(it.turn(&order, 3) && it.leaves_out(84, 1));
        it.begin();
        assert_eq!((it.unsaid(), facts(&it)), (None, vec![(BEGIN, 0)]));
        assert!((0..=255).all(|id| it.filter.lets(id, 7)));
    }

    proptest! {
        /// Whatever the order: the last step comes while a packet can be opened, all go when packets have been read, and a level
        /// says what is shed.
        #[test]
        fn levels_follow_packets(
            steps in proptest::collection::vec(0..0x0010_0000_u32, 1..18),
            from in 1..=100_u32,
            last in 2..32_767_u32,
            waiting in proptest::collection::vec(0..=100_u32, 1..40),
        ) {
            let order = order(&steps, from, last);
            let it = Shedding::default();
            for part in waiting {
                let waiting = last * part / 100;
                let before = load(&it.level);
                let has_changed = it.turn(&order, waiting);
                let level = load(&it.level);
                prop_assert_eq!(has_changed, level != before);
                prop_assert!(!it.turn(&order, waiting), "it stays");
                // The step after the last is not reached, and the last one is, or was when more waited.
                prop_assert!(level == steps.len() as u32 || !order.is_reached(level, waiting));
                let classes = steps[..level as usize].iter().fold(0, |all, it| all | it);
                for class in CLASSES {
                    for id in class.events {
                        let is_shed = !it.filter.lets(*id, 1);
                        prop_assert!(is_shed || classes & class.flag == 0, "{} {id}", class.name);
                    }
                }
                prop_assert!(classes != 0 || (0..=255).all(|id| it.filter.lets(id, 1)));
            }
            it.turn(&order, last);
            prop_assert_eq!(load(&it.level), steps.len() as u32);
            if (order.gap() + 1) * 100 < last * from {
                it.turn(&order, 1);
                let first = order.is_reached(0, 1 + order.gap());
                prop_assert!(!first && load(&it.level) == 0);
            }
        }
    }
}
