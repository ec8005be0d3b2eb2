//! Packets (`tband_configFORMAT TBAND_FORMAT_PACKETS`): taking them out, with any backend.
//!
//! As bytes, for a UART, with [`Reader::read`]; or packet by packet, for datagrams and for a DMA, with [`Reader::packet`]:
//!
//! ```no_run
//! fn send_all(reader: &mut tband::packets::Reader, mut send: impl FnMut(&[u8])) {
//!     while let Some(packet) = reader.packet() {
//!         send(&packet);
//!     }
//! }
//! ```

use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;

/// The only reader of packets. No second one can exist during its lifetime, because each would get only parts of the packets.
///
/// ```no_run
/// let mut reader = tband::packets::Reader::take().expect("the only reader");
/// let mut bytes = [0; 64];
/// let len = reader.read(&mut bytes);
/// // Send bytes[..len].
/// ```
#[derive(Debug)]
pub struct Reader {
    /// Only [`take`](Self::take) creates a reader.
    _own: (),
}

impl Reader {
    /// Returns the reader, or `None` while one exists, and for a task without privileges. Keep it for as long as packets are
    /// read, or move it to the interrupt or the task that reads. After a reader is dropped, another can be taken.
    ///
    /// Context: task or interrupt.
    #[inline]
    #[must_use]
    pub fn take() -> Option<Self> {
        if_enabled!(crate::sys::tband_packet_reader_take(), true).then_some(Self { _own: () })
    }

    /// Copies the next bytes of the packets into `to` and returns how many: the length of `to` if there are as many, 0 if
    /// there is nothing to read yet. The recorder may overwrite bytes that were read. A packet that is not full becomes
    /// available when it is old, after [`flush`], and when recording has stopped. Calls `tband_stream_read`.
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

impl Reader {
    /// Returns the next packet, complete and with its checksum, or `None` if there is nothing to read yet. The packet stays in
    /// place until it is dropped; then its slot is released. A packet that is leaked ([`core::mem::forget`]) is returned again.
    /// After [`read`](Self::read) has copied a part of a packet, this returns that packet from its begin. Calls
    /// `tband_packet_take` and `tband_packet_done`.
    ///
    /// Context: task, main loop or interrupt. Cost: the checksum, about 5 instructions for each 4 bytes.
    #[inline]
    pub fn packet(&mut self) -> Option<Packet<'_>> {
        if_enabled!(
            {
                let mut len = 0;
                // SAFETY: the length is written before the call returns, and there is one reader.
                let bytes = unsafe { crate::sys::tband_packet_take(&raw mut len) };
                let bytes = (!bytes.is_null()).then(|| {
                    // SAFETY: the packet has as many bytes, which do not change until it is released.
                    unsafe { core::slice::from_raw_parts(bytes, len) }
                });
                bytes.map(|bytes| Packet { bytes, reader: PhantomData })
            },
            None
        )
    }
}

/// A packet that was taken; dropping it releases its slot. Derefs to its bytes.
#[must_use = "the packet is lost when this is dropped"]
pub struct Packet<'r> {
    bytes: &'r [u8],
    /// There is one at a time. It stays in the context that reads.
    reader: PhantomData<(&'r mut Reader, *const ())>,
}

impl Deref for Packet<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        self.bytes
    }
}

impl fmt::Debug for Packet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packet").field("len", &self.bytes.len()).finish()
    }
}

impl Drop for Packet<'_> {
    #[inline]
    fn drop(&mut self) {
        if_enabled!(crate::sys::tband_packet_done(), ());
    }
}

impl Drop for Reader {
    #[inline]
    fn drop(&mut self) {
        if_enabled!(crate::sys::tband_packet_reader_give_back(), ());
    }
}

/// Closes the open packet of the core it is called on, so that it can be read; other cores close theirs before their next
/// event. Calls `tband_flush`.
#[inline]
pub fn flush() {
    if_enabled!(crate::sys::tband_flush(), ());
}

/// Sends the metadata again with the next bytes that are read, for a receiver that has just joined. Calls
/// `tband_request_metadata`.
#[inline]
pub fn request_metadata() {
    if_enabled!(crate::sys::tband_request_metadata(), ());
}
