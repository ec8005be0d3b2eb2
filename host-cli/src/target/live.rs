//! Rings of packets that are read again and again while the target records.

use anyhow::bail;

use super::frames::Setup;
use super::level::percent;
use super::memory::{Memory, Words};
use super::packets::Recording;
use super::place::{Packets, names};
use super::slot::{self, Slot, Taken};
use super::symbols::Program;

/// `tband_packet_setup.policy` of streams: packets have to be given back.
const STREAM: u64 = 0;
/// Names are written again after so many packets.
const NAMES_EVERY: u32 = 256;

/// What has been read of a target's rings.
pub struct Live {
    setup: Setup,
    packets: Packets,
    tick_rate: Option<(u64, u64)>,
    /// How many packets of each core were closed when it was looked at last.
    seen: Vec<Option<u16>>,
    since_names: Option<u32>,
    /// How full the fullest ring was, in per cent.
    level: Option<u8>,
}

/// `Ring` of `tband-core`, as far as it is needed.
struct State {
    at: u64,
    slot: u64,
    oldest: u64,
    last: u64,
    closed: u16,
    given_back: u16,
}

impl State {
    fn read(words: &mut Words<'_>, packets: &Packets, index: u64) -> anyhow::Result<Self> {
        let pointer = words.pointer;
        let len = (3 * pointer + 12).next_multiple_of(pointer);
        let at = packets.rings + index * len;
        Ok(Self {
            at,
            slot: words.pointer(at)?,
            oldest: words.pointer(at + pointer)?,
            last: words.pointer(at + 2 * pointer)?,
            closed: words.u16(at + 3 * pointer)? as u16,
            given_back: words.u16(at + 3 * pointer + 2)? as u16,
        })
    }
}

impl Live {
    /// Finds the rings of a program.
    ///
    /// # Errors
    /// It has none, or takes packets itself.
    pub fn new(
        program: &Program,
        memory: &mut dyn Memory,
        tick_rate: Option<(u64, u64)>,
    ) -> anyhow::Result<Self> {
        let mut memory = program.over(memory);
        let mut words = Words::new(&mut memory, program.pointer);
        let Some((setup, packets)) = Packets::find(program, &mut words)? else {
            bail!(
                "this program records frames, which leave it by a way of its own; packets can be read out of memory: tband_configFORMAT TBAND_FORMAT_PACKETS"
            );
        };
        let seen = (0..setup.core_count()).map(|_| None).collect();
        Ok(Self { setup, packets, tick_rate, seen, since_names: None, level: None })
    }

    /// The packets that were closed since the last time.
    ///
    /// # Errors
    /// The memory cannot be read.
    pub fn look(&mut self, program: &Program, memory: &mut dyn Memory) -> anyhow::Result<Vec<u8>> {
        let mut memory = program.over(memory);
        let mut words = Words::new(&mut memory, program.pointer);
        let mut events = Vec::new();
        let mut count = 0_u32;
        self.level = None;
        for index in 0..self.setup.core_count() {
            let state = State::read(&mut words, &self.packets, index)?;
            // Nothing was recorded yet.
            if state.slot == 0 {
                continue;
            }
            count += if self.packets.policy == STREAM {
                self.take(&mut words, &state, &mut events)?
            } else {
                self.copy(&mut words, &state, index, &mut events)?
            };
        }
        if count == 0 {
            return Ok(Vec::new());
        }
        let since = self.since_names.map_or(NAMES_EVERY, |since| since.saturating_add(count));
        let mut recording = Recording { bytes: events, ..Recording::default() };
        self.since_names = Some(since);
        if since >= NAMES_EVERY {
            let tables = names(program, &mut words, &self.setup, self.packets.kept)?;
            recording.names(&tables, self.tick_rate);
            self.since_names = Some(0);
        }
        Ok(recording.bytes)
    }

    /// How full the fullest ring was at the last look, in per cent; none if packets are not given back.
    pub const fn level(&self) -> Option<u8> {
        self.level
    }

    /// Takes packets as the target's own reader would, and gives them back.
    fn take(
        &mut self,
        words: &mut Words<'_>,
        state: &State,
        events: &mut Vec<u8>,
    ) -> anyhow::Result<u32> {
        let pointer = words.pointer;
        if words.u8(self.packets.reader + 2 * pointer + 17)? != 0 {
            bail!("the target takes its packets itself, and sends them: record what it sends");
        }
        let waiting = state.closed.wrapping_sub(state.given_back);
        if u64::from(waiting) > self.packets.count {
            bail!("the ring at {:#x} is damaged", state.at);
        }
        self.level = self.level.max(percent(waiting.into(), self.packets.count));
        let (mut slot, mut taken) = (state.oldest, 0);
        for _ in 0..waiting {
            taken += u32::from(self.packet(words, slot, events)?);
            slot = self.behind(state, slot);
        }
        if waiting > 0 {
            let oldest = slot.to_le_bytes();
            let pointer_len = usize::try_from(pointer)?;
            words.write(state.at + pointer, oldest.get(..pointer_len).unwrap_or(&oldest))?;
            // After that they are the target's again.
            words.write(state.at + 3 * pointer + 2, &state.closed.to_le_bytes())?;
        }
        Ok(taken)
    }

    /// Copies packets that will be overwritten, as far as they have not been.
    fn copy(
        &mut self,
        words: &mut Words<'_>,
        state: &State,
        index: u64,
        events: &mut Vec<u8>,
    ) -> anyhow::Result<u32> {
        // The one after the newest is open.
        let most = u16::try_from(self.packets.count - 1).unwrap_or(u16::MAX);
        let seen = self.seen.get_mut(usize::try_from(index)?);
        let before = seen.and_then(|seen| seen.replace(state.closed));
        let new = before.map_or(most, |before| state.closed.wrapping_sub(before)).min(most);
        let mut slot = state.slot;
        let mut slots = Vec::new();
        for _ in 0..new {
            slot = self.in_front_of(state, slot);
            slots.push(slot);
        }
        let mut taken = 0;
        for (behind, slot) in (0..new).zip(slots.into_iter().rev()) {
            let mut packet = Vec::new();
            let is_one = self.packet(words, slot, &mut packet)?;
            // Where the target runs meanwhile it may have been overwritten.
            let closed = State::read(words, &self.packets, index)?.closed;
            let age = closed.wrapping_sub(state.closed).saturating_add(new - behind);
            if is_one && age <= most {
                events.extend(packet);
                taken += 1;
            }
        }
        Ok(taken)
    }

    /// Adds the closed packet of a slot, if there is one.
    fn packet(&self, words: &mut Words<'_>, at: u64, events: &mut Vec<u8>) -> anyhow::Result<bool> {
        let bytes = words.bytes(at, self.packets.size)?;
        let Some(head) = Slot::read(&bytes).filter(|head| head.content > 0) else {
            return Ok(false);
        };
        let pointer = usize::try_from(words.pointer)?;
        match slot::take(&head, &bytes, Some(at), pointer, 0) {
            Taken::Packet(packet) => events.extend(packet),
            Taken::Nothing | Taken::Damaged(_) => return Ok(false),
        }
        Ok(!head.is_metadata())
    }

    fn behind(&self, state: &State, slot: u64) -> u64 {
        if slot == state.last {
            slot.wrapping_sub(self.packets.size * (self.packets.count - 1))
        } else {
            slot.wrapping_add(self.packets.size)
        }
    }

    fn in_front_of(&self, state: &State, slot: u64) -> u64 {
        let first = state.last.wrapping_sub(self.packets.size * (self.packets.count - 1));
        if slot == first { state.last } else { slot.wrapping_sub(self.packets.size) }
    }
}
