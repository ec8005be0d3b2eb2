//! A recording's information about itself.

use tband_format::classes::buffers::{self, Buffers};
use tband_format::classes::classes;

/// The content of `trace_info`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceInfo {
    /// Version of the event set.
    pub format_version: u32,
    /// Number of cores.
    pub core_count: u32,
    /// Flags, see `tband_format::registry::trace_info_flags`.
    pub flags: u32,
    /// Kernel version, major * 10000 + minor * 100 + patch.
    pub kernel_version: Option<u32>,
    /// Kernel ticks per second.
    pub tick_rate_hz: Option<u32>,
}

impl TraceInfo {
    /// Whether an allocation reports the requested bytes, not those that the heap took for it, which are more: kernels before
    /// V11.2.
    #[must_use]
    pub fn has_requested_bytes(&self) -> bool {
        self.kernel_version.is_some_and(|version| version < 110_200)
    }

    /// Returns the names of the classes of events that the firmware was built with (`on`), or without; `None` if the recording
    /// does not contain them: firmware without a kernel, and older recordings.
    #[must_use]
    pub fn classes(&self, on: bool) -> Option<Vec<&'static str>> {
        Some(classes(self.flags, on)?.map(|class| class.name).collect())
    }

    /// Returns how the firmware buffers its events, if the recording contains it.
    #[must_use]
    pub fn buffers(&self) -> Option<Buffers> {
        buffers::buffers(self.flags)
    }
}
