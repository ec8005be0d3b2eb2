//! A recorder with rings of packets in loom's world, for models of any number of cores: memory, the shim's way of an event, the
//! reader.

/// What a model needs, in a module that has the source and the number of cores.
#[macro_export]
macro_rules! rings {
    ($source:ident, $cores:literal) => {
        tband_loom::fake!($source);

        use tband_format::Event;
        use tband_format::packet::{HEADER_LEN, METADATA_STREAM};
        use tband_loom::touched::look;

        const CORES: usize = $cores;

        const SIZE: usize = 128;
        const COUNT: usize = 2;
        /// No two events with one fit into a packet.
        const TEXT: &std::ffi::CStr = c"0123456789012345678901234567890123456789";
        const TEXT_LEN: u32 = 40;
        const ID: u32 =
            Event::Evtmarker { evtmarker_id: 0, msg: tband_format::Str(b"") }.id() as u32;
        const SHED_ID: u8 = Event::Shed { class: 0, n: 0 }.id();

        type Memory = FakePort<CORES>;

        fn recorder(policy: Policy, metadata_every: u32) -> Arc<Recorder<Memory>> {
            let mut rings = Box::new([(); CORES].map(|()| Ring::default()));
            let mut reader = Box::new(Reader::default());
            let mut packets = Box::new([[0_u64; SIZE / 8 * COUNT]; CORES]);
            let memory = packets.as_mut_ptr().cast::<u8>();
            let mut at_begin = Box::new([[0_u32; 2]; CORES]);
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
            let slots = Slots::new(memory, SIZE, CORES * COUNT);
            let memory = Box::new((rings, reader, packets, at_begin));
            let recorder = Arc::new(Recorder::new(Memory {
                metadata_size: 16,
                packets: Some(Packets { setup, slots, _memory: memory }),
                ..Memory::new(TEXT_LEN)
            }));
            recorder.port().packets.iter().for_each(|packets| packets.slots.watch());
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
