//! A recorder with rings of packets in loom's world, for models of any number of cores: memory, the shim's way of an event, the
//! reader.

/// What a model needs, in a module that has the source and the number of cores.
macro_rules! rings {
    ($source:ident, $cores:literal) => {
        const CORES: usize = $cores;

        use std::ptr;
        use std::sync::atomic::{AtomicU64 as Plain, Ordering::Relaxed as Now};

        use loom::sync::Arc;
        use loom::thread;
        use tband_format::Event;
        use tband_format::packet::{HEADER_LEN, METADATA_STREAM};
        use tband_loom::lock::Lock;
        use tband_loom::touched::{Slots, look};
        use tband_loom::$source::*;

        const SIZE: usize = 128;
        const COUNT: usize = 2;
        /// No two events with one fit into a packet.
        const TEXT: &std::ffi::CStr = c"0123456789012345678901234567890123456789";
        const TEXT_LEN: u32 = 40;
        const ID: u32 =
            Event::Evtmarker { evtmarker_id: 0, msg: tband_format::Str(b"") }.id() as u32;
        const SHED_ID: u8 = Event::Shed { class: 0, n: 0 }.id();

        struct Memory {
            cores: [CoreState; CORES],
            lock: Lock,
            setup: PacketSetup,
            slots: Slots,
            metadata: [Box<[u8; 16]>; CORES],
            /// The timer.
            time: Plain,
            // What the setup points to.
            rings: Box<[Ring; CORES]>,
            reader: Box<Reader>,
            packets: Box<[[u64; SIZE / 8 * COUNT]; CORES]>,
            at_begin: Box<[[u32; 2]; CORES]>,
            /// How often a full ring has stopped the recording.
            full: Plain,
        }

        // SAFETY: of the model only; loom reports if the packets are shared wrongly.
        unsafe impl Sync for Memory {}
        // SAFETY: as above.
        unsafe impl Send for Memory {}

        // SAFETY: the buffers have the sizes that are given, and are the recorder's alone.
        unsafe impl Port for Memory {
            const DECLARATIONS: &'static [tband_format::Declaration] = &[];

            fn core_count(&self) -> u32 {
                CORES as u32
            }
            fn core(&self, index: u32) -> &CoreState {
                &self.cores[index as usize]
            }
            fn max_str_len(&self) -> u32 {
                TEXT_LEN
            }
            fn max_frame_len(&self) -> u32 {
                frame_buf_size(TEXT_LEN) as u32
            }
            fn drop_cnt_every(&self) -> u32 {
                0
            }
            fn metadata_buf(&self, index: u32) -> *mut u8 {
                self.metadata[index as usize].as_ptr().cast_mut()
            }
            fn metadata_buf_size(&self) -> u32 {
                16
            }
            fn snapshot_buf(&self, _: u32) -> *mut u8 {
                ptr::null_mut()
            }
            fn snapshot_buf_size(&self) -> u32 {
                0
            }
            fn frame_buf(&self, _: u32) -> *mut u8 {
                ptr::null_mut()
            }
            fn packets(&self) -> Option<&PacketSetup> {
                Some(&self.setup)
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
                true
            }
            fn submit(&self, _: *const u8, _: usize, _: bool) -> bool {
                true
            }
            fn snapshot_full(&self) {
                self.full.fetch_add(1, Now);
            }
            fn lock(&self) {
                self.lock.lock();
            }
            fn unlock(&self) {
                self.lock.unlock();
            }
        }

        fn recorder(policy: Policy, metadata_every: u32) -> Arc<Recorder<Memory>> {
            let mut rings = Box::new([(); CORES].map(|()| Ring::default()));
            let mut reader = Box::new(Reader::default());
            let mut packets = Box::new([[0; SIZE / 8 * COUNT]; CORES]);
            let memory = packets.as_mut_ptr().cast::<u8>();
            let mut at_begin = Box::new([[0; 2]; CORES]);
            let setup = PacketSetup {
                core_count: CORES as u32,
                rings: rings.as_mut_ptr(),
                reader: &raw mut *reader,
                memory,
                packet_size: SIZE as u32,
                packet_count: COUNT as u32,
                last_packet: memory.wrapping_add(SIZE * (COUNT - 1)),
                max_event_len: 10 + TEXT_LEN + 6,
                metadata_every,
                policy,
                at_begin: at_begin.as_mut_ptr().cast(),
                class_isrs: ptr::null(),
                at_begin_words: 2,
                class_isr_words: 0,
                kept: ptr::null(),
                metadata_slot: ptr::null_mut(),
                hands_out: 0,
                sees_turns: 0,
                most_waiting: COUNT as u32,
            };
            let recorder = Arc::new(Recorder::new(Memory {
                cores: [(); CORES].map(|()| CoreState::new()),
                lock: Lock::new(),
                setup,
                slots: Slots::new(memory, SIZE, CORES * COUNT),
                metadata: [(); CORES].map(|()| Box::new([0; 16])),
                time: Plain::new(1),
                rings,
                reader,
                packets,
                at_begin,
                full: Plain::new(0),
            }));
            recorder.port().slots.watch();
            recorder
        }

        /// The shim's way of an event, on core `on`.
        fn event_on(recorder: &Recorder<Memory>, on: u32, number: u32) {
            if recorder.is_recording() {
                let core = recorder.port().core(on);
                if recorder.enter(core) {
                    let now = recorder.port().timestamp() as u32;
                    // SAFETY: recording was started with packets.
                    unsafe { recorder.packet_u32_str(ID, core, now, number, TEXT.as_ptr().cast()) };
                }
                recorder.exit(core);
            }
        }

        /// The shim's way of taking a packet: something may have to be written first.
        fn take_next(recorder: &Recorder<Memory>) -> Option<(*const u8, usize)> {
            loop {
                let packet = recorder.take_packet();
                if packet.is_some() || !recorder.is_packet_due() {
                    return packet;
                }
                recorder.write_due();
            }
        }

        /// Data taken of a core.
        #[derive(Default)]
        struct CoreData {
            events: Vec<u32>,
            sequences: Vec<u16>,
            /// As the events `shed` say it.
            shed: u32,
            discarded: u32,
        }

        /// Data taken.
        #[derive(Default)]
        struct TakenData([CoreData; CORES]);

        impl TakenData {
            /// Returns the data of a core.
            fn of(&self, core: u32) -> &CoreData {
                &self.0[core as usize]
            }

            /// Takes the available packets, at most `times`, and releases them.
            fn take(&mut self, recorder: &Recorder<Memory>, times: u32) {
                for _ in 0..times {
                    let Some((start, len)) = take_next(recorder) else { return };
                    look(start);
                    // SAFETY: the packet is the reader's.
                    let bytes = unsafe { std::slice::from_raw_parts(start, len) };
                    self.add(bytes);
                    recorder.packet_done();
                }
            }

            /// By hand: the decoder takes more stack than loom's threads have.
            fn add(&mut self, packet: &[u8]) {
                if packet[4] == METADATA_STREAM {
                    return;
                }
                let of = &mut self.0[usize::from(packet[4])];
                let half = |at: usize| u16::from_le_bytes([packet[at], packet[at + 1]]);
                of.sequences.push(half(6));
                of.discarded = u32::from(half(32));
                assert_eq!(usize::from(half(8) >> 3), packet.len(), "the content is all");
                let mut rest = &packet[HEADER_LEN..];
                while let [id, time, ..] = rest {
                    let time_len = 1 << (time & 3);
                    rest = &rest[1 + time_len..];
                    if *id == SHED_ID {
                        of.shed += u32::from(rest[1]);
                        rest = &rest[2..];
                        continue;
                    }
                    assert_eq!(u32::from(*id), ID, "an event");
                    of.events.push(u32::from(rest[0]));
                    let (text, after) = rest[1..].split_at(TEXT_LEN as usize + 1);
                    assert_eq!(text, TEXT.to_bytes_with_nul());
                    rest = after;
                }
            }
        }

        fn start(recorder: &Recorder<Memory>) {
            assert!(recorder.start_packets().is_ok());
        }

        /// Stops and takes the rest.
        fn stop_and_take(recorder: &Recorder<Memory>, taken: &mut TakenData) {
            assert!(recorder.stop_packets());
            while !recorder.finished() {
                thread::yield_now();
            }
            taken.take(recorder, 20);
        }
    };
}

pub(crate) use rings;
