//! Linux ftrace events: interrupts, wake-ups, and what a task waits for.
//!
//! They are gathered by core into bundles, since a bundle names its core once. Perfetto sorts
//! bundles into the trace by the time of each event, so a bundle may be written late.

use super::wire;

/// Bytes of events after which a core's bundle is written.
const BUNDLE: usize = 4096;

/// The bundle of one core that is being filled.
#[derive(Debug, Default)]
pub struct Bundle {
    content: Vec<u8>,
}

impl Bundle {
    /// Opens an event by the thread `pid`.
    #[inline]
    fn open(&mut self, core: u32, ns: i64, pid: i64) -> (wire::Open, &mut Vec<u8>) {
        let buf = &mut self.content;
        if buf.is_empty() {
            wire::int(buf, 1, core.into());
        }
        let event = wire::open(buf, 2);
        wire::int(buf, 1, ns);
        wire::int(buf, 2, pid);
        (event, buf)
    }

    /// Opens an event with its time only.
    #[inline]
    fn open_short(&mut self, core: u32, ns: i64) -> wire::Open {
        let buf = &mut self.content;
        if buf.is_empty() {
            wire::int(buf, 1, core.into());
        }
        let event = wire::open(buf, 2);
        wire::int(buf, 1, ns);
        event
    }

    /// irq_handler_entry
    pub fn irq_entry(&mut self, core: u32, ns: i64, irq: u32, name: &str) {
        let (event, buf) = self.open(core, ns, 0);
        let irq_entry = wire::open(buf, 36);
        wire::int(buf, 1, int32(irq));
        wire::bytes(buf, 2, name.as_bytes());
        wire::close(buf, irq_entry);
        wire::close(buf, event);
    }

    /// irq_handler_exit, handled
    pub fn irq_exit(&mut self, core: u32, ns: i64, irq: u32) {
        if let irq @ 0..0x80 = irq {
            // As below, with one byte for each number.
            let start = self.open_short(core, ns);
            let buf = &mut self.content;
            buf.extend_from_slice(&[0x10, 0, 0xAA, 2, 4, 8, irq as u8, 0x10, 1]);
            wire::close(buf, start);
            return;
        }
        let (event, buf) = self.open(core, ns, 0);
        let irq_exit = wire::open(buf, 37);
        wire::int(buf, 1, int32(irq));
        wire::int(buf, 2, 1);
        wire::close(buf, irq_exit);
        wire::close(buf, event);
    }

    /// sched_waking of `tid` by `waker`
    pub fn waking(&mut self, core: u32, ns: i64, waker: i64, tid: i64) {
        let (event, buf) = self.open(core, ns, waker);
        let waking = wire::open(buf, 20);
        wire::int(buf, 2, tid);
        wire::int(buf, 4, 1);
        wire::int(buf, 5, core.into());
        wire::close(buf, waking);
        wire::close(buf, event);
    }

    /// sched_blocked_reason of `tid`, an interned kernel symbol
    pub fn blocked(&mut self, core: u32, ns: i64, tid: i64, symbol: u64) {
        let (event, buf) = self.open(core, ns, tid);
        let blocked = wire::open(buf, 18);
        wire::int(buf, 1, tid);
        wire::int(buf, 2, symbol.cast_signed());
        wire::close(buf, blocked);
        wire::close(buf, event);
    }

    /// The events are enough for a bundle.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.content.len() >= BUNDLE
    }

    /// Takes the content of an FtraceEventBundle, if there is any.
    pub fn take(&mut self, write: impl FnOnce(&[u8])) {
        if !self.content.is_empty() {
            write(&self.content);
            self.content.clear();
        }
    }
}

/// The bits of an unsigned id as an int32 field holds them.
fn int32(id: u32) -> i64 {
    id.cast_signed().into()
}
