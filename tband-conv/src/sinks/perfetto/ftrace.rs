//! Linux ftrace events: switches, wake-ups, and the reasons of waits.
//!
//! They are gathered by core into bundles, because a bundle names its core once. Perfetto sorts bundles into the trace by the
//! time of each event, so a bundle may be written late. Switches are written by column, which takes a fifth of the bytes: each
//! contains the next state of the previous thread and the thread that follows, so the thread that ran before is known from the
//! switch before.

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
    times: Column,
    states: Column,
    threads: Column,
    priorities: Column,
    switched_ns: i64,
}

impl Bundle {
    /// Opens an event by the thread `pid`.
    #[inline]
    fn open(&mut self, core: u32, ns: i64, pid: i64) -> (wire::OpenMessage, &mut Vec<u8>) {
        let buf = &mut self.content;
        if buf.is_empty() {
            wire::int(buf, 1, core.into());
        }
        let event = wire::open(buf, 2);
        wire::int(buf, 1, ns);
        wire::int(buf, 2, pid);
        (event, buf)
    }

    /// Appends a sched_switch at a time not before the last one: the thread on the core changes to a state, and the next one
    /// follows.
    #[inline]
    pub fn switch(&mut self, ns: i64, left_to: u32, next: i32, priority: u32) {
        // The first switch of a bundle has a full time.
        let step = ns.wrapping_sub(std::mem::replace(&mut self.switched_ns, ns));
        self.times.add(step.cast_unsigned());
        self.states.add(left_to.into());
        self.threads.add(i64::from(next).cast_unsigned());
        self.priorities.add(priority.into());
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
        let buf = &mut self.content;
        if buf.is_empty() {
            wire::int(buf, 1, core.into());
        }
        // Written as bytes, as in `waking`: there is one for each wait.
        let tid = tid.cast_unsigned();
        let event = wire::open_after(buf, [0x12, 0, 0x08], 1, ns.cast_unsigned());
        wire::after(buf, [0x10], tid);
        let blocked = wire::open_after(buf, [0x92, 1, 0, 0x08], 2, tid);
        wire::after(buf, [0x10], symbol);
        wire::close(buf, blocked);
        wire::close(buf, event);
    }

    /// The events are enough for a bundle.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.content.len() >= BUNDLE || self.times.len >= COLUMN
    }

    /// Takes the content of an FtraceEventBundle, if there is any.
    pub fn take(&mut self, core: u32, write: impl FnOnce(&[u8])) {
        if self.content.is_empty() && self.times.len == 0 {
            return;
        }
        let buf = &mut self.content;
        if buf.is_empty() {
            wire::int(buf, 1, core.into());
        }
        if self.times.len > 0 {
            let columns = wire::open(buf, 4);
            for (field, column) in
                [(1, &self.times), (2, &self.states), (3, &self.threads), (4, &self.priorities)]
            {
                wire::bytes(buf, field, column.bytes());
            }
            // Names of threads are reported elsewhere: each has the one empty name.
            wire::bytes(buf, 5, b"");
            wire::bytes(buf, 6, &vec![0; self.states.count()]);
            wire::close(buf, columns);
        }
        write(buf);
        buf.clear();
        for column in [&mut self.times, &mut self.states, &mut self.threads, &mut self.priorities] {
            column.len = 0;
        }
        self.switched_ns = 0;
    }
}

/// A column: consecutive varints, in memory that is reserved in advance.
#[derive(Debug, Default)]
struct Column {
    room: Vec<u8>,
    /// Bytes that are in use.
    len: usize,
}

impl Column {
    fn bytes(&self) -> &[u8] {
        self.room.get(..self.len).unwrap_or_default()
    }

    /// Numbers in it: each ends with a byte below 0x80.
    fn count(&self) -> usize {
        self.bytes().iter().filter(|byte| **byte < 0x80).count()
    }

    #[inline]
    fn add(&mut self, value: u64) {
        if value < 0x80 { self.put(value, 1) } else { self.add_longer(value) }
    }

    /// Adds a number that has more than one byte.
    #[inline(never)]
    fn add_longer(&mut self, value: u64) {
        if value >= 1 << 56 {
            return self.add_long(value);
        }
        let (word, len) = wire::short(value);
        self.put(word, len);
    }

    /// Adds the lowest bytes of a word, as many as `len`.
    #[inline]
    fn put(&mut self, word: u64, len: usize) {
        match self.room.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut) {
            Some(place) => {
                *place = word.to_le_bytes();
                self.len += len;
            }
            None => self.put_in_more_room(word, len),
        }
    }

    #[cold]
    fn put_in_more_room(&mut self, word: u64, len: usize) {
        self.room.truncate(self.len);
        self.room.extend_from_slice(&word.to_le_bytes());
        self.room.resize(self.len + COLUMN, 0);
        self.len += len;
    }

    #[cold]
    fn add_long(&mut self, value: u64) {
        self.room.truncate(self.len);
        wire::varint(&mut self.room, value);
        self.len = self.room.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_varints_in_any_room() {
        let numbers = (0..64).flat_map(|shift| [u64::MAX >> shift, 1 << shift, 0x5A5A << shift]);
        let numbers: Vec<u64> = numbers.chain([0, 0x7F, 0x80, 0x3FFF, 0x4000]).collect();
        let (mut column, mut expected) = (Column::default(), Vec::new());
        // Often enough for the memory to grow at any place.
        for number in numbers.iter().cycle().take(10_000) {
            column.add(*number);
            prost::encoding::encode_varint(*number, &mut expected);
        }
        assert_eq!(column.bytes(), expected);
        assert_eq!(column.count(), 10_000);
        column.len = 0;
        column.add(300);
        assert_eq!(column.bytes(), [0xAC, 2]);
    }

    /// Encodes by fields a message that is normally written as bytes.
    #[test]
    fn a_reason_has_the_fields_of_its_message() {
        for (core, ns, tid, symbol) in [(0, 1, 2, 3), (5, i64::MAX, i64::MAX, u64::MAX)] {
            let mut bundle = Bundle::default();
            bundle.blocked(core, ns, tid, symbol);
            let mut expected = Bundle::default();
            let (event, buf) = expected.open(core, ns, tid);
            let blocked = wire::open(buf, 18);
            wire::int(buf, 1, tid);
            wire::int(buf, 2, symbol.cast_signed());
            wire::close(buf, blocked);
            wire::close(buf, event);
            assert_eq!(bundle.content, expected.content);
        }
    }
}
