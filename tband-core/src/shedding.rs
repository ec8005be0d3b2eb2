//! Shedding: when packets run out, classes of events are not recorded, in an order that firmware chooses, the least important
//! first.
//!
//! The order has steps. They are taken one after the other as more packets wait to be read, so that the remaining events have room.
//! They are taken back, the last one first, when packets have been read. The shed events are recorded by the same event as those
//! that a [`Filter`] leaves out, and are counted by class.
//!
//! Each core has a ring, so each core sheds separately: its level and counts are accessed in its critical section, and by the code
//! that ends a recording once the core has finished. The table that hooks read is common to all cores, and leads all of them to the
//! exact answer if one core sheds; one core at a time changes it. The reader is not involved: it only moves the count of waiting
//! packets, as always.

use crate::atomics::{AtomicU32, Ordering};

use tband_format::classes::CLASSES;

use crate::filter::{Filter, OF_CLASSES, WORDS};

/// Index of the class of each id. Interrupts belong to several classes; for them the last one counts.
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

/// In which order classes are shed, and when: a constant of the firmware.
#[derive(Debug)]
#[repr(C)]
pub struct ShedOrder {
    /// The steps: bits of classes, as in the flags of `trace_info`.
    pub steps: *const u32,
    /// Number of steps: 1 to 32.
    pub count: u32,
    /// Fill level of the ring at which the first step is taken, in percent.
    pub from: u32,
    /// Packets that may wait so that one more can be opened: up to 32767.
    pub last: u32,
}

impl ShedOrder {
    /// Returns whether so many packets wait that this step, from 0 on, must be taken. The steps are at equal distances from `from`
    /// on.
    fn is_reached(&self, step: u32, waiting: u32) -> bool {
        let from = self.from.wrapping_mul(self.count);
        let more = step.wrapping_mul(100_u32.wrapping_sub(self.from));
        waiting.wrapping_mul(self.count).wrapping_mul(100)
            >= self.last.wrapping_mul(from.wrapping_add(more))
    }

    /// Hysteresis in packets: this many fewer must wait before a step is taken back, one of 8 packets, so that a step does not
    /// change with each packet.
    fn gap(&self) -> u32 {
        self.last.wrapping_add(1) >> 3
    }

    /// Returns the number of steps that must be taken, given the current number.
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

    /// Returns the bits of the classes of the first steps.
    fn classes(&self, level: u32) -> u32 {
        let mut classes = 0;
        for step in 0..level {
            // SAFETY: there are as many as `count`, and no level is above it.
            classes |= unsafe { *self.steps.wrapping_add(step as usize) };
        }
        classes
    }
}

/// State of a core's shedding; sheds nothing when zero. `repr(C)`: hooks read the level.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Shed {
    /// Steps that are taken.
    level: AtomicU32,
    /// By id: it is shed.
    shed: [AtomicU32; WORDS],
    /// By class: the number of shed events that are not recorded yet.
    counts: [AtomicU32; CLASSES.len()],
    /// When an event was shed last, lower half.
    last_time: AtomicU32,
}

/// A filter, the shedding of each core, and the order: a constant of the firmware.
#[derive(Debug)]
#[repr(C)]
pub struct Shedding {
    /// The selection, and the table that hooks read, which combines the selection and the shed events.
    pub filter: *const Filter,
    /// What the cores shed.
    pub cores: *const Shed,
    /// How many there are.
    pub core_count: u32,
    /// The order in which events are shed.
    pub order: ShedOrder,
}

// SAFETY: a constant; all that its pointers lead to is atomic, or a constant too.
unsafe impl Sync for Shedding {}
// SAFETY: as above.
unsafe impl Send for Shedding {}

fn load(word: &AtomicU32) -> u32 {
    word.load(Ordering::Relaxed)
}

impl Shed {
    fn word(&self, word: usize) -> u32 {
        self.shed.get(word).map_or(0, load)
    }
}

impl Shedding {
    fn filter(&self) -> &Filter {
        // SAFETY: the firmware's, which is there always.
        unsafe { &*self.filter }
    }

    /// Returns the shedding of core `index`.
    fn core(&self, index: u32) -> &Shed {
        // SAFETY: callers keep `index` below the number of cores.
        unsafe { &*self.cores.wrapping_add(index as usize) }
    }

    /// Ids that any core sheds.
    fn shed_by_any(&self, word: usize) -> u32 {
        let mut shed = 0;
        for index in 0..self.core_count {
            shed |= self.core(index).word(word);
        }
        shed
    }

    /// Takes steps, or takes them back, for this number of waiting packets of core `index`. Returns whether anything has changed;
    /// then call [`follow`](Self::follow).
    ///
    /// Cost: about 60 instructions. Context: the critical section of the core.
    pub fn turn(&self, index: u32, waiting: u32) -> bool {
        let core = self.core(index);
        let level = load(&core.level);
        let next = self.order.level(level, waiting);
        core.level.store(next, Ordering::Relaxed);
        next != level
    }

    /// Returns whether a step would be taken back with this number of waiting packets of core `index`.
    ///
    /// Context: the critical section of the core.
    pub fn may_turn_back(&self, index: u32, waiting: u32) -> bool {
        let level = load(&self.core(index).level);
        self.order.level(level, waiting) < level
    }

    /// Makes core `index` shed the classes of its steps, and updates the table that hooks read.
    ///
    /// Cost: about 1000 instructions. Context: the critical section of the core, and the lock between cores.
    pub fn follow(&self, index: u32) {
        self.set(index, self.order.classes(load(&self.core(index).level)));
    }

    /// Makes core `index` shed these classes. Word by word, because an array on the stack would become a call of `memset`.
    fn set(&self, index: u32, classes: u32) {
        let set_word = |word: usize| {
            let Some(shed) = self.core(index).shed.get(word) else { return 0 };
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
        self.filter().apply_to(set_word, |word| self.shed_by_any(word), false);
    }

    /// Derives the table that hooks read from the selection and the shed events, after a change of the filter.
    ///
    /// Cost and context: as of [`Filter::apply`], and the lock between cores.
    pub fn apply(&self) {
        self.filter().apply_to(|_| u32::MAX, |word| self.shed_by_any(word), false);
    }

    /// Returns whether core `index` sheds events of this id.
    ///
    /// Context: the critical section of the core.
    pub fn is_shedding_event(&self, index: u32, id: u8) -> bool {
        self.core(index).word(usize::from(id) / 32) & 1_u32.rotate_left(id.into()) != 0
    }

    /// Returns whether the event of this id and this first number, at this time, is not recorded on core `index`. If shedding is
    /// the only reason, counts it.
    ///
    /// Context: the critical section of the core.
    pub fn is_left_out(&self, index: u32, id: u8, number: u32, now: u32) -> bool {
        if self.filter().is_off(id, number) {
            return true;
        }
        let core = self.core(index);
        let is_shed = self.is_shedding_event(index, id);
        let class = CLASS_OF.get(usize::from(id)).map_or(usize::MAX, |class| (*class).into());
        if is_shed && let Some(count) = core.counts.get(class) {
            count.store(load(count).saturating_add(1), Ordering::Relaxed);
            core.last_time.store(now, Ordering::Relaxed);
        }
        is_shed
    }

    /// Like [`Filter::fact`], for the filter and the shed events of core `index`; at least one fact exists.
    pub fn fact(&self, index: u32, at: u32) -> Option<(u32, u32)> {
        self.filter().fact_with(at, |word| self.core(index).word(word))
    }

    /// Returns whether core `index` sheds anything.
    ///
    /// Context: as of [`unrecorded`](Self::unrecorded).
    pub fn is_shedding(&self, index: u32) -> bool {
        load(&self.core(index).level) != 0
    }

    /// Like [`fact`](Self::fact), for a core that sheds nothing.
    pub fn fact_without(&self, at: u32) -> Option<(u32, u32)> {
        self.filter().fact_with(at, |_| 0)
    }

    /// Returns a class with shed events on core `index` that are not recorded yet, as the fields of the event `shed`.
    ///
    /// Context: the critical section of the core, or it has finished.
    pub fn unrecorded(&self, index: u32) -> Option<(u32, u32)> {
        let counts = &self.core(index).counts;
        let (class, count) = CLASSES.iter().zip(counts).find(|(_, count)| load(count) != 0)?;
        Some((class.flag.trailing_zeros(), load(count)))
    }

    /// Returns when an event was shed last on core `index`, lower half. Context: as for [`unrecorded`](Self::unrecorded), which must have
    /// returned a count.
    pub fn last_time(&self, index: u32) -> u32 {
        load(&self.core(index).last_time)
    }

    /// Marks the count that [`unrecorded`](Self::unrecorded) has returned as recorded. Context: as there, in the same critical section.
    pub fn mark_recorded(&self, index: u32) {
        if let Some(count) = self.core(index).counts.iter().find(|count| load(count) != 0) {
            count.store(0, Ordering::Relaxed);
        }
    }

    /// Resets shedding and its counts on core `index`, at the start of a recording.
    ///
    /// Context: the critical section, and the core has finished; the lock between cores.
    pub fn begin(&self, index: u32) {
        let core = self.core(index);
        core.level.store(0, Ordering::Relaxed);
        self.set(index, 0);
        for count in &core.counts {
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
    use crate::filter::Choice;

    const QUEUE: u32 = 1 << 6;
    const HEAP: u32 = 1 << 13;
    const TICK: u32 = 1 << 18;

    fn order(steps: &[u32], from: u32, last: u32) -> ShedOrder {
        let count = steps.len() as u32;
        let steps: &'static [u32] = Box::leak(steps.into());
        ShedOrder { steps: steps.as_ptr(), count, from, last }
    }

    /// Creates shedding for this number of cores.
    fn shedding(order: ShedOrder, cores: usize) -> Shedding {
        let sheds: Vec<_> = (0..cores).map(|_| Shed::default()).collect();
        Shedding {
            filter: Box::leak(Box::default()),
            cores: Box::leak(sheds.into_boxed_slice()).as_ptr(),
            core_count: cores as u32,
            order,
        }
    }

    /// Does what the core does in its critical section.
    fn turn(of: &Shedding, index: u32, waiting: u32) -> bool {
        let has_changed = of.turn(index, waiting);
        if has_changed {
            of.follow(index);
        }
        has_changed
    }

    fn facts(of: &Shedding) -> Vec<(u32, u32)> {
        let facts: Vec<_> = (0..99).map_while(|at| of.fact(0, at)).collect();
        assert!(facts.len() < 99, "they have no end");
        facts
    }

    #[test]
    fn steps_are_taken_one_after_the_other_and_taken_back_later() {
        // Of 8 packets 7 may wait: at 3.5, 4.67 and 5.83; and back one packet earlier.
        let it = shedding(order(&[TICK, HEAP, QUEUE], 50, 7), 1);
        let mut levels = Vec::new();
        for waiting in [0, 3, 4, 5, 6, 5, 4, 3, 2, 7, 0] {
            let before = load(&it.core(0).level);
            assert_eq!(it.may_turn_back(0, waiting), it.order.level(before, waiting) < before);
            turn(&it, 0, waiting);
            levels.push(load(&it.core(0).level));
        }
        assert_eq!(levels, [0, 0, 1, 2, 3, 3, 2, 1, 0, 3, 0]);
    }

    #[test]
    fn a_step_is_taken_back_when_an_eighth_of_the_packets_was_read() {
        for (last, stays_at) in [(2, 2), (6, 6), (7, 6), (15, 13), (31, 27)] {
            let it = shedding(order(&[TICK], 100, last), 1);
            assert!(!turn(&it, 0, last - 1) && turn(&it, 0, last), "{last}");
            assert!(!turn(&it, 0, stays_at) && turn(&it, 0, stays_at - 1), "{last}");
        }
    }

    #[test]
    fn shed_events_are_counted_unless_a_filter_leaves_them_out() {
        let it = shedding(order(&[TICK, QUEUE | HEAP], 50, 7), 1);
        assert_eq!(facts(&it), [(BEGIN, 0)]);
        it.filter().choose(Choice::Object(1, 9), false, 1).unwrap();
        it.filter().choose(Choice::Event(105), false, 1).unwrap();
        it.apply();
        assert!(
            !it.filter().is_let_through(102, 9)
                && it.filter().is_let_through(102, 1)
                && !it.filter().is_let_through(105, 1)
        );
        assert!(turn(&it, 0, 7) && !turn(&it, 0, 7));
        // 102 is a queue's send, 201 a tick, 198 of the heap, 84 of a task.
        for (id, number, is_out) in [
            (102, 1, true),
            (102, 9, true),
            (105, 1, true),
            (201, 5, true),
            (198, 5, true),
            (84, 5, false),
        ] {
            assert_eq!(!it.filter().is_let_through(id, number), is_out, "{id} {number}");
            assert_eq!(it.is_left_out(0, id, number, 7), is_out, "{id} {number}");
        }
        let shed = CLASSES.iter().filter(|class| class.flag & (TICK | QUEUE | HEAP) != 0);
        let shed: Vec<u8> = shed.flat_map(|class| class.events).copied().collect();
        assert!([99, 102, 112, 197, 198, 201, 202].iter().all(|id| shed.contains(id)));
        let ids = |word: u32| -> u32 {
            shed.iter().filter(|id| u32::from(**id) / 32 == word).map(|id| 1 << (id % 32)).sum()
        };
        let words = (0..8).map(|word| (SHED + word, ids(word)));
        let words: Vec<_> = words.filter(|(_, ids)| *ids != 0).collect();
        let begin = (BEGIN, 1 | (2 + words.len() as u32) << 8);
        assert_eq!(facts(&it), [&[begin, (3, 1 << (105 - 96)), (17, 9)], &words[..]].concat());
        let without: Vec<_> = (0..4).map(|at| it.fact_without(at)).collect();
        let [begin, id, object] = [(BEGIN, 1 | 2 << 8), (3, 1 << (105 - 96)), (17, 9)].map(Some);
        assert_eq!(without, [begin, id, object, None]);
        let mut mark_recorded = vec![];
        while let Some(count) = it.unrecorded(0)
            && mark_recorded.len() < 4
        {
            mark_recorded.push(count);
            it.mark_recorded(0);
        }
        assert_eq!(mark_recorded, [(6, 1), (13, 1), (18, 1)], "queue, heap, tick");
        assert!(turn(&it, 0, 0));
        assert!(
            it.filter().is_let_through(102, 1)
                && !it.filter().is_let_through(102, 9)
                && !it.filter().is_let_through(105, 1)
        );
        assert!(
            it.is_left_out(0, 102, 9, 7)
                && it.is_left_out(0, 105, 1, 7)
                && !it.is_left_out(0, 102, 1, 7)
        );
        assert_eq!(it.unrecorded(0), None);
        assert_eq!(facts(&it), [(BEGIN, 1 | 2 << 8), (3, 1 << (105 - 96)), (17, 9)]);
    }

    #[test]
    fn a_recording_starts_with_nothing_shed() {
        let it = shedding(order(&[0x000F_FFF8], 10, 3), 1);
        assert!(turn(&it, 0, 3) && it.is_left_out(0, 84, 1, 7));
        it.begin(0);
        assert_eq!((it.unrecorded(0), facts(&it)), (None, vec![(BEGIN, 0)]));
        assert!((0..=255).all(|id| it.filter().is_let_through(id, 7)));
    }

    /// The table that hooks read leads to the exact answer on both cores while one sheds, and each answer is correct.
    #[test]
    fn each_core_sheds_for_itself() {
        let it = shedding(order(&[TICK, QUEUE], 50, 7), 2);
        let lets = |id| it.filter().is_let_through(id, 1);
        assert!(turn(&it, 1, 7) && !turn(&it, 0, 0));
        assert!(it.is_shedding(1) && !it.is_shedding(0));
        assert!(!lets(102) && !lets(201));
        assert!(it.is_left_out(1, 102, 1, 40) && it.is_left_out(1, 201, 1, 50));
        assert!(!it.is_left_out(0, 102, 1, 60) && !it.is_left_out(0, 201, 1, 60));
        assert_eq!((it.unrecorded(0), it.unrecorded(1), it.last_time(1)), (None, Some((6, 1)), 50));
        let shed =
            |index| (0..99).map_while(|at| it.fact(index, at)).filter(|it| it.0 >= SHED).count();
        assert_eq!((shed(0), shed(1)), (0, 2));
        // The other one sheds ticks too, and what a change of the filter leaves is of both.
        assert!(turn(&it, 0, 4) && it.is_shedding_event(0, 201) && !it.is_shedding_event(0, 102));
        it.filter().choose(Choice::Object(1, 9), false, 1).unwrap();
        it.apply();
        assert!(!lets(102) && !lets(201));
        assert!(turn(&it, 1, 0) && lets(102) && !lets(201) && !it.filter().is_let_through(102, 9));
        assert!(!it.is_left_out(1, 201, 1, 70) && it.is_left_out(0, 201, 1, 70));
        it.begin(0);
        assert!(lets(201) && it.unrecorded(0).is_none());
        assert_eq!(it.unrecorded(1), Some((6, 1)), "the start of another one does not record it");
    }

    #[test]
    fn counts_stay_at_the_largest_number() {
        let it = shedding(order(&[TICK], 50, 7), 1);
        assert!(turn(&it, 0, 7));
        let at = CLASSES.iter().position(|class| class.flag == TICK).unwrap();
        it.core(0).counts[at].store(u32::MAX - 1, Ordering::Relaxed);
        for _ in 0..3 {
            assert!(it.is_left_out(0, 201, 1, 7));
        }
        assert_eq!(it.unrecorded(0), Some((18, u32::MAX)));
    }

    proptest! {
        /// For any order: the last step is taken while a packet can be opened, all steps are taken back when packets have been
        /// read, and the level determines the shed events.
        #[test]
        fn levels_follow_packets(
            steps in proptest::collection::vec(0..0x0010_0000_u32, 1..18),
            from in 1..=100_u32,
            last in 2..32_767_u32,
            waiting in proptest::collection::vec(0..=100_u32, 1..40),
        ) {
            let it = shedding(order(&steps, from, last), 1);
            let order = &it.order;
            for part in waiting {
                let waiting = last * part / 100;
                let before = load(&it.core(0).level);
                let has_changed = turn(&it, 0, waiting);
                let level = load(&it.core(0).level);
                prop_assert_eq!(has_changed, level != before);
                prop_assert!(!turn(&it, 0, waiting), "it stays");
                // The step after the last is not reached, and the last one is, or was when more waited.
                prop_assert!(level == steps.len() as u32 || !order.is_reached(level, waiting));
                let classes = steps[..level as usize].iter().fold(0, |all, it| all | it);
                for class in CLASSES {
                    for id in class.events {
                        let is_shed = !it.filter().is_let_through(*id, 1);
                        prop_assert!(is_shed || classes & class.flag == 0, "{} {id}", class.name);
                    }
                }
                prop_assert!(classes != 0 || (0..=255).all(|id| it.filter().is_let_through(id, 1)));
            }
            turn(&it, 0, last);
            prop_assert_eq!(load(&it.core(0).level), steps.len() as u32);
            if (order.gap() + 1) * 100 < last * from {
                turn(&it, 0, 1);
                let first = order.is_reached(0, 1 + order.gap());
                prop_assert!(!first && load(&it.core(0).level) == 0);
            }
        }
    }
}
