//! Two cores, one recorder: starting, stopping and reading it on core 0 while core 1 records and names, under
//! every interleaving and every view of memory that loom knows, up to a number of preemptions.
//!
//! What runs is tband-core's own source with loom's atomics. The shim's part, which is C, is written down again
//! here: `event`, `name` and `retry`; second_look.c and threads.c in tests/c/cores run the original.
//! Each promise is asked of the source as it is, and of sources that lack one thing, where it must fail.

use tband_loom::verdict::Preemptions;

const PREEMPTIONS: Preemptions = Preemptions(3);

/// The models on one of the sources.
macro_rules! models {
    ($source:ident) => {
        #[allow(dead_code, reason = "each source is asked for what it lacks")]
        mod $source {
            use std::ptr;
            use std::sync::atomic::{AtomicBool as Plain, Ordering::Relaxed as Now};

            use loom::cell::UnsafeCell;
            use loom::sync::Arc;
            use loom::thread;
            use tband_loom::lock::Lock;
            use tband_loom::$source::*;

            const BUF: usize = 64;

            struct Memory {
                cores: [CoreState; 2],
                lock: Lock,
                snapshots: [Box<[u8; BUF]>; 2],
                frames: [Box<[u8; BUF]>; 2],
                metadata: [Box<[u8; BUF]>; 2],
                /// Who touches the buffers of a core; loom finds out who may.
                touched: [UnsafeCell<()>; 2],
                /// The events so far in this interleaving; the cores do not use it.
                is_stopped: Plain,
                sent: Plain,
            }

            // SAFETY: of the model only; loom reports if the buffers are shared wrongly.
            unsafe impl Sync for Memory {}
            // SAFETY: as above.
            unsafe impl Send for Memory {}

            fn memory(buffers: &[Box<[u8; BUF]>; 2], index: u32) -> *mut u8 {
                buffers[index as usize].as_ptr().cast_mut()
            }

            // SAFETY: the buffers have the sizes that are given, and are the recorder's alone.
            unsafe impl Port for Memory {
                const DECLARATIONS: &'static [tband_format::Declaration] = &[];

                fn core_count(&self) -> u32 {
                    2
                }
                fn core(&self, index: u32) -> &CoreState {
                    &self.cores[index as usize]
                }
                fn max_str_len(&self) -> u32 {
                    4
                }
                fn max_frame_len(&self) -> u32 {
                    frame_buf_size(4) as u32
                }
                fn drop_cnt_every(&self) -> u32 {
                    0
                }
                fn metadata_buf(&self, index: u32) -> *mut u8 {
                    memory(&self.metadata, index)
                }
                fn metadata_buf_size(&self) -> u32 {
                    BUF as u32
                }
                fn snapshot_buf(&self, index: u32) -> *mut u8 {
                    memory(&self.snapshots, index)
                }
                fn snapshot_buf_size(&self) -> u32 {
                    BUF as u32
                }
                fn frame_buf(&self, index: u32) -> *mut u8 {
                    memory(&self.frames, index)
                }
                fn system_info(&self) -> SystemInfo<'_> {
                    SystemInfo { trace_info: &[], build_id: ptr::null(), program: ptr::null() }
                }
                fn ts_resolution_ns(&self) -> u32 {
                    1
                }
                fn stream(&self, _: *const u8, _: usize) -> bool {
                    assert!(!self.is_stopped.load(Now), "sent after the stop has returned");
                    self.sent.store(true, Now);
                    false
                }
                fn submit(&self, _: *const u8, _: usize, _: bool) -> bool {
                    true
                }
                fn snapshot_full(&self) {
                    panic!("the buffers are large enough");
                }
                fn lock(&self) {
                    self.lock.lock();
                }
                fn unlock(&self) {
                    self.lock.unlock();
                }
            }

            fn recorder() -> Arc<Recorder<Memory>> {
                let buffers = || [Box::new([0xEE; BUF]), Box::new([0xEE; BUF])];
                Arc::new(Recorder::new(Memory {
                    cores: [CoreState::new(), CoreState::new()],
                    lock: Lock::new(),
                    snapshots: buffers(),
                    frames: buffers(),
                    metadata: buffers(),
                    touched: [UnsafeCell::new(()), UnsafeCell::new(())],
                    is_stopped: Plain::new(false),
                    sent: Plain::new(false),
                }))
            }

            /// The shim's way of a timed event, on core 1.
            fn event<B: Backend>(recorder: &Recorder<Memory>) {
                if recorder.is_recording() {
                    let core = recorder.port().core(1);
                    if recorder.enter(core) {
                        recorder.port().touched[1].with_mut(|_| {
                            // SAFETY: the buffers have room; loom reports any other violation.
                            unsafe { recorder.emit::<B, _>(7, core, 4, U32(1)) }
                        });
                    }
                    recorder.exit(core);
                }
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
