//! `libtband_flux.a`: the C ABI of the emitter of flux in `tband-flux`.
//!
//! A separate library: programs that do not write flux do not link it, and it needs neither `libtband.a` nor its
//! configuration or port. `include/tband_flux.h` is generated from here by `cargo xtask header`: the doc comments are its
//! documentation.

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

/// Nothing in the library panics, and a test searches the archive for panic code. Without `std` the language requires a
/// handler nevertheless.
#[cfg(panic = "abort")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
