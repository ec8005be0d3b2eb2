//! Memory that the caller provides: the contents of the structs in the header.

use core::ffi::c_void;
use core::mem::{MaybeUninit, align_of, size_of};
use core::sync::atomic::{AtomicBool, AtomicU32};

use tband_flux::{Buffer, Handler, Item, Sequence, Trace};

/// Takes bytes from the front of a buffer and returns their number, which may be 0. Called in the context of the writer
/// or of the flush; must not write to the same buffer. `context` is the pointer that was passed with it.
pub type tband_flux_handler =
    Option<unsafe extern "C" fn(context: *mut c_void, bytes: *const u8, len: usize) -> usize>;

/// A buffer. Do not move its memory or this struct as long as it is used.
#[repr(C)]
pub struct tband_flux_buffer {
    private_words: [usize; 20],
}

/// A trace. Do not move this struct, its items or its sequences as long as it is used.
#[repr(C)]
pub struct tband_flux_trace {
    private_words: [usize; 12],
}

/// The state of an item in a trace.
#[repr(C)]
pub struct tband_flux_item {
    private_word: u32,
}

/// The state of an open sequence in a trace.
#[repr(C)]
pub struct tband_flux_sequence {
    private_time: i64,
    private_words: [u32; 4],
}

const _: () = {
    assert!(size_of::<tband_flux_item>() == size_of::<Item>());
    assert!(align_of::<tband_flux_item>() >= align_of::<Item>());
    assert!(size_of::<tband_flux_sequence>() == size_of::<Sequence>());
    assert!(align_of::<tband_flux_sequence>() >= align_of::<Sequence>());
    assert!(size_of::<tband_flux_buffer>() >= size_of::<BufferPlace>());
    assert!(align_of::<tband_flux_buffer>() >= align_of::<BufferPlace>());
    assert!(size_of::<tband_flux_trace>() >= size_of::<TracePlace>());
    assert!(align_of::<tband_flux_trace>() >= align_of::<TracePlace>());
};

/// The handler of C.
#[derive(Clone, Copy)]
pub struct CHandler {
    pub function: unsafe extern "C" fn(*mut c_void, *const u8, usize) -> usize,
    pub context: *mut c_void,
}

impl Handler for CHandler {
    fn take(&mut self, bytes: &[u8]) -> usize {
        // SAFETY: the code that set the buffer up guarantees the function with this context; the bytes are
        // readable.
        let taken = unsafe { (self.function)(self.context, bytes.as_ptr(), bytes.len()) };
        taken.min(bytes.len())
    }
}

pub type CBuffer = Buffer<'static, CHandler>;

/// Marks a buffer that was set up. Zeroed or other memory has a different value there.
pub(crate) const IS_BUFFER: u32 = 0x7462_6662;
/// Marks a trace that was set up.
pub(crate) const IS_TRACE: u32 = 0x7462_6674;

/// The contents of a `tband_flux_buffer`.
#[repr(C)]
pub struct BufferPlace {
    pub mark: AtomicU32,
    pub is_busy: AtomicBool,
    /// Entries that were refused because the buffer was being written.
    pub refused: AtomicU32,
    pub buffer: MaybeUninit<CBuffer>,
}

/// The contents of a `tband_flux_trace`.
#[repr(C)]
pub struct TracePlace {
    pub mark: AtomicU32,
    pub buffer: *mut BufferPlace,
    /// Refused entries of the buffer that the trace knows of.
    pub refused: AtomicU32,
    pub trace: MaybeUninit<Trace<'static>>,
}
