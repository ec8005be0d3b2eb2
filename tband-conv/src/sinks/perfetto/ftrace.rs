//! Linux ftrace events: switches, wake-ups, and what a task waits for.
//!
//! They are gathered by core into bundles, since a bundle names its core once. Perfetto sorts
//! bundles into the trace by the time of each event, so a bundle may be written late. Switches are
//! written by column, which takes a fifth of the bytes: each says the state that the thread before
//! goes to and the thread that follows, so who ran before is known from the switch before.

use super::wire;

/// Bytes of events after which a core's bundle is written.
const BUNDLE: usize = 4096;
/// Bytes of the times of switches after which it is written.
const COLUMN: usize = 1024;

/// The bundle of one core that is being filled.
#[derive(Debug, Default)]
pub struct Bundle {
    content: Vec<u8>,
    /// Columns of the switches, and the time of the last one; 0 before the first one.
    times: Vec<u8>,
    states: Vec<u8>,
    threads: Vec<u8>,
    priorities: Vec<u8>,
    switched_ns: i64,
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

    /// sched_switch at a time not before the last one: the thread on the core goes to a state, and this
    /// one follows.
    #[inline]
    pub fn switch(&mut self, ns: i64, left_to: u32, next: i32, priority: u32) {
        // Of the first one of a bundle the time is reported in full.
        let step = ns.wrapping_sub(std::mem::replace(&mut self.switched_ns, ns));
        wire::varint(&mut self.times, step.cast_unsigned());
        wire::varint(&mut self.states, left_to.into());
        wire::varint(&mut self.threads, i64::from(next).cast_unsigned());
        wire::varint(&mut self.priorities, priority.into());
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
        self.content.len() >= BUNDLE || self.times.len() >= COLUMN
    }

    /// Takes the content of an FtraceEventBundle, if there is any.
    pub fn take(&mut self, core: u32, write: impl FnOnce(&[u8])) {
        if self.content.is_empty() && self.times.is_empty() {
            return;
        }
        let buf = &mut self.content;
        if buf.is_empty() {
            wire::int(buf, 1, core.into());
        }
        if !self.times.is_empty() {
            let columns = wire::open(buf, 4);
            for (field, column) in
                [(1, &self.times), (2, &self.states), (3, &self.threads), (4, &self.priorities)]
            {
                wire::bytes(buf, field, column);
            }
            // Names of threads are reported elsewhere: each has the one empty name.
            wire::bytes(buf, 5, b"");
            wire::bytes(buf, 6, &vec![0; count_of(&self.states)]);
            wire::close(buf, columns);
        }
        write(buf);
        for column in
            [buf, &mut self.times, &mut self.states, &mut self.threads, &mut self.priorities]
        {
            column.clear();
        }
        self.switched_ns = 0;
    }
}

/// Numbers in a column: each ends with a byte below 0x80.
fn count_of(column: &[u8]) -> usize {
    column.iter().filter(|byte| **byte < 0x80).count()
}
