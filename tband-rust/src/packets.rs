//! Packets (`tband_configFORMAT TBAND_FORMAT_PACKETS`): taking them out, with any backend.

/// Copies the next bytes of the packets into `to` and returns how many: all of `to` if there are as many, 0 if there is
/// nothing to be read yet. Bytes that were read may be overwritten by what is recorded next. A packet that is not full
/// comes when it is old, after [`flush`], and when recording has stopped. As `tband_stream_read`.
///
/// Context: one reader, a task, the main loop or an interrupt.
#[inline]
pub fn read(to: &mut [u8]) -> usize {
    if_enabled!(
        // SAFETY: there is room for as many bytes.
        unsafe { crate::sys::tband_stream_read(to.as_mut_ptr(), to.len()) },
        0
    )
}

/// Closes the open packet of the core it is called on, so that it can be read. As `tband_flush`.
#[inline]
pub fn flush() {
    if_enabled!(crate::sys::tband_flush(), ());
}

/// Has the metadata sent again with what is read next, for a receiver that has just joined. As `tband_request_metadata`.
#[inline]
pub fn request_metadata() {
    if_enabled!(crate::sys::tband_request_metadata(), ());
}
