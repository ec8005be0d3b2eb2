//! Packets (`tband_configFORMAT TBAND_FORMAT_PACKETS`): taking them out, with any backend.

/// The one reader of packets. There is no second one as long as it lives, since two would get parts of each other's packets.
///
/// ```no_run
/// let mut reader = tband::packets::Reader::take().expect("nobody else reads");
/// let mut bytes = [0; 64];
/// let len = reader.read(&mut bytes);
/// // Send bytes[..len].
/// ```
#[derive(Debug)]
pub struct Reader {
    /// Only [`take`](Self::take) makes one.
    _own: (),
}

impl Reader {
    /// The reader, or `None` while there is one, and for a task without privileges. Keep it for as long as packets are to be
    /// read, or move it to the interrupt or the task that reads. A reader that is dropped may be taken again.
    ///
    /// Context: task or interrupt.
    #[inline]
    #[must_use]
    pub fn take() -> Option<Self> {
        if_enabled!(crate::sys::tband_packet_reader_take(), true).then_some(Self { _own: () })
    }

    /// Copies the next bytes of the packets into `to` and returns how many: all of `to` if there are as many, 0 if there is
    /// nothing to be read yet. Bytes that were read may be overwritten by what is recorded next. A packet that is not full
    /// comes when it is old, after [`flush`], and when recording has stopped. As `tband_stream_read`.
    ///
    /// Context: task, main loop or interrupt.
    #[inline]
    pub fn read(&mut self, to: &mut [u8]) -> usize {
        if_enabled!(
            // SAFETY: there is room for as many bytes, and there is one reader.
            unsafe { crate::sys::tband_stream_read(to.as_mut_ptr(), to.len()) },
            {
                let _ = to;
                0
            }
        )
    }
}

impl Drop for Reader {
    #[inline]
    fn drop(&mut self) {
        if_enabled!(crate::sys::tband_packet_reader_give_back(), ());
    }
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
