//! The port of all models: memory, the lock between cores, a timer, and the calls of the port.

/// Declares `FakePort`, the port of one of the sources, with its number of cores as a parameter.
#[macro_export]
macro_rules! fake {
    ($source:ident) => {
        use std::ptr;
        use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed as Now};

        use loom::cell::UnsafeCell;
        use loom::sync::Arc;
        use loom::thread;
        use tband_loom::lock::Lock;
        use tband_loom::touched::Slots;
        use tband_loom::$source::emit::*;
        use tband_loom::$source::filter::*;
        use tband_loom::$source::metadata::*;
        use tband_loom::$source::packet::*;
        use tband_loom::$source::port::*;
        use tband_loom::$source::ring::*;
        use tband_loom::$source::shedding::*;
        use tband_loom::$source::snapshot::*;
        use tband_loom::$source::streaming::*;
        use tband_loom::$source::table::*;
        use tband_loom::$source::triggers::*;
        use tband_loom::$source::*;

        const BUF: usize = 64;

        type Buffers<const CORES: usize> = [Box<[u8; BUF]>; CORES];

        fn buffers<const CORES: usize>() -> Buffers<CORES> {
            [(); CORES].map(|()| Box::new([0xEE; BUF]))
        }

        struct FakePort<const CORES: usize> {
            cores: [CoreState; CORES],
            lock: Lock,
            text_len: u32,
            snapshots: Buffers<CORES>,
            snapshot_size: usize,
            frames: Buffers<CORES>,
            metadata: Buffers<CORES>,
            metadata_size: usize,
            packets: Option<Packets>,
            /// Who touches the buffers of a core; loom finds out who may.
            touched: [UnsafeCell<()>; CORES],
            // The calls so far in this interleaving, for the assertions; the cores do not use them.
            is_stopped: AtomicBool,
            sent: AtomicBool,
            /// The timer.
            time: AtomicU64,
            /// How often full memory has stopped the recording.
            full: AtomicU64,
            may_be_full: bool,
        }

        /// Rings of packets, whose memory stays to the end of the model.
        struct Packets {
            setup: PacketSetup,
            slots: Slots,
            _memory: Box<dyn std::any::Any>,
        }

        // SAFETY: of the model only; loom reports if the buffers are shared wrongly.
        unsafe impl<const CORES: usize> Sync for FakePort<CORES> {}
        // SAFETY: as above.
        unsafe impl<const CORES: usize> Send for FakePort<CORES> {}

        impl<const CORES: usize> FakePort<CORES> {
            fn new(text_len: u32) -> Self {
                Self {
                    cores: [(); CORES].map(|()| CoreState::new()),
                    lock: Lock::new(),
                    text_len,
                    snapshots: buffers(),
                    snapshot_size: BUF,
                    frames: buffers(),
                    metadata: buffers(),
                    metadata_size: BUF,
                    packets: None,
                    touched: [(); CORES].map(|()| UnsafeCell::new(())),
                    is_stopped: AtomicBool::new(false),
                    sent: AtomicBool::new(false),
                    time: AtomicU64::new(1),
                    full: AtomicU64::new(0),
                    may_be_full: true,
                }
            }
        }

        fn start_of<const CORES: usize>(buffers: &Buffers<CORES>, index: u32) -> *mut u8 {
            buffers[index as usize].as_ptr().cast_mut()
        }

        // SAFETY: the buffers have the sizes that are given, and are the recorder's alone.
        unsafe impl<const CORES: usize> Port for FakePort<CORES> {
            const DECLARATIONS: &'static [tband_format::declaration::Declaration] = &[];

            fn core_count(&self) -> u32 {
                CORES as u32
            }
            fn core(&self, index: u32) -> &CoreState {
                &self.cores[index as usize]
            }
            fn max_str_len(&self) -> u32 {
                self.text_len
            }
            fn max_frame_len(&self) -> u32 {
                frame_buf_size(self.text_len) as u32
            }
            fn drop_cnt_every(&self) -> u32 {
                0
            }
            fn metadata_buf(&self, index: u32) -> *mut u8 {
                start_of(&self.metadata, index)
            }
            fn metadata_buf_size(&self) -> u32 {
                self.metadata_size as u32
            }
            fn snapshot_buf(&self, index: u32) -> *mut u8 {
                start_of(&self.snapshots, index)
            }
            fn snapshot_buf_size(&self) -> u32 {
                self.snapshot_size as u32
            }
            fn frame_buf(&self, index: u32) -> *mut u8 {
                start_of(&self.frames, index)
            }
            fn packets(&self) -> Option<&PacketSetup> {
                self.packets.as_ref().map(|packets| &packets.setup)
            }
            fn timestamp(&self) -> u64 {
                self.time.fetch_add(1, Now)
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
                assert!(self.may_be_full, "the buffers are large enough");
                self.full.fetch_add(1, Now);
            }
            fn lock(&self) {
                self.lock.lock();
            }
            fn unlock(&self) {
                self.lock.unlock();
            }
        }
    };
}
