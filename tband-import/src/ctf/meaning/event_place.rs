//! When and where an event happens.

/// Where an event is.
#[derive(Clone, Copy, Debug)]
pub struct EventPlace {
    pub core: u32,
    pub ts: u64,
}
