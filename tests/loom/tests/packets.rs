//! Rings of packets between two cores: core 1 records, core 0 takes packets, closes the other's, starts and stops, under every
//! interleaving and every view of memory that loom knows, up to a number of preemptions.
//!
//! The tests run tband-core's own source with loom's atomics; accesses to the memory of packets, which is not atomic, are
//! reported (`build.rs`). The shim's part, which is C, is rewritten in `event`. Each promise is checked for the original
//! source, and for weakened sources, where it must fail: a relaxed ordering, two stores in the other order, an omitted check.

use tband_loom::verdict::Preemptions;

const PREEMPTIONS: Preemptions = Preemptions(2);

/// The models on one of the sources.
macro_rules! models {
    ($source:ident) => {
        #[allow(dead_code, reason = "each source is asked for what it lacks")]
        mod $source {
            tband_loom::rings!($source, 2);

            /// An event on core 1.
            fn event(recorder: &Recorder<Memory>, number: u32) {
                event_on(recorder, 1, number);
            }

            fn on_core_1(recorder: &Arc<Recorder<Memory>>, events: u32) -> thread::JoinHandle<()> {
                let recorder = recorder.clone();
                thread::spawn(move || (1..=events).for_each(|number| event(&recorder, number)))
            }

            /// The received and the discarded events are the recorded ones, each in its place.
            pub fn stream() {
                const EVENTS: u32 = 4;
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = TakenData::default();
                // What precedes the events.
                taken.take(&recorder, 1);
                let other = on_core_1(&recorder, EVENTS);
                taken.take(&recorder, 2);
                other.join().expect("core 1");
                let discarded = recorder.dropped();
                stop_and_take(&recorder, &mut taken);
                assert!(taken.of(1).sequences.windows(2).all(|pair| pair[0] + 1 == pair[1]));
                assert!(
                    taken.of(1).events.windows(2).all(|pair| pair[0] < pair[1]),
                    "{:?}",
                    taken.of(1).events
                );
                let received = taken.of(1).events.len() as u32;
                assert_eq!(received + discarded, EVENTS, "received and discarded");
                assert_eq!(taken.of(1).discarded, discarded, "told");
            }

            /// Metadata is written where a packet was, before core 1 gets that back.
            pub fn metadata() {
                let recorder = recorder(Policy::Stream, 1);
                let numbers = [1];
                let name = Metadata::new(5, &numbers, c"ab".as_ptr().cast()).with_text_of(4);
                // SAFETY: the text ends, and the buffers have room.
                unsafe { recorder.store_metadata(recorder.port().core(0), &name) };
                start(&recorder);
                let mut taken = TakenData::default();
                event(&recorder, 1);
                event(&recorder, 2);
                let other = on_core_1(&recorder, 2);
                taken.take(&recorder, 4);
                other.join().expect("core 1");
                stop_and_take(&recorder, &mut taken);
                assert_eq!(taken.of(1).events.len() as u32 + recorder.dropped(), 4);
            }

            /// A core that stops and waits has the last events, though the ring is overwritten until then.
            pub fn post_mortem() {
                let recorder = recorder(Policy::PostMortem, 0);
                start(&recorder);
                event(&recorder, 1);
                event(&recorder, 2);
                let other = on_core_1(&recorder, 2);
                let mut taken = TakenData::default();
                assert!(recorder.stop_packets());
                while taken.of(1).events.is_empty() {
                    thread::yield_now();
                    taken.take(&recorder, 9);
                }
                other.join().expect("core 1");
                assert!(
                    (1..=COUNT).contains(&taken.of(1).events.len()),
                    "{:?}",
                    taken.of(1).events
                );
                assert!(
                    taken
                        .of(1)
                        .events
                        .windows(2)
                        .all(|pair| pair[0] + 1 == pair[1] || pair == [2, 1])
                );
            }

            /// A core only closes its own packet, whichever core requests it; nothing is lost, and nothing is there twice.
            pub fn flush() {
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = TakenData::default();
                taken.take(&recorder, 1);
                event(&recorder, 1);
                let other = on_core_1(&recorder, 1);
                let now = recorder.port().timestamp();
                recorder.close_packet(recorder.port().core(0), 0, now);
                other.join().expect("core 1");
                stop_and_take(&recorder, &mut taken);
                assert_eq!(taken.of(1).events, [1, 1]);
            }

            /// A core closes its own packet, as each tick does, while another one stops the recording and takes the rest.
            pub fn tick() {
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = TakenData::default();
                taken.take(&recorder, 1);
                event(&recorder, 1);
                let ticking = recorder.clone();
                let other = thread::spawn(move || {
                    let now = ticking.port().timestamp();
                    ticking.close_packet(ticking.port().core(1), 0, now);
                });
                stop_and_take(&recorder, &mut taken);
                other.join().expect("core 1");
                taken.take(&recorder, 9);
                assert_eq!(taken.of(1).events, [1]);
            }

            /// Recording stops while an event is under way, and starts again.
            pub fn restart() {
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = TakenData::default();
                taken.take(&recorder, 1);
                let other = on_core_1(&recorder, 2);
                stop_and_take(&recorder, &mut taken);
                while recorder.start_packets().is_err() {
                    thread::yield_now();
                }
                stop_and_take(&recorder, &mut taken);
                other.join().expect("core 1");
                assert!(
                    taken.of(1).events.windows(2).all(|pair| pair[0] < pair[1]),
                    "{:?}",
                    taken.of(1).events
                );
            }

            /// The other core restarts a stopped recording, while the rest of it is taken.
            pub fn start_elsewhere() {
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = TakenData::default();
                taken.take(&recorder, 1);
                event(&recorder, 1);
                assert!(recorder.stop_packets());
                let starting = recorder.clone();
                let other = thread::spawn(move || {
                    start(&starting);
                    event(&starting, 2);
                });
                taken.take(&recorder, 3);
                other.join().expect("core 1");
                stop_and_take(&recorder, &mut taken);
                assert_eq!(
                    (&taken.of(1).events[..], &taken.of(1).sequences[..]),
                    (&[1, 2][..], &[0, 1][..])
                );
            }
        }
    };
}

models!(genuine);
models!(without_release_of_a_packet);
models!(without_acquire_of_a_packet);
models!(without_release_of_room);
models!(without_acquire_of_room);
models!(with_a_packet_reported_before_its_end);
models!(with_a_packet_given_back_ahead_of_its_metadata);
models!(with_a_look_at_a_recording_that_is_on);
models!(with_a_packet_of_another_core_closed);
models!(with_a_tick_that_is_not_marked);
models!(without_fence_of_the_event);
models!(with_the_limit_looked_at_again);
models!(without_lock_of_what_is_left_open);
models!(without_what_was_discarded_at_the_end);

#[test]
fn what_is_received_and_what_is_discarded_is_what_was_recorded() {
    PREEMPTIONS.assert_holds(genuine::stream);
    PREEMPTIONS.assert_fails(without_release_of_a_packet::stream, "Causality violation");
    PREEMPTIONS.assert_fails(without_acquire_of_a_packet::stream, "Causality violation");
    PREEMPTIONS.assert_fails(with_a_packet_reported_before_its_end::stream, "Causality violation");
    PREEMPTIONS.assert_fails(without_release_of_room::stream, "Causality violation");
    PREEMPTIONS.assert_fails(without_acquire_of_room::stream, "Causality violation");
    PREEMPTIONS.assert_fails(without_what_was_discarded_at_the_end::stream, "told");
}

#[test]
fn metadata_is_written_before_the_room_is_given_back() {
    PREEMPTIONS.assert_holds(genuine::metadata);
    PREEMPTIONS.assert_fails(with_a_packet_given_back_ahead_of_its_metadata::metadata, "assertion");
}

#[test]
fn the_last_packets_are_read_when_their_core_has_finished() {
    PREEMPTIONS.assert_holds(genuine::post_mortem);
    PREEMPTIONS
        .assert_fails(with_a_look_at_a_recording_that_is_on::post_mortem, "Causality violation");
}

#[test]
fn a_core_closes_its_own_packet_only() {
    PREEMPTIONS.assert_holds(genuine::flush);
    PREEMPTIONS.assert_fails(with_a_packet_of_another_core_closed::flush, "Causality violation");
}

#[test]
fn a_core_closes_its_packet_while_another_one_stops_and_reads() {
    PREEMPTIONS.assert_holds(genuine::tick);
    PREEMPTIONS.assert_fails(with_a_tick_that_is_not_marked::tick, "Causality violation");
}

/// Another core may say that nothing fits any more while a packet is being opened.
#[test]
fn an_event_goes_where_its_packet_was_opened() {
    PREEMPTIONS.assert_fails(with_the_limit_looked_at_again::flush, "written where no packet is");
}

#[test]
fn a_recording_that_stops_inside_an_event_and_starts_again() {
    PREEMPTIONS.assert_holds(genuine::restart);
    PREEMPTIONS.assert_fails(without_fence_of_the_event::restart, "Causality violation");
}

#[test]
fn a_recording_that_is_started_while_the_end_of_the_last_one_is_read() {
    PREEMPTIONS.assert_holds(genuine::start_elsewhere);
    PREEMPTIONS
        .assert_fails(without_lock_of_what_is_left_open::start_elsewhere, "Causality violation");
}
