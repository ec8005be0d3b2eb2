//! The constant of packets, which the shim tells when a recording is started.

use core::sync::atomic::{AtomicPtr, Ordering};

use tband_core::PacketSetup;

use crate::packet_setup::tband_packet_setup;

/// What the shim has told, once recording was started.
pub static SETUP: AtomicPtr<tband_packet_setup> = AtomicPtr::new(core::ptr::null_mut());

/// As the library sees it.
pub fn setup() -> Option<&'static PacketSetup> {
    // SAFETY: null, or a constant of the shim with the same layout.
    unsafe { SETUP.load(Ordering::Relaxed).cast::<PacketSetup>().as_ref() }
}
