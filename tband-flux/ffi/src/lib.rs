//! `libtband_flux.a`: the C ABI of the emitter of flux in `tband-flux`.
//!
//! It is a library of its own: programs that do not write flux do not link it, and it needs nothing of `libtband.a`, its
//! configuration or its port. `include/tband_flux.h` is generated from here by `cargo xtask header`: the doc comments are
//! its documentation.

#![cfg_attr(panic = "abort", no_std)]
#![allow(non_camel_case_types, reason = "the names are C's")]

mod buffer;
mod define;
mod enter;
mod memory;
mod result;
mod sample;
mod structure;
mod trace;

/// Nothing in the library panics, and a test looks for panic code in the archive. The language wants a handler all the
/// same where there is no `std`.
#[cfg(panic = "abort")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
