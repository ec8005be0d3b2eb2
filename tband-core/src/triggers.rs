//! Triggers: what firmware waits for, so that the recording stops soon after it.
//!
//! A hook reads the byte of its event's id, which has a bit for each armed trigger that may fire there: usually 0. Otherwise
//! [`Triggers::evaluate`] is called after the event was recorded, and returns an event to record at once. The hook calls it again after
//! that, until it returns none. A trigger fires once, and then must be armed again. While the events after a trigger are counted,
//! all ids have a bit.
//!
//! Context of all functions: the critical section, and the lock between cores; except [`Triggers::is_armed`] and
//! [`Triggers::fired`], which only read. The lock is not held while an event is recorded: a core that has yet to record a fired
//! trigger is counted, and the recording does not end until then.

use crate::atomics::{AtomicU32, Ordering};

use tband_format::classes::filter::may_be_left_out;
use tband_format::trigger::{
    AT_LEAST, AT_MOST, CONDITIONS, CRASH, DELETED, EQUAL, EVENT, INHERITS, QUEUE_FULL, READY,
    READY_WAIT, RESUMED_FROM_ISR, RUNS as RUN, STACK, SUSPENDED, TriggerState,
};

/// Words of the bytes of all ids.
const WORDS: usize = 64;

/// Number of triggers.
pub const TRIGGERS: usize = 7;
/// Bit of an id's byte: events are counted.
pub const COUNTS: u8 = 1 << TRIGGERS;

/// An object's number: whatever object it is.
pub const ANY: u32 = u32::MAX;

/// Events that belong to no class, and may fire a trigger all the same.
const OTHERS: [u8; 4] = [CONDITIONS[CRASH as usize].events[0], 232, 234, 238];

/// A bit for each event that may fire a trigger.
static MAY_FIRE: [u32; 8] = {
    let mut ids = [0; 8];
    let mut id = 0;
    while id < 256 {
        if may_be_left_out(id as u8) {
            ids[id / 32] |= 1 << (id % 32);
        }
        id += 1;
    }
    let mut at = 0;
    while at < OTHERS.len() {
        ids[OTHERS[at] as usize / 32] |= 1 << (OTHERS[at] % 32);
        at += 1;
    }
    ids
};

/// Events that conditions inspect, by their ids only, because their names are not needed here.
static EVENTS_OF: [&[u8]; CONDITIONS.len()] = {
    let mut events: [&[u8]; CONDITIONS.len()] = [&[]; CONDITIONS.len()];
    let mut at = 0;
    while at < CONDITIONS.len() {
        events[at] = CONDITIONS[at].events;
        at += 1;
    }
    events
};

/// The task that a trigger waits for has not become ready since it last ran, or its state is unknown.
const IDLE: u32 = 0;
/// It is ready.
const WAITS: u32 = 1;
/// It runs; from bit 8 on which core.
const RUNS: u32 = 2;
/// It runs, and was woken before it left its core.
const WOKEN: u32 = 4;
/// One report has made it ready. The kernel reports a task as ready before it reports an inherited priority, so a single report may
/// not be a wake-up.
const ONCE: u32 = 8;

/// The value of [`READY`] in [`RecordedEvent`]: the kernel lists the task again, at another priority. It was ready before.
pub const RELISTED: i64 = 1;

/// The condition of a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// A number of `tband_format::trigger`.
    pub condition: u8,
    /// The object's number, or [`ANY`].
    pub of: u32,
    /// The value to compare with; for `EVENT` the id.
    pub value: i64,
    /// It fires when this has happened so often, from 1 on.
    pub nth: u32,
    /// So many events are recorded after it.
    pub after: u32,
}

/// The triggers. When zero, none is armed. `repr(C)`: hooks read `watched`.
#[derive(Debug)]
#[repr(C)]
pub struct Triggers {
    /// Four ids each, as bytes.
    watched: [AtomicU32; WORDS],
    all: [Slot; TRIGGERS],
    /// How often any trigger has fired.
    fired: AtomicU32,
    /// Number of events still to record after the last trigger that fired.
    left: AtomicU32,
    /// 1 while they are counted.
    counts: AtomicU32,
    /// Cores that have yet to record that a trigger has fired.
    recording: AtomicU32,
    /// 1: the recording is about to stop, and none fires before the next one.
    ended: AtomicU32,
}

/// An event that was recorded.
#[derive(Clone, Copy, Debug)]
pub struct RecordedEvent {
    /// Its id.
    pub id: u8,
    /// Its first field.
    pub number: u32,
    /// Its second field.
    pub value: i64,
    /// The lower half of the time.
    pub now: u32,
    /// The core that has recorded it.
    pub core: u32,
}

/// The next action after an event was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextAction {
    /// Nothing.
    Nothing,
    /// A trigger has fired: record the event `trigger` with these fields, and then ask again from the next trigger on.
    Fired {
        /// The trigger.
        at: u32,
        /// How often any has fired.
        n: u32,
        /// What it fired at.
        is: i64,
    },
    /// The event `frozen`; the recording ends.
    Frozen {
        /// How often any has fired.
        n: u32,
    },
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
    /// Number of occurrences left until it fires; 0 while it is not armed.
    to_come: AtomicU32,
    /// The state of the task that the trigger waits for, and the core that it runs on.
    state: AtomicU32,
    since: AtomicU32,
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

    /// Returns whether its condition holds for the n-th time now.
    fn is_firing(&self, seen: &RecordedEvent) -> bool {
        let to_come = load(&self.to_come);
        let limit = i64::from(load(&self.value[0])) | i64::from(load(&self.value[1])) << 32;
        let is_of = load(&self.of) == seen.number || load(&self.of) == ANY;
        let holds = match self.condition() {
            READY_WAIT => return to_come != 0 && self.waited(seen, limit),
            QUEUE_FULL | AT_LEAST => seen.value >= limit,
            STACK => seen.value < limit,
            AT_MOST => seen.value <= limit,
            EQUAL => seen.value == limit,
            _ => true,
        };
        to_come != 0 && is_of && holds && self.count_occurrence(to_come)
    }

    /// Counts an occurrence of the condition; returns true for the n-th one.
    fn count_occurrence(&self, to_come: u32) -> bool {
        store(&self.to_come, to_come.wrapping_sub(1));
        to_come == 1
    }

    /// Returns whether the task runs now, and its wake-up was too long ago. A task that is ready may be reported as ready again:
    /// the first report counts.
    fn waited(&self, seen: &RecordedEvent, limit: i64) -> bool {
        let RecordedEvent { id, number, value, now, core } = *seen;
        let state = load(&self.state);
        let runs_here = RUNS | core << 8;
        if load(&self.of) != number {
            if id == RUN && state & !(WOKEN | ONCE) == runs_here {
                let is_ready = state & WOKEN != 0;
                store(&self.state, if is_ready { WAITS | state & ONCE } else { IDLE });
            }
            return false;
        }
        match id {
            READY if value == RELISTED => {}
            READY | RESUMED_FROM_ISR => {
                if state & (WAITS | WOKEN) != 0 {
                    store(&self.state, state & !ONCE);
                } else {
                    let ready = if state & RUNS != 0 { state | WOKEN } else { WAITS };
                    store(&self.state, if id == READY { ready | ONCE } else { ready });
                    store(&self.since, now);
                }
            }
            INHERITS if state & ONCE != 0 => store(&self.state, state & !(WAITS | WOKEN | ONCE)),
            SUSPENDED | DELETED => store(&self.state, IDLE),
            RUN => {
                store(&self.state, runs_here);
                let waited = now.wrapping_sub(load(&self.since));
                return state & (WAITS | WOKEN) != 0
                    && i64::from(waited) > limit
                    && self.count_occurrence(load(&self.to_come));
            }
            _ => {}
        }
        false
    }

    /// Arms the trigger again.
    fn arm(&self) {
        store(&self.to_come, load(&self.nth));
        store(&self.state, IDLE);
    }
}

impl Default for Triggers {
    fn default() -> Self {
        Self {
            watched: [const { AtomicU32::new(0) }; WORDS],
            all: Default::default(),
            fired: AtomicU32::new(0),
            left: AtomicU32::new(0),
            counts: AtomicU32::new(0),
            recording: AtomicU32::new(0),
            ended: AtomicU32::new(0),
        }
    }
}

impl Triggers {
    /// Returns the byte of an id, which hooks read.
    pub fn watched(&self, id: u8) -> u8 {
        let bytes = self.watched.get(usize::from(id) / 4).map_or(0, load).to_ne_bytes();
        bytes.get(usize::from(id & 3)).copied().unwrap_or(0)
    }

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

    /// Keeps only the bits `kept` in the bytes of all ids, and sets the bits `added`.
    fn change_all(&self, kept: u8, added: u8) {
        let kept = u32::from_ne_bytes([kept; 4]);
        let added = u32::from_ne_bytes([added; 4]);
        for word in &self.watched {
            store(word, load(word) & kept | added);
        }
    }

    /// Sets and arms a trigger in the first free entry. Returns `None`, and changes nothing, if all are armed, if the condition or
    /// event does not exist, or if the condition could never hold.
    pub fn set(&self, trigger: &Trigger) -> Option<u32> {
        let id = match u8::try_from(trigger.value) {
            Ok(id) if trigger.condition == EVENT => id,
            _ => 0,
        };
        let is_known = match trigger.condition {
            EVENT => {
                MAY_FIRE.get(usize::from(id / 32)).is_some_and(|ids| ids >> (id % 32) & 1 != 0)
            }
            READY_WAIT => trigger.of != ANY,
            condition => usize::from(condition) < EVENTS_OF.len(),
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
        let bit = 1_u8.wrapping_shl(at);
        // Not disarmed in between: readers take no lock.
        self.change_all(!bit, 0);
        slot.arm();
        match slot.condition() {
            EVENT => self.watch(load(&slot.what) as u8, bit),
            condition => {
                for id in EVENTS_OF.get(usize::from(condition)).copied().unwrap_or_default() {
                    self.watch(*id, bit);
                }
            }
        }
        true
    }

    /// Disarms a trigger. Returns `false` if it was never set.
    pub fn disarm(&self, at: u32) -> bool {
        let Some(slot) = self.all.get(at as usize).filter(|slot| load(&slot.what) != 0) else {
            return false;
        };
        store(&slot.to_come, 0);
        self.change_all(!1_u8.wrapping_shl(at), 0);
        true
    }

    /// Returns whether a trigger is armed.
    pub fn is_armed(&self, at: u32) -> bool {
        self.all.get(at as usize).is_some_and(|slot| load(&slot.to_come) != 0)
    }

    /// Called at the start of a recording: discards the counts of the previous one, and the states of tasks, which are unknown by
    /// now.
    pub fn start(&self) {
        store(&self.ended, 0);
        store(&self.counts, 0);
        self.change_all(!COUNTS, 0);
        self.forget();
    }

    /// Marks the states of tasks as unknown, because events of tasks were left out.
    pub fn forget(&self) {
        for slot in &self.all {
            store(&slot.state, IDLE);
        }
    }

    /// Called after an event was recorded: returns the next action. `from` is 0, or one more than the trigger whose firing the
    /// caller has just recorded. `stops`: a frozen recording stops.
    pub fn evaluate(&self, seen: &RecordedEvent, from: u32, stops: bool) -> NextAction {
        if load(&self.ended) != 0 {
            return NextAction::Nothing;
        }
        if from != 0 {
            store(&self.recording, load(&self.recording).wrapping_sub(1));
        } else if load(&self.counts) != 0 {
            store(&self.left, load(&self.left).saturating_sub(1));
        }
        let watched = self.watched(seen.id);
        for (at, slot) in (0..).zip(&self.all).skip(from as usize) {
            let bit = 1_u8.wrapping_shl(at);
            if watched & bit != 0 && slot.is_firing(seen) {
                return self.fired_at(at, slot, seen);
            }
        }
        // Not before all that has fired is recorded.
        if load(&self.counts) == 0 || load(&self.left) != 0 || load(&self.recording) != 0 {
            return NextAction::Nothing;
        }
        store(&self.counts, 0);
        store(&self.ended, stops.into());
        if watched & COUNTS != 0 {
            self.change_all(!COUNTS, 0);
        }
        NextAction::Frozen { n: self.fired() }
    }

    /// Fires a trigger. Events after it are counted from the next one on.
    fn fired_at(&self, at: u32, slot: &Slot, seen: &RecordedEvent) -> NextAction {
        let left = if load(&self.counts) != 0 { load(&self.left) } else { 0 };
        let left = left.max(load(&slot.after));
        store(&self.left, left);
        store(&self.counts, 1);
        self.change_all(!1_u8.wrapping_shl(at), if left == 0 { 0 } else { COUNTS });
        store(&self.recording, load(&self.recording).wrapping_add(1));
        let n = load(&self.fired).wrapping_add(1);
        store(&self.fired, n);
        let condition = slot.condition();
        let is =
            TriggerState { trigger: at as u8, condition, event: seen.id, of: seen.number }.write();
        NextAction::Fired { at, n, is }
    }

    /// Returns how often any trigger has fired since the last reset.
    pub fn fired(&self) -> u32 {
        load(&self.fired)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tband_format::trigger::FAILURE;

    use super::*;

    const VALUE: Trigger = Trigger { condition: AT_LEAST, of: 1, value: 5, nth: 1, after: 0 };

    /// Returns what one core records after an event: the bits of the triggers that fire, and [`COUNTS`] if the recording ends.
    fn evaluate(triggers: &Triggers, id: u8, number: u32, value: i64, now: u32, core: u32) -> u8 {
        let seen = RecordedEvent { id, number, value, now, core };
        let (mut bits, mut from) = (0, 0);
        loop {
            match triggers.evaluate(&seen, from, false) {
                NextAction::Nothing => return bits,
                NextAction::Frozen { .. } => return bits | COUNTS,
                NextAction::Fired { at, .. } => {
                    bits |= 1 << at;
                    from = at + 1;
                }
            }
        }
    }

    #[test]
    fn counts_turn() {
        let triggers = Triggers::default();
        store(&triggers.fired, u32::MAX);
        assert_eq!(triggers.fired(), u32::MAX);
        assert_eq!(triggers.set(&VALUE), Some(0));
        assert_eq!(evaluate(&triggers, 11, 1, 5, 0, 0), COUNTS | 1);
        assert_eq!(triggers.fired(), 0);
    }

    #[test]
    fn a_wait_over_the_turn_of_the_time() {
        let triggers = Triggers::default();
        let wait = Trigger { condition: READY_WAIT, of: 2, value: 9, ..VALUE };
        assert_eq!(triggers.set(&wait), Some(0));
        evaluate(&triggers, READY, 2, 0, u32::MAX - 4, 0);
        assert_eq!(evaluate(&triggers, 84, 2, 0, 5, 0) & 1, 1);
        // Exactly as long, and no longer.
        triggers.arm(0);
        evaluate(&triggers, READY, 2, 0, u32::MAX - 4, 0);
        assert_eq!(evaluate(&triggers, 84, 2, 0, 4, 0) & 1, 0);
    }

    /// Runs events of task 2, or of the given task, each 10 ticks after the previous one, on the given core. Returns whether a wait
    /// of more than 25 ticks is detected at the last one.
    fn has_long_wait(events: &[(u8, u32, u32)]) -> bool {
        let triggers = Triggers::default();
        triggers.set(&Trigger { condition: READY_WAIT, of: 2, value: 25, ..VALUE });
        let mut has_fired = false;
        for ((id, task, core), now) in events.iter().zip((0..).step_by(10)) {
            assert!(!has_fired, "{events:?}");
            let (id, value) = if *id == LISTED { (READY, RELISTED) } else { (*id, 0) };
            has_fired = evaluate(&triggers, id, *task, value, now, *core) & 1 != 0;
        }
        has_fired
    }

    /// Id of a report that lists the task again.
    const LISTED: u8 = 1;

    #[test]
    fn only_wake_ups_begin_a_wait() {
        let other = (RUN, 3, 0);
        let [runs, ready, listed] = [RUN, READY, LISTED].map(|id| (id, 2, 0));
        let [resumed, suspended, inherits, deleted] =
            [RESUMED_FROM_ISR, SUSPENDED, INHERITS, DELETED].map(|id| (id, 2, 0));
        for (events, is_long) in [
            (&[ready, other, other, runs][..], true),
            (&[ready, other, runs], false),
            // Preempted, and its priority is changed or inherited.
            (&[runs, other, other, other, runs], false),
            (&[runs, other, listed, other, other, other, runs], false),
            (&[runs, other, ready, inherits, other, other, other, runs], false),
            // Woken, and its priority is changed or inherited: the wake-up counts.
            (&[runs, other, ready, listed, other, runs], true),
            (&[runs, other, ready, ready, inherits, runs], true),
            (&[ready, listed, other, runs], true),
            (&[other, ready, ready, inherits, runs], true),
            // Suspended or deleted while it is ready.
            (&[ready, suspended, other, other, ready, other, runs], false),
            (&[ready, suspended, other, other, runs], false),
            (&[ready, suspended, ready, other, other, runs], true),
            (&[ready, deleted, other, other, ready, other, runs], false),
            // Resumed by an interrupt while the scheduler is suspended, which lists it later.
            (&[resumed, other, ready, runs], true),
            (&[resumed, ready, inherits, runs], true),
            (&[runs, suspended, other, resumed, other, ready, runs], true),
            // Woken before it leaves its core.
            (&[runs, ready, other, other, runs], true),
            (&[runs, ready, runs, other, other, runs], false),
            (&[runs, ready, inherits, other, other, runs], false),
            (&[runs, listed, other, other, other, runs], false),
            // Events of another core do not take the task off its core.
            (&[(RUN, 2, 1), other, ready, inherits, other, other, other, (RUN, 2, 1)], false),
            (&[(RUN, 2, 1), (RUN, 3, 1), ready, other, other, (RUN, 2, 0)], true),
            (&[(RUN, 2, 1), ready, other, (RUN, 3, 1), (RUN, 2, 0)], true),
        ] {
            assert_eq!(has_long_wait(events), is_long, "{events:?}");
        }
    }

    #[test]
    fn a_wait_whose_events_were_left_out_is_forgotten() {
        let triggers = Triggers::default();
        triggers.set(&Trigger { condition: READY_WAIT, of: 2, value: 9, ..VALUE });
        evaluate(&triggers, READY, 2, 0, 10, 0);
        triggers.forget();
        assert_eq!(evaluate(&triggers, RUN, 2, 0, 90, 0) & 1, 0);
        evaluate(&triggers, READY, 2, 0, 100, 0);
        assert_eq!(evaluate(&triggers, RUN, 2, 0, 110, 0) & 1, 1);
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
        // An id that no trigger waits for has no bit.
        assert!(
            triggers.watched.iter().enumerate().all(|(at, word)| (load(word) == 0) == (at != 2))
        );
        assert!(triggers.disarm(0));
        assert_eq!(evaluate(&triggers, 11, 1, 5, 0, 0), COUNTS | 0b111_1110);
        assert!(triggers.watched.iter().all(|word| load(word) == 0));
    }

    #[test]
    fn events_that_can_be_left_out_may_fire_and_these_too() {
        for id in 0..=255_u8 {
            let event = Trigger { condition: EVENT, value: id.into(), ..VALUE };
            let is_one = may_be_left_out(id) || [225, 232, 234, 238].contains(&id);
            assert_eq!(Triggers::default().set(&event).is_some(), is_one, "{id}");
        }
    }

    #[test]
    fn conditions_compare_values_with_their_limit() {
        const LOW: i64 = -(1 << 40);
        for (condition, id, limit, [below, same, above]) in [
            (QUEUE_FULL, 104, 3, [0, 1, 1]),
            (AT_LEAST, 11, LOW, [0, 1, 1]),
            (STACK, 194, 1 << 33, [1, 0, 0]),
            (AT_MOST, 11, LOW, [1, 1, 0]),
            (EQUAL, 11, LOW, [0, 1, 0]),
            (FAILURE, 189, 0, [1, 1, 1]),
            (CRASH, 225, 0, [1, 1, 1]),
        ] {
            for (value, fires) in [(limit - 1, below), (limit, same), (limit + 1, above)] {
                let triggers = Triggers::default();
                let trigger = Trigger { condition, value: limit, after: 9, ..VALUE };
                assert_eq!(triggers.set(&trigger), Some(0));
                assert_eq!(evaluate(&triggers, id, 2, value, 0, 0), 0, "of another object");
                assert_eq!(evaluate(&triggers, 84, 1, value, 0, 0), 0, "another event");
                assert_eq!(evaluate(&triggers, id, 1, value, 0, 0), fires, "{condition}: {value}");
                assert_eq!(triggers.is_armed(0), fires == 0);
            }
        }
    }

    #[test]
    fn an_end_is_put_off_by_another() {
        let triggers = Triggers::default();
        triggers.set(&Trigger { after: 2, ..VALUE });
        triggers.set(&Trigger { value: 7, after: 3, ..VALUE });
        assert_eq!(evaluate(&triggers, 11, 1, 5, 0, 0), 1);
        assert!((0..=255).all(|id| triggers.watched(id) != 0), "each event counts");
        assert_eq!(evaluate(&triggers, 84, 1, 0, 0, 0), 0);
        // The last one after the first.
        assert_eq!(evaluate(&triggers, 11, 1, 7, 0, 0), 2);
        assert_eq!([(); 3].map(|()| evaluate(&triggers, 84, 1, 0, 0, 0)), [0, 0, COUNTS]);
        assert!((0..=255).all(|id| triggers.watched(id) == 0));
        assert_eq!(evaluate(&triggers, 84, 1, 0, 0, 0), 0);
        // A new recording.
        triggers.arm(0);
        assert_eq!(evaluate(&triggers, 11, 1, 5, 0, 0), 1);
        triggers.start();
        assert_eq!([(); 3].map(|()| evaluate(&triggers, 84, 1, 0, 0, 0)), [0; 3]);
    }

    /// A model of a trigger on an event.
    #[derive(Clone, Copy, Default)]
    struct ModelTrigger {
        id: u8,
        of: u32,
        nth: u32,
        after: u32,
        to_come: u32,
    }

    proptest! {
        /// Triggers that are set, armed, disarmed and used again do what plain ones do; and no hook passes by one that waits.
        #[test]
        fn as_plain_ones(steps in proptest::collection::vec((0..12_u8, 0..4_usize, 0..8_u32, 1..4_u32, 0..4_u32), 1..200)) {
            let triggers = Triggers::default();
            let mut plain = [ModelTrigger::default(); TRIGGERS];
            let (mut counts, mut left) = (false, 0_u32);
            for (what, kind, at, nth, after) in steps {
                let id = [11, 84, 102, 4][kind];
                let slot = plain.get_mut(at as usize).filter(|it| it.nth != 0);
                match what {
                    0 | 1 => {
                        let of = [ANY, 1, 2][at as usize % 3];
                        let free = plain.iter().position(|it| it.to_come == 0);
                        let set = Trigger { condition: EVENT, of, value: id.into(), nth, after };
                        prop_assert_eq!(triggers.set(&set), free.map(|at| at as u32));
                        if let Some(at) = free {
                            plain[at] = ModelTrigger { id, of, nth, after, to_come: nth };
                        }
                    }
                    2 => {
                        prop_assert_eq!(triggers.arm(at), slot.is_some());
                        slot.into_iter().for_each(|it| it.to_come = it.nth);
                    }
                    3 => {
                        prop_assert_eq!(triggers.disarm(at), slot.is_some());
                        slot.into_iter().for_each(|it| it.to_come = 0);
                    }
                    4 if nth == 1 => {
                        triggers.start();
                        counts = false;
                    }
                    _ => {
                        let of = at % 3;
                        let is_passed = triggers.watched(id) == 0;
                        let found = if is_passed { 0 } else { evaluate(&triggers, id, of, 0, 0, 0) };
                        let mut fires = 0;
                        left = if counts { left.saturating_sub(1) } else { 0 };
                        for (at, it) in plain.iter_mut().enumerate() {
                            if it.to_come != 0 && it.id == id && (it.of == ANY || it.of == of) {
                                it.to_come -= 1;
                                if it.to_come == 0 {
                                    fires |= 1 << at;
                                    (left, counts) = (left.max(it.after), true);
                                }
                            }
                        }
                        if counts && left == 0 {
                            fires |= COUNTS;
                            counts = false;
                        }
                        prop_assert_eq!(found, fires);
                    }
                }
            }
        }
    }
}
