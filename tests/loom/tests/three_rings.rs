//! Rings of packets of three cores: core 0 takes packets, starts and stops, cores 1 and 2 record, stop, trigger or close each
//! other's packets, under every interleaving and every view of memory that loom knows, with one preemption or two; waiting for each
//! other is not counted. Pairs of two cores are tried with more in `packets.rs`: here is what takes a third.

use tband_loom::verdict::Preemptions;

/// One core may be preempted by others twice, where that ends.
const TWO: Preemptions = Preemptions(2);
const ONE: Preemptions = Preemptions(1);

/// The models on one of the sources.
macro_rules! models {
    ($source:ident) => {
        #[allow(dead_code, reason = "each source is asked for what it lacks")]
        mod $source {
            tband_loom::rings!($source, 3);

            fn on_core(
                recorder: &Arc<Recorder<Memory>>,
                core: u32,
                work: fn(&Recorder<Memory>, u32),
            ) -> thread::JoinHandle<()> {
                let recorder = recorder.clone();
                thread::spawn(move || work(&recorder, core))
            }

            fn two_events(recorder: &Recorder<Memory>, core: u32) {
                event_on(recorder, core, 1);
                event_on(recorder, core, 2);
            }

            fn join(others: [thread::JoinHandle<()>; 2]) {
                others.into_iter().for_each(|other| other.join().expect("a core"));
            }

            /// Each core's events came in order, in packets that follow each other.
            fn assert_in_order(taken: &TakenData) {
                for core in 1..3 {
                    let of = taken.of(core);
                    assert!(of.sequences.windows(2).all(|pair| pair[0] + 1 == pair[1]));
                    assert!(of.events.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", of.events);
                }
            }

            /// Two cores record while the third consumes: each event once, or counted as discarded.
            pub fn stream() {
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = TakenData::default();
                taken.take(&recorder, 1);
                let others = [1, 2].map(|core| on_core(&recorder, core, two_events));
                taken.take(&recorder, 2);
                join(others);
                let discarded = recorder.dropped();
                stop_and_take(&recorder, &mut taken);
                assert_in_order(&taken);
                let received = taken.of(1).events.len() + taken.of(2).events.len();
                assert_eq!(received as u32 + discarded, 4, "received and discarded");
                assert_eq!(taken.of(1).discarded + taken.of(2).discarded, discarded, "told");
            }

            /// One core stops for all while another is inside an event: the core that waits for the end gets the complete
            /// event, or it was not recorded; nothing comes after the end.
            pub fn stopped_by_another() {
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = TakenData::default();
                taken.take(&recorder, 1);
                event_on(&recorder, 1, 1);
                let others = [
                    on_core(&recorder, 1, |recorder, core| event_on(recorder, core, 2)),
                    on_core(&recorder, 2, |recorder, _| assert!(recorder.stop_packets())),
                ];
                while !recorder.finished() {
                    thread::yield_now();
                }
                taken.take(&recorder, 9);
                let at_the_end = taken.of(1).events.len();
                join(others);
                taken.take(&recorder, 9);
                assert_eq!(taken.of(1).events.len(), at_the_end, "recorded after the end");
                assert!((1..=2).contains(&at_the_end));
                assert_in_order(&taken);
            }

            /// Both find their rings full at once: recording ends once.
            pub fn full() {
                let recorder = recorder(Policy::Snapshot, 0);
                start(&recorder);
                for core in 1..3 {
                    two_events(&recorder, core);
                }
                let others =
                    [1, 2].map(|core| on_core(&recorder, core, |it, core| event_on(it, core, 3)));
                while !recorder.finished() || recorder.is_recording() {
                    thread::yield_now();
                }
                join(others);
                assert_eq!(recorder.port().full.load(Now), 1, "full");
                let mut taken = TakenData::default();
                taken.take(&recorder, 20);
                assert_in_order(&taken);
            }

            /// One core triggers a post-mortem recording while another writes over its oldest packet: the last ones are read.
            pub fn triggered_by_another() {
                let recorder = recorder(Policy::PostMortem, 0);
                start(&recorder);
                two_events(&recorder, 1);
                let others = [
                    on_core(&recorder, 1, |recorder, core| event_on(recorder, core, 3)),
                    on_core(&recorder, 2, |recorder, _| recorder.freeze_after(0)),
                ];
                let mut taken = TakenData::default();
                while taken.of(1).events.is_empty() {
                    thread::yield_now();
                    taken.take(&recorder, 9);
                }
                join(others);
                let events = &taken.of(1).events[..];
                assert!([&[1, 2][..], &[2, 3], &[2], &[3]].contains(&events), "{events:?}");
            }

            /// The reader wants the open packets of both closed while they record.
            pub fn flush() {
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = TakenData::default();
                taken.take(&recorder, 1);
                for core in 1..3 {
                    event_on(&recorder, core, 1);
                }
                let others =
                    [1, 2].map(|core| on_core(&recorder, core, |it, core| event_on(it, core, 2)));
                let now = recorder.port().timestamp();
                recorder.close_packet(recorder.port().core(0), 0, now);
                join(others);
                stop_and_take(&recorder, &mut taken);
                assert_eq!([&taken.of(1).events[..], &taken.of(2).events], [[1, 2], [1, 2]]);
            }

            /// One core restarts a stopped recording while another records and the third takes the rest.
            pub fn start_elsewhere() {
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = TakenData::default();
                taken.take(&recorder, 1);
                event_on(&recorder, 1, 1);
                assert!(recorder.stop_packets());
                let others = [
                    on_core(&recorder, 1, |recorder, core| event_on(recorder, core, 2)),
                    on_core(&recorder, 2, |recorder, core| {
                        while recorder.start_packets().is_err() {
                            thread::yield_now();
                        }
                        event_on(recorder, core, 1);
                    }),
                ];
                taken.take(&recorder, 3);
                join(others);
                stop_and_take(&recorder, &mut taken);
                assert_in_order(&taken);
                assert!([&[1][..], &[1, 2]].contains(&&taken.of(1).events[..]));
                assert_eq!(taken.of(2).events, [1]);
            }
        }
    };
}

models!(genuine);
models!(without_release_of_a_packet);
models!(without_acquire_of_a_packet);
models!(with_a_packet_of_another_core_closed);
models!(without_fence_of_the_event);
models!(with_two_looks_at_the_flag);
models!(without_lock_of_what_is_left_open);
models!(with_a_look_at_a_recording_that_is_on);

#[test]
fn what_two_cores_recorded_is_received_or_discarded() {
    ONE.assert_holds(genuine::stream);
    ONE.assert_fails(without_release_of_a_packet::stream, "Causality violation");
    ONE.assert_fails(without_acquire_of_a_packet::stream, "Causality violation");
}

#[test]
fn a_stop_by_a_third_core_is_an_end() {
    TWO.assert_holds(genuine::stopped_by_another);
    TWO.assert_fails(with_two_looks_at_the_flag::stopped_by_another, "recorded after the end");
    TWO.assert_fails(without_fence_of_the_event::stopped_by_another, "");
}

#[test]
fn two_full_rings_are_one_end() {
    ONE.assert_holds(genuine::full);
}

#[test]
fn a_trigger_of_a_third_core_leaves_the_last_packets() {
    TWO.assert_holds(genuine::triggered_by_another);
    TWO.assert_fails(
        with_a_look_at_a_recording_that_is_on::triggered_by_another,
        "Causality violation",
    );
}

#[test]
fn each_core_closes_its_own_packet() {
    ONE.assert_holds(genuine::flush);
    ONE.assert_fails(with_a_packet_of_another_core_closed::flush, "Causality violation");
}

#[test]
fn a_recording_that_one_starts_while_another_records_and_a_third_reads() {
    ONE.assert_holds(genuine::start_elsewhere);
    ONE.assert_fails(without_lock_of_what_is_left_open::start_elsewhere, "Causality violation");
}
