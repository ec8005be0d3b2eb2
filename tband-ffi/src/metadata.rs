//! Metadata events as C passes them, and what is the same for all backends.

use core::mem::{align_of, offset_of, size_of};

use tband_core::Metadata;

use crate::port::{core_state, tband_recorder};
use crate::setup::{tband_core_state, tband_metadata};

/// The event that the shim has built is what the recorder takes.
const _: () = {
    assert!(size_of::<tband_metadata>() == size_of::<Metadata<'_>>());
    assert!(align_of::<tband_metadata>() == align_of::<Metadata<'_>>());
    assert!(offset_of!(tband_metadata, text) == offset_of!(Metadata<'_>, text));
    assert!(offset_of!(tband_metadata, numbers) == offset_of!(Metadata<'_>, numbers));
    assert!(offset_of!(tband_metadata, count) == offset_of!(Metadata<'_>, count));
    assert!(offset_of!(tband_metadata, id) == offset_of!(Metadata<'_>, id));
};

/// The event that the shim has built.
///
/// # Safety
/// `event` points to one, whose pointers are valid.
#[inline(always)]
pub unsafe fn metadata<'a>(event: *const tband_metadata) -> &'a Metadata<'a> {
    // SAFETY: the same layout, see above.
    unsafe { &*event.cast() }
}

/// Appends a metadata event to the metadata buffer of `core`. Returns false if it did not fit, which is
/// counted. Whether recording or not; inside the critical section of `core`, any task or interrupt.
///
/// # Safety
/// `core` points into `tband_setup.cores`. The numbers of `event` are there, and its text is readable to
/// its NUL or for `tband_configMAX_STR_LEN` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_metadata_store(
    core: *mut tband_core_state,
    event: *const tband_metadata,
) -> bool {
    // SAFETY: the shim passes its own state; the caller vouches for the event.
    unsafe { tband_recorder.store_metadata(core_state(core), metadata(event)) }
}

/// Makes of `event`, which did not fit, the event that says so; its numbers are overwritten. Inside the
/// critical section of `core`.
///
/// # Safety
/// As `tband_metadata_store`; the event and its numbers may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_metadata_dropped_event(
    core: *mut tband_core_state,
    event: *mut tband_metadata,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let numbers = &mut *(*event).numbers.cast();
        let dropped = tband_recorder.metadata_dropped_event(core_state(core), numbers);
        event.cast::<Metadata<'_>>().write(dropped);
    }
}
