//! Two cores, one recorder: starting, stopping and reading it on core 0 while core 1 records and names, under
//! every interleaving and every view of memory that loom knows, up to a number of preemptions. The buffers of two cores
//! become full at once in a model of three; for the core that waits for the end, two cores suffice.
//!
//! What runs is tband-core's own source with loom's atomics. The shim's part, which is C, is written down again
//! here: `event`, `name` and `retry`; second_look.c and threads.c in tests/c/cores run the original.
//! Each promise is asked of the source as it is, and of sources that lack one thing, where it must fail.

use tband_loom::verdict::Preemptions;

const PREEMPTIONS: Preemptions = Preemptions(3);
const OF_THREE_CORES: Preemptions = Preemptions(2);

/// The models on one of the sources.
macro_rules! models {
    ($source:ident) => {
        #[allow(dead_code, reason = "each source is asked for what it lacks")]
        mod $source {
            tband_loom::fake!($source);

            type Memory = FakePort<2>;

            fn recorder() -> Arc<Recorder<Memory>> {
                Arc::new(Recorder::new(Memory { may_be_full: false, ..Memory::new(4) }))
            }

            /// The shim's way of a timed event, on this core.
            fn event_on<B: Backend, const CORES: usize>(
                recorder: &Recorder<FakePort<CORES>>,
                index: u32,
            ) {
                if recorder.is_recording() {
                    let core = recorder.port().core(index);
                    if recorder.enter(core) {
                        recorder.port().touched[index as usize].with_mut(|_| {
                            // SAFETY: the buffers have room; loom reports any other violation.
                            unsafe { recorder.emit::<B, _>(7, core, 4, U32(1)) }
                        });
                    }
                    recorder.exit(core);
                }
            }

            fn event<B: Backend>(recorder: &Recorder<Memory>) {
                event_on::<B, 2>(recorder, 1);
            }

            /// The shim's way of a name, on core 1.
            fn name<B: Backend>(recorder: &Recorder<Memory>) {
                name_looking::<B>(recorder, true);
            }

            /// As above without the look after the table.
            fn name_looking_once<B: Backend>(recorder: &Recorder<Memory>) {
                name_looking::<B>(recorder, false);
            }

            fn name_looking<B: Backend>(recorder: &Recorder<Memory>, looks_again: bool) {
                let core = recorder.port().core(1);
                let live = recorder.enter(core);
                let numbers = [1];
                let event = Metadata::new(5, &numbers, c"ab".as_ptr().cast()).with_text_of(4);
                // SAFETY: the text ends, and the buffers have room.
                unsafe {
                    recorder.store_metadata(core, &event);
                    if live || (looks_again && recorder.enter(core)) {
                        recorder.port().touched[1].with_mut(|_| {
                            recorder.send_metadata::<B>(7, core, &event);
                        });
                    }
                }
                recorder.exit(core);
            }

            /// The shim's retry path for refused operations.
            fn retry(recorder: &Recorder<Memory>, try_it: impl Fn() -> bool) -> bool {
                loop {
                    if try_it() {
                        return true;
                    }
                    if !recorder.finished() {
                        return false;
                    }
                    thread::yield_now();
                }
            }

            fn on_core_1(
                recorder: &Arc<Recorder<Memory>>,
                work: fn(&Recorder<Memory>),
            ) -> thread::JoinHandle<()> {
                let recorder = recorder.clone();
                thread::spawn(move || work(&recorder))
            }

            /// Stops the snapshot, which no other core has done, and reads both buffers.
            fn stop_and_read(recorder: &Recorder<Memory>) {
                assert!(recorder.stop_snapshot(), "another core has stopped the recording");
                while !recorder.finished() {
                    thread::yield_now();
                }
                for core in 0..2 {
                    recorder.port().touched[core as usize].with(|_| {
                        let (start, amount) = recorder.snapshot(core);
                        assert!(amount > 0 && amount <= BUF, "{amount} bytes");
                        // SAFETY: inside the buffer.
                        assert_eq!(unsafe { *start.add(amount - 1) }, 0, "the last frame is whole");
                    });
                }
            }

            /// A core that sees the new flag sees the buffers, and who waited for the end reads whole frames.
            pub fn snapshot() {
                let recorder = recorder();
                let other = on_core_1(&recorder, event::<Snapshot>);
                assert!(retry(&recorder, || recorder.trigger_snapshot(0).is_ok()));
                stop_and_read(&recorder);
                assert!(retry(&recorder, || recorder.reset_snapshot()));
                other.join().expect("core 1");
            }

            /// As above with a recording before it: the flag that core 1 has seen may be of that one.
            pub fn second_snapshot() {
                let recorder = recorder();
                assert!(recorder.trigger_snapshot(0).is_ok());
                let other = on_core_1(&recorder, event::<Snapshot>);
                stop_and_read(&recorder);
                assert!(retry(&recorder, || recorder.reset_snapshot()));
                assert!(retry(&recorder, || recorder.trigger_snapshot(0).is_ok()));
                stop_and_read(&recorder);
                other.join().expect("core 1");
            }

            /// The buffers are emptied right after a stop, unless a core is still inside an event.
            pub fn reset_at_once() {
                let recorder = recorder();
                assert!(recorder.trigger_snapshot(0).is_ok());
                let other = on_core_1(&recorder, event::<Snapshot>);
                assert!(recorder.stop_snapshot());
                if recorder.reset_snapshot() {
                    recorder.port().touched[1].with_mut(|_| ());
                }
                other.join().expect("core 1");
            }

            /// A core that names something refuses no start.
            pub fn naming() {
                let recorder = recorder();
                let other = on_core_1(&recorder, name::<Snapshot>);
                let started = retry(&recorder, || recorder.trigger_snapshot(0).is_ok());
                assert!(started, "refused because another core names something");
                stop_and_read(&recorder);
                other.join().expect("core 1");
            }

            /// What a core names while another starts a recording is in that.
            pub fn naming_at_a_start() {
                named_at_a_start(name::<Snapshot>);
            }

            /// As above without the look after the table.
            pub fn naming_at_a_start_looking_once() {
                named_at_a_start(name_looking_once::<Snapshot>);
            }

            fn named_at_a_start(naming: fn(&Recorder<Memory>)) {
                let recorder = recorder();
                let other = on_core_1(&recorder, naming);
                assert!(retry(&recorder, || recorder.trigger_snapshot(0).is_ok()));
                other.join().expect("core 1");
                stop_and_read(&recorder);
                let (start, amount) = recorder.snapshot(1);
                // SAFETY: inside the buffer.
                let found = unsafe { std::slice::from_raw_parts(start, amount) };
                assert!(found.windows(2).any(|two| two == b"ab"), "the name is in no recording");
            }

            /// Nothing reaches the port once the stop has returned.
            pub fn streaming() {
                let recorder = recorder();
                let other = on_core_1(&recorder, event::<Streaming>);
                assert_eq!(recorder.start_streaming(7, 0, true), Ok(()));
                assert!(recorder.stop_streaming());
                recorder.port().is_stopped.store(true, Now);
                other.join().expect("core 1");
                assert!(recorder.port().sent.load(Now));
            }

            /// The same for names.
            pub fn streaming_names() {
                let recorder = recorder();
                assert_eq!(recorder.start_streaming(7, 0, true), Ok(()));
                let other = on_core_1(&recorder, name::<Streaming>);
                assert!(recorder.stop_streaming());
                recorder.port().is_stopped.store(true, Now);
                other.join().expect("core 1");
            }

            /// Two cores of three find their buffers full: recording ends once, and one of them reports it.
            pub fn full() {
                let port = FakePort::<3> { snapshot_size: 4, metadata_size: 0, ..FakePort::new(4) };
                let recorder = Arc::new(Recorder::new(port));
                assert!(recorder.trigger_plain_snapshot().is_ok());
                let others = [1, 2].map(|core| {
                    let recorder = recorder.clone();
                    thread::spawn(move || event_on::<Snapshot, 3>(&recorder, core))
                });
                for other in others {
                    other.join().expect("a core");
                }
                assert!(recorder.finished());
                assert_eq!(recorder.port().full.load(Now), 1, "full");
            }
        }
    };
}

models!(genuine);
models!(without_acquire);
models!(without_fence_of_a_start);
models!(without_second_look);
models!(without_fence_of_the_event);
models!(without_fence_of_who_waits);
models!(without_release_of_the_start);
models!(without_release_of_the_event);
models!(without_look_in_the_lock);
models!(without_lock_of_the_stop);
models!(without_waiting_for_who_looks);
models!(without_lock_of_the_full_buffer);

#[test]
fn who_sees_the_flag_sees_the_buffers_and_who_waits_reads_whole_frames() {
    PREEMPTIONS.assert_holds(genuine::snapshot);
    PREEMPTIONS.assert_holds(genuine::second_snapshot);
}

#[test]
fn a_core_that_names_something_refuses_no_start() {
    PREEMPTIONS.assert_holds(genuine::naming);
}

#[test]
fn a_name_stored_while_another_core_starts_is_in_the_recording() {
    PREEMPTIONS.assert_holds(genuine::naming_at_a_start);
    PREEMPTIONS.assert_fails(genuine::naming_at_a_start_looking_once, "in no recording");
}

#[test]
fn nothing_reaches_the_port_once_the_stop_has_returned() {
    PREEMPTIONS.assert_holds(genuine::streaming);
    PREEMPTIONS.assert_holds(genuine::streaming_names);
}

#[test]
fn the_flag_has_to_be_acquired() {
    PREEMPTIONS.assert_fails(without_acquire::second_snapshot, "stale pointers");
}

#[test]
fn the_start_has_to_release() {
    PREEMPTIONS.assert_fails(without_release_of_the_start::snapshot, "stale pointers");
}

#[test]
fn the_second_look_is_needed() {
    PREEMPTIONS.assert_fails(without_second_look::second_snapshot, "Concurrent");
}

#[test]
fn both_fences_are_needed() {
    PREEMPTIONS.assert_fails(without_fence_of_the_event::second_snapshot, "Concurrent");
    PREEMPTIONS.assert_fails(without_fence_of_who_waits::second_snapshot, "Concurrent");
}

#[test]
fn who_empties_the_buffers_waits_for_the_last_event() {
    PREEMPTIONS.assert_holds(genuine::reset_at_once);
    PREEMPTIONS.assert_fails(without_fence_of_a_start::reset_at_once, "");
    PREEMPTIONS.assert_fails(without_fence_of_the_event::reset_at_once, "");
}

#[test]
fn the_end_of_an_event_has_to_release() {
    PREEMPTIONS.assert_fails(without_release_of_the_event::second_snapshot, "Concurrent");
}

#[test]
fn a_stream_is_looked_at_with_the_lock_and_stopped_with_it() {
    PREEMPTIONS.assert_fails(without_look_in_the_lock::streaming, "sent after");
    PREEMPTIONS.assert_fails(without_lock_of_the_stop::streaming, "sent after");
}

#[test]
fn a_core_that_looks_is_waited_for() {
    PREEMPTIONS.assert_fails(without_waiting_for_who_looks::naming, "0 bytes");
}

#[test]
fn a_full_buffer_is_reported_once() {
    OF_THREE_CORES.assert_holds(genuine::full);
    OF_THREE_CORES.assert_fails(without_lock_of_the_full_buffer::full, "full");
}

#[test]
fn each_weakening_is_noticed_by_a_model() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let files = std::fs::read_dir(folder).expect("the folder of these tests").flatten();
    let files = files.map(|file| file.path()).filter(|path| path.is_file());
    // However their lines are broken.
    let text = |path| std::fs::read_to_string(path).expect("a file of tests");
    let tests: Vec<_> = files.map(|path| text(path).replace(char::is_whitespace, "")).collect();
    for name in tband_loom::WEAKENED {
        let failing = format!(".assert_fails({name}::");
        assert!(tests.iter().any(|text| text.contains(&failing)), "no model has to fail {name}");
    }
}
