//! Two cores, one filter: core 0 changes it while core 1 asks whether an event is left out, under every interleaving and every
//! view of memory that loom knows, up to a number of preemptions.
//!
//! An event that is recorded both before and after a change is recorded during it. The first checks of hooks, a byte and a
//! word, lead to this question or follow from a reported filter; c_abi's filters_of_cores.c has the order of both.

use tband_loom::verdict::Preemptions;

const PREEMPTIONS: Preemptions = Preemptions(2);

/// The models on one of the sources.
macro_rules! models {
    ($source:ident) => {
        #[allow(dead_code, reason = "each source is asked for what it lacks")]
        mod $source {
            use loom::sync::Arc;
            use loom::sync::atomic::{AtomicU32, Ordering};
            use loom::thread;
            use tband_loom::$source::filter::{Choice, Filter};

            const QUEUE: u32 = 1;
            const QUEUE_SEND: u8 = 102;

            fn filter(choices: &[(Choice, bool)]) -> Filter {
                let filter = Filter::default();
                for (choice, on) in choices {
                    filter.choose(*choice, *on, 0).expect("there is room");
                }
                filter
            }

            /// Core 0 makes the changes; at the same time queue 5, which all these filters record, is checked.
            fn stays_recorded(before: &[(Choice, bool)], change: (Choice, bool)) {
                let filter = Arc::new(filter(before));
                let other = Arc::clone(&filter);
                let core_0 = thread::spawn(move || {
                    other.choose(change.0, change.1, 0).expect("there is room");
                });
                assert!(!filter.is_off(QUEUE_SEND, 5), "it is left out");
                core_0.join().expect("it ends");
                assert!(!filter.is_off(QUEUE_SEND, 5), "it is left out at the end");
            }

            /// All queues but this one were left out.
            pub fn the_only_one_and_then_all() {
                let only = [(Choice::Kind(QUEUE), false), (Choice::Object(QUEUE, 5), true)];
                stays_recorded(&only, (Choice::Kind(QUEUE), true));
            }

            /// The same with a class, which is not reported here.
            pub fn the_only_one_and_then_everything() {
                let only = [(Choice::Kind(QUEUE), false), (Choice::Object(QUEUE, 5), true)];
                stays_recorded(&only, (Choice::All, true));
            }

            /// The place of another object that was left out is taken.
            pub fn a_place_that_had_another_object() {
                let freed = [(Choice::Object(QUEUE, 5), false), (Choice::Object(QUEUE, 5), true)];
                stays_recorded(&freed, (Choice::Object(QUEUE, 7), false));
            }

            /// Who knows that a change was made finds it.
            pub fn a_change_that_is_known() {
                let filter = Arc::new(filter(&[(Choice::Object(QUEUE, 5), false)]));
                let made = Arc::new(AtomicU32::new(0));
                let (other, flag) = (Arc::clone(&filter), Arc::clone(&made));
                let core_0 = thread::spawn(move || {
                    other.choose(Choice::Object(QUEUE, 7), false, 0).expect("there is room");
                    flag.store(1, Ordering::Release);
                });
                if made.load(Ordering::Acquire) == 1 {
                    assert!(filter.is_off(QUEUE_SEND, 7), "it is recorded");
                    assert!(filter.is_off(QUEUE_SEND, 5), "the other one is recorded");
                }
                core_0.join().expect("it ends");
            }

            /// The filter in a packet that begins at the same time is a single one, and if it is the previous one, the change
            /// is reported later.
            pub fn filter_in_a_packet_during_a_change() {
                let filter = Arc::new(filter(&[(Choice::Object(QUEUE, 5), false)]));
                let timer = Arc::new(AtomicU32::new(0));
                let (other, clock) = (Arc::clone(&filter), Arc::clone(&timer));
                let core_0 = thread::spawn(move || {
                    other.choose(Choice::Object(QUEUE, 7), false, 0).expect("there is room");
                    clock.fetch_add(1, Ordering::Relaxed)
                });
                let begun = timer.fetch_add(1, Ordering::Relaxed);
                let changes = filter.changes();
                let facts: Vec<_> = (0..).map_while(|at| filter.fact(at)).collect();
                let is_whole = changes & 1 == 0 && filter.changes() == changes;
                let output = core_0.join().expect("it ends");
                if is_whole {
                    let count = facts.len() - 1;
                    assert_eq!(facts[0].1 >> 8, count as u32, "it is of two filters");
                    assert!(count == 2 || begun < output, "the report of the old state is late");
                }
            }
        }
    };
}

models!(genuine);
models!(with_a_filter_read_while_it_changes);
models!(without_fence_of_who_reads_a_filter);
models!(without_fence_of_who_changes_a_filter);
models!(without_release_of_a_filter);
models!(with_a_change_that_is_not_marked);
models!(without_fence_of_the_filter_event);

#[test]
fn an_object_that_is_recorded_before_and_after_a_change_is_never_left_out() {
    PREEMPTIONS.assert_holds(genuine::the_only_one_and_then_all);
    PREEMPTIONS.assert_holds(genuine::the_only_one_and_then_everything);
    PREEMPTIONS.assert_holds(genuine::a_place_that_had_another_object);
    let why = "it is left out";
    PREEMPTIONS.assert_fails(with_a_filter_read_while_it_changes::the_only_one_and_then_all, why);
    PREEMPTIONS
        .assert_fails(with_a_filter_read_while_it_changes::the_only_one_and_then_everything, why);
    PREEMPTIONS
        .assert_fails(with_a_filter_read_while_it_changes::a_place_that_had_another_object, why);
    PREEMPTIONS.assert_fails(without_fence_of_who_reads_a_filter::the_only_one_and_then_all, why);
    PREEMPTIONS.assert_fails(without_fence_of_who_changes_a_filter::the_only_one_and_then_all, why);
    PREEMPTIONS.assert_fails(without_release_of_a_filter::the_only_one_and_then_all, why);
}

#[test]
fn a_change_that_is_known_is_found() {
    PREEMPTIONS.assert_holds(genuine::a_change_that_is_known);
}

#[test]
fn a_packet_during_a_change_has_the_filter_before_its_event() {
    PREEMPTIONS.assert_holds(genuine::filter_in_a_packet_during_a_change);
    let why = "it is of two filters";
    PREEMPTIONS
        .assert_fails(without_fence_of_the_filter_event::filter_in_a_packet_during_a_change, why);
    PREEMPTIONS
        .assert_fails(with_a_change_that_is_not_marked::filter_in_a_packet_during_a_change, why);
}
