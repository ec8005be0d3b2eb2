//! The classic snapshot: the recorder's data structure as it is in memory, with events of 4 bytes.

use super::words::{Layout, until_zero};

/// The start of a snapshot in memory.
pub const SNAPSHOT: [u8; 12] = [1, 2, 3, 4, 0x71, 0x72, 0x73, 0x74, 0xF1, 0xF2, 0xF3, 0xF4];
/// Largest structure that is read, in bytes.
const MAX_SIZE: usize = 64 << 20;
/// FreeRTOS.
const FREERTOS: u16 = 0x1AA1;
/// Classes of objects.
const MAX_CLASSES: usize = 16;
/// Bytes of text at the end of the structure, before the events.
const INFO: usize = 80;
/// Lists of hashes in the table of texts.
const HASHES: usize = 64;

/// The structure at a marker.
#[derive(Debug)]
pub enum SnapshotStructure {
    /// A structure of so many bytes, from the marker on.
    Snapshot(usize),
    /// More bytes are needed.
    Short,
    /// It is something else.
    Other,
}

/// Byte order of the structure after a marker.
fn layout_of(bytes: &[u8]) -> Option<Layout> {
    let layout = |is_big| Layout::new(is_big, false);
    [false, true].map(layout).into_iter().find(|it| it.u16(bytes, SNAPSHOT.len()) == Some(FREERTOS))
}

/// How many bytes the structure has whose marker these bytes begin with.
pub fn size(bytes: &[u8]) -> SnapshotStructure {
    if bytes.len() < 44 {
        return SnapshotStructure::Short;
    }
    let Some(layout) = layout_of(bytes) else { return SnapshotStructure::Other };
    let size = layout.u32(bytes, 16).and_then(|it| usize::try_from(it).ok()).unwrap_or(usize::MAX);
    let events = layout.u32(bytes, 24).unwrap_or(u32::MAX) as usize;
    if !(200..=MAX_SIZE).contains(&size) || events.saturating_mul(4) > size {
        return SnapshotStructure::Other;
    }
    SnapshotStructure::Snapshot(size)
}

/// The structure.
#[derive(Debug)]
pub struct Snapshot {
    pub layout: Layout,
    /// Version of the structure.
    pub minor: u8,
    pub is_low_urgent: bool,
    pub hz: u32,
    /// Time of the last event, in ticks.
    pub last: u64,
    pub info: String,
    /// Handles can have 16 bits.
    pub has_long_handles: bool,
    /// Of each class: objects, bytes of a name, bytes of an object, where the first is.
    classes: Vec<(usize, usize, usize, usize)>,
    objects: Vec<u8>,
    texts: Vec<u8>,
    /// The events, the oldest one first.
    pub events: Vec<[u8; 4]>,
    /// Events are missing at the end of the bytes.
    pub is_cut: bool,
}

impl Snapshot {
    /// Reads the structure that begins with its marker.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let layout = layout_of(bytes)?;
        let u32_at = |at: usize| layout.u32(bytes, at).map(|it| it as usize);
        let [count, max, next, full] = [20, 24, 28, 32].map(u32_at);
        let (count, max, next, is_full) = (count?, max?, next?, full? != 0);
        let hz = layout.u32(bytes, 36)?;
        let last = u64::from(layout.u32(bytes, 44)?) * u64::from(hz);
        let last = last.saturating_add(layout.u32(bytes, 40)?.into());
        if bytes.get(64..68)? != [0xF0; 4] {
            return None;
        }
        let has_long_handles = u32_at(68)? != 0;
        let (classes, len) = (u32_at(72)?, u32_at(76)?);
        if !(1..=MAX_CLASSES).contains(&classes) || len > bytes.len() {
            return None;
        }
        let list = classes.next_multiple_of(4);
        let starts = 80 + 3 * list;
        let objects_at = starts + (2 * classes).next_multiple_of(4);
        let class = |index: usize| {
            let byte =
                |list_of: usize| bytes.get(80 + list_of * list + index).map(|it| usize::from(*it));
            let start = layout.u16(bytes, starts + 2 * index)?;
            Some((byte(0)?, byte(1)?, byte(2)?, usize::from(start)))
        };
        let classes = (0..classes).map(class).collect::<Option<_>>()?;
        let objects = bytes.get(objects_at..objects_at + len)?.to_vec();
        let marker = (objects_at + len).next_multiple_of(4);
        if bytes.get(marker..marker + 4)? != [0xF1; 4] {
            return None;
        }
        let text_len = u32_at(marker + 4)?;
        let texts_at = marker + 12;
        let texts = bytes.get(texts_at..texts_at.checked_add(text_len)?)?.to_vec();
        let rest = (texts_at + text_len).next_multiple_of(4) + 2 * HASHES + 8;
        if bytes.get(rest..rest + 4)? != [0xF2; 4] {
            return None;
        }
        let info = bytes.get(rest + 4..rest + 4 + INFO)?;
        let info = String::from_utf8_lossy(until_zero(info)).trim().to_owned();
        let events_at = rest + 4 + INFO + 4;
        let all = bytes.get(events_at..)?;
        let all: Vec<[u8; 4]> =
            all.chunks_exact(4).take(max).filter_map(|it| it.try_into().ok()).collect();
        let is_cut = all.len() < max;
        let events = if is_full {
            let (newest, oldest) = all.split_at(next.min(all.len()));
            [oldest, newest].concat()
        } else {
            all.get(..next.max(count.min(max)).min(all.len())).unwrap_or_default().to_vec()
        };
        Some(Self {
            layout,
            minor: *bytes.get(14)?,
            is_low_urgent: bytes.get(15) == Some(&0),
            hz,
            last,
            info,
            has_long_handles,
            classes,
            objects,
            texts,
            events,
            is_cut,
        })
    }

    /// Handles of the objects of all classes.
    pub fn handles(&self) -> impl Iterator<Item = (u8, u16)> {
        let of = |(class, (count, ..)): (usize, &(usize, usize, usize, usize))| {
            let (class, count) = (class as u8, *count as u16);
            (1..=count).map(move |handle| (class, handle))
        };
        self.classes.iter().enumerate().flat_map(of)
    }

    /// Name and properties of an object.
    pub fn object(&self, class: u8, handle: u16) -> Option<(&[u8], &[u8])> {
        let (_, name_len, len, start) = *self.classes.get(usize::from(class))?;
        let from = start + len * usize::from(handle.checked_sub(1)?);
        let object = self.objects.get(from..from + len)?;
        let (name, rest) = object.split_at_checked(name_len)?;
        Some((until_zero(name), rest))
    }

    /// A text, and that of its channel.
    pub fn text(&self, symbol: u16) -> (&[u8], &[u8]) {
        let text = |symbol: u16| {
            let from = usize::from(symbol).saturating_add(4);
            until_zero(self.texts.get(from..).unwrap_or_default())
        };
        if symbol == 0 {
            return (&[], &[]);
        }
        let channel = self.channel(symbol);
        (text(symbol), if channel == 0 { &[] } else { text(channel) })
    }

    /// The channel of a text. Its low byte is first, whatever the byte order.
    pub fn channel(&self, symbol: u16) -> u16 {
        let at = usize::from(symbol);
        match self.texts.get(at + 2..at + 4) {
            Some([low, high]) => u16::from_le_bytes([*low, *high]),
            _ => 0,
        }
    }
}
