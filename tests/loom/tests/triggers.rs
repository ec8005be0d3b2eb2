//! Two cores, the same triggers: each records, arms and disarms, under every interleaving and every view of memory that loom
//! knows, up to a number of preemptions.
//!
//! The tests run tband-core's own source with loom's atomics. The shim's part, which is C, is rewritten here: `records`, which
//! is an event with its consequences (`port/triggers/tband_trigger.h`), and the lock around arming. The recording is one list
//! for both cores; other models cover the packets that contain it.

use tband_loom::verdict::Preemptions;

const PREEMPTIONS: Preemptions = Preemptions(3);

/// The models on one of the sources.
macro_rules! models {
    ($source:ident) => {
        #[allow(dead_code, reason = "each source is asked for what it lacks")]
        mod $source {
            use std::sync::Mutex;

            use loom::sync::Arc;
            use loom::sync::atomic::{AtomicU32, Ordering};
            use loom::thread;
            use tband_loom::lock::Lock;
            use tband_loom::$source::trigger;
            use tband_loom::$source::triggers::{
                ANY, NextAction, RecordedEvent, Trigger, Triggers,
            };

            /// Events that are recorded: value markers, and something else.
            const VALUE: u8 = 11;
            const OTHER: u8 = 4;

            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            enum Entry {
                Event { core: u32, id: u8, value: i64 },
                Trigger { core: u32, n: u32, is: i64 },
                Frozen { n: u32 },
                Disarmed,
            }

            #[derive(Default)]
            struct RecordedEntries {
                entries: Vec<Entry>,
                has_stopped: bool,
            }

            struct Memory {
                triggers: Triggers,
                lock: Lock,
                steps: AtomicU32,
                /// The events of this interleaving; the cores do not use it.
                recorded: Mutex<RecordedEntries>,
            }

            impl Memory {
                fn new() -> Arc<Self> {
                    Arc::new(Self {
                        triggers: Triggers::default(),
                        lock: Lock::new(),
                        steps: AtomicU32::new(0),
                        recorded: Mutex::default(),
                    })
                }

                fn locked<T>(&self, work: impl FnOnce(&Triggers) -> T) -> T {
                    self.lock.lock();
                    let result = work(&self.triggers);
                    self.lock.unlock();
                    result
                }

                fn arms(&self, condition: u8, value: i64, after: u32) -> u32 {
                    let trigger = Trigger { condition, of: ANY, value, nth: 1, after };
                    self.locked(|triggers| triggers.set(&trigger)).expect("there is room")
                }

                fn write(&self, entry: Entry) {
                    // Where other cores may come in between, and of no order.
                    self.steps.fetch_add(1, Ordering::Relaxed);
                    let mut recorded = self.recorded.lock().expect("no panic");
                    if !recorded.has_stopped {
                        recorded.entries.push(entry);
                    }
                }

                /// An event on a core, of a backend that stops.
                fn records(&self, core: u32, id: u8, value: i64) {
                    let is_watched = self.triggers.watched(id) != 0;
                    self.write(Entry::Event { core, id, value });
                    if !is_watched {
                        return;
                    }
                    let seen = RecordedEvent { id, number: 1, value, now: 0, core };
                    let mut from = 0;
                    loop {
                        match self.locked(|triggers| triggers.evaluate(&seen, from, true)) {
                            NextAction::Nothing => return,
                            NextAction::Fired { at, n, is } => {
                                self.write(Entry::Trigger { core, n, is });
                                from = at + 1;
                            }
                            NextAction::Frozen { n } => {
                                self.write(Entry::Frozen { n });
                                self.recorded.lock().expect("no panic").has_stopped = true;
                                return;
                            }
                        }
                    }
                }

                fn entries(&self) -> Vec<Entry> {
                    self.recorded.lock().expect("no panic").entries.clone()
                }
            }

            /// Runs one piece of work on each core.
            fn on_both(
                memory: &Arc<Memory>,
                core_0: impl FnOnce(&Memory) + Send + 'static,
                core_1: impl FnOnce(&Memory),
            ) {
                let other = Arc::clone(memory);
                let first = thread::spawn(move || core_0(&other));
                core_1(memory);
                first.join().expect("it ends");
            }

            /// Checks that each fired trigger is recorded after its event, and all of them before the freeze, whose report
            /// contains their number; at least `after` events are between.
            fn assert_whole(memory: &Memory, after: usize) {
                let entries = memory.entries();
                let (mut fired, mut since) = (0, 0);
                for (at, entry) in entries.iter().enumerate() {
                    match *entry {
                        Entry::Event { .. } => since += 1,
                        // It has the time of its event, so later events are after it.
                        Entry::Trigger { core, is, .. } => {
                            let (mut id, mut later) = (None, 0);
                            for entry in entries[..at].iter().rev() {
                                match entry {
                                    Entry::Event { core: of, id: its, .. } if *of == core => {
                                        id = Some(*its);
                                        break;
                                    }
                                    Entry::Event { .. } => later += 1,
                                    _ => {}
                                }
                            }
                            assert_eq!(id, Some((is >> 32) as u8), "it is of another event");
                            (fired, since) = (fired + 1, later);
                        }
                        Entry::Frozen { n } => {
                            assert_eq!(n, fired, "it is frozen before the reports: {entries:?}");
                            assert!(since >= after, "it is frozen too soon: {entries:?}");
                        }
                        Entry::Disarmed => {}
                    }
                }
                let frozen = |entry: &Entry| matches!(entry, Entry::Frozen { .. });
                assert!(entries.iter().filter(|entry| frozen(entry)).count() <= 1, "{entries:?}");
                assert_eq!(memory.triggers.fired(), fired, "one has fired unseen: {entries:?}");
            }

            /// One fires on core 0; the events that end the recording are those of core 1.
            pub fn the_end_comes_on_another_core() {
                let memory = Memory::new();
                memory.arms(trigger::EQUAL, 5, 1);
                let core_1 = |memory: &Memory| {
                    memory.records(1, OTHER, 0);
                    memory.records(1, OTHER, 0);
                };
                on_both(&memory, |memory| memory.records(0, VALUE, 5), core_1);
                assert_whole(&memory, 1);
            }

            /// One fires on each core, and each ends the recording.
            pub fn each_fires_on_a_core() {
                let memory = Memory::new();
                memory.arms(trigger::EQUAL, 5, 0);
                memory.arms(trigger::EVENT, OTHER.into(), 0);
                let core_1 = |memory: &Memory| memory.records(1, OTHER, 0);
                on_both(&memory, |memory| memory.records(0, VALUE, 5), core_1);
                assert_whole(&memory, 0);
                assert!(memory.triggers.fired() > 0);
            }

            /// Another one is armed in the place of one that fires.
            pub fn a_place_is_taken_while_its_trigger_is_recorded() {
                let memory = Memory::new();
                memory.arms(trigger::EQUAL, 5, 9);
                memory.arms(trigger::EQUAL, 6, 0);
                let core_0 = |memory: &Memory| {
                    let another = Trigger {
                        condition: trigger::AT_LEAST,
                        of: ANY,
                        value: 100,
                        nth: 1,
                        after: 0,
                    };
                    memory.locked(|triggers| triggers.set(&another));
                };
                on_both(&memory, core_0, |memory| memory.records(1, VALUE, 5));
                assert_whole(&memory, 0);
                let conditions = memory.entries().into_iter().filter_map(|entry| match entry {
                    Entry::Trigger { is, .. } => Some((is >> 40) as u8),
                    _ => None,
                });
                assert_eq!(conditions.collect::<Vec<_>>(), [trigger::EQUAL]);
            }

            /// After it was taken back it fires at no event that comes later, and before at most once.
            pub fn one_is_taken_back() {
                let memory = Memory::new();
                let number = memory.arms(trigger::EVENT, OTHER.into(), 9);
                let core_0 = move |memory: &Memory| {
                    assert!(memory.locked(|triggers| triggers.disarm(number)));
                    memory.write(Entry::Disarmed);
                };
                let core_1 = |memory: &Memory| {
                    memory.records(1, OTHER, 0);
                    memory.records(1, OTHER, 1);
                };
                on_both(&memory, core_0, core_1);
                assert_whole(&memory, 0);
                let entries = memory.entries();
                let place = |is: &dyn Fn(&Entry) -> bool| entries.iter().position(|it| is(it));
                let disarmed = place(&|it| *it == Entry::Disarmed).expect("it is there");
                if let Some(fired) = place(&|it| matches!(it, Entry::Trigger { .. })) {
                    let event =
                        entries[..fired].iter().rposition(|it| matches!(it, Entry::Event { .. }));
                    assert!(event.is_some_and(|it| it < disarmed), "it fires later: {entries:?}");
                }
                assert!(memory.triggers.fired() <= 1 && !memory.triggers.is_armed(number));
            }

            /// Who knows that one is armed records an event that it fires at.
            pub fn one_is_armed_and_that_is_known() {
                let memory = Memory::new();
                let known = Arc::new(AtomicU32::new(0));
                let flag = Arc::clone(&known);
                let core_0 = move |memory: &Memory| {
                    memory.arms(trigger::EVENT, OTHER.into(), 0);
                    flag.store(1, Ordering::Release);
                };
                let core_1 = |memory: &Memory| {
                    let is_known = known.load(Ordering::Acquire) == 1;
                    memory.records(1, OTHER, 0);
                    assert!(!is_known || memory.triggers.fired() == 1, "it has not fired");
                };
                on_both(&memory, core_0, core_1);
                assert_whole(&memory, 0);
            }

            /// A reader takes no lock: one that is armed once more was armed all the time.
            pub fn one_is_armed_once_more_and_read() {
                let memory = Memory::new();
                let number = memory.arms(trigger::EVENT, OTHER.into(), 0);
                let core_0 = move |memory: &Memory| {
                    assert!(memory.locked(|triggers| triggers.arm(number)));
                };
                on_both(&memory, core_0, |memory| {
                    assert!(memory.triggers.is_armed(number), "it is not armed");
                    assert_eq!(memory.triggers.fired(), 0);
                });
            }
        }
    };
}

models!(genuine);
models!(with_an_end_while_another_core_records_a_trigger);
models!(with_triggers_that_fire_after_the_end);
models!(with_a_trigger_disarmed_while_it_is_armed_again);

#[test]
fn all_that_fires_is_recorded_before_the_recording_is_frozen() {
    PREEMPTIONS.assert_holds(genuine::the_end_comes_on_another_core);
    PREEMPTIONS.assert_holds(genuine::each_fires_on_a_core);
    PREEMPTIONS.assert_fails(
        with_an_end_while_another_core_records_a_trigger::the_end_comes_on_another_core,
        "before the reports",
    );
    PREEMPTIONS.assert_fails(with_triggers_that_fire_after_the_end::each_fires_on_a_core, "unseen");
}

#[test]
fn what_is_recorded_is_of_the_trigger_that_has_fired() {
    PREEMPTIONS.assert_holds(genuine::a_place_is_taken_while_its_trigger_is_recorded);
}

#[test]
fn a_trigger_that_is_taken_back_fires_at_no_later_event() {
    PREEMPTIONS.assert_holds(genuine::one_is_taken_back);
}

#[test]
fn a_trigger_that_is_known_to_be_armed_fires() {
    PREEMPTIONS.assert_holds(genuine::one_is_armed_and_that_is_known);
    PREEMPTIONS.assert_holds(genuine::one_is_armed_once_more_and_read);
    PREEMPTIONS.assert_fails(
        with_a_trigger_disarmed_while_it_is_armed_again::one_is_armed_once_more_and_read,
        "it is not armed",
    );
}
