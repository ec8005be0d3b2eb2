//! Two cores that shed separately: both change the state that hooks check first, and the consumer reports the rest at the end,
//! under every interleaving and every view of memory that loom knows, up to a number of preemptions.

use tband_loom::verdict::Preemptions;

const PREEMPTIONS: Preemptions = Preemptions(2);

/// The models on one of the sources.
macro_rules! models {
    ($source:ident) => {
        #[allow(dead_code, reason = "each source is asked for what it lacks")]
        mod $source {
            tband_loom::rings!($source, 2);

            const MARKERS: u32 = 1 << 3;
            /// Marker 1, which is shed.
            const LOOKED_AT: (u8, u32) = (ID as u8, 1);
            static STEPS: [u32; 1] = [MARKERS];

            /// What the shim has.
            struct Shim {
                filter: Box<Filter>,
                _cores: Box<[Shed; CORES]>,
                of: Shedding,
            }

            /// Markers are shed while a packet waits.
            fn shim() -> Arc<Shim> {
                let (filter, cores) = (Box::<Filter>::default(), Box::<[Shed; CORES]>::default());
                let of = Shedding {
                    filter: &raw const *filter,
                    cores: cores.as_ptr(),
                    core_count: CORES as u32,
                    order: ShedOrder { steps: STEPS.as_ptr(), count: 1, from: 1, last: 1 },
                };
                Arc::new(Shim { filter, _cores: cores, of })
            }

            /// As a hook looks.
            fn is_looked_at(shim: &Shim) -> bool {
                let (id, number) = LOOKED_AT;
                !shim.filter.is_let_through(id, number)
            }

            /// The shim's way of an event on core `on`. Whether it was to be recorded.
            fn shed_event_on(recorder: &Recorder<Memory>, shim: &Shim, on: u32) -> bool {
                let core = recorder.port().core(on);
                let is_live = recorder.is_recording() && recorder.enter(core);
                if is_live {
                    let now = recorder.port().timestamp() as u32;
                    let (id, number) = LOOKED_AT;
                    if !is_looked_at(shim) || !shim.of.is_left_out(on, id, number, now) {
                        // SAFETY: recording was started with packets.
                        unsafe {
                            recorder.packet_u32_str(ID, core, now, number, TEXT.as_ptr().cast())
                        };
                        recorder.shed_turn(&shim.of, core);
                    }
                }
                recorder.exit(core);
                is_live
            }

            /// Both cores have a packet that waits; that of core 0 is taken.
            fn waits_on_core_1(
                recorder: &Arc<Recorder<Memory>>,
                shim: &Shim,
                taken: &mut TakenData,
            ) {
                start(recorder);
                taken.take(recorder, 1);
                for on in [0, 0, 1, 1] {
                    event_on(recorder, on, 1);
                }
                recorder.shed_turn(&shim.of, recorder.port().core(0));
                assert!(is_looked_at(shim));
                taken.take(recorder, 1);
                assert_eq!((taken.of(0).events.len(), taken.of(1).events.len()), (1, 0));
            }

            /// A core takes a step back while another takes one: hooks of the latter look, then and later.
            pub fn one_step_is_taken_and_one_taken_back() {
                let (recorder, shim) = (recorder(Policy::Stream, 0), shim());
                waits_on_core_1(&recorder, &shim, &mut TakenData::default());
                let (others, its) = (Arc::clone(&recorder), Arc::clone(&shim));
                let core_0 = thread::spawn(move || {
                    others.shed_turn(&its.of, others.port().core(0));
                });
                recorder.shed_turn(&shim.of, recorder.port().core(1));
                assert!(is_looked_at(&shim), "a hook does not see what its core sheds");
                core_0.join().expect("it ends");
                assert!(is_looked_at(&shim), "a hook does not see what its core sheds");
                let sheds = [0, 1].map(|core| shim.of.is_shedding_event(core, LOOKED_AT.0));
                assert_eq!(sheds, [false, true]);
            }

            /// Core 0 stops, and takes all packets: each event of core 1 is recorded, or counted, and that is reported.
            pub fn counts_are_recorded_at_the_end() {
                let (recorder, shim) = (recorder(Policy::Stream, 0), shim());
                let mut taken = TakenData::default();
                waits_on_core_1(&recorder, &shim, &mut taken);
                recorder.shed_turn(&shim.of, recorder.port().core(1));
                let (others, its) = (Arc::clone(&recorder), Arc::clone(&shim));
                let core_1 = thread::spawn(move || {
                    (0..2).filter(|_| shed_event_on(&others, &its, 1)).count() as u32
                });
                assert!(recorder.stop_packets());
                let mut take = || {
                    while recorder.is_shed_due(&shim.of) || recorder.is_packet_due() {
                        recorder.write_shed(&shim.of);
                        taken.take(&recorder, 20);
                    }
                };
                take();
                let produced = core_1.join().expect("it ends");
                take();
                assert_eq!(taken.of(1).events.len(), 2);
                assert_eq!(taken.of(1).shed, produced, "shed and reported");
                assert_eq!(recorder.dropped(), 0);
            }

            /// A recording starts while core 1, which has shed, looks whether the last one is on.
            pub fn a_start_sheds_nothing_of_before() {
                let (recorder, shim) = (recorder(Policy::Stream, 0), shim());
                waits_on_core_1(&recorder, &shim, &mut TakenData::default());
                recorder.shed_turn(&shim.of, recorder.port().core(1));
                assert!(recorder.stop_packets());
                let others = Arc::clone(&recorder);
                let core_1 = thread::spawn(move || {
                    let core = others.port().core(1);
                    let _ = others.enter(core);
                    others.exit(core);
                });
                let has_started = recorder.start_shedding(&shim.of).is_ok();
                let is_shed = shim.of.is_shedding_event(1, LOOKED_AT.0);
                assert!(!(has_started && is_shed), "it sheds what the last one did");
                core_1.join().expect("it ends");
            }
        }
    };
}

models!(genuine);
models!(without_lock_of_a_step);
models!(with_counts_of_a_core_that_has_not_finished);
models!(with_a_start_that_keeps_what_was_shed);

#[test]
fn hooks_of_a_core_look_where_it_sheds_whatever_the_other_does() {
    PREEMPTIONS.assert_holds(genuine::one_step_is_taken_and_one_taken_back);
    let why = "a hook does not see what its core sheds";
    PREEMPTIONS.assert_fails(without_lock_of_a_step::one_step_is_taken_and_one_taken_back, why);
}

#[test]
fn the_last_shed_counts_are_recorded_by_the_consumer() {
    PREEMPTIONS.assert_holds(genuine::counts_are_recorded_at_the_end);
    PREEMPTIONS.assert_fails(
        with_counts_of_a_core_that_has_not_finished::counts_are_recorded_at_the_end,
        "shed and reported",
    );
}

#[test]
fn a_recording_begins_with_nothing_shed_for_any_observer() {
    PREEMPTIONS.assert_holds(genuine::a_start_sheds_nothing_of_before);
    PREEMPTIONS.assert_fails(
        with_a_start_that_keeps_what_was_shed::a_start_sheds_nothing_of_before,
        "it sheds what the last one did",
    );
}
