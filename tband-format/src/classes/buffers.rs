//! How firmware buffers its recording, as stated in the flags of `trace_info`: `port/recorder/tband_buffers.h` sets the bits, from
//! [`FIRST_BIT`] on, at compile time.
//!
//! Bits 0 to 2: the backend plus one; 0 means that nothing is stated. Bits 3 to 7: the number of memory units that a core has for
//! events; bits 8 to 11: the size of a unit, 32 bytes times a power of two. With packets a unit is a packet. Sizes that cannot be
//! encoded this way, and memory that the library does not have, are 0.

/// The lowest of the bits.
pub const FIRST_BIT: u32 = 20;
/// The smallest unit, in bytes.
const SMALLEST_UNIT: u32 = 32;

/// Destination of events before they leave the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// They are streamed.
    Streaming,
    /// Into memory until it is full.
    Snapshot,
    /// The port takes each event.
    External,
    /// Memory whose oldest events are overwritten, and which survives a reset.
    PostMortem,
}

impl Backend {
    /// Returns the name that the guide uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Streaming => "streaming",
            Self::Snapshot => "snapshot",
            Self::External => "external",
            Self::PostMortem => "post-mortem",
        }
    }
}

/// What the flags state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Buffers {
    /// Where events go.
    pub backend: Backend,
    /// Memory of a core for events: number of units and bytes per unit; `None` if it is not stated, or the library has none.
    pub memory: Option<(u32, u32)>,
}

/// Returns the buffers stated in the flags of a `trace_info`; `None` if they are not stated, as in older recordings.
#[must_use]
pub fn buffers(flags: u32) -> Option<Buffers> {
    let bits = flags >> FIRST_BIT;
    let backend = match bits & 7 {
        1 => Backend::Streaming,
        2 => Backend::Snapshot,
        3 => Backend::External,
        4 => Backend::PostMortem,
        _ => return None,
    };
    let (count, unit) = (bits >> 3 & 31, SMALLEST_UNIT << (bits >> 8 & 15));
    Some(Buffers { backend, memory: (count > 0).then_some((count, unit)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_state_a_backend_and_its_memory() {
        assert_eq!(buffers(0x000F_FFFF), None);
        assert_eq!(buffers(7 << FIRST_BIT), None);
        let of = |backend: u32, count: u32, power: u32| {
            buffers((backend | count << 3 | power << 8) << FIRST_BIT)
        };
        let streaming = Buffers { backend: Backend::Streaming, memory: Some((8, 512)) };
        assert_eq!(of(1, 8, 4), Some(streaming));
        assert_eq!(of(3, 0, 0).map(|it| (it.backend.name(), it.memory)), Some(("external", None)));
        let largest = of(4, 31, 15).map(|it| (it.backend.name(), it.memory));
        assert_eq!(largest, Some(("post-mortem", Some((31, 1 << 20)))));
    }
}
