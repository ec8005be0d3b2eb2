//! Metadata events as C passes them, and the functions that are the same for all backends.

use core::mem::{align_of, offset_of, size_of};

use tband_core::metadata::Metadata;
use tband_core::table::Search;

use crate::port::{core_state, tband_recorder};
use crate::setup::{tband_core_state, tband_metadata};

/// The struct that the shim fills in has the layout of the recorder's.
const _: () = {
    assert!(size_of::<tband_metadata>() == size_of::<Search<'_>>());
    assert!(align_of::<tband_metadata>() == align_of::<Search<'_>>());
    assert!(offset_of!(Search<'_>, event) == 0);
    assert!(offset_of!(tband_metadata, text) == offset_of!(Metadata<'_>, text));
    assert!(offset_of!(tband_metadata, numbers) == offset_of!(Metadata<'_>, numbers));
    assert!(offset_of!(tband_metadata, head) == offset_of!(Metadata<'_>, head));
    assert!(offset_of!(tband_metadata, at) == offset_of!(Search<'_>, at));
    assert!(offset_of!(tband_metadata, changes) == offset_of!(Search<'_>, changes));
};

/// Flag of `tband_metadata.head`: the event replaces nothing in the metadata buffers.
pub const TBAND_META_NEW: u32 = 0x0800;
/// Flag of `tband_metadata.head`: a request to remove the entries of the object in the first number; the second number
/// has bit id % 32 for each event to remove.
pub const TBAND_META_FORGET: u32 = 0x1000;
/// Flag of `tband_metadata.head`: for the metadata buffers only.
pub const TBAND_META_NOT_SENT: u32 = 0x2000;
/// Flag of `tband_metadata.head`: for the metadata buffers only, and only if an entry to replace is there.
pub const TBAND_META_UPDATE: u32 = 0x6000;
/// Flag of `tband_metadata.head`: the event has a string, though it may be empty.
pub const TBAND_META_TEXT: u32 = 0x8000;
/// Initial value of `tband_metadata.changes` for a buffer that must be searched.
pub const TBAND_META_START: u32 = 0;
const _: () = assert!(
    TBAND_META_NEW == Metadata::NEW
        && TBAND_META_FORGET == Metadata::FORGET
        && TBAND_META_NOT_SENT == Metadata::NOT_SENT
        && TBAND_META_UPDATE == Metadata::NOT_SENT | Metadata::UPDATE
        && TBAND_META_TEXT == Metadata::TEXT
        && TBAND_META_START == Search::START
);

/// Returns the event that the shim has built.
///
/// # Safety
/// `event` points to one, whose pointers are valid.
#[inline(always)]
pub unsafe fn metadata<'a>(event: *const tband_metadata) -> &'a Metadata<'a> {
    // SAFETY: the same layout, see above.
    unsafe { &(*event.cast::<Search<'_>>()).event }
}

/// Performs one step of an event through the metadata buffer `buf` of core `of`, with several cores: overwrites the
/// entry that the event replaces with zeros. Returns true if there is more to do in this buffer. The caller may leave
/// the critical section between two steps. It must not leave it between the step that has found the entry, and has set
/// the flag `TBAND_META_NEW`, and `tband_lib_metadata_keep`.
///
/// A step processes 64 bytes, including gaps, and then continues to the end of the entry. If an entry was stored or
/// moved in any buffer since the last step, the step changes `changes`, and the buffer is searched from its start.
/// Whether recording is on or off; inside the critical section, any task or interrupt; with several cores with the
/// lock.
///
/// # Safety
/// `of` points into `tband_setup.cores`, and `buf` is that core's. The numbers of `event` are there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_metadata_tidy(
    event: *mut tband_metadata,
    of: *mut tband_core_state,
    buf: *mut u8,
) -> bool {
    // SAFETY: the shim passes its own state and event, which has the same layout here, see above.
    unsafe {
        let search = &mut *event.cast::<Search<'_>>();
        search.step(tband_recorder.metadata_changes(), core_state(of), buf)
    }
}

/// Like `tband_lib_metadata_tidy` with one core, and with several cores for events with the flag `TBAND_META_NEW`.
/// After the last step, or when the step has found the entry that the event replaces, stores the event if it must be
/// kept: in the first gap that was made since the last store, if that is large enough; or after the last entry; or, if
/// that does not fit, after all gaps have been closed. An event that still does not fit is counted.
///
/// # Safety
/// See `tband_lib_metadata_tidy`; `buf` has `size` bytes, and the text is readable to its NUL or for
/// `tband_configMAX_STR_LEN` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tband_lib_metadata_keep(
    event: *mut tband_metadata,
    of: *mut tband_core_state,
    buf: *mut u8,
    size: u32,
) -> bool {
    // SAFETY: as the caller promised; as `tband_lib_metadata_tidy`.
    unsafe { (*event.cast::<Search<'_>>()).keep(core_state(of), buf, size) }
}
