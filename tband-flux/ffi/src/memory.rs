//! Memory that the caller gives: what the structs of the header contain.

use core::ffi::c_void;
use core::mem::{MaybeUninit, align_of, size_of};
use core::sync::atomic::{AtomicBool, AtomicU32};

use tband_flux::{Buffer, Handler, Item, Sequence, Trace};

/// Takes bytes out of a buffer and returns how many it took, from the front; 0 if it can take none now. It may take a
/// part. Called in the context of who writes or flushes, and must not write to the same buffer. `context` is what was
/// given beside it.
pub type tband_flux_handler =
    Option<unsafe extern "C" fn(context: *mut c_void, bytes: *const u8, len: usize) -> usize>;

/// A buffer. Its memory and this struct stay where they are as long as it is used.
#[repr(C)]
pub struct tband_flux_buffer {
    private_words: [usize; 20],
}

/// A trace. This struct, its items and its sequences stay where they are as long as it is used.
#[repr(C)]
pub struct tband_flux_trace {
    private_words: [usize; 12],
}

/// What a trace remembers of an item.
#[repr(C)]
pub struct tband_flux_item {
    private_word: u32,
}

/// What a trace remembers of a sequence that is open.
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
        // SAFETY: who set the buffer up vouches for the function with this context; the bytes are there.
        let taken = unsafe { (self.function)(self.context, bytes.as_ptr(), bytes.len()) };
        taken.min(bytes.len())
    }
}

pub type CBuffer = Buffer<'static, CHandler>;

/// Says that a buffer was set up. Memory that is zero or anything else has something else there.
pub(crate) const IS_BUFFER: u32 = 0x7462_6662;
/// Says that a trace was set up.
pub(crate) const IS_TRACE: u32 = 0x7462_6674;

/// What is in a `tband_flux_buffer`.
#[repr(C)]
pub struct BufferPlace {
    pub mark: AtomicU32,
    pub is_busy: AtomicBool,
    /// Entries that were refused since somebody else was writing.
    pub refused: AtomicU32,
    pub buffer: MaybeUninit<CBuffer>,
}

/// What is in a `tband_flux_trace`.
#[repr(C)]
pub struct TracePlace {
    pub mark: AtomicU32,
    pub buffer: *mut BufferPlace,
    /// Refused entries of the buffer that the trace knows of.
    pub refused: AtomicU32,
    pub trace: MaybeUninit<Trace<'static>>,
}
