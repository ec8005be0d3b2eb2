//! The recorder's own source, with loom's atomics; see `build.rs`. `genuine` is as it is, the other modules
//! each lack one thing that it must not lack.

#![allow(warnings, clippy::all, reason = "the source is checked where it stands")]

include!(concat!(env!("OUT_DIR"), "/cores.rs"));
