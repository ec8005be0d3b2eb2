//! Rings of packets that are read again and again while the target records.

use std::fmt;

use anyhow::{bail, ensure};
use tband_program::{Memory, MemoryWords, Program, Setup};

use super::level::percent;
use super::packets::Recording;
use super::place::{Packets, names};
use super::slot::{self, Slot, SlotContent};

/// `tband_packet_setup.policy` of streams: packets have to be released.
const STREAM: u64 = 0;
/// Names are written again after this many packets.
const NAMES_EVERY: u32 = 256;
/// Bytes of slots that a running target overwrites that are read before the next check of its progress.
const READ_AT_ONCE: u64 = 1 << 16;

/// Maximum number of consecutive looks without a ring of packets: a restarting target clears its memory step by step.
const MOST_MISMATCHES: u32 = 3;

/// The memory differs from the program's file.
#[derive(Debug)]
struct Mismatch {
    at: u64,
    expected: &'static str,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "at {:#x} is no {}; either another build runs there than that of the ELF file, or the firmware has overwritten its own memory: give the ELF file of the build that runs",
            self.at, self.expected
        )
    }
}

impl std::error::Error for Mismatch {}

/// State of reading a target's rings.
pub struct LiveRings {
    setup: Setup,
    packets: Packets,
    /// How often the timer counts, as the user has given it. The value in the program may change while it runs.
    tick_rate: Option<(u64, u64)>,
    /// Number of closed packets of each core at the last look.
    seen: Vec<Option<u16>>,
    since_names: Option<u32>,
    /// Sequence number of the next packet of metadata.
    of_metadata: u16,
    /// How full the fullest ring was, in per cent.
    level: Option<u8>,
    /// The firmware has started to record.
    has_begun: bool,
    /// Consecutive looks that found no ring of packets.
    mismatches: u32,
}

/// `Ring` of `tband-core`, as far as it is needed.
struct State {
    at: u64,
    oldest: u64,
    closed: u16,
    given_back: u16,
}

impl State {
    fn read(words: &mut MemoryWords<'_>, packets: &Packets, index: u64) -> anyhow::Result<Self> {
        let pointer = words.pointer;
        let len = (2 * pointer + 12).next_multiple_of(pointer);
        let at = packets.rings + index * len;
        // In a single read: a running target continues between two reads.
        let bytes = words.bytes(at, Self::released_offset(pointer) + 2)?;
        let number = |from: u64, len: u64| {
            let (from, len) = (from as usize, len as usize);
            let bytes = bytes.get(from..from + len).unwrap_or_default();
            bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
        };
        Ok(Self {
            at,
            oldest: number(pointer, pointer),
            closed: number(2 * pointer + 4, 2) as u16,
            given_back: number(Self::released_offset(pointer), 2) as u16,
        })
    }

    /// Returns the offset in the ring of the number of released packets.
    const fn released_offset(pointer: u64) -> u64 {
        2 * pointer + 6
    }
}

impl LiveRings {
    /// Offset of the position in `Reader` of `tband-core`.
    const HAND: u64 = 15;

    /// Finds the rings of a program.
    ///
    /// # Errors
    /// It has none, or the memory of its rings has other content.
    pub fn new(
        program: &Program,
        memory: &mut dyn Memory,
        tick_rate: Option<(u64, u64)>,
    ) -> anyhow::Result<Self> {
        let mut memory = program.over(memory);
        let mut words = MemoryWords::new(&mut memory, program.pointer);
        let Some((setup, packets)) = Packets::find(program, &mut words)? else {
            bail!(
                "this program records frames, which leave it over a separate connection; packets can be read out of memory: tband_configFORMAT TBAND_FORMAT_PACKETS"
            );
        };
        let seen = (0..setup.core_count()).map(|_| None).collect();
        let live = Self {
            setup,
            packets,
            tick_rate,
            seen,
            since_names: None,
            of_metadata: 0,
            level: None,
            has_begun: false,
            mismatches: 0,
        };
        for index in 0..live.setup.core_count() {
            let state = State::read(&mut words, &live.packets, index)?;
            if state.oldest != 0 {
                live.validate(&state, index)?;
            }
        }
        Ok(live)
    }

    /// The packets that were closed since the last time.
    ///
    /// # Errors
    /// The memory cannot be read.
    pub fn look(&mut self, program: &Program, memory: &mut dyn Memory) -> anyhow::Result<Vec<u8>> {
        let mut memory = program.over(memory);
        let mut words = MemoryWords::new(&mut memory, program.pointer);
        let mut events = Vec::new();
        let mut count = 0_u32;
        self.level = None;
        for index in 0..self.setup.core_count() {
            let state = State::read(&mut words, &self.packets, index)?;
            // Nothing was recorded yet.
            if state.oldest == 0 {
                continue;
            }
            let before = events.len();
            let taken = if self.packets.policy == STREAM {
                self.take(&mut words, &state, index, &mut events)
            } else {
                self.copy(&mut words, &state, index, &mut events)
            };
            match taken {
                Ok(taken) => {
                    self.has_begun = true;
                    self.mismatches = 0;
                    count += taken;
                }
                Err(error) if error.is::<Mismatch>() && self.mismatches < MOST_MISMATCHES => {
                    self.mismatches += 1;
                    events.truncate(before);
                }
                Err(error) => return Err(error),
            }
        }
        if count == 0 {
            return Ok(Vec::new());
        }
        let since = self.since_names.map_or(NAMES_EVERY, |since| since.saturating_add(count));
        let mut recording = Recording { bytes: events, ..Recording::default() };
        self.since_names = Some(since);
        if since >= NAMES_EVERY {
            let tables =
                names(program, &mut words, &self.setup, self.packets.kept)?.unwrap_or_default();
            // The event that reports it was overwritten, or taken by an earlier connection.
            let hz = self.tick_rate.or(self.setup.frequency(&mut words)?);
            recording.names(&tables, hz, &mut self.of_metadata);
            self.since_names = Some(0);
        }
        Ok(recording.bytes)
    }

    /// The firmware has started to record.
    pub const fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// Returns the level of the fullest ring at the last look, in per cent; `None` if packets are not released.
    pub const fn level(&self) -> Option<u8> {
        self.level
    }

    /// Takes packets as the target's own consumer would, and releases them.
    fn take(
        &mut self,
        words: &mut MemoryWords<'_>,
        state: &State,
        index: u64,
        events: &mut Vec<u8>,
    ) -> anyhow::Result<u32> {
        self.validate(state, index)?;
        let pointer = words.pointer;
        if words.u8(self.packets.reader + Self::HAND)? != 0 {
            bail!("the target takes its packets itself, and sends them: record what it sends");
        }
        let waiting = state.closed.wrapping_sub(state.given_back);
        self.level = self.level.max(percent(waiting.into(), self.packets.count));
        let (mut slot, mut taken) = (state.oldest, 0);
        for _ in 0..waiting {
            let bytes = words.bytes(slot, self.packets.size)?;
            ensure!(Slot::read(&bytes).is_some(), Mismatch { at: slot, expected: "packet" });
            if let Some((packet, is_metadata)) = Self::packet(&bytes, pointer)? {
                events.extend(packet);
                taken += u32::from(!is_metadata);
            }
            slot = self.after(index, slot);
        }
        if waiting > 0 {
            let oldest = slot.to_le_bytes();
            let pointer_len = usize::try_from(pointer)?;
            words.write(state.at + pointer, oldest.get(..pointer_len).unwrap_or(&oldest))?;
            // After that they are the target's again.
            words.write(state.at + State::released_offset(pointer), &state.closed.to_le_bytes())?;
        }
        Ok(taken)
    }

    /// Copies packets that will be overwritten, as far as they have not been.
    fn copy(
        &mut self,
        words: &mut MemoryWords<'_>,
        state: &State,
        index: u64,
        events: &mut Vec<u8>,
    ) -> anyhow::Result<u32> {
        // The one after the newest is open.
        let most = u16::try_from(self.packets.count - 1).unwrap_or(u16::MAX);
        let seen = self.seen.get_mut(usize::try_from(index)?);
        let before = seen.and_then(|seen| seen.replace(state.closed));
        let new = before.map_or(most, |before| state.closed.wrapping_sub(before)).min(most);
        // A target that closes packets faster than they are read overwrites the oldest ones first. If a ring was overwritten
        // during the read, the newer half is tried again, and finally only the newest packet.
        let (mut state, mut wanted) = (State { ..*state }, new);
        loop {
            let kept = self.copy_newest(words, &state, index, wanted, most)?;
            if !kept.is_empty() || wanted <= 1 {
                let taken = kept.len();
                events.extend(kept.into_iter().flatten());
                return Ok(u32::try_from(taken)?);
            }
            wanted /= 2;
            state = State::read(words, &self.packets, index)?;
            if let Some(seen) = self.seen.get_mut(usize::try_from(index)?) {
                *seen = Some(state.closed);
            }
        }
    }

    /// The `wanted` packets that were closed last when the ring was in `state`, without those that may have been overwritten
    /// while they were read.
    fn copy_newest(
        &self,
        words: &mut MemoryWords<'_>,
        state: &State,
        index: u64,
        wanted: u16,
        most: u16,
    ) -> anyhow::Result<Vec<Vec<u8>>> {
        let Packets { size, count, .. } = self.packets;
        let first = self.first(index);
        let oldest = state.oldest.wrapping_sub(first) / size;
        let waiting = u64::from(state.closed.wrapping_sub(state.given_back));
        // The target stores which one is open in a place that this does not read.
        let open = oldest.wrapping_add(waiting) % count;
        self.validate(state, index)?;
        let mut kept = Vec::new();
        let (mut at, mut left) = ((open + count - u64::from(wanted)) % count, u64::from(wanted));
        while left > 0 {
            // As far as they are one after the other in memory.
            let some = left.min(count - at).min((READ_AT_ONCE / size).max(1));
            let bytes = words.bytes(first + at * size, some * size)?;
            let closed = State::read(words, &self.packets, index)?.closed;
            let since = u64::from(closed.wrapping_sub(state.closed));
            for bytes in bytes.chunks_exact(usize::try_from(size)?) {
                left -= 1;
                // The one that is open now is where the oldest one was.
                if since + left < u64::from(most)
                    && let Some((packet, _)) = Self::packet(bytes, words.pointer)?
                {
                    kept.push(packet);
                }
            }
            at = (at + some) % count;
        }
        Ok(kept)
    }

    /// Returns the closed packet in a slot, if there is one, and whether it is metadata.
    fn packet(bytes: &[u8], pointer: u64) -> anyhow::Result<Option<(Vec<u8>, bool)>> {
        let Some(head) = Slot::read(bytes).filter(|head| head.content > 0) else {
            return Ok(None);
        };
        // Where it is matters to open ones.
        match slot::take(&head, bytes, None, usize::try_from(pointer)?, 0) {
            SlotContent::Packet(packet) => Ok(Some((packet, head.is_metadata()))),
            SlotContent::Nothing | SlotContent::Damaged(_) => Ok(None),
        }
    }

    /// Whether the state is that of a ring. Another program has other variables at its place, and nothing may be written there.
    fn validate(&self, state: &State, index: u64) -> anyhow::Result<()> {
        let Packets { size, count, .. } = self.packets;
        let first = self.first(index);
        let len = size.saturating_mul(count);
        let from_first = state.oldest.checked_sub(first);
        let is_slot = from_first.is_some_and(|from| from < len && from % size == 0);
        let waiting = u64::from(state.closed.wrapping_sub(state.given_back));
        let is_ring = is_slot && waiting <= count && first.checked_add(len).is_some();
        ensure!(is_ring, Mismatch { at: state.at, expected: "ring of packets" });
        Ok(())
    }

    /// The first slot of core `index`.
    const fn first(&self, index: u64) -> u64 {
        let Packets { memory, size, count, .. } = self.packets;
        memory.wrapping_add(index.wrapping_mul(size.wrapping_mul(count)))
    }

    const fn after(&self, index: u64, slot: u64) -> u64 {
        let next = slot.wrapping_add(self.packets.size);
        let first = self.first(index);
        let end = first.wrapping_add(self.packets.size.wrapping_mul(self.packets.count));
        if next == end { first } else { next }
    }
}
