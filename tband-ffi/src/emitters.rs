//! Functions through which the shim records frames: the same for each backend. A firmware links those of one backend. A
//! timed event is opened, then closed with its fields.
//!
//! `cargo xtask header` extracts the macro's text for cbindgen, which does not expand macros.

macro_rules! emitters {
    ($name:ident, $implementation:ident) => {
        mod $name {
            use crate::frame::tband_frame;
            use crate::metadata::metadata;
            use crate::port::{core_state, tband_recorder};
            use crate::setup::{tband_core_state, tband_metadata};
            use core::ffi::c_char;
            use tband_core::emit::{Head, Numbers, U32, U32S64, U32Str, U32U32};
            use tband_core::$implementation;

            /// Counts a timed event of the backend and opens its frame with id and timestamp. One `tband_*_close_*` must
            /// follow, in the same critical section. `ts` in ticks; `head` is the event's id and, from bit 8, the length of
            /// its longest frame, `TBAND_FRAME_LEN_*`. Inside the critical section of `core`, any task or interrupt.
            ///
            /// # Safety
            /// `core` points into `tband_setup.cores`.
            #[unsafe(export_name = concat!("tband_lib_", stringify!($name), "_open"))]
            pub unsafe extern "C" fn open(
                head: u32,
                core: *mut tband_core_state,
                ts: u64,
            ) -> tband_frame {
                // SAFETY: as the caller promised; the shim passes its own state.
                unsafe {
                    tband_recorder.open::<$implementation>(
                        Head::from_word(head),
                        core_state(core),
                        ts,
                    )
                }
            }

            /// Writes the fields of an event with one number (`TBAND_EVT_U32_*`), and sends or stores its frame. No effect
            /// if no frame is open.
            ///
            /// # Safety
            /// `frame` comes from `tband_*_open` for the same core, which was called with the length for these fields.
            #[unsafe(export_name = concat!("tband_lib_", stringify!($name), "_close_u32"))]
            pub unsafe extern "C" fn close_u32(
                frame: tband_frame,
                core: *mut tband_core_state,
                first: u32,
            ) {
                // SAFETY: as the caller promised; the shim passes its own state.
                unsafe {
                    tband_recorder.close::<$implementation, _>(frame, core_state(core), U32(first))
                }
            }

            /// Like `tband_*_close_u32`, with two numbers (`TBAND_EVT_U32_U32_*`).
            ///
            /// # Safety
            /// See `tband_*_close_u32`.
            #[unsafe(export_name = concat!("tband_lib_", stringify!($name), "_close_u32_u32"))]
            pub unsafe extern "C" fn close_u32_u32(
                frame: tband_frame,
                core: *mut tband_core_state,
                first: u32,
                second: u32,
            ) {
                // SAFETY: as the caller promised; the shim passes its own state.
                unsafe {
                    tband_recorder.close::<$implementation, _>(
                        frame,
                        core_state(core),
                        U32U32(first, second),
                    )
                }
            }

            /// Like `tband_*_close_u32`, with a number and a signed value (`TBAND_EVT_U32_S64_*`).
            ///
            /// # Safety
            /// See `tband_*_close_u32`.
            #[unsafe(export_name = concat!("tband_lib_", stringify!($name), "_close_u32_s64"))]
            pub unsafe extern "C" fn close_u32_s64(
                frame: tband_frame,
                value: i64,
                first: u32,
                core: *mut tband_core_state,
            ) {
                // SAFETY: as the caller promised; the shim passes its own state.
                unsafe {
                    tband_recorder.close::<$implementation, _>(
                        frame,
                        core_state(core),
                        U32S64(first, value),
                    )
                }
            }

            /// Like `tband_*_close_u32`, with a number and a string (`TBAND_EVT_U32_STR_*`). `text` may be NULL, which is an
            /// empty string; at most `tband_configMAX_STR_LEN` bytes of it are read.
            ///
            /// # Safety
            /// See `tband_*_close_u32`; `text` is readable to its NUL or for `tband_configMAX_STR_LEN` bytes.
            #[unsafe(export_name = concat!("tband_lib_", stringify!($name), "_close_u32_str"))]
            pub unsafe extern "C" fn close_u32_str(
                frame: tband_frame,
                core: *mut tband_core_state,
                first: u32,
                text: *const c_char,
            ) {
                // SAFETY: as the caller promised; the shim passes its own state.
                unsafe {
                    tband_recorder.close::<$implementation, _>(
                        frame,
                        core_state(core),
                        U32Str(first, text.cast()),
                    )
                }
            }

            /// Like `tband_*_close_u32`, with up to five numbers (`TBAND_EVT_*` of three `U32` and more).
            ///
            /// # Safety
            /// See `tband_*_close_u32`; `count`, at most 5, numbers are at `numbers`.
            #[unsafe(export_name = concat!("tband_lib_", stringify!($name), "_close_numbers"))]
            pub unsafe extern "C" fn close_numbers(
                frame: tband_frame,
                core: *mut tband_core_state,
                numbers: *const u32,
                count: u32,
            ) {
                // SAFETY: as the caller promised; the shim passes its own state.
                unsafe {
                    tband_recorder.close::<$implementation, _>(
                        frame,
                        core_state(core),
                        Numbers(numbers, count),
                    );
                }
            }

            /// For recordings in Tonbandgeraet's way: returns whether a metadata event goes through the backend now. Counts
            /// it, and sends the drop counter that may be due. If true, `tband_*_send_metadata` must follow in the same
            /// critical section.
            ///
            /// # Safety
            /// See `tband_*_open`.
            #[unsafe(export_name = concat!("tband_lib_", stringify!($name), "_may_send_metadata"))]
            pub unsafe extern "C" fn may_send_metadata(
                core: *mut tband_core_state,
                ts: u64,
            ) -> bool {
                // SAFETY: the shim passes its own state.
                tband_recorder.may_send_metadata::<$implementation>(ts, unsafe { core_state(core) })
            }

            /// Sends a metadata event, if recording is on. `ts` is for a `core_id` that may precede it if several cores
            /// share a stream.
            ///
            /// # Safety
            /// See `tband_lib_metadata_keep`.
            #[unsafe(export_name = concat!("tband_lib_", stringify!($name), "_send_metadata"))]
            pub unsafe extern "C" fn send_metadata(
                core: *mut tband_core_state,
                event: *const tband_metadata,
                ts: u64,
            ) {
                // SAFETY: the shim passes its own state; the caller vouches for the event.
                unsafe {
                    tband_recorder.send_metadata::<$implementation>(
                        ts,
                        core_state(core),
                        metadata(event),
                    )
                }
            }
        }
    };
}
pub(crate) use emitters;
