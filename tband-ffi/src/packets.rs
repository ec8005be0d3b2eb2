//! What records packets, controls them and takes them out: the same functions for each backend of one core, and for
//! several, of which a firmware links one. What is known of the firmware when the library is compiled is not asked for on
//! the target.
//!
//! `cargo xtask header` takes the macro's text apart for cbindgen, which does not look into macros.

macro_rules! packets {
    ($name:ident, $known:expr) => {
        mod $name {
            use crate::packet_setup::{tband_packet_setup, tband_shedding, tband_table_measure};
            use crate::port::{CPort, core_state, packet_setup, recorder_of};
            use crate::setup::tband_core_state;
            use crate::shedding::shedding;
            use tband_core::{Recorder, TableMeasure};

            #[inline(always)]
            fn recorder() -> &'static Recorder<CPort<{ $known }>> {
                recorder_of()
            }

            /// Makes room for an event that does not fit into the open packet of `core`, or comes long after the one before it:
            /// opens another packet, or has the event write a long time. Not NULL: try again; NULL: it is not recorded, since
            /// recording is off, or there is no room. `begin` is its time in ticks, all of it. Inside the critical section of `core`,
            /// any task or interrupt.
            ///
            /// # Safety
            /// `core` points into `tband_setup.cores`, and `setup` is `tband_shim_packets`.
            #[unsafe(export_name = concat!("tband_packet_open_next_", stringify!($name)))]
            pub unsafe extern "C" fn packet_open_next(
                core: *mut tband_core_state,
                setup: *const tband_packet_setup,
                begin: u64,
            ) -> *mut u8 {
                // SAFETY: the shim passes its own state and constant.
                let (core, setup) = unsafe { (core_state(core), packet_setup(setup)) };
                recorder().open_next_packet(core, setup, begin)
            }

            /// As `tband_core_refuse`, with packets.
            ///
            /// # Safety
            /// As `tband_core_refuse`.
            #[unsafe(export_name = concat!("tband_packet_refuse_", stringify!($name)))]
            pub unsafe extern "C" fn packet_refuse(core: *mut tband_core_state, is_metadata: bool) {
                // SAFETY: the shim passes its own state.
                let core = unsafe { core_state(core) };
                recorder().refuse_in_packets(core, is_metadata);
            }

            /// Counts so many events of `core` as lost: they were left out, and no packet says so. Inside the critical section of
            /// `core`.
            ///
            /// # Safety
            /// `core` points into `tband_setup.cores`.
            #[unsafe(export_name = concat!("tband_packet_discard_", stringify!($name)))]
            pub unsafe extern "C" fn packet_discard(core: *mut tband_core_state, events: u32) {
                // SAFETY: the shim passes its own state.
                recorder().discard_in_packets(unsafe { core_state(core) }, events);
            }

            /// A packet of `core` was opened: takes steps of the order of shedding, or takes them back, as its packets wait, and hooks
            /// follow. Inside the critical section of `core`; recording is on.
            ///
            /// # Safety
            /// `core` points into `tband_setup.cores`; `of` is the shim's.
            #[unsafe(export_name = concat!("tband_packet_shed_turn_", stringify!($name)))]
            pub unsafe extern "C" fn packet_shed_turn(
                core: *mut tband_core_state,
                of: *const tband_shedding,
            ) {
                // SAFETY: the caller's promise.
                recorder().shed_turn(unsafe { shedding(of) }, unsafe { core_state(core) });
            }

            /// `tband_packet_shed_turn` would take a step back if the open packet was closed now. Context as of there.
            ///
            /// # Safety
            /// As `tband_packet_shed_turn`.
            #[unsafe(export_name = concat!("tband_packet_shed_may_turn_back_", stringify!($name)))]
            pub unsafe extern "C" fn packet_shed_may_turn_back(
                core: *mut tband_core_state,
                of: *const tband_shedding,
            ) -> bool {
                // SAFETY: the caller's promise.
                recorder().shed_may_turn_back(unsafe { shedding(of) }, unsafe { core_state(core) })
            }

            /// Closes the open packet of `core`, and of no other core, at time `now`. Inside the critical section of `core`.
            ///
            /// # Safety
            /// `core` points into `tband_setup.cores`.
            #[unsafe(export_name = concat!("tband_packet_close_own_", stringify!($name)))]
            pub unsafe extern "C" fn packet_close_own(core: *mut tband_core_state, now: u64) {
                // SAFETY: the caller's promise.
                recorder().close_own_packet(unsafe { core_state(core) }, now);
            }

            /// As `tband_filter_state_apply`, with what cores shed.
            ///
            /// # Safety
            /// `of` is the shim's.
            #[unsafe(export_name = concat!("tband_packet_shed_apply_", stringify!($name)))]
            pub unsafe extern "C" fn packet_shed_apply(of: *const tband_shedding) {
                // SAFETY: the caller's promise.
                recorder().shed_apply(unsafe { shedding(of) });
            }

            /// With several cores: counts of what was shed are to be written, as `tband_packet_is_due` has it of other things. The one
            /// reader.
            ///
            /// # Safety
            /// `of` is the shim's.
            #[unsafe(export_name = concat!("tband_packet_shed_is_due_", stringify!($name)))]
            pub unsafe extern "C" fn packet_shed_is_due(of: *const tband_shedding) -> bool {
                // SAFETY: the caller's promise.
                recorder().is_shed_due(unsafe { shedding(of) })
            }

            /// Writes them. The one reader, inside the critical section.
            ///
            /// # Safety
            /// `of` is the shim's.
            #[unsafe(export_name = concat!("tband_packet_write_shed_", stringify!($name)))]
            pub unsafe extern "C" fn packet_write_shed(of: *const tband_shedding) {
                // SAFETY: the caller's promise.
                recorder().write_shed(unsafe { shedding(of) });
            }

            /// Starts recording into the rings, after what they hold. Returns 0, or -1 if it is on or a core is still inside an
            /// event. Inside the critical section.
            #[unsafe(export_name = concat!("tband_packet_start_", stringify!($name)))]
            pub extern "C" fn packet_start() -> i32 {
                if recorder().start_packets().is_ok() { 0 } else { -1 }
            }

            /// As `tband_packet_start`, with several cores: what was shed before it is said or counted, and nothing is shed.
            ///
            /// # Safety
            /// `of` is the shim's.
            #[unsafe(export_name = concat!("tband_packet_start_shedding_", stringify!($name)))]
            pub unsafe extern "C" fn packet_start_shedding(of: *const tband_shedding) -> i32 {
                // SAFETY: the caller's promise.
                let started = recorder().start_shedding(unsafe { shedding(of) });
                if started.is_ok() { 0 } else { -1 }
            }

            /// Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
            #[unsafe(export_name = concat!("tband_packet_stop_", stringify!($name)))]
            pub extern "C" fn packet_stop() -> i32 {
                if recorder().stop_packets() { 0 } else { -1 }
            }

            /// Empties the rings. Returns 0, or -1 while recording is on or a core is inside an event. Inside the critical section;
            /// nobody is taking packets.
            #[unsafe(export_name = concat!("tband_packet_clear_", stringify!($name)))]
            pub extern "C" fn packet_clear() -> i32 {
                if recorder().clear_packets() { 0 } else { -1 }
            }

            /// Closes the open packet of `core` if it is more than `age` ticks old; 0: in any case. `now` is the time in ticks; that of
            /// the packet's last event if it is before that. Inside the critical section of `core`.
            ///
            /// # Safety
            /// `core` points into `tband_setup.cores`.
            #[unsafe(export_name = concat!("tband_packet_close_", stringify!($name)))]
            pub unsafe extern "C" fn packet_close(core: *mut tband_core_state, age: u32, now: u64) {
                // SAFETY: the shim passes its own state.
                recorder().close_packet(unsafe { core_state(core) }, age, now);
            }

            /// Finds the packets that a recording before a reset has left, so that they are taken as those of one that was stopped.
            /// Returns whether there are any. Nothing was recorded since the reset; whoever starts recordings. Some 30 instructions a
            /// packet, and 10 a byte of the metadata.
            #[unsafe(export_name = concat!("tband_packet_recover_", stringify!($name)))]
            pub extern "C" fn packet_recover() -> bool {
                recorder().recover_packets()
            }

            /// Writes down how much there is in the metadata buffer of a core. Inside the critical section, and the lock.
            ///
            /// # Safety
            /// `core_id` is below the number of cores; `measure` is written to.
            #[unsafe(export_name = concat!("tband_packet_measure_", stringify!($name)))]
            pub unsafe extern "C" fn packet_measure(
                core_id: u32,
                measure: *mut tband_table_measure,
            ) {
                // SAFETY: the caller's promise; the same layout.
                unsafe { measure.cast::<TableMeasure>().write(recorder().measure_table(core_id)) }
            }

            /// Recording stops when a core has closed as many more packets; 0: at once. Inside the critical section.
            #[unsafe(export_name = concat!("tband_packet_freeze_after_", stringify!($name)))]
            pub extern "C" fn packet_freeze_after(packets: u16) {
                recorder().freeze_after(packets);
            }

            /// Bytes of the packets that can be taken now, without metadata. Recording is off.
            #[unsafe(export_name = concat!("tband_packet_amount_", stringify!($name)))]
            pub extern "C" fn packet_amount() -> usize {
                recorder().packets_amount()
            }

            /// Whether `tband_packet_write_due` has something to write, before which `tband_packet_next` gives nothing. The one reader.
            #[unsafe(export_name = concat!("tband_packet_is_due_", stringify!($name)))]
            pub extern "C" fn packet_is_due() -> bool {
                recorder().is_packet_due()
            }

            /// Writes the next packet of metadata, or what ends a recording that was stopped, for `tband_packet_next`. The one reader,
            /// inside the critical section; some twelve instructions a byte of metadata.
            #[unsafe(export_name = concat!("tband_packet_write_due_", stringify!($name)))]
            pub extern "C" fn packet_write_due() {
                recorder().write_due();
            }

            /// The next packet, with its check, and how long it is; NULL if there is none. The one reader.
            ///
            /// # Safety
            /// `len` is written to.
            #[unsafe(export_name = concat!("tband_packet_next_", stringify!($name)))]
            pub unsafe extern "C" fn packet_next(len: *mut usize) -> *const u8 {
                let (packet, packet_len) =
                    recorder().take_packet().unwrap_or((core::ptr::null(), 0));
                // SAFETY: the caller's promise.
                unsafe { len.write(packet_len) };
                packet
            }

            /// Gives the packet back that `tband_packet_next` gave. The one reader.
            #[unsafe(export_name = concat!("tband_packet_give_back_", stringify!($name)))]
            pub extern "C" fn packet_give_back() {
                recorder().packet_done();
            }

            /// Copies the next bytes of a packet that `tband_packet_next` gave to `to`, at most `len`, and returns how many there
            /// were; after the last one gives it back. The one reader.
            ///
            /// # Safety
            /// There is room for `len` bytes.
            #[unsafe(export_name = concat!("tband_packet_read_", stringify!($name)))]
            pub unsafe extern "C" fn packet_read(
                to: *mut u8,
                len: usize,
                packet: *const u8,
                packet_len: usize,
            ) -> usize {
                // SAFETY: the caller's promise.
                unsafe { recorder().read_packet(to, len, packet, packet_len) }
            }

            /// Asks for the metadata to be sent again, with the next packets that are taken. Any context.
            #[unsafe(export_name = concat!("tband_packet_request_metadata_", stringify!($name)))]
            pub extern "C" fn packet_request_metadata() {
                recorder().request_metadata();
            }

            /// Memory of a core's packets: NULL for cores that do not exist. Any context.
            #[unsafe(export_name = concat!("tband_packet_memory_", stringify!($name)))]
            pub extern "C" fn packet_memory(core_id: core::ffi::c_uint) -> *const u8 {
                recorder().packet_memory(core_id).0
            }

            /// Bytes of a core's packets that are closed; 0 until the core has finished. Any context.
            #[unsafe(export_name = concat!("tband_packet_memory_amount_", stringify!($name)))]
            pub extern "C" fn packet_memory_amount(core_id: core::ffi::c_uint) -> usize {
                recorder().packet_memory(core_id).1
            }
        }
    };
}
pub(crate) use packets;
