//! Rings of packets between two cores: core 1 records, core 0 takes packets, closes the other's, starts and stops, under
//! every interleaving and every view of memory that loom knows, up to a number of preemptions.
//!
//! What runs is tband-core's own source with loom's atomics; the memory of packets, which is none, says when it is
//! touched (`build.rs`). The shim's part, which is C, is written down again in `event`. Each promise is asked of the
//! source as it is, and of sources that lack one thing, where it must fail: an ordering that is relaxed, two stores in
//! the other order, a look that is left out.

use tband_loom::verdict::Preemptions;

const PREEMPTIONS: Preemptions = Preemptions(2);

/// The models on one of the sources.
macro_rules! models {
    ($source:ident) => {
        #[allow(dead_code, reason = "each source is asked for what it lacks")]
        mod $source {
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
            static NO_TASKS: [u32; 2] = [0; 2];

            struct Memory {
                cores: [CoreState; 2],
                lock: Lock,
                setup: PacketSetup,
                slots: Slots,
                metadata: [Box<[u8; 16]>; 2],
                /// The timer.
                time: Plain,
                // What the setup points to.
                rings: Box<[Ring; 2]>,
                reader: Box<Reader>,
                packets: Box<[[u64; SIZE / 8 * COUNT]; 2]>,
            }

            // SAFETY: of the model only; loom reports if the packets are shared wrongly.
            unsafe impl Sync for Memory {}
            // SAFETY: as above.
            unsafe impl Send for Memory {}

            // SAFETY: the buffers have the sizes that are given, and are the recorder's alone.
            unsafe impl Port for Memory {
                fn core_count(&self) -> u32 {
                    2
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
                    SystemInfo { trace_info: &[], build_id: ptr::null() }
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
                fn snapshot_full(&self) {}
                fn lock(&self) {
                    self.lock.lock();
                }
                fn unlock(&self) {
                    self.lock.unlock();
                }
            }

            fn recorder(policy: Policy, metadata_every: u32) -> Arc<Recorder<Memory>> {
                let mut rings = Box::new([Ring::default(), Ring::default()]);
                let mut reader = Box::new(Reader::default());
                let mut packets = Box::new([[0; SIZE / 8 * COUNT]; 2]);
                let memory = packets.as_mut_ptr().cast::<u8>();
                let setup = PacketSetup {
                    core_count: 2,
                    rings: rings.as_mut_ptr(),
                    reader: &raw mut *reader,
                    memory,
                    packet_size: SIZE as u32,
                    packet_count: COUNT as u32,
                    to_last_packet: (SIZE * (COUNT - 1)) as u32,
                    max_event_len: 10 + TEXT_LEN + 6,
                    metadata_every,
                    policy,
                    running_tasks: NO_TASKS.as_ptr(),
                    open_isrs: [NO_TASKS.as_ptr(), ptr::null()],
                    open_isr_words: [1, 0],
                    kept: ptr::null(),
                    metadata_slot: ptr::null_mut(),
                    hands_out: 0,
                    sees_turns: 0,
                    most_waiting: COUNT as u32,
                };
                let recorder = Arc::new(Recorder::new(Memory {
                    cores: [CoreState::new(), CoreState::new()],
                    lock: Lock::new(),
                    setup,
                    slots: Slots::new(memory, SIZE, 2 * COUNT),
                    metadata: [Box::new([0; 16]), Box::new([0; 16])],
                    time: Plain::new(1),
                    rings,
                    reader,
                    packets,
                }));
                recorder.port().slots.watch();
                recorder
            }

            /// The shim's way of an event, on core 1.
            fn event(recorder: &Recorder<Memory>, number: u32) {
                if recorder.is_recording() {
                    let core = recorder.port().core(1);
                    if recorder.enter(core) {
                        let now = recorder.port().timestamp() as u32;
                        // SAFETY: recording was started with packets.
                        unsafe {
                            recorder.packet_u32_str(ID, core, now, number, TEXT.as_ptr().cast())
                        };
                    }
                    recorder.exit(core);
                }
            }

            /// The shim's way of taking a packet: something may have to be written first.
            fn taken(recorder: &Recorder<Memory>) -> Option<(*const u8, usize)> {
                loop {
                    let packet = recorder.take_packet();
                    if packet.is_some() || !recorder.is_packet_due() {
                        return packet;
                    }
                    recorder.write_due();
                }
            }

            /// What was taken, of core 1.
            #[derive(Default)]
            struct Taken {
                events: Vec<u32>,
                sequences: Vec<u16>,
                discarded: u32,
            }

            impl Taken {
                /// Takes what is there, `times` packets at most, and gives it back.
                fn take(&mut self, recorder: &Recorder<Memory>, times: u32) {
                    for _ in 0..times {
                        let Some((start, len)) = taken(recorder) else { return };
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
                    assert_eq!(packet[4], 1, "stream");
                    let half = |at: usize| u16::from_le_bytes([packet[at], packet[at + 1]]);
                    self.sequences.push(half(6));
                    self.discarded = u32::from(half(32));
                    assert_eq!(usize::from(half(8) >> 3), packet.len(), "the content is all");
                    let mut rest = &packet[HEADER_LEN..];
                    while let [id, time, ..] = rest {
                        assert_eq!(u32::from(*id), ID, "an event");
                        let time_len = 1 << (time & 3);
                        rest = &rest[1 + time_len..];
                        self.events.push(u32::from(rest[0]));
                        let (text, behind) = rest[1..].split_at(TEXT_LEN as usize + 1);
                        assert_eq!(text, TEXT.to_bytes_with_nul());
                        rest = behind;
                    }
                }
            }

            fn start(recorder: &Recorder<Memory>) {
                assert!(recorder.start_packets().is_ok());
            }

            fn on_core_1(recorder: &Arc<Recorder<Memory>>, events: u32) -> thread::JoinHandle<()> {
                let recorder = recorder.clone();
                thread::spawn(move || (1..=events).for_each(|number| event(&recorder, number)))
            }

            /// Stops and takes what is left.
            fn stop_and_take(recorder: &Recorder<Memory>, taken: &mut Taken) {
                assert!(recorder.stop_packets());
                while !recorder.finished() {
                    thread::yield_now();
                }
                taken.take(recorder, 20);
            }

            /// What is received and what was discarded is what was recorded, each in its place.
            pub fn stream() {
                const EVENTS: u32 = 4;
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = Taken::default();
                // What goes ahead.
                taken.take(&recorder, 1);
                let other = on_core_1(&recorder, EVENTS);
                taken.take(&recorder, 2);
                other.join().expect("core 1");
                let discarded = recorder.dropped();
                stop_and_take(&recorder, &mut taken);
                assert!(taken.sequences.windows(2).all(|pair| pair[0] + 1 == pair[1]));
                assert!(
                    taken.events.windows(2).all(|pair| pair[0] < pair[1]),
                    "{:?}",
                    taken.events
                );
                let received = taken.events.len() as u32;
                assert_eq!(received + discarded, EVENTS, "received and discarded");
                assert_eq!(taken.discarded, discarded, "told");
            }

            /// Metadata is written where a packet was, before core 1 gets that back.
            pub fn metadata() {
                let recorder = recorder(Policy::Stream, 1);
                let numbers = [1];
                let name = Metadata::new(5, &numbers, c"ab".as_ptr().cast()).with_text_of(4);
                // SAFETY: the text ends, and the buffers have room.
                unsafe { recorder.store_metadata(recorder.port().core(0), &name) };
                start(&recorder);
                let mut taken = Taken::default();
                event(&recorder, 1);
                event(&recorder, 2);
                let other = on_core_1(&recorder, 2);
                taken.take(&recorder, 4);
                other.join().expect("core 1");
                stop_and_take(&recorder, &mut taken);
                assert_eq!(taken.events.len() as u32 + recorder.dropped(), 4);
            }

            /// Whoever stops and waits has the last events, though the ring is written over until then.
            pub fn post_mortem() {
                let recorder = recorder(Policy::PostMortem, 0);
                start(&recorder);
                event(&recorder, 1);
                event(&recorder, 2);
                let other = on_core_1(&recorder, 2);
                let mut taken = Taken::default();
                assert!(recorder.stop_packets());
                while taken.events.is_empty() {
                    thread::yield_now();
                    taken.take(&recorder, 9);
                }
                other.join().expect("core 1");
                assert!((1..=COUNT).contains(&taken.events.len()), "{:?}", taken.events);
                assert!(
                    taken.events.windows(2).all(|pair| pair[0] + 1 == pair[1] || pair == [2, 1])
                );
            }

            /// A core closes its own packet only, whoever asks for it; nothing is lost, and nothing is there twice.
            pub fn flush() {
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = Taken::default();
                taken.take(&recorder, 1);
                event(&recorder, 1);
                let other = on_core_1(&recorder, 1);
                let now = recorder.port().timestamp();
                recorder.close_packet(recorder.port().core(0), 0, now);
                other.join().expect("core 1");
                stop_and_take(&recorder, &mut taken);
                assert_eq!(taken.events, [1, 1]);
            }

            /// Recording stops while an event is under way, and starts again.
            pub fn restart() {
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = Taken::default();
                taken.take(&recorder, 1);
                let other = on_core_1(&recorder, 2);
                stop_and_take(&recorder, &mut taken);
                while recorder.start_packets().is_err() {
                    thread::yield_now();
                }
                stop_and_take(&recorder, &mut taken);
                other.join().expect("core 1");
                assert!(
                    taken.events.windows(2).all(|pair| pair[0] < pair[1]),
                    "{:?}",
                    taken.events
                );
            }

            /// The other core starts again what was stopped, while what is left of that is taken.
            pub fn start_elsewhere() {
                let recorder = recorder(Policy::Stream, 0);
                start(&recorder);
                let mut taken = Taken::default();
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
                assert_eq!((&taken.events[..], &taken.sequences[..]), (&[1, 2][..], &[0, 1][..]));
            }
        }
    };
}

models!(genuine);
models!(without_release_of_a_packet);
models!(without_acquire_of_a_packet);
models!(without_release_of_room);
models!(without_acquire_of_room);
models!(with_a_packet_told_ahead_of_its_end);
models!(with_a_packet_given_back_ahead_of_its_metadata);
models!(with_a_look_at_a_recording_that_is_on);
models!(with_a_packet_of_another_core_closed);
models!(without_fence_of_the_event);
models!(with_the_limit_looked_at_again);
models!(without_lock_of_what_is_left_open);
models!(without_what_was_discarded_at_the_end);

#[test]
fn what_is_received_and_what_is_discarded_is_what_was_recorded() {
    PREEMPTIONS.holds(genuine::stream);
    PREEMPTIONS.fails(without_release_of_a_packet::stream, "Causality violation");
    PREEMPTIONS.fails(without_acquire_of_a_packet::stream, "Causality violation");
    PREEMPTIONS.fails(with_a_packet_told_ahead_of_its_end::stream, "Causality violation");
    PREEMPTIONS.fails(without_release_of_room::stream, "Causality violation");
    PREEMPTIONS.fails(without_acquire_of_room::stream, "Causality violation");
    PREEMPTIONS.fails(without_what_was_discarded_at_the_end::stream, "told");
}

#[test]
fn metadata_is_written_before_the_room_is_given_back() {
    PREEMPTIONS.holds(genuine::metadata);
    PREEMPTIONS.fails(with_a_packet_given_back_ahead_of_its_metadata::metadata, "assertion");
}

#[test]
fn the_last_packets_are_read_when_their_core_has_finished() {
    PREEMPTIONS.holds(genuine::post_mortem);
    PREEMPTIONS.fails(with_a_look_at_a_recording_that_is_on::post_mortem, "Causality violation");
}

#[test]
fn a_core_closes_its_own_packet_only() {
    PREEMPTIONS.holds(genuine::flush);
    PREEMPTIONS.fails(with_a_packet_of_another_core_closed::flush, "Causality violation");
}

/// Another core may say that nothing fits any more while a packet is being opened.
#[test]
fn an_event_goes_where_its_packet_was_opened() {
    PREEMPTIONS.fails(with_the_limit_looked_at_again::flush, "written where no packet is");
}

#[test]
fn a_recording_that_stops_inside_an_event_and_starts_again() {
    PREEMPTIONS.holds(genuine::restart);
    PREEMPTIONS.fails(without_fence_of_the_event::restart, "Causality violation");
}

#[test]
fn a_recording_that_is_started_while_the_end_of_the_last_one_is_read() {
    PREEMPTIONS.holds(genuine::start_elsewhere);
    PREEMPTIONS.fails(without_lock_of_what_is_left_open::start_elsewhere, "Causality violation");
}
