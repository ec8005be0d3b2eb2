//! The recorder: state that all cores share, and what does not depend on a backend.

use crate::atomics::{AtomicU8, Ordering, compiler_fence, fence};

use crate::port::Port;
use crate::ring::Ring;
use crate::state::{CoreState, IDLE, INSIDE, LOOKING};

/// A recorder and the port that it runs on. Intended as a `static`.
///
/// `repr(C)` with the flag first: C code reads it before it calls anything here.
#[derive(Debug)]
#[repr(C)]
pub struct Recorder<P> {
    /// 1 while recording is on.
    recording: AtomicU8,
    /// 1 once a stream was started: later starts must not send timestamp 0 any more.
    pub(crate) started: AtomicU8,
    /// Frames: 1 once the port has refused a part of the data at the start of a stream. Packets of a snapshot: 1 once the
    /// rings were emptied, until the consumer notices.
    pub(crate) preamble_refused: AtomicU8,
    /// Core of the last frame in a stream that several cores share, counted from 1; 0 means none.
    pub(crate) stream_core: AtomicU8,
    pub(crate) port: P,
}

impl<P: Port> Recorder<P> {
    /// Ordering of loads that another core's stores are visible to: with one core the program order is enough.
    pub(crate) const ACQUIRE: Ordering =
        if P::IS_ONE_CORE { Ordering::Relaxed } else { Ordering::Acquire };
    /// Ordering of stores that publish to other cores.
    pub(crate) const RELEASE: Ordering =
        if P::IS_ONE_CORE { Ordering::Relaxed } else { Ordering::Release };

    /// Returns a recorder that is off.
    pub const fn new(port: P) -> Self {
        Self {
            recording: AtomicU8::new(0),
            started: AtomicU8::new(0),
            preamble_refused: AtomicU8::new(0),
            stream_core: AtomicU8::new(0),
            port,
        }
    }

    /// Returns the port.
    pub const fn port(&self) -> &P {
        &self.port
    }

    /// Returns the port, before the recorder is shared.
    pub const fn port_mut(&mut self) -> &mut P {
        &mut self.port
    }

    /// Returns whether recording is on.
    #[inline(always)]
    pub fn is_recording(&self) -> bool {
        self.recording() != 0
    }

    /// Returns 1 while recording is on, 0 while it is off.
    #[inline(always)]
    pub(crate) fn recording(&self) -> u8 {
        self.recording.load(Ordering::Relaxed)
    }

    pub(crate) fn set_recording(&self, on: bool) {
        // See `enter`.
        self.recording.store(on.into(), Self::RELEASE);
    }

    /// Returns whether the rings of a snapshot were emptied, and the reader has not noticed yet.
    pub(crate) fn was_emptied(&self) -> bool {
        self.preamble_refused.load(Ordering::Relaxed) != 0
    }

    /// See [`was_emptied`](Self::was_emptied).
    pub(crate) fn set_emptied(&self, was: bool) {
        self.preamble_refused.store(was.into(), Ordering::Relaxed);
    }

    /// For several cores: marks `core` as about to record. Returns whether recording is on. If it is, this stays true, and
    /// no other core touches the core's buffers, until [`exit`](Self::exit).
    ///
    /// This core stores the mark first, then a fence, then loads the flag. A core that waits for the end of a recording
    /// loads the flag first, then a fence, then the marks. So one of the two sees the other, whichever core has stopped the
    /// recording. The load of the flag acquires the stores before the start's release: a core that sees recording on also
    /// sees the pointers that were set for it. A core that sees recording off, for example when it only names an object, is
    /// not inside an event, and does not delay a start.
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

    /// Reverses [`enter`](Self::enter). The event's stores are visible to a core that sees the new mark.
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

    /// Returns every core's index and state.
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

    /// Returns the index of `core`.
    #[inline(always)]
    pub(crate) fn index_of(&self, core: &CoreState) -> u32 {
        if P::IS_ONE_CORE {
            return 0;
        }
        let first: *const CoreState = self.port.core(0);
        // They are elements of one array.
        ((&raw const *core as usize).wrapping_sub(first as usize) / size_of::<CoreState>()) as u32
    }

    /// Orders the load of the flag before those of the marks, so that the marks are not older than the flag. See
    /// [`enter`](Self::enter).
    #[inline(always)]
    fn fence_for_wait(&self) {
        if !P::IS_ONE_CORE {
            fence(Ordering::SeqCst);
        }
    }

    /// Acquires the stores of other cores.
    #[inline(always)]
    fn acquire(&self) {
        if P::IS_ONE_CORE {
            compiler_fence(Ordering::Acquire);
        } else {
            fence(Ordering::Acquire);
        }
    }

    /// Returns the number of packets of `ring` that are closed and not released. For the consumer, or when the core has
    /// finished.
    #[inline(always)]
    pub(crate) fn waiting(&self, ring: &Ring) -> u32 {
        if P::IS_ONE_CORE { ring.own_waiting(Ordering::Relaxed) } else { ring.waiting() }
    }

    /// Returns whether recording is off and core `index` is not inside an event. Cores that do not exist count as not
    /// inside an event.
    pub fn core_finished(&self, index: u32) -> bool {
        // The flag is read once: another core may stop between two reads, and its marks would not be checked.
        let is_on = self.is_recording();
        if P::IS_ONE_CORE || is_on {
            // The only core is not inside an event, or this would be inside it.
            return !is_on;
        }
        self.fence_for_wait();
        let finished = index >= self.port.core_count() || !self.port.core(index).is_inside();
        // Acquires the stores of the core.
        self.acquire();
        finished
    }

    /// Returns whether recording is off and no core is inside an event.
    pub fn finished(&self) -> bool {
        let is_on = self.is_recording();
        if P::IS_ONE_CORE || is_on {
            return !is_on;
        }
        self.fence_for_wait();
        let mut inside = false;
        self.for_each_core(|_, core| inside |= core.is_inside());
        // Acquires the stores of the cores.
        self.acquire();
        !inside
    }

    /// Like [`finished`](Self::finished), and additionally no core is testing whether recording is on: smaller code.
    pub(crate) fn is_idle(&self) -> bool {
        if P::IS_ONE_CORE {
            return !self.is_recording();
        }
        let mut marks = self.recording();
        self.fence_for_wait();
        self.for_each_core(|_, core| marks |= core.mark());
        // Acquires the stores of the cores.
        self.acquire();
        marks == IDLE
    }

    /// Returns the number of events that were dropped since reset, of all cores together, modulo 2^32.
    #[inline(always)]
    pub fn dropped(&self) -> u32 {
        let mut sum = 0_u32;
        self.for_each_core(|_, core| sum = sum.wrapping_add(core.dropped()));
        sum
    }
}
