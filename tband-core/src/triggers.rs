//! Triggers: what firmware waits for, so that the recording stops soon after it.
//!
//! A hook looks at a byte of its event's id, which has a bit for each trigger that is armed and may fire there: 0 almost always.
//! Where it is not, [`Triggers::sees`] is called after the event was recorded, and says what is to be recorded at
//! once. A trigger fires once, and then waits to be armed again. While events after one are counted, all ids have a bit.
//!
//! Context of all: the critical section, and the lock between cores.

use core::sync::atomic::{AtomicU32, Ordering};

use tband_format::classes::filter::may_be_left_out;
use tband_format::trigger::{
    AT_LEAST, AT_MOST, CONDITIONS, CRASH, EQUAL, EVENT, Fired, QUEUE_FULL, READY, READY_WAIT, STACK,
};

/// How many triggers there are.
pub const TRIGGERS: usize = 7;
/// Bit of an id's byte: events are counted.
pub const COUNTS: u8 = 1 << TRIGGERS;

/// An object's number: whatever object it is.
pub const ANY: u32 = u32::MAX;

/// Events that belong to no class, and may fire a trigger all the same.
const OTHERS: [u8; 4] = [CONDITIONS[CRASH as usize].events[0], 232, 234, 238];

/// Of the task that a trigger waits for nothing is known.
const UNKNOWN: u32 = 0;
/// It was reported as ready, and whether it ran then is not known.
const MAY_WAIT: u32 = 1;
/// It does not run, and has not been reported as ready since.
const STANDS: u32 = 2;
/// It is ready.
const WAITS: u32 = 3;
/// It runs; from bit 8 on which core.
const RUNS: u32 = 4;

/// What a trigger waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// A number of `tband_format::trigger`.
    pub condition: u8,
    /// The object's number, or [`ANY`].
    pub of: u32,
    /// What is compared; for `EVENT` the id.
    pub value: i64,
    /// It fires when this has happened so often, from 1 on.
    pub nth: u32,
    /// So many events are recorded after it.
    pub after: u32,
}

/// The triggers. None is armed when it is zero. `repr(C)`: hooks read `watched`.
#[derive(Debug)]
#[repr(C)]
pub struct Triggers {
    /// Four ids each, as bytes.
    watched: [AtomicU32; 64],
    all: [Slot; TRIGGERS],
    /// How often any of them fired.
    fired: AtomicU32,
    /// Events that are still to be recorded after the last one that fired.
    left: AtomicU32,
    /// 1 while they are counted.
    counts: AtomicU32,
}

#[derive(Debug, Default)]
#[repr(C)]
struct Slot {
    /// From bit 16 on 1 if it was ever set; condition; id.
    what: AtomicU32,
    of: AtomicU32,
    value: [AtomicU32; 2],
    nth: AtomicU32,
    after: AtomicU32,
    /// How often it has still to happen; 0 while it is not armed.
    to_come: AtomicU32,
    /// Of the task that it waits for: its state, and the core that it runs on.
    state: AtomicU32,
    since: AtomicU32,
    /// The event that it fired at last, and its number.
    event: AtomicU32,
    number: AtomicU32,
}

const IS_SET: u32 = 1 << 16;

fn load(word: &AtomicU32) -> u32 {
    word.load(Ordering::Relaxed)
}

fn store(word: &AtomicU32, value: u32) {
    word.store(value, Ordering::Relaxed);
}

impl Slot {
    fn condition(&self) -> u8 {
        (load(&self.what) >> 8) as u8
    }

    /// The n-th time that its condition holds is this one. `value` is the event's second field, `now` the lower half of the time.
    fn fires(&self, id: u8, number: u32, value: i64, now: u32, core: u32) -> bool {
        let to_come = load(&self.to_come);
        let limit = i64::from(load(&self.value[0])) | i64::from(load(&self.value[1])) << 32;
        let condition = self.condition();
        let is_of = load(&self.of) == number || load(&self.of) == ANY;
        let holds = match condition {
            READY_WAIT => return to_come != 0 && self.waited(id, number, limit, now, core),
            QUEUE_FULL | AT_LEAST => value >= limit,
            STACK => value < limit,
            AT_MOST => value <= limit,
            EQUAL => value == limit,
            _ => true,
        };
        to_come != 0 && is_of && holds && self.happened(to_come)
    }

    /// What it waits for has happened once more; true for the n-th time.
    fn happened(&self, to_come: u32) -> bool {
        store(&self.to_come, to_come.wrapping_sub(1));
        to_come == 1
    }

    /// The task runs, and was ready for too long. A task that is ready, or runs, may be reported as ready again: that is a
    /// change of its priority. The first time counts, or the last one where it may have been running.
    fn waited(&self, id: u8, number: u32, limit: i64, now: u32, core: u32) -> bool {
        let state = load(&self.state);
        let is_it = load(&self.of) == number;
        let runs_here = RUNS | core << 8;
        if id == READY {
            if is_it && state <= STANDS {
                store(&self.state, if state == STANDS { WAITS } else { MAY_WAIT });
                store(&self.since, now);
            }
        } else if is_it {
            store(&self.state, runs_here);
            let waited = now.wrapping_sub(load(&self.since));
            let has_waited = state == WAITS || state == MAY_WAIT;
            return has_waited && i64::from(waited) > limit && self.happened(load(&self.to_come));
        } else if state == runs_here {
            store(&self.state, STANDS);
        }
        false
    }

    /// Armed anew.
    fn arm(&self) {
        store(&self.to_come, load(&self.nth));
        store(&self.state, UNKNOWN);
    }
}

impl Default for Triggers {
    fn default() -> Self {
        Self {
            watched: [const { AtomicU32::new(0) }; 64],
            all: Default::default(),
            fired: AtomicU32::new(0),
            left: AtomicU32::new(0),
            counts: AtomicU32::new(0),
        }
    }
}

impl Triggers {
    /// Adds a bit to the byte of an id.
    fn watch(&self, id: u8, bit: u8) {
        let mut bytes = [0; 4];
        if let Some(byte) = bytes.get_mut(usize::from(id & 3)) {
            *byte = bit;
        }
        if let Some(word) = self.watched.get(usize::from(id) / 4) {
            store(word, load(word) | u32::from_ne_bytes(bytes));
        }
    }

    /// Of the bytes of all ids only `kept` stays, and `added` is added.
    fn change_all(&self, kept: u8, added: u8) {
        let kept = u32::from_ne_bytes([kept; 4]);
        let added = u32::from_ne_bytes([added; 4]);
        for word in &self.watched {
            store(word, load(word) & kept | added);
        }
    }

    /// Sets and arms a trigger in the first place that is not armed. `None`, and nothing changes, if all are, or if there is no
    /// such condition or event, or it would never hold.
    pub fn set(&self, trigger: &Trigger) -> Option<u32> {
        let id = match u8::try_from(trigger.value) {
            Ok(id) if trigger.condition == EVENT => id,
            _ => 0,
        };
        let is_known = match trigger.condition {
            EVENT => may_be_left_out(id) || OTHERS.contains(&id),
            READY_WAIT => trigger.of != ANY,
            condition => usize::from(condition) < CONDITIONS.len(),
        };
        if !is_known || trigger.nth == 0 {
            return None;
        }
        for (at, slot) in (0..).zip(&self.all) {
            if load(&slot.to_come) == 0 {
                store(&slot.what, IS_SET | u32::from(trigger.condition) << 8 | u32::from(id));
                store(&slot.of, trigger.of);
                store(&slot.value[0], trigger.value as u32);
                store(&slot.value[1], (trigger.value >> 32) as u32);
                store(&slot.nth, trigger.nth);
                store(&slot.after, trigger.after);
                self.arm(at);
                return Some(at);
            }
        }
        None
    }

    /// Arms a trigger as it was set last, whether it is armed or not. `false` if it was never set.
    pub fn arm(&self, at: u32) -> bool {
        let Some(slot) = self.all.get(at as usize).filter(|slot| load(&slot.what) != 0) else {
            return false;
        };
        self.disarm(at);
        slot.arm();
        let bit = 1_u8.wrapping_shl(at);
        match CONDITIONS.get(usize::from(slot.condition())) {
            Some(condition) if condition.number != EVENT => {
                for id in condition.events {
                    self.watch(*id, bit);
                }
            }
            _ => self.watch(load(&slot.what) as u8, bit),
        }
        true
    }

    /// A trigger does not fire any more. `false` if it was never set.
    pub fn disarm(&self, at: u32) -> bool {
        let Some(slot) = self.all.get(at as usize).filter(|slot| load(&slot.what) != 0) else {
            return false;
        };
        store(&slot.to_come, 0);
        self.change_all(!1_u8.wrapping_shl(at), 0);
        true
    }

    /// Whether a trigger is armed.
    pub fn is_armed(&self, at: u32) -> bool {
        self.all.get(at as usize).is_some_and(|slot| load(&slot.to_come) != 0)
    }

    /// A recording starts: nothing is counted for the one before, and nobody knows what tasks have done meanwhile.
    pub fn start(&self) {
        store(&self.counts, 0);
        self.change_all(!COUNTS, 0);
        for slot in &self.all {
            store(&slot.state, UNKNOWN);
        }
    }

    /// An event was recorded. A bit for each trigger that fires there, whose events [`fact`](Self::fact) has, and bit 7 if the
    /// recording ends with them.
    pub fn sees(&self, id: u8, number: u32, value: i64, now: u32, core: u32) -> u32 {
        let mut firing = 0_u8;
        let mut left = load(&self.left);
        let was_counting = load(&self.counts) != 0;
        if was_counting {
            left = left.saturating_sub(1);
        } else {
            left = 0;
        }
        for (at, slot) in (0..).zip(&self.all) {
            let bit = 1_u8.wrapping_shl(at);
            let byte = self.watched.get(usize::from(id) / 4).map_or(0, load).to_ne_bytes();
            let is_watched = byte.get(usize::from(id & 3)).is_some_and(|byte| byte & bit != 0);
            if is_watched && slot.fires(id, number, value, now, core) {
                firing |= bit;
                store(&slot.event, id.into());
                store(&slot.number, number);
                left = left.max(load(&slot.after));
            }
        }
        store(&self.left, left);
        if firing == 0 && !was_counting {
            return 0;
        }
        let is_over = left == 0;
        store(&self.counts, (!is_over).into());
        if firing != 0 || is_over {
            self.change_all(!(firing | COUNTS), if is_over { 0 } else { COUNTS });
        }
        u32::from(firing | if is_over { COUNTS } else { 0 })
    }

    /// Fields of the event of trigger `at`, which has just fired; it is counted.
    pub fn fact(&self, at: u32) -> (u32, i64) {
        let fired = load(&self.fired).wrapping_add(1);
        store(&self.fired, fired);
        let is = self.all.get(at as usize).map_or(0, |slot| {
            let (condition, event) = (slot.condition(), load(&slot.event) as u8);
            Fired { trigger: at as u8, condition, event, of: load(&slot.number) }.write()
        });
        (fired, is)
    }

    /// How often any of them fired since the last reset.
    pub fn fired(&self) -> u32 {
        load(&self.fired)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUE: Trigger = Trigger { condition: AT_LEAST, of: 1, value: 5, nth: 1, after: 0 };

    #[test]
    fn counts_turn() {
        let triggers = Triggers::default();
        store(&triggers.fired, u32::MAX);
        assert_eq!(triggers.set(&VALUE), Some(0));
        assert_eq!(triggers.sees(11, 1, 5, 0, 0), u32::from(COUNTS) | 1);
        assert_eq!(triggers.fact(0).0, 0);
        assert_eq!(triggers.fired(), 0);
    }

    #[test]
    fn a_wait_over_the_turn_of_the_time() {
        let triggers = Triggers::default();
        let wait = Trigger { condition: READY_WAIT, of: 2, value: 9, ..VALUE };
        assert_eq!(triggers.set(&wait), Some(0));
        triggers.sees(READY, 2, 0, u32::MAX - 4, 0);
        assert_eq!(triggers.sees(84, 2, 0, 5, 0) & 1, 1);
        // Exactly as long, and no longer.
        triggers.arm(0);
        triggers.sees(READY, 2, 0, u32::MAX - 4, 0);
        assert_eq!(triggers.sees(84, 2, 0, 4, 0) & 1, 0);
    }

    #[test]
    fn a_task_that_runs_is_not_woken() {
        let triggers = Triggers::default();
        let wait = Trigger { condition: READY_WAIT, of: 2, value: 9, ..VALUE };
        triggers.set(&wait);
        for (id, task, now, core) in [
            (84, 2, 10, 1),
            (READY, 2, 20, 0), // its priority
            (84, 5, 25, 0),    // another core
            (READY, 2, 30, 0),
            (84, 3, 40, 1), // now it does not run
            (READY, 2, 50, 0),
            (READY, 2, 56, 0), // its priority
        ] {
            assert_eq!(triggers.sees(id, task, 0, now, core), 0);
        }
        assert_eq!(triggers.sees(84, 2, 0, 60, 1) & 1, 1);
    }

    #[test]
    fn what_can_never_fire_is_refused_and_there_are_seven() {
        let triggers = Triggers::default();
        for wrong in [
            Trigger { condition: EVENT, value: 228, ..VALUE },
            Trigger { condition: EVENT, value: 256, ..VALUE },
            Trigger { condition: EVENT, value: -1, ..VALUE },
            Trigger { condition: READY_WAIT, of: ANY, ..VALUE },
            Trigger { condition: 9, ..VALUE },
            Trigger { nth: 0, ..VALUE },
        ] {
            assert_eq!(triggers.set(&wrong), None, "{wrong:?}");
        }
        for at in 0..TRIGGERS as u32 {
            assert_eq!(triggers.set(&VALUE), Some(at));
        }
        assert_eq!(triggers.set(&VALUE), None);
        assert!(triggers.disarm(4) && !triggers.is_armed(4));
        assert_eq!(triggers.set(&VALUE), Some(4));
        assert!(!triggers.arm(7) && !triggers.disarm(7) && !triggers.is_armed(7));
        // Where nobody looks there is no bit.
        assert!(
            triggers.watched.iter().enumerate().all(|(at, word)| (load(word) == 0) == (at != 2))
        );
        assert!(triggers.disarm(0));
        assert_eq!(triggers.sees(11, 1, 5, 0, 0), u32::from(COUNTS) | 0b111_1110);
        assert!(triggers.watched.iter().all(|word| load(word) == 0));
    }

    #[test]
    fn an_end_is_put_off_by_another() {
        let triggers = Triggers::default();
        triggers.set(&Trigger { after: 2, ..VALUE });
        triggers.set(&Trigger { value: 7, after: 3, ..VALUE });
        assert_eq!(triggers.sees(11, 1, 5, 0, 0), 1);
        assert_eq!(triggers.sees(84, 1, 0, 0, 0), 0);
        // The last one after the first.
        assert_eq!(triggers.sees(11, 1, 7, 0, 0), 2);
        assert_eq!([(); 3].map(|()| triggers.sees(84, 1, 0, 0, 0)), [0, 0, COUNTS.into()]);
        assert_eq!(triggers.sees(84, 1, 0, 0, 0), 0);
        // A new recording.
        triggers.arm(0);
        assert_eq!(triggers.sees(11, 1, 5, 0, 0), 1);
        triggers.start();
        assert_eq!([(); 3].map(|()| triggers.sees(84, 1, 0, 0, 0)), [0; 3]);
    }
}
