//! The recorder: state that all cores share, and what does not depend on a backend.

use core::sync::atomic::{AtomicU8, Ordering, compiler_fence, fence};

use crate::port::Port;
use crate::ring::Ring;
use crate::state::{CoreState, IDLE, INSIDE, LOOKING};

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
    /// Frames: 1 once the port has refused part of what goes before a stream that is being started. Packets of a snapshot: 1
    /// once the rings were emptied, until who takes packets sees it.
    pub(crate) preamble_refused: AtomicU8,
    /// Core of the last frame in a stream that several cores share, counted from 1; 0 is none.
    pub(crate) stream_core: AtomicU8,
    pub(crate) port: P,
}

impl<P: Port> Recorder<P> {
    /// How what another core has shown is seen: with the only one the order of its own instructions is enough.
    pub(crate) const ACQUIRE: Ordering =
        if P::IS_ONE_CORE { Ordering::Relaxed } else { Ordering::Acquire };
    /// How something is shown to other cores.
    pub(crate) const RELEASE: Ordering =
        if P::IS_ONE_CORE { Ordering::Relaxed } else { Ordering::Release };

    /// A recorder that records nothing yet.
    pub const fn new(port: P) -> Self {
        Self {
            recording: AtomicU8::new(0),
            started: AtomicU8::new(0),
            preamble_refused: AtomicU8::new(0),
            stream_core: AtomicU8::new(0),
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
        self.recording() != 0
    }

    /// 1 while recording is on, 0 while it is off.
    #[inline(always)]
    pub(crate) fn recording(&self) -> u8 {
        self.recording.load(Ordering::Relaxed)
    }

    pub(crate) fn set_recording(&self, on: bool) {
        // See `enter`.
        self.recording.store(on.into(), Self::RELEASE);
    }

    /// The rings of a snapshot were emptied, which the reader does not know yet.
    pub(crate) fn was_emptied(&self) -> bool {
        self.preamble_refused.load(Ordering::Relaxed) != 0
    }

    /// See [`was_emptied`](Self::was_emptied).
    pub(crate) fn set_emptied(&self, was: bool) {
        self.preamble_refused.store(was.into(), Ordering::Relaxed);
    }

    /// For several cores: `core` is about to record. Whether recording is on; then the answer holds, and
    /// nobody touches the core's buffers, until [`exit`](Self::exit).
    ///
    /// The mark comes first, then the look at the flag, with a fence in between; whoever waits for the end of a recording
    /// looks at the flag first and then at the marks, with a fence in between. So one of the two sees the other, whichever
    /// core has stopped the recording. The look acquires what the start has released: who sees that recording is on sees
    /// the pointers that were set for it, too. A core that finds it off, as when it only names something, is not inside an
    /// event, and holds up no start.
    ///
    /// Context: the critical section of `core`.
    #[inline(always)]
    pub fn enter(&self, core: &CoreState) -> bool {
        core.set_mark(LOOKING, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let recording = self.recording.load(Ordering::Acquire) != 0;
        core.set_mark(if recording { INSIDE } else { IDLE }, Ordering::Release);
        recording
    }

    /// Ends what [`enter`](Self::enter) began; what the event wrote is visible to whoever sees it.
    #[inline(always)]
    pub fn exit(&self, core: &CoreState) {
        core.set_mark(IDLE, Ordering::Release);
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

    /// Calls `work` with every core's index and state: less code than [`cores`](Self::cores).
    #[inline(always)]
    pub(crate) fn for_each_core(&self, mut work: impl FnMut(u32, &CoreState)) {
        let mut index = 0;
        // There is one at least.
        loop {
            work(index, self.port.core(index));
            index += 1;
            if index == self.port.core_count() {
                return;
            }
        }
    }

    /// The index that belongs to `core`.
    #[inline(always)]
    pub(crate) fn index_of(&self, core: &CoreState) -> u32 {
        if P::IS_ONE_CORE {
            return 0;
        }
        let first: *const CoreState = self.port.core(0);
        // They are elements of one array.
        ((&raw const *core as usize).wrapping_sub(first as usize) / size_of::<CoreState>()) as u32
    }

    /// Between the look at the flag and those at the marks, which are no older then. See [`enter`](Self::enter).
    #[inline(always)]
    fn fence_of_who_waits(&self) {
        if !P::IS_ONE_CORE {
            fence(Ordering::SeqCst);
        }
    }

    /// What other cores have shown is seen.
    #[inline(always)]
    fn acquire(&self) {
        if P::IS_ONE_CORE {
            compiler_fence(Ordering::Acquire);
        } else {
            fence(Ordering::Acquire);
        }
    }

    /// Packets of `ring` that are closed and not given back. For whoever takes them, or when the core has finished.
    #[inline(always)]
    pub(crate) fn waiting(&self, ring: &Ring) -> u32 {
        if P::IS_ONE_CORE { ring.own_waiting(Ordering::Relaxed) } else { ring.waiting() }
    }

    /// Recording is off and core `index` is not inside an event. Cores that do not exist never are.
    pub fn core_finished(&self, index: u32) -> bool {
        // One look: another core may stop between two, and its marks would not be looked at.
        let is_on = self.is_recording();
        if P::IS_ONE_CORE || is_on {
            // The only core is not inside an event, or this would be inside it.
            return !is_on;
        }
        self.fence_of_who_waits();
        let finished = index >= self.port.core_count() || !self.port.core(index).is_inside();
        // What the core has written is seen.
        self.acquire();
        finished
    }

    /// Recording is off and no core is inside an event.
    pub fn finished(&self) -> bool {
        let is_on = self.is_recording();
        if P::IS_ONE_CORE || is_on {
            return !is_on;
        }
        self.fence_of_who_waits();
        let mut inside = false;
        self.for_each_core(|_, core| inside |= core.is_inside());
        // What the cores have written is seen.
        self.acquire();
        !inside
    }

    /// As [`finished`](Self::finished), and no core looks whether recording is on either: smaller code.
    pub(crate) fn is_idle(&self) -> bool {
        if P::IS_ONE_CORE {
            return !self.is_recording();
        }
        let mut marks = self.recording();
        self.fence_of_who_waits();
        self.for_each_core(|_, core| marks |= core.mark());
        // What the cores have written is seen.
        self.acquire();
        marks == IDLE
    }

    /// Events that were dropped since reset, all cores together, modulo 2^32.
    #[inline(always)]
    pub fn dropped(&self) -> u32 {
        let mut sum = 0_u32;
        self.for_each_core(|_, core| sum = sum.wrapping_add(core.dropped()));
        sum
    }
}
