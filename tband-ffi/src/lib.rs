//! `libtband.a`: the C ABI of the recorder.
//!
//! Called by the C shim (`port/tband_shim.c`) and by inline functions in `include/tband_api.h`, not by
//! user code. `include/tband.h` is generated from here: the doc comments are its documentation.
//! What records is the same for each backend: a macro that `backends` calls for each (`emitters` for frames, `packets`);
//! what controls one is in its own file.
//! The library meets the user's build in two places only, both defined by the shim: the constant
//! `setup::tband_setup` and the port functions in `port`.
//!
//! Two packages are made of these sources: the static library for C programs, and `tband-ffi-rlib`,
//! which Rust programs get by depending on `tband`.

// Firmware is built with `panic = "abort"`, and for most targets there is nothing else. What cargo
// builds for the host beside it (checks, lints) unwinds, which needs `std`.
#![cfg_attr(panic = "abort", no_std)]
#![allow(non_camel_case_types, non_upper_case_globals, reason = "the names are C's")]

mod backends;
mod command;
mod control;
mod emitters;
mod external;
mod filter;
mod frame;
mod getters;
mod metadata;
mod packet_setup;
mod packets;
mod port;
mod rtt;
mod setup;
mod shedding;
mod snapshot;
mod streaming;
mod trigger;

/// Nothing in the library panics, and a test looks for panic code in the archive. The language wants
/// a handler all the same where there is no `std`. Rust programs have one of their own.
#[cfg(all(panic = "abort", feature = "panic-handler"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
