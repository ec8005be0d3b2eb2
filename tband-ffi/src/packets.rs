//! Functions that record packets, control the recording and take packets out: the same for each backend with one core, and for
//! several cores. A firmware links one set. Properties of the firmware that are known when the library is compiled are not tested
//! on the target.
//!
//! `cargo xtask header` extracts the macro's text for cbindgen, which does not expand macros.

macro_rules! packets {
    ($name:ident, $known:expr) => {
        mod $name {
            use crate::packet_setup::{tband_packet_setup, tband_shedding, tband_table_measure};
            use crate::port::{CPort, core_state, packet_setup, recorder_of};
            use crate::setup::tband_core_state;
            use crate::shedding::shedding;
            use tband_core::Recorder;
            use tband_core::ring::TableMeasure;

            #[inline(always)]
            fn recorder() -> &'static Recorder<CPort<{ $known }>> {
                recorder_of()
            }

            /// Makes room for an event that does not fit into the open packet of `core`, or comes long after the previous one:
            /// opens another packet, or makes the event use a long time. If the result is not NULL, try again. If it is NULL, the
            /// event must not be recorded, because recording is off or all packets are in use. `begin` is the event's full time in
            /// ticks. Inside the critical section of `core`, any task or interrupt.
            ///
            /// # Safety
            /// `core` points into `tband_setup.cores`, and `setup` is `tband_shim_packets`.
            #[unsafe(export_name = concat!("tband_lib_packet_open_next_", stringify!($name)))]
            pub unsafe extern "C" fn packet_open_next(
                core: *mut tband_core_state,
                setup: *const tband_packet_setup,
                begin: u64,
            ) -> *mut u8 {
                // SAFETY: the shim passes its own state and constant.
                let (core, setup) = unsafe { (core_state(core), packet_setup(setup)) };
                recorder().open_next_packet(core, setup, begin)
            }

            /// Like `tband_lib_core_refuse`, with packets.
            ///
            /// # Safety
            /// See `tband_lib_core_refuse`.
            #[unsafe(export_name = concat!("tband_lib_packet_refuse_", stringify!($name)))]
            pub unsafe extern "C" fn packet_refuse(core: *mut tband_core_state, is_metadata: bool) {
                // SAFETY: the shim passes its own state.
                let core = unsafe { core_state(core) };
                recorder().refuse_in_packets(core, is_metadata);
            }

            /// Counts `events` events of `core` as lost: they were left out, and no packet reports them. Inside the critical
            /// section of `core`.
            ///
            /// # Safety
            /// `core` points into `tband_setup.cores`.
            #[unsafe(export_name = concat!("tband_lib_packet_discard_", stringify!($name)))]
            pub unsafe extern "C" fn packet_discard(core: *mut tband_core_state, events: u32) {
                // SAFETY: the shim passes its own state.
                recorder().discard_in_packets(unsafe { core_state(core) }, events);
            }

            /// Called after a packet of `core` was opened: takes steps of the order of shedding, or takes them back, depending on
            /// the number of waiting packets; hooks follow. Inside the critical section of `core`; recording is on.
            ///
            /// # Safety
            /// `core` points into `tband_setup.cores`; `of` is the shim's.
            #[unsafe(export_name = concat!("tband_lib_packet_shed_turn_", stringify!($name)))]
            pub unsafe extern "C" fn packet_shed_turn(
                core: *mut tband_core_state,
                of: *const tband_shedding,
            ) {
                // SAFETY: the caller's promise.
                recorder().shed_turn(unsafe { shedding(of) }, unsafe { core_state(core) });
            }

            /// Returns true if `tband_packet_shed_turn` would take a step back if the open packet were closed now. Same context.
            ///
            /// # Safety
            /// See `tband_packet_shed_turn`.
            #[unsafe(export_name = concat!("tband_lib_packet_shed_may_turn_back_", stringify!($name)))]
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
            #[unsafe(export_name = concat!("tband_lib_packet_close_own_", stringify!($name)))]
            pub unsafe extern "C" fn packet_close_own(core: *mut tband_core_state, now: u64) {
                // SAFETY: the caller's promise.
                recorder().close_own_packet(unsafe { core_state(core) }, now);
            }

            /// Like `tband_lib_filter_state_apply`, with the events that cores shed.
            ///
            /// # Safety
            /// `of` is the shim's.
            #[unsafe(export_name = concat!("tband_lib_packet_shed_apply_", stringify!($name)))]
            pub unsafe extern "C" fn packet_shed_apply(of: *const tband_shedding) {
                // SAFETY: the caller's promise.
                recorder().shed_apply(unsafe { shedding(of) });
            }

            /// With several cores: returns true if counts of shed events must be written by `tband_packet_write_shed`. The one
            /// reader.
            ///
            /// # Safety
            /// `of` is the shim's.
            #[unsafe(export_name = concat!("tband_lib_packet_shed_is_due_", stringify!($name)))]
            pub unsafe extern "C" fn packet_shed_is_due(of: *const tband_shedding) -> bool {
                // SAFETY: the caller's promise.
                recorder().is_shed_due(unsafe { shedding(of) })
            }

            /// Writes the counts of shed events. The one reader, inside the critical section.
            ///
            /// # Safety
            /// `of` is the shim's.
            #[unsafe(export_name = concat!("tband_lib_packet_write_shed_", stringify!($name)))]
            pub unsafe extern "C" fn packet_write_shed(of: *const tband_shedding) {
                // SAFETY: the caller's promise.
                recorder().write_shed(unsafe { shedding(of) });
            }

            /// Starts recording into the rings, after their contents. Returns 0, or -1 if recording is on or a core is still inside
            /// an event. Inside the critical section.
            #[unsafe(export_name = concat!("tband_lib_packet_start_", stringify!($name)))]
            pub extern "C" fn packet_start() -> i32 {
                if recorder().start_packets().is_ok() { 0 } else { -1 }
            }

            /// Like `tband_packet_start`, with several cores: earlier counts of shed events are recorded or counted as lost, and
            /// nothing is shed.
            ///
            /// # Safety
            /// `of` is the shim's.
            #[unsafe(export_name = concat!("tband_lib_packet_start_shedding_", stringify!($name)))]
            pub unsafe extern "C" fn packet_start_shedding(of: *const tband_shedding) -> i32 {
                // SAFETY: the caller's promise.
                let started = recorder().start_shedding(unsafe { shedding(of) });
                if started.is_ok() { 0 } else { -1 }
            }

            /// Stops recording. Returns 0, or -1 if it was not on. Inside the critical section.
            #[unsafe(export_name = concat!("tband_lib_packet_stop_", stringify!($name)))]
            pub extern "C" fn packet_stop() -> i32 {
                if recorder().stop_packets() { 0 } else { -1 }
            }

            /// Empties the rings. Returns 0, or -1 while recording is on or a core is inside an event. Inside the critical section;
            /// no packets are being taken.
            #[unsafe(export_name = concat!("tband_lib_packet_clear_", stringify!($name)))]
            pub extern "C" fn packet_clear() -> i32 {
                if recorder().clear_packets() { 0 } else { -1 }
            }

            /// Closes the open packet of `core` if it is more than `age` ticks old; with 0 in any case. `now` is the time in ticks.
            /// If it is before the packet's last event, the packet ends at that event's time. Inside the critical section of
            /// `core`.
            ///
            /// # Safety
            /// `core` points into `tband_setup.cores`.
            #[unsafe(export_name = concat!("tband_lib_packet_close_", stringify!($name)))]
            pub unsafe extern "C" fn packet_close(core: *mut tband_core_state, age: u32, now: u64) {
                // SAFETY: the shim passes its own state.
                recorder().close_packet(unsafe { core_state(core) }, age, now);
            }

            /// Finds the packets that a recording before a reset has left, so that they can be taken like those of a stopped
            /// recording. Returns whether there are any. Nothing was recorded since the reset; in the context that starts
            /// recordings. About 30 instructions per packet, and 10 per byte of the metadata.
            #[unsafe(export_name = concat!("tband_lib_packet_recover_", stringify!($name)))]
            pub extern "C" fn packet_recover() -> bool {
                recorder().recover_packets()
            }

            /// Stores the fill level of the metadata buffer of a core. Inside the critical section, and with the lock.
            ///
            /// # Safety
            /// `core_id` is below the number of cores; `measure` is written to.
            #[unsafe(export_name = concat!("tband_lib_packet_measure_", stringify!($name)))]
            pub unsafe extern "C" fn packet_measure(
                core_id: u32,
                measure: *mut tband_table_measure,
            ) {
                // SAFETY: the caller's promise; the same layout.
                unsafe { measure.cast::<TableMeasure>().write(recorder().measure_table(core_id)) }
            }

            /// Stops recording when a core has closed `packets` more packets; with 0 at once. Inside the critical section.
            #[unsafe(export_name = concat!("tband_lib_packet_freeze_after_", stringify!($name)))]
            pub extern "C" fn packet_freeze_after(packets: u16) {
                recorder().freeze_after(packets);
            }

            /// Returns the number of bytes of the packets that can be taken now, without metadata. Recording is off.
            #[unsafe(export_name = concat!("tband_lib_packet_amount_", stringify!($name)))]
            pub extern "C" fn packet_amount() -> usize {
                recorder().packets_amount()
            }

            /// Returns true if `tband_packet_write_due` has a packet to write; until then `tband_packet_next` returns NULL. The one
            /// reader.
            #[unsafe(export_name = concat!("tband_lib_packet_is_due_", stringify!($name)))]
            pub extern "C" fn packet_is_due() -> bool {
                recorder().is_packet_due()
            }

            /// Writes the next packet of metadata, or the end of a recording that was stopped, for `tband_packet_next`. The one
            /// reader, inside the critical section; about twelve instructions per byte of metadata.
            #[unsafe(export_name = concat!("tband_lib_packet_write_due_", stringify!($name)))]
            pub extern "C" fn packet_write_due() {
                recorder().write_due();
            }

            /// Returns the next packet, with its checksum, and its length; NULL if there is none. The one reader.
            ///
            /// # Safety
            /// `len` is written to.
            #[unsafe(export_name = concat!("tband_lib_packet_next_", stringify!($name)))]
            pub unsafe extern "C" fn packet_next(len: *mut usize) -> *const u8 {
                let (packet, packet_len) =
                    recorder().take_packet().unwrap_or((core::ptr::null(), 0));
                // SAFETY: the caller's promise.
                unsafe { len.write(packet_len) };
                packet
            }

            /// Releases the packet that `tband_packet_next` has returned. The one reader.
            #[unsafe(export_name = concat!("tband_lib_packet_give_back_", stringify!($name)))]
            pub extern "C" fn packet_give_back() {
                recorder().packet_done();
            }

            /// Copies the next bytes of the packet that `tband_packet_next` has returned to `to`, at most `len`, and returns their
            /// number; releases the packet after its last byte. The one reader.
            ///
            /// # Safety
            /// There is room for `len` bytes.
            #[unsafe(export_name = concat!("tband_lib_packet_read_", stringify!($name)))]
            pub unsafe extern "C" fn packet_read(
                to: *mut u8,
                len: usize,
                packet: *const u8,
                packet_len: usize,
            ) -> usize {
                // SAFETY: the caller's promise.
                unsafe { recorder().read_packet(to, len, packet, packet_len) }
            }

            /// Requests the metadata to be sent again, with the next packets that are taken. Any context.
            #[unsafe(export_name = concat!("tband_lib_packet_request_metadata_", stringify!($name)))]
            pub extern "C" fn packet_request_metadata() {
                recorder().request_metadata();
            }

            /// Returns the memory of a core's packets; NULL for cores that do not exist. Any context.
            #[unsafe(export_name = concat!("tband_lib_packet_memory_", stringify!($name)))]
            pub extern "C" fn packet_memory(core_id: core::ffi::c_uint) -> *const u8 {
                recorder().packet_memory(core_id).0
            }

            /// Returns the number of bytes of a core's closed packets; 0 until the core has finished. Any context.
            #[unsafe(export_name = concat!("tband_lib_packet_memory_amount_", stringify!($name)))]
            pub extern "C" fn packet_memory_amount(core_id: core::ffi::c_uint) -> usize {
                recorder().packet_memory(core_id).1
            }
        }
    };
}
pub(crate) use packets;
