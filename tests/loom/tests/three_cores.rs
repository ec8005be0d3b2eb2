//! Three cores, one recorder: two of them find their buffers full at once, and the third has only started.
//!
//! Two cores suffice to show that the core which waits for the end needs its own fence, whichever core has stopped.

use std::ptr;

use tband_loom::lock::Lock;
use tband_loom::verdict::Preemptions;

const PREEMPTIONS: Preemptions = Preemptions(2);

/// The models on one of the sources.
macro_rules! models {
    ($source:ident) => {
        #[allow(dead_code, reason = "each source is asked for what it lacks")]
        mod $source {
            use super::*;
            use loom::sync::Arc;
            use loom::thread;
            use tband_loom::$source::*;

            const BUF: usize = 64;

            struct Memory {
                cores: [CoreState; 3],
                lock: Lock,
                snapshots: [Box<[u8; BUF]>; 3],
                /// The used size of a buffer.
                size: usize,
                /// How often a full buffer was reported.
                full: std::sync::atomic::AtomicU32,
            }

            // SAFETY: of the model only; loom reports if the buffers are shared wrongly.
            unsafe impl Sync for Memory {}
            // SAFETY: as above.
            unsafe impl Send for Memory {}

            // SAFETY: the buffers have the sizes that are given, and are the recorder's alone.
            unsafe impl Port for Memory {
                const DECLARATIONS: &'static [tband_format::Declaration] = &[];

                fn core_count(&self) -> u32 {
                    3
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
                fn metadata_buf(&self, _: u32) -> *mut u8 {
                    ptr::null_mut()
                }
                fn metadata_buf_size(&self) -> u32 {
                    0
                }
                fn snapshot_buf(&self, index: u32) -> *mut u8 {
                    self.snapshots[index as usize].as_ptr().cast_mut()
                }
                fn snapshot_buf_size(&self) -> u32 {
                    self.size as u32
                }
                fn frame_buf(&self, _: u32) -> *mut u8 {
                    ptr::null_mut()
                }
                fn system_info(&self) -> SystemInfo<'_> {
                    SystemInfo { trace_info: &[], build_id: ptr::null(), program: ptr::null() }
                }
                fn ts_resolution_ns(&self) -> u32 {
                    1
                }
                fn stream(&self, _: *const u8, _: usize) -> bool {
                    true
                }
                fn submit(&self, _: *const u8, _: usize, _: bool) -> bool {
                    true
                }
                fn snapshot_full(&self) {
                    self.full.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
                fn lock(&self) {
                    self.lock.lock();
                }
                fn unlock(&self) {
                    self.lock.unlock();
                }
            }

            fn recorder(size: usize) -> Arc<Recorder<Memory>> {
                let recorder = Arc::new(Recorder::new(Memory {
                    cores: [CoreState::new(), CoreState::new(), CoreState::new()],
                    lock: Lock::new(),
                    snapshots: [(); 3].map(|()| Box::new([0xEE; BUF])),
                    size,
                    full: std::sync::atomic::AtomicU32::new(0),
                }));
                assert!(recorder.trigger_plain_snapshot().is_ok());
                recorder
            }

            /// The shim's way of a timed event, on this core.
            fn event(recorder: &Recorder<Memory>, core: u32) {
                if recorder.is_recording() {
                    let state = recorder.port().core(core);
                    if recorder.enter(state) {
                        // SAFETY: the buffers are the recorder's, and no other core touches this one's.
                        unsafe { recorder.emit::<Snapshot, _>(7, state, 4, U32(1)) };
                    }
                    recorder.exit(state);
                }
            }

            fn spawn(
                recorder: &Arc<Recorder<Memory>>,
                work: fn(&Recorder<Memory>),
            ) -> thread::JoinHandle<()> {
                let recorder = recorder.clone();
                thread::spawn(move || work(&recorder))
            }

            /// Two cores find their buffers full: recording ends once, and one of them reports it.
            pub fn full() {
                let recorder = recorder(4);
                let others = [
                    spawn(&recorder, |recorder| event(recorder, 1)),
                    spawn(&recorder, |recorder| event(recorder, 2)),
                ];
                for other in others {
                    other.join().expect("a core");
                }
                assert!(recorder.finished());
                assert_eq!(
                    recorder.port().full.load(std::sync::atomic::Ordering::Relaxed),
                    1,
                    "full"
                );
            }
        }
    };
}

models!(genuine);
models!(without_lock_of_the_full_buffer);

#[test]
fn a_full_buffer_is_reported_once() {
    PREEMPTIONS.assert_holds(genuine::full);
    PREEMPTIONS.assert_fails(without_lock_of_the_full_buffer::full, "full");
}
