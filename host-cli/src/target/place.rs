//! The place of a program's recording: constants of the shim, whose names are always the same.

use anyhow::{anyhow, bail};
use tband_format::packet::step;
use tband_program::{Memory, MemoryWords, Program, Setup};

use super::frames;
use super::packets::{Recording, Ring, take_rings};

/// `tband_packet_setup.policy` of snapshots: names are in the ring.
const SNAPSHOT: u64 = 1;
/// Size of a table that was being changed.
const TABLE_CHANGES: u64 = 0xFFFF;

/// Takes the recording of a program out of its memory. `ring` is the variable that frames go to, with the streaming and the
/// external backend; `hz` is the timer's frequency, if it differs from the constants of the program.
///
/// # Errors
/// There is none, or a needed part of the memory is missing.
pub fn take(
    program: &Program,
    memory: &mut dyn Memory,
    ring: Option<&str>,
    hz: Option<(u64, u64)>,
) -> anyhow::Result<Recording> {
    let mut memory = program.over(memory);
    let mut words = MemoryWords::new(&mut memory, program.pointer);
    if let Some((setup, packets)) = Packets::find(program, &mut words)? {
        return take_packets(program, &mut words, &setup, &packets, hz);
    }
    let (_, setup) = Setup::find(program, &mut words)?;
    let find = |name: &str| {
        program.address(name).ok_or_else(|| anyhow!("the ELF file has no variable {name}"))
    };
    take_frames(&mut words, &setup, ring.map(find).transpose()?)
}

fn take_frames(
    words: &mut MemoryWords<'_>,
    setup: &Setup,
    ring: Option<u64>,
) -> anyhow::Result<Recording> {
    let mut recording = Recording::default();
    for index in 0..setup.core_count() {
        recording.bytes.extend(setup.table(words, setup.names, index, None)?);
    }
    let names = recording.bytes.len();
    let mut is_snapshot = false;
    for index in 0..setup.core_count() {
        if let Some(events) = setup.snapshot(words, index)? {
            is_snapshot = true;
            recording.bytes.extend(events);
        }
    }
    if let (false, Some(at)) = (is_snapshot, ring) {
        recording.bytes.extend(frames::ring(words, at)?);
    }
    if !is_snapshot && ring.is_none() {
        bail!(
            "this program hands its frames out; if they go into a tband_ring, name it with --ring"
        );
    }
    recording.amount = recording.bytes.len() - names;
    Ok(recording)
}

/// The shim's constants about packets.
pub struct Packets {
    pub rings: u64,
    pub reader: u64,
    pub memory: u64,
    pub size: u64,
    pub count: u64,
    pub policy: u64,
    pub kept: u64,
}

impl Packets {
    /// Reads `tband_setup` and `tband_packet_setup` of a program that records packets.
    ///
    /// # Errors
    /// They are missing, or invalid.
    pub fn find(
        program: &Program,
        words: &mut MemoryWords<'_>,
    ) -> anyhow::Result<Option<(Setup, Self)>> {
        let (setup_at, setup) = Setup::find(program, words)?;
        match program.address("tband_debugger_packets").filter(|at| *at != setup_at) {
            Some(at) => Ok(Some((setup, Self::read(words, at)?))),
            None => Ok(None),
        }
    }

    fn read(words: &mut MemoryWords<'_>, at: u64) -> anyhow::Result<Self> {
        let pointer = words.pointer;
        let packets = Self {
            rings: words.pointer(at + pointer)?,
            size: words.u32(at + 2 * pointer)?,
            memory: words.pointer(at + 3 * pointer)?,
            count: words.u32(at + 5 * pointer)?,
            reader: words.pointer(at + 6 * pointer)?,
            policy: words.u32(at + 7 * pointer + 8)?,
            // After three words there is another pointer.
            kept: words.pointer(at + 10 * pointer + 12_u64.next_multiple_of(pointer) + 8)?,
        };
        if !(128..=4096).contains(&packets.size) || !(1..=0xFFFF).contains(&packets.count) {
            bail!(
                "tband_debugger_packets at {at:#x} is none: the ELF file and the memory do not belong together"
            );
        }
        Ok(packets)
    }
}

fn take_packets(
    program: &Program,
    words: &mut MemoryWords<'_>,
    setup: &Setup,
    packets: &Packets,
    hz: Option<(u64, u64)>,
) -> anyhow::Result<Recording> {
    let pointer = words.pointer;
    let Packets { memory, size, count, policy, kept, .. } = *packets;
    let mut rings = Vec::new();
    for index in 0..setup.core_count() {
        let first = memory + index * count * size;
        let slots = (0..count).map(|number| words.bytes(first + number * size, size));
        let slots = slots.collect::<Result<_, _>>()?;
        let discarded = Some(words.u32(setup.core(pointer, index) + 2 * pointer + 4)? as u32);
        rings.push(Ring { at: Some(first), offset: 0, slots, discarded, in_order: false });
    }
    let mut recording = take_rings(&rings, usize::try_from(pointer)?);
    let names =
        if policy == SNAPSHOT { Some(Vec::new()) } else { names(program, words, setup, kept)? };
    if names.is_none() {
        recording.findings.push(
            "the names are left out: their check is wrong, so they have changed since they were recorded".to_owned(),
        );
    }
    // A snapshot begins with it. An image need not have the variable in which a program stores it.
    let stored = (policy != SNAPSHOT).then(|| setup.frequency(words).ok().flatten()).flatten();
    let hz = hz.or(stored);
    recording.names(&names.unwrap_or_default(), hz, &mut 0);
    Ok(recording)
}

/// The tables of names that belong to the packets; `None` if they have changed since the recording was frozen.
///
/// # Errors
/// They are not there.
pub fn names(
    program: &Program,
    words: &mut MemoryWords<'_>,
    setup: &Setup,
    kept: u64,
) -> anyhow::Result<Option<Vec<Vec<u8>>>> {
    let pointer = words.pointer;
    let (mut tables, mut measures) = (setup.names, 0);
    if kept != 0 {
        (tables, measures) = (words.pointer(kept)?, words.pointer(kept + pointer)?);
        // A reset has cleared it, and the firmware has not checked yet.
        if let (0, Some(left), Some(both)) =
            (tables, program.address("tband_left"), program.address("tband_both_metadata_bufs"))
        {
            let (key, not_key, half) =
                (words.u32(left)? as u32, words.u32(left + 4)? as u32, words.u32(left + 8)? as u32);
            // A bit may have changed, as the firmware sees it.
            if (key ^ not_key).count_zeros() <= 1 {
                let half = u64::from(half.count_ones() > 16);
                tables = both + half * setup.core_count() * setup.names_size;
                measures = left + 16;
                let check = words.u32(left + 12)? as u32;
                if check != 0 && check != check_of(words, setup, tables, measures, half)? {
                    return Ok(None);
                }
            }
        }
    }
    let mut all = Vec::new();
    for index in 0..setup.core_count() {
        let used = if measures == 0 { None } else { Some(words.u16(measures + index * 6)?) };
        // It was being changed.
        let used = used.filter(|used| *used != TABLE_CHANGES).or(used.map(|_| 0));
        all.push(setup.table(words, tables, index, used)?);
    }
    Ok(Some(all))
}

/// Returns the check that the firmware stores of its tables when a recording is frozen.
fn check_of(
    words: &mut MemoryWords<'_>,
    setup: &Setup,
    tables: u64,
    measures: u64,
    half: u64,
) -> anyhow::Result<u32> {
    let mut hash = half as u32;
    for index in 0..setup.core_count() {
        let [used, dropped, needed] = [0, 2, 4].map(|at| words.u16(measures + index * 6 + at));
        let (used, dropped, needed) = (used?, dropped?, needed?);
        hash = step(hash, (used | dropped << 16) as u32);
        hash = step(hash, needed as u32);
        let used = used.min(setup.names_size);
        for byte in words.bytes(tables + index * setup.names_size, used)? {
            hash = step(hash, byte.into());
        }
    }
    Ok(if hash == 0 { 1 } else { hash })
}
