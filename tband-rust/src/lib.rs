//! The tband trace recorder for firmware in Rust: markers, interrupts, names, start and stop.
//!
//! ```no_run
//! use tband::{EventMarker, Interrupt, ValueMarker};
//!
//! const FILTER: EventMarker = EventMarker::new(1);
//! const LEVEL: ValueMarker = ValueMarker::new(2);
//! const UART: Interrupt = Interrupt::new(37);
//!
//! fn set_up() -> Result<(), tband::ControlError> {
//!     FILTER.name(c"filter");
//!     tband::streaming::start()
//! }
//!
//! fn filter(sample: i32) {
//!     let _span = FILTER.span(c"low pass"); // ends where the function ends
//!     LEVEL.set(sample.into());
//! }
//!
//! fn uart_handler() {
//!     let _interrupt = UART.enter();
//!     FILTER.instant(c"data");
//! }
//! ```
//!
//! The functions call C code that the program's build script compiles: the shim (`port/tband_shim.c`) with your
//! `tband_config.h` and `tband_port.h`. The shim calls the library, which comes with this crate. The guide's page on
//! Rust shows the build script, and `examples/rust-freertos` is a complete program.
//!
//! **Contexts.** Unless a function's docs name others: any task, any interrupt that may trace, and critical sections.
//! The critical section in `tband_port.h` determines which interrupts may trace. Everything relies on it: an
//! interrupt that it does not mask must not call anything here.
//!
//! **Cost.** Every function is one call of the C function that it names, inlined up to there; while recording is off,
//! that function loads a flag and returns. Functions that only read first call one that checks the caller's
//! privileges, because with memory protection a task without privileges must not read. Nothing here allocates, panics
//! or blocks.
//!
//! **Off.** With feature `enable` off all functions do nothing and no C is needed, as with `tband_configENABLE` 0.
//! The classes of events that need no kernel, `tband_configMARKER_TRACE_ENABLE` and `tband_configISR_TRACE_ENABLE` in
//! `tband_config.h`, are switches of the C functions.
//!
//! **Parts of a C program** in Rust must turn off feature `library`: the C build links `libtband.a` already.

#![no_std]
#![cfg_attr(not(feature = "enable"), allow(unused_variables, reason = "nothing is recorded"))]

#[cfg(test)]
extern crate std;

// Only the shim calls its functions, so without this line the program would not contain them.
#[cfg(all(feature = "enable", feature = "library"))]
extern crate tband_ffi as _;

/// The first expression where recording is compiled in, the second where it is not.
#[cfg(feature = "enable")]
macro_rules! if_enabled {
    ($on:expr, $off:expr) => {
        $on
    };
}
#[cfg(not(feature = "enable"))]
macro_rules! if_enabled {
    ($on:expr, $off:expr) => {
        $off
    };
}

mod buffer;
pub mod commands;
mod control;
pub mod crash;
pub mod elements;
#[cfg(any(feature = "embassy", test))]
mod executors;
pub mod filter;
pub mod freertos;
mod interrupt;
mod marker;
mod number;
pub mod packets;
pub mod post_mortem;
mod record;
#[doc(hidden)]
pub mod records;
pub mod scheduler;
pub mod snapshot;
pub mod streaming;
#[cfg(feature = "enable")]
#[allow(non_camel_case_types, non_upper_case_globals, reason = "the names are C's")]
mod sys;
mod text;
pub mod trigger;

pub use buffer::Buffer;
pub use control::{
    ControlError, dropped_events, dropped_metadata, gather_system_metadata, is_core_finished,
    is_finished, is_recording, keep_time, metadata_buffer, timestamp_frequency_changed,
};
#[cfg(feature = "embassy")]
pub use executors::embassy;
pub use interrupt::{Interrupt, InterruptGuard};
pub use marker::{EventMarker, Span, ValueMarker};
pub use text::Text;
