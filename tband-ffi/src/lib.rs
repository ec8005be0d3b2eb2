//! `libtband.a`: the C ABI of the recorder.
//!
//! Called by the C shim (`port/tband_shim.c`) and by inline functions in `include/tband_api.h`, not by user code.
//! `include/tband_library.h` is generated from here: the doc comments are its documentation. The recording functions are the
//! same for each backend: `backends` expands a macro for each (`emitters` for frames, `packets`). The control functions
//! of a backend are in its own file. The library uses only two things from the user's build, both defined by the shim:
//! the constant `setup::tband_setup` and the port functions in `port`.
//!
//! Two packages are built from these sources: `firmware/tband-ffi`, the static library for C programs, and this one, a Rust
//! library that Rust programs get by depending on `tband`.

// Firmware is built with `panic = "abort"`, and most targets support nothing else. Builds by cargo for the host (checks,
// lints) unwind, which needs `std`.
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

/// Nothing in the library panics, and a test searches the archive for panic code. Without `std` the language requires a
/// handler nevertheless. Rust programs define one themselves.
#[cfg(all(panic = "abort", feature = "panic-handler"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
