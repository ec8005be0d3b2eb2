//! The recorder: state that all cores share, and what does not depend on a backend.

use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use crate::port::Port;
use crate::state::CoreState;

/// A recorder and the port it runs on. Meant to be a `static`.
///
/// `repr(C)` with the flag first: C code reads it before it calls anything here.
#[derive(Debug)]
#[repr(C)]
pub struct Recorder<P> {
    /// 1 while recording is on.
    recording: AtomicU8,
    /// 1 once a stream was started: later starts must not send timestamp 0 any more.
    pub(crate) started: AtomicU8,
    /// Core of the last frame in a stream that several cores share.
    pub(crate) stream_core: AtomicU32,
    pub(crate) port: P,
}

impl<P: Port> Recorder<P> {
    /// A recorder that records nothing yet.
    pub const fn new(port: P) -> Self {
        Self {
            recording: AtomicU8::new(0),
            started: AtomicU8::new(0),
            stream_core: AtomicU32::new(0),
            port,
        }
    }

    /// The port.
    pub const fn port(&self) -> &P {
        &self.port
    }

    /// The port, before the recorder is shared.
    pub const fn port_mut(&mut self) -> &mut P {
        &mut self.port
    }

    /// Recording is on.
    #[inline(always)]
    pub fn is_recording(&self) -> bool {
        self.recording.load(Ordering::Relaxed) != 0
    }

    pub(crate) fn set_recording(&self, on: bool) {
        // Sequentially consistent against `CoreState::enter`: either the other core sees the flag,
        // or this core sees it busy.
        self.recording.store(on.into(), Ordering::Release);
        core::sync::atomic::fence(Ordering::SeqCst);
    }

    /// Runs `work` while no other core changes shared state.
    #[inline(always)]
    pub(crate) fn locked<R>(&self, work: impl FnOnce() -> R) -> R {
        self.port.lock();
        let result = work();
        self.port.unlock();
        result
    }

    /// Every core's index and state.
    pub(crate) fn cores(&self) -> impl Iterator<Item = (u32, &CoreState)> {
        (0..self.port.core_count()).map(|index| (index, self.port.core(index)))
    }

    /// The index that belongs to `core`.
    #[inline(never)]
    pub(crate) fn index_of(&self, core: &CoreState) -> u32 {
        self.cores().find(|(_, other)| core::ptr::eq(*other, core)).map_or(0, |(index, _)| index)
    }

    /// Recording is off and core `index` is not inside an event. Cores that do not exist never are.
    pub fn core_finished(&self, index: u32) -> bool {
        !self.is_recording()
            && (index >= self.port.core_count() || !self.port.core(index).is_busy())
    }

    /// Recording is off and no core is inside an event.
    pub fn finished(&self) -> bool {
        !self.is_recording() && !self.cores().any(|(_, core)| core.is_busy())
    }

    /// Events that were dropped since reset, all cores together, modulo 2^32.
    #[inline(never)]
    pub fn dropped(&self) -> u32 {
        self.cores().fold(0, |sum, (_, core)| sum.wrapping_add(core.dropped()))
    }
}
